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
	geometry                            // a copy, closer in memory than that of the Numbers
	board    [2][]sum                   // by color, kind and square: value and place, positive for both colors
	kinds    []kindInfo                 // by kind
	stand    [][1 << (Place - Open)]sum // by kind and where it stands: a bit for each term from [Open] to [Home]
	gain     []int                      // by kind: what it is worth to capture one, in centipawns
	general  []sum                      // the terms that belong to no kind
	full     int                        // the weight of all pieces at the start
}

// kindInfo is what is needed to place a piece of a kind.
type kindInfo struct {
	material [2]uint64 // by color: its part of the material key
	worth    [Open]sum // by term
	weight   int
	is       bool // it is a piece at all
	pawn     bool
	royal    bool
}

func newEvaluator(v *rules.Variant, n *Numbers) *evaluator {
	j := &evaluator{Numbers: n, geometry: n.geometry, gain: make([]int, n.kinds)}
	j.kinds, j.stand = make([]kindInfo, n.kinds), make([][1 << (Place - Open)]sum, n.kinds)
	for c := range j.board {
		j.board[c] = make([]sum, n.kinds*64)
	}
	for kind := range n.kinds {
		info := v.Table[kind%n.roles]
		worth := n.Worth[n.of(kind, Value)]
		j.gain[kind] = int(worth.Opening+worth.Ending) / 20
		j.kinds[kind] = kindInfo{
			material: [2]uint64{mix(uint64(kind)), mix(uint64(kind) + 1<<20)},
			weight:   int(n.Weight[kind]), is: kind%n.roles != 0, pawn: info.Pawn, royal: info.Royal,
		}
		for term := range Open {
			j.kinds[kind].worth[term] = sumOf(n.Worth[n.of(kind, term)])
		}
		for where := range j.stand[kind] {
			for term := range Place - Open {
				j.stand[kind][where] += sumOf(n.Worth[n.of(kind, Open+term)]) * sum(where>>term&1)
			}
		}
		for sq := range v.Shape.Squares.Squares() {
			for c := range rules.Color(2) {
				j.board[c][kind*64+int(sq)] = sumOf(worth) + sumOf(n.Worth[n.at(kind, c, sq)])
			}
		}
	}
	for _, worth := range n.Worth[n.rest(0):] {
		j.general = append(j.general, sumOf(worth))
	}
	j.full = n.full(v)
	return j
}

// pawnTerms tells the general terms of pawns: how often each counts for White, less how often for Black.
func (l *Layout) pawnTerms(pawns, kings *[2]rules.Set, all *lanes, count func(term, times int)) {
	for c, sign := range [2]int{1, -1} {
		own, foes, king := pawns[c], pawns[c^1], kings[c]
		for rest := own; rest != 0; rest = rest.Rest() {
			sq := rest.First() & 63
			if l.ahead[c][sq]&foes == 0 {
				rank := l.rank(rules.Color(c), sq)
				count(passed+rank, sign)
				if king != 0 && kings[c^1] != 0 {
					count(escort, sign*rank*l.steps(king.First(), sq))
					count(chase, sign*rank*l.steps(kings[c^1].First(), sq))
				}
			}
			if l.file[sq]&l.ahead[c][sq]&own != 0 {
				count(doubled, sign)
			}
			if l.beside[sq]&own == 0 {
				count(isolated, sign)
			}
		}
		if king != 0 {
			at := king.First() & 63
			count(shelter, sign*(l.zone[at]&own).Len())
			count(bare, sign*(l.row[at]&^all.files[c]).Len())
			count(storm, sign*(l.ahead[c][at]&foes).Len())
		}
	}
}

// lanes are squares that the pawns of each side rule.
type lanes struct {
	files [2]rules.Set // those on files with pawns
	held  [2]rules.Set // those that pawns attack
	front [2]rules.Set // those that pawns may come to attack
}

func (l *Layout) lanes(pawns *[2]rules.Set) (all lanes) {
	for c, rest := range pawns {
		for ; rest != 0; rest = rest.Rest() {
			sq := rest.First() & 63
			all.files[c] |= l.file[sq]
			all.held[c] |= l.hits[c][sq]
			all.front[c] |= l.beside[sq] & l.ahead[c][sq]
		}
	}
	return all
}

// standing are those of a side's pieces, pawns and kings left out, that count for each of the terms from [Open] to [Home].
func (l *Layout) standing(c rules.Color, pieces, king rules.Set, all *lanes) [Place - Open]rules.Set {
	open, held, home := pieces&^all.files[c&1], pieces&all.held[c&1], rules.Set(0)
	if king != 0 {
		home = pieces & l.around[king.First()&63]
	}
	return [...]rules.Set{open, open &^ all.files[c&1^1], held, held &^ all.front[c&1^1], home}
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
	pawns, kings := ofSort(pos, isPawn), ofSort(pos, isKing)
	all := n.lanes(&pawns)
	n.pawnTerms(&pawns, &kings, &all, func(term, times int) { c.times[n.rest(term)] += times * signOf(rules.White, us) })
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

// moves adds the terms of the mover's moves, and of where their pieces stand.
func (c *counter) moves(pos *rules.Position, sign int) {
	us, board := pos.Turn(), pos.Board()
	pawns, kings := ofSort(pos, isPawn), ofSort(pos, isKing)
	for _, m := range pos.Moves() {
		kind := c.kind(board[m.From], us)
		c.times[c.of(kind, Mobility)] += sign
		if kings[us.Other()]&c.zone[m.To] != 0 {
			c.times[c.of(kind, Press)] += sign
		}
	}
	all := c.lanes(&pawns)
	pieces := ofSort(pos, func(info rules.RoleInfo) bool { return info.Code != "" && !info.Pawn && !info.Royal })[us]
	for term, set := range c.standing(us, pieces, kings[us], &all) {
		for sq := range set.Squares() {
			c.times[c.of(c.kind(board[sq], us), Open+term)] += sign
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
