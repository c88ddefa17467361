package etcd_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"chimera/storage/etcd"
	"chimera/storage/etcd/etcdtest"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// leader is the number of the member that orders what is written.
func leader(t *testing.T, db *etcd.DB) int {
	t.Helper()
	for {
		c, err := db.Cluster(t.Context())
		kvtest.Must(t, err)
		if i := slices.IndexFunc(c.Members, func(m kv.Member) bool { return m.Leads }); i >= 0 {
			return i
		}
	}
}

// TestWithoutMostMembersNothingIsHalfDone stops two of three members while updates are made, until
// each has failed.
func TestWithoutMostMembersNothingIsHalfDone(t *testing.T) {
	t.Parallel()
	cluster := etcdtest.Start(t, 3, nil)
	address := cluster.Address("db", "lease=4s")
	db := opened(t, address)
	const goroutines = 4
	var work sync.WaitGroup
	made := make([]int, goroutines)
	ready := make(chan struct{}, goroutines)
	for g := range goroutines {
		work.Go(func() {
			for {
				if err := db.Update(t.Context(), increment(fmt.Sprint(g, " ", made[g]))); err != nil {
					if !errors.Is(err, kv.ErrLost) {
						t.Errorf("Update: %v", err)
					}
					return
				}
				if made[g]++; made[g] == 3 {
					ready <- struct{}{}
				}
			}
		})
	}
	for range goroutines {
		<-ready
	}
	gone := []int{leader(t, db)}
	gone = append(gone, (gone[0]+1)%3)
	for _, i := range gone {
		cluster.Stop(i)
	}
	read := func(r kv.Reader) error {
		_, err := r.Get([]byte("n"))
		return err
	}
	if err := db.View(t.Context(), read); !errors.Is(err, kv.ErrLost) {
		t.Errorf("View without most members: %v", err)
	}
	work.Wait()
	if err := db.View(t.Context(), read); err == nil {
		t.Error("a View sees what may be old")
	}
	if _, err := etcd.Open(t.Context(), address); err == nil {
		t.Error("it was opened")
	}
	var returned sync.WaitGroup
	for _, i := range gone {
		returned.Go(func() { cluster.Restart(i) })
	}
	returned.Wait()
	again := opened(t, address)
	by := increments(t, again)
	for g, times := range made {
		for i := range times {
			if !by[fmt.Sprint(g, " ", i)] {
				t.Errorf("update %d of %d was made, and is not there", i, g)
			}
		}
	}
	if err := again.Update(t.Context(), put("1")); err != nil {
		t.Errorf("when they have returned: %v", err)
	}
}

// TestWhoIsAtAClusterIsTold has two handles at a cluster of which a member has stopped.
func TestWhoIsAtAClusterIsTold(t *testing.T) {
	t.Parallel()
	cluster := etcdtest.Start(t, 3, nil)
	db, other := opened(t, cluster.Address("db")), opened(t, cluster.Address("db"))
	holdRole(t, db, "room/2")
	holdRole(t, db, "bell")
	holdRole(t, other, "room/1")
	told, err := db.Cluster(t.Context())
	kvtest.Must(t, err)
	seen, err := other.Cluster(t.Context())
	kvtest.Must(t, err)
	if !slices.Equal(told.Handles, seen.Handles) || len(told.Handles) != 2 || !slices.Contains(told.Handles, told.Own) || told.Own == seen.Own {
		t.Errorf("one is told of %v and is %s, the other of %v and is %s", told.Handles, told.Own, seen.Handles, seen.Own)
	}
	for _, c := range []kv.Cluster{told, seen} {
		if !slices.Equal(c.Roles[told.Own], []string{"bell", "room/2"}) || !slices.Equal(c.Roles[seen.Own], []string{"room/1"}) {
			t.Errorf("the roles are %v", c.Roles)
		}
	}
	leaders := 0
	for i, m := range told.Members {
		if m.Leads {
			leaders++
		}
		if m.Address != cluster.Hosts()[i] || m.Fault != "" || !strings.HasPrefix(m.Version, "3.") || m.Size == 0 {
			t.Errorf("a member is %+v", m)
		}
	}
	if leaders != 1 {
		t.Errorf("%d members lead", leaders)
	}
	cluster.Stop(2)
	told, err = db.Cluster(t.Context())
	if err != nil || told.Members[2].Fault == "" || told.Members[0].Fault != "" && told.Members[1].Fault != "" {
		t.Errorf("without the last member they are %+v: %v", told.Members, err)
	}
}
