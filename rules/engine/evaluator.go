package engine

import "chimera/rules"

// sum is a Pair in one word, so that both are added at once.
type sum int64

func sumOf(p Pair) sum { return sum(p.Ending)<<32 + sum(p.Opening) }

func (s sum) opening() int { return int(int32(s)) }
func (s sum) ending() int  { return int(int32((s + 1<<31) >> 32)) }

// evaluator is Numbers prepared for use: what each thing is worth to the side that has it. It is read-only once made.
type evaluator struct {
	*Numbers
	geometry            // a copy, closer in memory than that of the Numbers
	board    [2][]sum   // by color, kind and square: value and place, positive for both colors
	kinds    []kindInfo // by kind
	mobility []sum      // by kind
	press    []sum
	gain     []int // by kind: what it is worth to capture one, in centipawns
	tempo    sum
	doubled  sum
	isolated sum
	shelter  sum
	passed   [2][64]sum
	full     int // the weight of all pieces at the start
}

// kindInfo is what is needed to place a piece of a kind.
type kindInfo struct {
	material [2]uint64 // by color: its part of the material key
	another  sum       // extra value of each one beyond the first
	weight   int
	is       bool // it is a piece at all
	pawn     bool
	royal    bool
}

func newEvaluator(v *rules.Variant, n *Numbers) *evaluator {
	j := &evaluator{Numbers: n, geometry: n.geometry, gain: make([]int, n.kinds)}
	j.mobility, j.press, j.kinds = make([]sum, n.kinds), make([]sum, n.kinds), make([]kindInfo, n.kinds)
	for c := range j.board {
		j.board[c] = make([]sum, n.kinds*64)
	}
	for kind := range n.kinds {
		info := v.Table[kind%n.roles]
		worth := n.Worth[n.of(kind, Value)]
		j.gain[kind] = int(worth.Opening+worth.Ending) / 20
		j.mobility[kind] = sumOf(n.Worth[n.of(kind, Mobility)])
		j.press[kind] = sumOf(n.Worth[n.of(kind, Press)])
		j.kinds[kind] = kindInfo{
			material: [2]uint64{mix(uint64(kind)), mix(uint64(kind) + 1<<20)}, another: sumOf(n.Worth[n.of(kind, Another)]),
			weight: int(n.Weight[kind]), is: kind%n.roles != 0, pawn: info.Pawn, royal: info.Royal,
		}
		for sq := range v.Shape.Squares.Squares() {
			for c := range rules.Color(2) {
				j.board[c][kind*64+int(sq)] = sumOf(worth) + sumOf(n.Worth[n.at(kind, c, sq)])
			}
		}
	}
	j.tempo, j.doubled = sumOf(n.Worth[n.rest(tempo)]), sumOf(n.Worth[n.rest(doubled)])
	j.isolated, j.shelter = sumOf(n.Worth[n.rest(isolated)]), sumOf(n.Worth[n.rest(shelter)])
	for sq := range v.Shape.Squares.Squares() {
		for c := range rules.Color(2) {
			j.passed[c][sq] = sumOf(n.Worth[n.rest(passed+n.rank(c, sq))])
		}
	}
	j.full = n.full(v)
	return j
}

// pawnStructure is the value of the pawns, White's less Black's.
func (j *evaluator) pawnStructure(pawns, kings *[2]rules.Set) sum {
	var total sum
	for c := range rules.Color(2) {
		var side sum
		own, foes := pawns[c], pawns[c^1]
		for rest := own; rest != 0; rest = rest.Rest() {
			sq := rest.First() & 63
			if j.ahead[c][sq]&foes == 0 {
				side += j.passed[c][sq]
			}
			if j.file[sq]&j.ahead[c][sq]&own != 0 {
				side += j.doubled
			}
			if j.beside[sq]&own == 0 {
				side += j.isolated
			}
		}
		if king := kings[c]; king != 0 {
			side += j.shelter * sum((j.zone[king.First()&63] & own).Len())
		}
		if c == rules.White {
			total += side
		} else {
			total -= side
		}
	}
	return total
}

// blend converts a sum to centipawns at a phase, the weight of the pieces left.
func (j *evaluator) blend(s sum, phase int) int {
	phase = min(phase, j.full)
	return (s.opening()*phase + s.ending()*(j.full-phase)) / (10 * j.full)
}

// Term is a term of the evaluation, and how often it counts for the mover, less how often for the opponent.
type Term struct{ Index, Times int }

// Terms are those of the last position of a line, for the mover: their sum, each times its number, is the evaluation,
// which a search computes in another way. Terms of moves count the mover's, less the opponent's in the position before;
// each in the position that is [Free].
func Terms(n *Numbers, line ...*rules.Position) []Term {
	c := counter{n, make([]int, n.Terms())}
	last := len(line) - 1
	pos := line[last]
	us, board := pos.Turn(), pos.Board()
	counts := [2]map[int]int{{}, {}}
	for sq := range n.shape.Squares.Squares() {
		for side := range rules.Color(2) {
			kind, sign := n.kind(board[sq], side), signOf(side, us)
			if kind%n.roles == 0 {
				continue
			}
			c.times[n.of(kind, Value)] += sign
			c.times[n.at(kind, side, sq)] += sign
			if counts[side][kind]++; counts[side][kind] > 1 {
				c.times[n.of(kind, Another)] += sign
			}
		}
	}
	c.pawns(pos)
	c.times[n.rest(tempo)]++
	c.moves(Free(line), 1)
	if last > 0 {
		c.moves(Free(line[:last]), -1)
	}
	var terms []Term
	for index, times := range c.times {
		if times != 0 {
			terms = append(terms, Term{index, times})
		}
	}
	return terms
}

// Free is the last position of a line with its mover to move and not in check, the first one if all are: a check limits
// their moves for one turn only.
func Free(line []*rules.Position) *rules.Position {
	i := len(line) - 1
	for i >= 2 && line[i].Checked() != 0 {
		i -= 2
	}
	return line[i]
}

// signOf is 1 if a side is the mover, else -1.
func signOf(side, mover rules.Color) int { return 1 - 2*int(side^mover) }

// counter counts terms.
type counter struct {
	*Numbers
	times []int // by term
}

// ofSort are the squares of each side's pieces of a sort.
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

// pawns adds the terms of pawns.
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

// moves adds the terms of the mover's moves.
func (c *counter) moves(pos *rules.Position, sign int) {
	us, board := pos.Turn(), pos.Board()
	king := ofSort(pos, isKing)[us.Other()]
	for _, m := range pos.Moves() {
		kind := c.kind(board[m.From], us)
		c.times[c.of(kind, Mobility)] += sign
		if king&c.zone[m.To] != 0 {
			c.times[c.of(kind, Press)] += sign
		}
	}
}

// Phase is how much of the opening is left on a board: 1 at the start of the game and with more pieces, 0 without any.
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
	start, _ := v.Position("") // it is the game's own
	board := start.Board()
	return max(n.weigh(&board), 1)
}

// GroupOf is the sort of a term: [Value] to [General].
func (l *Layout) GroupOf(term int) int {
	if term >= l.rest(0) {
		return General
	}
	return min(term%(Place+l.folded), Place)
}
