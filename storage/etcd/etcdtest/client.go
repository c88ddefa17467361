package etcdtest

import (
	"context"
	"strings"
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
)

// Client is one of etcd's own, which knows nothing of databases, for the cluster of a database's address.
func Client(t testing.TB, address string) *clientv3.Client {
	t.Helper()
	hosts, _, _ := strings.Cut(strings.TrimPrefix(address, "etcd://"), "/")
	client, err := clientv3.New(clientv3.Config{Endpoints: strings.Split(hosts, ","), Logger: zap.NewNop()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// Revoke ends all leases of a cluster, of which there must be as many.
func Revoke(t testing.TB, client *clientv3.Client, leases int) {
	t.Helper()
	all, err := client.Leases(t.Context())
	if err != nil || len(all.Leases) != leases {
		t.Fatalf("leases: %v, %v", all, err)
	}
	for _, lease := range all.Leases {
		if _, err := client.Revoke(t.Context(), lease.ID); err != nil {
			t.Fatal(err)
		}
	}
}

// Compact has a cluster drop its history.
func Compact(t testing.TB, client *clientv3.Client) {
	t.Helper()
	now, err := client.Put(t.Context(), "elsewhere", "x")
	if err == nil {
		_, err = client.Compact(t.Context(), now.Header.Revision)
	}
	if err != nil {
		t.Error(err)
	}
}

// MakeRoom frees the space of what was removed or overwritten in a cluster of one member that was full, as its
// operator would.
func MakeRoom(t testing.TB, client *clientv3.Client) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	now, err := client.Get(ctx, "x")
	if err == nil {
		_, err = client.Compact(ctx, now.Header.Revision, clientv3.WithCompactPhysical())
	}
	if err == nil {
		_, err = client.Defragment(ctx, client.Endpoints()[0])
	}
	if err == nil {
		_, err = client.AlarmDisarm(ctx, &clientv3.AlarmMember{})
	}
	if err != nil {
		t.Fatal(err)
	}
}
