package combination

import (
	"chimera/rules"
	"chimera/rules/phrase"
)

func (s *State) noun(sq rules.Square) phrase.Phrase { return table[s.Role(sq)].Noun }

// on is a piece with its square: "knight on b2".
func (s *State) on(sq rules.Square) phrase.Phrase {
	return rules.Book().Say("piece-on", "piece", s.noun(sq), "square", at(sq))
}

// all lists pieces: "the knight on b2, the rook on c2 and the king on d1".
func (s *State) all(set rules.Set) phrase.List {
	var all []phrase.Phrase
	for _, sq := range board.ByFile(set) {
		all = append(all, s.on(sq))
	}
	return phrase.And(all)
}

// How says what the piece on sq may do now and from whom it has it, and to whom it
// lends its own move. The first sentence about that says "now".
func (s *State) How(sq rules.Square, does phrase.Phrase) []phrase.Phrase {
	role, noun := s.Role(sq), s.noun(sq)
	sentences := []phrase.Phrase{does}
	lenders, silenced := s.lenders(sq)
	if lenders != 0 {
		sentences = append(sentences, book.Say("how.borrows", "piece", noun, "loans", s.loans(lenders)))
	}
	if role == King && lenders&(s.Pieces[Bishop]|s.Pieces[Rook]) != 0 {
		sentences = append(sentences, book.Say("how.king-on-a-line"))
	}
	for from := range silenced.Squares() {
		sentences = append(sentences, book.Say("how.isolated-lender", "piece", noun, "lender", s.on(from), "isolators", s.all(s.isolators(from))))
	}
	if role != Pawn && role != King {
		sentences = append(sentences, s.howLends(sq).With("now", lenders == 0))
	}
	return sentences
}

// loans are the pieces as which another can move: "a knight (lent by the knight on b2 and the
// knight on d2) or a bishop (lent by the bishop on c2)".
func (s *State) loans(lenders rules.Set) phrase.List {
	var all []phrase.Phrase
	for r := Knight; r <= Isolator; r++ {
		if set := lenders & s.Pieces[r]; set != 0 {
			all = append(all, book.Say("loan", "piece", table[r].Noun, "lenders", s.all(set)))
		}
	}
	return phrase.Or(all)
}

// howLends is about the zone of a piece that may have one.
func (s *State) howLends(sq rules.Square) phrase.Phrase {
	noun, friends, amplifiers := s.noun(sq), s.zone(sq)&s.Sides[s.Owner(sq)], s.amplifiers(sq)
	isolators := s.isolators(sq)
	switch {
	case isolators != 0:
		return book.Say("how.isolated", "piece", noun, "isolators", s.all(isolators))
	case amplifiers == 0 && friends == 0:
		return book.Say("how.lends-to-nobody", "piece", noun)
	case amplifiers == 0:
		return book.Say("how.lends", "piece", noun, "friends", s.all(friends))
	case friends == 0:
		return book.Say("how.amplified-to-nobody", "piece", noun, "amplifiers", s.all(amplifiers))
	}
	return book.Say("how.amplified", "piece", noun, "amplifiers", s.all(amplifiers), "friends", s.all(friends))
}
