package engine

import (
	"math"

	"chimera/rules"
)

// Levels are how many strengths there are; the weakest is 1.
const Levels = 8

// level is what makes a player weaker.
type level struct {
	depth int // in plies, 0 for any
	nodes int
	blind int // per cent: see fault
	noise int // centipawns
}

// levels are 1 to 8.
var levels = [Levels + 1]level{ //nolint:gochecknoglobals // never written
	1: {depth: 1, blind: 90, noise: 120},
	2: {depth: 1, blind: 27, noise: 64},
	3: {nodes: 380, blind: 12, noise: 40},
	4: {nodes: 1_000, blind: 6, noise: 30},
	5: {nodes: 3_200, blind: 2, noise: 14},
	6: {nodes: 10_300, noise: 4},
	7: {nodes: 32_000},
	8: {nodes: 100_000},
}

// fault is how a weak player errs: not by playing at random now and then, but by
// overlooking moves, the longer ones more often, and by misjudging positions. It
// overlooks the same for as long as it thinks about one move.
type fault struct {
	blind int // per cent of the moves of some length that are overlooked below the root
	noise int // centipawns by which positions are misjudged, one standard deviation
	seed  uint64
}

// overlooks reports whether m is not seen.
func (f *fault) overlooks(shape *rules.Shape, m *rules.Move) bool {
	files, ranks := shape.File(m.To)-shape.File(m.From), shape.Rank(m.To)-shape.Rank(m.From)
	length := max(files, -files, ranks, -ranks)
	chance := f.blind * (2 + min(length, 6)) / 5
	return int(mix(f.seed^uint64(m.From)<<8^uint64(m.To))%100) < min(chance, 95)
}

// error is how many centipawns a position is misjudged by.
func (f *fault) error(key uint64) int {
	if f.noise == 0 {
		return 0
	}
	// The sum of four even chances is nearly a normal one, of the deviation sqrt(1/3).
	bits := mix(key ^ f.seed)
	total := -2.0
	for range 4 {
		total += float64(bits&0xffff) / 0xffff
		bits >>= 16
	}
	return int(total * math.Sqrt(3) * float64(f.noise))
}
