package stealth

import (
	"chimera/rules"
	"chimera/rules/fide"
)

// Moves appends the legal moves. Whether one leaves the king in check is tried
// out for each move that could: all of them in check, else those of pinned pieces,
// captures en passant and runs.
func (s *State) Moves(buf []rules.Move) []rules.Move {
	d := s.Danger()
	own := s.Sides[s.Turn&1]
	if d.Checkers != 0 {
		d.Pinned = own
	}
	buf = s.KingMoves(buf, s.Attacked)
	for pieces := own &^ s.Kings &^ s.Pawns; pieces != 0; pieces = pieces.Rest() {
		from := pieces.First()
		to := s.reach(from) &^ own
		if d.Pinned.Has(from) {
			to = s.only(d.King, from, to)
		}
		buf = rules.AppendSteps(buf, from, to, 0)
		if s.odd.Has(from) {
			buf = s.runs(&d, from, buf)
		}
	}
	buf = s.PawnMoves(buf, &d, s.Attacked, ^rules.Set(0), s.only, s.promote)
	if d.Checkers == 0 && s.Castling&own != 0 {
		buf = s.CastlingMoves(buf, s.Attacked)
	}
	return buf
}

// only are those squares to which the piece on from can go without leaving the king
// in check.
func (s *State) only(king, from rules.Square, to rules.Set) rules.Set {
	for rest := to; rest != 0; rest = rest.Rest() {
		if sq := rest.First(); !s.safe(king, from.Set(), sq) {
			to &^= sq.Set()
		}
	}
	return to
}

// reach are the squares to which the mover's piece or captain on from could go if
// no friend held them, capturing nothing on the way.
func (s *State) reach(from rules.Square) rules.Set {
	occupied := s.Occupied()
	set := s.Slides(from, from, occupied)
	if !s.odd.Has(from) {
		return set
	}
	enemy := s.Sides[s.Turn&1^1]
	set |= s.steps(from)
	if s.extra[captains].Has(from) {
		set = wazirSteps[from]&^occupied | ferzSteps[from]&enemy
	}
	if s.extra[stealthRooks].Has(from) {
		set |= rookLeaps(from, occupied)
	}
	if s.extra[stealthBishops].Has(from) {
		set |= bishopLeaps(from, occupied)
	}
	for line := s.bomberLines(from) &^ set; line != 0; line = line.Rest() {
		if to := line.First(); fide.Between(from, to)&enemy == 0 {
			set |= to.Set()
		}
	}
	return set
}

// steps are the squares to which the piece on from can step or fly, over anything.
func (s *State) steps(from rules.Square) rules.Set {
	var set rules.Set
	if s.extra[wazirs].Has(from) {
		set = wazirSteps[from&63]
	}
	if s.extra[ferzes].Has(from) {
		set |= ferzSteps[from&63]
	}
	if s.extra[pegasi].Has(from) {
		set |= flights[from&63]
	}
	return set
}

// runs appends those of a bomber that capture something on the way: "Leaping over
// all friendly obstacles and capturing all enemy obstacles in its path". An enemy
// behind which its own side hides may vanish, so each is tried out.
func (s *State) runs(d *fide.Danger, from rules.Square, buf []rules.Move) []rules.Move {
	us := s.Turn & 1
	for line := s.bomberLines(from) &^ s.Sides[us]; line != 0; line = line.Rest() {
		to := line.First()
		kills := fide.Between(from, to) & s.Sides[us^1]
		if kills != 0 && s.safe(d.King, kills|from.Set(), to) {
			buf = append(buf, rules.Move{From: from, To: to, Kills: kills})
		}
	}
	return buf
}

// promote appends the move of a pawn to the last rank.
func (s *State) promote(buf []rules.Move, from, to rules.Square) []rules.Move {
	return append(buf, rules.Move{Role: s.promotion(to), From: from, To: to})
}

// promotion is what the mover's pawn becomes by going to that square: "only the
// piece originally occupying the square on which it lands". It is rules.NoRole
// before the last rank, and for a capture, which makes it what it captures.
func (s *State) promotion(to rules.Square) rules.Role {
	if to >= 8 && to < 56 || s.Occupied().Has(to) {
		return rules.NoRole
	}
	return roster.promotion[to&7]
}
