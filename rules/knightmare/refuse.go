package knightmare

import (
	"fmt"
	"slices"

	"chimera/rules"
	"chimera/rules/fide"
)

// The reasons of this game.
const (
	Frozen     rules.Reason = "frozen"      // the knightmare was formed or moved in the last ply
	KeepsCheck rules.Reason = "keeps check" // joining the piece that checks or pins does not end its check
	OwnCheck   rules.Reason = "own check"   // the knightmare's enemy part would give check to the mover
)

func refusal(reason rules.Reason, squares []rules.Square, format string, args ...any) *rules.Illegal {
	return &rules.Illegal{Reason: reason, Squares: squares, Sentence: fmt.Sprintf(format, args...)}
}

func at(sq rules.Square) string { return fide.Shape().Name(sq) }

func roleName(r rules.Role) string { return fide.Pieces()[r].Name }

// name is what stands on sq.
func (s *State) name(sq rules.Square) string {
	if s.shared.Has(sq) {
		return "knightmare"
	}
	return roleName(s.Role(sq))
}

// Refuse says why m is not legal.
func (s *State) Refuse(m rules.Move) *rules.Illegal {
	switch m.Act {
	case rules.Merge:
		return s.refuseMerge(m)
	case rules.Rally:
		return refusal(rules.CannotMerge, []rules.Square{m.From, m.With}, "Your own pieces do not merge in this game.")
	case rules.Split:
		return refusal(rules.CannotSplit, []rules.Square{m.From}, "Nothing splits in this game: a knightmare never comes apart.")
	default:
		return s.refuseStep(m)
	}
}

func (s *State) refuseStep(m rules.Move) *rules.Illegal {
	if s.shared.Has(m.From) {
		return s.refuseShared(m)
	}
	no := s.RefuseStep(m, s.name)
	if no.Reason != rules.LeavesCheck {
		return no
	}
	return s.refuseBirth(m, no)
}

// refuseMerge is for the sign of a birth before a square that holds a piece, or the
// part of one, of the mover's own.
func (s *State) refuseMerge(m rules.Move) *rules.Illegal {
	step, both := rules.Move{From: m.From, To: m.To}, []rules.Square{m.From, m.To}
	switch {
	case s.Sides[s.Turn&1].Has(m.From) && s.Sides[s.Turn&1].Has(m.To):
		return refusal(rules.CannotMerge, both, "The %s on %s is your own: a knightmare is made by capturing an enemy piece.", s.name(m.To), at(m.To))
	case s.shared.Has(m.To) && slices.Contains(s.Moves(nil), step):
		return refusal(rules.CannotMerge, both, "%s is already a knightmare; you would capture it.", at(m.To))
	case slices.Contains(s.Moves(nil), step):
		return refusal(rules.CannotMerge, both, "Nothing merges in this game: a knightmare is made by an ordinary capture.")
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
	return refusal(KeepsCheck, []rules.Square{m.To, d.King},
		"Joining the %s on %s doesn't end its check: as part of a knightmare it would attack your king on %s.",
		s.name(m.To), at(m.To), at(d.King))
}

// refuseShared is for moves of a knightmare.
func (s *State) refuseShared(m rules.Move) *rules.Illegal {
	mine, both := s.own.role(m.From), []rules.Square{m.From, m.To}
	open := slides(mine, m.From, 0)
	switch {
	case m.Kills != 0:
		return refusal(rules.NotPossible, both, "Nothing shoots in this game: a piece captures where it lands.")
	case m.Act == rules.Step && m.Role != rules.NoRole:
		return refusal(rules.NoPromotion, both[:1], "Only pawns promote, not the knightmare on %s.", at(m.From))
	case m.From == m.To:
		return refusal(rules.CannotReach, both[:1], "The knightmare already stands on %s.", at(m.To))
	case m.Act != rules.Step || m.Role != rules.NoRole || m.Kills != 0 || m.With != 0:
		return refusal(rules.NotPossible, both, "The knightmare on %s can't do that.", at(m.From))
	case !open.Has(m.To):
		return refusal(rules.CannotReach, both, "The knightmare on %s moves as a %s for you and can't reach %s.", at(m.From), roleName(mine), at(m.To))
	case s.frozen == m.From:
		return refusal(Frozen, both[:1], "The knightmare on %s is frozen until you have moved something else: it was formed or moved in the last turn.", at(m.From))
	case s.Sides[s.Turn&1].Has(m.To):
		return refusal(rules.OwnPiece, both[1:], "Your own %s stands on %s.", s.name(m.To), at(m.To))
	case !s.ownReach(m.From).Has(m.To):
		block := (fide.Between(m.From, m.To) & s.Occupied()).First()
		return refusal(rules.BlockedWay, []rules.Square{block}, "The way from %s to %s is blocked by the %s on %s.", at(m.From), at(m.To), s.name(block), at(block))
	}
	return s.refuseSharedCheck(m)
}

// refuseSharedCheck is for moves of a knightmare that are right but for the
// safety of the mover's king.
func (s *State) refuseSharedCheck(m rules.Move) *rules.Illegal {
	king := s.KingOf(s.Turn)
	if s.enemyReach(king, m.From).Has(m.To) {
		return refusal(OwnCheck, []rules.Square{m.To, king},
			"On %s the knightmare's %s, your opponent's part, would give check to your king on %s.", at(m.To), roleName(s.Role(m.From)), at(king))
	}
	lifted := s.Occupied()&^m.From.Set() | m.To.Set()
	checkers := s.Attackers(king, s.Turn, lifted) & s.Sides[s.Turn&1^1] &^ (m.From.Set() | m.To.Set())
	checker := checkers.First()
	return refusal(rules.LeavesCheck, []rules.Square{checker, king},
		"That leaves your king in check from the %s on %s.", s.name(checker), at(checker))
}
