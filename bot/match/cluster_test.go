package match_test

import (
	"fmt"
	"testing"

	"go.etcd.io/etcd/server/v3/embed"

	"chimera/storage/etcd"
	"chimera/storage/etcd/etcdtest"
)

// BenchmarkMoveInACluster is BenchmarkMove, run beside it, with a cluster as the engine and the
// service in one process or, as far as the cluster can tell, in several.
func BenchmarkMoveInACluster(b *testing.B) {
	for _, run := range []struct{ members, handles, writers int }{{1, 1, 1}, {1, 1, 64}, {3, 1, 1}, {3, 1, 64}, {3, 3, 64}} {
		b.Run(fmt.Sprintf("members=%d/handles=%d/writers=%d", run.members, run.handles, run.writers), func(b *testing.B) {
			cluster := etcdtest.Start(b, run.members, func(c *embed.Config) { c.UnsafeNoFsync = false })
			var handles []*etcd.DB
			var clubs []*club
			for range run.handles {
				db, err := etcd.Open(b.Context(), cluster.Address("bench"))
				if err != nil {
					b.Fatal(err)
				}
				handles = append(handles, db)
				clubs = append(clubs, newClubOn(b, db))
			}
			before := sum(handles)
			move(b, run.writers, clubs...)
			after := sum(handles)
			each := func(n int64) float64 { return float64(n) / float64(b.N) }
			b.ReportMetric(each(after.Runs-before.Runs), "runs/move")
			b.ReportMetric(each(after.Trips-before.Trips), "trips/move")
			b.ReportMetric(each(after.Conflicts-before.Conflicts), "conflicts/move")
			b.ReportMetric(each(after.Commits-before.Commits), "commits/move")
		})
	}
}

// BenchmarkAgendaInACluster lists the 10,000 games of somebody, of which the handle knows nothing yet.
func BenchmarkAgendaInACluster(b *testing.B) {
	address := etcdtest.Start(b, 1, nil).Address("bench")
	open := func() *club {
		db, err := etcd.Open(b.Context(), address)
		if err != nil {
			b.Fatal(err)
		}
		return newClubOn(b, db)
	}
	bulk(b, open(), 10_000, "combine", []string{"e4", "e5", "Nf3", "Nc6"}, false)
	for b.Loop() {
		b.StopTimer()
		c := open()
		b.StartTimer()
		if _, all, err := c.Agenda(b.Context(), c.alice, c.alice.Person, 15, nil); err != nil || all != 10_000 {
			b.Fatal(all, err)
		}
	}
}

func sum(handles []*etcd.DB) (all etcd.Figures) {
	for _, db := range handles {
		f := db.Figures()
		all.Runs += f.Runs
		all.Trips += f.Trips
		all.Conflicts += f.Conflicts
		all.Commits += f.Commits
	}
	return all
}
