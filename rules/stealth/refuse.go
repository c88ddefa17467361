package stealth

import (
	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/phrase"
)

// The reasons of this game.
const (
	OnlyByCapture   rules.Reason = "only by capture"  // pieces join by capturing, not with friends
	OneLeap         rules.Reason = "one leap"         // a stealth line leaps one piece only
	NoRun           rules.Reason = "no run"           // only a bomber captures on its way
	CaptainCaptures rules.Reason = "captain captures" // a captain captures diagonally only
	CaptainStays    rules.Reason = "captain stays"    // a captain never promotes
	BecomesItsPrey  rules.Reason = "becomes its prey" // a pawn that captures is not promoted
)

func at(sq rules.Square) string { return fide.Shape().Name(sq) }

func (s *State) noun(sq rules.Square) phrase.Phrase { return roster.table[s.pieces[sq]].Noun }

// on is a piece with its square: "rook on a1".
func (s *State) on(sq rules.Square) phrase.Phrase {
	return rules.Book().Say("piece-on", "piece", s.noun(sq), "square", at(sq))
}

// list is "the rook on a1 and the pawn on a2", in the order in which m comes to
// them.
func (s *State) list(m rules.Move, set rules.Set) phrase.List {
	var all []phrase.Phrase
	for set != 0 {
		sq := nearest(m, set)
		set &^= sq.Set()
		all = append(all, s.on(sq))
	}
	return phrase.And(all)
}

// Refuse says why m is not legal.
func (s *State) Refuse(m rules.Move) *rules.Illegal {
	us := s.Turn & 1
	home := fide.HomeKing(us)
	castles := m.From == home && (m.To == m.From+2 || m.To == m.From-2)
	switch {
	case !s.Occupied().Has(m.From):
		return rules.NewIllegal(rules.NoSuchPiece, rules.Book().Say("refused.no-piece", "square", at(m.From)))
	case !s.Sides[us].Has(m.From):
		return rules.NewIllegal(rules.NotYours, rules.Book().Say("refused.not-yours", "piece", s.noun(m.From), "square", at(m.From)))
	case m.Act == rules.Merge, m.Act == rules.Rally, m.Act == rules.Split:
		return rules.NewIllegal(OnlyByCapture, book.Say("refused.only-by-capture", "piece", s.noun(m.From), "square", at(m.From)))
	case m.Act == rules.Castle && m.From != home:
		return rules.NewIllegal(rules.CannotCastle, rules.Book().Say("castling.from", "square", at(m.From)))
	case m.From == m.To && m.Kills != 0:
		return s.refuseShot(m)
	case m.From == m.To:
		return rules.NewIllegal(rules.CannotReach, rules.Book().Say("refused.already-there", "piece", s.noun(m.From), "square", at(m.From)))
	case s.Kings.Has(m.From) && castles:
		return s.refuseCastling(m)
	case s.Sides[us].Has(m.To):
		return rules.NewIllegal(rules.OwnPiece, rules.Book().Say("refused.own-piece", "piece", s.noun(m.To), "square", at(m.To)))
	}
	var no *rules.Illegal
	switch s.pieces[m.From] {
	case fide.Pawn:
		no = s.refusePawn(m)
	case fide.King:
		if !fide.KingSteps(m.From).Has(m.To) {
			no = s.cannotReach(m)
		}
	case Captain:
		no = s.refuseCaptain(m)
	default:
		no = s.refusePiece(m)
	}
	if no == nil {
		no = s.refuseRest(m)
	}
	if no == nil {
		no = s.refuseCheck(m)
	}
	return no
}

func (s *State) cannotReach(m rules.Move) *rules.Illegal {
	return rules.NewIllegal(rules.CannotReach, rules.Book().Say("refused.cannot-reach", "piece", s.noun(m.From), "from", at(m.From), "to", at(m.To)))
}

func (s *State) refuseCastling(m rules.Move) *rules.Illegal {
	rook, _ := fide.CastlingRook(m.To)
	if !s.Castling.Has(rook) {
		return rules.NewIllegal(rules.CannotCastle, rules.Book().Say("castling.lost"))
	}
	if fault := s.castlingFault(rook); fault != "" {
		return rules.NewIllegal(rules.CannotCastle, rules.Book().Say("castling."+fault))
	}
	return rules.NewIllegal(rules.NotPossible, book.Say("refused.castling-form"))
}

// refusePawn is about a pawn's way and what it becomes.
func (s *State) refusePawn(m rules.Move) *rules.Illegal {
	us := s.Turn & 1
	to := m.To.Set()
	steps := fide.Forward(us, m.From.Set())
	if fide.Forward(us, fide.HomeRank(us)).Has(m.From) {
		steps |= fide.Forward(us, steps)
	}
	captures := fide.PawnCaptures(us, m.From).Has(m.To)
	switch {
	case captures && s.prey(m) == 0:
		return rules.NewIllegal(rules.NothingToTake, rules.Book().Say("refused.nothing-to-take", "piece", s.noun(m.From), "from", at(m.From), "to", at(m.To)))
	case !captures && steps&to == 0:
		return s.cannotReach(m)
	case !captures && s.PawnSteps(m.From)&to == 0:
		return s.refuseWay(m, (fide.Between(m.From, m.To)|to)&s.Occupied())
	case captures && m.Role != rules.NoRole:
		return rules.NewIllegal(BecomesItsPrey, book.Say("refused.becomes-its-prey", "square", at(m.To)))
	}
	want := s.promotion(m.To)
	switch {
	case captures, m.Role == want, m.Role == fide.Pawn && roster.table[want].Short == "P":
		return nil
	case want == rules.NoRole:
		return rules.NewIllegal(rules.NoPromotion, rules.Book().Say("refused.no-promotion", "square", at(m.To)))
	}
	return rules.NewIllegal(rules.NoPromotion, book.Say("refused.only-promotion", "square", at(m.To), "into", roster.table[want].Noun))
}

func (s *State) refuseWay(m rules.Move, way rules.Set) *rules.Illegal {
	in := nearest(m, way)
	return rules.NewIllegal(rules.BlockedWay, rules.Book().Say("refused.blocked", "from", at(m.From), "to", at(m.To), "piece", s.noun(in), "square", at(in)))
}

func (s *State) refuseCaptain(m rules.Move) *rules.Illegal {
	enemy := s.Sides[s.Turn&1^1].Has(m.To)
	switch {
	case wazirSteps[m.From].Has(m.To) && enemy:
		return rules.NewIllegal(CaptainCaptures, book.Say("refused.captain-captures", "from", at(m.From), "prey", s.noun(m.To), "to", at(m.To)))
	case ferzSteps[m.From].Has(m.To) && !enemy:
		return rules.NewIllegal(rules.NothingToTake, book.Say("refused.captain-moves", "square", at(m.To)))
	case !(wazirSteps[m.From] | ferzSteps[m.From]).Has(m.To):
		return s.cannotReach(m)
	case m.Role != rules.NoRole:
		return rules.NewIllegal(CaptainStays, book.Say("refused.captain-stays"))
	}
	return nil
}

// refusePiece is about the way of a piece, and what it captures on it.
func (s *State) refusePiece(m rules.Move) *rules.Illegal {
	way := fide.Between(m.From, m.To) & s.Occupied()
	prey := way &^ s.Sides[s.Turn&1]
	runs := s.bomberLines(m.From).Has(m.To)
	reach := s.reach(m.From).Has(m.To)
	switch {
	case m.Kills != 0 && !runs:
		return rules.NewIllegal(NoRun, book.Say("refused.no-run-to", "piece", s.noun(m.From), "from", at(m.From), "to", at(m.To)))
	case m.Kills != 0 && prey == 0:
		return rules.NewIllegal(rules.NothingToTake, book.Say("refused.nothing-between", "piece", s.noun(m.From), "from", at(m.From), "to", at(m.To)))
	case m.Kills != 0 && m.Kills != prey, !reach && runs && m.Kills != prey:
		return rules.NewIllegal(rules.MissingCapture, book.Say("refused.run",
			"from", at(m.From), "to", at(m.To), "prey", s.list(m, prey), "stars", fide.Shape().Starred(prey)))
	case reach, runs:
		return nil
	case s.stealthLines(m.From).Has(m.To):
		return rules.NewIllegal(OneLeap, book.Say("refused.one-leap", "piece", s.noun(m.From), "from", at(m.From), "others", s.list(m, way), "to", at(m.To)))
	case s.Slides(m.From, 0).Has(m.To):
		return s.refuseWay(m, way)
	}
	return s.cannotReach(m)
}

// stealthLines are the whole lines along which the piece on sq can leap.
func (s *State) stealthLines(sq rules.Square) rules.Set {
	var set rules.Set
	if s.extra[stealthRooks].Has(sq) {
		set = fide.RookSlides(sq, 0)
	}
	if s.extra[stealthBishops].Has(sq) {
		set |= fide.BishopSlides(sq, 0)
	}
	return set
}

// refuseShot is for captures without a square to end on.
func (s *State) refuseShot(m rules.Move) *rules.Illegal {
	if s.extra[bomberRooks].Has(m.From) || s.extra[bomberBishops].Has(m.From) {
		return rules.NewIllegal(NoRun, book.Say("refused.run-ends"))
	}
	return rules.NewIllegal(NoRun, book.Say("refused.no-shot", "piece", s.noun(m.From), "square", at(m.From)))
}

// refuseRest is for a way that is right with something about it that is not.
func (s *State) refuseRest(m rules.Move) *rules.Illegal {
	pawn, powered := s.Pawns.Has(m.From), roster.isPowered(s.pieces[m.From])
	switch {
	case m.Kills != 0 && !powered:
		return rules.NewIllegal(NoRun, book.Say("refused.no-run", "piece", s.noun(m.From), "square", at(m.From)))
	case m.Role != rules.NoRole && !pawn:
		return rules.NewIllegal(rules.NoPromotion, rules.Book().Say("refused.only-pawns", "piece", s.noun(m.From), "square", at(m.From)))
	case m.With != 0:
		return rules.NewIllegal(rules.NotPossible, rules.Book().Say("refused.cannot-do", "piece", s.noun(m.From), "square", at(m.From)))
	}
	return nil
}

// refuseCheck is for a move that is right but for the king's safety.
func (s *State) refuseCheck(m rules.Move) *rules.Illegal {
	us, king := s.Turn&1, s.KingOf(s.Turn)
	gone := m.From.Set() | s.prey(m)
	if m.From == king {
		king = m.To
	}
	occupied := s.Occupied()&^gone | m.To.Set()
	checkers := s.Attackers(king, us, occupied) & s.Sides[us^1] &^ gone
	if checkers == 0 {
		return rules.NewIllegal(rules.NotPossible, rules.Book().Say("refused.cannot-do", "piece", s.noun(m.From), "square", at(m.From)))
	}
	checker := checkers.First()
	over := s.stealthLines(checker).Has(king) && fide.Between(king, checker)&occupied != 0
	piece, from := s.noun(checker), at(checker)
	switch moves := m.From == s.KingOf(s.Turn); {
	case moves && over:
		return rules.NewIllegal(rules.LeavesCheck, book.Say("refused.checked-over", "square", at(king), "piece", piece, "from", from))
	case moves:
		return rules.NewIllegal(rules.LeavesCheck, rules.Book().Say("refused.checked-on", "square", at(king), "piece", piece, "from", from))
	case over:
		return rules.NewIllegal(rules.LeavesCheck, book.Say("refused.leaves-check-over", "piece", piece, "from", from))
	}
	return rules.NewIllegal(rules.LeavesCheck, rules.Book().Say("refused.leaves-check", "piece", piece, "from", from))
}
