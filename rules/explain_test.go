package rules_test

import (
	"testing"

	"chimera/rules/internal/rulestest"
)

func TestAnIllegalMoveIsAnsweredWithWhatIsWrongAndWhatToWrite(t *testing.T) {
	const (
		crossed = "4k3/8/8/8/8/B1N5/2P5/2B1K3 w - - 0 1"
		merges  = "4k3/8/8/8/8/8/8/R3K1N1 w - - 0 1"
		rallies = "4k3/8/8/8/8/2R5/5N2/Q3K2B w - - 0 1"
		bombers = "4k3/8/8/8/p7/8/8/[RRR]3K3 w - - 0 1"
	)
	for _, c := range []struct{ key, fen, text, want string }{
		// A bare file before the x is a pawn's, and no other piece's.
		{"chess", crossed, "cxb4", "The pawn on c2 can't reach b4. Similar legal moves: Bb4."},
		{"chess", "", "cxb4", "The pawn on c2 can't reach b4. Similar legal moves: c4, c3, b4."},
		{"chess", "", "exd5", "The pawn on e2 can't reach d5. Similar legal moves: e4, e3."},
		{"chess", "4k3/8/8/3p4/8/8/8/4K2R w - - 0 1", "exd5", "You have no pawn on the e-file."},
		{"knightmare", "", "exd5", "The pawn on e2 can't reach d5. "},
		{"combine", "", "Rb1", "Your own knight stands on b1: write a merge with ~. Did you mean R~Nb1?"},
		{"combine", "", "exd5", "The pawn on e2 can't reach d5. "},
		{"brigade", "", "exd5", "The infantry on e2 can't reach d5. "},
		{"stealth", "", "exd5", "The pawn on e2 can't reach d5. "},
		{"combination", "", "cxd6", "The pawn on c4 can't reach d6. "},
		{"chess", "", "exd3", "There is nothing for the pawn on e2 to capture on d3. Similar legal moves: e3, e4, d3."},

		// A bare square is none where a pawn of another file would capture.
		{"chess", "4k3/8/8/8/4P3/8/3P4/4K3 w - - 0 1", "d5", "None of your pawns can reach d5."},
		{"chess", "4k3/8/8/8/4P3/8/3P4/4K3 w - - 0 1", "exd5", "There is nothing for the pawn on e4 to capture on d5."},

		// What a shot cannot reach is out of range.
		{"brigade", "", "Q*d7", "d7 is out of range for a shot from d1: planes shoot 1–2 squares in the eight directions."},
		{"brigade", "", "Q*f7", "f7 is out of range for a shot from d1: planes shoot 1–2 squares in the eight directions."},
		{"brigade", "", "Qd3*d7", "d7 is out of range for a shot from d3: planes shoot 1–2 squares in the eight directions."},
		{"brigade", "k7/8/8/8/8/8/p7/R6K w - - 0 1", "Rxa2", "Howitzers capture only by shooting (range 3–4): a2 is out of range from a1."},
		{"brigade", "k7/8/8/8/p7/8/8/R6K w - - 0 1", "Rxa4", "The howitzer on a1 can shoot the infantry on a4, but can't move there. Similar legal moves: R*a4."},
		{"brigade", "", "Nb1-b2-b3-c3", "The tank on b1 can't enter b2: your own infantry stands there."},
		{"brigade", "", "Nb1-c1-d2-d3", "The tank on b1 can't enter c1: your own gun stands there."},
		{"brigade", "4kb2/5p2/8/7Q/8/8/8/4K3 w - - 0 1", "Qh5xf7", "The plane on h5 can't enter f7: the gun on f8 covers it. Similar legal moves: Q*f7"},
		{"brigade", "4k3/5p2/8/8/8/8/8/3QK3 w - - 0 1", "Qh5xf7", "Write a shot with *. Did you mean Qh5*f7?"},
		{"brigade", "4k3/5p2/8/8/8/8/8/3QK3 w - - 0 1", "Qa1xf7", "You have no plane on a1."},
		{"stealth", "", "Q*d4", "The queen on d1 captures only where it lands: it can't shoot."},
		{"stealth", bombers, "RRR*a4", "A run ends on another square: name it before the first *. Similar legal moves: RRRxa4, RRRa5*a4"},
		{"stealth", "4k3/8/8/8/p7/8/8/R3K3 w - - 0 1", "a1a8xa4", "The rook on a1 can't capture on the way to a8: only bombers can."},

		// Joining.
		{"knightmare", "4k3/8/8/3[Nr]4/8/8/8/3QK3 w - - 0 1 -", "Q~Nd5", "d5 has a knightmare already: you would capture it. Write Qxd5."},
		{"knightmare", "4k3/8/8/8/8/8/1[Bn]6/4K3 w - - 0 1 -", "NBc3", "That move is legal, but not as written: write BNc3."},
		{"combine", merges, "R~Bd1", "Nothing stands on d1: write Rd1."},
		{"combine", "4k3/8/8/2p5/3P4/8/8/4K3 w - - 0 1", "d~Nc5", "The piece on c5 is a pawn: write dxc5."},
		{"combine", "4k3/8/8/8/8/8/2b5/3QK3 w - - 0 1", "Q~Nc2", "The piece on c2 is a bishop: write Qxc2."},
		{"combine", "3bk3/8/8/8/8/8/8/3RK3 w - - 0 1", "R~Bxd8", "That move is legal, but not as written: write Rxd8."},
		{"knightmare", "4k3/3p4/8/8/8/8/8/3QK3 w - - 0 1", "QxNd7", "The piece on d7 is a pawn: write Qxd7."},
		{"combine", merges, "R~N", "Name the square too, as in R~Bd4."},
		{"combine", merges, "N~Be2", "Nothing stands on e2: write Ne2."},
		{"chess", "rnbqk1nr/pppp1ppp/8/4p3/1b2P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", "d3", "That leaves your king in check from the bishop on b4. Did you mean Bd3?"},
		{"chess", "", "e4 please", "That move is legal, but not as written: write e4."},
		{"combine-free", rallies, "R+Nx~e1", "The rook on c3 and the knight on f2 can't merge: neither can move to the other."},
		{"combine-free", rallies, "R+Q~e4", "The queen on a1 and the rook on c3 can't merge. Allowed pairs: R+B, R+N, B+N, Q+N (unmerged pieces only)."},
		{"combine-free", "4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "R+R~d1", "The rook on a1 and the rook on h1 can't merge. Allowed pairs: R+B"},
		{"combine-free", "4k3/8/8/8/2R5/8/3N4/4K3 w - - 0 1", "R+Nx~b5", "The rook on c4 can't move to b5 now."},
		{"combine", "1[qn]2k3/8/8/8/8/8/8/4K3 b - - 0 1", "Qc2", "You have no queen: there is one in the queen-knight on b8."},

		// The moves of other pieces than the one on a square that is named are not similar.
		{"chess", "", "b1e4", "The knight on b1 can't reach e4. Similar legal moves: Nc3, Na3."},

		// What there is not.
		{"combination", "", "O-O", "There is no castling in this game."},
		{"chess", "", "Nf3=Q", "Only pawns promote, not the knight on g1."},
		{"chess", "", "Yc3", "Y isn't a piece of this game. Similar legal moves: Nc3, c3."},
		{"combine", "", "/Ng5", "You have no piece that can split like that."},
		{"chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Nc3", "You have no knight."},
		{"chess", "4k3/8/8/8/8/8/8/N3K3 w - - 0 1", "Nc7d5", "You have no knight on c7."},
	} {
		rulestest.Answered(t, position(t, c.key, c.fen), c.text, c.want)
	}
}

func TestALetterOfAnotherLanguageIsAnsweredWithTheRightOne(t *testing.T) {
	const open = "4k3/8/8/3p4/2P5/2N5/8/4K3 w - - 0 1"
	for _, c := range []struct{ key, fen, text, want string }{
		{"chess", "", "Sf3", "The knight is written N here, not S. Did you mean Nf3?"},
		{"chess", "", "Sg5", "The knight is written N here, not S. None of your knights can reach g5."},
		{"chess", "", "Tb1", "The rook is written R here, not T. Your own knight stands on b1."},
		{"chess", "", "Lc4", "The bishop is written B here, not L. The way from f1 to c4 is blocked by the pawn on e2. Similar legal moves: c4."},
		{"chess", "", "Fc4", "The bishop is written B here, not F. "},
		{"chess", "", "Cc3", "The knight is written N here, not C. Did you mean Nc3 or c3?"},
		{"chess", open, "Cxd5", "The knight is written N here, not C. Did you mean Nxd5 or cxd5?"},
		{"chess", "4k3/8/8/3p4/2P5/8/8/4K3 w - - 0 1", "Cxd5", "The knight is written N here, not C. You have no knight. Did you mean cxd5?"},
		{"chess", "", "Кf3", "The knight is written N here, not К. Did you mean Nf3?"},
		{"chess", "", "К f3", "The knight is written N here, not К. Did you mean Nf3?"},
		{"chess", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "Сс4", "The bishop is written B here, not С. Did you mean Bc4?"},
		{"chess", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "Фh5", "The queen is written Q here, not Ф. Did you mean Qh5?"},
		{"chess", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "Кре2", "The king is written K here, not Кр. Did you mean Ke2?"},
		{"chess", "rnbqkbnr/1P2pppp/8/p7/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 5", "bxa8=Ф", "The queen is written Q here, not Ф. Did you mean bxa8=Q?"},
		{"chess", "", "Сf3", "The bishop is written B here, not С. "},
		{"chess", "", "Кd4", "The knight is written N here, not К. "},
		{"chess", "", "Лa4", "The rook is written R here, not Л. The way from a1 to a4 is blocked"},
		{"chess", "", "Крe2", "The king is written K here, not Кр. Your own pawn stands on e2."},
		{"combine", "", "Tb1", "The rook is written R here, not T. Your own knight stands on b1: write a merge with ~."},
		{"combination", "", "Ta5", "The rook is written R here, not T. "},
	} {
		rulestest.Answered(t, position(t, c.key, c.fen), c.text, c.want)
	}
	// Phones begin a line with a capital.
	pos := position(t, "chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
	if m, err := pos.Parse("Exd5"); err != nil || pos.Chat(m) != "exd5" {
		t.Errorf("Exd5 is %v, %v", m, err)
	}
}
