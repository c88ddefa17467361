package brigade

import (
	"fmt"

	"chimera/rules"
	"chimera/rules/fide"
)

// How says what the piece on sq may do now, and why.
func (s *State) How(sq rules.Square) string {
	c := s.owner(sq)
	foes := s.sides[c&1^1] &^ s.pieces[fide.King]
	role := s.Role(sq)
	if role == rules.NoRole {
		return ""
	}
	text := s.title(sq) + " " + table[role].Does + "."
	switch role {
	case fide.Bishop:
		text += fire(light[sq] & foes)
	case fide.Rook:
		text += fire(heavy[sq] & foes)
	case fide.Queen:
		r := s.flight(c)
		if forbidden := r.covered &^ s.sides[c&1]; forbidden == 0 {
			text += " No enemy artillery limits it now."
		} else {
			text += " Enemy artillery keeps it off " + names(forbidden) + "."
		}
	case fide.King:
		if guns := s.guns(sq, c, 0); guns != 0 {
			text += fmt.Sprintf(" Artillery of its own on %s covers its square, so a queen must destroy that on its way to take the king.", names(guns))
		}
	default:
	}
	return text
}

func fire(targets rules.Set) string {
	if targets == 0 {
		return " From here it has nothing to fire at."
	}
	return " From here it can fire at " + names(targets) + "."
}
