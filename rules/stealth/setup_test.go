package stealth_test

import (
	"cmp"
	"testing"

	"chimera/rules/internal/rulestest"
	"chimera/rules/stealth"
)

func TestBadPositionsAreRefused(t *testing.T) {
	for _, c := range []struct{ rule, fen, sentence string }{
		{"a set has one spelling", "4k3/8/8/8/8/8/[NR]7/4K3 w - - 0 1", `"[NR]"`},
		{"equal levels of both lines are Q", "4k3/8/8/8/8/8/[RB]7/4K3 w - - 0 1", `"[RB]"`},
		{"redundant powers are dropped", "4k3/8/8/8/8/8/[RW]7/4K3 w - - 0 1", `"[RW]"`},
		{"a Pegasus is a knight anyway", "4k3/8/8/8/8/8/[NG]7/4K3 w - - 0 1", `"[NG]"`},
		{"there is no fourth level", "4k3/8/8/8/8/8/[RRRR]7/4K3 w - - 0 1", `"[RRRR]"`},
		{"a rook has no brackets", "4k3/8/8/8/8/8/[R]7/4K3 w - - 0 1", `"[R]"`},
		{"a captain has no brackets", "4k3/8/8/8/8/8/[C]7/4K3 w - - 0 1", `"[C]"`},
		{"a Pegasus has brackets", "4k3/8/8/8/8/8/G7/4K3 w - - 0 1", `"G"`},
		{"half a prince has brackets", "4k3/8/8/8/8/8/w7/4K3 w - - 0 1", `"w"`},
		{"a pawn joins nothing", "4k3/8/8/8/8/8/[RP]7/4K3 w - - 0 1", `"[RP]"`},
		{"a king joins nothing", "4k3/8/8/8/8/8/[KN]7/4K3 w - - 0 1", `"[KN]"`},
		{"a captain joins nothing", "4k3/8/8/8/8/8/[CN]7/4K3 w - - 0 1", `"[CN]"`},
		{"a bracket has one case", "4k3/8/8/8/8/8/[Rn]7/4K3 w - - 0 1", `"[Rn]"`},
		{"a bracket has letters", "4k3/8/8/8/8/8/[]7/4K3 w - - 0 1", `"[]"`},
		{"a side has a king", "4k3/8/8/8/8/8/8/8 w - - 0 1", "White has 0"},
		{"a side has one king", "4k2k/8/8/8/8/8/8/4K3 w - - 0 1", "Black has 2"},
		{"no pawn stands on the first rank", "4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "a1"},
		{"no pawn stands on the last rank", "4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "h8"},
		{"an aeroplane does not castle", "4k3/8/8/8/8/8/8/[RR]3K3 w Q - 0 1", "rook on a1"},
		{"a king away from home does not castle", "4k3/8/8/8/8/8/8/R2K4 w Q - 0 1", "rook on a1"},
		{"a captain has made no double step", "4k3/8/8/3cP3/8/8/8/4K3 w - d6 0 1", "d6"},
		{"there are six fields", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 -", "6 fields"},
		{"the side not to move is not in a rook's check", "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "Black may not be in check"},
		{"nor in an aeroplane's over one piece", "4k3/4p3/8/8/8/8/8/4[RR]1K1 w - - 0 1", "White is to move, so Black may not be in check, but the aeroplane on e1 gives it."},
		{"nor in a rocket's over any number", "7k/6p1/5p2/4p3/3p4/8/8/[BBB]5K1 w - - 0 1", "rocket on a1"},
		{"nor in a captain's", "4k3/3C4/8/8/8/8/8/6K1 w - - 0 1", "captain on d7"},
		{"nor in a prince's", "4k3/3[WF]4/8/8/8/8/8/6K1 w - - 0 1", "prince on d7"},
	} {
		t.Run(c.rule, func(t *testing.T) { rulestest.BadFEN(t, stealth.Stealth(), c.fen, c.sentence) })
	}
}

func TestReadPositionsAreWrittenSo(t *testing.T) {
	for _, c := range []struct{ rule, fen, want string }{
		{"every kind of letters", "[rrb]3k3/[nwf]c6/8/8/8/8/C[QQN]6/[RBBN]3K3 w - - 3 9", ""},
		{"sets of one letter", "4k3/[g]7/[f]7/8/8/8/[W]7/[G]3K3 w - - 3 9", ""},
		{"a captain stands on any rank", "c3k3/8/8/8/8/8/8/C3K3 w - - 0 1", ""},
		{"a pinned pawn stands ready en passant", "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", ""},
		{"no pawn ready, no square", "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1"},
		{"a captain stands not ready", "4k3/8/8/3pC3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pC3/8/8/8/4K3 w - - 0 1"},
	} {
		if got := position(t, c.fen).FEN(); got != cmp.Or(c.want, c.fen) {
			t.Errorf("%s\n%s: written as %s", c.rule, c.fen, got)
		}
	}
}
