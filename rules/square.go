package rules

import (
	"iter"
	"math/bits"
	"regexp"
	"strconv"
	"strings"
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

// NewShape is the full board of that many files and ranks.
// It panics if they make more than 64 squares, or if there are not letters enough.
func NewShape(files, ranks int) *Shape {
	if files*ranks > 64 || files > len(fileLetters) {
		panic("rules: a board has at most 64 squares and 23 files")
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

// Offset is the square that lies that many files right of sq and ranks above it, or NoSquare.
func (sh *Shape) Offset(sq Square, files, ranks int) Square {
	return sh.At(sh.File(sq)+files, sh.Rank(sq)+ranks)
}

// fileLetters name the files. An x is the sign of a capture.
const fileLetters = "abcdefghijklmnopqrstuvw"

// FileName is the letter of sq's file.
func (sh *Shape) FileName(sq Square) string {
	file := sh.File(sq)
	return fileLetters[file : file+1]
}

// RankName is the number of sq's rank.
func (sh *Shape) RankName(sq Square) string { return strconv.Itoa(sh.Rank(sq) + 1) }

// Name is the file and the rank of sq, as "e4", and "-" for NoSquare.
func (sh *Shape) Name(sq Square) string {
	return string(sh.appendName(make([]byte, 0, 3), sq))
}

func (sh *Shape) appendName(b []byte, sq Square) []byte {
	if sq == NoSquare {
		return append(b, '-')
	}
	return strconv.AppendInt(append(b, fileLetters[sh.File(sq)]), int64(sh.Rank(sq)+1), 10)
}

// Parse is the square of that name, or NoSquare.
func (sh *Shape) Parse(name string) Square {
	if len(name) < 2 || name[1] == '0' {
		return NoSquare
	}
	rank, err := strconv.ParseUint(name[1:], 10, 8)
	if err != nil {
		return NoSquare
	}
	return sh.At(strings.IndexByte(fileLetters, name[0]), int(rank)-1)
}

// files are the letters of the board's files.
func (sh *Shape) files() string { return fileLetters[:sh.Files] }

// form makes a pattern in which FILE, RANK and SQUARE stand for the names of any, those
// of larger boards included.
func form(pattern string) *regexp.Regexp {
	return regexp.MustCompile(strings.NewReplacer(
		"FILE", "[a-wyz]", "RANK", "(?:[1-9][0-9]?)", "SQUARE", "(?:[A-Za-z][1-9][0-9]?)",
	).Replace(pattern))
}

// Names are the names of squares, as ByFile has them, with spaces between them.
func (sh *Shape) Names(set Set) string {
	var all []string
	for _, sq := range sh.ByFile(set) {
		all = append(all, sh.Name(sq))
	}
	return strings.Join(all, " ")
}

// Starred are the names of squares as move text has those on which something is killed: "*e5*f6".
func (sh *Shape) Starred(set Set) string {
	var text strings.Builder
	for _, sq := range sh.ByFile(set) {
		text.WriteString("*" + sh.Name(sq))
	}
	return text.String()
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
