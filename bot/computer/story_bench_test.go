//go:build unix

package computer

import (
	"syscall"
	"testing"
	"time"

	"chimera/rules/variants"
)

// BenchmarkReview measures the processor time that the review of a game of each kind takes. Choose the number of games
// with a flag such as -benchtime=10x.
func BenchmarkReview(b *testing.B) {
	for _, v := range variants.All() {
		b.Run(v.Key, func(b *testing.B) {
			search := searches(b, v)
			var spent time.Duration
			plies, n := 0, 0
			for b.Loop() {
				b.StopTimer()
				n++
				r := play(b, v, uint64(n), 200)
				before := processor()
				b.StartTimer()
				r.review(b, search)
				spent += processor() - before
				plies += len(r.moves)
			}
			b.ReportMetric(spent.Seconds()/float64(n), "cpu-s/game")
			b.ReportMetric(float64(plies)/float64(n), "plies/game")
		})
	}
}

// processor is the processor time that this program has used.
func processor() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
