package knightmare

import (
	"slices"

	"chimera/rules"
	"chimera/rules/phrase"
)

// How says what the piece on sq may do now, where orthodox chess does not say it.
func (s *State) How(sq rules.Square, _ phrase.Phrase) []phrase.Phrase {
	switch {
	case s.shared.Has(sq):
		return s.howShared(sq)
	case s.regulars().Has(sq):
		return s.howRegular(sq)
	}
	return nil
}

func (s *State) howShared(sq rules.Square) []phrase.Phrase {
	piece := s.Setup().Board[sq]
	how := "how.knightmare"
	if piece.White == piece.Black {
		how = "how.alike"
	}
	all := []phrase.Phrase{book.Say(how, "square", at(sq), "white", nounOf(piece.White), "black", nounOf(piece.Black))}
	movable := func(m rules.Move) bool { return m.From == sq }
	switch {
	case sq == s.frozen:
		return append(all, book.Say("how.frozen", "side", s.Turn))
	case slices.ContainsFunc(s.Moves(nil), movable):
		return append(all, book.Say("how.free", "side", s.Turn))
	}
	return append(all, book.Say("how.stuck", "side", s.Turn))
}

func (s *State) howRegular(sq rules.Square) []phrase.Phrase {
	all := []phrase.Phrase{book.Say("how.regular", "piece", s.noun(sq), "square", at(sq))}
	if !s.Sides[s.Turn&1].Has(sq) {
		return all
	}
	d := s.Danger()
	for to := range s.Slides(sq, sq, s.Occupied()).Squares() {
		if s.keepsCheck(&d, sq, to) {
			all = append(all, book.Say("how.keeps-check", "piece", s.noun(sq), "other", s.noun(to), "square", at(to)))
		}
	}
	return all
}
