package fide

import "chimera/rules"

// Powered are squares by the powers of the pieces on them. A piece may have several.
type Powered struct {
	Knights     rules.Set // pieces that leap as a knight
	Diagonals   rules.Set // pieces that slide along diagonals
	Orthogonals rules.Set // pieces that slide along ranks and files
}

// Powers are some of what a piece can do.
type Powers uint8

// The powers of knight, bishop and rook.
const (
	Leaping Powers = 1 << iota
	Diagonal
	Orthogonal
)

// PowersOf are what a piece of an orthodox role can do; none of other roles.
func PowersOf(r rules.Role) Powers { return orthodox[r] }

//nolint:gochecknoglobals // never written
var orthodox = [256]Powers{Knight: Leaping, Bishop: Diagonal, Rook: Orthogonal, Queen: Diagonal | Orthogonal}

// Add gives the piece on sq some powers.
func (p *Powered) Add(sq rules.Square, powers Powers) {
	if powers&Leaping != 0 {
		p.Knights |= sq.Set()
	}
	if powers&Diagonal != 0 {
		p.Diagonals |= sq.Set()
	}
	if powers&Orthogonal != 0 {
		p.Orthogonals |= sq.Set()
	}
}

// Slides are the squares that the lines and leaps of the piece on from would reach from sq, the
// first piece in each direction included; none for pawns and kings.
func (p *Powered) Slides(from, sq rules.Square, occupied rules.Set) rules.Set {
	var set rules.Set
	if p.Orthogonals.Has(from) {
		set = RookSlides(sq, occupied)
	}
	if p.Diagonals.Has(from) {
		set |= BishopSlides(sq, occupied)
	}
	if p.Knights.Has(from) {
		set |= KnightLeaps(sq)
	}
	return set
}

// Remove takes all powers from the squares of a set.
func (p *Powered) Remove(set rules.Set) {
	p.Knights &^= set
	p.Diagonals &^= set
	p.Orthogonals &^= set
}

// Regular is the knight, bishop, rook or queen on sq.
func (p *Powered) Regular(sq rules.Square) rules.Role {
	switch set := sq.Set(); {
	case p.Knights&set != 0:
		return Knight
	case p.Orthogonals&set == 0:
		return Bishop
	case p.Diagonals&set == 0:
		return Rook
	}
	return Queen
}

// Placement is where pieces stand, and what each can do.
type Placement struct {
	Powered
	Sides [2]rules.Set // by Color
	Pawns rules.Set
	Kings rules.Set
}

// Occupied are the squares with a piece.
func (p *Placement) Occupied() rules.Set { return p.Sides[0] | p.Sides[1] }

// KingOf is the square of c's king.
func (p *Placement) KingOf(c rules.Color) rules.Square { return (p.Kings & p.Sides[c&1]).First() }

// Put places a piece with the given powers on an empty square.
func (p *Placement) Put(sq rules.Square, c rules.Color, powers Powers) {
	p.Sides[c] |= sq.Set()
	p.Add(sq, powers)
}

// Role is what an orthodox piece on sq is, rules.NoRole on an empty square.
func (p *Placement) Role(sq rules.Square) rules.Role {
	set := sq.Set()
	switch {
	case p.Occupied()&set == 0:
		return rules.NoRole
	case p.Pawns&set != 0:
		return Pawn
	case p.Kings&set != 0:
		return King
	}
	return p.Regular(sq)
}

// Attackers are the pieces of either side that would capture a piece of c on sq, on a
// board occupied as given.
func (p *Placement) Attackers(sq rules.Square, c rules.Color, occupied rules.Set) rules.Set {
	return KnightLeaps(sq)&p.Knights |
		KingSteps(sq)&p.Kings |
		PawnCaptures(c, sq)&p.Pawns |
		RookSlides(sq, occupied)&p.Orthogonals |
		BishopSlides(sq, occupied)&p.Diagonals
}

// Attacked reports whether an enemy of c among the pieces of the set attacks sq, on
// a board occupied as given.
func (p *Placement) Attacked(sq rules.Square, c rules.Color, enemies, occupied rules.Set) bool {
	return p.Attackers(sq, c, occupied)&enemies&p.Sides[c&1^1] != 0
}

// Changed are the squares on which p has other powers, or another side, than before.
func (p *Placement) Changed(before *Placement) rules.Set {
	return (p.Sides[0] ^ before.Sides[0]) | (p.Sides[1] ^ before.Sides[1]) | (p.Pawns ^ before.Pawns) | (p.Kings ^ before.Kings) |
		(p.Knights ^ before.Knights) | (p.Diagonals ^ before.Diagonals) | (p.Orthogonals ^ before.Orthogonals)
}
