package match_test

import (
	"slices"
	"testing"

	"chimera/bot/event"
	"chimera/bot/rating"
	"chimera/bot/user"
	"chimera/storage"
)

var (
	oldGroup = storage.Address{Platform: "test", ID: "-500"}
	newGroup = storage.Address{Platform: "test", ID: "-100500"}
)

// heard is somebody who has written in a group.
func (c *club) heard(by event.By, group storage.Address) event.By {
	c.t.Helper()
	place, server := c.at(group, group)
	if place.Server != server.ID || server.ID == 0 {
		c.t.Errorf("the place %v is in the server %v", place, server)
	}
	by.Place = place.ID
	return by
}

func (c *club) rename(from, to storage.Address) {
	c.t.Helper()
	c.ok(c.Rename(c.t.Context(), from, to))
}

func (c *club) chooseHere(by event.By, name, value string) {
	c.t.Helper()
	c.must(c.ChooseForServer(c.t.Context(), by, name, value))
}

// moved is the place and the server of both addresses, which must be the same.
func (c *club) moved() (storage.Place, storage.Server) {
	c.t.Helper()
	place, server := c.at(newGroup, newGroup)
	late, lateServer := c.at(oldGroup, oldGroup)
	person, err := c.Meet(c.t.Context(), storage.Address{Platform: "test", ID: "alice"}, "alice")
	c.ok(err)
	known, err := c.Known(c.t.Context(), person.Identities[0], oldGroup)
	if err != nil || known.Person.ID != person.ID {
		c.t.Errorf("known is %v: %v", known.Person, err)
	}
	if late != place || known.Place != place || lateServer.ID != server.ID || known.Server.ID != server.ID || place.Address != newGroup || server.Address != newGroup || place.Server != server.ID {
		c.t.Errorf("the new address is of %v in %v, the old of %v in %v", place, server, late, lateServer)
	}
	return place, server
}

// TestAGroupThatMovesKeepsAllInEveryOrder hears of the move twice, as from both chats, and
// of other things before, between and after.
func TestAGroupThatMovesKeepsAllInEveryOrder(t *testing.T) {
	hearOld := func(c *club) { c.heard(c.alice, oldGroup) }
	hearNew := func(c *club) { c.heard(c.alice, newGroup) }
	move := func(c *club) { c.rename(oldGroup, newGroup) }
	for name, steps := range map[string][]func(*club){
		"first from the old chat":         {move, hearNew, move},
		"first from the new chat":         {move, hearOld, move, hearOld},
		"new chat heard before":           {hearNew, hearOld, move, hearOld, move, hearNew},
		"told of three times":             {move, move, hearOld, move},
		"nothing of the old one is known": {},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClub(t)
			if len(steps) == 0 {
				move(c)
				hearOld(c)
				c.moved()
				return
			}
			alice, bob := c.heard(c.alice, oldGroup), c.heard(c.bob, oldGroup)
			c.chooseHere(alice, user.SetTheme, "blue")
			c.chooseHere(alice, user.SetRooms, "here")
			game := c.begun(alice, bob, storage.Challenge{Variant: "chess"})
			for _, step := range steps {
				step(c)
			}
			place, server := c.moved()
			if place.ID != alice.Place || server.Settings.Theme != "blue" || !slices.Equal(server.Settings.Rooms, []string{newGroup.ID}) {
				t.Errorf("the place is %v, was %d; the settings are %+v", place, alice.Place, server.Settings)
			}
			if places := c.places(game); !slices.Equal(places, []storage.PlaceID{place.ID}) {
				t.Errorf("the game is told at %v, not %d", places, place.ID)
			}
			c.must(c.Challenge(t.Context(), c.heard(alice, newGroup), storage.Challenge{To: bob.Person, Variant: "chess", Color: "white"}))
		})
	}
}

func TestTwoPlacesOfOneGroupBecomeOne(t *testing.T) {
	c := newClub(t)
	carol, dora := c.meet("carol"), c.meet("dora")
	alice, bob := c.heard(c.alice, oldGroup), c.heard(c.bob, oldGroup)
	c.chooseHere(alice, user.SetTheme, "blue")
	c.chooseHere(alice, user.SetSize, "small")
	c.chooseHere(alice, user.SetSeasons, "on")
	c.must(c.Hide(t.Context(), alice, bob.Person, true))
	c.duel(alice, bob, 10)
	alice2, carol2 := c.heard(c.alice, newGroup), c.heard(carol, newGroup)
	c.chooseHere(alice2, user.SetTheme, "wood")
	c.must(c.Hide(t.Context(), alice2, dora.Person, true))
	c.duel(alice2, carol2, 10)
	c.beat()
	going := c.begun(carol2, alice2, storage.Challenge{Variant: "chess", Rated: true, Pace: storage.Pace{Move: day}})
	open := c.must(c.Challenge(t.Context(), carol2, storage.Challenge{Variant: "chess", Color: "white"})).Game
	c.rename(oldGroup, newGroup)

	place, server := c.moved()
	s := server.Settings
	if place.ID != alice.Place || s.Theme != "wood" || s.Size != "small" || s.Season.Place == 0 || !slices.Equal(s.Hidden, []storage.PersonID{bob.Person, dora.Person}) {
		t.Errorf("the place is %v, the settings %+v", place, s)
	}
	if places := c.places(going); !slices.Equal(places, []storage.PlaceID{place.ID}) {
		t.Errorf("the game that goes on is told at %v", places)
	}
	c.must(c.Accept(t.Context(), c.heard(c.bob, newGroup), open))
	for _, period := range []rating.Period{rating.Ever, rating.Week, rating.Month} {
		board, err := c.Top(t.Context(), rating.Asked{Server: server.ID, Game: storage.Overall, Period: period, From: 1})
		c.ok(err)
		var members []storage.PersonID
		for _, line := range slices.Concat(board.Lines, board.Guesses) {
			members = append(members, line.Person)
			if line.Person == alice.Person && line.Games != 2 {
				t.Errorf("alice has %d games on the board %q", line.Games, period)
			}
		}
		slices.Sort(members)
		if !slices.Equal(members, []storage.PersonID{alice.Person, carol.Person}) {
			t.Errorf("on the board %q are %v", period, members)
		}
	}
	c.ratingsHold()
}

func TestTheEndOfTheOldChatIsNotTheEndOfTheNew(t *testing.T) {
	c := newClub(t)
	c.heard(c.alice, oldGroup)
	c.rename(oldGroup, newGroup)
	c.ok(c.Leave(t.Context(), oldGroup, true))
	if known, err := c.Known(t.Context(), storage.Address{Platform: "test", ID: "alice"}, newGroup); err != nil || !known.Place.Gone.IsZero() {
		t.Errorf("the place is %v: %v", known.Place, err)
	}
}

func TestAddressesThatMoveBackDoNotLeadInACircle(t *testing.T) {
	c := newClub(t)
	third := storage.Address{Platform: "test", ID: "-3"}
	c.rename(oldGroup, newGroup)
	c.rename(newGroup, third)
	c.rename(third, oldGroup)
	c.rename(oldGroup, oldGroup)
	for _, a := range []storage.Address{oldGroup, newGroup, third} {
		if place, _, err := c.Visit(t.Context(), a, a); err != nil || place.Address != oldGroup {
			t.Errorf("at %v is %v: %v", a, place, err)
		}
	}
}
