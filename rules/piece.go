package rules

import (
	"slices"
	"strings"

	"chimera/rules/phrase"
)

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
	Alias phrase.Phrase // another noun by which they may call it: that of the piece in whose place it stands; may be zero
	Does  phrase.Phrase // what it does, in a sentence that has {piece} for it
	Also  phrase.Phrase // what else there is to know of it wherever it stands, in a sentence; may be zero
	Glyph string        // how it is drawn: the figure's name, such as "rook"; "" for a compound
	Parts []Role        // the simple roles that a compound is drawn from, the stronger first
	Worth int           // what players count a simple piece as, a pawn being 1; 0 of kings and compounds
	Set   bool          // one letter that FEN puts in brackets all the same, as it does several
	Pawn  bool          // goes without its letter in move text, and is named by its file when it captures
	Royal bool          // a king
}

// Table is a game's piece table, indexed by Role; row 0 (NoRole) is empty.
type Table []RoleInfo

// Grows reports whether pieces become stronger by what they capture: whether a compound can have one
// part several times.
func (t Table) Grows() bool {
	return slices.ContainsFunc(t, func(i RoleInfo) bool {
		parts := slices.Sorted(slices.Values(i.Parts))
		return len(slices.Compact(parts)) < len(i.Parts)
	})
}

// Role finds the role of a code in capital letters, NoRole if there is none.
func (t Table) Role(code string) Role {
	return Role(max(0, slices.IndexFunc(t, func(info RoleInfo) bool { return info.Code == code })))
}

// Simple are the roles that r is made of: r itself, or the parts of a compound, each
// as often as it is one of them.
func (t Table) Simple(r Role) []Role {
	if t[r].Parts == nil {
		return []Role{r}
	}
	return t[r].Parts
}

// Find is the role of a code, in letters of either case and any order, and in a game
// where a queen is both and has no RB beside it, with R and B for Q; NoRole if there is none.
func (t Table) Find(letters string) Role {
	letters = strings.ToUpper(letters)
	compound := slices.ContainsFunc(t, func(info RoleInfo) bool { return len(info.Code) > 1 })
	if role := t.Role(letters); role != NoRole || !compound {
		return role
	}
	formats := []func(string) string{sortLetters}
	if t.Role("RB") == NoRole {
		formats = append(formats, withoutQueens)
	}
	for _, format := range formats {
		if r := slices.IndexFunc(t, func(info RoleInfo) bool { return format(info.Code) == format(letters) }); r > 0 {
			return Role(r)
		}
	}
	return NoRole
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
func (c Color) String() string {
	if c == White {
		return "White"
	}
	return "Black"
}
