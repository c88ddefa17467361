package brigade

import (
	"chimera/rules"
	"chimera/rules/fide"
)

// The ranges of artillery: "2 squares in any direction", "3 or 4 squares in any
// direction", along the eight lines of the queen and over anything.
//
//nolint:gochecknoglobals // built once, never written
var (
	board = fide.Shape()
	light = fide.Leaps(board, [2]int{0, 1}, [2]int{1, 1}, [2]int{0, 2}, [2]int{2, 2})
	heavy = fide.Leaps(board, [2]int{0, 3}, [2]int{3, 3}, [2]int{0, 4}, [2]int{4, 4})
	// aslant are the squares two away diagonally: those of light from which three
	// orthogonal steps cannot come by on their way here.
	aslant = fide.Leaps(board, [2]int{2, 2})
	// marches are the squares that three orthogonal steps lead to.
	marches = fide.Leaps(board, [2]int{0, 1}, [2]int{1, 2}, [2]int{0, 3})
)

// beside are the orthogonal neighbours of the squares of a set.
func beside(set rules.Set) rules.Set {
	const fileA, fileH = 0x0101010101010101, 0x8080808080808080
	return set<<8 | set>>8 | set&^fileH<<1 | set&^fileA>>1
}

// cover are the squares in range of the bishops and rooks on the given squares.
func cover(bishops, rooks rules.Set) rules.Set {
	var set rules.Set
	for ; bishops != 0; bishops = bishops.Rest() {
		set |= light[bishops.First()&63]
	}
	for ; rooks != 0; rooks = rooks.Rest() {
		set |= heavy[rooks.First()&63]
	}
	return set
}

// Guarded reports whether the other side could capture on m.To after m, as far as can be told without trying
// its raids: armor comes by three steps if nothing stops it, and queens anywhere but under fire.
func (s *State) Guarded(m rules.Move) bool {
	us, to := s.Turn&1, m.To&63
	foes, own := s.Sides[us^1]&^(m.Kills|m.To.Set()), s.Sides[us]&^m.From.Set()
	guns, howitzers := light[to]&s.Pieces[fide.Bishop], heavy[to]&s.Pieces[fide.Rook]
	near := fide.KingSteps(to) & (s.Pieces[fide.Pawn] | s.Pieces[fide.King])
	if (near|guns|howitzers|marches[to]&s.Pieces[fide.Knight])&foes != 0 {
		return true
	}
	return s.Pieces[fide.Queen]&foes != 0 && (guns|howitzers)&own == 0
}
