package engine

import (
	"bufio"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"chimera/rules"
)

// Pair is a number for the opening and one for the ending, in tenths of a centipawn. What
// lies between is weighed by how many pieces are left.
type Pair struct{ Opening, Ending int32 }

// Numbers are what positions of one game are evaluated by: of each term of the evaluation what
// it is worth. See [Layout] for the terms.
type Numbers struct {
	Layout
	Worth  []Pair  // by term
	Weight []int32 // by kind of piece: how much of the opening goes with one of them
	Ladder Ladder  // how strong each level is in this game
}

// Layout numbers the terms of a game's evaluation. A kind of piece is a Role, or, from
// len(Table) on, a Role as one's part of a piece that both sides own. A square counts as
// its mirror image on the other wing does, and for Black as seen from Black's side.
type Layout struct {
	shape  *rules.Shape
	roles  int
	kinds  int
	folded int // squares of half a board
	names  []string
}

// The terms of one kind of piece; those of its squares continuation.
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

// row is a line of text: the terms whose numbers stand behind its name.
type row struct {
	name         string
	first, terms int
}

// rows are the lines of a kind of piece, or of the terms of no kind if it is that after the last.
func (l *Layout) rows(kind int) (all []row) {
	if kind == l.kinds {
		for term, name := range rests {
			all = append(all, row{name, l.rest(term), 1})
		}
		for rank := range l.shape.Ranks {
			all = append(all, row{"passed " + strconv.Itoa(rank+1), l.rest(passed + rank), 1})
		}
		return all
	}
	for term, name := range [...]string{value: "value", mobility: "mobility", press: "press", pair: "pair"} {
		all = append(all, row{l.names[kind] + " " + name, l.of(kind, term), 1})
	}
	half := l.folded / l.shape.Ranks
	for rank := range l.shape.Ranks {
		all = append(all, row{l.names[kind] + " rank " + strconv.Itoa(rank+1), l.of(kind, square+rank*half), half})
	}
	return all
}

// Text writes n for people and for [ReadNumbers]: the levels, unless they are the usual ones; then
// a line for each row that is not all zero, the opening before the ending, in centipawns. The
// squares of a kind are a row for each rank, the first rank first, from the edge to the middle.
func (n *Numbers) Text() string {
	var b strings.Builder
	if n.Ladder != usual {
		b.WriteString("\n" + n.Ladder.text())
	}
	for kind := 1; kind <= n.kinds; kind++ {
		switch {
		case kind == n.kinds:
			b.WriteByte('\n')
		case kind%n.roles == 0:
			continue
		default:
			fmt.Fprintf(&b, "\n%s weight %d\n", n.names[kind], n.Weight[kind])
		}
		for _, r := range n.rows(kind) {
			pairs := n.Worth[r.first : r.first+r.terms]
			if !slices.ContainsFunc(pairs, func(p Pair) bool { return p != (Pair{}) }) {
				continue
			}
			b.WriteString(r.name)
			for _, p := range pairs {
				fmt.Fprintf(&b, "  %g %g", float64(p.Opening)/10, float64(p.Ending)/10)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// NumbersOf are what positions of a game are evaluated by: its own numbers, or what its rules say where
// it has none.
func NumbersOf(v *rules.Variant) (*Numbers, error) {
	if v.Numbers == "" {
		return Guess(v), nil
	}
	return ReadNumbers(v, v.Numbers)
}

// ReadNumbers reads what [Numbers.Text] has written of a game. Terms that it does not mention are
// zero, and levels the usual ones; lines that begin with # are remarks. The error names the line
// that is wrong.
func ReadNumbers(v *rules.Variant, text string) (*Numbers, error) {
	n := newNumbers(v)
	rows, weights := map[string]row{}, map[string]*int32{}
	for kind := 1; kind <= n.kinds; kind++ {
		if kind < n.kinds && kind%n.roles == 0 {
			continue
		}
		for _, r := range n.rows(kind) {
			rows[r.name] = r
		}
		if kind < n.kinds {
			weights[n.names[kind]+" weight"] = &n.Weight[kind]
		}
	}
	lines := bufio.NewScanner(strings.NewReader(text))
	for number := 1; lines.Scan(); number++ {
		if fields := strings.Fields(lines.Text()); len(fields) > 0 && fields[0][0] != '#' {
			if err := n.read(rows, weights, fields); err != nil {
				return nil, fmt.Errorf("numbers of %s, line %d: %w", v.Key, number, err)
			}
		}
	}
	return n, lines.Err()
}

// read reads one line.
func (n *Numbers) read(rows map[string]row, weights map[string]*int32, fields []string) error {
	if fields[0] == "level" {
		return n.Ladder.read(fields[1:])
	}
	for words := range min(len(fields), 4) {
		name := strings.Join(fields[:words], " ")
		if r, ok := rows[name]; ok {
			return readPairs(fields[words:], n.Worth[r.first:r.first+r.terms])
		}
		if weight, ok := weights[name]; ok {
			parsed, err := strconv.ParseInt(fields[words], 10, 16)
			*weight = int32(parsed)
			return err
		}
	}
	return fmt.Errorf("there is no such term with numbers: %q", fields)
}

// limit bounds what one term may be worth, in centipawns, so that no sum overflows.
const limit = 10_000

func readPairs(fields []string, pairs []Pair) error {
	if len(fields) != 2*len(pairs) {
		return fmt.Errorf("%d numbers instead of %d", len(fields), 2*len(pairs))
	}
	for i, text := range fields {
		number, err := strconv.ParseFloat(text, 64)
		if err != nil || number < -limit || number > limit {
			return fmt.Errorf("%q is no number up to %d", text, limit)
		}
		tenths := int32(math.Round(number * 10))
		if i%2 == 0 {
			pairs[i/2].Opening = tenths
		} else {
			pairs[i/2].Ending = tenths
		}
	}
	return nil
}
