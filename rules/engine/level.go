package engine

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"chimera/rules"
)

// Levels is the number of the highest level; the weakest, for children, is 0.
const Levels = 8

// Level is one of the computer's strengths. The zero Level is none of them: it plays at full strength.
type Level struct{ above int }

// AtLevel is the level of a number from 0 to Levels; other numbers give the nearest.
func AtLevel(number int) Level { return Level{1 + max(0, min(number, Levels))} }

// Number is the level's, and false for the zero Level.
func (l Level) Number() (number int, ok bool) { return l.above - 1, l.above > 0 }

// Strength is how strong a level is: how far it looks, and how much it errs.
type Strength struct {
	Depth int // in plies, 0 for any
	Nodes int // in a position with at most the usual number of moves, 0 for any
	Blind int // per cent of the opponent's answers of some length that are overlooked; other moves are overlooked less
	Noise int // standard deviation of the evaluation's error, in centipawns
}

// Ladder has the strength of each level.
type Ladder [Levels + 1]Strength

// usual is the ladder of games without a fitted one.
var usual = Ladder{ //nolint:gochecknoglobals // never written
	0: {Depth: 1, Blind: 160, Noise: 200},
	1: {Depth: 1, Blind: 95, Noise: 90},
	2: {Depth: 1, Blind: 50, Noise: 60},
	3: {Nodes: 380, Blind: 12, Noise: 40},
	4: {Nodes: 1_000, Blind: 6, Noise: 30},
	5: {Nodes: 3_200, Blind: 2, Noise: 14},
	6: {Nodes: 10_300, Noise: 4},
	7: {Nodes: 32_000},
	8: {Nodes: 100_000},
}

// fields are a strength's numbers by their names in text.
func (s *Strength) fields() []field {
	return []field{{"depth", &s.Depth}, {"nodes", &s.Nodes}, {"blind", &s.Blind}, {"noise", &s.Noise}}
}

type field struct {
	name  string
	value *int
}

// text writes the levels for people and for read, one a line.
func (l *Ladder) text() string {
	var b strings.Builder
	for level := range l {
		fmt.Fprintf(&b, "level %d", level)
		for _, f := range l[level].fields() {
			if *f.value != 0 {
				fmt.Fprintf(&b, " %s %d", f.name, *f.value)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// read reads the rest of a line after its first word.
func (l *Ladder) read(words []string) error {
	if len(words)%2 == 0 {
		return fmt.Errorf("%q is no level with names and numbers", words)
	}
	level, err := strconv.Atoi(words[0])
	if err != nil || level < 0 || level > Levels {
		return fmt.Errorf("there is no level %q", words[0])
	}
	s := &l[level]
	*s = Strength{}
	for i := 1; i < len(words); i += 2 {
		at := slices.IndexFunc(s.fields(), func(f field) bool { return f.name == words[i] })
		if at < 0 {
			return fmt.Errorf("a level has no %q", words[i])
		}
		if *s.fields()[at].value, err = strconv.Atoi(words[i+1]); err != nil || *s.fields()[at].value < 0 {
			return fmt.Errorf("%q is no number of %s", words[i+1], words[i])
		}
	}
	return nil
}

// fault is how a weak player errs: not by a random move now and then, but by overlooking and misjudging. It overlooks
// threats most, and its own possibilities least; long moves more often than short ones, and what costs a queen less
// often than what costs a pawn. During one search it always overlooks the same.
type fault struct {
	Strength
	seed uint64
	last rules.Move
}

// chance reports whether an event of that probability happens; what identifies the event.
func (f *fault) chance(percent int, what uint64) bool {
	return int(mix(f.seed^what)%100) < min(percent, 95)
}

// awake is the number of first moves in which no player leaves a piece hanging.
const awake = 3

// overlooks reports whether the player overlooks the move m from the position at ply.
func (s *search) overlooks(ply int, m *rules.Move) bool {
	f := &s.fault
	if f.Blind == 0 {
		return false
	}
	v, shape := &s.stack.frames[ply], s.variant.Shape
	files, ranks := shape.File(m.To)-shape.File(m.From), shape.Rank(m.To)-shape.Rank(m.From)
	length := max(files, -files, ranks, -ranks)
	percent := f.Blind * (2 + min(length, 6)) / 5
	us := v.setup.Turn & 1
	gain, _ := s.gain(v, m, s.stack.kind(v.setup.Board[m.From&63], us), us^1, v.blasters.Has(m.From))
	switch {
	case ply%2 == 1:
		const plain = 250
		if gain >= plain && v.setup.FullMove <= awake {
			return false
		}
		percent = percent * plain / max(gain, plain)
		if m.To == rules.Square(v.moved&63) {
			percent /= 2 // the player looks where their piece goes
		}
	case ply == 0:
		const plain = 150
		percent = percent * f.Blind / 400 * plain / (plain + max(gain, 0)) // a player who overlooks little sees nearly all their own captures
	}
	return f.chance(percent, uint64(m.From)<<8^uint64(m.To))
}

// missesMate reports whether the player overlooks that its move to ply mates.
func (s *search) missesMate(ply int) bool {
	const most = 200 // a player who overlooks little elsewhere overlooks hardly any mate
	return ply == 1 && s.fault.chance(s.fault.Blind*s.fault.Blind/most, s.stack.frames[ply].key)
}

// Taste is how many centipawns are added to moves of the root that gain something, go to or beside the enemy king, make
// a piece more valuable, or exchange. Splitting a piece loses four times Growth.
type Taste struct{ Gain, Attack, Growth, Exchange int }

// likes is the bonus in centipawns of a move of the root, which has been pushed.
func (s *search) likes(m *rules.Move) (likes int) {
	if s.fault.Blind == 0 && s.taste == (Taste{}) {
		return 0
	}
	before, after := &s.stack.frames[0], &s.stack.frames[1]
	us := before.setup.Turn & 1
	from, worth := s.stack.kind(before.setup.Board[m.From&63], us), s.stack.gain
	gain, _ := s.gain(before, m, from, us^1, false)
	if gain > 0 {
		likes += s.taste.Gain
	}
	if king := before.kings[us^1]; king != 0 && s.stack.zone[king.First()&63].Has(m.To) || after.checked {
		likes += s.taste.Attack
	}
	if worth[s.stack.kind(after.setup.Board[m.To&63], us)] > worth[from] {
		likes += s.taste.Growth
	} else if m.Act == rules.Split {
		likes -= 4 * s.taste.Growth
	}
	const alike = 150
	if gain > alike && max(gain-worth[from], worth[from]-gain) < alike {
		likes += s.taste.Exchange
	}
	return likes + s.habit(m, us, worth[from])
}

// habit is the bonus in centipawns that a player who sees little gives a move: they begin in the middle, with one pawn
// or another, castle, bring out lesser pieces first, and do not take back their last move.
func (s *search) habit(m *rules.Move, us rules.Color, worth int) (likes int) {
	const lesser, early, opening, liked = 450, 12, 2, 25 // centipawns and moves
	f, before, file := &s.fault, &s.stack.frames[0], s.variant.Shape.File(m.To)
	if f.Blind == 0 {
		return 0
	}
	switch {
	case m.Act == rules.Castle:
		likes = 2 * f.Noise
	case before.setup.Castling&^s.stack.frames[1].setup.Castling&^before.sides[us^1] != 0:
		likes = -f.Noise
	case before.setup.FullMove <= early && s.stack.rank(us, m.From) == 0 && s.stack.rank(us, m.To) > 0:
		if worth > lesser {
			likes = -f.Noise / 2
		} else if before.setup.FullMove > opening {
			likes = f.Noise / 2
		}
	case before.setup.FullMove <= opening && s.stack.rank(us, m.To)-s.stack.rank(us, m.From) == 2 && min(file, s.variant.Shape.Files-1-file) > 1:
		likes = int(mix(f.seed^uint64(m.To)) % liked)
	}
	if m.From == f.last.To && m.To == f.last.From {
		likes -= 2*f.Noise + 60
	}
	return likes
}

// error is the misjudgement of a position in centipawns.
func (f *fault) error(key uint64) int {
	if f.Noise == 0 {
		return 0
	}
	// The sum of four random bits is nearly normal, with the deviation sqrt(1/3).
	bits := mix(key ^ f.seed)
	total := -2.0
	for range 4 {
		total += float64(bits&0xffff) / 0xffff
		bits >>= 16
	}
	return int(total * math.Sqrt(3) * float64(f.Noise))
}
