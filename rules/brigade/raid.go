package brigade

import (
	"math/bits"

	"chimera/rules"
	"chimera/rules/fide"
)

// raid is three orthogonal steps that kill every enemy they enter: an armor's, or a
// queen's after its flight.
type raid struct {
	bishops, rooks rules.Set // enemy artillery that forbids squares; none for armor
	covered        rules.Set // the squares that it forbids while all of it lives
	empty          rules.Set // squares without a piece, the raider's own not among them
	foes           rules.Set // enemy pieces that can die on the way, so not the king
	king           rules.Set // the enemy's, which can be entered on the last step only
	free           rules.Set // squares that can be entered without a kill, were they not covered
	launch         rules.Set // where the first step may begin
	second         rules.Set // where the second may, if the first has killed nobody
}

// onFoot is the raid of an armor of c.
func (s *State) onFoot(c rules.Color, from rules.Set) raid {
	king := s.Of(c^1, fide.King)
	r := raid{empty: ^s.Occupied(), foes: s.Sides[c&1^1] &^ king, king: king, launch: from}
	r.free = r.empty | from
	r.second = beside(from) & r.free
	return r
}

// flight is what all queens of c have in common; standOn makes it a raid.
func (s *State) flight(c rules.Color) raid {
	king := s.Of(c^1, fide.King)
	r := raid{
		bishops: s.Of(c^1, fide.Bishop), rooks: s.Of(c^1, fide.Rook),
		empty: ^s.Occupied(), foes: s.Sides[c&1^1] &^ king, king: king,
	}
	r.covered = cover(r.bishops, r.rooks)
	return r
}

// standOn makes it the raid of the queen that stands there. It may begin there even
// under fire: that square is not entered.
func (r *raid) standOn(from rules.Set) {
	r.free = r.empty | from
	r.launch = r.empty&^r.covered | from
	r.second = beside(r.launch) & r.free &^ r.covered
}

// danger are the squares that may not be entered once the given pieces are dead.
func (r *raid) danger(dead rules.Set) rules.Set {
	if (r.bishops|r.rooks)&dead == 0 {
		return r.covered
	}
	return cover(r.bishops&^dead, r.rooks&^dead)
}

// ways are the squares where the first two steps may kill, and maybe more.
func (r *raid) ways() rules.Set {
	first := beside(r.launch)
	return first | beside(r.second) | beside(first&r.foes)
}

// first reports whether the first step can kill the piece on sq.
func (r *raid) first(sq rules.Set) bool {
	return sq&r.covered == 0 && beside(sq)&r.launch != 0
}

// ends are the squares on which a raid can end that has killed, besides what stood
// on that square, the one piece on sq.
func (r *raid) ends(sq rules.Set) rules.Set {
	var ends rules.Set
	if around := beside(sq); sq&r.covered == 0 {
		danger := r.danger(sq)
		goals := (r.free | r.foes | r.king) &^ danger
		if around&r.launch != 0 { // killed on the first step
			ends = beside(around&r.free&^danger) & goals
		}
		if around&r.second != 0 { // killed on the second
			ends |= around & goals
		}
	}
	// Killed on the second step, between two visits of one enemy's square.
	for twice := beside(sq) & r.foes; twice != 0; twice = twice.Rest() {
		x := twice & -twice
		if r.first(x) && r.danger(x)&sq == 0 {
			ends |= x
		}
	}
	return ends &^ sq
}

// endsAfter are the squares on which a raid can end that has killed, besides what
// stood on that square, the piece on a, then the piece on b.
func (r *raid) endsAfter(a, b rules.Set) rules.Set {
	if !r.first(a) || r.danger(a)&b != 0 {
		return 0
	}
	return beside(b) & (r.free | r.foes | r.king) &^ r.danger(a|b) &^ a
}

// kills are the squares of the enemy pieces that a queen can kill with nobody else
// dying: by a pawn's step, which is as good as a raid for that.
func (r *raid) kills() rules.Set {
	var set rules.Set
	for pieces := (r.foes | r.king) &^ r.covered; pieces != 0; pieces = pieces.Rest() {
		if fide.KingSteps(pieces.First())&r.launch != 0 {
			set |= pieces & -pieces
		}
	}
	return set
}

// takes reports whether a queen can end its move on the enemy king's square. It
// asks what kills, ends and endsAfter would answer for that square alone.
func (r *raid) takes(king rules.Square) bool {
	at := king.Set()
	if at&r.covered == 0 && fide.KingSteps(king)&r.launch != 0 {
		return true
	}
	last := beside(at)
	for pieces := (last | beside(last)) & r.foes; pieces != 0; pieces = pieces.Rest() {
		if sq := pieces & -pieces; r.first(sq) && r.takesOver(sq, at, last) {
			return true
		}
	}
	return false
}

// takesOver reports whether the king falls to a raid that first kills the piece on sq.
func (r *raid) takesOver(sq, king, last rules.Set) bool {
	around, danger := beside(sq), r.danger(sq)
	if danger&king == 0 {
		if around&king != 0 && around&r.second != 0 || around&last&r.free&^danger != 0 {
			return true
		}
	}
	for pieces := around & last & r.foes &^ danger; pieces != 0; pieces = pieces.Rest() {
		if r.danger(sq|pieces&-pieces)&king == 0 {
			return true
		}
	}
	return false
}

// later are the squares of a set that come after the one lowest square of another.
func later(set, than rules.Set) rules.Set {
	return set &^ (1<<(bits.TrailingZeros64(uint64(than))+1) - 1)
}
