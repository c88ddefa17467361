package engine

// entry is what the transposition table remembers of a position. It keeps a part of the
// key only: that two positions share it is a chance of one in 2^32 for each look.
type entry struct {
	check uint32
	score int16
	move  uint16 // index among the legal moves, or noMove
	depth int8
	bound bound
}

// bound says what a score in the table means.
type bound uint8

const (
	unset bound = iota
	exact
	lower // the score is at least that
	upper // at most
)

const noMove = 1<<16 - 1

// table is a transposition table: two places for each key, a power of two in size.
type table struct {
	entries []entry
	mask    uint64
}

// resize empties the table and makes it right for a number of nodes, 0 standing for many.
func (t *table) resize(nodes int) {
	size := 1 << 10
	for size < 1<<20 && (nodes == 0 || size < nodes) {
		size *= 2
	}
	if size > cap(t.entries) {
		t.entries = make([]entry, size)
	} else {
		t.entries = t.entries[:size]
		clear(t.entries)
	}
	t.mask = uint64(size - 1)
}

func (t *table) get(key uint64, ply int) (entry, bool) {
	for i := range uint64(2) {
		if e := t.entries[key&t.mask^i]; e.bound != unset && e.check == uint32(key>>32) {
			e.score = int16(mateFrom(int(e.score), -ply))
			return e, true
		}
	}
	return entry{move: noMove}, false
}

// put remembers a score. Of the two places that a key has, it takes the one that has it
// already, else the one of the lesser depth.
func (t *table) put(key uint64, ply, depth, score int, move uint16, b bound) {
	e := &t.entries[key&t.mask]
	check := uint32(key >> 32)
	if e.bound != unset && e.check != check {
		if other := &t.entries[key&t.mask^1]; other.check == check || other.bound == unset || other.depth < e.depth {
			e = other
		}
	}
	if e.check == check && e.bound != unset {
		if move == noMove {
			move = e.move
		}
		if b != exact && int(e.depth) > depth+3 {
			return
		}
	}
	*e = entry{check, int16(mateFrom(score, ply)), move, int8(depth), b}
}

// mateFrom is a score with its mate, if it is one, counted from a position some plies further back.
// The table counts mates from the position itself, a search from the root.
func mateFrom(score, plies int) int {
	switch {
	case score >= mateBound:
		return score + plies
	case score <= -mateBound:
		return score - plies
	}
	return score
}
