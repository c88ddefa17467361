package match_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chimera/bot/event"
	"chimera/bot/rating"
	"chimera/rules/variants"
	"chimera/storage"
)

// opening are moves that games begin with, enough for them to count.
const opening = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7"

// duel plays a rated game of a number of plies that Black gives up, and returns it.
func (c *club) duel(white, black event.By, plies int) storage.Game {
	c.t.Helper()
	id := c.begun(white, black, storage.Challenge{Variant: "chess", Rated: true, Pace: storage.Pace{Move: day}})
	for i, text := range strings.Fields(opening + " Re1 b5")[:plies] {
		c.must(c.Move(c.t.Context(), [...]event.By{white, black}[i%2], id, text))
	}
	c.resigns(black, id)
	return c.look(id).Game
}

// resigns says both words.
func (c *club) resigns(by event.By, id storage.GameID) {
	c.t.Helper()
	c.must(c.Resign(c.t.Context(), by, id, false))
	c.must(c.Resign(c.t.Context(), by, id, true))
}

// standing is a person's, the zero Standing if there is none.
func (c *club) standing(p storage.PersonID, kind string) storage.Standing {
	c.t.Helper()
	return read(c, func(r storage.Reader) (storage.Standings, error) { return r.Standings(p) }).Standings[kind]
}

// inServer is somebody where games are played that belongs to a server.
func (c *club) inServer(name string) event.By {
	by := c.meet(name)
	c.serve()
	return by
}

// annul says both words.
func (c *club) annul(id storage.GameID) {
	c.t.Helper()
	c.ok(c.Annul(c.t.Context(), id))
}

// leaveOut lets the leaderboards of somebody's server leave a game out.
func (c *club) leaveOut(by event.By, id storage.GameID) {
	c.t.Helper()
	c.must(c.LeaveOut(c.t.Context(), by, id, false))
	c.must(c.LeaveOut(c.t.Context(), by, id, true))
}

func (c *club) ratingsHold() {
	c.t.Helper()
	if _, err := c.VerifyRatings(c.t.Context(), func(fault error) { c.t.Error(fault) }, func(int, int) {}); err != nil {
		c.t.Error(err)
	}
}

// leavesOut reports whether the first server leaves a game out of its leaderboards.
func (c *club) leavesOut(g storage.GameID) bool {
	c.t.Helper()
	server := read(c, func(r storage.Reader) (storage.Server, error) { return r.Servers().Get(1) })
	return server.LeavesOut(g)
}

// TestAGameThatManagersAnnulIsLeftOutOfTheirServersBoardsAlone compares the boards with those of
// people who have not played it.
func TestAGameThatManagersAnnulIsLeftOutOfTheirServersBoardsAlone(t *testing.T) {
	played, never := newClub(t), newClub(t)
	var carol event.By
	for _, c := range []*club{played, never} {
		carol = c.meet("carol")
		c.serve()
	}
	first := played.duel(played.alice, played.bob, 10)
	rest := func(c *club) {
		c.now = c.now.Add(time.Hour)
		c.duel(c.bob, carol, 10)
		c.duel(carol, c.alice, 10)
	}
	for _, c := range []*club{played, never} {
		rest(c)
	}
	was := played.boards()
	played.leaveOut(played.inServer("manager"), first.ID)
	same := func() {
		t.Helper()
		now, want := played.boards(), never.boards()
		for about := range now {
			if about.Server == 0 {
				want[about] = was[about]
			}
			if !reflect.DeepEqual(now[about], want[about]) {
				t.Errorf("%+v: %+v, want %+v", about, now[about], want[about])
			}
		}
	}
	same()
	if g := played.look(first.ID).Game; !g.Counted || g.Figures != first.Figures {
		t.Errorf("counted %v, %v", g.Counted, g.Figures)
	}
	for _, c := range []*club{played, never} {
		rest(c) // what comes later is taken in
	}
	played.boardsMadeAnew()
	was = played.boards()
	same()
	played.ratingsHold()
}

func TestVerifyFindsAGameThatTellsOtherRatings(t *testing.T) {
	c := newClub(t)
	id := c.duel(c.alice, c.bob, 10).ID
	for _, change := range []func(*storage.Game){
		func(g *storage.Game) { g.Ratings[1][1]++ },
		func(g *storage.Game) { g.Spreads[0]++ },
		func(g *storage.Game) { g.Figures = storage.Figures{} },
	} {
		c.change(id, change)
		faults := 0
		if _, err := c.VerifyRatings(t.Context(), func(error) { faults++ }, func(int, int) {}); err != nil || faults != 1 {
			t.Errorf("%d faults, %v", faults, err)
		}
	}
}

func TestAResultAndItsRatingsAreThereTogetherOrNotAtAll(t *testing.T) {
	c, db, _ := newBrittleClub(t, 0)
	c.duel(c.alice, c.bob, 10)
	before := c.standing(c.bob.Person, "chess")
	id := c.begun(c.alice, c.bob, storage.Challenge{Variant: "chess", Rated: true, Pace: storage.Pace{Move: day}})
	c.moves(id, strings.Fields("a3 a6 b3 b6 h3 h6 f3 e5 g4")...)
	ended, err := db.Ends(func() error {
		_, err := c.Move(t.Context(), c.bob, id, "Qh4")
		return err
	})
	if !ended {
		t.Errorf("the program did not end: %v", err)
	}
	if after := c.standing(c.bob.Person, "chess"); after != before || c.look(id).Game.Over() {
		t.Errorf("after the program ended the game is over: %v; %+v, was %+v", c.look(id).Game.Over(), after, before)
	}
	c.must(c.Move(t.Context(), c.bob, id, "Qh4"))
	if after := c.standing(c.bob.Person, "chess"); after == before || !c.look(id).Game.Over() {
		t.Error("the result is not there")
	}
	c.ratingsHold()
}

// BenchmarkTop is a page of a leaderboard of 100,000 people, with the asker's own rank: of
// all time, of a month, of games played, and right after a result; and all that is done when
// nobody has asked before.
func BenchmarkTop(b *testing.B) {
	c := newClub(b)
	c.duel(c.alice, c.bob, 10)
	rnd := rand.New(rand.NewPCG(1, 1))
	const people = 100_000
	game := opened(b, c, "chess")
	game.Rated, game.Counted, game.Result, game.Ending, game.Place = true, true, "1-0", "resignation", c.alice.Place
	fill(b, c.store, people, func(w storage.Writer, i int) error {
		name := fmt.Sprint(i)
		p, err := w.Meet(storage.Address{Platform: "test", ID: name}, name)
		if err != nil {
			return err
		}
		game.Players[i%2] = p.ID
		now := storage.Standing{
			Value: 1500 + 200*rnd.NormFloat64(), Deviation: 60, Volatility: 0.06, At: c.now,
			Wins: 1 + int(rnd.ExpFloat64()*rnd.ExpFloat64()*20), Best: 1 + rnd.IntN(5),
		}
		var career storage.Standings
		career.Put(storage.Overall, now)
		career.Put(game.Variant, now)
		if err := w.PutStandings(p.ID, career); err != nil || i%2 == 0 {
			return err
		}
		game.Changed = c.now.Add(-time.Duration(people-i) * time.Second / 10)
		return add(w, &game)
	})
	for _, kind := range []string{"cold", "ever", "month", "games", "fresh"} {
		b.Run(kind, func(b *testing.B) {
			for _, period := range []rating.Period{rating.Ever, rating.Month} {
				c.top(rating.Asked{Period: period})
			}
			for b.Loop() {
				ask := rating.Asked{Game: storage.Overall, Period: rating.Ever, From: 1 + rnd.IntN(people), Asker: storage.PersonID(3 + rnd.IntN(people))}
				switch kind {
				case "cold":
					c.Ratings = rating.New(c.store, c.Log, variants.All(), func() time.Time { return c.now })
				case "month":
					ask.Period, ask.From = rating.Month, 1+rating.PageSize*rnd.IntN(10)
				case "games":
					ask.Period, ask.From = rating.Games, 1+rating.PageSize*rnd.IntN(10)
				case "fresh":
					b.StopTimer()
					c.now = c.now.Add(time.Second)
					game.Players = [2]storage.PersonID{storage.PersonID(3 + rnd.IntN(people)), storage.PersonID(3 + rnd.IntN(people))}
					game.Changed = c.now
					c.update(func(w storage.Writer) error { return add(w, &game) })
					b.StartTimer()
				}
				_, err := c.Top(b.Context(), ask)
				must(b, err)
			}
			if kind == "cold" {
				var with, without runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&with)
				c.Ratings = nil
				runtime.GC()
				runtime.ReadMemStats(&without)
				b.ReportMetric(float64(with.HeapAlloc-without.HeapAlloc)/(1<<20), "MiB")
				c.Ratings = rating.New(c.store, c.Log, variants.All(), func() time.Time { return c.now })
			}
		})
	}
}

// BenchmarkResult ends games by resignation, friendly ones, and rated ones with all that
// hangs on them.
func BenchmarkResult(b *testing.B) {
	for _, writers := range []int{1, 64} {
		for _, what := range []string{"friendly", "rated"} {
			b.Run(fmt.Sprintf("writers=%d/%s", writers, what), func(b *testing.B) { benchResult(b, writers, what) })
		}
	}
}

func benchResult(b *testing.B, writers int, what string) {
	c := newClub(b)
	must(b, c.Beat(b.Context()))
	place, _, err := c.Visit(b.Context(), storage.Address{Platform: "test", ID: "room"}, storage.Address{Platform: "test", ID: "server"})
	must(b, err)
	crowd(b, c)
	bulk(b, c, b.N, "chess", []string{"e4", "e5", "Nf3", "Nc6"}, true)
	players := make([][2]storage.PersonID, b.N)
	fill(b, c.store, b.N, func(w storage.Writer, i int) error {
		g, err := w.Games().Get(storage.GameID(i + 1))
		if err != nil {
			return err
		}
		players[i] = g.Players
		g.Rated = what == "rated"
		g.Resign = &storage.Offer{By: g.Players[0], At: c.now}
		return w.Games().Put(g)
	})
	var next atomic.Int64
	var work sync.WaitGroup
	b.ResetTimer()
	for range writers {
		work.Go(func() {
			for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
				by := messageBy(event.By{Person: players[i-1][0], Place: place.ID}, i)
				if _, err := c.Resign(b.Context(), by, storage.GameID(i), false); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	work.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "commits/s")
}

func TestAServerLeavesOutSoManyGamesTheLastOnes(t *testing.T) {
	c := newClub(t)
	c.serve()
	id := c.duel(c.alice, c.bob, 10).ID
	c.update(func(w storage.Writer) error {
		s, err := w.Servers().Get(1)
		if err != nil {
			return err
		}
		for i := range rating.MostAnnulled {
			s.Settings.Annulled = append(s.Settings.Annulled, storage.GameID(1000+i))
		}
		return w.Servers().Put(s)
	})
	c.leaveOut(c.inServer("manager"), id)
	if !c.leavesOut(id) || c.leavesOut(1000) || !c.leavesOut(1001) {
		t.Error("not the last ones")
	}
}
