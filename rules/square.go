package rules

import (
	"iter"
	"math/bits"
)

// Square is the index of a square in its game's [Shape]: 0 is the leftmost
// square of the first rank, and indexes grow along the rank, then up the board.
type Square uint8

// NoSquare is the Square that is on no board.
const NoSquare Square = 64

// Set returns the set that holds s alone. NoSquare gives the empty set.
func (s Square) Set() Set { return 1 << s }

// Set is a set of squares of one Shape, bit i standing for Square i.
type Set uint64

// Has reports whether sq is in the set.
func (s Set) Has(sq Square) bool { return s>>sq&1 != 0 }

// Len is the number of squares in the set.
func (s Set) Len() int { return bits.OnesCount64(uint64(s)) }

// First is the lowest square of the set, NoSquare if it is empty.
func (s Set) First() Square { return Square(bits.TrailingZeros64(uint64(s))) }

// Rest is the set without its lowest square.
func (s Set) Rest() Set { return s & (s - 1) }

// Squares yields the squares of the set in rising order.
func (s Set) Squares() iter.Seq[Square] {
	return func(yield func(Square) bool) {
		for ; s != 0; s = s.Rest() {
			if !yield(s.First()) {
				return
			}
		}
	}
}

// Shape is the outline of a board: a bounding box of at most 64 squares, and
// those of them that exist. It alone names squares.
type Shape struct {
	Files, Ranks int
	Squares      Set
}

// NewShape is the full board of so many files and ranks.
// It panics if they make more than 64 squares.
func NewShape(files, ranks int) *Shape {
	if files*ranks > 64 {
		panic("rules: a board has at most 64 squares")
	}
	return &Shape{files, ranks, Set(1)<<(files*ranks) - 1}
}

// At is the square at a file and rank counted from 0, or NoSquare where the
// board has none.
func (sh *Shape) At(file, rank int) Square {
	if file < 0 || file >= sh.Files || rank < 0 || rank >= sh.Ranks {
		return NoSquare
	}
	sq := Square(rank*sh.Files + file)
	if !sh.Squares.Has(sq) {
		return NoSquare
	}
	return sq
}

// File is the file of sq, counted from 0.
func (sh *Shape) File(sq Square) int { return int(sq) % sh.Files }

// Rank is the rank of sq, counted from 0.
func (sh *Shape) Rank(sq Square) int { return int(sq) / sh.Files }

// Offset is the square so many files right of and ranks above sq, or NoSquare.
func (sh *Shape) Offset(sq Square, files, ranks int) Square {
	return sh.At(sh.File(sq)+files, sh.Rank(sq)+ranks)
}

// FileName is the letter of sq's file.
func (sh *Shape) FileName(sq Square) byte { return 'a' + byte(sh.File(sq)) }

// RankName is the digit of sq's rank.
func (sh *Shape) RankName(sq Square) byte { return '1' + byte(sh.Rank(sq)) }

// Name is the file letter and rank digit of sq, and "-" for NoSquare.
func (sh *Shape) Name(sq Square) string {
	if sq == NoSquare {
		return "-"
	}
	return string([]byte{sh.FileName(sq), sh.RankName(sq)})
}

// Parse is the square of that name, or NoSquare.
func (sh *Shape) Parse(name string) Square {
	if len(name) != 2 {
		return NoSquare
	}
	return sh.At(int(name[0])-'a', int(name[1])-'1')
}

// ByFile lists the squares of a set by file, then rank, the order in which move
// text names several.
func (sh *Shape) ByFile(set Set) []Square {
	squares := make([]Square, 0, set.Len())
	for file := range sh.Files {
		for rank := range sh.Ranks {
			if sq := sh.At(file, rank); sq != NoSquare && set.Has(sq) {
				squares = append(squares, sq)
			}
		}
	}
	return squares
}
