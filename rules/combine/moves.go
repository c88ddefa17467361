package combine

import (
	"chimera/rules"
	"chimera/rules/fide"
)

// Moves appends the legal moves.
func (s *State) Moves(buf []rules.Move) []rules.Move {
	d := s.Danger()
	buf = s.MovesIn(&d, s.Attacked, buf)
	if d.Checkers == 0 {
		buf = s.merges(&d, buf)
	}
	if s.free {
		buf = s.rallies(&d, buf)
	}
	if d.Checkers == 0 || s.free && d.Checkers.Rest() == 0 {
		buf = s.splits(&d, buf)
	}
	return buf
}

// partners are the mover's single pieces that may merge with the single piece on
// sq: rook, bishop and knight with each other, the queen with the knight.
func (s *State) partners(sq rules.Square) rules.Set {
	singles := s.Sides[s.Turn&1] &^ s.Kings &^ s.Pawns &^ s.hybrids()
	queens := singles & s.Orthogonals & s.Diagonals
	minor := singles &^ queens
	switch {
	case !singles.Has(sq):
		return 0
	case queens.Has(sq):
		return minor & s.Knights
	case s.Knights.Has(sq):
		return singles &^ s.Knights
	case s.Orthogonals.Has(sq):
		return minor &^ s.Orthogonals
	}
	return minor &^ s.Diagonals
}

// merges appends those on one of the two squares, for a mover not in check. A
// merge vacates one square, so it is the pinned piece alone that may not go.
func (s *State) merges(d *fide.Danger, buf []rules.Move) []rules.Move {
	occupied := s.Occupied()
	for pieces := s.Sides[s.Turn&1] &^ s.Kings &^ s.Pawns &^ s.hybrids(); pieces != 0; pieces = pieces.Rest() {
		a := pieces.First()
		for near := s.Slides(a, a, occupied) & s.partners(a); near != 0; near = near.Rest() {
			b := near.First()
			if !d.Pinned.Has(a) {
				buf = add(buf, rules.Merge, a, b, 0)
			}
			if !d.Pinned.Has(b) {
				buf = add(buf, rules.Merge, b, a, 0)
			}
		}
	}
	return buf
}

// rallies appends the merges on a third square.
func (s *State) rallies(d *fide.Danger, buf []rules.Move) []rules.Move {
	us, occupied := s.Turn&1, s.Occupied()
	targets := ^s.Sides[us] &^ s.Kings
	for pieces := s.Sides[us] &^ s.Kings &^ s.Pawns &^ s.hybrids(); pieces != 0; pieces = pieces.Rest() {
		a := pieces.First()
		for near := s.Slides(a, a, occupied) & s.partners(a); near != 0; near = near.Rest() {
			b := near.First()
			x, y := byFile(a, b)
			for to := s.Slides(a, a, occupied) & s.Slides(b, b, occupied) & targets; to != 0; to = to.Rest() {
				if s.rallySafe(d, x.Set()|y.Set(), to.First()) {
					buf = add(buf, rules.Rally, x, to.First(), y)
				}
			}
		}
	}
	return buf
}

// add appends one move that is no Step.
func add(buf []rules.Move, act rules.Act, from, to, with rules.Square) []rules.Move {
	buf = rules.AppendSteps(buf, from, to.Set(), 0)
	m := &buf[len(buf)-1]
	m.Act, m.With = act, with
	return buf
}

func byFile(a, b rules.Square) (first, second rules.Square) {
	if a&7 > b&7 || a&7 == b&7 && a > b {
		return b, a
	}
	return a, b
}

// rallySafe reports whether the mover's king is safe after the two have met on
// to; two squares are vacated at once.
func (s *State) rallySafe(d *fide.Danger, two rules.Set, to rules.Square) bool {
	occupied := s.Occupied()&^two | to.Set()
	return !s.Attacked(d.King, s.Turn, ^to.Set(), occupied)
}

// splits appends them, for a mover with at most one checker. The squares held
// only grow in number, so nothing is exposed, and a check by a line is blocked.
func (s *State) splits(d *fide.Danger, buf []rules.Move) []rules.Move {
	free := ^s.Occupied()
	if d.Checkers != 0 {
		free &= fide.Between(d.King, d.Checkers.First())
	}
	for pieces := s.hybrids() & s.Sides[s.Turn&1]; pieces != 0; pieces = pieces.Rest() {
		from := pieces.First()
		both := table[s.Role(from)].Parts
		for to := fide.KingSteps(from) & free; to != 0; to = to.Rest() {
			buf = append(buf,
				rules.Move{Act: rules.Split, Role: both[0], From: from, To: to.First()},
				rules.Move{Act: rules.Split, Role: both[1], From: from, To: to.First()})
		}
	}
	return buf
}
