package diagram

import (
	"slices"

	"chimera/rules"
)

// Faces are the computer's characters as a table of pieces that look like them, each by its name.
func Faces() rules.Table {
	return rules.Table{{}, {Code: "G", Name: "greta", Glyph: "greta"}, {Code: "I", Name: "ignaz", Glyph: "ignaz"}, {Code: "M", Name: "melba", Glyph: "melba"}, {Code: "O", Name: "otto", Glyph: "otto"}}
}

// FaceOf is a character as a piece of a side; the empty piece if there is none of that name.
func FaceOf(name string, side rules.Color) rules.Piece {
	role := slices.IndexFunc(Faces(), func(info rules.RoleInfo) bool { return info.Name == name })
	return rules.PieceOf(side, rules.Role(max(role, 0)))
}
