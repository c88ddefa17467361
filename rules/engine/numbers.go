package engine

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"chimera/rules"
)

// Pair is a number for the opening and one for the ending, in tenths of a centipawn. In between they are weighted by
// the pieces left.
type Pair struct{ Opening, Ending int32 }

// Numbers are the weights by which positions of one game are evaluated, one for each term. See [Layout] for the terms.
type Numbers struct {
	Layout
	Worth  []Pair  // by term
	Weight []int32 // by kind of piece: its share of the opening's weight
	Ladder Ladder  // how strong each level is in this game
	Scale  int32   // centipawns by which the odds of winning grow by a factor of e
}

// Layout numbers the terms of a game's evaluation. A kind of piece is a Role, or, from len(Table) on, a Role as one's
// part of a piece that both sides own. A square and its mirror image on the other wing are one; for Black, squares are
// seen from Black's side.
type Layout struct {
	shape  *rules.Shape
	roles  int
	kinds  int
	folded int // squares of half a board
	table  rules.Table
	geometry
}

// geometry is what lies around each square.
type geometry struct {
	zone   [64]rules.Set    // the square and its neighbours
	file   [64]rules.Set    // the squares of its file
	beside [64]rules.Set    // those of the files beside it
	row    [64]rules.Set    // the square and those beside it
	around [64]rules.Set    // the squares up to two steps from it
	ahead  [2][64]rules.Set // those before it on these three files, as a color sees it
	hits   [2][64]rules.Set // those of them that a pawn of a color attacks
}

// The terms of one kind of piece; General is the sort of the terms that belong to no kind.
const (
	Value    = iota // for each piece
	Mobility        // for each legal move
	Press           // for each legal move to or beside the enemy king
	Another         // for each piece beyond the first
	Open            // for each on a file without own pawns; until Home, pawns and kings do not count
	Clear           // for each on a file without pawns
	Held            // for each guarded by a pawn
	Safe            // for each guarded by a pawn that no enemy pawn can come to attack
	Home            // for each up to two steps from its king
	Place           // for each on a square: as many as half a board has squares
	General
)

// The terms that belong to no kind, after those of all kinds.
const (
	tempo    = iota // to be on move
	doubled         // a pawn before another
	isolated        // a pawn without pawns on the files beside it
	shelter         // a pawn beside its king
	bare            // a file of a king, or beside it, without own pawns
	storm           // an enemy pawn on these files, ahead of a king
	escort          // a step between a passed pawn and its king, times its rank
	chase           // a step between a passed pawn and the other king, times its rank
	passed          // a pawn without enemy pawns ahead, by its rank as its side counts it
)

// NewLayout is a game's.
func NewLayout(v *rules.Variant) Layout {
	l := Layout{shape: v.Shape, table: v.Table, roles: len(v.Table), kinds: len(v.Table), folded: v.Shape.Ranks * ((v.Shape.Files + 1) / 2)}
	if v.Shares() {
		l.kinds *= 2
	}

	for sq := range v.Shape.Squares.Squares() {
		for other := range v.Shape.Squares.Squares() {
			l.relate(sq, other)
		}
	}
	return l
}

// relate notes how one square lies to another.
func (l *Layout) relate(sq, other rules.Square) {
	files, ranks := l.shape.File(other)-l.shape.File(sq), l.shape.Rank(other)-l.shape.Rank(sq)
	note := func(set *rules.Set, is bool) {
		if is {
			*set |= other.Set()
		}
	}
	near := files >= -1 && files <= 1
	note(&l.zone[sq], l.steps(sq, other) <= 1)
	note(&l.around[sq], l.steps(sq, other) <= 2)
	note(&l.file[sq], files == 0)
	note(&l.beside[sq], near && files != 0)
	note(&l.row[sq], near && ranks == 0)
	for c, forward := range [2]int{ranks, -ranks} {
		note(&l.ahead[c][sq], near && forward > 0)
		note(&l.hits[c][sq], near && files != 0 && forward == 1)
	}
}

// steps is the number of steps that a king takes from one square to another.
func (l *Layout) steps(sq, other rules.Square) int {
	files, ranks := l.shape.File(other)-l.shape.File(sq), l.shape.Rank(other)-l.shape.Rank(sq)
	return max(files, -files, ranks, -ranks)
}

// Terms is how many there are.
func (l *Layout) Terms() int { return l.rest(passed) + l.shape.Ranks }

func (l *Layout) of(kind, term int) int { return kind*(Place+l.folded) + term }

func (l *Layout) rest(term int) int { return l.of(l.kinds, term) }

// at is the term of a kind on a square, as c sees it.
func (l *Layout) at(kind int, c rules.Color, sq rules.Square) int {
	file, rank := l.shape.File(sq), l.rank(c, sq)
	file = min(file, l.shape.Files-1-file)
	return l.of(kind, Place+rank*((l.shape.Files+1)/2)+file)
}

// rank is the rank of a square as c counts it, from 0.
func (l *Layout) rank(c rules.Color, sq rules.Square) int {
	if c == rules.White {
		return l.shape.Rank(sq)
	}
	return l.shape.Ranks - 1 - l.shape.Rank(sq)
}

// kind is a piece's kind for c, 0 if it is none of theirs.
func (l *Layout) kind(p rules.Piece, c rules.Color) int {
	if p.Shared() {
		return l.roles + int(p.Half(c))
	}
	return int(p.Half(c))
}

// UsualScale is the Scale of chess.
const UsualScale = 272

// newNumbers are all zero.
func newNumbers(v *rules.Variant) *Numbers {
	l := NewLayout(v)
	return &Numbers{Layout: l, Worth: make([]Pair, l.Terms()), Weight: make([]int32, l.kinds), Ladder: usual, Scale: UsualScale}
}

// row is a line of text: a name and its numbers, pairs in tenths of a centipawn or a weight.
type row struct {
	name   string
	values []*int32
	pairs  bool
}

// rows are the lines of each kind of piece, and then those of the general terms.
func (n *Numbers) rows() (all [][]row) {
	pairs := func(name string, first, count int) row {
		r := row{name: name, pairs: true}
		for i := range count {
			r.values = append(r.values, &n.Worth[first+i].Opening, &n.Worth[first+i].Ending)
		}
		return r
	}
	half := n.folded / n.shape.Ranks
	for kind := 1; kind < n.kinds; kind++ {
		if kind%n.roles == 0 {
			continue
		}
		name := n.table[kind%n.roles].Code
		if kind >= n.roles {
			name = "half-" + name
		}
		rows := []row{{name + " weight", []*int32{&n.Weight[kind]}, false}}
		for term, what := range [...]string{"value", "mobility", "press", "pair", "open", "clear", "held", "safe", "home"} {
			rows = append(rows, pairs(name+" "+what, n.of(kind, term), 1))
		}
		for rank := range n.shape.Ranks {
			rows = append(rows, pairs(name+" rank "+strconv.Itoa(rank+1), n.of(kind, Place+rank*half), half))
		}
		all = append(all, rows)
	}
	var rows []row
	for term, name := range [...]string{"tempo", "doubled", "isolated", "shelter", "bare", "storm", "escort", "chase"} {
		rows = append(rows, pairs(name, n.rest(term), 1))
	}
	for rank := range n.shape.Ranks {
		rows = append(rows, pairs("passed "+strconv.Itoa(rank+1), n.rest(passed+rank), 1))
	}
	return append(all, rows, []row{{"scale", []*int32{&n.Scale}, false}})
}

// Text writes n for people and for [ReadNumbers]: the levels, unless they are the usual ones; then a line for each row
// that is not all zero, the opening before the ending, in centipawns. The squares of a kind are a row for each rank,
// the first rank first, from the edge to the middle.
func (n *Numbers) Text() string {
	var b strings.Builder
	if n.Ladder != usual {
		b.WriteString("\n" + n.Ladder.text())
	}
	for _, rows := range n.rows() {
		b.WriteByte('\n')
		for _, r := range rows {
			r.write(&b)
		}
	}
	return b.String()
}

func (r *row) write(b *strings.Builder) {
	switch {
	case !r.pairs:
		fmt.Fprintf(b, "%s %d\n", r.name, *r.values[0])
	case slices.ContainsFunc(r.values, func(v *int32) bool { return *v != 0 }):
		b.WriteString(r.name)
		for i := 0; i < len(r.values); i += 2 {
			fmt.Fprintf(b, "  %g %g", float64(*r.values[i])/10, float64(*r.values[i+1])/10)
		}
		b.WriteByte('\n')
	}
}

// limit bounds the weight of a term, in centipawns, so that no sum overflows.
const limit = 10_000

func (r *row) read(fields []string) error {
	if len(fields) != len(r.values) {
		return fmt.Errorf("%d numbers instead of %d", len(fields), len(r.values))
	}
	for i, text := range fields {
		number, err := strconv.ParseFloat(text, 64)
		if err != nil || number < -limit || number > limit || !r.pairs && number != math.Trunc(number) {
			return fmt.Errorf("%q is no number up to %d", text, limit)
		}
		if r.pairs {
			number *= 10
		}
		*r.values[i] = int32(math.Round(number))
	}
	return nil
}

// NumbersOf are the weights for positions of a game: its own numbers, or else a Guess.
func NumbersOf(v *rules.Variant) (*Numbers, error) {
	if v.Numbers == "" {
		return Guess(v), nil
	}
	return ReadNumbers(v, v.Numbers)
}

// ReadNumbers reads the output of [Numbers.Text] for a game. Missing terms are zero, and missing levels the usual ones;
// lines that begin with # are comments. The error names the faulty line.
func ReadNumbers(v *rules.Variant, text string) (*Numbers, error) {
	n := newNumbers(v)
	rows := map[string]row{}
	for _, r := range slices.Concat(n.rows()...) {
		rows[r.name] = r
	}
	for i, line := range strings.Split(text, "\n") {
		if fields := strings.Fields(line); len(fields) > 0 && fields[0][0] != '#' {
			if err := n.read(rows, fields); err != nil {
				return nil, fmt.Errorf("numbers of %s, line %d: %w", v.Key, i+1, err)
			}
		}
	}
	return n, nil
}

// read reads one line.
func (n *Numbers) read(rows map[string]row, fields []string) error {
	if fields[0] == "level" {
		return n.Ladder.read(fields[1:])
	}
	for words := range min(len(fields), 4) {
		if r, ok := rows[strings.Join(fields[:words], " ")]; ok {
			return r.read(fields[words:])
		}
	}
	return fmt.Errorf("there is no such term with numbers: %q", fields)
}

// Guess is the Numbers of a game that has none: accepted values of pieces, by their parts, and something for each move.
func Guess(v *rules.Variant) *Numbers {
	const pawn, move, press, first = 1000, 40, 50, 100 // in tenths of a centipawn
	both := func(worth int) Pair { return Pair{int32(worth), int32(worth)} }
	n := newNumbers(v)
	for kind := 1; kind < n.kinds; kind++ {
		role := rules.Role(kind % n.roles)
		if role == rules.NoRole {
			continue
		}
		worth := v.Table.Worth(role)
		if !v.Table[role].Pawn {
			n.Weight[kind] = int32(worth)
		}
		n.Worth[n.of(kind, Value)] = both(pawn * worth)
		n.Worth[n.of(kind, Mobility)] = both(move)
		n.Worth[n.of(kind, Press)] = both(press)
	}
	n.Worth[n.rest(tempo)] = both(first)
	return n
}
