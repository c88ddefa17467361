package fide

import (
	"math/bits"

	"chimera/rules"
)

// Powered is sets of squares by the powers of the pieces on them. A piece may have several.
type Powered struct {
	Knights     rules.Set // pieces that leap as a knight
	Diagonals   rules.Set // pieces that slide along diagonals
	Orthogonals rules.Set // pieces that slide along ranks and files
}

// Powers are some of a piece's powers.
type Powers uint8

// The powers of knight, bishop and rook.
const (
	Leaping Powers = 1 << iota
	Diagonal
	Orthogonal
)

// PowersOf are the powers of an orthodox role; none for other roles.
func PowersOf(r rules.Role) Powers { return orthodox[r] }

//nolint:gochecknoglobals // never written
var orthodox = [256]Powers{Knight: Leaping, Bishop: Diagonal, Rook: Orthogonal, Queen: Diagonal | Orthogonal}

// Add gives the piece on sq some powers.
func (p *Powered) Add(sq rules.Square, powers Powers) {
	if powers&Leaping != 0 {
		p.Knights |= sq.Set()
	}
	if powers&Diagonal != 0 {
		p.Diagonals |= sq.Set()
	}
	if powers&Orthogonal != 0 {
		p.Orthogonals |= sq.Set()
	}
}

// Slides are the squares that the lines and leaps of the piece on from would reach from sq, the
// first piece in each direction included; none for pawns and kings.
func (p *Powered) Slides(from, sq rules.Square, occupied rules.Set) (set rules.Set) {
	if p.Orthogonals.Has(from) {
		set = RookSlides(sq, occupied)
	}
	if p.Diagonals.Has(from) {
		set |= BishopSlides(sq, occupied)
	}
	if p.Knights.Has(from) {
		set |= KnightLeaps(sq)
	}
	return set
}

// Remove takes all powers from the squares of a set.
func (p *Powered) Remove(set rules.Set) {
	p.Knights &^= set
	p.Diagonals &^= set
	p.Orthogonals &^= set
}

// Regular is the knight, bishop, rook or queen on sq.
func (p *Powered) Regular(sq rules.Square) rules.Role {
	switch set := sq.Set(); {
	case p.Knights&set != 0:
		return Knight
	case p.Orthogonals&set == 0:
		return Bishop
	case p.Diagonals&set == 0:
		return Rook
	}
	return Queen
}

// Placement is where pieces stand, and what each can do.
type Placement struct {
	Powered
	Sides [2]rules.Set // by Color
	Pawns rules.Set
	Kings rules.Set
}

// Occupied are the squares with a piece.
func (p *Placement) Occupied() rules.Set { return p.Sides[0] | p.Sides[1] }

// KingOf is the square of c's king.
func (p *Placement) KingOf(c rules.Color) rules.Square { return (p.Kings & p.Sides[c&1]).First() }

// Put places a piece with the given powers on an empty square.
func (p *Placement) Put(sq rules.Square, c rules.Color, powers Powers) {
	p.Sides[c] |= sq.Set()
	p.Add(sq, powers)
}

// Role is what an orthodox piece on sq is, rules.NoRole on an empty square.
func (p *Placement) Role(sq rules.Square) rules.Role {
	switch set := sq.Set(); {
	case p.Occupied()&set == 0:
		return rules.NoRole
	case p.Pawns&set != 0:
		return Pawn
	case p.Kings&set != 0:
		return King
	}
	return p.Regular(sq)
}

// Attackers are the pieces of either side that would capture a piece of c on sq, on a
// board occupied as given.
func (p *Placement) Attackers(sq rules.Square, c rules.Color, occupied rules.Set) rules.Set {
	return KnightLeaps(sq)&p.Knights |
		KingSteps(sq)&p.Kings |
		PawnCaptures(c, sq)&p.Pawns |
		RookSlides(sq, occupied)&p.Orthogonals |
		BishopSlides(sq, occupied)&p.Diagonals
}

// Attacked reports whether an enemy of c among the pieces of the set attacks sq, on
// a board occupied as given.
func (p *Placement) Attacked(sq rules.Square, c rules.Color, enemies, occupied rules.Set) bool {
	return p.Attackers(sq, c, occupied)&enemies&p.Sides[c&1^1] != 0
}

// Changed are the squares on which p has other powers, or another side, than before.
func (p *Placement) Changed(before *Placement) rules.Set {
	return (p.Sides[0] ^ before.Sides[0]) | (p.Sides[1] ^ before.Sides[1]) | (p.Pawns ^ before.Pawns) | (p.Kings ^ before.Kings) |
		(p.Knights ^ before.Knights) | (p.Diagonals ^ before.Diagonals) | (p.Orthogonals ^ before.Orthogonals)
}

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

func ray(shape *rules.Shape, sq rules.Square, files, ranks int) (set rules.Set) {
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

// Leaps are, for each square of a board, the squares that leaps from it reach. A leap is given by the files and ranks
// that it crosses, as {1, 2} for a knight's, and goes in all eight directions.
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

// Ahead are, by color and for each square, the squares one rank ahead and the given number of files to either side.
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

// KnightLeaps are the squares that are a knight's leap from sq.
func KnightLeaps(sq rules.Square) rules.Set { return knights[sq&63] }

// KingSteps are the neighbours of sq.
func KingSteps(sq rules.Square) rules.Set { return kings[sq&63] }

// PawnCaptures are the squares on which a pawn of c captures from sq.
func PawnCaptures(c rules.Color, sq rules.Square) rules.Set { return pawns[c&1][sq&63] }

// Between are the squares strictly between two of one line, else none.
func Between(a, b rules.Square) rules.Set { return between[a&63][b&63] }

// Through is the whole line through two squares, else none.
func Through(a, b rules.Square) rules.Set { return through[a&63][b&63] }
