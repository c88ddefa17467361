package combination

import (
	"chimera/rules"
	"chimera/rules/fide"
)

// The board has 39 squares: the fifth rank has the files a to g, the first and the
// last have d alone, all others b to f.
func outline() *rules.Shape {
	const corners, narrow, wide = 1 << 3, 0x3e, 0x7f
	shape := rules.NewShape(7, 9)
	shape.Squares = 0
	for rank, files := range [9]rules.Set{corners, narrow, narrow, narrow, wide, narrow, narrow, narrow, corners} {
		shape.Squares |= files << (7 * rank)
	}
	return shape
}

// The squares that pieces reach from each square. Sliders stop at the board's edge and at holes;
// leaps ask for no square but the one they end on.
//
//nolint:gochecknoglobals // built once, never written
var (
	board      = outline()
	rays       = fide.NewRays(board)
	around     = fide.Leaps(board, [2]int{0, 1}, [2]int{1, 1})
	leaps      = fide.Leaps(board, [2]int{0, 2})
	knights    = fide.Leaps(board, [2]int{1, 2})
	ahead      = fide.Ahead(board, 0)
	takes      = fide.Ahead(board, 1)
	between, _ = rays.Spans()
)

// Sets of squares are moved all at once by shifting them, seven to a rank. What
// leaves the board or falls into a hole stays in them, so the result is for
// meeting with pieces.
const (
	fileA rules.Set = 1 | 1<<7 | 1<<14 | 1<<21 | 1<<28 | 1<<35 | 1<<42 | 1<<49 | 1<<56
	fileB           = fileA << 1
	fileF           = fileA << 5
	fileG           = fileA << 6
)

// straight are the squares one step straight from those of a set.
func straight(set rules.Set) rules.Set {
	return set<<7 | set>>7 | set&^fileG<<1 | set&^fileA>>1
}

// aslant are the squares one step diagonally from those of a set.
func aslant(set rules.Set) rules.Set {
	set = set<<7 | set>>7
	return set&^fileG<<1 | set&^fileA>>1
}

// far are the squares two steps straight from those of a set.
func far(set rules.Set) rules.Set {
	return set<<14 | set>>14 | set&^(fileF|fileG)<<2 | set&^(fileA|fileB)>>2
}

// near are the squares of a set and all around them.
func near(set rules.Set) rules.Set {
	set |= set&^fileG<<1 | set&^fileA>>1
	return set | set<<7 | set>>7
}

func at(sq rules.Square) string { return board.Name(sq) }
