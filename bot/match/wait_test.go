package match_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"chimera/bot/event"
	"chimera/rules"
	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// rated is how many rated games there are, and players how many have played them.
const (
	ratedGames   = 40_000
	ratedPlayers = 1_000
)

// ratedBulk writes rated games of players of the test's platform, of which some are between
// a player and somebody else, as many of each of these, and lets their ratings be computed.
func ratedBulk(b *testing.B, c *club, own int, some ...event.By) {
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
	g.Moves = slices.Repeat(g.Moves, 15) // a record as long as those of real games
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
				if which := n % (ratedGames / max(own, 1)); which < len(some) && own > 0 {
					one.Players[n/(ratedGames/own)%2] = some[which].Person
				}
				one.Began, one.Changed = at, at
				id, err := w.NewGameID()
				if err != nil {
					return err
				}
				one.ID = id
				if err := w.Games().Put(one); err != nil {
					return err
				}
				n++
			}
			return nil
		})
	}
	if err == nil {
		err = c.store.Update(b.Context(), func(w storage.Writer) error {
			return w.PutRecount(storage.Recount{})
		})
	}
	if err == nil {
		err = c.Tick(b.Context())
	}
	if err != nil {
		b.Fatal(err)
	}
}

// holding is a database that measures each transaction but those of a context that is small.
type holding struct {
	kv.DB
	mu    sync.Mutex
	on    bool
	holds []hold
}

// hold is for how long a transaction held the database: until its commit was done, of that
// in its function, and of that at work, where the system tells; the rest is other programs'.
type hold struct{ whole, function, work time.Duration }

type small struct{}

func (h *holding) Update(ctx context.Context, fn func(kv.Writer) error) error {
	if ctx.Value(small{}) != nil {
		return h.DB.Update(ctx, fn)
	}
	var begun time.Time
	var one hold
	err := h.DB.Update(ctx, func(w kv.Writer) error {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		worked := atWork()
		begun = time.Now()
		defer func() { one.function, one.work = time.Since(begun), atWork()-worked }()
		return fn(w)
	})
	one.whole = time.Since(begun)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.on {
		h.holds = append(h.holds, one)
	}
	return err
}

// atWork is for how long the thread has been on a processor.
func atWork() time.Duration {
	text, err := os.ReadFile("/proc/thread-self/schedstat")
	if err != nil {
		return 0 // it is not Linux
	}
	ran, _, _ := strings.Cut(string(text), " ")
	n, _ := strconv.ParseInt(ran, 10, 64)
	return time.Duration(n)
}

// counting is a database that counts what is read and written in each transaction.
type counting struct {
	kv.DB
	most struct{ read, written int } // in one
}

func (c *counting) Update(ctx context.Context, fn func(kv.Writer) error) error {
	return c.DB.Update(ctx, func(w kv.Writer) error {
		counts := &countingWriter{Writer: w}
		err := fn(counts)
		c.most.read, c.most.written = max(c.most.read, counts.read), max(c.most.written, counts.written)
		return err
	})
}

type countingWriter struct {
	kv.Writer
	read, written int
}

func (c *countingWriter) Get(key []byte) ([]byte, error) {
	c.read++
	return c.Writer.Get(key)
}

func (c *countingWriter) Scan(start, end []byte) iter.Seq2[kv.Item, error] {
	return func(yield func(kv.Item, error) bool) {
		for item, err := range c.Writer.Scan(start, end) {
			c.read++
			if !yield(item, err) {
				return
			}
		}
	}
}

func (c *countingWriter) Put(key, value []byte) error {
	c.written++
	return c.Writer.Put(key, value)
}

func (c *countingWriter) Delete(key []byte) error {
	c.written++
	return c.Writer.Delete(key)
}

// TestNoStepOfALinkGrowsWithPeopleOrGames links and unlinks accounts with many games where
// there are many people: nothing that others have to wait for grows with either.
func TestNoStepOfALinkGrowsWithPeopleOrGames(t *testing.T) {
	const people, games, most = 500, 100, 250
	var disk kvtest.Disk
	db := &counting{DB: disk.Open("club")}
	store, err := storage.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	c := &club{t: t, store: store, now: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)}
	c.services = serve(store, func() time.Time { return c.now }, func() bool { return true })
	t.Cleanup(c.close)
	c.alice, c.bob = c.meet("alice"), c.meet("bob")
	carol := c.on("other", "carol")
	for i := range people {
		c.meet(fmt.Sprint("p", i))
	}
	for range games {
		c.duel(carol, c.bob, 10)
		c.duel(c.bob, c.alice, 10)
		c.now = c.now.Add(day / 2)
	}
	c.serve()
	c.must(c.Block(t.Context(), c.bob, carol.Person, true))
	c.settle()
	db.most.read, db.most.written = 0, 0
	c.must(c.UseLink(t.Context(), carol, c.code(c.alice)))
	c.settle()
	c.must(c.Unlink(t.Context(), c.alice, storage.Address{Platform: "other", ID: "carol"}))
	c.settle()
	if db.most.read > most || db.most.written > most {
		t.Errorf("a transaction has read %d keys and written %d; want %d at most", db.most.read, db.most.written, most)
	}
	c.ratingsHold()
}

// writeUntil makes small writes one after the other, and returns for how long each waited.
func writeUntil(ctx context.Context, store *storage.Store) (waits []time.Duration, err error) {
	for n := 0; ctx.Err() == nil && err == nil; n++ {
		begun := time.Now()
		err = store.Update(context.WithValue(context.Background(), small{}, true), func(w storage.Writer) error {
			return w.PutState(storage.State{Platform: "test", Name: "small", Value: fmt.Append(nil, n)})
		})
		waits = append(waits, time.Since(begun))
	}
	return waits, err
}

func reportDurations(b *testing.B, what string, all []time.Duration) {
	slices.Sort(all)
	ms := func(i int) float64 { return float64(all[i].Microseconds()) / 1000 }
	b.ReportMetric(ms(len(all)-1), "longest-"+what+"-ms")
	b.ReportMetric(ms(len(all)*99/100), "p99-"+what+"-ms")
}

// BenchmarkWritesWhileLinking links and unlinks an account in a store with many rated games,
// and measures for how long its transactions hold the store, in their functions, and in these
// at work, and for how long small writes wait meanwhile.
// In "idle" there is no link, and what holds the store are other small writes, whose times
// are those of the machine. In "both" the two people have that many counted games each, so
// that the link changes the ratings of everybody; else the one who comes alone has any.
func BenchmarkWritesWhileLinking(b *testing.B) {
	for _, bench := range []struct {
		name string
		own  int
		both bool
	}{{"idle", 0, false}, {"games=0", 0, false}, {"games=200", 200, false}, {"games=2000", 2000, false}, {"both=2000", 2000, true}} {
		b.Run(bench.name, func(b *testing.B) {
			if bench.both && testing.Short() {
				b.Skip("it takes minutes: without -short")
			}
			engine, err := bolt.Open(filepath.Join(b.TempDir(), "large.db"))
			if err != nil {
				b.Fatal(err)
			}
			db := &holding{DB: engine}
			store, err := storage.Open(b.Context(), db)
			if err != nil {
				b.Fatal(err)
			}
			defer store.Close()
			c := &club{t: b, store: store, now: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)}
			c.services = serve(store, func() time.Time { return c.now }, func() bool { return true })
			c.alice, c.bob = c.meet("alice"), c.meet("bob")
			carol := c.on("other", "carol")
			played := []event.By{carol}
			if bench.both {
				played = append(played, c.alice)
			}
			if err := c.Alive(b.Context()); err != nil {
				b.Fatal(err)
			}
			ratedBulk(b, c, bench.own, played...)
			ctx, stop := context.WithCancel(b.Context())
			var waits []time.Duration
			var failed error
			var work sync.WaitGroup
			work.Go(func() { waits, failed = writeUntil(ctx, store) })
			db.on = true
			b.ResetTimer()
			for range b.N {
				if bench.name == "idle" {
					for n := range 500 {
						err := store.Update(b.Context(), func(w storage.Writer) error {
							return w.PutState(storage.State{Platform: "test", Name: "other", Value: fmt.Append(nil, n)})
						})
						if err != nil {
							b.Fatal(err)
						}
					}
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
			if failed != nil {
				b.Fatal(failed)
			}
			reportDurations(b, "wait", waits)
			var works, functions, wholes []time.Duration
			for _, h := range db.holds {
				works, functions, wholes = append(works, h.work), append(functions, h.function), append(wholes, h.whole)
			}
			reportDurations(b, "work", works)
			reportDurations(b, "function", functions)
			reportDurations(b, "hold", wholes)
			b.ReportMetric(float64(len(wholes)), "holds")
		})
	}
}
