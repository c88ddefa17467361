package combination

import "chimera/rules"

// powers are the pieces of one side by what they can do, their own moves and what
// they borrow alike. Pawns' and kings' own moves are nobody else's.
type powers struct {
	orthogonal rules.Set // slide as a rook
	diagonal   rules.Set // slide as a bishop
	knight     rules.Set // leap as a knight
	leap       rules.Set // leap as an amplifier or isolator
}

// powers finds what c's pieces can do. "Any friendly pieces that are in that zone
// acquire the movement and capture abilities of the influencing piece", its own
// ones: "it does not absorb abilities that were in turn absorbed".
func (s *State) powers(c rules.Color) powers {
	us := c & 1
	own := s.Sides[us]
	heard := ^near(s.Pieces[Isolator] & s.Sides[us^1]) // "any opposing piece under its influence has no influence"
	leapers := (s.Pieces[Amplifier] | s.Pieces[Isolator]) & own
	loud := near(s.Pieces[Amplifier]&own) & heard // "it also gives that piece its influence zone"
	rooks, bishops, knights := s.Pieces[Rook]&own, s.Pieces[Bishop]&own, s.Pieces[Knight]&own
	return powers{
		orthogonal: rooks | (aslant(rooks&heard)|near(rooks&loud))&own,
		diagonal:   bishops | (straight(bishops&heard)|near(bishops&loud))&own,
		knight:     knights | (far(knights&heard)|near(knights&loud))&own,
		leap:       near(leapers) & own,
	}
}

// reach is where the powers of the piece on a square lead it, on a board occupied as
// given, the first piece on each line included; a pawn's and a king's own moves are not
// in it.
func (p *powers) reach(from rules.Square, occupied rules.Set) rules.Set {
	return p.lines(from, occupied) | p.leaps(from)
}

func (p *powers) lines(from rules.Square, occupied rules.Set) (to rules.Set) {
	if p.orthogonal.Has(from) {
		to = rays.Rook(from, occupied)
	}
	if p.diagonal.Has(from) {
		to |= rays.Bishop(from, occupied)
	}
	return to
}

func (p *powers) leaps(from rules.Square) (to rules.Set) {
	if p.knight.Has(from) {
		to = knights[from&63]
	}
	if p.leap.Has(from) {
		to |= leaps[from&63]
	}
	return to
}

// fullZone is where the piece on sq lends its move, were there no isolator; none for
// pawns and kings.
func (s *State) fullZone(sq rules.Square) rules.Set {
	var zone rules.Set
	switch s.Role(sq) {
	case Bishop:
		zone = straight(sq.Set())
	case Rook:
		zone = aslant(sq.Set())
	case Knight:
		zone = leaps[sq]
	case Amplifier, Isolator:
		return around[sq]
	default:
		return 0
	}
	if s.amplifiers(sq) != 0 {
		zone |= around[sq]
	}
	return zone & board.Squares
}

// zone is where the piece on sq lends its move.
func (s *State) zone(sq rules.Square) rules.Set {
	if s.isolators(sq) != 0 {
		return 0
	}
	return s.fullZone(sq)
}

// amplifiers are those that widen the zone of the piece on sq.
func (s *State) amplifiers(sq rules.Square) rules.Set { return s.swaying(sq, s.Owner(sq), Amplifier) }

// isolators are those that leave the piece on sq without a zone.
func (s *State) isolators(sq rules.Square) rules.Set { return s.swaying(sq, s.Owner(sq)^1, Isolator) }

// swaying are c's pieces of a role that change the zone of the piece on sq: a bishop's, rook's or
// knight's.
func (s *State) swaying(sq rules.Square, c rules.Color, r rules.Role) rules.Set {
	if !(s.Pieces[Bishop] | s.Pieces[Rook] | s.Pieces[Knight]).Has(sq) {
		return 0
	}
	return around[sq] & s.Of(c, r)
}

// lenders are the friends of the piece on sq in whose zone it stands, and those in whose zone it would
// stand, were they not isolated.
func (s *State) lenders(sq rules.Square) (lenders, silenced rules.Set) {
	for from := range s.Sides[s.Owner(sq)].Squares() {
		switch {
		case !s.fullZone(from).Has(sq):
		case s.isolators(from) != 0:
			silenced |= from.Set()
		default:
			lenders |= from.Set()
		}
	}
	return lenders, silenced
}

// Influences are the zones of all pieces that have one now, empty squares included.
func (s *State) Influences() []rules.Influence {
	var all []rules.Influence
	for from := range s.Occupied().Squares() {
		if zone := s.zone(from); zone != 0 {
			all = append(all, rules.Influence{From: from, On: zone})
		}
	}
	return all
}

// borrowed is where the move that pieces of a role lend leads from sq, the first piece on
// each line included.
func borrowed(r rules.Role, sq rules.Square, occupied rules.Set) rules.Set {
	switch r {
	case Bishop:
		return rays.Bishop(sq, occupied)
	case Rook:
		return rays.Rook(sq, occupied)
	case Knight:
		return knights[sq]
	case Amplifier, Isolator:
		return leaps[sq]
	default:
		return 0
	}
}
