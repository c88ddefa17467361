package stealth_test

import (
	"testing"

	"chimera/rules/internal/rulestest"
	"chimera/rules/stealth"
)

func TestChatText(t *testing.T) {
	for _, c := range []struct {
		fen, coordinate, written string
		read                     []string // what people may write for it too
	}{
		{ // a pawn becomes what it captures
			"7k/8/8/3n4/2P5/8/8/K7 w - - 0 1", "c4d5", "c~Nd5",
			[]string{"cxd5", "cd5", "c4d5", "~Nd5", "c4xd5", "Pd5", "c~d5", "c～Nd5"},
		},
		{ // whatever stands on the file and can
			"7k/8/8/8/2Rn4/8/8/K7 w - - 0 1", "c4d4", "R~Nd4",
			[]string{"c~Nd4", "~Nd4", "Rxd4", "Rd4", "rd4", "R~d4", "♖～Nd4", "R ~ N d4!"},
		},
		{ // what stays what it was only captures
			"7k/8/8/8/2Rp4/8/8/K7 w - - 0 1", "c4d4", "Rxd4", []string{"R~Pd4", "Rd4", "R×d4"},
		},
		{"7k/8/8/8/2Qr4/8/8/K7 w - - 0 1", "c4d4", "Qxd4+", []string{"Qxd4", "Q~Rd4", "Qd4"}},
		{"7k/8/8/8/2[RN]r4/8/8/K7 w - - 0 1", "c4d4", "RNxd4", []string{"rnd4"}},
		{"7k/8/8/8/2[RN]b4/8/8/K7 w - - 0 1", "c4d4", "RN~Bd4+", []string{"RN~Bd4", "rn~bd4"}},
		{"7k/8/8/8/2[RN]5/8/8/K7 w - - 0 1", "c4d4", "RNd4", []string{"RNcd4", "RN4d4", "RNc4-d4"}},
		{"7k/8/8/8/8/4[QN]3/8/K7 w - - 0 1", "e3e4", "QNe4", []string{"qne4"}},
		{ // en passant makes a captain
			"7k/8/8/3pP3/8/8/8/K7 w - d6 0 1", "e5d6", "e~Pd6", []string{"exd6", "ed6", "~Pd6", "e~d6"},
		},
		{"7k/8/8/3c4/2P5/8/8/K7 w - - 0 1", "c4d5", "c~Cd5", []string{"cxd5"}},
		{ // a small letter that fits as a file is one
			"7k/8/8/3n4/2PC4/8/8/K7 w - - 0 1", "c4d5", "c~Nd5", []string{"cd5"},
		},
		{ // and else a captain's
			"7k/8/8/2n5/3C4/8/8/K7 w - - 0 1", "d4c5", "C~Nc5", []string{"cc5", "c~nc5", "C~c5", "d~Nc5"},
		},
		{"7k/8/8/2p5/3C4/8/8/K7 w - - 0 1", "d4c5", "Cxc5", []string{"cxc5", "C~Pc5"}},
		{"7k/8/8/8/3C4/8/8/K7 w - - 0 1", "d4d5", "Cd5", []string{"cd5"}},
		{"6k1/4P3/8/8/8/8/8/K7 w - - 0 1", "e7e8p", "e8=WF", []string{"e8=P", "e8", "e8P", "e8=p", "e8wf", "e7e8=P"}},
		{"6k1/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8r", "a8=R+", []string{"a8", "a8=R", "a8R"}},
		{ // no letter for a capture
			"3rr1k1/3P4/8/8/8/8/8/K7 w - - 0 1", "d7e8", "d~Re8+", []string{"dxe8", "de8"},
		},
		{"k7/8/8/8/8/8/1q6/K7 w - - 0 1", "a1b2", "Kxb2", []string{"K~Qb2", "Kb2"}},
		{"k7/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O", []string{"0-0", "oo", "Kg1"}},
		{ // a run names what it captures on the way, and its sign where it ends
			"7k/8/n7/8/n7/8/8/[RRR]5K1 w - - 0 1", "a1a8xa4xa6", "RRRa8*a4*a6+", []string{"rrra8*a6*a4", "RRRa8 *a4*a6"},
		},
		{"7k/8/n7/8/b7/8/8/[RRR]5K1 w - - 0 1", "a1a6xa4", "RRR~Na6*a4", []string{"RRRxa6*a4"}},
		{ // judged over the whole run: the pawn adds nothing, the bishop did
			"7k/8/p7/8/b7/8/8/[RRR]5K1 w - - 0 1", "a1a6xa4", "RRR~Pa6*a4", []string{"RRRxa6*a4"},
		},
		{"7k/8/p7/8/p7/8/8/[RRR]5K1 w - - 0 1", "a1a6xa4", "RRRxa6*a4", nil},
		{ // a leap over a piece who stays
			"7k/8/8/8/n7/8/8/[RRR]5K1 w - - 0 1", "a1a6", "RRRa6", nil,
		},
		{ // file, rank or both tell pieces apart
			"7k/8/8/3n4/8/[RR]7/8/[RR]5K1 w - - 0 1", "a1a2", "RR1a2", nil,
		},
		{"7k/8/7r/8/8/8/1R6/[RRR]5K1 w - - 0 1", "b2b8", "Rb8+", nil},
		{"7k/7p/8/8/8/8/1R4K1/[RRR]7 w - - 0 1", "b2b8", "Rb8+", nil},
		{"k7/8/7r/8/8/8/1R6/2[RRR]3K1 w - - 0 1", "c1a1", "RRRa1#", []string{"RRRa1", "RRRa1+"}},
	} {
		rulestest.Written(t, position(t, c.fen), c.coordinate, c.written, c.read...)
	}
}

func TestEffects(t *testing.T) {
	rulestest.Effects(t, stealth.Stealth(), []rulestest.Case{
		{"a step", "7k/8/8/8/8/8/8/KR6 w - - 0 1", "b1b2", "moved R b1b2"},
		{"an absorption", "7k/8/8/8/8/8/1n6/KR6 w - - 0 1", "b1b2", "absorbed n b1b2 into RN, moved R b1b2"},
		{"a capture that adds nothing", "7k/8/8/8/8/8/1p6/1R5K w - - 0 1", "b1b2", "captured p b1b2, moved R b1b2"},
		{"en passant", "7k/8/8/3pP3/8/8/8/K7 w - d6 0 1", "e5d6", "absorbed p e5d5 into C, moved P e5d6"},
		{"a promotion", "6k1/4P3/8/8/8/8/8/K7 w - - 0 1", "e7e8p", "moved P e7e8, promoted P e8e8 into WF"},
		{"castling", "k7/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "moved K e1g1, castled R h1f1"},
		{"a king's capture", "k7/8/8/8/8/8/1q6/K7 w - - 0 1", "a1b2", "captured q a1b2, moved K a1b2"},
		{"a run, in the order of its way", "[RRR]7/7k/p7/8/b7/8/8/n5K1 w - - 0 1", "a8a1xa4xa6", "captured p a8a6, absorbed b a8a4 into RRRB, absorbed n a8a1 into RRRBN, moved RRR a8a1 by a6 a4 a1"},
		{"a run that ends on a pawn after a bishop", "7k/8/p7/8/b7/8/8/[RRR]5K1 w - - 0 1", "a1a6xa4", "absorbed b a1a4 into RRRB, absorbed p a1a6 into RRRB, moved RRR a1a6 by a4 a6"},
	})
}

func TestAmbiguousTextIsAnsweredWithItsMoves(t *testing.T) {
	rulestest.Ambiguous(t, position(t, "7k/8/8/3n4/8/[RR]7/8/[RR]5K1 w - - 0 1"), "RRa2", "RR1a2", "RR3a2")
}
