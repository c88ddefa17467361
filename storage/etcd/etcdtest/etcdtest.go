// Package etcdtest runs clusters of etcd within a test.
package etcdtest

import (
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
)

// patience is how long members may take to find each other.
const patience = time.Minute

// A Cluster is some members on this machine, whose data is gone when the test ends.
type Cluster struct {
	t       testing.TB
	folder  string
	clients []url.URL // where each member listens
	peers   []url.URL
	change  func(*embed.Config)
	members []*embed.Etcd // nil if stopped
}

// Start starts a cluster of so many members. change, if there is one, changes what they are
// started with.
func Start(t testing.TB, members int, change func(*embed.Config)) *Cluster {
	t.Helper()
	c := &Cluster{t: t, folder: t.TempDir(), change: change, members: make([]*embed.Etcd, members)}
	addresses := free(t, 2*members)
	c.clients, c.peers = addresses[:members], addresses[members:]
	for i := range members {
		c.start(i)
	}
	t.Cleanup(func() {
		var all sync.WaitGroup
		for i := range members {
			all.Go(func() { c.Stop(i) })
		}
		all.Wait()
	})
	for _, member := range c.members {
		c.await(member)
	}
	return c
}

// free finds addresses that nobody listens at.
func free(t testing.TB, n int) (all []url.URL) {
	t.Helper()
	var config net.ListenConfig
	for range n {
		listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = listener.Close() }()
		all = append(all, url.URL{Scheme: "http", Host: listener.Addr().String()})
	}
	return all
}

// Address is that of a database in the cluster, with settings such as lease=2s.
func (c *Cluster) Address(prefix string, settings ...string) string {
	hosts := make([]string, len(c.clients))
	for i, u := range c.clients {
		hosts[i] = u.Host
	}
	return fmt.Sprintf("etcd://%s/%s?%s", strings.Join(hosts, ","), prefix, strings.Join(settings, "&"))
}

// Stop stops a member, if it runs, without letting it end what it does.
func (c *Cluster) Stop(i int) {
	if member := c.members[i]; member != nil {
		member.Server.HardStop()
		member.Close()
		c.members[i] = nil
	}
}

// Restart starts a member again with the data that it had, and waits until it has joined.
func (c *Cluster) Restart(i int) {
	c.t.Helper()
	c.start(i)
	c.await(c.members[i])
}

func (c *Cluster) start(i int) {
	c.t.Helper()
	config := embed.NewConfig()
	config.Name = fmt.Sprint("member", i)
	config.Dir = filepath.Join(c.folder, config.Name)
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{c.clients[i]}, []url.URL{c.clients[i]}
	config.ListenPeerUrls, config.AdvertisePeerUrls = []url.URL{c.peers[i]}, []url.URL{c.peers[i]}
	var all []string
	for j, u := range c.peers {
		all = append(all, fmt.Sprintf("member%d=%s", j, u.String()))
	}
	config.InitialCluster = strings.Join(all, ",")
	config.Logger, config.LogOutputs, config.LogLevel = "zap", []string{filepath.Join(c.folder, config.Name+".log")}, "error"
	config.TickMs, config.ElectionMs = 20, 200
	config.UnsafeNoFsync = true // a test asks of no disk to bear it
	if c.change != nil {
		c.change(config)
	}
	member, err := embed.StartEtcd(config)
	if err != nil {
		c.t.Fatal(err)
	}
	c.members[i] = member
}

func (c *Cluster) await(member *embed.Etcd) {
	c.t.Helper()
	select {
	case <-member.Server.ReadyNotify():
	case err := <-member.Err():
		c.t.Fatal(err)
	case <-time.After(patience):
		c.t.Fatal("a member of the cluster does not start")
	}
}
