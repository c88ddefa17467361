package match_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/user"
	"chimera/rules"
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
	ben := c.on("other", "ben")
	c.begun(c.alice, ben, storage.Challenge{Variant: "combine"})
	code := c.code(c.alice)
	c.refused(event.PlayEachOther)(c.UseLink(t.Context(), ben, code))
	c.refused(event.SamePerson)(c.UseLink(t.Context(), c.alice, code))
}

func TestCodesExpireAndGuessesAreLimited(t *testing.T) {
	c := newClub(t)
	bob := c.on("other", "bob")
	code := c.code(c.alice)
	c.now = c.now.Add(match.LinkFor + time.Second)
	c.refused(event.BadCode)(c.UseLink(t.Context(), bob, code))
	code = c.code(c.alice)
	for range limit.Guesses - 1 {
		c.refused(event.BadCode)(c.UseLink(t.Context(), bob, "WRONG"))
	}
	c.refused(event.TooManyGuesses)(c.UseLink(t.Context(), bob, code))
	c.now = c.now.Add(limit.GuessTime)
	code = c.code(c.alice)
	c.must(c.UseLink(t.Context(), bob, code))
}

func TestAFollowedGameIsToldInBothPlaces(t *testing.T) {
	c := newClub(t)
	id := c.game()
	c.deliver()
	carol := c.inServer("carol")
	stranger := c.elsewhere("stranger")
	c.refused(event.NotShown)(c.Follow(t.Context(), stranger, id, true))
	_, err := c.LoadFor(t.Context(), stranger, id, match.Latest)
	c.refused(event.NotShown)(event.Done{}, err)
	elsewhere, _ := c.at(storage.Address{Platform: "test", ID: "elsewhere"}, storage.Address{Platform: "test", ID: "server"})
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
	c.refused(event.NotFollowed)(c.Follow(t.Context(), carol, id, false))
	c.must(c.Move(t.Context(), c.bob, id, "e5"))
	c.told(event.Moved)
}

func TestALinkDuringAVacationLetsTheClocksRun(t *testing.T) {
	c := clocked(t)
	carol := c.on("other", "carol")
	c.choose(c.alice, user.SetVacation, "ask")
	id := c.begun(carol, c.bob, storage.Challenge{Variant: "chess", Rated: true, Pace: storage.Pace{Move: 2 * day}})
	c.must(c.Move(t.Context(), carol, id, "e4"))
	c.must(c.Move(t.Context(), c.bob, id, "e5"))
	c.pass(day)
	c.must(c.GoAway(t.Context(), carol, 10))
	c.pass(5 * day)
	c.deliver()
	c.must(c.UseLink(t.Context(), carol, c.code(c.alice)))
	c.told(event.CameBack)
	if left := c.look(id).Left; left != day {
		t.Errorf("%v are left, not a day", left)
	}
	c.passHeard(30, time.Hour)
	c.onTime(id, rules.BlackWins)
}

func TestGamesThatComeToSomebodyAwayWait(t *testing.T) {
	c := clocked(t)
	carol := c.on("other", "carol")
	c.choose(c.alice, user.SetVacation, "ask")
	id := c.begun(carol, c.bob, storage.Challenge{Variant: "chess", Pace: storage.Pace{Move: 2 * day}})
	c.must(c.GoAway(t.Context(), c.alice, 10))
	c.pass(day)
	c.deliver()
	c.must(c.UseLink(t.Context(), carol, c.code(c.alice)))
	c.told(event.WentAway)
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
	carol, dora, other := c.meet("carol"), c.meet("dora"), c.on("other", "other bob")
	manager := c.heard(c.alice, server)
	c.must(c.Block(t.Context(), c.alice, c.bob.Person, true))
	c.must(c.Block(t.Context(), c.bob, dora.Person, true))
	c.must(c.Block(t.Context(), other, carol.Person, true))
	c.must(c.Block(t.Context(), other, c.bob.Person, true)) // himself
	c.must(c.Hide(t.Context(), manager, c.bob.Person, true))
	c.must(c.UseLink(t.Context(), c.bob, c.code(other)))

	refused := func(why event.Why, by, to event.By) {
		t.Helper()
		c.refused(why)(c.Challenge(t.Context(), by, storage.Challenge{To: to.Person, Variant: "chess", Color: "white"}))
	}
	unwanted := func(by, to event.By) { t.Helper(); refused(event.NotWanted, by, to) }
	hidden := func(by event.By) bool {
		t.Helper()
		_, in := c.at(server, server)
		return in.Hides(by.Person)
	}
	unwanted(other, c.alice)
	unwanted(dora, other)
	unwanted(carol, other)
	refused(event.Unwanted, c.alice, other) // she blocks him, but he doesn't block her
	if hidden(c.bob) || !hidden(other) {
		t.Error("the server hides another than the joined person")
	}
	record, err := c.Record(t.Context(), other.Person)
	if err != nil || slices.Contains(record.Person.Blocked, other.Person) || slices.Contains(record.Person.Blocked, c.bob.Person) {
		t.Errorf("he blocks %v: %v", record.Person.Blocked, err)
	}

	c.must(c.Unlink(t.Context(), other, storage.Address{Platform: "test", ID: "bob"}))
	again := c.meet("bob")
	if again.Person != c.bob.Person {
		t.Errorf("after unlinking bob's account is person %d", again.Person)
	}
	for _, bob := range []event.By{other, again} {
		unwanted(bob, c.alice)
		unwanted(dora, bob)
		if !hidden(bob) {
			t.Errorf("person %d is shown", bob.Person)
		}
	}
	c.must(c.Block(t.Context(), c.alice, other.Person, false))
	c.must(c.Challenge(t.Context(), other, storage.Challenge{To: c.alice.Person, Variant: "chess", Color: "white"}))
	unwanted(again, c.alice)
}

func TestOfTwoVacationsThatBecomeOneNobodyIsTold(t *testing.T) {
	c := clocked(t)
	carol := c.on("other", "carol")
	id := c.begun(carol, c.bob, storage.Challenge{Variant: "chess", Pace: storage.Pace{Move: 2 * day}})
	c.must(c.GoAway(t.Context(), carol, 3))
	c.must(c.GoAway(t.Context(), c.alice, 7))
	c.deliver()
	c.must(c.UseLink(t.Context(), carol, c.code(c.alice)))
	c.told()
	if sight := c.look(id); sight.Away.IsZero() {
		t.Errorf("the clock runs until %v", sight.Due)
	}
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

func TestTheFirstAccountUnlinksTheOthers(t *testing.T) {
	c := newClub(t)
	carol := c.elsewhere("carol")
	c.must(c.UseLink(t.Context(), carol, c.code(c.alice)))
	c.must(c.Unlink(t.Context(), c.alice, storage.Address{Platform: "test", ID: "alice"}))
	if alice, again := c.meet("alice"), c.elsewhere("carol"); alice.Person != c.alice.Person || again.Person != carol.Person {
		t.Errorf("the accounts are persons %d and %d", alice.Person, again.Person)
	}
}

func TestALinkWantsAWordFromBoth(t *testing.T) {
	c := newClub(t)
	ctx := t.Context()
	carol, dora := c.elsewhere("carol"), c.elsewhere("dora")
	code := c.code(c.alice)
	linked := func() bool {
		again := c.elsewhere("carol")
		return again.Person == c.alice.Person
	}
	c.refused(event.NotAsked)(c.GiveLink(ctx, c.alice, code)) // nobody has agreed
	merge, err := c.LinkWith(ctx, carol, code)
	if err != nil || merge.Into.ID != c.alice.Person || linked() {
		t.Fatalf("she would become %v: %v", merge.Into, err)
	}
	c.must(c.AgreeLink(ctx, message(carol, "1"), code))
	c.must(c.AgreeLink(ctx, message(carol, "1"), code))
	c.must(c.AgreeLink(ctx, carol, code))
	c.refused(event.NotAsked)(c.AgreeLink(ctx, dora, code)) // it is carol's by now
	_, err = c.LinkWith(ctx, dora, code)
	c.refused(event.BadCode)(event.Done{}, err)
	c.refused(event.NotAsked)(c.GiveLink(ctx, c.bob, code)) // it is not his
	if linked() {
		t.Error("one word was enough")
	}
	c.must(c.RefuseLink(ctx, carol, code))
	c.refused(event.NotAsked)(c.GiveLink(ctx, c.alice, code))
	c.must(c.AgreeLink(ctx, carol, code))
	c.must(c.KeepLink(ctx, c.alice))
	c.refused(event.NotAsked)(c.GiveLink(ctx, c.alice, code))
	c.refused(event.NotAsked)(c.AgreeLink(ctx, carol, code))

	code = c.code(c.alice)
	c.must(c.AgreeLink(ctx, carol, code))
	c.must(c.GiveLink(ctx, message(c.alice, "2"), code))
	c.must(c.GiveLink(ctx, message(c.alice, "2"), code))
	c.refused(event.NotAsked)(c.GiveLink(ctx, c.alice, code))
	if !linked() {
		t.Error("both words were not enough")
	}

	late := c.code(c.alice)
	c.must(c.AgreeLink(ctx, c.on("third", "dan"), late))
	c.now = c.now.Add(match.LinkFor + time.Second)
	c.refused(event.NotAsked)(c.GiveLink(ctx, c.alice, late))
}

func TestAccountsOfOnePlatformCannotBeLinked(t *testing.T) {
	c := newClub(t)
	c.refused(event.SamePlatform)(c.UseLink(t.Context(), c.bob, c.code(c.alice)))
	carol := c.elsewhere("carol")
	c.must(c.UseLink(t.Context(), carol, c.code(c.alice)))
	c.refused(event.SamePlatform)(c.UseLink(t.Context(), c.elsewhere("dora"), c.code(c.alice)))
}

func TestLinksOfADayAreLimited(t *testing.T) {
	c := newClub(t)
	carol := c.elsewhere("carol")
	account := storage.Address{Platform: "other", ID: "carol"}
	for range limit.LinksPerDay {
		c.must(c.UseLink(t.Context(), carol, c.code(c.alice)))
		c.must(c.Unlink(t.Context(), c.alice, account))
	}
	c.refused(event.TooManyLinks)(c.UseLink(t.Context(), carol, c.code(c.bob))) // the other account is limited too
	c.now = c.now.Add(day)
	c.must(c.UseLink(t.Context(), carol, c.code(c.alice)))
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
