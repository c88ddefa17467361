package rules

import (
	"cmp"
	"iter"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"chimera/rules/phrase"
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

// Where is the subset of the squares that are as wanted.
func (s Set) Where(is func(Square) bool) (set Set) {
	for sq := range s.Squares() {
		if is(sq) {
			set |= sq.Set()
		}
	}
	return set
}

// Shape is the outline of a board: a bounding box of at most 64 squares, and which of them exist. Only it names
// squares.
type Shape struct {
	Files, Ranks int
	Squares      Set
}

// NewShape is the full board of that many files and ranks. It panics for more than 64 squares, or more files than
// letters.
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

// Offset is the square that many files to the right of sq and ranks above it, or NoSquare.
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

// form makes a pattern in which FILE, RANK and SQUARE stand for the names of any, even on larger boards.
func form(pattern string) *regexp.Regexp {
	return regexp.MustCompile(strings.NewReplacer(
		"FILE", "[a-wyz]", "RANK", "(?:[1-9][0-9]?)", "SQUARE", "(?:[A-Za-z][1-9][0-9]?)",
	).Replace(pattern))
}

// Names are the names of squares in the order of ByFile, separated by spaces.
func (sh *Shape) Names(set Set) string {
	return strings.Join(phrase.Each(sh.ByFile(set), sh.Name), " ")
}

// Starred are squares as move text writes those of kills: "*e5*f6".
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
	return slices.SortedFunc((set & sh.Squares).Squares(), func(a, b Square) int {
		return cmp.Or(sh.File(a)-sh.File(b), sh.Rank(a)-sh.Rank(b))
	})
}

// Role is what a piece can do: a row of its game's piece table. NoRole is none.
type Role uint8

// NoRole is the absence of a piece.
const NoRole Role = 0

// Piece is what stands on a square. An ordinary piece has the half of its owner
// only; a piece of both sides has two halves; the zero Piece is an empty square.
type Piece struct {
	White, Black Role
}

// PieceOf is the ordinary piece of one side.
func PieceOf(c Color, r Role) Piece {
	if c == White {
		return Piece{White: r}
	}
	return Piece{Black: r}
}

// Half is the role that p has for side c, NoRole if it has none.
func (p Piece) Half(c Color) Role {
	if c == White {
		return p.White
	}
	return p.Black
}

// Shared reports whether p belongs to both sides.
func (p Piece) Shared() bool { return p.White != NoRole && p.Black != NoRole }

// Board says what stands on each square of a Shape.
type Board [64]Piece

// RoleInfo is one row of a game's piece table.
type RoleInfo struct {
	Code  string        // capital letters of FEN and move text, such as "N" or "RN"
	Short string        // capital letter of a promotion to it, small in coordinate text; "" where Code is one letter
	Name  string        // its English name in lower case, as move text may have it: "knight"
	Noun  phrase.Phrase // what people call it
	Alias phrase.Phrase // another noun for it: that of the piece it replaces; may be zero
	Does  phrase.Phrase // what it does, in a sentence with {piece}
	Also  phrase.Phrase // what else is true of it everywhere, in a sentence; may be zero
	Glyph string        // how it is drawn: the figure's name, such as "rook"; "" for a compound
	Parts []Role        // the simple roles that a compound is drawn from, the stronger first
	Worth int           // the accepted value of a simple piece, a pawn being 1; 0 for kings and compounds
	Set   bool          // FEN puts its one letter in brackets, like several letters
	Pawn  bool          // goes without its letter in move text, and is named by its file when it captures
	Royal bool          // a king
}

// Table is a game's piece table, indexed by Role; row 0 (NoRole) is empty.
type Table []RoleInfo

// Grows reports whether captures make pieces stronger: then a compound can have a part several times.
func (t Table) Grows() bool {
	return slices.ContainsFunc(t, func(i RoleInfo) bool {
		return len(slices.Compact(slices.Sorted(slices.Values(i.Parts)))) < len(i.Parts)
	})
}

// Role finds the role of a code in capital letters, NoRole if there is none.
func (t Table) Role(code string) Role {
	return Role(max(0, slices.IndexFunc(t, func(info RoleInfo) bool { return info.Code == code })))
}

// Simple are the simple roles of r: r itself, or the parts of a compound, repeated if it has them several times.
func (t Table) Simple(r Role) []Role {
	if t[r].Parts == nil {
		return []Role{r}
	}
	return t[r].Parts
}

// Worth is what all parts of r are worth, in pawns.
func (t Table) Worth(r Role) (pawns int) {
	for _, part := range t.Simple(r) {
		pawns += t[part].Worth
	}
	return pawns
}

// Find is the role of a code, in letters of either case and any order; in a game whose queen is both rook and bishop,
// and that has no RB, R and B mean Q. It is NoRole if there is none.
func (t Table) Find(letters string) Role {
	letters = strings.ToUpper(letters)
	compound := slices.ContainsFunc(t, func(info RoleInfo) bool { return len(info.Code) > 1 })
	if role := t.Role(letters); role != NoRole || !compound {
		return role
	}
	format := sortLetters
	if t.Role("RB") == NoRole {
		format = withoutQueens
	}
	return Role(max(0, slices.IndexFunc(t, func(info RoleInfo) bool { return format(info.Code) == format(letters) })))
}

func sortLetters(letters string) string {
	sorted := []byte(letters)
	slices.Sort(sorted)
	return string(sorted)
}

// withoutQueens writes R and B for each Q.
func withoutQueens(letters string) string { return sortLetters(strings.ReplaceAll(letters, "Q", "RB")) }

// Code is what move text calls p: the letters of a piece, or of both halves of a
// shared piece, in the order Q R B N, then the rest.
func (t Table) Code(p Piece) string {
	if !p.Shared() {
		return t[p.White|p.Black].Code
	}
	letters := []byte(t[p.White].Code + t[p.Black].Code)
	slices.SortStableFunc(letters, func(a, b byte) int { return letterOrder(a) - letterOrder(b) })
	return string(letters)
}

func letterOrder(letter byte) int {
	const order = "QRBN"
	if i := strings.IndexByte(order, letter); i >= 0 {
		return i
	}
	return len(order)
}

// Color is a side. White moves first and up the board.
type Color uint8

// The two sides.
const (
	White Color = iota
	Black
)

// Other is the opponent of c.
func (c Color) Other() Color { return c ^ 1 }

// String is "White" or "Black".
func (c Color) String() string { return [...]string{"White", "Black"}[c] }
