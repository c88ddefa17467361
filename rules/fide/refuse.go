package fide

import (
	"cmp"

	"chimera/rules"
)

// Refuse says why a move is not legal in orthodox chess.
func (s *State) Refuse(r *rules.Refuser) *rules.Illegal {
	us := s.Turn & 1
	home := r.From == HomeKing(us)
	castles := home && s.Kings.Has(r.From) && (r.To == r.From+2 || r.To == r.From-2)
	refuse := s.refusePiece
	if s.Pawns.Has(r.From) {
		refuse = s.refusePawn
	}
	return cmp.Or(r.First(
		rules.If(r.Act != rules.Step && r.Act != rules.Castle, rules.NotPossible, "refused.no-merging"),
		rules.If(r.Act == rules.Castle && !home, rules.CannotCastle, "castling.from"),
		rules.If(r.Kills != 0, rules.NotPossible, "refused.no-shooting"),
		rules.If(r.From == r.To, rules.CannotReach, "refused.already-there"),
		rules.If(castles, rules.CannotCastle, "castling."+cmp.Or(s.CastlingFault(r.To, s.Attacked), "king-alone")),
		rules.If(s.Sides[us].Has(r.To), rules.OwnPiece, "refused.own-piece"),
	), refuse(r), s.refuseCheck(r))
}

// HomeKing is the square from which c's king may castle.
func HomeKing(c rules.Color) rules.Square { return 4 + 56*rules.Square(c&1) }

func (s *State) refusePiece(r *rules.Refuser) *rules.Illegal {
	open := s.Slides(r.From, r.From, 0)
	reach := s.Slides(r.From, r.From, s.Occupied())
	if s.Kings.Has(r.From) {
		open = KingSteps(r.From)
		reach = open
	}
	return r.First(
		rules.If(!open.Has(r.To), rules.CannotReach, "refused.cannot-reach"),
		rules.If(!reach.Has(r.To), rules.BlockedWay, "refused.blocked", r.On(r.Nearest(Between(r.From, r.To)&s.Occupied()))...),
	)
}

// RefusePawnStep says why the mover's pawn cannot make a move's step; nil if it can.
func (s *State) RefusePawnStep(r *rules.Refuser) *rules.Illegal {
	us := s.Turn & 1
	steps := Forward(us, r.From.Set())
	if Forward(us, HomeRank(us)).Has(r.From) {
		steps |= Forward(us, steps)
	}
	captures := PawnCaptures(us, r.From).Has(r.To)
	way := (Between(r.From, r.To) | r.To.Set()) & s.Occupied()
	return r.First(
		rules.If(captures && !s.Sides[us^1].Has(r.To) && r.To != s.EnPassant, rules.NothingToTake, "refused.nothing-to-take"),
		rules.If(!captures && !steps.Has(r.To), rules.CannotReach, "refused.cannot-reach"),
		rules.If(!captures && !s.PawnSteps(r.From).Has(r.To), rules.BlockedWay, "refused.blocked", r.On(r.Nearest(way))...),
	)
}

func (s *State) refusePawn(r *rules.Refuser) *rules.Illegal {
	last := HomeRank(s.Turn ^ 1).Has(r.To)
	return cmp.Or(s.RefusePawnStep(r), r.First(
		rules.If(last && (r.Role < Knight || r.Role > Queen), rules.NoPromotion, "refused.promotion"),
		rules.If(!last && r.Role != rules.NoRole, rules.NoPromotion, "refused.no-promotion"),
	))
}

// refuseCheck is for a move that is right except for the king's safety, its promotion or its kills.
func (s *State) refuseCheck(r *rules.Refuser) *rules.Illegal {
	var next State
	s.Play(r.Move, &next)
	king := next.KingOf(s.Turn)
	attacker := r.On((next.Attackers(king, s.Turn, next.Occupied()) & next.Sides[s.Turn&1^1]).First())
	moves := r.From == s.KingOf(s.Turn)
	return r.First(
		rules.If(r.Act == rules.Step && r.Role != rules.NoRole && !s.Pawns.Has(r.From), rules.NoPromotion, "refused.only-pawns"),
		rules.If(r.Act != rules.Step || r.With != 0, rules.NotPossible, "refused.cannot-do"),
		rules.If(moves, rules.LeavesCheck, "refused.checked-on", append(attacker, "king", r.At(r.To))...),
		rules.If(!moves, rules.LeavesCheck, "refused.leaves-check", attacker...),
	)
}
