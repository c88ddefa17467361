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

// extraOf says, bit by bit, which of them a piece has.
func extraOf(p powers) uint8 {
	var bits uint8
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

// rookLeaps are the squares of a stealth rook's line: as a rook, and beyond the
// first piece on the way up to the second.
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

// whole are the lines through sq, if it is one of the rooks' or bishops' squares.
func whole(sq rules.Square, rooks, bishops rules.Set) rules.Set {
	powered := fide.Powered{Orthogonals: rooks, Diagonals: bishops}
	return powered.Slides(sq, sq, 0)
}
