package knightmare_test

import (
	"strings"
	"testing"

	"chimera/rules/internal/rulestest"
)

const (
	queenTakesKnight = "4k3/8/8/8/8/8/2n5/3Q2K1 w - - 0 1 -"
	queenOrKnight    = "4k3/8/8/8/8/2[Nq]5/8/6K1 w - - 0 1 -"
)

// Each text is what the program writes for the move, and what people may write.
func TestChatText(t *testing.T) {
	for _, c := range []struct {
		fen, move, written string
		read               []string
	}{
		{queenTakesKnight, "d1c2", "Q~Nc2", []string{
			"Q~Nc2", "q~nc2", "Qxc2", "Q~c2", "~Nc2", "~c2", "d~Nc2", "d1~Nc2", "d~c2", "QxNc2", "Qc2", "qc2", "Qdc2",
			"Q ~ N c2", "Q～Nc2", "Q∼Nc2", "Q-c2", "Qc2!", "d1c2", "d1-c2", "♕~♞c2",
		}},
		{queenOrKnight, "c3e4", "QNe4", []string{"QNe4", "qne4", "QN-e4", "QNce4", "QNc3e4", "c3e4", "Ne4", "ne4", "QNe4+"}},
		{"4k3/8/8/8/8/2[Qn]5/8/6K1 w - - 0 1 -", "c3e3", "QNe3+", []string{"QNe3", "Qe3", "qe3+"}},
		{"4k3/8/8/4p3/8/2[Nq]5/3N4/6K1 w - - 0 1 -", "c3e4", "QNe4", []string{"QNe4"}},
		{"4k3/8/8/4p3/8/2[Nq]5/3N4/6K1 w - - 0 1 -", "d2e4", "Ne4", []string{"Ne4", "ne4", "Nde4"}}, // a whole name fits first
		{"4k3/8/8/8/4r3/2[Nq]5/8/6K1 w - - 0 1 -", "c3e4", "QNxe4", []string{"QNxe4", "QNe4", "Nxe4", "N~Re4", "qnxre4"}},
		{"4k3/8/8/3[Bq]4/8/2N5/8/4K3 w - - 0 1 -", "c3d5", "Nxd5", []string{"Nxd5", "Nd5", "N~QBd5", "NxQBd5", "N~d5"}},
		{"4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1 -", "e4d5", "exd5", []string{"exd5", "ed5", "e~Rd5", "xd5"}},
		{"1k6/8/8/8/R2n3R/8/8/6K1 w - - 0 1 -", "a4d4", "Ra~Nd4", []string{"Ra~Nd4", "Ra~d4", "Raxd4", "a~Nd4", "Rad4"}},
		{"k7/3R4/8/8/3n4/8/8/3R2K1 w - - 0 1 -", "d1d4", "R1~Nd4", []string{"R1~Nd4", "R1xd4"}},
		{"6k1/8/8/[Rn]6[Rn]/8/8/8/6K1 w - - 0 1 -", "a5e5", "RNae5", []string{"RNae5", "Rae5", "RNa5e5", "a5e5"}},
		{"7k/8/8/[Qn]6[Nq]/8/6K1/8/8 w - - 0 1 -", "h5f6", "QNf6", []string{"QNf6", "Nf6"}},
		{"k7/8/8/8/2P1n3/2R5/8/6K1 w - - 0 1 -", "c3e3", "Re3", []string{"Re3", "Rce3", "re3"}},
		{"rnbqkbnr/pppppppp/8/1N6/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 4 -", "b5c7", "Nxc7#", []string{"Nxc7#", "Nxc7", "nc7", "b5c7"}},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 -", "e1g1", "O-O", []string{"O-O", "0-0", "oo", "e1g1"}},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 -", "h1h8", "R~Rh8+", []string{"R~Rh8+", "Rxh8", "R~h8", "h~Rh8"}},
		{"3[Rr]4/2P3k1/8/8/8/8/8/4K3 w - - 0 1 -", "c7d8q", "cxd8=Q", []string{"cxd8=Q", "cd8q", "cxRRd8=Q"}},
	} {
		rulestest.Written(t, position(t, c.fen), c.move, c.written, c.read...)
	}
}

func TestASignChoosesFirst(t *testing.T) {
	// The rook joins the knight on d4, or takes the pawn on b3.
	pos := position(t, "4k3/8/8/8/1R1n4/1p6/8/6K1 w - - 0 1 -")
	for text, want := range map[string]string{"~d4": "b4d4", "xb3": "", "~": "", "R~b3": "b4b3", "Rxd4": "b4d4"} {
		m, err := pos.Parse(text)
		if want == "" {
			if err == nil {
				t.Errorf("%q is read", text)
			}
		} else if err != nil || pos.Variant().Coordinate(m) != want {
			t.Errorf("%q is read as %v (%v), want %s", text, m, err, want)
		}
	}
}

func TestWhatFitsSeveralMovesIsAnsweredWithThem(t *testing.T) {
	rulestest.Ambiguous(t, position(t, "1k6/8/8/8/R2n3R/8/8/6K1 w - - 0 1 -"), "R~Nd4", "Ra~Nd4", "Rh~Nd4")
}

func TestHow(t *testing.T) {
	const base = "The knightmare on d5 belongs to both sides: White moves it as a knight, Black as a rook. It removes what it captures. With the rook it can give check to White, with the knight to Black."
	for _, c := range []struct{ fen, square, want string }{
		{"4k3/8/8/3[Nr]4/8/8/8/4K3 w - - 0 1 -", "d5", base + " White can move it now."},
		{"4k3/8/8/3[Nr]4/8/8/8/4K3 b - - 0 1 -", "d5", base + " Black can move it now."},
		{"4k3/8/8/3[Nr]4/8/8/8/4K3 b - - 0 1 d5", "d5", base + " It's frozen: it was formed or moved in the last turn, so Black can't move it in this one. It still gives check, and can be captured."},
		{"4k3/8/8/3[Nr]4/8/8/8/4K3 w - - 0 1 -", "e1", "The king on e1 moves one square in any direction, never into check, and castles with a rook."},
		{"4k3/8/8/3[Nr]4/8/8/8/4K3 w - - 0 1 -", "a1", ""},
		{"4k3/8/8/4r3/8/8/4R3/4K3 w - - 0 1 -", "e2", "The rook on e2 moves as in chess, and if it captures an enemy knight, bishop, rook or queen, the two become a knightmare. It removes whatever else it captures. It can't join the rook on e5 now: that would leave your king in check."},
		{"4k3/8/8/4r3/8/8/4R3/4K3 w - - 0 1 -", "e5", "The rook on e5 moves as in chess, and if it captures an enemy knight, bishop, rook or queen, the two become a knightmare. It removes whatever else it captures."},
	} {
		rulestest.Tells(t, position(t, c.fen), c.square, c.want)
	}
	pinned := position(t, "4k3/8/8/4r3/8/8/4[Nb]3/4K3 w - - 0 1 -")
	if got := pinned.How(pinned.Variant().Shape.Parse("e2")).String(); !strings.HasSuffix(got, "White has no legal move with it now.") {
		t.Errorf("a pinned knightmare: %s", got)
	}
}
