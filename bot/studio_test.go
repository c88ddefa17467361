package bot_test

import (
	"context"
	"errors"
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
		_, err := o.bot.Handle(b.Context(), m)
		must(b, err)
		o.settle()
		ply++
	}
}
