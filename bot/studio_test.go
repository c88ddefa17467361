package bot_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chimera/bot/limit"
	"chimera/bot/message"
	"chimera/render"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/bolt"
)

// asks has somebody write to the bot in private.
func asks(t testing.TB, o *office, who, text string) []message.Message {
	t.Helper()
	return o.hear("room", who, message.Incoming{Text: text})
}

func TestOneReplayAfterTheOtherIsSlowedDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(t)
		o.begins()
		for i := range message.Replays {
			if notes := asks(t, o, "alice", "replay"); len(notes) != 1 || notes[0].Replay == nil {
				t.Fatalf("replay %d is answered with %v", i+1, notes)
			}
		}
		words := func() string { return asks(t, o, "alice", "replay")[0].Text.Plain() }
		if got, want := words(), "You've asked for 10 replays in a row. You can ask for the next one in "; !strings.HasPrefix(got, want) {
			t.Errorf("one more is answered with %q, want %q…", got, want)
		}
		if notes := asks(t, o, "bob", "replay"); notes[0].Replay == nil {
			t.Error("somebody else gets none")
		}
		time.Sleep(message.ReplayEvery)
		if notes := asks(t, o, "alice", "replay"); notes[0].Replay == nil {
			t.Error("later there is none")
		}
	})
}

func TestAReplayIsDrawnOnce(t *testing.T) {
	o := newOffice(t)
	o.begins()
	film := func(who string) []byte {
		t.Helper()
		n := asks(t, o, who, "replay")[0]
		film, alt, err := n.Moving(t.Context())
		if err != nil || !strings.HasPrefix(alt, "The game, move by move.") {
			t.Fatal(alt, err)
		}
		return film
	}
	first, again := film("alice"), film("alice")
	if &first[0] != &again[0] {
		t.Error("the same replay was drawn twice")
	}
	if other := film("bob"); slices.Equal(first, other) {
		t.Error("from the other side it is the same")
	}
	o.says("room", "alice", "e4")
	if longer := film("alice"); slices.Equal(first, longer) {
		t.Error("after a move it is the same")
	}
	o.talks("alice takeback", "bob accept", "alice d4")
	if other := film("alice"); slices.Equal(other, film("bob")) || slices.Equal(other, first) {
		t.Error("after another move instead it is the same")
	}
}

// TestAMoveThatIsSeenWaitsForNoReplay makes a move while the studio draws something that takes long.
func TestAMoveThatIsSeenWaitsForNoReplay(t *testing.T) {
	start, err := variants.All()[0].Position("")
	must(t, err)
	s := message.NewCache(nil)
	begun, end := make(chan bool), make(chan bool)
	var drawing sync.WaitGroup
	for range message.Renders {
		drawing.Go(func() {
			if err := s.Chart(t.Context(), func() error { begun <- true; <-end; return nil }); err != nil {
				t.Error(err)
			}
		})
		<-begun
	}
	frames := []diagram.Diagram{diagram.Of(start, nil, rules.White), diagram.Of(start, nil, rules.White)}
	if film, err := s.Motion(frames, render.Small, render.Pace{Step: time.Second, Once: true}); err != nil || len(film) == 0 {
		t.Error(err)
	}
	close(end)
	drawing.Wait()
}

func TestWhoNoLongerWaitsForAReplayHoldsNobodyUp(t *testing.T) {
	o := newOffice(t)
	o.begins()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	n := asks(t, o, "alice", "replay")[0]
	if _, _, err := n.Moving(gone); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, _, err := n.Moving(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestWhichGameListsAFewOfMany(t *testing.T) {
	o := newOffice(t)
	for range 3 * limit.Listed {
		o.begins()
	}
	got := asks(t, o, "alice", "board")[0].Text.Plain()
	if n := strings.Count(got, "\n"); n != limit.Listed+1 || !strings.Contains(got, "… and 20 more") {
		t.Errorf("%d lines:\n%s", n, got)
	}
}

// BenchmarkMovesWhileReplaying plays moves while 200 people at once ask for a replay of their own of 120 plies. It
// reports the longest time and the 99th percentile from a move's text to its answer, the most memory in use, and the
// time until the last replay is drawn.
func BenchmarkMovesWhileReplaying(b *testing.B) {
	const people = 200
	for b.Loop() {
		engine, err := bolt.Open(filepath.Join(b.TempDir(), "db"))
		must(b, err)
		o := newOfficeOn(b, engine)
		shuffle := []string{"Nf3", "Nf6", "Nc3", "Nc6", "Ng1", "Ng8", "Nb1", "Nb8"}
		for i := range people {
			o.says("room", fmt.Sprint("p", i), "challenge chess white 0d unrated")
			o.says("room", "host"+fmt.Sprint(i), "accept #"+fmt.Sprint(i+1))
			for ply := range 16 {
				who := fmt.Sprint([]string{"p", "host"}[ply%2], i)
				o.says("room", who, fmt.Sprintf("#%d %s", i+1, shuffle[ply%8]))
			}
		}
		films := make([]message.Message, people)
		for i := range films {
			films[i] = asks(b, o, fmt.Sprint("p", i), "replay #"+fmt.Sprint(i+1))[0]
			frames := films[i].Replay
			films[i].Replay = func() ([]diagram.Diagram, error) {
				all, err := frames()
				for len(all) < 120 {
					all = append(all, all[1:]...)
				}
				return all, err
			}
		}
		runtime.GC()
		began := time.Now()
		var drawing sync.WaitGroup
		for i := range films {
			drawing.Go(func() {
				if _, _, err := films[i].Moving(b.Context()); err != nil {
					b.Error(err)
				}
			})
		}
		done := make(chan struct{})
		go func() { drawing.Wait(); close(done) }()
		var took []time.Duration
		var most uint64
		for ply := 0; ; ply++ {
			if ply%8 == 0 {
				o.begins()
			}
			start := time.Now()
			o.says("room", []string{"alice", "bob"}[ply%2], fmt.Sprintf("#%d %s", people+1+ply/8, shuffle[ply%8]))
			took = append(took, time.Since(start))
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse+m.StackInuse)
			select {
			case <-done:
			case <-time.After(2 * time.Millisecond):
				continue
			}
			break
		}
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "slowest-move-ms")
		b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-move-ms")
		b.ReportMetric(float64(most)/(1<<20), "memory-MiB")
		b.ReportMetric(time.Since(began).Seconds(), "all-drawn-s")
	}
}

// BenchmarkMoveInARoom plays moves in a room until their boards are shown, with a store in memory: as commands, and as
// texts among those of people who talk.
func BenchmarkMoveInARoom(b *testing.B) {
	for name, to := range map[string]message.Addressee{"commanded": message.TheBot, "heard": message.Nobody} {
		b.Run(name, func(b *testing.B) { playLines(b, to) })
	}
}

func playLines(b *testing.B, to message.Addressee) {
	b.Helper()
	o := newOffice(b)
	line := []string{"Nf3", "Nf6", "Nc3", "Nc6", "e4", "e5", "Bb5", "Bb4"}
	ply := len(line)
	for b.Loop() {
		if ply == len(line) {
			b.StopTimer()
			for _, text := range []string{"resign", "resign", "challenge @bob chess white"} {
				o.says("room", "alice", text)
			}
			o.says("room", "bob", "accept")
			o.drain()
			ply = 0
			b.StartTimer()
		}
		m := message.Incoming{Place: storage.Address{Platform: "test", ID: "room"}, From: someone([]string{"alice", "bob"}[ply%2]), Text: line[ply]}
		if !o.bot.IsMeant(b.Context(), &m, to) {
			b.Fatalf("%s is not heard", m.Text)
		}
		if _, err := o.bot.Handle(b.Context(), m); err != nil {
			b.Fatal(err)
		}
		o.settle()
		ply++
	}
}
