package fide

import (
	"chimera/rules"
	"chimera/rules/phrase"
)

// Refuse says why m is not legal in orthodox chess.
func (s *State) Refuse(m rules.Move) *rules.Illegal {
	return s.RefuseMove(m, func(sq rules.Square) phrase.Phrase { return Pieces()[s.Role(sq)].Noun })
}

// RefuseMove is Refuse for a game whose pieces have other names; noun is what stands on a square.
func (s *State) RefuseMove(m rules.Move, noun func(rules.Square) phrase.Phrase) *rules.Illegal {
	us := s.Turn & 1
	from, to := board.Name(m.From), board.Name(m.To)
	switch {
	case m.Act != rules.Step && m.Act != rules.Castle:
		return rules.NewIllegal(rules.NotPossible, rules.Book().Say("refused.no-merging"))
	case s.Occupied()&m.From.Set() == 0:
		return rules.NewIllegal(rules.NoSuchPiece, rules.Book().Say("refused.no-piece", "square", from))
	case s.Sides[us^1].Has(m.From):
		return rules.NewIllegal(rules.NotYours, rules.Book().Say("refused.not-yours", "piece", noun(m.From), "square", from))
	case m.Act == rules.Castle && m.From != HomeKing(us):
		return rules.NewIllegal(rules.CannotCastle, rules.Book().Say("castling.from", "square", from))
	case m.Kills != 0:
		return rules.NewIllegal(rules.NotPossible, rules.Book().Say("refused.no-shooting"))
	case m.From == m.To:
		return rules.NewIllegal(rules.CannotReach, rules.Book().Say("refused.already-there", "piece", noun(m.From), "square", to))
	}
	if s.Kings.Has(m.From) && m.From == HomeKing(us) && (m.To == m.From+2 || m.To == m.From-2) {
		return s.refuseCastling(m)
	}
	if s.Sides[us].Has(m.To) {
		return rules.NewIllegal(rules.OwnPiece, rules.Book().Say("refused.own-piece", "piece", noun(m.To), "square", to))
	}
	if s.Pawns.Has(m.From) {
		if no := s.refusePawn(m, noun); no != nil {
			return no
		}
	} else if no := s.refusePiece(m, noun); no != nil {
		return no
	}
	return s.refuseCheck(m, noun)
}

// HomeKing is the square from which c's king may castle.
func HomeKing(c rules.Color) rules.Square {
	if c == rules.White {
		return e1
	}
	return e8
}

func (s *State) refuseCastling(m rules.Move) *rules.Illegal {
	rook, _ := CastlingRook(m.To)
	fault := "lost"
	if s.Castling.Has(rook) {
		fault = s.castlingFault(rook)
	}
	if fault == "" {
		fault = "king-alone"
	}
	return rules.NewIllegal(rules.CannotCastle, rules.Book().Say("castling."+fault))
}

func (s *State) refusePiece(m rules.Move, noun func(rules.Square) phrase.Phrase) *rules.Illegal {
	open := s.Slides(m.From, 0)
	reach := s.Slides(m.From, s.Occupied())
	if s.Kings.Has(m.From) {
		open, reach = KingSteps(m.From), KingSteps(m.From)
	}
	switch {
	case !open.Has(m.To):
		return rules.NewIllegal(rules.CannotReach, rules.Book().Say("refused.cannot-reach", "piece", noun(m.From), "from", board.Name(m.From), "to", board.Name(m.To)))
	case !reach.Has(m.To):
		return s.refuseWay(m, Between(m.From, m.To), noun)
	}
	return nil
}

func (s *State) refuseWay(m rules.Move, way rules.Set, noun func(rules.Square) phrase.Phrase) *rules.Illegal {
	at := (way & s.Occupied()).First()
	return rules.NewIllegal(rules.BlockedWay, rules.Book().Say("refused.blocked",
		"from", board.Name(m.From), "to", board.Name(m.To), "piece", noun(at), "square", board.Name(at)))
}

func (s *State) refusePawn(m rules.Move, noun func(rules.Square) phrase.Phrase) *rules.Illegal {
	us := s.Turn & 1
	from, to := m.From.Set(), m.To.Set()
	steps := Forward(us, from)
	if Forward(us, HomeRank(us))&from != 0 {
		steps |= Forward(us, steps)
	}
	switch {
	case PawnCaptures(us, m.From)&to != 0:
		if s.Sides[us^1]&to == 0 && m.To != s.EnPassant {
			return rules.NewIllegal(rules.NothingToTake, rules.Book().Say("refused.nothing-to-take", "piece", noun(m.From), "from", board.Name(m.From), "to", board.Name(m.To)))
		}
	case steps&to == 0:
		return rules.NewIllegal(rules.CannotReach, rules.Book().Say("refused.cannot-reach", "piece", noun(m.From), "from", board.Name(m.From), "to", board.Name(m.To)))
	case s.PawnSteps(m.From)&to == 0:
		return s.refuseWay(m, Between(m.From, m.To)|to, noun)
	}
	last := to&HomeRank(us^1) != 0
	switch {
	case last && (m.Role < Knight || m.Role > Queen):
		return rules.NewIllegal(rules.NoPromotion, rules.Book().Say("refused.promotion", "square", board.Name(m.To)))
	case !last && m.Role != rules.NoRole:
		return rules.NewIllegal(rules.NoPromotion, rules.Book().Say("refused.no-promotion", "square", board.Name(m.To)))
	}
	return nil
}

// refuseCheck is for a move that is right but for the king's safety, or for what
// it promotes or kills.
func (s *State) refuseCheck(m rules.Move, noun func(rules.Square) phrase.Phrase) *rules.Illegal {
	if m.Act == rules.Step && m.Role != rules.NoRole && !s.Pawns.Has(m.From) {
		return rules.NewIllegal(rules.NoPromotion, rules.Book().Say("refused.only-pawns", "piece", noun(m.From), "square", board.Name(m.From)))
	}
	if m.Act != rules.Step || m.Kills != 0 || m.With != 0 {
		return rules.NewIllegal(rules.NotPossible, rules.Book().Say("refused.cannot-do", "piece", noun(m.From), "square", board.Name(m.From)))
	}
	king := s.KingOf(s.Turn)
	var next State
	s.Play(m, &next)
	attacker := (next.Attackers(next.KingOf(s.Turn), s.Turn, next.Occupied()) & next.Sides[s.Turn&1^1]).First()
	if m.From == king {
		return rules.NewIllegal(rules.LeavesCheck, rules.Book().Say("refused.checked-on", "square", board.Name(m.To), "piece", noun(attacker), "from", board.Name(attacker)))
	}
	return rules.NewIllegal(rules.LeavesCheck, rules.Book().Say("refused.leaves-check", "piece", noun(attacker), "from", board.Name(attacker)))
}
