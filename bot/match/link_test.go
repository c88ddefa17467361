package match_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"chimera/bot/event"
	"chimera/storage"
)

func (c *club) code(by event.By) string {
	c.t.Helper()
	code, err := c.NewLink(c.t.Context(), by)
	c.ok(err)
	return code
}

// UseLink says all words that a link wants, those of the code's owner too.
func (c *club) UseLink(ctx context.Context, by event.By, code string) (event.Done, error) {
	merge, err := c.LinkWith(ctx, by, code)
	if err != nil {
		return event.Done{}, err
	}
	if d, err := c.AgreeLink(ctx, by, code); err != nil {
		return d, err
	}
	return c.GiveLink(ctx, event.By{Person: merge.Into.ID, Place: by.Place}, merge.Code)
}

// on is somebody with an account on a platform, in the room.
func (c *club) on(platform, name string) event.By {
	c.t.Helper()
	person, err := c.Meet(c.t.Context(), storage.Address{Platform: platform, ID: name}, name)
	c.ok(err)
	return event.By{Person: person.ID, Place: c.alice.Place}
}

func TestALinkHidesBothAccountsAndBlocksNeitherFromTheOther(t *testing.T) {
	c := newClub(t)
	server := storage.Address{Platform: "test", ID: "server"}
	other := c.on("other", "other bob")
	c.must(c.Block(t.Context(), other, c.bob.Person, true)) // himself
	c.must(c.Hide(t.Context(), c.heard(c.alice, server), c.bob.Person, true))
	hidden := func(want ...storage.PersonID) {
		t.Helper()
		if _, in := c.at(server, server); !slices.Equal(in.Settings.Hidden, want) {
			t.Errorf("the server hides %v, want %v", in.Settings.Hidden, want)
		}
	}
	c.must(c.UseLink(t.Context(), c.bob, c.code(other)))
	hidden(other.Person)
	if record, err := c.Record(t.Context(), other.Person); err != nil || len(record.Person.Blocked) > 0 {
		t.Errorf("he blocks %v: %v", record.Person.Blocked, err)
	}
	c.must(c.Unlink(t.Context(), other, storage.Address{Platform: "test", ID: "bob"}))
	hidden(other.Person, c.bob.Person)
}

// settle does all that is to be done.
func (c *club) settle() {
	c.t.Helper()
	c.tick()
	c.ratingsHold()
}

// TestALinkMakesOnePersonOfTwoAccountsAndUnlinkGivesEachItsOwnGamesBack follows games, a challenge and ratings there and
// back.
func TestALinkMakesOnePersonOfTwoAccountsAndUnlinkGivesEachItsOwnGamesBack(t *testing.T) {
	c := newClub(t)
	room := storage.Address{Platform: "other", ID: "room of others"}
	carol := c.on("other", "carol")
	carol.Place = c.heard(event.By{}, room).Place
	dora := c.on("other", "dora")
	dora.Place = carol.Place
	own := c.duel(c.alice, c.bob, 10).ID
	brought := []storage.GameID{c.duel(carol, dora, 10).ID}
	unrated := c.begun(carol, dora, storage.Challenge{Variant: "chess"})
	brought = append(brought, unrated)
	here := event.By{Person: carol.Person, Place: c.alice.Place}
	open := c.must(c.Challenge(t.Context(), here, storage.Challenge{To: c.bob.Person, Variant: "chess", Color: "white"})).Game
	before := map[storage.PersonID]storage.Standing{}
	for _, by := range []event.By{c.alice, c.bob, carol, dora} {
		before[by.Person] = c.standing(by.Person, "chess")
	}
	was := c.boards()

	code := c.code(c.alice)
	c.must(c.UseLink(t.Context(), carol, "  "+code+" "))
	c.refused(event.BadCode)(c.UseLink(t.Context(), c.bob, code)) // it is used up
	person, err := c.Meet(t.Context(), storage.Address{Platform: "other", ID: "carol"}, "alice")
	if err != nil || person.ID != c.alice.Person || len(person.Identities) != 2 {
		t.Errorf("carol's account is person %d with %v: %v", person.ID, person.Identities, err)
	}
	if ch, err := c.ChallengeOf(t.Context(), open); err != nil || ch.From != c.alice.Person {
		t.Errorf("the challenge is by %d: %v", ch.From, err)
	}
	both := event.By{Person: c.alice.Person, Place: carol.Place}
	for _, id := range brought {
		if g := c.look(id).Game; g.Players[0] != c.alice.Person {
			t.Errorf("game %d is played by %v", id, g.Players)
		}
	}
	c.settle()
	if now := c.standing(c.alice.Person, "chess"); now.Wins != 2 {
		t.Errorf("of both accounts' wins count %d", now.Wins)
	}
	since := c.begun(both, dora, storage.Challenge{Variant: "chess"})
	c.must(c.Move(t.Context(), both, since, "e4"))

	c.must(c.Unlink(t.Context(), both, storage.Address{Platform: "other", ID: "carol"}))
	c.refused(event.OneAccount)(c.Unlink(t.Context(), c.alice, storage.Address{Platform: "test", ID: "alice"}))
	c.settle()
	if again := c.on("other", "carol"); again.Person != carol.Person {
		t.Errorf("carol's account is person %d, was %d", again.Person, carol.Person)
	}
	for _, id := range append(brought, since) {
		if g := c.look(id).Game; g.Players[0] != carol.Person {
			t.Errorf("game %d is played by %v, not by carol", id, g.Players)
		}
	}
	if g := c.look(own).Game; g.Players[0] != c.alice.Person {
		t.Errorf("alice's game is played by %v", g.Players)
	}
	for p, want := range before {
		if now := c.standing(p, "chess"); now != want {
			t.Errorf("person %d has %+v, had %+v", p, now, want)
		}
	}
	c.must(c.Move(t.Context(), dora, since, "e5"))
	c.must(c.Move(t.Context(), carol, since, "Nf3"))
	c.sameBoards(was)
	if left := c.came(carol.Person); left != 0 {
		t.Errorf("%d games are still known to have come", left)
	}
}

// came is how many games are known to have come into a link with somebody.
func (c *club) came(p storage.PersonID) int {
	c.t.Helper()
	return len(read(c, func(r storage.Reader) ([]storage.GameID, error) {
		return r.ToGive(storage.Job{Kind: storage.SplitJob, Of: uint64(p)}, 100)
	}))
}

func TestALinkGoesOnThoughTheProgramEndsInEveryStep(t *testing.T) {
	c, db, members := newBrittleClub(t, 3)
	carol := c.on("other", "carol")
	members = append(members, carol)
	for i := range 90 {
		c.now = c.now.Add(5 * time.Hour)
		c.duel(members[i%4], members[4+i%2], 10)
	}
	fay := c.on("third", "fay")
	before := c.standing(carol.Person, "chess")
	was := c.boards()
	step := func(done func() bool, do func() error) {
		for steps := 0; !done(); steps++ {
			ended, err := db.Ends(do)
			c.ok(err)
			if !ended {
				break
			}
			c.ratingsHold()
			if steps > 1000 {
				t.Fatal("it does not end")
			}
		}
	}
	code := c.code(fay)
	agree, give := message(carol, "agree"), message(fay, "give")
	never := func() bool { return false }
	asked := func() bool { _, asked, err := c.AgreedLink(t.Context(), code); return asked || err != nil }
	is := func(p storage.PersonID) func() bool { return func() bool { return c.on("other", "carol").Person == p } }
	step(asked, func() error { _, err := c.AgreeLink(t.Context(), agree, code); return err })
	step(is(fay.Person), func() error { _, err := c.GiveLink(t.Context(), give, code); return err })
	step(never, func() error { return c.Tick(t.Context()) })
	c.settle()
	if now := c.standing(fay.Person, "chess"); now != before {
		t.Errorf("who was linked has %+v, not %+v", now, before)
	}
	if now := c.standing(carol.Person, "chess"); now != (storage.Standing{}) {
		t.Errorf("who has gone has %+v", now)
	}
	leave := message(fay, "leave")
	step(is(carol.Person), func() error {
		_, err := c.Unlink(t.Context(), leave, storage.Address{Platform: "other", ID: "carol"})
		return err
	})
	step(never, func() error { return c.Tick(t.Context()) })
	c.settle()
	if now := c.standing(carol.Person, "chess"); now != before {
		t.Errorf("after unlinking there is %+v, not %+v", now, before)
	}
	c.sameBoards(was)
}
