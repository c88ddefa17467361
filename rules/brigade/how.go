package brigade

import (
	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/phrase"
)

// How says what the piece on sq may do now, and why.
func (s *State) How(sq rules.Square, does phrase.Phrase) []phrase.Phrase {
	c := s.Owner(sq)
	foes := s.Sides[c&1^1] &^ s.Pieces[fide.King]
	all := []phrase.Phrase{does}
	switch s.Role(sq) {
	case fide.Bishop:
		all = append(all, fire(light[sq]&foes))
	case fide.Rook:
		all = append(all, fire(heavy[sq]&foes))
	case fide.Queen:
		r := s.flight(c)
		if forbidden := r.covered &^ s.Sides[c&1]; forbidden == 0 {
			all = append(all, book.Say("how.free-flight"))
		} else {
			all = append(all, book.Say("how.under-fire", "squares", names(forbidden), "n", forbidden.Len(), "many", forbidden.Len() > 8))
		}
	case fide.King:
		if guns := s.guns(sq, c, 0); guns != 0 {
			all = append(all, book.Say("how.guarded-king", "squares", names(guns)))
		}
	default:
	}
	return all
}

func fire(targets rules.Set) phrase.Phrase {
	if targets == 0 {
		return book.Say("how.no-target")
	}
	return book.Say("how.targets", "squares", names(targets))
}
