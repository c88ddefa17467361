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
	c := counter{n, make([]int, n.Terms())}
	us, board := pos.Turn(), pos.Board()
	counts := [2]map[int]int{{}, {}}
	for sq := range n.shape.Squares.Squares() {
		for side := range rules.Color(2) {
			kind, sign := n.kind(board[sq], side), signOf(side, us)
			if kind%n.roles == 0 {
				continue
			}
			c.times[n.of(kind, value)] += sign
			c.times[n.at(kind, side, sq)] += sign
			if counts[side][kind]++; counts[side][kind] > 1 {
				c.times[n.of(kind, pair)] += sign
			}
		}
	}
	c.pawns(pos)
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

// signOf is 1 if a side is the mover, else -1.
func signOf(side, mover rules.Color) int {
	if side == mover {
		return 1
	}
	return -1
}

// counter counts terms.
type counter struct {
	*Numbers
	times []int // by term
}

// ofSort are the squares of the pieces of each side that are of a sort.
func ofSort(pos *rules.Position, is func(rules.RoleInfo) bool) (sets [2]rules.Set) {
	for sq, p := range pos.Board() {
		for side := range rules.Color(2) {
			if is(pos.Variant().Table[p.Half(side)]) {
				sets[side] |= rules.Square(sq).Set()
			}
		}
	}
	return sets
}

func isPawn(info rules.RoleInfo) bool { return info.Pawn }
func isKing(info rules.RoleInfo) bool { return info.Royal }

// pawns counts what pawns add.
func (c *counter) pawns(pos *rules.Position) {
	pawns, kings := ofSort(pos, isPawn), ofSort(pos, isKing)
	for side, own := range pawns {
		side := rules.Color(side)
		sign := signOf(side, pos.Turn())
		for sq := range own.Squares() {
			if c.ahead[side][sq]&pawns[side.Other()] == 0 {
				c.times[c.rest(passed+c.rank(side, sq))] += sign
			}
			if c.file[sq]&c.ahead[side][sq]&own != 0 {
				c.times[c.rest(doubled)] += sign
			}
			if c.beside[sq]&own == 0 {
				c.times[c.rest(isolated)] += sign
			}
			if kings[side]&c.zone[sq] != 0 {
				c.times[c.rest(shelter)] += sign
			}
		}
	}
}

// moves counts those that the mover of a position has.
func (c *counter) moves(pos *rules.Position, sign int) {
	us, board := pos.Turn(), pos.Board()
	king := ofSort(pos, isKing)[us.Other()]
	for _, m := range pos.Moves() {
		kind := c.kind(board[m.From], us)
		c.times[c.of(kind, mobility)] += sign
		if king&c.zone[m.To] != 0 {
			c.times[c.of(kind, press)] += sign
		}
	}
}

// Phase is how much of the opening there is on a board: 1 at the start of the game and
// with more pieces than that, 0 without any.
func (n *Numbers) Phase(v *rules.Variant, board *rules.Board) float64 {
	return min(float64(n.weigh(board))/float64(n.full(v)), 1)
}

// weigh is the weight of all pieces on a board.
func (n *Numbers) weigh(board *rules.Board) (total int) {
	for _, p := range board {
		total += int(n.Weight[n.kind(p, rules.White)] + n.Weight[n.kind(p, rules.Black)])
	}
	return total
}

// full is the weight of all pieces at the start, 1 at least.
func (n *Numbers) full(v *rules.Variant) int {
	start, err := v.Position("")
	if err != nil {
		return 1
	}
	board := start.Board()
	return max(n.weigh(&board), 1)
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
