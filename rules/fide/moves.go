package fide

import "chimera/rules"

// Moves appends the legal moves.
func (s *State) Moves(buf []rules.Move) []rules.Move {
	d := s.Danger()
	return s.MovesIn(&d, s.Attacked, buf)
}

// MovesIn is Moves with the Danger already known, in a game that tells what is attacked.
func (s *State) MovesIn(d *Danger, attacked Attacked, buf []rules.Move) []rules.Move {
	us := s.Turn & 1
	own, occupied := s.Sides[us], s.Occupied()
	buf = s.KingMoves(buf, attacked)
	if d.Checkers.Rest() != 0 {
		return buf // only the king's moves end a double check
	}
	targets := ^own
	if d.Checkers != 0 {
		targets &= Between(d.King, d.Checkers.First()) | d.Checkers
	}
	for pieces := own &^ s.Kings &^ s.Pawns; pieces != 0; pieces = pieces.Rest() {
		from := pieces.First()
		to := s.Slides(from, from, occupied) & targets
		if d.Pinned.Has(from) {
			to &= Through(d.King, from)
		}
		buf = rules.AppendSteps(buf, from, to, 0)
	}
	buf = s.PawnMoves(buf, d, attacked, targets, onLine, appendPromotions)
	if d.Checkers == 0 && s.Castling&own != 0 {
		buf = s.CastlingMoves(buf, attacked)
	}
	return buf
}

// onLine keeps those squares to which a pinned piece can go.
func onLine(king, from rules.Square, to rules.Set) rules.Set { return to & Through(king, from) }

// PawnMoves appends the moves of the mover's pawns to the target squares. hold keeps the squares to which a pinned pawn
// can go; promote appends a pawn's moves to the last rank.
func (s *State) PawnMoves(
	buf []rules.Move, d *Danger, attacked Attacked, targets rules.Set,
	hold func(king, from rules.Square, to rules.Set) rules.Set, promote func(buf []rules.Move, from, to rules.Square) []rules.Move,
) []rules.Move {
	us := s.Turn & 1
	enemy := s.Sides[us^1]
	for pieces := s.Sides[us] & s.Pawns; pieces != 0; pieces = pieces.Rest() {
		from := pieces.First()
		to := (s.PawnSteps(from) | PawnCaptures(us, from)&enemy) & targets
		if d.Pinned.Has(from) {
			to = hold(d.King, from, to)
		}
		if last := HomeRank(us ^ 1); to&last == 0 {
			buf = rules.AppendSteps(buf, from, to, 0)
			continue
		}
		for ; to != 0; to = to.Rest() {
			buf = promote(buf, from, to.First())
		}
	}
	if s.EnPassant == rules.NoSquare {
		return buf
	}
	for pieces := PawnCaptures(us^1, s.EnPassant) & s.Pawns & s.Sides[us]; pieces != 0; pieces = pieces.Rest() {
		if from := pieces.First(); s.enPassantSafe(d.King, from, attacked) {
			buf = append(buf, rules.Move{From: from, To: s.EnPassant})
		}
	}
	return buf
}

// PawnSteps are the squares that the mover's pawn on from can step to.
func (s *State) PawnSteps(from rules.Square) rules.Set {
	us, empty := s.Turn&1, ^s.Occupied()
	one := Forward(us, from.Set()) & empty
	if Forward(us, HomeRank(us))&from.Set() != 0 {
		one |= Forward(us, one) & empty
	}
	return one
}

func appendPromotions(buf []rules.Move, from, to rules.Square) []rules.Move {
	for role := Queen; role >= Knight; role-- {
		buf = append(buf, rules.Move{Role: role, From: from, To: to})
	}
	return buf
}

// enPassantSafe reports whether capturing en passant with the pawn on from leaves the king safe; two pieces leave one
// line at once.
func (s *State) enPassantSafe(king, from rules.Square, attacked Attacked) bool {
	taken := Backward(s.Turn&1, s.EnPassant.Set())
	occupied := s.Occupied()&^from.Set()&^taken | s.EnPassant.Set()
	return !attacked(king, s.Turn, ^taken, occupied)
}

// Attacked is a game's test whether an enemy of c among the pieces of a set attacks a square: see [Placement.Attacked].
type Attacked func(sq rules.Square, c rules.Color, enemies, occupied rules.Set) bool

// KingMoves appends the steps of the mover's king to squares that are not attacked once it has left its own.
func (s *State) KingMoves(buf []rules.Move, attacked Attacked) []rules.Move {
	king := s.KingOf(s.Turn)
	without := s.Occupied() &^ king.Set()
	to := KingSteps(king) &^ s.Sides[s.Turn&1]
	for rest := to; rest != 0; rest = rest.Rest() {
		if attacked(rest.First(), s.Turn, ^rules.Set(0), without) {
			to &^= rest & -rest
		}
	}
	return rules.AppendSteps(buf, king, to, 0)
}

// CastlingMoves appends the legal castling moves.
func (s *State) CastlingMoves(buf []rules.Move, attacked Attacked) []rules.Move {
	king := s.KingOf(s.Turn)
	for _, to := range [...]rules.Square{king - 2, king + 2} {
		if s.CastlingFault(to, attacked) == "" {
			buf = append(buf, rules.Move{Act: rules.Castle, From: king, To: to})
		}
	}
	return buf
}

// CastlingFault is the key in [rules.Book] of the sentence that says why the king may not castle to a square; "" if it
// may. Attacks are tested with the king off its own square.
func (s *State) CastlingFault(to rules.Square, attacked Attacked) string {
	king := s.KingOf(s.Turn)
	rook, _ := CastlingRook(to)
	unsafe := func(path rules.Set) bool {
		for ; path != 0; path = path.Rest() {
			if attacked(path.First(), s.Turn, ^rules.Set(0), s.Occupied()&^king.Set()) {
				return true
			}
		}
		return false
	}
	switch {
	case !s.Castling.Has(rook):
		return "lost"
	case Between(king, rook)&s.Occupied() != 0:
		return "blocked"
	case unsafe(king.Set()):
		return "checked"
	case unsafe(Between(king, to) | to.Set()):
		return "through-or-into-check"
	}
	return ""
}

// Danger is what the mover's king has to fear.
type Danger struct {
	King     rules.Square
	Checkers rules.Set // enemy pieces that give check
	Pinned   rules.Set // own pieces that are alone between the king and an enemy's line
}

// Danger finds checks and pins of the side to move.
func (s *State) Danger() Danger {
	us := s.Turn & 1
	own, enemy, occupied := s.Sides[us], s.Sides[us^1], s.Occupied()
	king := s.KingOf(us)
	d := Danger{King: king, Checkers: s.Attackers(king, us, occupied) & enemy}
	snipers := (RookSlides(king, enemy)&s.Orthogonals | BishopSlides(king, enemy)&s.Diagonals) & enemy
	for ; snipers != 0; snipers = snipers.Rest() {
		if shield := Between(king, snipers.First()) & own; shield != 0 && shield.Rest() == 0 {
			d.Pinned |= shield
		}
	}
	return d
}

// Checkers are the enemy pieces that give check to the mover's king.
func (s *State) Checkers() rules.Set {
	return s.Attackers(s.KingOf(s.Turn), s.Turn, s.Occupied()) & s.Sides[s.Turn&1^1]
}
