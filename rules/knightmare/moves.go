package knightmare

import (
	"slices"

	"chimera/rules"
	"chimera/rules/fide"
)

// Moves appends the legal moves.
func (s *State) Moves(buf []rules.Move) []rules.Move {
	d := s.Danger()
	first := len(buf)
	buf = s.MovesIn(&d, s.Attacked, buf)
	if d.Checkers|d.Pinned != 0 {
		// The new knightmare would give check by its enemy part.
		left := slices.DeleteFunc(buf[first:], func(m rules.Move) bool { return s.keepsCheck(&d, m.From, m.To) })
		buf = buf[:first+len(left)]
	}
	if s.shared != 0 {
		buf = s.sharedMoves(&d, buf)
	}
	return buf
}

// keepsCheck reports whether a move that would be legal if it removed what it
// captures is a birth that leaves the mover in check: "taking a checking regular
// piece with a regular piece does not lift its check". A pinned piece that
// captures has gone to the one that pins it, whose line is then open.
func (s *State) keepsCheck(d *fide.Danger, from, to rules.Square) bool {
	return (d.Checkers.Has(to) || d.Pinned.Has(from)) && s.births(from, to)
}

// sharedMoves appends the moves of knightmares.
func (s *State) sharedMoves(d *fide.Danger, buf []rules.Move) []rules.Move {
	for pieces := s.shared &^ s.frozen.Set(); pieces != 0; pieces = pieces.Rest() {
		from := pieces.First()
		buf = rules.AppendSteps(buf, from, s.ownReach(from)&^s.Sides[s.Turn&1]&s.sharedSafe(d.King, from), 0)
	}
	return buf
}

// ownReach are the squares that the mover's part of the knightmare on from
// reaches, the first piece in each direction included.
func (s *State) ownReach(from rules.Square) rules.Set {
	return s.own.Slides(from, from, s.Occupied())
}

// sharedSafe are the squares to which the knightmare on from can go with the
// mover's king safe there. It may itself be what gives check, or be pinned, so
// this asks what attacks the king once it is lifted.
func (s *State) sharedSafe(king, from rules.Square) rules.Set {
	lifted := s.Occupied() &^ from.Set()
	enemies := s.Sides[s.Turn&1^1] &^ from.Set()
	safe := ^s.enemyReach(king, from)
	switch checkers := s.Attackers(king, s.Turn, lifted) & enemies; {
	case checkers == 0:
		return safe
	case checkers.Rest() == 0:
		return safe & (fide.Between(king, checkers.First()) | checkers)
	}
	return 0 // no piece blocks two
}

// enemyReach are the squares from which the enemy part of the knightmare on from,
// lifted off its square, would attack the king.
func (s *State) enemyReach(king, from rules.Square) rules.Set {
	return s.Slides(from, king, s.Occupied()&^from.Set())
}
