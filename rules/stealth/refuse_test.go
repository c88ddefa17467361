package stealth_test

import (
	"testing"

	"chimera/rules"
	"chimera/rules/internal/rulestest"
	"chimera/rules/stealth"
)

func TestRefusals(t *testing.T) {
	for r := range rulestest.Rows(t, "testdata/refused.txt") {
		_, err := position(t, r[0]).Parse(r[1])
		rulestest.Refused(t, err, rules.Reason(r[2]), r[3])
	}
}

// What no text can say, a program may still ask for.
func TestRefusalsOfMovesThatTextsDoNotMake(t *testing.T) {
	pos := position(t, "4k3/8/n7/8/b7/8/7P/R3K2R w KQ - 0 1")
	shape, table := pos.Variant().Shape, pos.Variant().Table
	at := shape.Parse
	for _, c := range []struct {
		m      rules.Move
		reason rules.Reason
	}{
		{rules.Move{From: at("e1"), To: at("g1")}, rules.NotPossible},
		{rules.Move{Act: rules.Castle, From: at("h1"), To: at("f1")}, rules.CannotCastle},
		{rules.Move{From: at("a1"), To: at("a3"), Kills: at("a2").Set()}, stealth.NoRun},
		{rules.Move{From: at("h2"), To: at("h3"), Kills: at("a4").Set()}, stealth.NoRun},
		{rules.Move{From: at("a1"), To: at("a3"), Role: table.Role("Q")}, rules.NoPromotion},
		{rules.Move{From: at("a1"), To: at("a3"), With: at("h2")}, rules.NotPossible},
		{rules.Move{Act: rules.Split, From: at("a1"), To: at("a2"), Role: table.Role("R")}, stealth.OnlyByCapture},
		{rules.Move{From: at("a1"), To: at("a1")}, rules.CannotReach},
		{rules.Move{From: rules.NoSquare, To: at("a1")}, rules.OffBoard},
	} {
		_, err := pos.Play(c.m)
		rulestest.Refused(t, err, c.reason, "")
	}
}
