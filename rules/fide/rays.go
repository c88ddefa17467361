package fide

import (
	"math/bits"

	"chimera/rules"
)

// line is a line through a square: its squares of lower and of higher index, to
// the board's edge or a hole.
type line struct{ lower, upper rules.Set }

// reach is where a slide along the line may end, the first piece on either side
// included, of either side.
func (l line) reach(occupied rules.Set) rules.Set {
	lower, upper := l.lower&occupied, l.upper&occupied
	nearest := 63 - bits.LeadingZeros64(uint64(lower)|1)
	return (l.lower | l.upper) & (upper ^ (upper - 1)) & (^rules.Set(0) << (nearest & 63))
}

// Rays are the lines of a board.
type Rays struct {
	lines [64][4]line // file, rank, rising diagonal, falling diagonal
}

// NewRays finds the lines of a board. They end at its edge and at holes.
func NewRays(shape *rules.Shape) *Rays {
	rays := new(Rays)
	for sq := range shape.Squares.Squares() {
		for i, d := range [4][2]int{{0, 1}, {1, 0}, {1, 1}, {-1, 1}} {
			rays.lines[sq][i] = line{ray(shape, sq, -d[0], -d[1]), ray(shape, sq, d[0], d[1])}
		}
	}
	return rays
}

func ray(shape *rules.Shape, sq rules.Square, files, ranks int) rules.Set {
	var set rules.Set
	for sq = shape.Offset(sq, files, ranks); sq != rules.NoSquare; sq = shape.Offset(sq, files, ranks) {
		set |= sq.Set()
	}
	return set
}

// Rook is where a rook's slide from sq may end, the first piece in each direction
// included.
func (r *Rays) Rook(sq rules.Square, occupied rules.Set) rules.Set {
	lines := &r.lines[sq&63]
	return lines[0].reach(occupied) | lines[1].reach(occupied)
}

// Bishop is where a bishop's slide from sq may end, the first piece in each
// direction included.
func (r *Rays) Bishop(sq rules.Square, occupied rules.Set) rules.Set {
	lines := &r.lines[sq&63]
	return lines[2].reach(occupied) | lines[3].reach(occupied)
}

// Spans are the squares strictly between two of one line, and the whole line through both.
func (r *Rays) Spans() (between, through *[64][64]rules.Set) {
	between, through = new([64][64]rules.Set), new([64][64]rules.Set)
	for a := range rules.NoSquare {
		for _, l := range r.lines[a] {
			for b := range (l.lower | l.upper).Squares() {
				through[a][b] = l.lower | l.upper | a.Set()
				lower, upper := min(a, b).Set(), max(a, b).Set()
				between[a][b] = (upper - lower) & through[a][b] &^ lower
			}
		}
	}
	return between, through
}

// Leaps are, for each square of a board, those that leaps from it reach. A leap is told by the files and
// ranks that it crosses, as {1, 2} for a knight's, and goes in all eight directions.
func Leaps(shape *rules.Shape, leaps ...[2]int) *[64]rules.Set {
	table := new([64]rules.Set)
	for sq := range shape.Squares.Squares() {
		for _, l := range leaps {
			for _, d := range [...][2]int{{l[0], l[1]}, {l[1], l[0]}} {
				for _, up := range [...]int{d[1], -d[1]} {
					table[sq] |= shape.Offset(sq, d[0], up).Set() | shape.Offset(sq, -d[0], up).Set()
				}
			}
		}
	}
	return table
}

// Ahead are, by color and for each square, those one rank ahead of it and the given number of files to
// either side.
func Ahead(shape *rules.Shape, files int) *[2][64]rules.Set {
	table := new([2][64]rules.Set)
	for sq := range shape.Squares.Squares() {
		for c, up := range [...]int{rules.White: 1, rules.Black: -1} {
			table[c][sq] = shape.Offset(sq, files, up).Set() | shape.Offset(sq, -files, up).Set()
		}
	}
	return table
}

// The tables of the 8x8 board.
//
//nolint:gochecknoglobals // built once, never written
var (
	board            = rules.NewShape(8, 8)
	rays             = NewRays(board)
	knights          = Leaps(board, [2]int{1, 2})
	kings            = Leaps(board, [2]int{0, 1}, [2]int{1, 1})
	pawns            = Ahead(board, 1)
	between, through = rays.Spans()
)

// Shape is the 8x8 board. It is shared, and must not be changed.
func Shape() *rules.Shape { return board }

// RookSlides is where a rook's slide on the 8x8 board may end, the first piece in each
// direction included.
func RookSlides(sq rules.Square, occupied rules.Set) rules.Set { return rays.Rook(sq, occupied) }

// BishopSlides is where a bishop's slide on the 8x8 board may end, the first piece in
// each direction included.
func BishopSlides(sq rules.Square, occupied rules.Set) rules.Set { return rays.Bishop(sq, occupied) }

// KnightLeaps are the squares a knight's leap from sq.
func KnightLeaps(sq rules.Square) rules.Set { return knights[sq&63] }

// KingSteps are the neighbours of sq.
func KingSteps(sq rules.Square) rules.Set { return kings[sq&63] }

// PawnCaptures are the squares on which a pawn of c captures from sq.
func PawnCaptures(c rules.Color, sq rules.Square) rules.Set { return pawns[c&1][sq&63] }

// Between are the squares strictly between two of one line, else none.
func Between(a, b rules.Square) rules.Set { return between[a&63][b&63] }

// Through is the whole line through two squares, else none.
func Through(a, b rules.Square) rules.Set { return through[a&63][b&63] }
