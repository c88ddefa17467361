package command

import (
	"strings"

	"chimera/rules"
)

// Piece is the piece of a code, of a figurine, or of a name in any language; the zero Piece if
// there is none.
func Piece(v *rules.Variant, piece string) rules.Piece {
	if role := v.Named(piece); role != rules.NoRole {
		return rules.PieceOf(rules.White, role)
	}
	for role, info := range v.Table {
		if rules.Role(role) != rules.NoRole && (strings.EqualFold(info.Name, piece) || info.Alias != "" && strings.EqualFold(info.Alias, piece)) {
			return rules.PieceOf(rules.White, rules.Role(role))
		}
	}
	return v.Called(v.Plain(piece))
}
