package engine

import "chimera/rules"

// sum is a Pair in one word, so that both are added at once.
type sum int64

func sumOf(p Pair) sum { return sum(p.Ending)<<32 + sum(p.Opening) }

func (s sum) opening() int { return int(int32(s)) }
func (s sum) ending() int  { return int(int32((s + 1<<31) >> 32)) }

// evaluator is Numbers made ready: what each thing is worth to the side that has it. It is
// read-only once made.
type evaluator struct {
	*Numbers
	geometry            // a copy, which is nearer at hand than that of the Numbers
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

// kindInfo is what placing a piece of a kind needs.
type kindInfo struct {
	material [2]uint64 // by color: its part of what says which pieces there are
	another  sum       // what one beyond the first is worth besides
	weight   int
	is       bool // a piece at all
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
		worth := n.Worth[n.of(kind, value)]
		j.gain[kind] = int(worth.Opening+worth.Ending) / 20
		j.mobility[kind] = sumOf(n.Worth[n.of(kind, mobility)])
		j.press[kind] = sumOf(n.Worth[n.of(kind, press)])
		j.kinds[kind] = kindInfo{
			material: [2]uint64{mix(uint64(kind)), mix(uint64(kind) + 1<<20)}, another: sumOf(n.Worth[n.of(kind, pair)]),
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

// pawnStructure is what the pawns are worth, White's less Black's.
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

// blend is a sum as the number of centipawns that it is at a phase, the weight of the
// pieces that are left.
func (j *evaluator) blend(s sum, phase int) int {
	phase = min(phase, j.full)
	return (s.opening()*phase + s.ending()*(j.full-phase)) / (10 * j.full)
}
