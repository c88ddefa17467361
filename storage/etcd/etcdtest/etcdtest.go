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
	seats   []seat
	change  func(*embed.Config)
	members []*embed.Etcd // nil if stopped
}

// A seat is the configuration of a member, started or not.
type seat struct {
	Name, Folder string
	Client, Peer url.URL // at which it listens
	All          string  // members, as they are told of each other
}

// seats are those of a new cluster.
func seats(t testing.TB, members int) []seat {
	t.Helper()
	addresses, folder := free(t, 2*members), t.TempDir()
	all := make([]seat, members)
	names := make([]string, members)
	for i := range all {
		all[i] = seat{Name: fmt.Sprint("member", i), Folder: folder, Client: addresses[i], Peer: addresses[members+i]}
		names[i] = all[i].Name + "=" + all[i].Peer.String()
	}
	for i := range all {
		all[i].All = strings.Join(names, ",")
	}
	return all
}

// config is the member's configuration.
func (s *seat) config() *embed.Config {
	config := embed.NewConfig()
	config.Name, config.Dir = s.Name, filepath.Join(s.Folder, s.Name)
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{s.Client}, []url.URL{s.Client}
	config.ListenPeerUrls, config.AdvertisePeerUrls = []url.URL{s.Peer}, []url.URL{s.Peer}
	config.InitialCluster = s.All
	config.Logger, config.LogOutputs, config.LogLevel = "zap", []string{config.Dir + ".log"}, "error"
	config.TickMs, config.ElectionMs = 20, 200
	config.UnsafeNoFsync = true // spares the disk
	return config
}

// Start starts a cluster. change, if not nil, adjusts the configuration of each member.
func Start(t testing.TB, members int, change func(*embed.Config)) *Cluster {
	t.Helper()
	c := &Cluster{t: t, seats: seats(t, members), change: change, members: make([]*embed.Etcd, members)}
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

// Hosts are where the members listen.
func (c *Cluster) Hosts() []string { return hosts(c.seats) }

func hosts(seats []seat) (all []string) {
	for _, s := range seats {
		all = append(all, s.Client.Host)
	}
	return all
}

// Address is that of a database in the cluster, with settings such as lease=2s.
func (c *Cluster) Address(prefix string, settings ...string) string {
	return address(c.Hosts(), prefix, settings)
}

func address(hosts []string, prefix string, settings []string) string {
	return fmt.Sprintf("etcd://%s/%s?%s", strings.Join(hosts, ","), prefix, strings.Join(settings, "&"))
}

// Stop stops a running member, without letting it finish.
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
	config := c.seats[i].config()
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
