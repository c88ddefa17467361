package match_test

import (
	"errors"
	"fmt"
	"maps"
	"sync"
	"testing"
	"time"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/user"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// frailClub is a club whose program can be killed.
func frailClub(t *testing.T) (*club, *kvtest.Frail) {
	t.Helper()
	db := &kvtest.Frail{DB: new(kvtest.Disk).Open("db"), Left: -1}
	return newClubOn(t, db), db
}

// killed does something in which the program is killed, after a number of updates.
func killed(t *testing.T, db *kvtest.Frail, after int, do func() (event.Done, error)) {
	t.Helper()
	db.Left = after
	if _, err := do(); !errors.Is(err, kvtest.ErrKilled) {
		t.Fatal(err)
	}
	db.Left = -1
}

// update changes the store.
func (c *club) update(fn func(storage.Writer) error) {
	c.t.Helper()
	c.ok(c.store.Update(c.t.Context(), fn))
}

// alike makes some games more like one, each at the place that it is given.
func (c *club) alike(like storage.GameID, count int, change func(n int, g *storage.Game)) {
	c.t.Helper()
	for n := range count {
		c.update(func(w storage.Writer) error {
			g, err := w.Games().Get(like)
			if err != nil {
				return err
			}
			change(n, &g)
			return add(w, &g)
		})
	}
}

// inSteps does something large without a break, and then once for each of the updates that this
// took, killed after that one. What was left to do is done when the program begins again, and all
// that is stored is the same at last.
func inSteps(t *testing.T, prepare func(*club), do func(*club) (event.Done, error)) {
	t.Helper()
	var want map[string]string
	for killed := -1; ; killed++ {
		c, db := frailClub(t)
		c.store.OnPost(func([]storage.Queue) {})
		prepare(c)
		c.now = c.now.Add(time.Minute)
		db.Left = killed
		_, err := do(c)
		done := killed >= 0 && err == nil
		db.Left = -1
		switch {
		case killed < 0 && err != nil:
			t.Fatal(err)
		case killed < 0:
		case !done && !errors.Is(err, kvtest.ErrKilled):
			t.Fatalf("killed after %d updates: %v", killed, err)
		case killed == 0:
			continue // nothing has begun
		}
		again := serve(c.store, func() time.Time { return c.now }, func() bool { return true })
		for more := true; more; {
			more, err = again.WorkMore(t.Context())
			must(t, err)
		}
		found := kvtest.Contents(c.t, db)
		if killed < 0 {
			want = found
			continue
		}
		for key := range maps.Keys(want) {
			if found[key] != want[key] {
				t.Errorf("killed after %d updates, %q is %q, want %q", killed, key, found[key], want[key])
				break
			}
		}
		if len(found) != len(want) {
			t.Errorf("killed after %d updates, %d keys are stored, want %d", killed, len(found), len(want))
		}
		if done {
			if killed < 3 {
				t.Errorf("it took %d updates: that is no work in steps", killed)
			}
			return
		}
	}
}

// rooms are a number of places, in the server at an address if there is one.
func (c *club) rooms(count int, server storage.Address) (at []storage.PlaceID) {
	c.t.Helper()
	for n := range count {
		place, _ := c.at(storage.Address{Platform: "test", ID: fmt.Sprint("room ", n)}, server)
		at = append(at, place.ID)
	}
	return at
}

// town is a server with a number of rooms, each with a game.
func town(c *club, rooms int) storage.Address {
	c.t.Helper()
	server := storage.Address{Platform: "test", ID: "town"}
	at := c.rooms(rooms, server)
	like := c.game()
	c.alike(like, rooms, func(n int, g *storage.Game) { g.Place = at[n] })
	return server
}

func TestToLeaveALargeServerGoesOnWhereItWasKilled(t *testing.T) {
	const rooms = 130
	inSteps(t, func(c *club) {
		town(c, rooms)
		home, _ := c.at(storage.Address{Platform: "test", ID: "alice's"}, storage.Address{})
		c.update(func(w storage.Writer) error {
			return w.People().Change(c.alice.Person, func(p *storage.Person) { p.Home = home.ID })
		})
	}, func(c *club) (event.Done, error) {
		return event.Done{}, c.LeaveServer(t.Context(), storage.Address{Platform: "test", ID: "town"}, true)
	})
}

func TestToComeBackToALargeServerGoesOnWhereItWasKilled(t *testing.T) {
	inSteps(t, func(c *club) {
		must(t, c.LeaveServer(t.Context(), town(c, 20), true))
		c.now = c.now.Add(time.Hour)
		c.update(func(w storage.Writer) error {
			games, err := w.Games().All(w.Playing(c.alice.Person))
			for _, g := range games {
				g.Changed = c.now
				err = errors.Join(err, w.Games().Put(g))
			}
			return err
		})
	}, func(c *club) (event.Done, error) {
		return event.Done{}, c.LeaveServer(t.Context(), storage.Address{Platform: "test", ID: "town"}, false)
	})
}

func TestToRenameALargeGroupGoesOnWhereItWasKilled(t *testing.T) {
	inSteps(t, func(c *club) {
		c.heard(c.alice, oldGroup)
		at := c.heard(c.alice, newGroup).Place
		c.alike(c.game(), 60, func(_ int, g *storage.Game) { g.Place = at })
	}, func(c *club) (event.Done, error) { return event.Done{}, c.Rename(t.Context(), oldGroup, newGroup) })
}

func TestToForgetWhoPlaysMuchGoesOnWhereItWasKilled(t *testing.T) {
	inSteps(t, func(c *club) {
		also := c.rooms(20, storage.Address{})
		c.alike(c.game(), 60, func(_ int, g *storage.Game) { g.Also = also })
		for n := range 100 {
			c.must(c.Block(t.Context(), c.meet(fmt.Sprint("other ", n)), c.alice.Person, true))
		}
		c.must(c.Forget(t.Context(), message(c.alice, "first"), false))
	}, func(c *club) (event.Done, error) { return c.Forget(t.Context(), message(c.alice, "second"), false) })
}

// TestNothingIsToldWhereSomethingWasLeftMeanwhile leaves a place while what was missed there is
// still being shown.
func TestNothingIsToldWhereSomethingWasLeftMeanwhile(t *testing.T) {
	c, db := frailClub(t)
	server := town(c, 5)
	c.ok(c.LeaveServer(t.Context(), server, true))
	killed(t, db, 1, func() (event.Done, error) { return event.Done{}, c.LeaveServer(t.Context(), server, false) })
	said := len(c.outbox())
	c.ok(c.LeaveServer(t.Context(), server, true))
	for _, e := range c.outbox()[said:] {
		if e.Kind == string(event.Moved) || e.Kind == string(event.Began) {
			t.Errorf("told is %+v", e)
		}
	}
}

// TestAnOutageIsToldOnceThoughTheProgramIsKilledMeanwhile kills it after some of the places.
func TestAnOutageIsToldOnceThoughTheProgramIsKilledMeanwhile(t *testing.T) {
	const rooms = 40
	c, db := frailClub(t)
	c.beat()
	town(c, rooms)
	c.now = c.now.Add(2 * time.Hour)
	killed(t, db, 2, func() (event.Done, error) { return event.Done{}, errors.Join(c.Beat(t.Context()), c.Tick(t.Context())) })
	c.beat()
	told := map[storage.PlaceID]int{}
	for _, e := range c.waiting(event.Recovered) {
		told[e.Place]++
	}
	for place, often := range told {
		if often != 1 {
			t.Errorf("place %d was told %d times", place, often)
		}
	}
	if len(told) != rooms+1 { // and where the game is that the others are like
		t.Errorf("%d places were told, want %d", len(told), rooms+1)
	}
}

// many are games with two days for a move, in which it is alice's turn, at some rooms.
func many(c *club, count int) (ids []storage.GameID) {
	c.t.Helper()
	at := c.rooms(5, storage.Address{})
	like := c.timed(storage.Pace{Move: 2 * day}, false)
	c.alike(like, count, func(n int, g *storage.Game) { g.Place = at[n%len(at)] })
	return read(c, func(r storage.Reader) ([]storage.GameID, error) { return r.Playing(c.alice.Person) })
}

// others are opponents of alice's, one for each of a number of games.
func others(c *club, count int) {
	c.t.Helper()
	var them []storage.PersonID
	for n := range count {
		them = append(them, c.meet(fmt.Sprint("other ", n)).Person)
	}
	c.alike(c.timed(storage.Pace{Move: 2 * day}, false), count, func(n int, g *storage.Game) { g.Players[storage.Black] = them[n] })
}

func TestAVacationFromManyGamesGoesOnWhereItWasKilled(t *testing.T) {
	inSteps(t, func(c *club) {
		c.beat()
		others(c, 150)
	}, func(c *club) (event.Done, error) { return c.GoAway(t.Context(), c.alice, 3) })
}

func TestToComeBackToManyGamesGoesOnWhereItWasKilled(t *testing.T) {
	inSteps(t, func(c *club) {
		c.beat()
		others(c, 100)
		c.must(c.GoAway(t.Context(), c.alice, 3))
	}, func(c *club) (event.Done, error) { return c.ComeBack(t.Context(), c.alice) })
}

func TestASettingForManyGamesGoesOnWhereItWasKilled(t *testing.T) {
	inSteps(t, func(c *club) {
		c.beat()
		many(c, 60)
	}, func(c *club) (event.Done, error) { return c.Choose(t.Context(), c.alice, user.SetReminders, "4h") })
}

// popular lets many challenge somebody, and many others not want them.
func popular(c *club, who event.By) {
	c.t.Helper()
	c.must(c.Block(c.t.Context(), who, c.bob.Person, true))
	for n := range 40 {
		by := c.meet(fmt.Sprint("challenger ", n)).Person
		c.update(func(w storage.Writer) error {
			id, err := w.NewGameID()
			return errors.Join(err, w.Challenges().Put(storage.Challenge{
				ID: id, From: by, To: who.Person, Variant: "chess", Color: "white", Place: who.Place, At: c.now, Expires: c.now.Add(7 * day),
			}))
		})
	}
	for n := range 100 {
		c.must(c.Block(c.t.Context(), c.meet(fmt.Sprint("other ", n)), who.Person, true))
	}
}

func TestToLinkWhoPlaysMuchGoesOnWhereItWasKilled(t *testing.T) {
	var code string
	inSteps(t, func(c *club) {
		c.beat()
		many(c, 40)
		popular(c, c.alice)
		c.must(c.GoAway(t.Context(), c.alice, 3))
		carol := c.on("other", "carol")
		code = c.code(carol)
		c.must(c.AgreeLink(t.Context(), c.alice, code))
	}, func(c *club) (event.Done, error) { return c.GiveLink(t.Context(), c.on("other", "carol"), code) })
}

func TestToUnlinkWhoPlaysMuchGoesOnWhereItWasKilled(t *testing.T) {
	inSteps(t, func(c *club) {
		c.beat()
		carol := c.on("other", "carol")
		c.must(c.UseLink(t.Context(), carol, c.code(c.alice)))
		seat, _ := c.at(storage.Address{Platform: "other", ID: "hers"}, storage.Address{})
		c.alike(c.timed(storage.Pace{Move: 2 * day}, false), 40, func(_ int, g *storage.Game) { g.Seats[storage.White] = seat.ID })
		there := c.alice
		there.Place = seat.ID
		popular(c, there)
	}, func(c *club) (event.Done, error) {
		return c.Unlink(t.Context(), c.alice, storage.Address{Platform: "other", ID: "carol"})
	})
}

// TestAVacationHoldsForGamesThatItHasNotComeToYet kills the program where the clocks of most games
// have not followed, and lets nothing be done but what is due.
func TestAVacationHoldsForGamesThatItHasNotComeToYet(t *testing.T) {
	c, db := frailClub(t)
	c.beat()
	c.choose(c.alice, user.SetVacation, "ask")
	c.choose(c.alice, user.SetReminders, "off")
	games := many(c, 50)
	pass := func(d time.Duration) {
		for end := c.now.Add(d); c.now.Before(end); {
			c.now = c.now.Add(min(match.Outage, end.Sub(c.now)))
			c.ok(errors.Join(c.Beat(t.Context()), c.HandleDue(t.Context())))
			c.deliver()
		}
	}
	pass(day)
	killed(t, db, 1, func() (event.Done, error) { return c.GoAway(t.Context(), c.alice, 7) })
	until := c.now.Add(7 * day)
	for range 3 {
		for _, id := range games {
			if sight := c.look(id); sight.Game.Over() || !sight.Away.Equal(until) || sight.Left != 0 {
				t.Fatalf("the clock of game %d runs for %v, until %v; away until %v", id, sight.Left, sight.Due, sight.Away)
			}
		}
		pass(2 * day)
	}
	last := games[len(games)-1]
	c.must(c.Move(t.Context(), c.alice, last, "e4")) // though she is away
	c.work()
	killed(t, db, 1, func() (event.Done, error) { return c.ComeBack(t.Context(), c.alice) })
	for _, left := range []time.Duration{day, 12 * time.Hour} {
		for _, id := range games[:len(games)-1] {
			if sight := c.look(id); sight.Game.Over() || !sight.Away.IsZero() || sight.Left != left {
				t.Fatalf("in game %d %v are left, want %v; away until %v", id, sight.Left, left, sight.Away)
			}
		}
		pass(12 * time.Hour)
	}
}

// TestSeveralProcessesTellEachOpponentOnce lets them do what is left of the same work at once.
func TestSeveralProcessesTellEachOpponentOnce(t *testing.T) {
	const many = 150
	c, db := frailClub(t)
	c.beat()
	others(c, many)
	c.deliver()
	killed(t, db, 1, func() (event.Done, error) { return c.GoAway(t.Context(), c.alice, 3) })
	now := c.now
	var work sync.WaitGroup
	for range 3 {
		work.Go(func() {
			process := serve(c.store, func() time.Time { return now }, func() bool { return true })
			for more := true; more; {
				var err error
				if more, err = process.WorkMore(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	work.Wait()
	told := map[string]int{}
	for _, e := range c.waiting(event.WentAway) {
		told[e.Facts["games"]]++
	}
	if len(told) != many+1 { // and bob
		t.Errorf("%d opponents were told, not %d", len(told), many+1)
	}
	for games, often := range told {
		if often != 1 {
			t.Errorf("of %s was told %d times", games, often)
		}
	}
}

// TestALinkOfSomebodyWhoseRecordIsLostHoldsNothingUp has work to do for somebody who is not there.
func TestALinkOfSomebodyWhoseRecordIsLostHoldsNothingUp(t *testing.T) {
	c := newClub(t)
	carol := c.on("other", "carol")
	c.update(func(w storage.Writer) error {
		return w.Jobs().Put(storage.Job{Kind: storage.JoinJob, Of: 9, Into: 8, Part: 1})
	})
	c.alike(c.game(), 1, func(_ int, g *storage.Game) { g.Players[storage.White] = 9 })
	id := c.begun(carol, c.bob, storage.Challenge{Variant: "chess"})
	c.must(c.UseLink(t.Context(), carol, c.code(c.alice)))
	if g := c.look(id).Game; g.Players[storage.White] != c.alice.Person {
		t.Errorf("the game is person %d's", g.Players[storage.White])
	}
	c.update(func(w storage.Writer) error { // all is in order again
		games, err := w.Games().All(w.Playing(9))
		for _, g := range games {
			g.Players[storage.White] = c.alice.Person
			err = errors.Join(err, w.Games().Put(g))
		}
		return err
	})
}
