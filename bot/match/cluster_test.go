package match_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"go.etcd.io/etcd/server/v3/embed"

	"chimera/bot/user"
	"chimera/storage"
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
				must(b, err)
				handles = append(handles, db)
				clubs = append(clubs, newClubOn(b, db))
			}
			before := sum(handles)
			move(b, run.writers, clubs...)
			after := sum(handles)
			for i, unit := range []string{"runs/move", "trips/move", "conflicts/move", "commits/move"} {
				b.ReportMetric(float64(after[i]-before[i])/float64(b.N), unit)
			}
		})
	}
}

// BenchmarkAgendaInACluster lists the 10,000 games of somebody, of which the handle knows nothing yet.
func BenchmarkAgendaInACluster(b *testing.B) {
	address := etcdtest.Start(b, 1, nil).Address("bench")
	engine := func() *etcd.DB {
		db, err := etcd.Open(b.Context(), address)
		must(b, err)
		return db
	}
	c := newClubOn(b, engine())
	bulk(b, c, 10_000, "combine", []string{"e4", "e5", "Nf3", "Nc6"}, false)
	for b.Loop() {
		b.StopTimer()
		store, err := storage.Open(b.Context(), engine())
		must(b, err)
		cold := serve(store, func() time.Time { return c.now }, func() bool { return true })
		b.StartTimer()
		if _, all, err := cold.Agenda(b.Context(), c.alice, c.alice.Person, 15, nil); err != nil || all != 10_000 {
			b.Fatal(all, err)
		}
		b.StopTimer()
		must(b, store.Close())
		b.StartTimer()
	}
}

// sum is how often all handles have run functions, gone to the cluster, begun anew and committed.
func sum(handles []*etcd.DB) (all [4]int64) {
	for _, db := range handles {
		for i, n := range []*atomic.Int64{&db.Runs, &db.Trips, &db.Conflicts, &db.Commits} {
			all[i] += n.Load()
		}
	}
	return all
}

// TestLeaderboardsAreRightInEachProcess has several processes, as far as the cluster can tell, show
// their leaderboards after each thing that one of them does.
func TestLeaderboardsAreRightInEachProcess(t *testing.T) {
	address := etcdtest.Start(t, 1, nil).Address("boards")
	var clubs []*club
	for range 3 {
		db, err := etcd.Open(t.Context(), address)
		must(t, err)
		clubs = append(clubs, newClubOn(t, db))
	}
	same := func() {
		t.Helper()
		for _, c := range clubs[1:] {
			c.sameBoards(clubs[0].boards())
		}
	}
	for n := range 2 * len(clubs) {
		for _, c := range clubs {
			c.now = c.now.Add(day)
		}
		c := clubs[n%len(clubs)]
		white, black := c.alice, c.meet(fmt.Sprint("opponent", n/2))
		if n%2 == 1 {
			white, black = black, white
		}
		c.duel(white, black, 12)
		same()
	}
	if len(clubs[0].boards()) == 0 {
		t.Error("nobody stands on any leaderboard")
	}
	clubs[1].choose(clubs[1].alice, user.SetBoards, "off")
	same()
}
