package rules_test

import (
	"errors"
	"testing"

	"chimera/rules"
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
	for r := range rulestest.Rows(t, "testdata/refused.txt") {
		_, err := position(t, r[0], r[1]).Parse(r[2])
		rulestest.Refused(t, err, rules.Reason(r[3]), "")
	}
	for _, text := range []string{"", "e4\x00", "\xff\xfe"} {
		_, err := position(t, "chess", "").Parse(text)
		rulestest.Refused(t, err, rules.Unreadable, "")
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
