package variants_test

import (
	"math/rand/v2"
	"testing"

	"chimera/rules"
	"chimera/rules/internal/rulestest"
	"chimera/rules/variants"
)

// TestCheckersAreThoseWithoutWhomThereIsNoCheck plays at random. Who gives check is told where
// there is one and only there, and is of the enemy. Where it is one piece alone, there is mostly no
// check without it: sometimes another stands behind it.
func TestCheckersAreThoseWithoutWhomThereIsNoCheck(t *testing.T) {
	for _, v := range variants.All() {
		alone, ended := 0, 0
		for seed := range uint64(30) {
			random := rand.New(rand.NewPCG(seed, 5))
			pos := rulestest.Position(t, v, "")
			for range 80 {
				checkersAreTrue(t, pos, seed)
				if without, ok := withoutOnlyChecker(pos); ok {
					alone++
					if without.Checked() == 0 {
						ended++
					}
				}
				moves := pos.Moves()
				if len(moves) == 0 {
					break
				}
				pos = rulestest.Played(t, pos, moves[random.IntN(len(moves))])
			}
		}
		if alone < 10 || ended*10 < alone*9 {
			t.Errorf("%s: of %d single checkers only %d are the reason", v.Key, alone, ended)
		}
	}
}

func checkersAreTrue(t *testing.T, pos *rules.Position, seed uint64) {
	t.Helper()
	v, board, checkers := pos.Variant(), pos.Board(), pos.Checkers()
	if (checkers == 0) != (pos.Checked() == 0) {
		t.Fatalf("%s, seed %d: %s has checkers %v", v.Key, seed, pos.FEN(), v.Shape.ByFile(checkers))
	}
	for sq := range checkers.Squares() {
		if board[sq].Half(pos.Turn().Other()) == rules.NoRole {
			t.Errorf("%s, seed %d: %s has none of the enemy on %s", v.Key, seed, pos.FEN(), v.Shape.Name(sq))
		}
	}
}

// withoutOnlyChecker is the position without the one piece that gives check, if there is one and
// it can be set up.
func withoutOnlyChecker(pos *rules.Position) (*rules.Position, bool) {
	checkers := pos.Checkers()
	if checkers.Len() != 1 {
		return nil, false
	}
	setup := rules.Setup{Board: pos.Board(), Turn: pos.Turn(), EnPassant: rules.NoSquare, FullMove: 1}
	setup.Board[checkers.First()] = rules.Piece{}
	without, err := pos.Variant().FromSetup(setup)
	return without, err == nil
}
