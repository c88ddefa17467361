package fake

import (
	"slices"
	"sync"
	"testing"
	"time"
)

// How many games a Load plays, in how many rooms, and of how many plies.
const (
	LoadGames = 200
	LoadRooms = 50
	LoadPlies = len(LoadLine)
)

// LoadLine are the moves of each game.
var LoadLine = [...]string{"Nf3", "Nf6", "Nc3", "Nc6", "e4"} //nolint:gochecknoglobals // never written

// Load is many games of chess at once. Acks and Boards belong to who holds the lock of the
// fake that hears them.
type Load struct {
	Move   func(game int)  // plays the next ply of a game
	Turns  chan int        // games whose boards have come
	Acks   []time.Duration // from moves to their acknowledgements
	Boards []time.Duration // and to the boards after them
}

// NewLoad is one of which no game has been played.
func NewLoad(move func(game int)) *Load { return &Load{Move: move, Turns: make(chan int, LoadGames)} }

// AtOnce plays all games, with a number of moves under way at once.
func (l *Load) AtOnce(moves int) {
	next := make([]int, LoadGames)
	var plies [LoadGames]int
	for game := range next {
		next[game] = game
	}
	begin := func() {
		if len(next) > 0 {
			plies[next[0]]++
			l.Move(next[0])
			next = next[1:]
		}
	}
	for range moves {
		begin()
	}
	for range LoadGames * LoadPlies {
		if game := <-l.Turns; plies[game] < LoadPlies {
			next = append(next, game)
		}
		begin()
	}
}

// Steadily plays all games, a move after the other at a steady pace.
func (l *Load) Steadily(every time.Duration) {
	var done sync.WaitGroup
	done.Go(func() {
		for range LoadGames * LoadPlies {
			<-l.Turns
		}
	})
	tick := time.NewTicker(every)
	defer tick.Stop()
	for range LoadPlies {
		for game := range LoadGames {
			<-tick.C
			l.Move(game)
		}
	}
	done.Wait()
}

// Report tells medians and 99th percentiles.
func (l *Load) Report(b *testing.B, took time.Duration) {
	b.Helper()
	if len(l.Acks) != LoadGames*LoadPlies || len(l.Boards) != len(l.Acks) {
		b.Fatalf("%d acknowledgements and %d boards have come", len(l.Acks), len(l.Boards))
	}
	for name, times := range map[string][]time.Duration{"ack": l.Acks, "board": l.Boards} {
		times = slices.Sorted(slices.Values(times))
		at := func(part float64) float64 {
			return float64(times[int(part*float64(len(times)-1))].Microseconds()) / 1000
		}
		b.ReportMetric(at(0.5), "ms-"+name+"-median")
		b.ReportMetric(at(0.99), "ms-"+name+"-p99")
	}
	b.ReportMetric(float64(len(l.Boards))/took.Seconds(), "moves/s")
	b.ReportMetric(0, "ns/op")
}
