package etcd_test

import (
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"chimera/storage/etcd/etcdtest"
	"chimera/storage/kv/kvtest"
)

// A proxy stands between a handle and the first member of a cluster.
type proxy struct {
	address string                      // of the database, through the proxy
	lose    atomic.Pointer[func() bool] // whether to cut a connection in the place of passing an answer on
	mute    chan struct{}               // closed to pass nothing on any more
}

// between puts a proxy before a database.
func between(t *testing.T, cluster *etcdtest.Cluster, prefix string, settings ...string) *proxy {
	t.Helper()
	direct := strings.TrimPrefix(cluster.Address(prefix, settings...), "etcd://")
	hosts, rest, _ := strings.Cut(direct, "/")
	host, _, _ := strings.Cut(hosts, ",")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	kvtest.Must(t, err)
	p := &proxy{address: "etcd://" + listener.Addr().String() + "/" + rest, mute: make(chan struct{})}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			all.Go(func() { p.serve(t, conn, host) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		all.Wait()
	})
	return p
}

func (p *proxy) serve(t *testing.T, client net.Conn, host string) {
	var dialer net.Dialer
	server, err := dialer.DialContext(t.Context(), "tcp", host)
	if err != nil {
		_ = client.Close()
		return
	}
	var both sync.WaitGroup
	cut := sync.OnceFunc(func() {
		_ = client.Close()
		_ = server.Close()
	})
	pass := func(from, to net.Conn, lose func() bool) {
		defer cut()
		buffer := make([]byte, 1<<16)
		for {
			n, err := from.Read(buffer)
			if err != nil || lose() {
				return
			}
			select {
			case <-p.mute:
				continue
			default:
			}
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
	}
	both.Go(func() { pass(client, server, func() bool { return false }) })
	both.Go(func() {
		pass(server, client, func() bool {
			lose := p.lose.Load()
			return lose != nil && (*lose)()
		})
	})
	both.Wait()
}

// hostsOf are the members that an address names, for a client of etcd's own.
func hostsOf(address string) []string {
	hosts, _, _ := strings.Cut(strings.TrimPrefix(address, "etcd://"), "/")
	return strings.Split(hosts, ",")
}
