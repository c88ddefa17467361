package combination

import (
	"chimera/rules"
	"chimera/rules/phrase"
)

// blast are the squares that an annihilation by m empties: "all pieces within either
// of the pieces' zones of influence are removed from the board, including the
// amplifier and isolator". Before the move none stand side by side, so the piece that
// moves is one of each pair. It is empty if m annihilates nothing.
func (s *State) blast(m rules.Move) rules.Set {
	met := s.counterparts(m.From) & around[m.To&63]
	if met == 0 {
		return 0
	}
	return near(met | m.To.Set())
}

// counterparts are the enemies beside which the piece on sq would annihilate: isolators
// for an amplifier, amplifiers for an isolator, nobody for others.
func (s *State) counterparts(sq rules.Square) rules.Set {
	switch foes := s.Sides[s.Owner(sq)^1]; {
	case s.Pieces[Amplifier].Has(sq):
		return s.Pieces[Isolator] & foes
	case s.Pieces[Isolator].Has(sq):
		return s.Pieces[Amplifier] & foes
	}
	return 0
}

// annihilate empties the squares of a set.
func (s *State) annihilate(set rules.Set) {
	s.Sides[0] &^= set
	s.Sides[1] &^= set
	for r := range s.Pieces {
		s.Pieces[r] &^= set
	}
	s.HalfMoves = 0
}

// Warning tells the side to move that its opponent, were it to move now, could
// annihilate its king, which is no check.
func (s *State) Warning() phrase.Phrase {
	if !s.bothKings() {
		return phrase.Phrase{}
	}
	us, them := s.Turn&1, s.Turn&1^1
	powers := s.powers(them)
	for pieces := (s.Pieces[Amplifier] | s.Pieces[Isolator]) & s.Sides[them]; pieces != 0; pieces = pieces.Rest() {
		from := pieces.First()
		targets := powers.reach(from, s.Occupied()) &^ s.Sides[them] &^ s.Pieces[King]
		for ; targets != 0; targets = targets.Rest() {
			blast := s.blast(rules.Move{From: from, To: targets.First()})
			if blast.Has(s.king(us)) && !blast.Has(s.king(them)) {
				return book.Say("warning.annihilation")
			}
		}
	}
	return phrase.Phrase{}
}
