package combine

import (
	"fmt"
	"slices"

	"chimera/rules"
	"chimera/rules/fide"
)

// The reasons of this game.
const (
	MergeInCheck rules.Reason = "merge in check" // no merge on one of the two squares while in check
	SplitInCheck rules.Reason = "split in check" // no split while in check, or none that does not end it
	OutOfRange   rules.Reason = "out of range"   // neither of the two reaches the other
	NoMeeting    rules.Reason = "no meeting"     // the two cannot both move to the square
	StrictGame   rules.Reason = "strict game"    // merging on a third square is for the free game
)

func refusal(reason rules.Reason, squares []rules.Square, format string, args ...any) *rules.Illegal {
	return &rules.Illegal{Reason: reason, Squares: squares, Sentence: fmt.Sprintf(format, args...)}
}

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
		return refusal(rules.OwnPiece, []rules.Square{m.To}, "Your own %s stands on %s, and a merge is written with ~.", s.name(m.To), at(m.To))
	}
	return s.RefuseStep(m, s.name)
}

func (s *State) name(sq rules.Square) string { return pieces()[s.Role(sq)].Name }

func at(sq rules.Square) string { return fide.Shape().Name(sq) }

// refusePair says why the pieces on a and b may not merge anywhere; nil if they may.
func (s *State) refusePair(a, b rules.Square) *rules.Illegal {
	own := s.Sides[s.Turn&1]
	for _, sq := range [...]rules.Square{a, b} {
		switch {
		case !s.Occupied().Has(sq):
			return refusal(rules.NoSuchPiece, []rules.Square{sq}, "There is no piece on %s.", at(sq))
		case !own.Has(sq):
			return refusal(rules.NotYours, []rules.Square{sq}, "The %s on %s is your opponent's: only your own pieces merge.", s.name(sq), at(sq))
		}
	}
	both := []rules.Square{a, b}
	switch {
	case a == b:
		return refusal(rules.CannotMerge, both, "The %s on %s can't merge with itself: name the square of another piece of yours.", s.name(a), at(a))
	case !s.partners(a).Has(b):
		return refusal(rules.CannotMerge, both, "The %s on %s and the %s on %s can't merge. Allowed pairs: R+B, R+N, B+N, Q+N (unmerged pieces only).", s.name(a), at(a), s.name(b), at(b))
	case !s.Slides(a, s.Occupied()).Has(b) && !s.Slides(b, s.Occupied()).Has(a):
		return refusal(OutOfRange, both, "The %s on %s and the %s on %s can't merge: neither can move to the other.", s.name(a), at(a), s.name(b), at(b))
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
		return refusal(MergeInCheck, []rules.Square{checker, d.King}, "You can't merge while in check from the %s on %s.", s.name(checker), at(checker))
	}
	return s.exposed(s.Occupied()&^from.Set(), 0)
}

// exposed is for a move after which the board is occupied as given, the taken pieces being
// gone, and the king in check.
func (s *State) exposed(occupied, taken rules.Set) *rules.Illegal {
	king := s.KingOf(s.Turn)
	checker := (s.Attackers(king, s.Turn, occupied) & s.Sides[s.Turn&1^1] &^ taken).First()
	return refusal(rules.LeavesCheck, []rules.Square{checker, king}, "That leaves your king in check from the %s on %s.", s.name(checker), at(checker))
}

func (s *State) refuseRally(m rules.Move) *rules.Illegal {
	if !s.free {
		return refusal(StrictGame, []rules.Square{m.To}, "In this game a merge ends on one of the two pieces' squares; merging on a third is for combine-free.")
	}
	if no := s.refusePair(m.From, m.With); no != nil {
		return no
	}
	for _, sq := range [...]rules.Square{m.From, m.With} {
		if !s.Slides(sq, s.Occupied()).Has(m.To) || s.Sides[s.Turn&1].Has(m.To) {
			return refusal(NoMeeting, []rules.Square{sq, m.To}, "The %s on %s can't move to %s now.", s.name(sq), at(sq), at(m.To))
		}
	}
	if s.Kings.Has(m.To) {
		return refusal(rules.TakesTheKing, []rules.Square{m.To}, "A king is not captured.")
	}
	return s.exposed(s.Occupied()&^m.From.Set()&^m.With.Set()|m.To.Set(), m.To.Set())
}

func (s *State) refuseSplit(m rules.Move) *rules.Illegal {
	from, to := []rules.Square{m.From}, []rules.Square{m.To}
	d, both := s.Danger(), parts(s.Role(m.From))
	switch {
	case !s.Occupied().Has(m.From):
		return refusal(rules.NoSuchPiece, from, "There is no piece on %s.", at(m.From))
	case !s.Sides[s.Turn&1].Has(m.From):
		return refusal(rules.NotYours, from, "The %s on %s is your opponent's.", s.name(m.From), at(m.From))
	case !s.hybrids().Has(m.From):
		return refusal(rules.CannotSplit, from, "The %s on %s isn't a hybrid, so it can't split.", s.name(m.From), at(m.From))
	case !fide.KingSteps(m.From).Has(m.To):
		return refusal(rules.CannotSplit, to, "A part steps to a neighbouring square only; %s isn't next to %s.", at(m.To), at(m.From))
	case s.Occupied().Has(m.To):
		return refusal(rules.CannotSplit, to, "A part needs an empty square; the %s stands on %s.", s.name(m.To), at(m.To))
	case m.Role == rules.NoRole, m.Role > fide.King:
		return refusal(rules.CannotSplit, from, "Say which part of the %s leaves, as in %s/%s%s.", s.name(m.From), at(m.From), pieces()[both[0]].Code, at(m.To))
	case !slices.Contains(both[:], m.Role):
		return refusal(rules.CannotSplit, from, "A %s has no %s in it.", s.name(m.From), pieces()[m.Role].Name)
	case d.Checkers != 0 && s.free:
		checkers := s.Attackers(d.King, s.Turn, s.Occupied()|m.To.Set()) & s.Sides[s.Turn&1^1]
		return refusal(SplitInCheck, to, "That split doesn't end the check from the %s on %s.", s.name(checkers.First()), at(checkers.First()))
	case d.Checkers != 0:
		checker := d.Checkers.First()
		return refusal(SplitInCheck, []rules.Square{checker, d.King}, "You can't split while in check from the %s on %s.", s.name(checker), at(checker))
	}
	return refusal(rules.NotPossible, from, "The %s on %s can't do that.", s.name(m.From), at(m.From))
}
