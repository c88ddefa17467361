package etcd_test

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"chimera/storage/etcd/etcdtest"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

func TestMain(m *testing.M) {
	etcdtest.Member()
	kvtest.MoreAtOnce()
	os.Exit(m.Run())
}

// BenchmarkLeaderDies commits one thing after the other while the member that leads is killed, and tells
// how long the slowest commit takes. Members elect another in less than half a second.
func BenchmarkLeaderDies(b *testing.B) {
	members := etcdtest.StartProcesses(b, 3)
	db := opened(b, members.Address("db"))
	ails := func(m kv.Member) bool { return m.Fault != "" }
	commits, all, longest := 0, time.Duration(0), time.Duration(0)
	for b.Loop() {
		leader, killed, slowest := members.Leader(), make(chan struct{}), time.Duration(0)
		go func() {
			members.Kill(leader)
			close(killed)
		}()
		for over := false; !over; commits++ {
			select {
			case <-killed:
				over = true // with this one
			default:
			}
			begun := time.Now()
			kvtest.Must(b, db.Update(b.Context(), increment(fmt.Sprint(commits))))
			slowest = max(slowest, time.Since(begun))
		}
		all, longest = all+slowest, max(longest, slowest)
		members.Start(leader)
		for {
			c, err := db.Cluster(b.Context())
			kvtest.Must(b, err)
			if !slices.ContainsFunc(c.Members, ails) {
				break
			}
		}
	}
	b.ReportMetric(all.Seconds()/float64(b.N), "s/slowest")
	b.ReportMetric(longest.Seconds(), "s/longest")
}
