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
	for _, c := range []struct {
		rule, fen, coordinate, chat string
		read                        string // other ways to write it
	}{
		{"a shot from where it stands", "k7/8/8/4p3/8/2B5/8/7K w - - 0 1", "c3c3xe5", "B*e5", "Bc3*e5 c3*e5 b*e5 B*E5 ♗*e5"},
		{"a move without a shot", "k7/8/8/5p2/8/8/8/1B5K w - - 0 1", "b1d3", "Bd3", "Bb1d3 Bb1-d3 b1-d3 bd3"},
		{"a move with a shot", "k7/8/8/5p2/8/8/8/1B5K w - - 0 1", "b1d3xf5", "Bd3*f5", "Bb1-d3*f5 b1d3*f5 Bb1d3*f5"},
		{"a shot, then the move to that square", "7k/8/8/8/8/8/1p6/B6K w - - 0 1", "a1b2", "Bxb2", "Ba1xb2 Ba1*b2-b2"},
		{"is not the shot alone", "7k/8/8/8/8/8/1p6/B6K w - - 0 1", "a1a1xb2", "B*b2", "Ba1*b2"},
		{"a shot that opens the way", "7k/8/8/8/8/8/1p6/B6K w - - 0 1", "a1d4xb2", "Bd4*b2", "Ba1*b2-d4 Ba1d4*b2"},
		{"heavy artillery fires", "k7/8/8/8/p7/8/8/R6K w - - 0 1", "a1a1xa4", "R*a4", "Ra1*a4 r*a4"},
		{"an armor kills on its way", "k7/8/8/8/8/8/1p6/1N5K w - - 0 1", "b1c3xb2", "Nc3*b2", "Nb1-c3*b2 Nb1-b2-b3-c3 nb1b2b3c3 Nb1xb2-b3-c3 b1–b2–b3–c3 Nb1-b2-b3-c3*b2"},
		{"and where it ends", "k7/8/8/8/8/2p5/1p6/1N5K w - - 0 1", "b1c3xb2", "Nxc3*b2", "Nc3*b2 Nb1-b2-b3xc3 Nb1xc3*b2 Nb1-b2-b3-c3"},
		{"several pieces, sorted", "k7/8/8/8/8/8/1pp5/1N5K w - - 0 1", "b1c3xb2xc2", "Nc3*b2*c2", "Nc3*c2*b2 Nb1-b2-c2-c3 Nc3*b2*c2!"},
		{"without a kill on another path", "k7/8/8/8/8/8/1p6/1N5K w - - 0 1", "b1c3", "Nc3", "Nb1-c1-c2-c3 b1-c1-c2-c3 Nb1c3"},
		{"a queen's flight", "k7/8/8/8/8/7R/8/Q6K w - - 0 1", "a1e5", "Qe5+", "Qa1-e5 a1e5 Qa1-c3-e5 Qa1-e4-e5"},
		{"a queen's flight and shot", "k7/8/5n2/8/8/7R/8/Q6K w - - 0 1", "a1e5xf6", "Qe5*f6+", "Qa1-e5*f6"},
		{"a queen's shot", "7k/8/8/8/8/1p6/8/Q6K w - - 0 1", "a1b1xb3", "Qb1*b3+", "Qa1-b1*b3"},
		{"a queen's shot without moving", "7k/8/8/8/8/2p5/8/Q6K w - - 0 1", "a1a1xc3", "Q*c3+", "Qa1*c3 Q*c3"},
		{"a queen's flight and kill", "7k/8/8/8/8/2p5/8/Q6K w - - 0 1", "a1c3", "Qxc3+", "Qa1xc3 Qa1-d4xc3 Qc3"},
		{"a queen's flight and raid", "4k3/8/8/3pp3/8/8/8/Q6K w - - 0 1", "a1e6xd5xe5", "Qe6*d5*e5+", "Qa1-d4-d5-e5-e6 Qa1-d4xd5xe5-e6"},
		{"a pawn kills", "k7/8/8/3p4/4P3/8/8/7K w - - 0 1", "e4d5", "exd5", "e4xd5 e4d5 ed5"},
		{"a pawn becomes something", "8/4P3/8/8/k7/8/8/7K w - - 0 1", "e7e8q", "e8=Q+", "e8Q e8q e7e8Q"},
		{"also where it takes the king", "4k3/3P4/8/8/8/8/8/7K w - - 0 1", "d7e8n", "dxe8=N#", "de8N dxe8N"},
		{"castling", "k7/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1", "O-O", "0-0 oo OO e1g1"},
		{"of two pawns, the one straight ahead needs no file", "k7/8/8/8/8/4P3/3P4/7K w - - 0 1", "e3e4", "e4", "e3e4 e3-e4"},
		{"the one that goes aslant does", "k7/8/8/8/8/3PP3/8/7K w - - 0 1", "d3e4", "de4", "d3e4 d3-e4 de4"},
		{"mate is check", "k7/8/8/8/8/7p/8/P6K b - - 0 1", "h3g2", "g2+", "h3g2 hg2"},
		{"the king's capture", "8/8/8/8/8/8/2kK4/8 w - - 0 1", "d2c2", "Kxc2#", "Kc2 kxc2"},
		{"of two queens, the file", "k7/8/8/8/2p5/8/2K5/Q6Q w - - 0 1", "a1b4xc4", "Qab4*c4+", "Qa1-b4*c4 Qa1b4*c4"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			rulestest.Written(t, position(t, c.fen), c.coordinate, c.chat, strings.Fields(c.read)...)
		})
	}
}

func TestRefusals(t *testing.T) {
	const open = "k7/8/8/8/8/8/8/"
	for _, c := range []struct {
		fen  string
		move rules.Move
		want rules.Reason
		says string
	}{
		{"", move("e4e5"), rules.NoSuchPiece, "There is no piece on e4."},
		{"", move("e7e5"), rules.NotYours, "The infantry on e7 is your opponent's."},
		{"", rules.Move{Act: rules.Merge, From: sq("b1"), To: sq("c1")}, rules.NotPossible, "Pieces neither merge nor split in this game."},
		{"", move("a1a2"), rules.OwnPiece, "Your own infantry stands on a2."},
		{"", move("b1b1"), brigade.NothingDone, "The tank on b1 must move or capture something."},
		{"", move("b1c3xb3"), rules.NothingToTake, "There is nothing on b3 to capture."},
		{"", move("b1c3xb2"), rules.OwnPiece, "The infantry on b2 is your own: you can't capture it."},
		{"", move("e2e5"), rules.CannotReach, "The infantry on e2 can't reach e5."},
		{"", move("e1e3"), rules.CannotReach, "The king on e1 can't reach e3."},
		{"", move("e1g1"), rules.CannotCastle, "You can't castle: something stands between king and howitzer."},
		{"k7/8/8/8/8/8/8/4K3 w - - 0 1", move("e1g1"), rules.CannotCastle, "You can't castle: you have no howitzer in that corner."},
		{"k7/8/8/8/8/8/5p2/4K2R w - - 0 1", move("e1g1"), rules.CannotCastle, "You can't castle: the king is in check."},
		{"k7/8/8/8/8/8/6p1/4K2R w - - 0 1", move("e1g1"), rules.CannotCastle, "You can't castle: the king would pass through check."},
		{"k7/8/8/8/8/8/7p/4K2R w - - 0 1", move("e1g1"), rules.CannotCastle, "You can't castle: the king would be in check on g1."},
		{"k7/8/8/8/8/8/8/4K2R w - - 0 1", move("e1g1"), rules.CannotReach, "A king moves two squares only to castle."},
		{"k7/8/8/8/8/8/8/4K2R w - - 0 1", with(move("e1g1"), fide.Queen), rules.NoPromotion, "The king on e1 doesn't promote on g1."},
		{"", rules.Move{From: sq("e2"), To: sq("e4"), With: sq("a1") + 1}, rules.NotPossible, "Pieces neither merge nor split in this game."},
		{open + "3K3R w - - 0 1", rules.Move{Act: rules.Castle, From: sq("d1"), To: sq("f1")}, rules.CannotCastle, "You can't castle: your king isn't on e1."},
		{"k7/8/8/8/4p3/8/4P3/7K w - - 0 1", move("e2e4"), rules.BlockedWay, "The way from e2 to e4 is blocked by the infantry on e4."},
		{"k7/8/8/8/4p3/4p3/4P3/7K w - - 0 1", move("e2e4"), rules.BlockedWay, "The way from e2 to e4 is blocked by the infantry on e3."},
		{"k7/8/8/8/4p3/8/4P3/7K w - - 0 1", move("e2e3xe4"), brigade.CannotFire, "The infantry on e2 captures only where it goes."},
		{"8/4P3/8/8/k7/8/8/7K w - - 0 1", move("e7e8"), rules.NoPromotion, "On e8 infantry becomes a plane, howitzer, gun or tank: say which, as in =Q, =R, =B or =N."},
		{"8/8/4P3/8/k7/8/8/7K w - - 0 1", with(move("e6e7"), fide.Queen), rules.NoPromotion, "The infantry on e6 doesn't promote on e7."},
		{open + "N6K w - - 0 1", with(move("a1a2"), fide.Queen), rules.NoPromotion, "The tank on a1 doesn't promote on a2."},
		{open + "N6K w - - 0 1", move("a1c1"), rules.CannotReach, "The tank on a1 takes exactly three steps along ranks and files, so it can't end on c1."},
		{"k7/8/8/8/8/8/P7/NP5K w - - 0 1", move("a1c2"), rules.BlockedWay, "Every way of three steps from a1 to c2 is blocked for the tank."},
		{"k7/8/8/8/8/8/p7/NP5K w - - 0 1", move("a1c2"), rules.MissingCapture, "The tank on a1 can't end on c2 without capturing on the way: name each square where it captures after a *."},
		{"k7/8/8/7p/8/8/8/N6K w - - 0 1", move("a1c2xh5"), rules.MissingCapture, "The tank on a1 can't end on c2 with exactly those captures."},
		{"8/8/8/8/8/8/1k6/N6K w - - 0 1", move("a1c2xb2"), brigade.KingNotShot, "The king on b2 is neither shot nor passed through: a piece must end its move there to take it."},
		{"k7/8/2p5/p7/8/8/8/B6K w - - 0 1", move("a1a1xa5xc6"), brigade.OneShot, "The gun on a1 has one shot a turn."},
		{"k7/8/8/8/3p4/p7/8/B6K w - - 0 1", move("a1d4xa3"), brigade.OneShot, "The gun on a1 has one shot a turn, so not both a3 and d4."},
		{"k7/8/8/8/3p4/8/8/B6K w - - 0 1", move("a1d4"), brigade.OutOfRange, "Guns capture only by shooting (range 1–2): d4 is out of range from a1."},
		{"k7/8/8/8/3p4/8/8/B6K w - - 0 1", move("a1e5"), rules.BlockedWay, "The way from a1 to e5 is blocked by the infantry on d4."},
		{"k7/8/8/8/3p4/8/8/B6K w - - 0 1", move("a1b1"), rules.CannotReach, "The gun on a1 can't reach b1."},
		{"k7/8/8/8/3p4/8/8/B6K w - - 0 1", move("a1a1xd4"), brigade.OutOfRange, "d4 is out of range for a shot from a1: guns shoot 1–2 squares in the eight directions."},
		{"k7/8/8/p7/8/8/8/B6K w - - 0 1", move("a1b2xa5"), brigade.OutOfRange, "a5 is out of range for a shot from a1 and from b2: guns shoot 1–2 squares in the eight directions."},
		{"8/8/8/8/8/k7/8/B6K w - - 0 1", move("a1a3"), brigade.KingNotShot, "The gun on a1 can't take the king on a3: artillery never does."},
		{"k7/8/8/8/p7/8/8/R6K w - - 0 1", move("a1b1xa4"), brigade.MoveOrFire, "The howitzer on a1 can't move and shoot in one turn."},
		{"k7/8/8/8/8/8/p7/R6K w - - 0 1", move("a1a1xa2"), brigade.OutOfRange, "a2 is out of range for a shot from a1: howitzers shoot 3–4 squares in the eight directions."},
		{"k7/8/8/8/p7/8/8/R6K w - - 0 1", move("a1a4"), brigade.EmptyOnly, "The howitzer on a1 can shoot the infantry on a4, but can't move there."},
		{"k7/8/8/8/p7/8/8/R6K w - - 0 1", move("a1a5"), rules.BlockedWay, "The way from a1 to a5 is blocked by the infantry on a4."},
		{"k7/8/8/8/p7/8/8/R6K w - - 0 1", move("a1b2"), rules.CannotReach, "The howitzer on a1 can't reach b2."},
		{"k7/8/8/3b4/8/8/8/Q6K w - - 0 1", move("a1d4"), brigade.UnderFire, "The plane on a1 can't enter d4: the gun on d5 covers it."},
		{"k7/8/8/3b4/8/8/8/Q6K w - - 0 1", move("a1d5"), brigade.UnderFire, "The plane on a1 has no square from which to take on d5: each is occupied or under fire."},
		{"k7/8/8/3p4/8/8/8/Q6K w - - 0 1", move("a1a2xd5"), brigade.OutOfRange, "d5 is out of range for a shot from a2: planes shoot 1–2 squares in the eight directions."},
		{"k7/8/8/3pp3/8/8/8/Q6K w - - 0 1", move("a1a2xd5xe5"), rules.MissingCapture, "The plane on a1 can't end on a2 with exactly those captures."},
		{"1r3k2/8/8/8/8/8/8/Q6K w - - 0 1", move("a1f8"), brigade.UnderFire, "The plane on a1 can't enter f8: the howitzer on b8 covers it."},
		{"k7/8/8/8/8/1p6/8/K7 w - - 0 1", move("a1a2"), rules.LeavesCheck, "Your king would be in check on a2 from the infantry on b3."},
		{"k7/8/8/8/8/q7/1P4P1/K7 w - - 0 1", move("g2g3"), rules.LeavesCheck, "That leaves your king on a1 in check from the plane on a3."},
		{open + "KB5q w - - 0 1", move("b1d3"), rules.LeavesCheck, "That leaves your king on a1 in check from the plane on h1."},
		{"8/8/8/8/8/8/PPP5/1k6 w - - 0 1", move("a2a3"), rules.GameOver, "The game is over: a king is gone."},
	} {
		pos := position(t, c.fen)
		_, err := pos.Play(c.move)
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
	for _, c := range []struct{ rule, fen, text string }{
		{"an armor takes three steps", "k7/8/8/8/8/8/8/1N5K w - - 0 1", "Nb1-b2-b3"},
		{"each to a neighbour", "k7/8/8/8/8/8/8/1N5K w - - 0 1", "Nb1-b2-b4-c4"},
		{"orthogonally", "k7/8/8/8/8/8/8/1N5K w - - 0 1", "Nb1-c2-c3-c4"},
		{"not through a friend", "k7/8/8/8/8/8/1P6/1N5K w - - 0 1", "Nb1-b2-b3-c3"},
		{"not through the king", "8/8/8/8/8/8/1k6/1N5K w - - 0 1", "Nb1-b2-b3-c3"},
		{"stars stand at those that die", "k7/8/8/8/8/8/1pp5/1N5K w - - 0 1", "Nb1-b2-b3-c3*c2"},
		{"an x stands between squares only", "k7/8/8/8/8/8/8/1N5K w - - 0 1", "Nb1xbx2xb3xc3"},
		{"not for another's piece", "k7/8/8/8/8/8/8/1n5K w - - 0 1", "Nb1-b2-b3-c3"},
		{"not for a piece of another name", "k7/8/8/8/8/8/8/1N5K w - - 0 1", "Rb1-b2-b3-c3"},
		{"a queen lands on no covered square", "k7/8/8/3b4/8/8/8/Q6K w - - 0 1", "Qa1-d4-d3-d2-d1"},
		{"nor passes one on a bishop's move", "k7/8/8/r7/8/8/8/Q2R3K w - - 0 1", "Qa1-b2-e5"},
		{"nor steps on one", "k7/8/8/3b4/8/8/8/Q6K w - - 0 1", "Qa1-g2-f3"},
		{"a bishop needs the range of its shot first", "k7/8/8/p7/8/8/8/B6K w - - 0 1", "Ba1*a5-c3"},
		{"a rook has no paths", "k7/8/8/8/p7/8/8/R6K w - - 0 1", "Ra1*a4-b1"},
	} {
		if m, err := position(t, c.fen).Parse(c.text); err == nil {
			t.Errorf("%s: %s %s is read as %v", c.rule, c.fen, c.text, m)
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
		{"", "a1", "The howitzer on a1 is heavy artillery: it moves along its rank or file to empty squares, or fires 3 or 4 squares in any direction over anything. From here it has nothing to fire at."},
		{"k7/8/8/p7/p2p4/8/8/R6K w - - 0 1", "a1", "The howitzer on a1 is heavy artillery: it moves along its rank or file to empty squares, or fires 3 or 4 squares in any direction over anything. From here it can fire at a4, a5 and d4."},
		{"k7/8/8/8/8/2p5/8/B6K b - - 0 1", "a1", "The gun on a1 is light artillery: it moves diagonally to empty squares, fires 1 or 2 squares in any direction over anything, or does both in either order. From here it can fire at c3."},
		{"", "e2", "The infantry on e2 moves one square in any direction, also to capture, and from its second rank also two squares straight ahead."},
		{"", "b8", "The tank on b8 takes exactly three steps along ranks and files, turning at will, and captures every enemy it enters. Its own pieces stop it, and it can enter the enemy king's square only on the third step."},
		{"k7/8/8/8/8/8/8/Qr5K w - - 0 1", "a1", "The plane on a1 flies to any empty square if it likes, then can take one step as infantry, three as a tank, or a gun's move or shot. It can't enter a square in range of enemy artillery. Enemy artillery keeps it off b4, b5, e1, e4, f1 and f5."},
		{"k7/8/8/8/8/8/8/Q6K w - - 0 1", "a1", "The plane on a1 flies to any empty square if it likes, then can take one step as infantry, three as a tank, or a gun's move or shot. It can't enter a square in range of enemy artillery. No enemy artillery limits it now."},
		{"", "e1", "The king on e1 moves as in chess, and is never shot and never passed through. Artillery of its own on a1, c1, f1 and h1 covers its square, so a plane must destroy that on its way to take the king."},
	} {
		rulestest.Tells(t, position(t, c.fen), c.square, c.want)
	}
}
