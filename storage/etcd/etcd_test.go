package etcd_test

import (
	"fmt"
	"testing"

	"chimera/storage/etcd"
	"chimera/storage/etcd/etcdtest"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// opener opens a database for each path.
func opener(cluster *etcdtest.Cluster) kvtest.Opener {
	names := make(map[string]string)
	return func(t testing.TB, path string) kv.DB {
		t.Helper()
		if names[path] == "" {
			names[path] = fmt.Sprint("db", len(names))
		}
		return open(t, cluster.Address(names[path]))
	}
}

func open(t testing.TB, address string) *etcd.DB {
	t.Helper()
	db, err := etcd.Open(t.Context(), address)
	kvtest.Must(t, err)
	return db
}

func TestEtcdKeepsTheContract(t *testing.T) {
	t.Parallel()
	for _, members := range []int{1, 3} {
		t.Run(fmt.Sprintf("members=%d", members), func(t *testing.T) {
			t.Parallel()
			kvtest.Run(t, opener(etcdtest.Start(t, members, nil)))
		})
	}
}

func TestSeveralHandlesKeepTheContract(t *testing.T) {
	t.Parallel()
	for _, members := range []int{1, 3} {
		t.Run(fmt.Sprintf("members=%d", members), func(t *testing.T) {
			t.Parallel()
			kvtest.RunSeveral(t, opener(etcdtest.Start(t, members, nil)))
		})
	}
}
