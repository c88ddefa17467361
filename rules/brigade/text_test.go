package brigade_test

import (
	"strings"
	"testing"

	"chimera/rules"
	"chimera/rules/brigade"
	"chimera/rules/fide"
	"chimera/rules/internal/rulestest"
)

func TestChatText(t *testing.T) {
	for r := range rulestest.Rows(t, "testdata/written.txt") {
		t.Run(r[0], func(t *testing.T) { rulestest.Written(t, position(t, r[1]), r[2], r[3], strings.Fields(r[4])...) })
	}
}

func TestRefusals(t *testing.T) {
	for r := range rulestest.Rows(t, "testdata/refused.txt") {
		_, err := position(t, r[0]).Play(move(r[1]))
		rulestest.Refused(t, err, rules.Reason(r[2]), r[3])
	}
}

func TestRefusalsOfMovesThatNoTextMeans(t *testing.T) {
	const open = "k7/8/8/8/8/8/8/"
	for _, c := range []struct {
		fen  string
		move rules.Move
		want rules.Reason
		says string
	}{
		{"", rules.Move{Act: rules.Merge, From: sq("b1"), To: sq("c1")}, rules.NotPossible, "Pieces neither merge nor split in this game."},
		{"k7/8/8/8/8/8/8/4K2R w - - 0 1", with(move("e1g1"), fide.Queen), rules.NoPromotion, "The king on e1 doesn't promote on g1."},
		{"", rules.Move{From: sq("e2"), To: sq("e4"), With: sq("a1") + 1}, rules.NotPossible, "Pieces neither merge nor split in this game."},
		{open + "3K3R w - - 0 1", rules.Move{Act: rules.Castle, From: sq("d1"), To: sq("f1")}, rules.CannotCastle, "You can't castle: your king isn't on e1."},
		{"8/8/4P3/8/k7/8/8/7K w - - 0 1", with(move("e6e7"), fide.Queen), rules.NoPromotion, "The infantry on e6 doesn't promote on e7."},
		{open + "N6K w - - 0 1", with(move("a1a2"), fide.Queen), rules.NoPromotion, "The tank on a1 doesn't promote on a2."},
	} {
		_, err := position(t, c.fen).Play(c.move)
		rulestest.Refused(t, err, c.want, c.says)
	}
}

func sq(name string) rules.Square { return fide.Shape().Parse(name) }

// move reads "a1b2xc3xd4" without regard to any rule.
func move(text string) rules.Move {
	m := rules.Move{From: sq(text[:2]), To: sq(text[2:4])}
	for kill := range strings.SplitSeq(text[4:], "x") {
		if kill != "" {
			m.Kills |= sq(kill).Set()
		}
	}
	return m
}

func with(m rules.Move, role rules.Role) rules.Move {
	m.Role = role
	return m
}

func TestPathsThatCannotBeTaken(t *testing.T) {
	for r := range rulestest.Rows(t, "testdata/untaken.txt") {
		if m, err := position(t, r[1]).Parse(r[2]); err == nil {
			t.Errorf("%s: %s %s is read as %v", r[0], r[1], r[2], m)
		}
	}
}

func TestEffects(t *testing.T) {
	rulestest.Effects(t, brigade.Brigade(), []rulestest.Case{
		{"a shot", "k7/8/8/8/p7/8/8/R6K w - - 0 1", "a1a1xa4", "shot p a1a4"},
		{"a move, then a shot", "k7/8/8/5p2/8/8/8/1B5K w - - 0 1", "b1d3xf5", "moved B b1d3, shot p d3f5"},
		{"a shot, then a move, where it must be so", "7k/8/8/8/8/8/1p6/B6K w - - 0 1", "a1e5xb2", "shot p a1b2, moved B a1e5"},
		{"a shot, then the move there", "7k/8/8/8/8/8/1p6/B6K w - - 0 1", "a1b2", "shot p a1b2, moved B a1b2"},
		{"an armor's kills", "k7/8/8/8/8/2p5/1p6/1N5K w - - 0 1", "b1c3xb2", "captured p b1b2, captured p b1c3, moved N b1c3 by b2 c2 c3"},
		{"a queen's shot", "k7/8/5n2/8/8/7R/8/Q6K w - - 0 1", "a1e5xf6", "moved Q a1e5, shot n e5f6"},
		{"a queen's raid, back to where it was", "k7/8/8/8/8/p7/p7/Q6K w - - 0 1", "a1a1xa2xa3", "captured p a1a2, captured p a1a3"},
		{"a promotion", "8/4P3/8/8/k7/8/8/7K w - - 0 1", "e7e8r", "moved P e7e8, promoted P e8e8 into R"},
		{"castling", "k7/8/8/8/8/8/8/R3K3 w - - 0 1", "e1c1", "moved K e1c1, castled R a1d1"},
		{"the king is taken", "8/8/8/8/8/8/2kK4/8 w - - 0 1", "d2c2", "captured k d2c2, moved K d2c2"},
	})
}

func TestHow(t *testing.T) {
	for _, c := range []struct{ fen, square, want string }{
		{"", "e4", ""},
		{"k7/8/8/8/3r4/8/8/B6K b - - 0 1", "a1", "The gun on a1 is light artillery: it moves diagonally to empty squares, fires 1 or 2 squares in any direction over anything, or does both in either order. From here it has nothing to fire at. If it moves first, it can fire at d4."},
		{"1n1pkbn1/5q2/2pp2Q1/p7/7P/2P4b/4P2P/RNB1KBNR b - - 0 23", "f8", "The gun on f8 is light artillery: it moves diagonally to empty squares, fires 1 or 2 squares in any direction over anything, or does both in either order. From here it has nothing to fire at. If it moves first, it can fire at g6."}, // else the plane takes the king
		{"", "a1", "The howitzer on a1 is heavy artillery: it moves along its rank or file to empty squares, or fires 3 or 4 squares in any direction over anything. From here it has nothing to fire at. This piece can't move now. The way from a1 to a3 is blocked by the infantry on a2."},
		{"k7/8/8/p7/p2p4/8/8/R6K w - - 0 1", "a1", "The howitzer on a1 is heavy artillery: it moves along its rank or file to empty squares, or fires 3 or 4 squares in any direction over anything. From here it can fire at a4, a5 and d4."},
		{"k7/8/8/8/8/2p5/8/B6K b - - 0 1", "a1", "The gun on a1 is light artillery: it moves diagonally to empty squares, fires 1 or 2 squares in any direction over anything, or does both in either order. From here it can fire at c3."},
		{"", "e2", "The infantry on e2 moves one square in any direction, also to capture, and from its second rank also two squares straight ahead."},
		{"", "b8", "The tank on b8 takes exactly three steps along ranks and files, turning at will, and captures every enemy it enters. Its own pieces stop it, and it can enter the enemy king's square only on the third step."},
		{"k7/8/8/8/8/8/8/Qr5K w - - 0 1", "a1", "The plane on a1 flies to any empty square if it likes, then can take one step as infantry, three as a tank, or a gun's move or shot. It can't enter a square in range of enemy artillery. Enemy artillery keeps it off b4, b5, e1, e4, f1 and f5."},
		{"k7/8/8/8/8/8/8/Q6K w - - 0 1", "a1", "The plane on a1 flies to any empty square if it likes, then can take one step as infantry, three as a tank, or a gun's move or shot. It can't enter a square in range of enemy artillery. No enemy artillery limits it now."},
		{"", "e1", "The king on e1 moves as in chess, and is never shot and never passed through. Artillery of its own on a1, c1, f1 and h1 covers its square, so a plane must destroy that on its way to take the king. This piece can't move now: no square in its reach is free."},
	} {
		rulestest.Tells(t, position(t, c.fen), c.square, c.want)
	}
}
