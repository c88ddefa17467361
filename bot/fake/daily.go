package fake

import (
	"context"
	"testing"
	"time"

	"chimera/rules"
	"chimera/storage"
)

// OnePuzzle replaces the puzzles of chess by a single one: 1. Rd8#.
func OnePuzzle(all []*rules.Variant) []*rules.Variant {
	rules.Find(all, "chess").Puzzles = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1 ; d1d8 ; mate ; 1"
	return all
}

// TellDaily makes the daily puzzle due in the only server that wants one, and tells it.
func TellDaily(t testing.TB, store *storage.Store, tell func(context.Context) error) {
	t.Helper()
	err := store.Update(t.Context(), func(w storage.Writer) error {
		s, err := w.DueDaily(time.Now().AddDate(0, 0, 2))
		if err != nil {
			return err
		}
		now := time.Now().UTC() // it is due since this minute
		s.Settings.Puzzles.Minute, s.Settings.Puzzles.Next = now.Hour()*60+now.Minute(), now.Add(-time.Second)
		return w.Servers().Put(s)
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time nothing is due
		if err := tell(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}
