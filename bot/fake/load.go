package fake

import (
	"slices"
	"syscall"
	"testing"
	"time"
)

// A Load is many games of chess, played one move after the other. Acks and Boards are guarded by
// the lock of the platform that hears them.
type Load struct {
	Turns  chan int        // games whose boards have come
	Acks   []time.Duration // from moves to their acknowledgements
	Boards []time.Duration // and to the boards after them
}

// The numbers of games that a Load plays, and of rooms that it plays in.
const (
	LoadGames = 200
	LoadRooms = 50
)

// LoadLine are the moves of each game.
var LoadLine = [...]string{"Nf3", "Nf6", "Nc3", "Nc6", "e4"} //nolint:gochecknoglobals // never written

// NewLoad returns a Load before its first move.
func NewLoad() *Load { return &Load{Turns: make(chan int, LoadGames)} }

// Play plays each ply of all games in turn, once the board before it has come, and reports what a move has
// cost the whole process, the platform's double included.
func (l *Load) Play(b *testing.B, engine *Counted, move func(game int)) {
	b.Helper()
	begun, commits, before := time.Now(), engine.Commits.Load(), processorTime()
	for range LoadLine {
		for game := range LoadGames {
			move(game)
			<-l.Turns
		}
	}
	const moves = float64(LoadGames * len(LoadLine))
	b.ReportMetric(float64((processorTime()-before).Microseconds())/moves, "cpu-µs/move")
	b.ReportMetric(float64(engine.Commits.Load()-commits)/moves, "commits/move")
	b.ReportMetric(moves/time.Since(begun).Seconds(), "moves/s")
}

// Report reports the median and the 99th percentile of how long people waited.
func (l *Load) Report(b *testing.B) {
	b.Helper()
	for name, times := range map[string][]time.Duration{"ack": l.Acks, "board": l.Boards} {
		if len(times) != LoadGames*len(LoadLine) {
			b.Fatalf("%s has come %d times", name, len(times))
		}
		slices.Sort(times)
		b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "ms-"+name+"-median")
		b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "ms-"+name+"-p99")
	}
	b.ReportMetric(0, "ns/op")
}

// processorTime is the CPU time that this process has used, 0 if unknown.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
