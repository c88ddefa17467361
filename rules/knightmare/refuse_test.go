package knightmare_test

import (
	"testing"

	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/internal/rulestest"
)

func TestRefusals(t *testing.T) {
	for r := range rulestest.Rows(t, "testdata/refused.txt") {
		t.Run(r[0], func(t *testing.T) {
			_, err := position(t, r[1]).Parse(r[2])
			rulestest.Refused(t, err, rules.Reason(r[3]), r[4])
		})
	}
}

func TestRefusalsOfMovesThatNoTextMeans(t *testing.T) {
	const a1, c3, d5 rules.Square = 0, 18, 35
	pos := position(t, "4k3/8/8/3[Nr]4/8/8/8/R3K3 w - - 0 1 -")
	for _, c := range []struct {
		m      rules.Move
		reason rules.Reason
	}{
		{rules.Move{From: d5, To: c3, Role: fide.Queen}, rules.NoPromotion},
		{rules.Move{Act: rules.Castle, From: d5, To: c3}, rules.NotPossible},
		{rules.Move{From: d5, To: c3, Kills: a1.Set()}, rules.NotPossible},
		{rules.Move{Act: rules.Merge, From: d5, To: c3}, rules.CannotMerge},
		{rules.Move{Act: rules.Merge, From: a1, To: d5}, rules.CannotReach},
		{rules.Move{Act: rules.Merge, From: c3, To: d5}, rules.NoSuchPiece},
		{rules.Move{Act: rules.Rally, From: a1, With: d5, To: c3}, rules.CannotMerge},
		{rules.Move{Act: rules.Split, Role: fide.Knight, From: d5, To: c3}, rules.CannotSplit},
	} {
		_, err := pos.Play(c.m)
		rulestest.Refused(t, err, c.reason, "")
	}
}
