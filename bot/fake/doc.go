// Package fake has doubles of Telegram and Discord on 127.0.0.1, as far as tests of the bot need
// them: they hear what the bot says, tell it what people do, and hold it to the limits of
// the platforms.
package fake

import (
	"io"
	"net/http"
	"sync"
	"testing"
	"time"
)

// Refusal is an answer that reports a failure.
type Refusal struct {
	Status int
	Header map[string]string
	Body   string
}

func (r *Refusal) answer(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	for name, value := range r.Header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(r.Status)
	_, _ = io.WriteString(w, r.Body) // the bot may have gone
}

// ofDead is how a platform answers a program that is dead; nil if it is alive.
func ofDead(dead func() bool) *Refusal {
	if dead() {
		return &Refusal{Status: http.StatusBadGateway}
	}
	return nil
}

// news lets a test wait for what a fake hears. Its lock guards the fields of the
// fake.
type news struct {
	sync.Mutex
	t       testing.TB
	changed *sync.Cond
}

func (n *news) begin(t testing.TB) {
	n.t = t
	n.changed = sync.NewCond(&n.Mutex)
}

// stir makes whoever waits check again.
func (n *news) stir() {
	n.Lock()
	defer n.Unlock()
	n.changed.Broadcast()
}

// wait waits until something holds, and fails with the story after 30 seconds. It checks under the
// lock whenever something has happened, and now and then, since not all is heard of here.
func (n *news) wait(what string, holds func() bool, story func() string) {
	n.t.Helper()
	const long, glance = 30 * time.Second, 50 * time.Millisecond
	ended, begun := make(chan struct{}), time.Now()
	defer close(ended)
	go func() {
		for {
			select {
			case <-time.After(glance):
				n.stir()
			case <-ended:
				return
			}
		}
	}()
	n.Lock()
	defer n.Unlock()
	for !holds() {
		if time.Since(begun) >= long {
			n.t.Fatalf("%s did not happen; there were\n%s", what, story())
		}
		n.changed.Wait()
	}
}
