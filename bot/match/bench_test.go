package match_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/rules"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/bolt"
)

// members is how many there are on either side of the games between strangers.
const members = 2000

// bulk writes a number of games in progress between alice and bob, or strangers, that
// began with these moves.
func bulk(b *testing.B, c *club, games int, key string, moves []string, strangers bool) {
	b.Helper()
	g := opened(b, c, key, moves...)
	g.Players, g.Place, g.Began, g.Changed = [2]storage.PersonID{c.alice.Person, c.bob.Person}, c.alice.Place, c.now, c.now
	g.Pace, g.Clock = storage.Pace{Move: 3 * day}, storage.Clock{Since: c.now, Wake: c.now.Add(day)}
	fill(b, c.store, games, func(w storage.Writer, n int) error {
		if strangers {
			g.Players = [2]storage.PersonID{storage.PersonID(3 + n%members), storage.PersonID(3 + members + (n+n/members)%members)}
		}
		return add(w, &g)
	})
}

// crowd makes the strangers known.
func crowd(b *testing.B, c *club) {
	b.Helper()
	fill(b, c.store, 2*members+2, func(w storage.Writer, i int) error {
		_, err := w.Meet(storage.Address{Platform: "test", ID: fmt.Sprint(i)}, fmt.Sprint(i))
		return err
	})
}

// fill writes a number of things, as many at once as every engine takes.
func fill(t testing.TB, store *storage.Store, many int, write func(w storage.Writer, i int) error) {
	t.Helper()
	const atOnce = 100
	for begin := 0; begin < many; begin += atOnce {
		must(t, store.Update(t.Context(), func(w storage.Writer) error {
			for i := begin; i < min(begin+atOnce, many); i++ {
				if err := write(w, i); err != nil {
					return err
				}
			}
			return nil
		}))
	}
}

// BenchmarkMove commits moves with all that goes with them: rules, clock, indexes,
// outbox, and the answer to the message.
func BenchmarkMove(b *testing.B) {
	for _, writers := range []int{1, 64} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			move(b, writers, newClub(b))
		})
	}
}

// move commits moves by some writers, who are shared out to services of the same database.
func move(b *testing.B, writers int, clubs ...*club) {
	b.Helper()
	must(b, clubs[0].Beat(b.Context()))
	opening := []string{"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1", "b5"}
	bulk(b, clubs[0], b.N/len(opening)+writers, "chess", nil, false)
	var next, message atomic.Int64
	var work sync.WaitGroup
	b.ResetTimer()
	for i := range writers {
		c := clubs[i%len(clubs)]
		work.Go(func() {
			for {
				id := storage.GameID(next.Add(1))
				for ply, text := range opening {
					n := message.Add(1)
					if n > int64(b.N) {
						return
					}
					by := [...]event.By{c.alice, c.bob}[ply%2]
					if _, err := c.Move(storage.AsOfNow(b.Context()), messageBy(by, n), id, text); err != nil {
						b.Error(err)
						return
					}
				}
			}
		})
	}
	work.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "moves/s")
}

func messageBy(by event.By, n int64) event.By { return message(by, fmt.Sprint(n)) }

// BenchmarkAgenda is what "games" asks for, with 50 games and with 10,000.
func BenchmarkAgenda(b *testing.B) {
	for _, games := range []int{50, 10_000} {
		b.Run(fmt.Sprintf("games=%d", games), func(b *testing.B) {
			c := newClub(b)
			bulk(b, c, games, "combine", []string{"e4", "e5", "Nf3", "Nc6"}, false)
			for b.Loop() {
				_, _, err := c.Agenda(b.Context(), c.alice, c.alice.Person, 15, nil)
				must(b, err)
			}
		})
	}
}

// BenchmarkOpen opens a database of 100,000 games, and lists somebody's.
func BenchmarkOpen(b *testing.B) {
	c := newClub(b)
	path := filepath.Join(b.TempDir(), "large.db")
	engine, err := bolt.Open(path)
	must(b, err)
	c.store, err = storage.Open(b.Context(), engine)
	must(b, err)
	crowd(b, c)
	bulk(b, c, 100_000, "combine", []string{"e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "d3", "d6"}, true)
	must(b, c.store.Close())
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for b.Loop() {
		engine, err := bolt.Open(path)
		must(b, err)
		store, err := storage.Open(b.Context(), engine)
		must(b, err)
		service := serve(store, func() time.Time { return c.now }, func() bool { return true })
		_, _, err = service.Agenda(b.Context(), event.By{Person: 7}, 7, 15, nil)
		must(b, err)
		runtime.ReadMemStats(&after)
		must(b, store.Close())
	}
	b.ReportMetric(float64(after.HeapAlloc-min(after.HeapAlloc, before.HeapAlloc))/(1<<20), "MiB")
}

// BenchmarkAnswer loads a game of 200 plies and reads, tries and describes a move of
// it, which is all but the commit.
func BenchmarkAnswer(b *testing.B) {
	for _, v := range variants.All() {
		b.Run(v.Key, func(b *testing.B) {
			c := newClub(b)
			moves := longGame(b, v, 200)
			bulk(b, c, 1, v.Key, moves, false)
			must(b, c.Beat(b.Context()))
			for b.Loop() {
				sight, err := c.Load(b.Context(), 1, match.Latest)
				must(b, err)
				pos := sight.Now.Position
				m, err := pos.Parse(pos.ChatTexts()[0])
				must(b, err)
				_, err = sight.Now.Play(m)
				must(b, err)
			}
			b.ReportMetric(float64(len(moves)), "plies")
		})
	}
}

// longGame is a game that quiet moves make as long as wanted, if the game lets them.
func longGame(b *testing.B, v *rules.Variant, plies int) []string {
	b.Helper()
	var longest []string
	for seed := range uint64(200) {
		pos, err := v.Position("")
		must(b, err)
		now := rules.NewGame(pos)
		var moves []string
		for n := seed; len(moves) < plies && !now.Outcome().Over() && len(now.Position.Moves()) > 0; n = n*6364136223846793005 + 1442695040888963407 {
			legal := now.Position.Moves()
			m := legal[(n>>33)%uint64(len(legal))]
			next, err := now.Play(m)
			must(b, err)
			if next.Outcome().Over() {
				break
			}
			moves, now = append(moves, v.Coordinate(m)), next
		}
		if len(moves) > len(longest) {
			longest = moves
		}
		if len(longest) == plies {
			break
		}
	}
	return longest
}
