package rules_test

import (
	"testing"

	"chimera/rules"
	"chimera/rules/internal/rulestest"
	"chimera/rules/variants"
)

func TestInvalidFENsAreRefused(t *testing.T) {
	for _, c := range []struct{ rule, fen string }{
		{"six fields", "4k3/8/8/8/8/8/8/4K3 w - - 0"},
		{"eight ranks", "4k3/8/8/8/8/8/4K3 w - - 0 1"},
		{"eight files", "4k4/8/8/8/8/8/8/4K3 w - - 0 1"},
		{"eight files", "4k2/8/8/8/8/8/8/4K3 w - - 0 1"},
		{"no digit beyond the rank", "9/4k3/8/8/8/8/8/4K3 w - - 0 1"},
		{"no hole on this board", "4k3/*7/8/8/8/8/8/4K3 w - - 0 1"},
		{"known letters only", "4k3/8/8/8/8/8/8/4KX2 w - - 0 1"},
		{"one spelling of a set", "4k3/8/8/8/8/8/8/4K1[NR]1 w - - 0 1"},
		{"a plain piece has no brackets", "4k3/8/8/8/8/8/8/4K1[R]1 w - - 0 1"},
		{"no mixed case in one bracket", "4k3/8/8/8/8/8/8/4K1[Rn]1 w - - 0 1"},
		{"a bracket is closed", "4k3/8/8/8/8/8/8/4K1[RN1 w - - 0 1"},
		{"side w or b", "4k3/8/8/8/8/8/8/4K3 x - - 0 1"},
		{"no second king", "4k3/8/8/8/8/8/8/3KK3 w - - 0 1"},
		{"no missing king", "8/8/8/8/8/8/8/4K3 w - - 0 1"},
		{"no pawn on the first rank", "4k3/8/8/8/8/8/8/P3K3 w - - 0 1"},
		{"no pawn on the last rank", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1"},
		{"castling needs the rook at home", "4k3/8/8/8/8/8/8/4K3 w K - 0 1"},
		{"castling needs the king at home", "4k3/8/8/8/8/8/8/R2K4 w Q - 0 1"},
		{"castling letters in order", "r3k2r/8/8/8/8/8/8/R3K2R w QK - 0 1"},
		{"castling letters once", "r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1"},
		{"en passant behind a pawn", "4k3/8/8/8/8/8/8/4K3 w - e6 0 1"},
		{"en passant on the right rank", "4k3/8/8/4p3/8/8/8/4K3 w - e5 0 1"},
		{"en passant with the home square empty", "4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1"},
		{"en passant is a square", "4k3/8/8/8/8/8/8/4K3 w - j9 0 1"},
		{"half-move clock from 0", "4k3/8/8/8/8/8/8/4K3 w - - -1 1"},
		{"half-move clock is whole", "4k3/8/8/8/8/8/8/4K3 w - - 1.5 1"},
		{"no sign before a counter", "4k3/8/8/8/8/8/8/4K3 w - - +1 1"},
		{"move number from 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 0"},
		{"the side not to move is not in check", "4k3/8/8/8/8/8/8/4RK2 w - - 0 1"},
		{"not endless", "4k3/8/8/8/8/8/8/4K3 w - - 0 1" + string(make([]byte, 2000))},
	} {
		for _, v := range variants.All() {
			if v.Key != "chess" && v.Key != "combine" && v.Key != "combine-free" {
				continue
			}
			rulestest.BadFEN(t, v, c.fen, "")
		}
	}
}

func TestEnPassantIsKeptOnlyWhereAPawnStandsReady(t *testing.T) {
	for _, c := range []struct{ fen, want string }{
		{"4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1", "4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1"},
		{"4k3/8/8/4p3/8/8/8/4K3 w - e6 0 1", "4k3/8/8/4p3/8/8/8/4K3 w - - 0 1"},
		// A pinned pawn counts as ready.
		{"3rk3/8/8/3Pp3/8/8/8/3K4 w - e6 0 1", "3rk3/8/8/3Pp3/8/8/8/3K4 w - e6 0 1"},
	} {
		if got := position(t, "chess", c.fen).FEN(); got != c.want {
			t.Errorf("%s is read as %s", c.fen, got)
		}
	}
}

func TestAFENPieceThatIsSpeltAnotherWayIsNamed(t *testing.T) {
	for _, c := range []struct{ key, fen, want string }{
		{"stealth", "4k3/8/8/8/8/8/8/G3K3 w - - 0 1", `"G" in rank 1 of the FEN board is no piece of Stealth Bomber Chess: write [G].`},
		{"stealth", "4k3/8/8/8/[bbrr]7/8/8/4K3 w - - 0 1", `"[bbrr]" in rank 4 of the FEN board is no piece of Stealth Bomber Chess: write [qq].`},
		{"combine", "4k3/8/8/8/8/8/8/4K1[NR]1 w - - 0 1", `"[NR]" in rank 1 of the FEN board is no piece of Combine Chess: write [RN].`},
		{"combine", "4k3/8/8/8/8/8/8/4K1[R]1 w - - 0 1", `"[R]" in rank 1 of the FEN board is no piece of Combine Chess: write R.`},
		{"combine", "4k3/8/8/8/8/8/8/4KX2 w - - 0 1", `"X" in rank 1 of the FEN board is no piece of Combine Chess.`},
	} {
		rulestest.BadFEN(t, rules.Find(variants.All(), c.key), c.fen, c.want)
	}
}

func TestPiecesAreFoundInAnySpelling(t *testing.T) {
	for _, c := range []struct{ key, letters, want string }{
		{"stealth", "RRBBN", "QQN"},
		{"stealth", "BBRR", "QQ"},
		{"stealth", "rbn", "QN"},
		{"stealth", "RBG", "QG"},
		{"stealth", "RRRBBB", "QQQ"},
		{"stealth", "fwn", "NWF"},
		{"combine", "NR", "RN"},
		{"combine", "BR", "RB"},
		{"combine", "Q", "Q"},
		{"combine", "nq", "QN"},
		{"chess", "RB", ""},
		{"knightmare", "RB", ""},
		{"combine", "NN", ""},
		{"stealth", "KR", ""},
		{"stealth", "", ""},
	} {
		table := position(t, c.key, "").Variant().Table
		if got := table[table.Find(c.letters)].Code; got != c.want {
			t.Errorf("%s: %s is found as %q, want %q", c.key, c.letters, got, c.want)
		}
	}
}
