package combine

import (
	"cmp"
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

// Refuse says why a move is not legal.
func (s *State) Refuse(r *rules.Refuser) *rules.Illegal {
	switch r.Act {
	case rules.Merge:
		return s.refuseMerge(r)
	case rules.Rally:
		return s.refuseRally(r)
	case rules.Split:
		return s.refuseSplit(r)
	default:
	}
	if slices.Contains(s.Moves(nil), rules.Move{Act: rules.Merge, From: r.From, To: r.To}) {
		return r.No(rules.OwnPiece, "refused.own-partner")
	}
	return s.State.Refuse(r)
}

// refusePair says why the pieces on a and b may not merge anywhere; nil if they may.
func (s *State) refusePair(r *rules.Refuser, a, b rules.Square) *rules.Illegal {
	for _, sq := range [...]rules.Square{a, b} {
		if no := r.First(
			rules.If(!s.Occupied().Has(sq), rules.NoSuchPiece, "refused.no-piece", "square", r.At(sq)),
			rules.If(!s.Sides[s.Turn&1].Has(sq), rules.NotYours, "refused.not-yours-to-merge", r.On(sq)...),
		); no != nil {
			return no
		}
	}
	reach := s.Slides(a, a, s.Occupied()).Has(b) || s.Slides(b, b, s.Occupied()).Has(a)
	return r.Between(a, b).First(
		rules.If(a == b, rules.CannotMerge, "refused.itself"),
		rules.If(!s.partners(a).Has(b), rules.CannotMerge, "refused.not-partners"),
		rules.If(!reach, OutOfRange, "refused.out-of-range"),
	)
}

func (s *State) refuseMerge(r *rules.Refuser) *rules.Illegal {
	checkers := s.Checkers()
	checked := rules.If(checkers != 0, MergeInCheck, "refused.merge-in-check", r.On(checkers.First())...)
	return cmp.Or(s.refusePair(r, r.From, r.To), r.First(checked), s.exposed(r, s.Occupied()&^r.From.Set(), 0))
}

// exposed is for a move that leaves the king in check: occupied is the board after it, and taken the captured pieces.
func (s *State) exposed(r *rules.Refuser, occupied, taken rules.Set) *rules.Illegal {
	checkers := s.Attackers(s.KingOf(s.Turn), s.Turn, occupied) & s.Sides[s.Turn&1^1] &^ taken
	if checkers == 0 {
		return r.CannotDo()
	}
	return r.No(rules.LeavesCheck, "refused.leaves-check", r.On(checkers.First())...)
}

func (s *State) refuseRally(r *rules.Refuser) *rules.Illegal {
	if !s.free {
		return r.No(StrictGame, "refused.only-two-squares")
	}
	if no := s.refusePair(r, r.From, r.With); no != nil {
		return no
	}
	for _, sq := range [...]rules.Square{r.From, r.With} {
		if !s.Slides(sq, sq, s.Occupied()).Has(r.To) || s.Sides[s.Turn&1].Has(r.To) {
			return r.Between(sq, r.To).No(NoMeeting, "refused.no-meeting")
		}
	}
	king := rules.If(s.Kings.Has(r.To), rules.TakesTheKing, "refused.king")
	return cmp.Or(r.First(king), s.exposed(r, s.Occupied()&^r.From.Set()&^r.With.Set()|r.To.Set(), r.To.Set()))
}

func (s *State) refuseSplit(r *rules.Refuser) *rules.Illegal {
	d, both := s.Danger(), table[s.Role(r.From)].Parts
	example := ""
	if both != nil {
		example = r.At(r.From) + "/" + table[both[0]].Code + r.At(r.To)
	}
	checkers := s.Attackers(d.King, s.Turn, s.Occupied()|r.To.Set()) & s.Sides[s.Turn&1^1]
	return r.First(
		rules.If(!s.Occupied().Has(r.From), rules.NoSuchPiece, "refused.no-piece"),
		rules.If(!s.Sides[s.Turn&1].Has(r.From), rules.NotYours, "refused.not-yours"),
		rules.If(!s.hybrids().Has(r.From), rules.CannotSplit, "refused.not-a-hybrid"),
		rules.If(!fide.KingSteps(r.From).Has(r.To), rules.CannotSplit, "refused.not-next-to"),
		rules.If(s.Occupied().Has(r.To), rules.CannotSplit, "refused.no-room"),
		rules.If(r.Role == rules.NoRole || r.Role > fide.King, rules.CannotSplit, "refused.which-part", "move", example),
		rules.If(!slices.Contains(both, r.Role), rules.CannotSplit, "refused.no-such-part", "part", table[r.Role].Noun),
		rules.If(d.Checkers != 0 && s.free, SplitInCheck, "refused.check-stays", r.On(checkers.First())...),
		rules.If(d.Checkers != 0, SplitInCheck, "refused.split-in-check", r.On(d.Checkers.First())...),
		rules.If(true, rules.NotPossible, "refused.cannot-do"),
	)
}
