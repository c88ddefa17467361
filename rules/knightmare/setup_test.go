package knightmare_test

import (
	"testing"

	"chimera/rules/internal/rulestest"
	"chimera/rules/knightmare"
)

func TestFENIsWrittenAsItIsRead(t *testing.T) {
	rulestest.SameFEN(t, knightmare.Knightmare(),
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -",
		"4k3/8/8/3[Nr][Qb]3/8/8/8/6K1 b - - 12 34 d5",
		"[Nn][Bb][Rr][Qq]4/8/8/8/k7/8/8/5[Nb]K1 w - - 0 1 -",
		"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1 -",
		"4k3/8/8/3pP3/8/8/8/4K1[Nb]1 w - d6 0 1 g1", // no ply makes both, but each alone may be read
	)
	for fen, want := range map[string]string{
		"4k3/8/8/3[Nr]4/8/8/8/4K3 w - - 0 1":     "4k3/8/8/3[Nr]4/8/8/8/4K3 w - - 0 1 -", // a missing seventh field reads as -
		"4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1 -":     "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1 -",    // no pawn stands ready
		"4k3/8/8/3p[Nr]3/8/8/8/6K1 w - d6 0 1 -": "4k3/8/8/3p[Nr]3/8/8/8/6K1 w - - 0 1 -",
	} {
		if got := position(t, fen).FEN(); got != want {
			t.Errorf("%s is written as %s", fen, got)
		}
	}
}

func TestFENsThatDescribeNoPosition(t *testing.T) {
	for _, c := range []struct{ fen, sentence string }{
		{"4k3/8/8/3[Nr]4/8/8/8/4K3 w - - 0 1 d4", "The frozen square d4 holds no knightmare."},
		{"4k3/8/8/3N4/8/8/8/4K3 w - - 0 1 d5", "The frozen square d5 holds no knightmare."},
		{"4k3/8/8/3[Nr]4/8/8/8/4K3 w - - 0 1 d9", "The frozen field"},
		{"4k3/8/8/3[Nr]4/8/8/8/4K3 w - - 0 1 - -", "has 7 fields"},
		{"4k3/8/8/3[Nr]4/8/8/8/4K3 w - - 0", "has 7 fields"},
		{"4k3/8/8/3[Pr]4/8/8/8/4K3 w - - 0 1 -", "The piece on d5 cannot be a knightmare"},
		{"4k3/8/8/3[Np]4/8/8/8/4K3 w - - 0 1 -", "The piece on d5 cannot be a knightmare"},
		{"4k3/8/8/3[Kr]4/8/8/8/8 w - - 0 1 -", "The piece on d5 cannot be a knightmare"},
		{"4k3/8/8/3[Nk]4/8/8/8/4K3 w - - 0 1 -", "The piece on d5 cannot be a knightmare"},
		{"4k3/8/8/3[rN]4/8/8/8/4K3 w - - 0 1 -", `"[rN]" in rank 5`},
		{"4k3/8/8/3[RN]4/8/8/8/4K3 w - - 0 1 -", `"[RN]" in rank 5`},
		{"4k3/8/8/3[rn]4/8/8/8/4K3 w - - 0 1 -", `"[rn]" in rank 5`},
		{"4k3/8/8/3[NBr]4/8/8/8/4K3 w - - 0 1 -", `"[NBr]" in rank 5`},
		{"4k3/8/8/3[Nrb]4/8/8/8/4K3 w - - 0 1 -", `"[Nrb]" in rank 5`},
		{"4k3/8/8/3[NrB]4/8/8/8/4K3 w - - 0 1 -", `"[NrB]" in rank 5`},
		{"4k3/8/8/3[N]4/8/8/8/4K3 w - - 0 1 -", `"[N]" in rank 5`},
		{"4k3/8/8/3[]4/8/8/8/4K3 w - - 0 1 -", `"[]" in rank 5`},
		{"4k3/8/8/3[Nr]5/8/8/8/4K3 w - - 0 1 -", "does not fit"},
		{"4k3/8/8/3*4/8/8/8/4K3 w - - 0 1 -", `"*" in rank 5`},
		{"4k3/8/8/8/8/8/8/4K1K1 w - - 0 1 -", "White has 2"},
		{"8/8/8/8/8/8/8/4K3 w - - 0 1 -", "Black has 0"},
		{"4k2P/8/8/8/8/8/8/4K3 w - - 0 1 -", "A pawn cannot stand on h8"},
		{"4k3/8/8/8/8/8/8/p3K3 w - - 0 1 -", "A pawn cannot stand on a1"},
		{"4k3/8/8/8/8/8/8/4K2[Rb] w K - 0 1 -", "Castling with the rook on h1 is over"},
		{"4k3/8/8/8/8/8/8/4K2[Rb] b K - 0 1 -", "Castling with the rook on h1 is over"},
		{"[Nr]3k3/8/8/8/8/8/8/4K3 w q - 0 1 -", "Castling with the rook on a8 is over"},
		{"4k3/8/8/8/8/8/8/4K2N w K - 0 1 -", "Castling with the rook on h1 needs"},
		{"4k3/8/8/8/8/8/8/5K1R w K - 0 1 -", "Castling with the rook on h1 needs"},
		{"4k3/8/8/8/8/8/8/4K2R w KK - 0 1 -", "The castling field"},
		{"4k3/8/8/8/8/4[Rn]3/8/4K3 w - - 0 1 -", "Black may not be in check from the knightmare on e3"},
		{"4k3/8/8/8/8/4[Rn]3/8/4K3 w - - 0 1 e3", "Black may not be in check from the knightmare on e3"},
		{"4k3/8/8/8/8/4[Nr]3/8/4K3 b - - 0 1 -", "White may not be in check from the knightmare on e3"},
		{"4k3/8/8/8/8/4R3/8/4K3 w - - 0 1 -", "Black may not be in check"},
		{"4k3/8/8/3[Nr]4/8/8/8/4K3 w - d6 0 1 -", "No pawn can just have skipped the en-passant square d6."},
		{"4k3/3[Nb]4/8/3pP3/8/8/8/4K3 w - d6 0 1 -", "No pawn can just have skipped the en-passant square d6."},
	} {
		rulestest.BadFEN(t, knightmare.Knightmare(), c.fen, c.sentence)
	}
}
