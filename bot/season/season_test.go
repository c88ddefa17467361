package season_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"chimera/bot"
	"chimera/bot/event"
	"chimera/bot/season"
	"chimera/rules"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// club is people in a server with a league, and the services over one store, whose clock the test sets.
type club struct {
	bot.Services
	t      testing.TB
	db     *kvtest.Brittle
	held   *watched
	ends   bool // the program ends in each step of what is due
	now    time.Time
	room   storage.Place
	people []event.By      // at the room, each with a chat of their own
	told   []storage.Entry // at the room

	withdrawn []storage.Entry // who was told in private that they are
}

// monday is a Monday on which nothing has begun.
var monday = time.Date(2026, 12, 7, 18, 0, 0, 0, time.UTC)

func newClub(t testing.TB, people int) *club {
	t.Helper()
	held := &watched{DB: new(kvtest.Disk).Open("club")}
	c := &club{t: t, db: &kvtest.Brittle{DB: held}, held: held, now: monday.Add(-5 * day)}
	c.open()
	t.Cleanup(func() {
		if _, err := c.Maintenance.Verify(context.WithoutCancel(t.Context()), func(id storage.GameID, fault error) { t.Errorf("game %d: %v", id, fault) }, func(int, int) {}); err != nil {
			t.Error(err)
		}
	})
	c.update(func(w storage.Writer) (err error) {
		c.room, err = w.Visit(storage.Address{Platform: "test", ID: "room"}, storage.Address{Platform: "test", ID: "server"})
		return err
	})
	for range people {
		c.meet()
	}
	return c
}

// open begins the program on what is stored.
func (c *club) open() {
	store, err := storage.Open(c.t.Context(), c.db)
	c.ok(err)
	c.Services = bot.NewServices(store, variants.All(), func() time.Time { return c.now }, func() bool { return true })
}

// meet is somebody new, who can be told things in private.
func (c *club) meet() event.By {
	c.t.Helper()
	var by event.By
	c.update(func(w storage.Writer) error {
		name := fmt.Sprint("p", len(c.people)+1)
		p, err := w.Meet(storage.Address{Platform: "test", ID: name}, name)
		chat, err2 := w.Visit(storage.Address{Platform: "test", ID: "chat of " + name}, storage.Address{})
		chat.Owner, p.Home, p.Settings.Stay = p.ID, chat.ID, true
		by = event.By{Person: p.ID, Place: c.room.ID}
		return errors.Join(err, err2, w.Places().Put(chat), w.People().Put(p))
	})
	c.people = append(c.people, by)
	return by
}

func (c *club) ok(err error) {
	c.t.Helper()
	kvtest.Must(c.t, err)
}

func (c *club) must(_ event.Done, err error) {
	c.t.Helper()
	c.ok(err)
}

func (c *club) update(do func(storage.Writer) error) {
	c.t.Helper()
	c.ok(c.Store.Update(c.t.Context(), do))
}

func read[T any](c *club, do func(storage.Reader) (T, error)) T {
	c.t.Helper()
	found, err := storage.Read(c.t.Context(), c.Store, do)
	c.ok(err)
	return found
}

const day = 24 * time.Hour

// league sets a league up, which everybody joins.
func (c *club) league(weeks, size int) storage.LeagueID {
	c.t.Helper()
	c.must(c.Seasons.SetUp(c.t.Context(), c.people[0], season.Terms{Variant: "chess", Weeks: weeks, Size: size}))
	l := c.leagues()[0]
	for _, by := range c.people {
		c.must(c.Seasons.Join(c.t.Context(), by, l.ID))
	}
	return l.ID
}

func (c *club) leagues() []storage.League {
	return read(c, func(r storage.Reader) ([]storage.League, error) { return r.LeaguesIn(c.room.Server) })
}

// tick does what is due, and delivers what waits to be said.
func (c *club) tick() {
	c.t.Helper()
	c.ok(c.Match.Alive(c.t.Context()))
	for ended := c.ends; ended; {
		var err error
		ended, err = c.db.Ends(func() error { return c.Maintenance.Tick(c.t.Context()) })
		c.ok(err)
	}
	c.ok(c.Maintenance.Tick(c.t.Context()))
	c.deliver()
}

func (c *club) deliver() {
	c.t.Helper()
	waiting := read(c, storage.Reader.Outbox)
	c.update(func(w storage.Writer) error {
		for _, e := range waiting {
			if err := errors.Join(w.Delivered(e.Queue(), e.ID), c.Match.HeardOf(w, e)); err != nil {
				return err
			}
		}
		return nil
	})
	for _, e := range waiting {
		if e.Place == c.room.ID {
			c.told = append(c.told, e)
		} else if event.Kind(e.Kind) == event.Withdrawn {
			c.withdrawn = append(c.withdrawn, e)
		}
	}
}

// until lets time pass, by a step, up to a moment.
func (c *club) until(at time.Time, step time.Duration) {
	c.t.Helper()
	for c.now.Before(at) {
		if c.now = c.now.Add(step); c.now.After(at) {
			c.now = at
		}
		c.tick()
	}
}

// says checks what was said in the room since it was asked last.
func (c *club) says(kinds ...event.Kind) {
	c.t.Helper()
	var got []event.Kind
	for _, e := range c.told {
		got = append(got, event.Kind(e.Kind))
	}
	if fmt.Sprint(got) != fmt.Sprint(kinds) {
		c.t.Errorf("the room was told %v, want %v", got, kinds)
	}
	c.told = nil
}

// table is a division of the season that goes on, or was the last.
func (c *club) table(l storage.LeagueID, n int) *season.Division {
	c.t.Helper()
	d, err := c.Seasons.Division(c.t.Context(), l, 0, n)
	c.ok(err)
	return d
}

// game is one of a division between two people, whoever plays White.
func (c *club) game(d *season.Division, one, other event.By) storage.Game {
	c.t.Helper()
	for _, r := range d.Results {
		g := read(c, func(r0 storage.Reader) (storage.Game, error) { return r0.Games().Get(r.Game) })
		_, a := g.SideOf(one.Person)
		if _, b := g.SideOf(other.Person); a && b {
			return g
		}
	}
	c.t.Fatalf("%d and %d do not meet", one.Person, other.Person)
	return storage.Game{}
}

// resigns gives a game up.
func (c *club) resigns(by event.By, g storage.Game) {
	c.t.Helper()
	c.must(c.Match.Resign(c.t.Context(), by, g.ID, false))
	c.must(c.Match.Resign(c.t.Context(), by, g.ID, true))
}

// timeouts is how many games a seat of a division has lost on time.
func (c *club) timeouts(d *season.Division, seat int) (n int) {
	c.t.Helper()
	for _, r := range d.Results {
		g := read(c, func(rd storage.Reader) (storage.Game, error) { return rd.Games().Get(r.Game) })
		if g.Ending == string(rules.ByTime) && (g.Result == rules.WhiteWins.String() && r.Seats[1] == seat || g.Result == rules.BlackWins.String() && r.Seats[0] == seat) {
			n++
		}
	}
	return n
}

func TestASeasonOfFourInAProgramThatEndsInEachStep(t *testing.T) {
	c := newClub(t, 4)
	c.ends = true
	l := c.league(2, 8)
	c.tick()
	c.says(event.LeagueSet)
	c.until(monday, day)
	c.says(event.SeasonBegan)
	d := c.table(l, 1)
	if len(d.Results) != 6 || d.Season.Number != 1 || !d.Season.Ends.Equal(monday.Add(14*day)) {
		t.Fatalf("%+v", d)
	}
	// The first wins all, the second all but one, and so on.
	for i, one := range c.people {
		for _, other := range c.people[i+1:] {
			g := c.game(d, one, other)
			if !g.Rated || g.Pace.Bank != 6*day || g.Place == c.room.ID || g.Seat(storage.Black) == c.room.ID {
				t.Errorf("%+v", g)
			}
			c.resigns(other, g)
		}
	}
	c.tick()
	c.says(event.SeasonEnded)
	d = c.table(l, 1)
	for i, s := range d.Standings {
		if s.Person != c.people[i].Person || s.Place != i+1 || s.Wins != 3-i {
			t.Errorf("%d. is %+v", i+1, s)
		}
	}
	if next := c.leagues()[0].Next; !next.Equal(monday.Add(7 * day)) {
		t.Errorf("the next season begins at %s", next)
	}
	c.until(monday.Add(7*day), day)
	c.says(event.SeasonBegan)
	c.until(monday.Add(14*day), day) // nobody has moved, and all are out of time
	c.says(event.SeasonEnded)
	d = c.table(l, 1)
	for _, s := range d.Standings {
		if late := c.timeouts(d, s.Seat); s.Out != (late >= 2) || s.Late != s.Out || s.Left > 0 {
			t.Errorf("with %d games lost on time: %+v", late, s)
		}
	}
}
