package engine

import (
	"bufio"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chimera/rules"
)

// Pair is a number for the opening and one for the ending, in tenths of a centipawn. What
// lies between is weighed by how many pieces are left.
type Pair struct{ Opening, Ending int32 }

// Numbers are what positions of one game are judged by: of each term of the judgement what
// it is worth. See [Layout] for the terms.
type Numbers struct {
	Layout
	Worth  []Pair  // by term
	Weight []int32 // by kind of piece: how much of the opening goes with one of them
	Ladder Ladder  // how strong each level is in this game
}

// Layout numbers the terms of a game's judgement. A kind of piece is a Role, or, from
// len(Table) on, a Role as one's part of a piece that both sides own. A square counts as
// its mirror image on the other wing does, and for Black as seen from Black's side.
type Layout struct {
	shape  *rules.Shape
	roles  int
	kinds  int
	folded int // squares of half a board
	names  []string
}

// The terms of one kind of piece; those of its squares follow.
const (
	value    = iota // for each piece
	mobility        // for each legal move
	press           // for each legal move to or beside the enemy king
	pair            // for each piece beyond the first
	square
)

// The terms that belong to no kind, after those of all kinds.
const (
	tempo    = iota // to be on move
	doubled         // a pawn before another
	isolated        // a pawn without pawns on the files beside it
	shelter         // a pawn beside its king
	passed          // a pawn without enemy pawns ahead, by its rank as its side counts it
)

// rests name the terms of no kind in text.
var rests = [...]string{tempo: "tempo", doubled: "doubled", isolated: "isolated", shelter: "shelter"} //nolint:gochecknoglobals // never written

// NewLayout is a game's.
func NewLayout(v *rules.Variant) Layout {
	l := Layout{shape: v.Shape, roles: len(v.Table), kinds: len(v.Table), folded: v.Shape.Ranks * ((v.Shape.Files + 1) / 2)}
	if v.Shares() {
		l.kinds *= 2
	}
	for kind := range l.kinds {
		name := v.Table[kind%l.roles].Code
		if kind >= l.roles {
			name = "half-" + name
		}
		l.names = append(l.names, name)
	}
	return l
}

// Terms is how many there are.
func (l *Layout) Terms() int { return l.rest(passed) + l.shape.Ranks }

// ValueOf is the term of the value of a kind of piece.
func (l *Layout) ValueOf(kind int) int { return l.of(kind, value) }

func (l *Layout) of(kind, term int) int { return kind*(square+l.folded) + term }

func (l *Layout) rest(term int) int { return l.of(l.kinds, term) }

// at is the term of a kind on a square, as c sees it.
func (l *Layout) at(kind int, c rules.Color, sq rules.Square) int {
	file, rank := l.shape.File(sq), l.rank(c, sq)
	file = min(file, l.shape.Files-1-file)
	return l.of(kind, square+rank*((l.shape.Files+1)/2)+file)
}

// rank is the rank of a square as c counts it, from 0.
func (l *Layout) rank(c rules.Color, sq rules.Square) int {
	if c == rules.White {
		return l.shape.Rank(sq)
	}
	return l.shape.Ranks - 1 - l.shape.Rank(sq)
}

// kind is what a piece is to c, 0 if it is nothing.
func (l *Layout) kind(p rules.Piece, c rules.Color) int {
	if p.Shared() {
		return l.roles + int(p.Half(c))
	}
	return int(p.Half(c))
}

// newNumbers are all zero.
func newNumbers(v *rules.Variant) *Numbers {
	l := NewLayout(v)
	return &Numbers{Layout: l, Worth: make([]Pair, l.Terms()), Weight: make([]int32, l.kinds), Ladder: usual}
}

// Text writes n for people and for [ReadNumbers]: the levels, unless they are the usual ones; a line for each term of a kind that is
// not zero, the opening before the ending, in centipawns. The squares of a kind are a line
// for each rank, the first rank first, from the edge to the middle.
func (n *Numbers) Text() string {
	var b strings.Builder
	if n.Ladder != usual {
		b.WriteString("\n" + n.Ladder.text())
	}
	for kind := 1; kind < n.kinds; kind++ {
		if kind%n.roles == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s weight %d\n", n.names[kind], n.Weight[kind])
		for term, name := range [...]string{value: "value", mobility: "mobility", press: "press", pair: "pair"} {
			n.write(&b, n.names[kind]+" "+name, n.of(kind, term))
		}
		half := n.folded / n.shape.Ranks
		for rank := range n.shape.Ranks {
			first := n.of(kind, square+rank*half)
			if squares := n.Worth[first : first+half]; slices.ContainsFunc(squares, func(p Pair) bool { return p != (Pair{}) }) {
				fmt.Fprintf(&b, "%s rank %d", n.names[kind], rank+1)
				writePairs(&b, squares)
			}
		}
	}
	b.WriteByte('\n')
	for term, name := range rests {
		n.write(&b, name, n.rest(term))
	}
	for rank := range n.shape.Ranks {
		n.write(&b, "passed "+strconv.Itoa(rank+1), n.rest(passed+rank))
	}
	return b.String()
}

func (n *Numbers) write(b *strings.Builder, name string, term int) {
	if n.Worth[term] != (Pair{}) {
		b.WriteString(name)
		writePairs(b, n.Worth[term:term+1])
	}
}

func writePairs(b *strings.Builder, pairs []Pair) {
	for _, p := range pairs {
		fmt.Fprintf(b, "  %g %g", float64(p.Opening)/10, float64(p.Ending)/10)
	}
	b.WriteByte('\n')
}

// NumbersOf are what positions of a game are judged by: its own numbers, or what its rules say where
// it has none.
func NumbersOf(v *rules.Variant) (*Numbers, error) {
	if v.Numbers == "" {
		return Guess(v), nil
	}
	return ReadNumbers(v, v.Numbers)
}

// ReadNumbers reads what [Numbers.Text] has written of a game. What it does not mention is
// zero, or usual of a level; lines that begin with # are remarks. The error names the line that is wrong.
func ReadNumbers(v *rules.Variant, text string) (*Numbers, error) {
	n := newNumbers(v)
	names := map[string]int{}
	for kind, name := range n.names {
		if kind%n.roles != 0 {
			names[name] = kind
		}
	}
	lines := bufio.NewScanner(strings.NewReader(text))
	for number := 1; lines.Scan(); number++ {
		if fields := strings.Fields(lines.Text()); len(fields) > 0 && fields[0][0] != '#' {
			if err := n.read(names, fields); err != nil {
				return nil, fmt.Errorf("numbers of %s, line %d: %w", v.Key, number, err)
			}
		}
	}
	return n, lines.Err()
}

// read reads one line.
func (n *Numbers) read(names map[string]int, fields []string) error {
	if fields[0] == "level" {
		return n.Ladder.read(fields[1:])
	}
	for term, name := range rests {
		if fields[0] == name {
			return n.readPairs(fields[1:], n.rest(term), 1)
		}
	}
	if len(fields) < 3 {
		return fmt.Errorf("%d fields are too few", len(fields))
	}
	if fields[0] == "passed" {
		rank, err := n.readRank(fields[1])
		if err != nil {
			return err
		}
		return n.readPairs(fields[2:], n.rest(passed+rank), 1)
	}
	kind, ok := names[fields[0]]
	if !ok {
		return fmt.Errorf("there is no piece or term %q", fields[0])
	}
	for term, name := range [...]string{value: "value", mobility: "mobility", press: "press", pair: "pair"} {
		if fields[1] == name {
			return n.readPairs(fields[2:], n.of(kind, term), 1)
		}
	}
	switch fields[1] {
	case "weight":
		weight, err := strconv.ParseInt(fields[2], 10, 16)
		n.Weight[kind] = int32(weight)
		return err
	case "rank":
		rank, err := n.readRank(fields[2])
		if err != nil {
			return err
		}
		half := n.folded / n.shape.Ranks
		return n.readPairs(fields[3:], n.of(kind, square+rank*half), half)
	}
	return fmt.Errorf("there is no term %q", fields[1])
}

func (n *Numbers) readRank(text string) (int, error) {
	rank, err := strconv.Atoi(text)
	if err != nil || rank < 1 || rank > n.shape.Ranks {
		return 0, fmt.Errorf("there is no rank %q", text)
	}
	return rank - 1, nil
}

// limit bounds what one term may be worth, in centipawns, so that no sum overflows.
const limit = 10_000

func (n *Numbers) readPairs(fields []string, first, pairs int) error {
	if len(fields) != 2*pairs {
		return fmt.Errorf("%d numbers instead of %d", len(fields), 2*pairs)
	}
	for i, text := range fields {
		number, err := strconv.ParseFloat(text, 64)
		if err != nil || number < -limit || number > limit {
			return fmt.Errorf("%q is no number up to %d", text, limit)
		}
		tenths := int32(number*10 + 0.5)
		if number < 0 {
			tenths = int32(number*10 - 0.5)
		}
		if i%2 == 0 {
			n.Worth[first+i/2].Opening = tenths
		} else {
			n.Worth[first+i/2].Ending = tenths
		}
	}
	return nil
}
