package match_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"chimera/bot/event"
	"chimera/bot/rating"
	"chimera/bot/user"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// serve puts the club's room into a server.
func (c *club) serve() storage.ServerID {
	c.t.Helper()
	_, server := c.at(storage.Address{Platform: "test", ID: "room"}, storage.Address{Platform: "test", ID: "server"})
	return server.ID
}

// boards are all lines of all leaderboards of the world and of two servers.
func (c *club) boards() map[rating.Asked][]rating.Line {
	c.t.Helper()
	all := map[rating.Asked][]rating.Line{}
	for server := range storage.ServerID(3) {
		for _, game := range []string{storage.Overall, "chess"} {
			for _, period := range []rating.Period{rating.Ever, rating.Week, rating.Month, rating.Games, rating.Streak, rating.Combiner} {
				about := rating.Asked{Server: server, Game: game, Period: period, From: 1}
				for ask := about; ; ask.From += rating.PageSize {
					found := c.top(ask)
					for _, l := range slices.Concat(found.Lines, found.Guesses) {
						l.Deviation = 0 // it grows
						all[about] = append(all[about], l)
					}
					if found.From+rating.PageSize > found.All+found.Unsure {
						break
					}
				}
			}
		}
	}
	return all
}

// sameBoards compares all leaderboards with what they were.
func (c *club) sameBoards(was map[rating.Asked][]rating.Line) {
	c.t.Helper()
	now := c.boards()
	for about := range was {
		if !reflect.DeepEqual(now[about], was[about]) {
			c.t.Errorf("%+v shows %+v, and showed %+v", about, now[about], was[about])
		}
	}
	if len(now) != len(was) {
		c.t.Errorf("%d leaderboards show somebody, and %d did", len(now), len(was))
	}
}

// boardsMadeAnew compares all leaderboards with those that a program that begins makes.
func (c *club) boardsMadeAnew() {
	c.t.Helper()
	was := c.boards()
	c.Ratings = rating.New(c.store, c.Log, variants.All(), func() time.Time { return c.now })
	c.sameBoards(was)
}

func (c *club) top(ask rating.Asked) *rating.Leaderboard {
	c.t.Helper()
	if ask.Period == "" {
		ask.Period = rating.Ever
	}
	if ask.Game == "" {
		ask.Game = storage.Overall
	}
	found, err := c.Top(c.t.Context(), ask)
	c.ok(err)
	return found
}

func TestLeaderboardsShowTheLastResultAndAreAsIfMadeAnew(t *testing.T) {
	c := newClub(t)
	rnd := kvtest.Random(t)
	members := []event.By{c.alice, c.bob}
	for i := range 5 {
		members = append(members, c.meet(fmt.Sprint("p", i)))
	}
	server := c.serve()
	games := 0
	for range 60 {
		pair := rnd.Perm(len(members))
		c.now = c.now.Add(time.Duration(rnd.IntN(48)) * time.Hour)
		switch {
		case c.duel(members[pair[0]], members[pair[1]], 10).Counted:
			games++
		case rnd.IntN(4) == 0:
			c.must(c.Hide(t.Context(), members[0], members[pair[0]].Person, rnd.IntN(2) == 0))
		}
		if rnd.IntN(8) == 0 {
			c.must(c.Choose(t.Context(), members[pair[1]], user.SetBoards, []string{"on", "off"}[rnd.IntN(2)]))
		}
		if rnd.IntN(3) == 0 {
			continue // nobody looks
		}
		shown := 0
		found := c.top(rating.Asked{Server: server, From: 1})
		for _, l := range slices.Concat(found.Lines, found.Guesses) {
			if career := c.standing(l.Person, storage.Overall); career.Games() != l.Games || career.Value != l.Value {
				t.Errorf("%+v is shown, but there is %+v", l, career)
			}
			shown++
		}
		if shown == 0 && games > 10 {
			t.Error("nobody is shown")
		}
		for _, period := range []rating.Period{rating.Week, rating.Month} {
			c.tallies(period, members)
		}
	}
	c.boardsMadeAnew()
	c.ratingsHold()
}

// games is how many each person has on the world's leaderboards of a week and of all time.
func (c *club) games(l *rating.Service) (found [2]map[storage.PersonID]int) {
	c.t.Helper()
	for i, period := range []rating.Period{rating.Week, rating.Games} {
		board, err := l.Top(c.t.Context(), rating.Asked{Game: storage.Overall, Period: period, From: 1})
		c.ok(err)
		found[i] = map[storage.PersonID]int{}
		for _, line := range board.Lines {
			found[i][line.Person] = line.Games
		}
	}
	return found
}

func TestResultsOfAnotherProcessAndOfAClockThatWasSetBackAreOnTheBoards(t *testing.T) {
	c := newClub(t)
	carol, dave := c.meet("carol"), c.meet("dave")
	other := rating.New(c.store, c.Log, variants.All(), func() time.Time { return c.now.Add(-10 * time.Second) }) // its clock differs
	want := map[storage.PersonID]int{}
	for i, pair := range [][2]event.By{{c.alice, c.bob}, {c.bob, carol}, {carol, c.alice}, {c.alice, c.bob}, {dave, c.bob}, {carol, dave}} {
		c.now = c.now.Add([]time.Duration{0, time.Hour, 0, -30 * time.Second, -3 * time.Hour, 0}[i])
		c.duel(pair[0], pair[1], 10)
		want[pair[0].Person]++
		want[pair[1].Person]++
		for _, l := range []*rating.Service{c.Ratings, other} {
			for _, got := range c.games(l) {
				if !maps.Equal(got, want) {
					t.Errorf("after game %d the boards have %v, want %v", i+1, got, want)
				}
			}
		}
	}
	c.boardsMadeAnew()
	c.ratingsHold()
}

// tallies compares the leaderboard of the world for a period that goes on with the results.
func (c *club) tallies(period rating.Period, members []event.By) {
	c.t.Helper()
	year, month, date := c.now.Date()
	since := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	if period == rating.Week {
		since = time.Date(year, month, date-(int(c.now.Weekday())+6)%7, 0, 0, 0, 0, time.UTC)
	}
	type tally struct{ points, games int }
	want := map[storage.PersonID]tally{}
	for _, by := range members {
		record, err := c.Record(c.t.Context(), by.Person)
		c.ok(err)
		for _, g := range record.Games {
			if g.Counted && !g.Changed.Before(since) && !record.Person.Settings.Unranked {
				side, _ := g.SideOf(by.Person)
				now := want[by.Person]
				want[by.Person] = tally{now.points + 1 - side, now.games + 1} // White always wins
			}
		}
	}
	found := c.top(rating.Asked{Period: period, From: 1, Asker: c.alice.Person})
	if len(found.Lines) != len(want) || found.All != len(want) {
		c.t.Errorf("%s: %+v, want %+v", period, found, want)
	}
	for i, l := range found.Lines {
		rank := 1
		for _, other := range want {
			if mine := want[l.Person]; other.points > mine.points || other.points == mine.points && other.games < mine.games {
				rank++
			}
		}
		if got := (tally{int(l.Value), l.Games}); got != want[l.Person] || l.Rank != rank {
			c.t.Errorf("%s, line %d: %+v, want %+v and rank %d", period, i+1, l, want[l.Person], rank)
		}
	}
}

func TestWhoBecomesProvisionalWithTimeLeavesTheBoardOnThatDay(t *testing.T) {
	for _, away := range []bool{false, true} {
		c := newClub(t)
		now := storage.Standing{Value: 1800, Deviation: 100, Volatility: 0.06, At: c.now, Wins: 9, Losses: 2}
		c.update(func(w storage.Writer) error {
			var career storage.Standings
			career.Put(storage.Overall, now)
			now.Deviation, now.Volatility = 60, 0.09
			career.Put("chess", now)
			return w.PutStandings(c.alice.Person, career)
		})
		c.must(c.Choose(t.Context(), c.alice, user.SetBoards, "off"))
		c.must(c.Choose(t.Context(), c.alice, user.SetBoards, "on"))
		sure := func(kind string) bool {
			found := c.top(rating.Asked{Game: kind, From: 1})
			if len(found.Lines)+len(found.Guesses) != 1 {
				t.Fatalf("%d lines and %d provisional ones", len(found.Lines), len(found.Guesses))
			}
			return len(found.Lines) == 1
		}
		begun := c.now
		left := map[string]int{} // after how many days
		for days := 0; days < 500; days++ {
			c.now = begun.Add(time.Duration(days) * day).Truncate(day)
			if away && days < 400 {
				continue // the program does not run
			}
			c.tick()
			for kind, dev := range map[string]rating.Rating{storage.Overall: {Value: 1800, Deviation: 100, Volatility: 0.06}, "chess": {Value: 1800, Deviation: 60, Volatility: 0.09}} {
				if got := sure(kind); got == dev.Grown(c.now.Sub(begun)).Provisional() {
					t.Errorf("after %d days, %s: on the board %v, though the deviation is %v", days, kind, got, dev.Grown(c.now.Sub(begun)).Deviation)
				} else if got {
					left[kind] = days
				}
			}
		}
		if !away && (left[storage.Overall] < 30 || left["chess"] < 90) {
			t.Errorf("they were on the boards for %v days", left)
		}
	}
}
