package brigade

import (
	"fmt"

	"chimera/rules"
	"chimera/rules/fide"
)

// How says what the man on sq may do now, and why.
func (s *State) How(sq rules.Square) string {
	c := s.owner(sq)
	foes := s.sides[c&1^1] &^ s.men[fide.King]
	text := s.title(sq)
	switch s.Role(sq) {
	case rules.NoRole:
		return ""
	case fide.Pawn:
		text += " is infantry: one step in any direction, also to kill."
		if fide.Forward(c, fide.HomeRank(c)).Has(sq) {
			text += " From here it may also go two squares straight ahead."
		}
	case fide.Knight:
		text += " is armor: exactly three orthogonal steps, turning at will, and every enemy that it enters dies. Its own men stop it; the enemy king can be entered on the third step only."
	case fide.Bishop:
		text += " is light artillery: it moves to empty squares, fires at distance 1 or 2 over anything, or both in either order. " + fire(light[sq]&foes)
	case fide.Rook:
		text += " is heavy artillery: it moves to empty squares, or fires at distance 3 or 4 over anything. " + fire(heavy[sq]&foes)
	case fide.Queen:
		r := s.flight(c)
		text += " is aviation: it flies to any empty square if it likes, then may take a pawn's step, a knight's three steps, a bishop's move or a bishop's shot. "
		if forbidden := r.covered &^ s.sides[c&1]; forbidden == 0 {
			text += "No enemy artillery limits it now."
		} else {
			text += "Enemy artillery keeps it off " + names(forbidden) + "."
		}
	case fide.King:
		text += " goes as in chess. It is never shot and never passed through."
		if guns := s.guns(sq, c, 0); guns != 0 {
			text += fmt.Sprintf(" Artillery of its own on %s covers its square, so a queen must destroy that on its way to take the king.", names(guns))
		}
	}
	return text
}

func fire(targets rules.Set) string {
	if targets == 0 {
		return "From here it has nothing to fire at."
	}
	return "From here it can fire at " + names(targets) + "."
}
