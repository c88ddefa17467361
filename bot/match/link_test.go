package match_test

import (
	"slices"
	"testing"
	"time"

	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/rules"
	"chimera/storage"
)

func (c *club) code(by match.By) string {
	c.t.Helper()
	code, err := c.NewLink(c.t.Context(), by)
	if err != nil {
		c.t.Fatal(err)
	}
	return code
}

func TestALinkMakesOnePersonOfTwoAccounts(t *testing.T) {
	c := newClub(t)
	carol := c.meet("carol")
	c.duel(carol, c.bob, 4)
	open := c.must(c.Challenge(t.Context(), carol, match.Terms{To: c.bob.Person, Variant: "chess", Color: "white"})).Game
	running := c.must(c.Challenge(t.Context(), c.bob, match.Terms{To: carol.Person, Variant: "chess", Color: "black"})).Game
	c.must(c.Accept(t.Context(), carol, running))
	before := c.standing(carol.Person, "chess")

	code := c.code(c.alice)
	c.must(c.UseLink(t.Context(), carol, "  "+code+" "))
	person, err := c.Meet(t.Context(), storage.Address{Platform: "test", ID: "carol"}, "carol")
	if err != nil || person.ID != c.alice.Person || len(person.Identities) != 2 {
		t.Errorf("carol's account is person %d with %v: %v", person.ID, person.Identities, err)
	}
	c.must(c.Move(t.Context(), c.alice, running, "e4"))
	if now := c.standing(c.alice.Person, "chess"); now != before {
		t.Errorf("the standing is %+v, was %+v", now, before)
	}
	if ch, err := c.ChallengeOf(t.Context(), open); err != nil || ch.From != c.alice.Person {
		t.Errorf("the challenge is by %d: %v", ch.From, err)
	}
	d, err := c.UseLink(t.Context(), c.bob, code)
	c.refused(match.BadCode, d, err) // it is used up
	c.ratingsHold()

	c.must(c.Unlink(t.Context(), c.alice, storage.Address{Platform: "test", ID: "carol"}))
	if again := c.meet("carol"); again.Person == c.alice.Person || again.Person == carol.Person {
		t.Errorf("after unlinking carol's account is person %d", again.Person)
	}
	d, err = c.Unlink(t.Context(), c.alice, storage.Address{Platform: "test", ID: "alice"})
	c.refused(match.OneAccount, d, err)
}

func TestTheSameMessageGetsTheSameCode(t *testing.T) {
	c := newClub(t)
	first := c.code(message(c.alice, "1"))
	if again := c.code(message(c.alice, "1")); again != first {
		t.Errorf("the code is %s, was %s", again, first)
	}
	next := c.code(message(c.alice, "2"))
	if next == first {
		t.Error("another message gets the same code")
	}
	c.now = c.now.Add(match.LinkFor + time.Second)
	if late := c.code(message(c.alice, "2")); late == next {
		t.Error("the code is good no more")
	}
}

func TestOpponentsAndOneselfCannotBeLinked(t *testing.T) {
	c := newClub(t)
	c.game()
	code := c.code(c.alice)
	d, err := c.UseLink(t.Context(), c.bob, code)
	c.refused(match.PlayEachOther, d, err)
	d, err = c.UseLink(t.Context(), c.alice, code)
	c.refused(match.SamePerson, d, err)
}

func TestCodesExpireAndGuessesAreLimited(t *testing.T) {
	c := newClub(t)
	code := c.code(c.alice)
	c.now = c.now.Add(match.LinkFor + time.Second)
	d, err := c.UseLink(t.Context(), c.bob, code)
	c.refused(match.BadCode, d, err)
	code = c.code(c.alice)
	for range limit.Guesses - 1 {
		d, err = c.UseLink(t.Context(), c.bob, "WRONG")
		c.refused(match.BadCode, d, err)
	}
	d, err = c.UseLink(t.Context(), c.bob, code)
	c.refused(match.TooManyGuesses, d, err)
	c.now = c.now.Add(limit.GuessTime)
	code = c.code(c.alice)
	c.must(c.UseLink(t.Context(), c.bob, code))
}

func TestAFollowedGameIsToldInBothPlaces(t *testing.T) {
	c := newClub(t)
	id := c.game()
	c.deliver()
	elsewhere, _, err := c.Visit(t.Context(), storage.Address{Platform: "test", ID: "elsewhere"}, storage.Address{})
	if err != nil {
		t.Fatal(err)
	}
	carol := c.meet("carol")
	carol.Place = elsewhere.ID
	c.must(c.Follow(t.Context(), carol, id, true))
	c.moves(id, "e4")
	places := map[storage.PlaceID]bool{}
	for _, e := range c.outbox() {
		places[e.Place] = true
	}
	if len(places) != 2 || !places[elsewhere.ID] {
		t.Errorf("told was in the places %v", places)
	}
	c.deliver()
	c.must(c.Follow(t.Context(), carol, id, false))
	d, err := c.Follow(t.Context(), carol, id, false)
	c.refused(match.NotFollowed, d, err)
	c.must(c.Move(t.Context(), c.bob, id, "e5"))
	c.told(match.Moved)
}

func TestALinkDuringAVacationLetsTheClocksRun(t *testing.T) {
	c := newClub(t)
	c.beat()
	carol := c.meet("carol")
	c.choose(c.alice, match.SetVacation, "ask")
	terms := match.Terms{To: c.bob.Person, Variant: "chess", Color: "white", Rated: true, Pace: storage.Pace{Move: 2 * day}}
	id := c.must(c.Challenge(t.Context(), carol, terms)).Game
	c.must(c.Accept(t.Context(), c.bob, id))
	c.must(c.Move(t.Context(), carol, id, "e4"))
	c.must(c.Move(t.Context(), c.bob, id, "e5"))
	c.pass(day)
	c.must(c.GoAway(t.Context(), carol, 10))
	c.pass(5 * day)
	c.deliver()
	c.must(c.UseLink(t.Context(), carol, c.code(c.alice)))
	c.told(match.CameBack)
	if left := c.look(id).Left; left != day {
		t.Errorf("%v are left, not a day", left)
	}
	for range 30 {
		c.pass(time.Hour)
		c.deliver()
	}
	c.onTime(id, rules.BlackWins)
}

func TestGamesThatComeToSomebodyAwayWait(t *testing.T) {
	c := newClub(t)
	c.beat()
	carol := c.meet("carol")
	c.choose(c.alice, match.SetVacation, "ask")
	terms := match.Terms{To: c.bob.Person, Variant: "chess", Color: "white", Pace: storage.Pace{Move: 2 * day}}
	id := c.must(c.Challenge(t.Context(), carol, terms)).Game
	c.must(c.Accept(t.Context(), c.bob, id))
	c.must(c.GoAway(t.Context(), c.alice, 10))
	c.pass(day)
	c.deliver()
	c.must(c.UseLink(t.Context(), carol, c.code(c.alice)))
	c.told(match.WentAway)
	c.deliver()
	c.pass(5 * day)
	if sight := c.look(id); sight.Game.Over() || sight.Away.IsZero() {
		t.Errorf("the clock runs until %v", sight.Due)
	}
	c.told()
	c.must(c.ComeBack(t.Context(), c.alice))
	if left := c.look(id).Left; left != day {
		t.Errorf("%v are left, not a day", left)
	}
}

func TestALinkKeepsWhoIsNotWanted(t *testing.T) {
	c := newClub(t)
	server := storage.Address{Platform: "test", ID: "server"}
	carol, dora, other := c.meet("carol"), c.meet("dora"), c.meet("other bob")
	manager := c.heard(c.alice, server)
	c.must(c.Block(t.Context(), c.alice, c.bob.Person, true))
	c.must(c.Block(t.Context(), c.bob, dora.Person, true))
	c.must(c.Block(t.Context(), other, carol.Person, true))
	c.must(c.Block(t.Context(), other, c.bob.Person, true)) // himself
	c.must(c.Hide(t.Context(), manager, c.bob.Person, true))
	c.must(c.UseLink(t.Context(), c.bob, c.code(other)))

	wanted := func(by, to match.By) {
		t.Helper()
		c.must(c.Challenge(t.Context(), by, match.Terms{To: to.Person, Variant: "chess", Color: "white"}))
	}
	unwanted := func(by, to match.By) {
		t.Helper()
		d, err := c.Challenge(t.Context(), by, match.Terms{To: to.Person, Variant: "chess", Color: "white"})
		c.refused(match.NotWanted, d, err)
	}
	hidden := func(by match.By) bool {
		t.Helper()
		_, in, err := c.Visit(t.Context(), server, server)
		if err != nil {
			t.Fatal(err)
		}
		return in.Hides(by.Person)
	}
	unwanted(other, c.alice)
	unwanted(dora, other)
	unwanted(carol, other)
	wanted(c.alice, other)
	if hidden(c.bob) || !hidden(other) {
		t.Error("the server hides another than the joined person")
	}
	record, err := c.Record(t.Context(), other.Person)
	if err != nil || slices.Contains(record.Person.Blocked, other.Person) || slices.Contains(record.Person.Blocked, c.bob.Person) {
		t.Errorf("he blocks %v: %v", record.Person.Blocked, err)
	}

	c.must(c.Unlink(t.Context(), other, storage.Address{Platform: "test", ID: "bob"}))
	again := c.meet("bob")
	if again.Person == other.Person || again.Person == c.bob.Person {
		t.Errorf("after unlinking bob's account is person %d", again.Person)
	}
	for _, bob := range []match.By{other, again} {
		unwanted(bob, c.alice)
		unwanted(dora, bob)
		if !hidden(bob) {
			t.Errorf("person %d is shown", bob.Person)
		}
	}
	c.must(c.Block(t.Context(), c.alice, other.Person, false))
	wanted(other, c.alice)
	unwanted(again, c.alice)
}

func TestOfTwoVacationsThatBecomeOneNobodyIsTold(t *testing.T) {
	c := newClub(t)
	c.beat()
	carol := c.meet("carol")
	terms := match.Terms{To: c.bob.Person, Variant: "chess", Color: "white", Pace: storage.Pace{Move: 2 * day}}
	id := c.must(c.Challenge(t.Context(), carol, terms)).Game
	c.must(c.Accept(t.Context(), c.bob, id))
	c.must(c.GoAway(t.Context(), carol, 3))
	c.must(c.GoAway(t.Context(), c.alice, 7))
	c.deliver()
	c.must(c.UseLink(t.Context(), carol, c.code(c.alice)))
	c.told()
	if sight := c.look(id); sight.Away.IsZero() {
		t.Errorf("the clock runs until %v", sight.Due)
	}
}
