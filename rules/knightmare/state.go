package knightmare

import (
	"chimera/rules"
	"chimera/rules/fide"
)

// State is a position, as the side to move sees it: "for both sides a knightmare
// counts as an enemy piece in the way". In the orthodox State, all knightmares
// are the enemy's, with the powers of their enemy parts.
type State struct {
	fide.State
	shared rules.Set    // the knightmares
	own    fide.Powered // what the mover's parts of them can do
	frozen rules.Square // the knightmare that may not move now, or NoSquare
}

// regulars are the single knights, bishops, rooks and queens of both sides.
func (s *State) regulars() rules.Set {
	return s.Occupied() &^ s.shared &^ s.Pawns &^ s.Kings
}

// births reports whether a move from one square to another makes a knightmare: a
// regular piece captures an enemy regular piece.
func (s *State) births(from, to rules.Square) bool {
	regulars := s.regulars()
	return regulars.Has(from) && (regulars & s.Sides[s.Turn&1^1]).Has(to)
}

// Frozen is the square of the knightmare that may not move now, if there is one.
func (s *State) Frozen() rules.Set { return s.frozen.Set() }

// Play makes *next the position after m.
func (s *State) Play(m rules.Move, next *State) {
	next.shared, next.own, next.frozen = s.shared, s.own, rules.NoSquare
	if s.shared.Has(m.From) {
		next.haul(s, m.From, m.To)
		return
	}
	s.State.Play(m, &next.State)
	if s.shared != 0 {
		next.drop(m.To.Set())
		next.swap()
	}
	// The piece that was captured is gone from next.State, and the capturer is an
	// enemy to the next mover, as the new knightmare is to be.
	if s.births(m.From, m.To) {
		next.join(s, m.To)
	}
}

// join adds, for the next mover, the part that stood on sq before.
func (s *State) join(before *State, sq rules.Square) {
	set := sq.Set()
	s.shared |= set
	s.own.Knights |= before.Knights & set
	s.own.Diagonals |= before.Diagonals & set
	s.own.Orthogonals |= before.Orthogonals & set
	s.frozen = sq
}

// haul moves a knightmare, and removes what it captures: the enemy's piece, or
// another knightmare.
func (s *State) haul(before *State, from, to rules.Square) {
	s.State = before.State
	s.State.Pass()
	them := before.Turn&1 ^ 1
	if s.Sides[them].Has(to) {
		s.Remove(to.Set())
		s.drop(to.Set())
		s.HalfMoves = 0
	}
	for _, set := range [...]*rules.Set{
		&s.Sides[them], &s.shared,
		&s.Knights, &s.Diagonals, &s.Orthogonals,
		&s.own.Knights, &s.own.Diagonals, &s.own.Orthogonals,
	} {
		if set.Has(from) {
			*set ^= from.Set() | to.Set()
		}
	}
	s.frozen = to
	s.swap()
}

// drop forgets the knightmares on the squares of a set.
func (s *State) drop(set rules.Set) {
	s.shared &^= set
	s.own.Remove(set)
}

// swap gives the knightmares from the enemies of the one side to those of the
// other: what was the mover's part is the enemy's from now on.
func (s *State) swap() {
	us := s.Turn & 1
	s.Sides[us] &^= s.shared
	s.Sides[us^1] |= s.shared
	was := fide.Powered{Knights: s.Knights & s.shared, Diagonals: s.Diagonals & s.shared, Orthogonals: s.Orthogonals & s.shared}
	s.Knights = s.Knights&^s.shared | s.own.Knights
	s.Diagonals = s.Diagonals&^s.shared | s.own.Diagonals
	s.Orthogonals = s.Orthogonals&^s.shared | s.own.Orthogonals
	s.own = was
}

// Status is the position's, given the number of its legal moves. A knightmare keeps
// either king from being bare, and is no plain knight or bishop.
func (s *State) Status(moves int) rules.Status {
	if s.shared == 0 {
		return s.State.Status(moves)
	}
	return rules.StatusOf(moves, false, s.Checkers)
}

// Effects is what m makes happen.
func (s *State) Effects(m rules.Move) []rules.Effect {
	setup := s.Setup()
	if !s.births(m.From, m.To) {
		return fide.StepEffects(setup, m)
	}
	piece, enemy := setup.Board[m.From], setup.Board[m.To]
	into := rules.Piece{White: piece.White | enemy.White, Black: piece.Black | enemy.Black}
	return []rules.Effect{
		{Kind: rules.Born, From: m.From, To: m.To, Piece: enemy, Into: into},
		{Kind: rules.Moved, From: m.From, To: m.To, Piece: piece},
	}
}

// Pass ends the mover's turn without a move.
func (s *State) Pass() {
	s.frozen = rules.NoSquare
	s.State.Pass()
	s.swap()
}

// Renew makes *setup, which is before's, that of s, and returns the squares that may have
// changed: the two sides see each knightmare differently.
func (s *State) Renew(before *State, setup *rules.Setup) rules.Set {
	changed := s.RenewAs(s.Role, s.Changed(&before.Placement)|s.shared|before.shared, setup)
	s.unloadShared(setup)
	return changed
}
