package knightmare

import (
	"slices"

	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/phrase"
)

// The reasons of this game.
const (
	Frozen     rules.Reason = "frozen"      // the knightmare was formed or moved in the last ply
	KeepsCheck rules.Reason = "keeps check" // joining the piece that checks or pins does not end its check
	OwnCheck   rules.Reason = "own check"   // the knightmare's enemy part would give check to the mover
)

func at(sq rules.Square) string { return fide.Shape().Name(sq) }

func nounOf(r rules.Role) phrase.Phrase { return fide.Pieces()[r].Noun }

// noun is what stands on sq.
func (s *State) noun(sq rules.Square) phrase.Phrase {
	if s.shared.Has(sq) {
		return book.Say("knightmare")
	}
	return nounOf(s.Role(sq))
}

// Refuse says why m is not legal.
func (s *State) Refuse(m rules.Move) *rules.Illegal {
	switch m.Act {
	case rules.Merge:
		return s.refuseMerge(m)
	case rules.Rally:
		return rules.NewIllegal(rules.CannotMerge, book.Say("refused.own-merge"))
	case rules.Split:
		return rules.NewIllegal(rules.CannotSplit, book.Say("refused.split"))
	default:
		return s.refuseStep(m)
	}
}

func (s *State) refuseStep(m rules.Move) *rules.Illegal {
	if s.shared.Has(m.From) {
		return s.refuseShared(m)
	}
	no := s.RefuseMove(m, s.noun)
	if no.Reason != rules.LeavesCheck {
		return no
	}
	return s.refuseBirth(m, no)
}

// refuseMerge is for the sign of a birth before a square that holds a piece, or the
// part of one, of the mover's own.
func (s *State) refuseMerge(m rules.Move) *rules.Illegal {
	step := rules.Move{From: m.From, To: m.To}
	switch {
	case s.Sides[s.Turn&1].Has(m.From) && s.Sides[s.Turn&1].Has(m.To):
		return rules.NewIllegal(rules.CannotMerge, book.Say("refused.own-target", "piece", s.noun(m.To), "square", at(m.To)))
	case s.shared.Has(m.To) && slices.Contains(s.Moves(nil), step):
		return rules.NewIllegal(rules.CannotMerge, book.Say("refused.merged-already", "square", at(m.To)))
	case slices.Contains(s.Moves(nil), step):
		return rules.NewIllegal(rules.CannotMerge, book.Say("refused.no-merge"))
	}
	return s.Refuse(step)
}

// refuseBirth explains births that the orthodox rules allow; no is what they say
// of others.
func (s *State) refuseBirth(m rules.Move, no *rules.Illegal) *rules.Illegal {
	d := s.Danger()
	onLine := !d.Pinned.Has(m.From) || fide.Through(d.King, m.From).Has(m.To)
	if !s.keepsCheck(&d, m.From, m.To) || !onLine || (d.Checkers&^m.To.Set()) != 0 {
		return no
	}
	return rules.NewIllegal(KeepsCheck, book.Say("refused.keeps-check", "piece", s.noun(m.To), "square", at(m.To), "king", at(d.King)))
}

// refuseShared is for moves of a knightmare.
func (s *State) refuseShared(m rules.Move) *rules.Illegal {
	mine := s.own.Regular(m.From)
	open := slides(mine, m.From, 0)
	switch {
	case m.Kills != 0:
		return rules.NewIllegal(rules.NotPossible, rules.Book().Say("refused.no-shooting"))
	case m.Act == rules.Step && m.Role != rules.NoRole:
		return rules.NewIllegal(rules.NoPromotion, rules.Book().Say("refused.only-pawns", "piece", s.noun(m.From), "square", at(m.From)))
	case m.From == m.To:
		return rules.NewIllegal(rules.CannotReach, rules.Book().Say("refused.already-there", "piece", s.noun(m.From), "square", at(m.To)))
	case m.Act != rules.Step || m.Role != rules.NoRole || m.Kills != 0 || m.With != 0:
		return rules.NewIllegal(rules.NotPossible, rules.Book().Say("refused.cannot-do", "piece", s.noun(m.From), "square", at(m.From)))
	case !open.Has(m.To):
		return rules.NewIllegal(rules.CannotReach, book.Say("refused.cannot-reach", "from", at(m.From), "part", nounOf(mine), "to", at(m.To)))
	case s.frozen == m.From:
		return rules.NewIllegal(Frozen, book.Say("refused.frozen", "square", at(m.From)))
	case s.Sides[s.Turn&1].Has(m.To):
		return rules.NewIllegal(rules.OwnPiece, rules.Book().Say("refused.own-piece", "piece", s.noun(m.To), "square", at(m.To)))
	case !s.ownReach(m.From).Has(m.To):
		block := (fide.Between(m.From, m.To) & s.Occupied()).First()
		return rules.NewIllegal(rules.BlockedWay, rules.Book().Say("refused.blocked", "from", at(m.From), "to", at(m.To), "piece", s.noun(block), "square", at(block)))
	}
	return s.refuseSharedCheck(m)
}

// refuseSharedCheck is for moves of a knightmare that are right but for the
// safety of the mover's king.
func (s *State) refuseSharedCheck(m rules.Move) *rules.Illegal {
	king := s.KingOf(s.Turn)
	if s.enemyReach(king, m.From).Has(m.To) {
		return rules.NewIllegal(OwnCheck, book.Say("refused.own-check", "square", at(m.To), "part", nounOf(s.Role(m.From)), "king", at(king)))
	}
	lifted := s.Occupied()&^m.From.Set() | m.To.Set()
	checkers := s.Attackers(king, s.Turn, lifted) & s.Sides[s.Turn&1^1] &^ (m.From.Set() | m.To.Set())
	checker := checkers.First()
	return rules.NewIllegal(rules.LeavesCheck, rules.Book().Say("refused.leaves-check", "piece", s.noun(checker), "from", at(checker)))
}
