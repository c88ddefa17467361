package match_test

import (
	"fmt"
	"testing"
	"time"

	"chimera/bot/event"
	"chimera/bot/rating"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// newBrittleClub is a club in memory, in a server, of a number of people besides alice and bob.
func newBrittleClub(t *testing.T, others int) (*club, *kvtest.Brittle, []event.By) {
	t.Helper()
	var disk kvtest.Disk
	db := &kvtest.Brittle{DB: disk.Open("club")}
	store, err := storage.Open(t.Context(), db)
	must(t, err)
	c := clubIn(t, store)
	people := []event.By{c.alice, c.bob}
	for i := range others {
		people = append(people, c.meet(fmt.Sprint("p", i)))
	}
	c.serve()
	t.Cleanup(c.close)
	return c, db, people
}

func TestAnAnnulledGameLeavesTheRatingsThoughTheProgramEndsInEveryStep(t *testing.T) {
	rnd := kvtest.Random(t)
	c, db, people := newBrittleClub(t, 8)
	duel := func() storage.Game {
		c.now = c.now.Add(time.Duration(rnd.IntN(30)) * time.Hour)
		pair := rnd.Perm(len(people))
		return c.duel(people[pair[0]], people[pair[1]], 10)
	}
	var games []storage.GameID
	for range 300 {
		if g := duel(); g.Counted {
			games = append(games, g.ID)
		}
	}
	loner := c.meet("loner")
	c.serve()
	games = append(games, c.duel(c.alice, loner, 10).ID) // his only game
	annul := func(id storage.GameID) {
		for {
			ended, err := db.Ends(func() error { return c.Annul(t.Context(), id) })
			c.ok(err)
			if c.look(id).Game.Annul || !c.look(id).Game.Counted {
				break
			}
			if !ended {
				t.Fatalf("game %d is not marked", id)
			}
		}
		c.refused(event.NotRated)(event.Done{}, c.Annul(t.Context(), id))
	}
	annulled := []storage.GameID{games[3], games[len(games)-1], games[150], games[151]}
	annul(annulled[0])
	annul(annulled[1])
	steps, held := 0, 0
	for {
		ended, err := db.Ends(func() error { return c.Tick(t.Context()) })
		c.ok(err)
		if !ended {
			break
		}
		c.ratingsHold()
		if c.look(annulled[0]).Game.Counted {
			held++
		}
		switch steps++; steps {
		case 2, 5, 9, 10:
			duel() // it is taken in
		case 4:
			annul(annulled[2])
			annul(annulled[3])
		}
		if steps > 1000 {
			t.Fatal("it does not end")
		}
	}
	if steps < 20 || held < 4 {
		t.Errorf("the program ended %d times, %d of them before the ratings changed", steps, held)
	}
	for _, id := range annulled {
		if g := c.look(id).Game; g.Counted || g.Annul || g.Void != rating.Annulled || g.Figures != (storage.Figures{}) {
			t.Errorf("game %d still counts: %v %v %q %v", id, g.Counted, g.Annul, g.Void, g.Figures)
		}
	}
	if now := c.standing(loner.Person, "chess"); now != (storage.Standing{}) {
		t.Errorf("who has played nothing else has %+v", now)
	}
	c.ratingsHold()
	c.boardsMadeAnew()
	for _, result := range c.results() {
		for _, id := range annulled {
			if result.Game == id {
				t.Errorf("game %d still counts for the month", id)
			}
		}
	}
}

// results are all that count.
func (c *club) results() []storage.Result {
	c.t.Helper()
	return read(c, func(r storage.Reader) ([]storage.Result, error) {
		return r.Results(time.Unix(0, 0), storage.Always(), 10_000, nil)
	})
}

func TestWhatIsBeingComputedAgainBeginsAnewWhenAccountsAreLinked(t *testing.T) {
	c, db, people := newBrittleClub(t, 6)
	var first storage.Game
	for i := range 150 {
		c.now = c.now.Add(7 * time.Hour)
		if g := c.duel(people[i%6], people[(i+1+i/6%5)%6], 10); i == 0 {
			first = g
		}
	}
	other := c.on("other", "other")
	c.serve()
	c.duel(other, people[6], 10)
	for !c.look(first.ID).Game.Annul {
		_, err := db.Ends(func() error { return c.Annul(t.Context(), first.ID) })
		must(t, err)
	}
	for range 4 { // some drafts are there
		if ended, err := db.Ends(func() error { return c.Tick(t.Context()) }); !ended || err != nil {
			t.Fatalf("it has ended: %v", err)
		}
	}
	c.must(c.UseLink(t.Context(), other, c.code(c.alice)))
	c.ratingsHold()
	c.tick()
	if c.look(first.ID).Game.Counted {
		t.Error("the game still counts")
	}
	c.ratingsHold()
	c.boardsMadeAnew()
	for _, result := range c.results() {
		for _, p := range result.Players {
			if p == other.Person {
				t.Errorf("game %d counts for who is somebody else now", result.Game)
			}
		}
	}
}
