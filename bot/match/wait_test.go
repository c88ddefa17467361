package match_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"chimera/bot/match"
	"chimera/rules"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/bolt"
)

// rated is how many rated games there are, and players how many have played them.
const (
	ratedGames   = 40_000
	ratedPlayers = 1_000
)

// ratedBulk writes rated games of players of the test's platform, of which some are between
// a player and somebody else, and lets their ratings be computed.
func ratedBulk(b *testing.B, c *club, some match.By, own int) {
	b.Helper()
	pos, err := c.Variant("chess").Position("")
	if err != nil {
		b.Fatal(err)
	}
	g := storage.Game{
		Variant: "chess", Place: c.alice.Place, Rated: true, Counted: true, Pace: storage.Pace{Move: 3 * day},
		Result: "1-0", Ending: string(rules.ByResignation),
	}
	now := rules.NewGame(pos)
	for _, text := range []string{"e4", "e5", "Nf3", "Nc6"} {
		m, err := now.Position.Parse(text)
		if err != nil {
			b.Fatal(err)
		}
		g.Before = now.Position.FEN()
		g.Moves = append(g.Moves, c.Variant("chess").Coordinate(m))
		if now, err = now.Play(m); err != nil {
			b.Fatal(err)
		}
	}
	g.FEN, g.Past, g.Turn, g.Merged = now.Position.FEN(), now.Past, storage.Side(now.Position.Turn()), len(g.Moves)
	rnd := rand.New(rand.NewPCG(1, 2))
	var players []storage.PersonID
	err = c.store.Update(b.Context(), func(w storage.Writer) error {
		for i := range ratedPlayers {
			p, err := w.Meet(storage.Address{Platform: "test", ID: fmt.Sprint("player", i)}, fmt.Sprint("player", i))
			if err != nil {
				return err
			}
			players = append(players, p.ID)
		}
		return nil
	})
	at := c.now.Add(-400 * day)
	for n := 0; n < ratedGames && err == nil; {
		err = c.store.Update(b.Context(), func(w storage.Writer) error {
			for range 2000 {
				one := g
				at = at.Add(10 * time.Minute)
				pair := rnd.Perm(ratedPlayers)[:2]
				one.Players = [2]storage.PersonID{players[pair[0]], players[pair[1]]}
				if n%(ratedGames/max(own, 1)) == 0 && own > 0 {
					one.Players[n/(ratedGames/own)%2] = some.Person
				}
				one.Began, one.Changed = at, at
				id, err := w.NewGameID()
				if err != nil {
					return err
				}
				one.ID = id
				if err := w.PutGame(storage.Game{}, one); err != nil {
					return err
				}
				if err := w.AddRated(id); err != nil {
					return err
				}
				n++
			}
			return nil
		})
	}
	if err == nil {
		err = c.store.Update(b.Context(), func(w storage.Writer) error {
			for _, p := range append(players, some.Person) { // to be computed
				if err := w.PutCareer(p, storage.Career{}); err != nil {
					return err
				}
			}
			return w.PutRecount(storage.Recount{Again: true})
		})
	}
	if err == nil {
		err = c.Tick(b.Context())
	}
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkWritesWhileLinking links and unlinks an account in a store with many rated games,
// and measures for how long small writes wait meanwhile: the longest, and of a hundred.
// "idle" is the same without a link.
func BenchmarkWritesWhileLinking(b *testing.B) {
	for _, own := range []int{-1, 0, 200, 2000} {
		name := fmt.Sprintf("games=%d", own)
		if own < 0 {
			name = "idle"
		}
		b.Run(name, func(b *testing.B) {
			engine, err := bolt.Open(filepath.Join(b.TempDir(), "large.db"))
			if err != nil {
				b.Fatal(err)
			}
			store, err := storage.Open(b.Context(), engine)
			if err != nil {
				b.Fatal(err)
			}
			defer store.Close()
			c := &club{t: b, store: store, now: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)}
			c.Service = match.New(store, variants.All(), func() time.Time { return c.now }, func() bool { return true })
			c.alice, c.bob = c.meet("alice"), c.meet("bob")
			carol := c.on("other", "carol")
			ratedBulk(b, c, carol, max(own, 0))
			ctx, stop := context.WithCancel(b.Context())
			var waits []time.Duration
			var work sync.WaitGroup
			work.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					begun := time.Now()
					err := store.Update(context.Background(), func(w storage.Writer) error {
						return w.PutMemory("test", "small", fmt.Append(nil, n))
					})
					if err != nil {
						b.Error(err)
						return
					}
					waits = append(waits, time.Since(begun))
				}
			})
			b.ResetTimer()
			for range b.N {
				if own < 0 {
					time.Sleep(time.Second)
					continue
				}
				c.now = c.now.Add(2 * day)
				c.must(c.UseLink(b.Context(), carol, c.code(c.alice)))
				if err := c.Tick(b.Context()); err != nil {
					b.Fatal(err)
				}
				c.must(c.Unlink(b.Context(), c.alice, storage.Address{Platform: "other", ID: "carol"}))
				if err := c.Tick(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			b.StopTimer()
			stop()
			work.Wait()
			slices.Sort(waits)
			b.ReportMetric(float64(waits[len(waits)-1].Microseconds())/1000, "ms-longest")
			b.ReportMetric(float64(waits[len(waits)*99/100].Microseconds())/1000, "ms-p99")
			b.ReportMetric(float64(len(waits)), "writes")
		})
	}
}
