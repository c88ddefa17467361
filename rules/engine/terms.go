package engine

import "chimera/rules"

// Term is a term of the evaluation, and how many times more it holds for the mover than for the
// opponent.
type Term struct{ Index, Times int }

// Terms are those of a position, as the mover sees it: what each is worth by the numbers,
// summed up, is the evaluation of the position, which a search makes in another way. What
// moves are worth is told of the mover's, less the opponent's in parent, the position before;
// parent may be nil.
func Terms(n *Numbers, pos, parent *rules.Position) []Term {
	c := counter{n, make([]int, n.Terms()), pos.Variant().Table}
	us := pos.Turn()
	for side := range rules.Color(2) {
		sign := 1
		if side != us {
			sign = -1
		}
		c.pieces(pos, side, sign)
	}
	c.times[n.rest(tempo)]++
	c.moves(pos, 1)
	if parent != nil {
		c.moves(parent, -1)
	}
	var terms []Term
	for index, times := range c.times {
		if times != 0 {
			terms = append(terms, Term{index, times})
		}
	}
	return terms
}

// counter counts terms.
type counter struct {
	*Numbers
	times []int // by term
	table rules.Table
}

// pieces counts those of one side, with their places and what pawns add.
func (c *counter) pieces(pos *rules.Position, side rules.Color, sign int) {
	board := pos.Board()
	counts := map[int]int{}
	var own, foes rules.Set
	king := rules.NoSquare
	for sq := range pos.Variant().Shape.Squares.Squares() {
		p := board[sq]
		if c.table[p.Half(side.Other())].Pawn {
			foes |= sq.Set()
		}
		kind := c.kind(p, side)
		if kind%c.roles == 0 {
			continue
		}
		c.times[c.of(kind, value)] += sign
		c.times[c.at(kind, side, sq)] += sign
		if counts[kind]++; counts[kind] > 1 {
			c.times[c.of(kind, pair)] += sign
		}
		if c.table[p.Half(side)].Pawn {
			own |= sq.Set()
		}
		if c.table[p.Half(side)].Royal {
			king = sq
		}
	}
	c.pawns(own, foes, king, side, sign)
}

func (c *counter) pawns(own, foes rules.Set, king rules.Square, side rules.Color, sign int) {
	for sq := range own.Squares() {
		free, double, alone := true, false, true
		for other := range (own | foes).Squares() {
			files, ahead := c.shape.File(other)-c.shape.File(sq), c.rank(side, other) > c.rank(side, sq)
			switch {
			case foes.Has(other):
				free = free && (files < -1 || files > 1 || !ahead)
			case files == 0:
				double = double || ahead
			case files == 1 || files == -1:
				alone = false
			}
		}
		if free {
			c.times[c.rest(passed+c.rank(side, sq))] += sign
		}
		if double {
			c.times[c.rest(doubled)] += sign
		}
		if alone {
			c.times[c.rest(isolated)] += sign
		}
		if king != rules.NoSquare && c.near(king, sq) {
			c.times[c.rest(shelter)] += sign
		}
	}
}

// near reports whether two squares are the same or neighbours.
func (c *counter) near(a, b rules.Square) bool {
	files, ranks := c.shape.File(a)-c.shape.File(b), c.shape.Rank(a)-c.shape.Rank(b)
	return max(files, -files, ranks, -ranks) <= 1
}

// moves counts those that the mover of a position has.
func (c *counter) moves(pos *rules.Position, sign int) {
	us, board := pos.Turn(), pos.Board()
	king := rules.NoSquare
	for sq := range pos.Variant().Shape.Squares.Squares() {
		if c.table[board[sq].Half(us.Other())].Royal {
			king = sq
		}
	}
	for _, m := range pos.Moves() {
		kind := c.kind(board[m.From], us)
		c.times[c.of(kind, mobility)] += sign
		if king != rules.NoSquare && c.near(king, m.To) {
			c.times[c.of(kind, press)] += sign
		}
	}
}

// Phase is how much of the opening there is on a board: 1 at the start of the game and
// with more pieces than that, 0 without any.
func (n *Numbers) Phase(v *rules.Variant, board *rules.Board) float64 {
	weigh := func(board *rules.Board) (total int32) {
		for _, p := range board {
			total += n.Weight[n.kind(p, rules.White)] + n.Weight[n.kind(p, rules.Black)]
		}
		return total
	}
	start, err := v.Position("")
	if err != nil {
		return 1
	}
	first := start.Board()
	return min(float64(weigh(board))/float64(max(weigh(&first), 1)), 1)
}

// Group says of what sort a term is.
type Group uint8

// The sorts of terms. Those before General are in the order of the terms of a kind.
const (
	Value    Group = iota // what a kind of piece is worth
	Mobility              // what one of its moves is worth
	Press                 // what one of them near the enemy king is worth besides
	Another               // what another of the kind is worth besides
	Place                 // what a square is worth to it
	General               // what belongs to no kind
)

// GroupOf is the sort of a term.
func (l *Layout) GroupOf(term int) Group {
	if term >= l.rest(0) {
		return General
	}
	return min(Group(term%(square+l.folded)), Place)
}
