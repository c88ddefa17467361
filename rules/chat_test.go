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
)

func TestChatTextIsWritten(t *testing.T) {
	for r := range rulestest.Rows(t, "testdata/written.txt") {
		rulestest.Written(t, position(t, r[0], r[1]), r[2], r[3])
	}
}

func TestChatTextIsReadLeniently(t *testing.T) {
	for r := range rulestest.Rows(t, "testdata/read.txt") {
		t.Run(r[0], func(t *testing.T) { rulestest.Reads(t, position(t, r[1], r[2]), r[3], r[4]) })
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
