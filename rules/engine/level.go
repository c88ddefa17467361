package engine

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"chimera/rules"
)

// Levels are how many strengths there are; the weakest is 1.
const Levels = 8

// Strength is how strong a level is: how far it looks, and what it gets wrong.
type Strength struct {
	Depth int // in plies, 0 for any
	Nodes int // in a position with no more moves than usual, 0 for any
	Blind int // per cent of the moves of some length that are overlooked below the root
	Noise int // centipawns by which positions are misjudged, one standard deviation
}

// Ladder has the strength of each level; what stands at 0 does not count.
type Ladder [Levels + 1]Strength

// usual is the ladder of a game of which none has been fitted.
var usual = Ladder{ //nolint:gochecknoglobals // never written
	1: {Depth: 1, Blind: 90, Noise: 120},
	2: {Depth: 1, Blind: 27, Noise: 64},
	3: {Nodes: 380, Blind: 12, Noise: 40},
	4: {Nodes: 1_000, Blind: 6, Noise: 30},
	5: {Nodes: 3_200, Blind: 2, Noise: 14},
	6: {Nodes: 10_300, Noise: 4},
	7: {Nodes: 32_000},
	8: {Nodes: 100_000},
}

// at is the strength of a level; what is above the highest is as strong as that.
func (l *Ladder) at(level int) Strength { return l[min(level, Levels)] }

// fields are the numbers of a strength by the names that they have in text.
func (s *Strength) fields() []field {
	return []field{{"depth", &s.Depth}, {"nodes", &s.Nodes}, {"blind", &s.Blind}, {"noise", &s.Noise}}
}

type field struct {
	name  string
	value *int
}

// text writes the levels for people and for read, a line for each.
func (l *Ladder) text() string {
	var b strings.Builder
	for level := 1; level <= Levels; level++ {
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

// read reads what follows the first word of one of the lines.
func (l *Ladder) read(words []string) error {
	if len(words)%2 == 0 {
		return fmt.Errorf("%q is no level with names and numbers", words)
	}
	level, err := strconv.Atoi(words[0])
	if err != nil || level < 1 || level > Levels {
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

// fault is how a weak player errs: not by a random move now and then, but by overlooking moves, long
// ones more often, and by misjudging positions. During one search it always overlooks the same.
type fault struct {
	Strength
	seed uint64
}

// overlooks reports whether m is not seen.
func (f *fault) overlooks(shape *rules.Shape, m *rules.Move) bool {
	files, ranks := shape.File(m.To)-shape.File(m.From), shape.Rank(m.To)-shape.Rank(m.From)
	length := max(files, -files, ranks, -ranks)
	chance := f.Blind * (2 + min(length, 6)) / 5
	return int(mix(f.seed^uint64(m.From)<<8^uint64(m.To))%100) < min(chance, 95)
}

// error is how many centipawns a position is misjudged by.
func (f *fault) error(key uint64) int {
	if f.Noise == 0 {
		return 0
	}
	// The sum of four even chances is nearly a normal one, of the deviation sqrt(1/3).
	bits := mix(key ^ f.seed)
	total := -2.0
	for range 4 {
		total += float64(bits&0xffff) / 0xffff
		bits >>= 16
	}
	return int(total * math.Sqrt(3) * float64(f.Noise))
}
