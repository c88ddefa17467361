package etcdtest

import (
	"net"
	"sync"
	"testing"
)

// A Link is a connection to a cluster that can be cut: then nothing passes, and nobody is told. Data under way arrives
// once it is mended.
type Link struct {
	hosts []string // where clients connect

	mu     sync.Mutex
	open   chan struct{} // closed while it is not cut
	left   int           // how many bytes may pass until it is cut; 0 for any number
	loses  func() bool   // whether a connection breaks in the place of passing an answer on, if not nil
	cut    chan struct{} // closed then
	closed chan struct{} // when the test ends
}

// NewLink is a way to members that listen at some hosts.
func NewLink(t testing.TB, to []string) *Link {
	t.Helper()
	l := &Link{open: make(chan struct{}), closed: make(chan struct{})}
	close(l.open)
	var all sync.WaitGroup
	var listeners []net.Listener
	t.Cleanup(func() {
		close(l.closed)
		for _, listener := range listeners {
			_ = listener.Close()
		}
		all.Wait()
	})
	var config net.ListenConfig
	for _, host := range to {
		listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		listeners = append(listeners, listener)
		l.hosts = append(l.hosts, listener.Addr().String())
		all.Go(func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				all.Go(func() { l.carry(conn, host) })
			}
		})
	}
	return l
}

// Address is that of a database at the other end.
func (l *Link) Address(prefix string, settings ...string) string {
	return address(l.hosts, prefix, settings)
}

// Cut lets nothing pass.
func (l *Link) Cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open = make(chan struct{})
}

// CutAfter cuts the link after a number of bytes, and closes the channel that it returns. The link must not be cut
// before.
func (l *Link) CutAfter(bytes int) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.left, l.cut = bytes, make(chan struct{})
	return l.cut
}

// Lose has connections break in the place of passing an answer on, each time that lose says so; never if it is nil.
func (l *Link) Lose(lose func() bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.loses = lose
}

// lost reports whether an answer is lost now.
func (l *Link) lost() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.loses != nil && l.loses()
}

// pass counts what passes.
func (l *Link) pass(bytes int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.left == 0 {
		return
	}
	if l.left = max(l.left-bytes, 0); l.left == 0 {
		l.open = make(chan struct{})
		close(l.cut)
	}
}

// Mend lets everything pass again. The link must be cut.
func (l *Link) Mend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.open)
}

// passes waits while the link is cut, and reports whether it will ever carry anything again.
func (l *Link) passes() bool {
	l.mu.Lock()
	open := l.open
	l.mu.Unlock()
	select {
	case <-open:
		return true
	case <-l.closed:
		return false
	}
}

// carry carries the data of one connection.
func (l *Link) carry(client net.Conn, host string) {
	defer func() { _ = client.Close() }()
	var dialer net.Dialer
	if !l.passes() {
		return
	}
	server, err := dialer.Dial("tcp", host)
	if err != nil {
		return
	}
	cut := sync.OnceFunc(func() {
		_ = client.Close()
		_ = server.Close()
	})
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		select {
		case <-l.closed:
		case <-ended:
		}
		cut()
	}()
	pass := func(from, to net.Conn) {
		defer cut()
		buffer := make([]byte, 1<<16)
		for {
			n, err := from.Read(buffer)
			if n > 0 && from == server && l.lost() {
				return
			}
			if n > 0 && l.passes() {
				if _, err := to.Write(buffer[:n]); err != nil {
					return
				}
				l.pass(n)
			}
			if err != nil || !l.passes() {
				return
			}
		}
	}
	var both sync.WaitGroup
	both.Go(func() { pass(client, server) })
	both.Go(func() { pass(server, client) })
	both.Wait()
}
