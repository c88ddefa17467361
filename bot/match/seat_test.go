package match_test

import (
	"slices"
	"testing"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/user"
	"chimera/storage"
)

// elsewhere is somebody in a private chat on another platform.
func (c *club) elsewhere(name string) event.By {
	c.t.Helper()
	account := storage.Address{Platform: "other", ID: name}
	who, err := c.Welcome(c.t.Context(), user.Visit{
		Person: account, Name: name, Place: storage.Address{Platform: "other", ID: "chat of " + name}, Private: true,
	})
	c.ok(err)
	return event.By{Person: who.Person.ID, Place: who.Place.ID}
}

// places are the places that are told of a game.
func (c *club) places(id storage.GameID) []storage.PlaceID {
	c.t.Helper()
	return c.look(id).Game.Places()
}

func TestACodeIsGoodForOnePersonAnywhere(t *testing.T) {
	c := newClub(t)
	carol, dora := c.elsewhere("carol"), c.elsewhere("dora")
	open := c.must(c.Challenge(t.Context(), c.alice, storage.Challenge{Variant: "chess", Color: "white"})).Game
	c.refused(event.Elsewhere)(c.AnswerChallenge(t.Context(), carol, open, match.Accept))
	_, err := c.JoinCode(t.Context(), carol, open)
	c.refused(event.NotForYou)(event.Done{}, err)
	code, err := c.JoinCode(t.Context(), c.alice, open)
	c.ok(err)
	c.refused(event.OwnChallenge)(c.Join(t.Context(), c.alice, code))
	c.refused(event.OtherCode)(c.UseLink(t.Context(), carol, code))
	first := c.must(c.Join(t.Context(), message(carol, "1"), code))
	if again := c.must(c.Join(t.Context(), message(carol, "1"), code)); again.Kind != first.Kind || again.Game != first.Game {
		t.Errorf("the same message is answered with %v, was %v", again, first)
	}
	c.refused(event.BadInvitation)(c.Join(t.Context(), dora, code))
	if places := c.places(open); !slices.Equal(places, []storage.PlaceID{c.alice.Place, carol.Place}) {
		t.Errorf("the game is told at %v", places)
	}
	c.must(c.Move(t.Context(), c.alice, open, "e4"))
	c.must(c.Move(t.Context(), carol, open, "e5"))
}

func TestAGameGoesAlongWithALinkedPlayer(t *testing.T) {
	c := newClub(t)
	game := c.game()
	also := c.elsewhere("also alice")
	c.must(c.UseLink(t.Context(), also, c.code(c.alice)))
	also.Person = c.alice.Person
	c.must(c.Move(t.Context(), also, game, "e4"))
	if places := c.places(game); !slices.Equal(places, []storage.PlaceID{c.bob.Place, also.Place}) {
		t.Errorf("after a move from elsewhere the game is told at %v", places)
	}
	c.must(c.Move(t.Context(), c.bob, game, "e5"))
	c.must(c.Move(t.Context(), c.alice, game, "Nf3"))
	if places := c.places(game); !slices.Equal(places, []storage.PlaceID{c.bob.Place}) {
		t.Errorf("after a move at home the game is told at %v", places)
	}
	c.must(c.Move(t.Context(), c.bob, game, "Nc6"))
	c.must(c.Move(t.Context(), also, game, "Bb5"))
	c.must(c.Unlink(t.Context(), also, storage.Address{Platform: "other", ID: "also alice"}))
	if places := c.places(game); !slices.Equal(places, []storage.PlaceID{c.bob.Place}) {
		t.Errorf("without the other account the game is told at %v", places)
	}
}
