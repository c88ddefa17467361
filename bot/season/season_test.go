package season_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"
	"time"

	"chimera/bot"
	"chimera/bot/event"
	"chimera/bot/match"
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
	ends   bool                     // the program ends in each step of what is due
	hears  func(storage.Entry) bool // whether something reaches people by now; nil for everything
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
	waiting := slices.DeleteFunc(read(c, storage.Reader.Outbox), func(e storage.Entry) bool { return c.hears != nil && !c.hears(e) })
	for some := range slices.Chunk(waiting, 64) {
		c.update(func(w storage.Writer) (err error) {
			for _, e := range some {
				err = errors.Join(err, w.Delivered(e.Queue(), e.ID), c.Match.HeardOf(w, e))
			}
			return err
		})
	}
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
		if (g.Ending == string(rules.ByTime) || g.Ending == match.SeasonOver) && (g.Result == rules.WhiteWins.String() && r.Seats[1] == seat || g.Result == rules.BlackWins.String() && r.Seats[0] == seat) {
			n++
		}
	}
	return n
}

// lazy is somebody who does the least that they must.
type lazy struct {
	moves  bool          // at the last moment; else never
	hears  time.Duration // how long it takes what is said to reach them; negative for ever
	leaves time.Duration // the league, this long before the end of a season; 0 for never
}

func TestASeasonEndsOnItsDayHoweverLittleItsPlayersDo(t *testing.T) {
	rnd := kvtest.Random(t)
	span := func(most time.Duration) time.Duration {
		return time.Duration(rnd.Int64N(int64(most))).Truncate(time.Minute)
	}
	for i := range 6 {
		c := newClub(t, season.Fewest+rnd.IntN(9))
		c.ends = rnd.IntN(3) == 0
		zone := storage.ZoneOf([]string{"America/Havana", "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"}[rnd.IntN(5)*min(i, 1)])
		habits, chats := map[storage.PersonID]lazy{}, map[storage.PlaceID]storage.PersonID{}
		c.update(func(w storage.Writer) error {
			err := w.Servers().Change(c.room.Server, func(s *storage.Server) { s.Settings.Zone = zone.String() })
			for _, by := range c.people {
				habits[by.Person] = lazy{rnd.IntN(3) > 0, span(40*time.Hour) - 5*time.Hour, span(3*day) * time.Duration(rnd.IntN(4)/3)}
				err = errors.Join(err, w.People().Change(by.Person, func(p *storage.Person) {
					chats[p.Home], p.Settings.Stay = p.ID, rnd.IntN(2) == 0
					p.Home *= storage.PlaceID(min(rnd.IntN(5), 1)) // some have none
				}))
			}
			return err
		})
		c.hears = func(e storage.Entry) bool {
			h, known := habits[chats[e.Place]]
			return e.Place == c.room.ID || known && h.hears >= 0 && c.now.Sub(e.At) >= h.hears
		}
		c.now = c.now.Add(span(365 * day))
		weeks, size := season.LeastWeeks+rnd.IntN(season.MostWeeks-1), season.LeastSize+rnd.IntN(season.MostSize-season.LeastSize+1)
		l := c.league(weeks, size)
		on, hour := c.now.In(zone).AddDate(0, 0, 1+rnd.IntN(7)), span(day)
		if i == 0 { // clocks skip this, to the day before
			on, hour = time.Date(2027, time.March, 14, 0, 0, 0, 0, time.UTC), 30*time.Minute
			c.now = on.AddDate(0, 0, -3)
		}
		after := func(weeks int) time.Time {
			return time.Date(on.Year(), on.Month(), on.Day()+7*weeks, 0, int(hour/time.Minute), 0, 0, zone)
		}
		own := time.Time{}.Add(hour)
		c.must(c.Seasons.SetUp(t.Context(), c.people[0], season.Terms{Variant: "chess", Weeks: weeks, Size: size, Begins: c.Seasons.First(zone, on, own), Hour: own.Format("15:04")}))
		for week := range c.twice(l, after, weeks) {
			begins, ends := after(week), after(week+weeks)
			stops := []time.Time{ends.Add(-span(2 * day)), ends.Add(day)}[rnd.IntN(2)]
			if c.now = begins; rnd.IntN(4) == 0 { // the program stops as the games begin
				c.db.Chance, stops = func() bool { return c.leagues()[0].Runs }, c.now
				c.ok(c.Match.Alive(t.Context()))
				_, err := c.db.Ends(func() error { return c.Maintenance.Tick(t.Context()) })
				c.ok(err)
				c.db.Chance = nil
			} else {
				c.tick()
			}
			left := map[storage.PersonID]bool{}
			for c.now.Before(ends) {
				going := c.going()
				next := []time.Time{ends, c.now.Add(time.Minute + span(day/2))}
				for _, g := range going {
					if last := c.lastMoment(g); habits[g.Players[g.Turn]].moves && last.After(c.now) {
						next = append(next, last)
					}
				}
				c.now = slices.MinFunc(next, time.Time.Compare)
				if !c.now.Before(stops) {
					c.now, stops = ends.Add(span(8*day)-2*day), ends.Add(day)
					c.open()
					c.ok(c.Match.Beat(t.Context()))
				}
				inTime := map[storage.GameID]bool{}
				for _, g := range going {
					inTime[g.ID] = c.lastMoment(g).Add(time.Minute).After(c.now)
				}
				if c.tick(); !c.now.Before(ends) {
					for _, was := range going {
						g := read(c, func(r storage.Reader) (storage.Game, error) { return r.Games().Get(was.ID) })
						want := "1/2-1/2"
						if !was.Clock.Reminded.IsZero() {
							want = []string{"0-1", "1-0"}[was.Turn]
						}
						if g.Result != want || g.Counted != (want != "1/2-1/2") || inTime[g.ID] != (g.Ending == match.SeasonOver) {
							t.Errorf("in time %v, it ended %s by %s, rated %v, want %s", inTime[g.ID], g.Result, g.Ending, g.Counted, want)
						}
					}
				}
				if !c.leagues()[0].Runs {
					break
				}
				for _, g := range c.going() {
					by := event.By{Person: g.Players[g.Turn], Place: g.Seat(g.Turn)}
					_, _ = c.Match.AddTime(t.Context(), by, g.ID, 1)
					if n := len(g.Moves); habits[by.Person].moves && n < 16 && !c.lastMoment(g).After(c.now) {
						c.must(c.Match.Move(t.Context(), by, g.ID, fmt.Sprintf("%c%d", "abcdefgh"[n/2], 3+3*g.Turn), nil))
					}
				}
				for _, by := range c.people {
					if !left[by.Person] && ends.Sub(c.now) < habits[by.Person].leaves {
						left[by.Person] = true
						c.must(c.Seasons.Leave(t.Context(), by, l))
					} else if rnd.IntN(30) == 0 {
						_, _ = c.Match.GoAway(t.Context(), by, 1+rnd.IntN(14)) // as often as they can
					}
				}
			}
			table := c.table(l, 1)
			if !table.Season.Begins.Equal(begins) || !table.Season.Ends.Equal(ends) || table.Season.Ended.IsZero() || len(c.going()) > 0 {
				t.Fatalf("at %s %d games go on of %+v, which began %s and ends %s", c.now, len(c.going()), table.Season, begins, ends)
			}
			if played := slices.ContainsFunc(table.Standings, func(s season.Standing) bool { return s.Wins+s.Draws+s.Losses > 0 }); !played && len(table.Season.Champions) > 0 {
				t.Errorf("nobody has played, and %v are champions", table.Season.Champions)
			}
			for n := range table.Season.Divisions {
				d := c.table(l, n+1)
				for _, s := range d.Standings {
					late := c.timeouts(d, s.Seat) >= 2
					if s.Late != late || s.Out != (late || left[s.Person]) || s.Left > 0 {
						t.Errorf("late %v, left %v: %+v", late, left[s.Person], s)
					}
				}
			}
		}
	}
}

// twice are the weeks in which two seasons begin, from that of the first; after tells their moments.
func (c *club) twice(l storage.LeagueID, after func(weeks int) time.Time, weeks int) iter.Seq[int] {
	return func(yield func(int) bool) {
		if !yield(0) {
			return
		}
		for _, by := range c.people {
			c.must(c.Seasons.Join(c.t.Context(), by, l)) // who was taken out of it
		}
		ended, week := c.table(l, 1).Season.Ended, 0
		for week < weeks && after(week).Before(ended) {
			week++
		}
		if at, next := c.leagues()[0].Next, after(week+1); !at.Equal(next) {
			c.t.Errorf("the next season begins at %s, not %s", at.In(next.Location()), next)
		}
		yield(week + 1)
	}
}

// going are the games in progress of the season.
func (c *club) going() []storage.Game {
	return read(c, func(r storage.Reader) ([]storage.Game, error) {
		return r.Games().All(r.InSeason(c.leagues()[0].Season, 0, 0))
	})
}

// lastMoment is the last minute in which the player to move in a game can move.
func (c *club) lastMoment(g storage.Game) time.Time {
	if g.Clock.Reminded.IsZero() {
		return c.now.Add(day) // nobody's time is up before
	}
	v, err := c.Match.Load(c.t.Context(), g.ID, match.Latest)
	c.ok(err)
	return v.Due.Add(max(g.Clock.Reminded.Add(match.Notice).Sub(g.Due()), 0) - time.Minute)
}
