package match_test

import (
	"context"
	"slices"
	"testing"

	"chimera/bot/event"
	"chimera/bot/user"
	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

func (c *club) forget(by event.By) {
	c.t.Helper()
	c.must(c.Forget(c.t.Context(), by, false))
	c.must(c.Forget(c.t.Context(), by, true))
}

// private is somebody in a chat that he sees alone and that has his number.
func (c *club) private(by event.By, account storage.Address, name string) event.By {
	c.t.Helper()
	person, err := c.Meet(c.t.Context(), account, name)
	c.ok(err)
	place, _ := c.at(account, storage.Address{})
	by.Person, by.Place = person.ID, place.ID
	return by
}

// followed lets a place be told of a game.
func (c *club) followed(id storage.GameID, place storage.PlaceID) {
	c.t.Helper()
	c.change(id, func(g *storage.Game) { g.Also = append(slices.Clone(g.Also), place) })
}

func (c *club) remembered(all ...storage.State) {
	c.t.Helper()
	c.update(func(w storage.Writer) error {
		for _, m := range all {
			if err := w.PutState(m); err != nil {
				return err
			}
		}
		return nil
	})
}

// undeliverable keeps an entry that could never be said.
func (c *club) undeliverable(e storage.Entry) {
	c.t.Helper()
	c.update(func(w storage.Writer) error {
		if err := w.Post(e); err != nil {
			return err
		}
		waiting, _, err := w.EntriesAt(e.Place)
		if err != nil {
			return err
		}
		for _, posted := range waiting {
			if posted.Queue() == e.Queue() {
				e.ID = posted.ID
			}
		}
		return w.Undeliverable(e)
	})
}

// places are the places that are told of a game.
func (c *club) places(id storage.GameID) []storage.PlaceID {
	c.t.Helper()
	return c.look(id).Game.Places()
}

func TestNothingStaysOfWhoIsForgotten(t *testing.T) {
	var disk kvtest.Disk
	db := disk.Open("club")
	c := newClubOn(t, db)
	c.beat()
	server := storage.Address{Platform: "test", ID: "server"}
	dora := c.meet("dora")
	going := c.game()

	who, err := c.Welcome(t.Context(), user.Visit{
		Person: storage.Address{Platform: "other", ID: "zoe"}, Name: "zoe", Place: storage.Address{Platform: "other", ID: "chat of zoe"}, Private: true,
	})
	c.ok(err)
	zoe, also := event.By{Person: who.Person.ID, Place: who.Place.ID}, c.private(event.By{}, storage.Address{Platform: "fourth", ID: "zoe also"}, "zoe also")
	inPrivate := c.private(zoe, storage.Address{Platform: "third", ID: "number of zoe"}, "zoe the third")
	c.must(c.UseLink(t.Context(), also, c.code(zoe)))
	c.must(c.UseLink(t.Context(), inPrivate, c.code(zoe)))
	also.Person, inPrivate.Person = zoe.Person, zoe.Person
	c.followed(going, zoe.Place)
	c.followed(going, also.Place)
	terms := storage.Challenge{To: zoe.Person, Seat: zoe.Place, Variant: "chess", Color: "white", Rated: true, Pace: storage.Pace{Move: day}}
	ended := c.must(c.Challenge(t.Context(), c.bob, terms)).Game
	c.must(c.Accept(t.Context(), zoe, ended))
	c.must(c.Move(t.Context(), c.bob, ended, "e4"))
	c.must(c.Move(t.Context(), also, ended, "e5"))
	c.must(c.Challenge(t.Context(), c.bob, terms))
	c.must(c.Challenge(t.Context(), also, storage.Challenge{Variant: "chess", Color: "white"}))
	c.must(c.Block(t.Context(), dora, zoe.Person, true))
	c.must(c.Block(t.Context(), zoe, dora.Person, true))
	c.must(c.Hide(t.Context(), c.heard(c.alice, server), zoe.Person, true))
	c.choose(zoe, user.SetTimezone, "Europe/Paris")
	c.must(c.GoAway(t.Context(), zoe, 3))
	code := c.code(zoe)
	c.remembered(
		storage.State{Platform: "other", Name: "user/@zoe", Value: []byte("Zoe"), About: "zoe"},
		storage.State{Platform: "other", Name: "user/@zoeold", Value: []byte("Zoe of before"), About: "zoe"},
		storage.State{Platform: "third", Name: "user/@zoethird", Value: []byte("third"), About: "number of zoe"},
		storage.State{Platform: "fourth", Name: "user/@zoealso", Value: []byte("fourth"), About: "zoe also"},
		storage.State{Platform: "fourth", Name: "user/@zora", Value: []byte("another"), About: "zora"},
		storage.State{Platform: "fourth", Name: "message/zoe also/17", Value: []byte("1")},
		storage.State{Platform: "third", Name: "board/number of zoe/1", Value: []byte("17")},
		storage.State{Platform: "other", Name: "seen/zoe", Value: []byte("17")},
	)
	c.undeliverable(storage.Entry{Place: also.Place, Kind: string(event.Ended), Fault: "zoe does not listen"})
	if len(kvtest.Found(t, db, "zoe")) == 0 {
		t.Fatal("nothing is stored of her")
	}
	c.forget(zoe)

	for _, word := range []string{"zoe", "Paris", code} {
		if keys := kvtest.Found(t, db, word); len(keys) > 0 {
			t.Errorf("%q is stored under %q", word, keys)
		}
	}
	if len(kvtest.Found(t, db, "zora")) == 0 {
		t.Error("nothing is stored of somebody else either")
	}
	must(t, c.store.Check(t.Context(), func(fault string) { t.Error(fault) }))
	record, err := c.Record(context.Background(), dora.Person)
	if err != nil || len(record.Person.Blocked) > 0 {
		t.Errorf("dora blocks %v: %v", record.Person.Blocked, err)
	}
	if _, in, err := c.Visit(t.Context(), server, server); err != nil || len(in.Settings.Hidden) > 0 {
		t.Errorf("the server hides %v: %v", in.Settings.Hidden, err)
	}
	c.refused(event.BadCode)(c.UseLink(t.Context(), dora, code))
	c.refused(event.NoAccount)(c.Rematch(t.Context(), c.bob, ended))
	if sight := c.look(ended); !sight.Game.Over() || !slices.Contains(sight.Names[:], storage.Nobody) {
		t.Errorf("her game is over: %v, between %v", sight.Game.Over(), sight.Names)
	}
	if places := c.places(going); !slices.Equal(places, []storage.PlaceID{c.bob.Place}) {
		t.Errorf("the game that she followed is told at %v", places)
	}
	c.moves(going, "e4")
	for _, e := range c.outbox() {
		if e.Place == zoe.Place || e.Place == also.Place || e.Place == inPrivate.Place {
			t.Errorf("where nobody is will be said %v", e)
		}
	}
}

func TestForgettingSomebodyWorksThoughAPersonWhoBlocksIsDamaged(t *testing.T) {
	db := new(kvtest.Disk).Open("db")
	c := newClubOn(t, db)
	c.must(c.Block(t.Context(), c.alice, c.bob.Person, true))
	damaged := []byte("person/\x00\x00\x00\x00\x00\x00\x00\x63")
	err := db.Update(t.Context(), func(w kv.Writer) error { return w.Put(damaged, []byte("\x01{\"ID\":99,\"Blocked\":[2")) })
	c.ok(err)
	c.forget(c.bob)
	c.ok(db.Update(t.Context(), func(w kv.Writer) error { return w.Delete(damaged) }))
	record, err := c.Record(t.Context(), c.alice.Person)
	if err != nil || len(record.Person.Blocked) > 0 {
		t.Errorf("alice blocks %v: %v", record.Person.Blocked, err)
	}
}
