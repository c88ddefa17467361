package fide

import "chimera/rules"

// Powered are squares by the powers of the pieces on them. A piece may have several.
type Powered struct {
	Knights     rules.Set // pieces that leap as a knight
	Diagonals   rules.Set // pieces that slide along diagonals
	Orthogonals rules.Set // pieces that slide along ranks and files
}

// Add gives the piece on sq the powers of a role.
func (p *Powered) Add(sq rules.Square, knight, diagonal, orthogonal bool) {
	if knight {
		p.Knights |= sq.Set()
	}
	if diagonal {
		p.Diagonals |= sq.Set()
	}
	if orthogonal {
		p.Orthogonals |= sq.Set()
	}
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

// Powers are what a piece of an orthodox role can do.
func Powers(r rules.Role) (knight, diagonal, orthogonal bool) {
	return r == Knight, r == Bishop || r == Queen, r == Rook || r == Queen
}

// Put places a piece with the given powers on an empty square.
func (p *Placement) Put(sq rules.Square, c rules.Color, knight, diagonal, orthogonal bool) {
	p.Sides[c] |= sq.Set()
	p.Add(sq, knight, diagonal, orthogonal)
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

// Slides are the squares that the lines and leaps of the piece on sq reach, the
// first piece in each direction included; none for pawns and kings.
func (p *Placement) Slides(sq rules.Square, occupied rules.Set) rules.Set {
	var set rules.Set
	if p.Orthogonals.Has(sq) {
		set = RookSlides(sq, occupied)
	}
	if p.Diagonals.Has(sq) {
		set |= BishopSlides(sq, occupied)
	}
	if p.Knights.Has(sq) {
		set |= KnightLeaps(sq)
	}
	return set
}

// Changed are the squares on which p has other powers, or another side, than before.
func (p *Placement) Changed(before *Placement) rules.Set {
	return (p.Sides[0] ^ before.Sides[0]) | (p.Sides[1] ^ before.Sides[1]) | (p.Pawns ^ before.Pawns) | (p.Kings ^ before.Kings) |
		(p.Knights ^ before.Knights) | (p.Diagonals ^ before.Diagonals) | (p.Orthogonals ^ before.Orthogonals)
}
