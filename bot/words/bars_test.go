package words

import (
	"testing"
	"time"

	"chimera/bot/match"
	"chimera/bot/rating"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/phrase"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// sight is the start of a game between two people, and its diagram with bars.
func sight(t *testing.T) (*match.GameView, *diagram.Diagram) {
	t.Helper()
	pos, err := fide.Chess().Position("")
	kvtest.Must(t, err)
	d := diagram.Of(pos, nil, rules.White).ShowTaken(pos.Board(), nil)
	return &match.GameView{
		Names: [2]string{"anna", storage.Nobody}, Ratings: [2]rating.Figure{{Value: 1667.7}, {Value: 1500, Unsure: true}},
		Now: rules.Game{Position: pos}, Game: storage.Game{Variant: "chess", Result: rules.Unfinished.String()},
		Due: time.Date(2026, 11, 24, 16, 20, 0, 0, time.UTC),
	}, &d
}

func TestBarsAreWrittenForWhoeverSeesThem(t *testing.T) {
	s, d := sight(t)
	for _, c := range []struct {
		l                phrase.Language
		zone, when, name string
	}{
		{phrase.English, "", "Tue 24 Nov 16:20 UTC", "somebody"},
		{phrase.English, "America/New_York", "Tue 24 Nov 11:20 EST", "somebody"},
		{phrase.German, "Europe/Berlin", "Di 24. Nov. 17:20 CET", "jemand"},
	} {
		WriteBars(d, s, c.l, c.zone)
		white, black := d.Bars.Sides[rules.White], d.Bars.Sides[rules.Black]
		if white.Name != "anna" || white.Rating != "1668" || white.When != c.when {
			t.Errorf("%s, %s: White is %q, rated %q, until %q, want %q", c.l, c.zone, white.Name, white.Rating, white.When, c.when)
		}
		if black.Name != c.name || black.Rating != "1500?" || black.When != "" {
			t.Errorf("%s: Black is %q, rated %q, until %q", c.l, black.Name, black.Rating, black.When)
		}
	}
}

func TestBarsOfThePastHaveNoDate(t *testing.T) {
	s, d := sight(t)
	s.Game.Moves = []string{"e2e4"} // and the start is seen
	WriteBars(d, s, phrase.English, "")
	if when := d.Bars.Sides[rules.White].When; when != "" {
		t.Errorf("White was to move until %q", when)
	}
}

func TestBarsTellResultsShortly(t *testing.T) {
	for want, o := range map[string]rules.Outcome{
		"1–0 · checkmate":     {Result: rules.WhiteWins, Ending: rules.ByCheckmate},
		"0–1 · king captured": {Result: rules.BlackWins, Ending: rules.ByKingTaken},
		"½–½ · 50-move rule":  {Result: rules.Drawn, Ending: rules.ByMoveCount},
		"½–½ · over":          {Result: rules.Drawn, Ending: "an ending of another program"},
		"aborted":             {Result: rules.Aborted, Ending: rules.ByAbort},
		"unfinished":          {Result: rules.Unfinished, Ending: match.Unfinished},
	} {
		s, d := sight(t)
		s.Game.Result, s.Game.Ending = o.Result.String(), string(o.Ending)
		d.Over = true
		WriteBars(d, s, phrase.English, "")
		if got := d.Bars.Result; got != want {
			t.Errorf("%v by %s is told as %q, want %q", o.Result, o.Ending, got, want)
		}
	}
}
