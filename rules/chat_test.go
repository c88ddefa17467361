package rules_test

import (
	"errors"
	"testing"

	"chimera/rules"
	"chimera/rules/combine"
	"chimera/rules/fide"
	"chimera/rules/internal/rulestest"
	"chimera/rules/variants"
)

func position(t testing.TB, key, fen string) *rules.Position {
	t.Helper()
	return rulestest.Position(t, rules.Find(variants.All(), key), fen)
}

// Positions that the tables below share.
const (
	// Rooks a1 and h1, knights b1 and f3 of White, bishop c1; a black knight d4
	// and pawns c4, e6.
	open = "4k3/8/4p3/8/2pn4/1P3N2/P2P4/RNB1K2R w KQ - 0 1"
	// A rook-knight d4, a rook-bishop a1, a queen-knight h1, a bishop-knight e2.
	hybrids = "4k3/8/8/8/3[RN]4/8/4[BN]3/[RB]3K2[QN] w - - 0 1"
	// A white pawn on b4 and a bishop on d3 can both come to c5 or c4.
	files = "4k3/8/8/2p5/1P6/3B4/8/4K3 w - - 0 1"
)

func TestChatTextIsWritten(t *testing.T) {
	for _, c := range []struct{ key, fen, move, want string }{
		{"chess", "", "e2e4", "e4"},
		{"chess", "", "g1f3", "Nf3"},
		{"chess", open, "f3d4", "Nxd4"},
		{"chess", open, "b3c4", "bxc4"},
		{"chess", open, "e1g1", "O-O"},
		{"chess", "r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8", "O-O-O"},
		{"chess", "8/4P3/8/8/k7/8/8/4K3 w - - 0 1", "e7e8q", "e8=Q+"},
		{"chess", "3r4/4P3/8/8/k7/8/8/4K3 w - - 0 1", "e7d8n", "exd8=N"},
		{"chess", "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3", "d4e3", "dxe3"},
		{"chess", "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7g7", "Qg7#"},
		// Two knights: by file; two rooks of a file: by rank; three queens: by both.
		{"chess", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2"},
		{"chess", "4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "a1a3", "R1a3"},
		{"chess", "1k6/8/8/8/Q6Q/8/8/K6Q w - - 0 1", "h4e4", "Qh4e4"},
		{"combine", "", "b1~a1", "N~Ra1"},
		{"combine", "", "a1~b1", "R~Nb1"},
		{"combine", "4k3/8/8/8/8/8/3R4/3BK2R w K - 0 1", "d2~d1", "R~Bd1"},
		{"combine", "4k3/8/8/2R5/8/8/8/2B1K1NR w K - 0 1", "c5~c1", "R~Bc1"},
		{"combine", "4k3/8/8/3R4/8/3B4/8/3RK3 w - - 0 1", "d5~d3", "R5~Bd3"},
		{"combine", hybrids, "d4/Ne5", "RNd4/Ne5"},
		{"combine", hybrids, "d4e6", "RNe6+"},
		{"combine-free", "4k3/8/8/8/2R5/8/3N4/4K3 w - - 0 1", "c4+d2~e4", "R+N~e4+"},
		{"combine-free", "4k3/8/8/8/2R1p3/8/3N4/4K3 w - - 0 1", "c4+d2~e4", "R+Nx~e4+"},
		{"combine-free", "4k3/8/8/4N3/2R5/8/3N4/4K3 w - - 0 1", "c4+d2~e4", "R+N~e4"},
	} {
		rulestest.Written(t, position(t, c.key, c.fen), c.move, c.want)
	}
}

func TestChatTextIsReadLeniently(t *testing.T) {
	for _, c := range []struct{ rule, key, fen, text, want string }{
		{"coordinate text comes first", "chess", "", "g1f3", "g1f3"},
		{"endings aside", "chess", "", "Nf3!?", "g1f3"},
		{"endings aside", "chess", "", "e4+", "e2e4"},
		{"a draw offer's sign aside", "chess", "", "e4=", "e2e4"},
		{"the case of piece letters is free", "chess", "", "nf3", "g1f3"},
		{"a capital that is no piece's letter is a file", "chess", "", "E4", "e2e4"},
		{"a small b is the file before it is the bishop", "chess", files, "bxc5", "b4c5"},
		{"a small b that fits no file is the bishop", "chess", files, "bc4", "d3c4"},
		{"a capital B is the bishop", "chess", files, "Bc4", "d3c4"},
		{"hyphens may be extra", "chess", "", "e2-e4", "e2e4"},
		{"hyphens may be extra", "chess", "", "N-f3", "g1f3"},
		{"dashes of all kinds", "chess", open, "O–O", "e1g1"},
		{"zeros for O", "chess", open, "0-0", "e1g1"},
		{"castling without hyphens, in small letters", "chess", open, "oo", "e1g1"},
		{"spaces may be extra", "chess", open, " N x d4 ", "f3d4"},
		{"the sign may be missing", "chess", open, "Nd4", "f3d4"},
		{"the sign may be extra", "chess", "", "Nxf3", "g1f3"},
		{"the promotion's sign may be missing", "chess", "8/4P3/8/8/k7/8/8/4K3 w - - 0 1", "e8q", "e7e8q"},
		{"a promotion in brackets of nothing", "chess", "8/4P3/8/8/k7/8/8/4K3 w - - 0 1", "e7-e8=N", "e7e8n"},
		{"target letters after x", "chess", open, "NxNd4", "f3d4"},
		{"a capture named by its file alone", "chess", open, "fxNd4", "f3d4"},
		{"a mover left out before target letters", "chess", open, "xNd4", "f3d4"},
		{"a bare square is a pawn's", "chess", "4k3/8/8/8/8/8/3PN3/4K3 w - - 0 1", "d4", "d2d4"},
		{"merging", "combine", "", "n~ra1", "b1~a1"},
		{"spaces about the tilde", "combine", "", "N ~ R a1", "b1~a1"},
		{"whatever stands on the file", "combine", "", "b~Ra1", "b1~a1"},
		{"a capital file from a phone", "combine", "", "G~Rh1", "g1~h1"},
		{"no mover at all", "combine", "", "~Ra1", "b1~a1"},
		{"the target's letters left out", "combine", "", "N~a1", "b1~a1"},
		{"a split", "combine", hybrids, "RNd4/Ne5", "d4/Ne5"},
		{"a split by its square", "combine", hybrids, "d4/ne5", "d4/Ne5"},
		{"a split where unique", "combine", hybrids, "/Nc5", "d4/Nc5"},
		{"a split by its letters", "combine", hybrids, "rn/re5", "d4/Re5"},
		{"a rally", "combine-free", "4k3/8/8/8/2R5/8/3N4/4K3 w - - 0 1", "r+n e4", "c4+d2~e4"},
		{"a rally the other way round", "combine-free", "4k3/8/8/8/2R5/8/3N4/4K3 w - - 0 1", "N+R~e4", "c4+d2~e4"},
		{"a rally with squares", "combine-free", "4k3/8/8/8/2R5/8/3N4/4K3 w - - 0 1", "Rc4+Nd2~e4", "c4+d2~e4"},
		{"a rally by squares alone", "combine-free", "4k3/8/8/8/2R5/8/3N4/4K3 w - - 0 1", "c4+d2e4", "c4+d2~e4"},
	} {
		t.Run(c.rule, func(t *testing.T) { rulestest.Reads(t, position(t, c.key, c.fen), c.text, c.want) })
	}
}

func TestAmbiguousTextIsAnsweredWithTheCandidates(t *testing.T) {
	rulestest.Ambiguous(t, position(t, "chess", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"), "Nd2", "Nbd2", "Nfd2")
	rulestest.Ambiguous(t, position(t, "combine", hybrids), "d4/e5", "RNd4/Re5", "RNd4/Ne5")
}

func TestRefusalsHaveTheirReason(t *testing.T) {
	const checked = "4k3/8/8/8/8/8/4q3/RN2K2R w KQ - 0 1"
	for _, c := range []struct {
		key, fen, text string
		want           rules.Reason
	}{
		{"chess", "", "hello", rules.Unreadable},
		{"chess", "", "", rules.Unreadable},
		{"chess", "", "e4\x00", rules.Unreadable},
		{"chess", "", string([]byte{0xff, 0xfe}), rules.Unreadable},
		{"chess", "", "e9", rules.OffBoard},
		{"chess", "", "z4", rules.OffBoard},
		{"chess", "", "e5", rules.CannotReach},
		{"chess", "", "Nd4", rules.CannotReach},
		{"chess", "", "Bc4", rules.BlockedWay},
		{"chess", "", "Nxd4", rules.CannotReach},
		{"chess", "", "Nd2", rules.OwnPiece},
		{"chess", "", "exd3", rules.NothingToTake},
		{"chess", "", "a7a5", rules.NotYours},
		{"chess", "", "a5a6", rules.NoSuchPiece},
		{"chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Qd4", rules.NoSuchPiece},
		{"chess", "", "O-O", rules.CannotCastle},
		{"chess", "8/4P3/8/8/k7/8/8/4K3 w - - 0 1", "e8=K", rules.NoPromotion},
		{"chess", "8/4P3/8/8/k7/8/8/4K3 w - - 0 1", "e8", rules.NoPromotion},
		{"chess", "4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1", "Bd3", rules.LeavesCheck},
		{"chess", "4r2k/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra2", rules.LeavesCheck},
		{"chess", "7k/8/5K2/8/8/8/8/6R1 b - - 0 1", "Kg8", rules.LeavesCheck},
		{"chess", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "Kg8", rules.GameOver},
		{"combine", "", "R~Bc1", combine.OutOfRange},
		{"combine", "", "Q~Rh1", rules.CannotMerge},
		{"combine", "", "b1~b2", rules.CannotMerge},
		{"combine", checked, "N~Ra1", combine.MergeInCheck},
		{"combine", "4r2k/8/8/8/8/8/4R3/2B1K3 w - - 0 1", "e2~c1", combine.OutOfRange},
		{"combine", "4r2k/8/8/8/8/4R3/8/2B1K3 w - - 0 1", "R~Bc1", rules.LeavesCheck},
		{"combine", "4r2k/8/8/8/8/8/8/[RN]3K3 w - - 0 1", "RNa1/Na2", combine.SplitInCheck},
		{"combine", hybrids, "RNd4/Bd5", rules.CannotSplit},
		{"combine", hybrids, "RNd4/Nd6", rules.CannotSplit},
		{"combine", "", "b1/Nb3", rules.CannotSplit},
		{"combine", "4k3/8/8/8/2R5/8/3N4/4K3 w - - 0 1", "R+N~e4", combine.StrictGame},
		{"combine-free", "4k3/8/8/8/2R5/8/3N4/4K3 w - - 0 1", "R+N~e5", combine.NoMeeting},
		{"combine-free", "4r2k/8/8/8/8/8/8/[RN]3K3 w - - 0 1", "RNa1/Na2", combine.SplitInCheck},
	} {
		_, err := position(t, c.key, c.fen).Parse(c.text)
		rulestest.Refused(t, err, c.want, "")
	}
}

func TestAMoveThatWasNotGeneratedIsRefused(t *testing.T) {
	pos := position(t, "chess", "")
	for _, m := range []rules.Move{
		{},
		{From: 12, To: 200},
		{From: 12, To: 28, With: 3},
		{From: 12, To: 28, Kills: 1},
		{From: 12, To: 28, Role: fide.Queen},
		{Act: rules.Merge, From: 0, To: 1},
	} {
		var no *rules.Illegal
		if _, err := pos.Play(m); !errors.As(err, &no) || no.Reason == "" {
			t.Errorf("%+v: %v", m, err)
		}
	}
}

func TestWhatIsWrongIsNamedRightly(t *testing.T) {
	for _, c := range []struct{ key, fen, move, want string }{
		// A pinned bishop takes what gives check: the rook behind it is what remains.
		{"chess", "4rk2/8/8/8/8/3n4/4B3/4K3 w - - 0 1", "Bxd3", "That leaves your king in check from the rook on e8. "},
		{"chess", "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "exd6", "That leaves your king in check from the rook on h5. "},
		{"chess", "5rk1/8/8/8/8/8/8/R3K3 b Q - 0 1", "O-O", "Your king can't castle from g8. "},
		{"chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "castle", "That fits 2 moves. "},
		{"chess", "", "e5", "None of your pawns can reach e5. "},
		{"combine", "4k3/8/8/8/3[RN]4/8/8/4K3 w - - 0 1", "d4/d7", "A part can only move to a neighbouring square, and d7 isn't next to d4."},
		{"combine", "4k3/8/8/8/3[RN]4/8/8/4K3 w - - 0 1", "d4/Bd5", "A rook-knight has no bishop in it."},
		{"combine", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "/Be5", "You have no piece that can split like that."},
		{"combine", "", "Q~Bd1", "The queen on d1 can't merge with itself: name the square of another piece of yours."},
		{"combine", "7k/7p/1[BN][BN][BN]4/1[BN]1[BN]4/1[BN][BN]5/8/8/4K3 w - - 0 1", "/c5", "That fits 14 moves. "},
	} {
		rulestest.Answered(t, position(t, c.key, c.fen), c.move, c.want)
	}
}
