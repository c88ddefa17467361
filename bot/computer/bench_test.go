package computer

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"chimera/bot/match"
	"chimera/storage"
	"chimera/storage/bolt"
)

// BenchmarkPeoplesMoves measures a hundred moves a second of people against each other, while nobody plays the
// computer, and while two hundred people play its strongest level.
func BenchmarkPeoplesMoves(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)) // as the program does
	for _, crowd := range []int{0, 200} {
		b.Run(fmt.Sprintf("against the computer=%d", crowd), func(b *testing.B) {
			db, err := bolt.Open(filepath.Join(b.TempDir(), "bench.db"))
			must(b, err)
			h := newHall(b, db)
			defer h.store.Close()
			ctx, stop := context.WithCancel(b.Context())
			var work sync.WaitGroup
			answered := h.crowd(ctx, &work, crowd)
			took := h.measured(b)
			stop()
			work.Wait()
			slices.Sort(took)
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			const percent = 100
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*99/percent].Microseconds())/1000, "p99-ms")
			b.ReportMetric(float64(memory.Sys)/(1<<20), "MB")
			b.ReportMetric(float64(*answered), "answers")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// crowd has people begin games against the strongest level and answer its moves at once, until ctx is done. It counts
// these moves.
func (h *hall) crowd(ctx context.Context, work *sync.WaitGroup, people int) (answers *int) {
	var ids []storage.GameID
	for n := range people {
		ids = append(ids, h.begins(fmt.Sprint("somebody", n), "combine", match.Levels, "black"))
	}
	answers = new(int)
	work.Go(func() { _ = h.Run(ctx, h.logger, 1) }) // ends with the context
	work.Go(func() {
		rnd := rand.New(rand.NewPCG(1, 10))
		for ctx.Err() == nil {
			time.Sleep(10 * time.Millisecond)
			waiting, err := storage.Read(ctx, h.store, storage.Reader.Thinking)
			for _, id := range ids {
				if _, waits := slices.BinarySearch(waiting, id); waits || err != nil {
					continue
				}
				if g := h.game(id); !g.Over() {
					*answers++
					h.playsAs(g.Players[g.Turn], id, h.any(rnd, id))
				}
			}
		}
	})
	return answers
}

// measured plays moves of people against each other, and returns how long they took.
func (h *hall) measured(b *testing.B) (took []time.Duration) {
	alice, bob := h.by("alice"), h.by("bob")
	var ids []storage.GameID
	for range 20 {
		done, err := h.match.Challenge(b.Context(), alice, storage.Challenge{To: bob.Person, Variant: "combine", Color: "white"})
		if err == nil {
			done, err = h.match.AnswerChallenge(b.Context(), bob, done.Game, match.Accept)
		}
		must(b, err)
		ids = append(ids, done.Game)
	}
	rnd := rand.New(rand.NewPCG(2, 10))
	for n := 0; b.Loop(); n++ {
		id := ids[n%len(ids)]
		g := h.game(id)
		text := h.any(rnd, id)
		begun := time.Now()
		h.playsAs(g.Players[g.Turn], id, text)
		took = append(took, time.Since(begun))
		time.Sleep(10 * time.Millisecond)
	}
	return took
}
