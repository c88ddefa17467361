package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"chimera/bot/metrics"
	post "chimera/bot/outbox"
)

// monitor serves metrics and health at an address until end is called, or nothing if there is none.
func monitor(ctx context.Context, address string, m *metrics.Metrics, h *health, log *slog.Logger) (end func(), err error) {
	if address == "" {
		return func() {}, nil
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("CHIMERA_METRICS_LISTEN: %w: set another host:port", err)
	}
	log.InfoContext(ctx, "metrics can be had", "at", listener.Addr().String())
	server := &http.Server{Handler: watched(m, h), WriteTimeout: patience, IdleTimeout: 2 * patience, MaxHeaderBytes: 16 << 10}
	return serveHTTP(ctx, listener, server, log, "metrics can be had no longer"), nil
}

// watched are the pages of metrics and health.
func watched(m *metrics.Metrics, h *health) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.Handler())
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { plainly(w, "", nil) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) { plainly(w, h.elsewhere(), h.ready()) })
	return mux
}

// plainly answers in one line: that all is well, with a remark, or what is wrong.
func plainly(w http.ResponseWriter, more string, fault error) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	said := "ok"
	if more != "" {
		said += ": " + more
	}
	if fault != nil {
		said = legible(fault.Error())
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_, _ = io.WriteString(w, said+"\n") // nobody may be waiting any more
}

// health tells whether the bot can do its work: whether all platforms are connected, and the database
// can be written.
type health struct{ at atomic.Pointer[work] }

// work is what health looks at, once the database is open.
type work struct {
	chats   []*supervisor
	storage *trial
	roles   *election
}

// elsewhere returns what other processes do, "" if nothing.
func (h *health) elsewhere() string {
	if at := h.at.Load(); at != nil {
		return at.roles.String()
	}
	return ""
}

// ready returns what the bot can't do now, nil if it can do everything.
func (h *health) ready() error {
	at := h.at.Load()
	if at == nil {
		return errors.New("the database is being opened")
	}
	var faults []string
	for _, chat := range at.chats {
		if err := chat.Connected(); err != nil {
			faults = append(faults, chat.platform+": "+strings.TrimPrefix(post.Fault(err), chat.platform+": "))
		}
	}
	if err := at.storage.check(); err != nil {
		faults = append(faults, "storage: "+strings.TrimPrefix(post.Fault(err), "storage: "))
	}
	if len(faults) == 0 {
		return nil
	}
	return errors.New(strings.Join(faults, "; "))
}

const (
	trialEvery  = 5 * time.Second // however often is asked
	trialWithin = 2 * time.Second // something must have been written
)

// trial finds out, by writing something small, whether the database can be written.
type trial struct {
	write func(context.Context) error

	mu    sync.Mutex
	begun time.Time     // the last write
	done  chan struct{} // closed when that has ended; nil before the first
	err   error         // of that write, once it has ended
}

// check returns why nothing can be written, nil if the last write succeeded and is recent. It waits for
// a write that is under way, but not for long: a disk that hangs never answers.
func (t *trial) check() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.done == nil || t.ended(0) && time.Since(t.begun) >= trialEvery {
		done := make(chan struct{})
		t.begun, t.done = time.Now(), done
		go func() {
			defer close(done)
			t.err = t.write(context.Background())
		}()
	}
	if !t.ended(trialWithin - time.Since(t.begun)) {
		return fmt.Errorf("storage: nothing could be written for %v", time.Since(t.begun).Round(time.Second))
	}
	return t.err
}

// ended reports whether the last write has ended, or does so within some time.
func (t *trial) ended(within time.Duration) bool {
	select {
	case <-t.done:
		return true
	default:
	}
	select {
	case <-t.done:
		return true
	case <-time.After(within):
		return false
	}
}
