package fide

import (
	"fmt"

	"chimera/rules"
)

// Refuse says why m is not legal in orthodox chess.
func (s *State) Refuse(m rules.Move) *rules.Illegal {
	name := func(sq rules.Square) string { return Pieces()[s.Role(sq)].Name }
	if m.Act != rules.Step && m.Act != rules.Castle {
		return refusal(rules.NotPossible, "Pieces neither merge nor split in this game.", m.From, m.To)
	}
	return s.RefuseStep(m, name)
}

func refusal(reason rules.Reason, sentence string, squares ...rules.Square) *rules.Illegal {
	return &rules.Illegal{Reason: reason, Squares: squares, Sentence: sentence}
}

// RefuseStep says why the Step or Castle m is not legal; name tells what stands
// on a square.
func (s *State) RefuseStep(m rules.Move, name func(rules.Square) string) *rules.Illegal {
	us := s.Turn & 1
	from, to := board.Name(m.From), board.Name(m.To)
	switch {
	case s.Occupied()&m.From.Set() == 0:
		return refusal(rules.NoSuchPiece, fmt.Sprintf("There is no piece on %s.", from), m.From)
	case s.Sides[us^1].Has(m.From):
		return refusal(rules.NotYours, fmt.Sprintf("The %s on %s is your opponent's.", name(m.From), from), m.From)
	case m.Act == rules.Castle && m.From != HomeKing(us):
		return refusal(rules.CannotCastle, fmt.Sprintf("Your king cannot castle from %s.", from), m.From)
	case m.Kills != 0:
		return refusal(rules.NotPossible, "Nothing shoots in this game: a piece captures where it lands.", m.From)
	case m.From == m.To:
		return refusal(rules.CannotReach, fmt.Sprintf("The %s already stands on %s.", name(m.From), to), m.From)
	}
	if s.Kings.Has(m.From) && m.From == HomeKing(us) && (m.To == m.From+2 || m.To == m.From-2) {
		return s.refuseCastling(m)
	}
	if s.Sides[us].Has(m.To) {
		return refusal(rules.OwnPiece, fmt.Sprintf("Your own %s stands on %s.", name(m.To), to), m.To)
	}
	if s.Pawns.Has(m.From) {
		if no := s.refusePawn(m, name); no != nil {
			return no
		}
	} else if no := s.refusePiece(m, name); no != nil {
		return no
	}
	return s.refuseCheck(m, name)
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
	fault := "king or rook has moved before, or the rook is gone"
	if s.Castling.Has(rook) {
		fault = s.castlingFault(rook)
	}
	if fault == "" {
		fault = "that is the king's step alone"
	}
	return refusal(rules.CannotCastle, fmt.Sprintf("You can't castle: %s.", fault), m.From, rook)
}

func (s *State) refusePiece(m rules.Move, name func(rules.Square) string) *rules.Illegal {
	open := s.Slides(m.From, 0)
	reach := s.Slides(m.From, s.Occupied())
	if s.Kings.Has(m.From) {
		open, reach = KingSteps(m.From), KingSteps(m.From)
	}
	switch {
	case !open.Has(m.To):
		return refusal(rules.CannotReach, fmt.Sprintf("The %s on %s can't reach %s.", name(m.From), board.Name(m.From), board.Name(m.To)), m.From, m.To)
	case !reach.Has(m.To):
		return s.refuseWay(m, Between(m.From, m.To), name)
	}
	return nil
}

func (s *State) refuseWay(m rules.Move, way rules.Set, name func(rules.Square) string) *rules.Illegal {
	at := (way & s.Occupied()).First()
	return refusal(rules.BlockedWay, fmt.Sprintf("The way from %s to %s is blocked by the %s on %s.",
		board.Name(m.From), board.Name(m.To), name(at), board.Name(at)), at)
}

func (s *State) refusePawn(m rules.Move, name func(rules.Square) string) *rules.Illegal {
	us := s.Turn & 1
	from, to := m.From.Set(), m.To.Set()
	steps := Forward(us, from)
	if Forward(us, HomeRank(us))&from != 0 {
		steps |= Forward(us, steps)
	}
	switch {
	case PawnCaptures(us, m.From)&to != 0:
		if s.Sides[us^1]&to == 0 && m.To != s.EnPassant {
			return refusal(rules.NothingToTake, fmt.Sprintf("There is nothing for the pawn on %s to capture on %s.", board.Name(m.From), board.Name(m.To)), m.To)
		}
	case steps&to == 0:
		return refusal(rules.CannotReach, fmt.Sprintf("The pawn on %s can't reach %s.", board.Name(m.From), board.Name(m.To)), m.From, m.To)
	case s.PawnSteps(m.From)&to == 0:
		return s.refuseWay(m, Between(m.From, m.To)|to, name)
	}
	last := to&HomeRank(us^1) != 0
	switch {
	case last && (m.Role < Knight || m.Role > Queen):
		return refusal(rules.NoPromotion, fmt.Sprintf("On %s the pawn becomes a queen, rook, bishop or knight: say which, as in =Q.", board.Name(m.To)), m.To)
	case !last && m.Role != rules.NoRole:
		return refusal(rules.NoPromotion, fmt.Sprintf("A pawn doesn't promote on %s.", board.Name(m.To)), m.To)
	}
	return nil
}

// refuseCheck is for a move that is right but for the king's safety, or for what
// it promotes or kills.
func (s *State) refuseCheck(m rules.Move, name func(rules.Square) string) *rules.Illegal {
	if m.Act == rules.Step && m.Role != rules.NoRole && !s.Pawns.Has(m.From) {
		return refusal(rules.NoPromotion, fmt.Sprintf("Only pawns promote, not the %s on %s.", name(m.From), board.Name(m.From)), m.From)
	}
	if m.Act != rules.Step || m.Kills != 0 || m.With != 0 {
		return refusal(rules.NotPossible, fmt.Sprintf("The %s on %s can't do that.", name(m.From), board.Name(m.From)), m.From, m.To)
	}
	king := s.KingOf(s.Turn)
	var next State
	s.Play(m, &next)
	attacker := (next.Attackers(next.KingOf(s.Turn), s.Turn, next.Occupied()) & next.Sides[s.Turn&1^1]).First()
	if m.From == king {
		return refusal(rules.LeavesCheck, fmt.Sprintf("Your king would be in check on %s from the %s on %s.", board.Name(m.To), name(attacker), board.Name(attacker)), m.To, attacker)
	}
	return refusal(rules.LeavesCheck, fmt.Sprintf("That leaves your king in check from the %s on %s.", name(attacker), board.Name(attacker)), attacker, king)
}
