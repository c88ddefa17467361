package match_test

import (
	"fmt"
	"testing"

	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// TestNoStepOfALinkGrowsWithPeopleOrGames links and unlinks accounts with many games where
// there are many people: nothing that others have to wait for grows with either.
func TestNoStepOfALinkGrowsWithPeopleOrGames(t *testing.T) {
	const people, games, most = 500, 100, 250
	var disk kvtest.Disk
	db := &kvtest.Counted{DB: disk.Open("club")}
	store, err := storage.Open(t.Context(), db)
	must(t, err)
	c := clubIn(t, store)
	t.Cleanup(c.close)
	carol := c.on("other", "carol")
	for i := range people {
		c.meet(fmt.Sprint("p", i))
	}
	for range games {
		c.duel(carol, c.bob, 10)
		c.duel(c.bob, c.alice, 10)
		c.now = c.now.Add(day / 2)
	}
	c.serve()
	c.must(c.Block(t.Context(), c.bob, carol.Person, true))
	c.settle()
	db.Reset()
	c.must(c.UseLink(t.Context(), carol, c.code(c.alice)))
	c.settle()
	c.must(c.Unlink(t.Context(), c.alice, storage.Address{Platform: "other", ID: "carol"}))
	c.settle()
	if read, written := db.MostRead.Load(), db.MostWritten.Load(); read > most || written > most {
		t.Errorf("a transaction has read %d keys and written %d; want %d at most", read, written, most)
	}
	c.ratingsHold()
}
