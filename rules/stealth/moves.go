package stealth

import (
	"chimera/rules"
	"chimera/rules/fide"
)

// The powers beyond the orthodox ones, each with a set of squares in a State.
const (
	stealthRooks = iota // rook's lines of level 2 and more
	bomberRooks         // rook's lines of level 3
	stealthBishops
	bomberBishops
	wazirs
	ferzes
	pegasi
	captains
	extras // how many there are
)

// extraOf says, bit by bit, in which of these sets a piece is.
func extraOf(p powers) (bits uint8) {
	for i, has := range [extras]bool{
		stealthRooks: p.rook >= 2, bomberRooks: p.rook >= 3,
		stealthBishops: p.bishop >= 2, bomberBishops: p.bishop >= 3,
		wazirs: p.leaps&wazir != 0, ferzes: p.leaps&ferz != 0, pegasi: p.leaps&pegasus != 0,
	} {
		if has {
			bits |= 1 << i
		}
	}
	return bits
}

// The squares to which single steps and the flight of the Pegasus lead.
//
//nolint:gochecknoglobals // built once, never written
var (
	wazirSteps = fide.Leaps(fide.Shape(), [2]int{0, 1})
	ferzSteps  = fide.Leaps(fide.Shape(), [2]int{1, 1})
	flights    = fide.Leaps(fide.Shape(), pegasusLeaps()...)
)

// pegasusLeaps are "one square orthogonally and then any number of squares
// diagonally, or one square diagonally and then any number of squares
// orthogonally", any number being 0 or more, and outward: as a knight would turn.
// The way to them stays on the board if they do.
func pegasusLeaps() (leaps [][2]int) {
	for n := range 7 {
		leaps = append(leaps, [2]int{n, n + 1}, [2]int{1, n + 1})
	}
	return leaps
}

// rookLeaps are the squares of a stealth rook's line: as a rook, and beyond the first piece on the way to the second.
func rookLeaps(sq rules.Square, occupied rules.Set) rules.Set {
	return fide.RookSlides(sq, occupied&^fide.RookSlides(sq, occupied))
}

func bishopLeaps(sq rules.Square, occupied rules.Set) rules.Set {
	return fide.BishopSlides(sq, occupied&^fide.BishopSlides(sq, occupied))
}

// bomberLines are the whole lines along which the piece on sq can run.
func (s *State) bomberLines(sq rules.Square) rules.Set {
	return whole(sq, s.extra[bomberRooks], s.extra[bomberBishops])
}

// stealthLines are the whole lines along which the piece on sq can leap.
func (s *State) stealthLines(sq rules.Square) rules.Set {
	return whole(sq, s.extra[stealthRooks], s.extra[stealthBishops])
}

// whole are the whole lines through sq, if it is one of the rooks' or bishops' squares.
func whole(sq rules.Square, rooks, bishops rules.Set) rules.Set {
	powered := fide.Powered{Orthogonals: rooks, Diagonals: bishops}
	return powered.Slides(sq, sq, 0)
}

// Moves appends the legal moves. If a move could leave the king in check, it is tried: all moves in check, else those
// of pinned pieces, captures en passant and runs.
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

// only are those of the squares to which the piece on from can go without leaving the king in check.
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
func (s *State) steps(from rules.Square) (set rules.Set) {
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

// runs appends the moves of a bomber that capture something on the way: "Leaping over all friendly obstacles and
// capturing all enemy obstacles in its path". Enemies that stand in the way of others' lines may vanish, so each run is
// tried.
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

// Attackers are the pieces of either side that would capture a piece of c on sq, on a
// board occupied as given.
func (s *State) Attackers(sq rules.Square, c rules.Color, occupied rules.Set) rules.Set {
	set := s.State.Attackers(sq, c, occupied)
	if s.odd&s.Sides[c&1^1] != 0 {
		set |= s.oddAttackers(sq, occupied)
	}
	return set
}

// oddAttackers are those that attack by a power beyond orthodox chess. All of these work in both directions.
func (s *State) oddAttackers(sq rules.Square, occupied rules.Set) rules.Set {
	sq &= 63
	set := wazirSteps[sq]&s.extra[wazirs] |
		ferzSteps[sq]&(s.extra[ferzes]|s.extra[captains]) |
		flights[sq]&s.extra[pegasi]
	if stealth := s.extra[stealthRooks]; stealth != 0 {
		set |= rookLeaps(sq, occupied)&stealth | fide.RookSlides(sq, 0)&s.extra[bomberRooks]
	}
	if stealth := s.extra[stealthBishops]; stealth != 0 {
		set |= bishopLeaps(sq, occupied)&stealth | fide.BishopSlides(sq, 0)&s.extra[bomberBishops]
	}
	return set
}

// Attacked reports whether an enemy of c among the pieces of the set attacks sq, on
// a board occupied as given.
func (s *State) Attacked(sq rules.Square, c rules.Color, enemies, occupied rules.Set) bool {
	return s.Attackers(sq, c, occupied)&enemies&s.Sides[c&1^1] != 0
}

// Danger finds checks and pins of the side to move. A piece is also pinned if it is one of just two between its king
// and an enemy's stealth line, which leaps only one. Unlike in orthodox chess, not all squares of the line are safe for
// a pinned piece: it may leap out from between.
func (s *State) Danger() fide.Danger {
	us := s.Turn & 1
	own, enemy, occupied := s.Sides[us], s.Sides[us^1], s.Occupied()
	d := s.State.Danger()
	if s.odd&enemy == 0 {
		return d
	}
	d.Checkers |= s.oddAttackers(d.King, occupied) & enemy
	stealth := (fide.RookSlides(d.King, 0)&s.extra[stealthRooks] | fide.BishopSlides(d.King, 0)&s.extra[stealthBishops]) & enemy
	for ; stealth != 0; stealth = stealth.Rest() {
		if shield := fide.Between(d.King, stealth.First()) & occupied; shield.Len() == 2 {
			d.Pinned |= shield & own
		}
	}
	return d
}

// safe reports whether the mover's king is safe once the pieces of a set are gone and one of them, or its captor,
// stands on to.
func (s *State) safe(king rules.Square, gone rules.Set, to rules.Square) bool {
	occupied := s.Occupied()&^gone | to.Set()
	return !s.Attacked(king, s.Turn, ^(gone | to.Set()), occupied)
}

// Checkers are the enemy pieces that give check to the mover's king.
func (s *State) Checkers() rules.Set {
	return s.Attackers(s.KingOf(s.Turn), s.Turn, s.Occupied()) & s.Sides[s.Turn&1^1]
}
