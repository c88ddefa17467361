package combine

import (
	"slices"

	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/phrase"
)

// The reasons of this game.
const (
	MergeInCheck rules.Reason = "merge in check" // no merge on one of the two squares while in check
	SplitInCheck rules.Reason = "split in check" // no split while in check, or none that does not end it
	OutOfRange   rules.Reason = "out of range"   // neither of the two reaches the other
	NoMeeting    rules.Reason = "no meeting"     // the two cannot both move to the square
	StrictGame   rules.Reason = "strict game"    // merging on a third square is for the free game
)

// Refuse says why m is not legal.
func (s *State) Refuse(m rules.Move) *rules.Illegal {
	switch m.Act {
	case rules.Merge:
		return s.refuseMerge(m.From, m.To)
	case rules.Rally:
		return s.refuseRally(m)
	case rules.Split:
		return s.refuseSplit(m)
	default:
	}
	if slices.Contains(s.Moves(nil), rules.Move{Act: rules.Merge, From: m.From, To: m.To}) {
		return rules.NewIllegal(rules.OwnPiece, book.Say("refused.own-piece", "piece", s.noun(m.To), "square", at(m.To)))
	}
	return s.RefuseMove(m, s.noun)
}

func (s *State) noun(sq rules.Square) phrase.Phrase { return pieces()[s.Role(sq)].Noun }

func at(sq rules.Square) string { return fide.Shape().Name(sq) }

// refusePair says why the pieces on a and b may not merge anywhere; nil if they may.
func (s *State) refusePair(a, b rules.Square) *rules.Illegal {
	own := s.Sides[s.Turn&1]
	for _, sq := range [...]rules.Square{a, b} {
		switch {
		case !s.Occupied().Has(sq):
			return rules.NewIllegal(rules.NoSuchPiece, rules.Book().Say("refused.no-piece", "square", at(sq)))
		case !own.Has(sq):
			return rules.NewIllegal(rules.NotYours, book.Say("refused.not-yours", "piece", s.noun(sq), "square", at(sq)))
		}
	}
	switch {
	case a == b:
		return rules.NewIllegal(rules.CannotMerge, book.Say("refused.itself", "piece", s.noun(a), "square", at(a)))
	case !s.partners(a).Has(b):
		return rules.NewIllegal(rules.CannotMerge, book.Say("refused.not-partners", "piece", s.noun(a), "from", at(a), "other", s.noun(b), "to", at(b)))
	case !s.Slides(a, s.Occupied()).Has(b) && !s.Slides(b, s.Occupied()).Has(a):
		return rules.NewIllegal(OutOfRange, book.Say("refused.out-of-range", "piece", s.noun(a), "from", at(a), "other", s.noun(b), "to", at(b)))
	}
	return nil
}

func (s *State) refuseMerge(from, to rules.Square) *rules.Illegal {
	if no := s.refusePair(from, to); no != nil {
		return no
	}
	d := s.Danger()
	if d.Checkers != 0 {
		checker := d.Checkers.First()
		return rules.NewIllegal(MergeInCheck, book.Say("refused.merge-in-check", "piece", s.noun(checker), "square", at(checker)))
	}
	return s.exposed(s.Occupied()&^from.Set(), 0)
}

// exposed is for a move after which the board is occupied as given, the taken pieces being
// gone, and the king in check.
func (s *State) exposed(occupied, taken rules.Set) *rules.Illegal {
	king := s.KingOf(s.Turn)
	checker := (s.Attackers(king, s.Turn, occupied) & s.Sides[s.Turn&1^1] &^ taken).First()
	return rules.NewIllegal(rules.LeavesCheck, rules.Book().Say("refused.leaves-check", "piece", s.noun(checker), "from", at(checker)))
}

func (s *State) refuseRally(m rules.Move) *rules.Illegal {
	if !s.free {
		return rules.NewIllegal(StrictGame, book.Say("refused.only-two-squares"))
	}
	if no := s.refusePair(m.From, m.With); no != nil {
		return no
	}
	for _, sq := range [...]rules.Square{m.From, m.With} {
		if !s.Slides(sq, s.Occupied()).Has(m.To) || s.Sides[s.Turn&1].Has(m.To) {
			return rules.NewIllegal(NoMeeting, book.Say("refused.no-meeting", "piece", s.noun(sq), "from", at(sq), "to", at(m.To)))
		}
	}
	if s.Kings.Has(m.To) {
		return rules.NewIllegal(rules.TakesTheKing, book.Say("refused.king"))
	}
	return s.exposed(s.Occupied()&^m.From.Set()&^m.With.Set()|m.To.Set(), m.To.Set())
}

func (s *State) refuseSplit(m rules.Move) *rules.Illegal {
	d, both := s.Danger(), parts(s.Role(m.From))
	switch {
	case !s.Occupied().Has(m.From):
		return rules.NewIllegal(rules.NoSuchPiece, rules.Book().Say("refused.no-piece", "square", at(m.From)))
	case !s.Sides[s.Turn&1].Has(m.From):
		return rules.NewIllegal(rules.NotYours, rules.Book().Say("refused.not-yours", "piece", s.noun(m.From), "square", at(m.From)))
	case !s.hybrids().Has(m.From):
		return rules.NewIllegal(rules.CannotSplit, book.Say("refused.not-a-hybrid", "piece", s.noun(m.From), "square", at(m.From)))
	case !fide.KingSteps(m.From).Has(m.To):
		return rules.NewIllegal(rules.CannotSplit, book.Say("refused.not-next-to", "to", at(m.To), "from", at(m.From)))
	case s.Occupied().Has(m.To):
		return rules.NewIllegal(rules.CannotSplit, book.Say("refused.no-room", "piece", s.noun(m.To), "square", at(m.To)))
	case m.Role == rules.NoRole, m.Role > fide.King:
		return rules.NewIllegal(rules.CannotSplit, book.Say("refused.which-part", "piece", s.noun(m.From), "move", at(m.From)+"/"+pieces()[both[0]].Code+at(m.To)))
	case !slices.Contains(both[:], m.Role):
		return rules.NewIllegal(rules.CannotSplit, book.Say("refused.no-such-part", "piece", s.noun(m.From), "part", pieces()[m.Role].Noun))
	case d.Checkers != 0 && s.free:
		checkers := s.Attackers(d.King, s.Turn, s.Occupied()|m.To.Set()) & s.Sides[s.Turn&1^1]
		return rules.NewIllegal(SplitInCheck, book.Say("refused.check-stays", "piece", s.noun(checkers.First()), "square", at(checkers.First())))
	case d.Checkers != 0:
		checker := d.Checkers.First()
		return rules.NewIllegal(SplitInCheck, book.Say("refused.split-in-check", "piece", s.noun(checker), "square", at(checker)))
	}
	return rules.NewIllegal(rules.NotPossible, rules.Book().Say("refused.cannot-do", "piece", s.noun(m.From), "square", at(m.From)))
}
