package match_test

import (
	"errors"
	"path/filepath"
	"testing"

	"chimera/bot/event"
	"chimera/storage"
	"chimera/storage/bolt"
)

// TestAGameListedForSomebodyWhoDoesNotPlayItIsNotTheirs damages the list of a person's games:
// nobody is told to be its player, and nobody else's opponent.
func TestAGameListedForSomebodyWhoDoesNotPlayItIsNotTheirs(t *testing.T) {
	db, err := bolt.Open(filepath.Join(t.TempDir(), "test.db"))
	must(t, err)
	c := newClubOn(t, db)
	carol := c.meet("carol")
	id := c.game()
	stray := func(g *storage.Game) { g.Players[storage.White] = carol.Person }
	c.update(func(w storage.Writer) error {
		g, err := w.Games().Get(id)
		if err != nil {
			return err
		}
		also := g
		stray(&also)
		return errors.Join(w.Games().Put(also), w.Games().Put(g)) // and nothing takes it from carol's
	})
	items, _, err := c.Agenda(t.Context(), carol, carol.Person, 10, nil)
	if err != nil || len(items) != 0 {
		t.Errorf("carol's agenda is %v, %v", items, err)
	}
	profile, err := c.Profile(t.Context(), carol, carol.Person, 0)
	if err != nil || len(profile.Games) != 0 {
		t.Errorf("carol's profile names %v, %v", profile.Games, err)
	}
	c.refused(event.NotPlaying)(c.Resign(t.Context(), carol, id, true))
	c.change(id, func(*storage.Game) {}) // all is in order again
}
