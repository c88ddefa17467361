// Package adapter is what the adapters of chat platforms share: queues of work, retries, state that
// outlives the process, the check that this process may speak, and texts cut to fit messages.
package adapter

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	"chimera/bot/outbox"
	"chimera/bot/words"
	"chimera/storage"
)

// Watched is how many messages or rooms an adapter keeps short-lived facts about in memory, such as
// how often each was edited. With more, it begins anew.
const Watched = 4096

// Retry says how to repeat a request that may fail at first.
type Retry struct {
	First time.Duration // before the second try; then twice as long each time
	Most  time.Duration // up to this; 0 for any length
	Tries int           // at most; 0 for any number

	// Verdict classifies an error: after [*outbox.Never] there is no other try, and after [*outbox.Later]
	// none before its time. If it is nil, errors stand for themselves.
	Verdict func(error) error

	Pause func(context.Context, time.Duration) error
	Log   func(err error, again time.Duration) // of an error before another try; may be nil
}

// Do asks until that succeeds. Otherwise it returns the last error, or why it stopped waiting.
func (r Retry) Do(ctx context.Context, ask func() error) error {
	wait := r.First
	for try := 1; ; try++ {
		err := ask()
		if err == nil {
			return nil
		}
		verdict := err
		if r.Verdict != nil {
			verdict = r.Verdict(err)
		}
		if _, never := errors.AsType[*outbox.Never](verdict); never || try == r.Tries {
			return err
		}
		if later, asks := errors.AsType[*outbox.Later](verdict); asks {
			wait = max(wait, later.After)
		}
		if r.Log != nil {
			r.Log(err, wait)
		}
		if err := r.Pause(ctx, wait); err != nil {
			return err
		}
		if wait *= 2; r.Most > 0 {
			wait = min(wait, r.Most)
		}
	}
}

// Pause waits, but no longer than the context lasts.
func Pause(ctx context.Context, wait time.Duration) error {
	if wait <= 0 {
		return ctx.Err()
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(wait):
		return nil
	}
}

// Queues run the jobs of one key in order, and those of different keys side by side. The zero Queues
// are ready; they are safe for concurrent use.
type Queues struct {
	mu      sync.Mutex
	waiting map[string][]func() // by key; a key whose last job is running has an empty one
	running sync.WaitGroup
	closed  bool
}

// Add runs a job after those added to its key before. It reports false, and never runs it, once the
// Queues are closed.
func (q *Queues) Add(key string, job func()) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	if q.waiting == nil {
		q.waiting = map[string][]func(){}
	}
	waiting, busy := q.waiting[key]
	q.waiting[key] = append(waiting, job)
	if !busy {
		q.running.Go(func() { q.run(key) })
	}
	return true
}

func (q *Queues) run(key string) {
	for {
		q.mu.Lock()
		waiting := q.waiting[key]
		if len(waiting) == 0 {
			delete(q.waiting, key)
			q.mu.Unlock()
			return
		}
		q.waiting[key] = waiting[1:]
		q.mu.Unlock()
		waiting[0]()
	}
}

// Close takes no more jobs, and waits until all have run.
func (q *Queues) Close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.running.Wait()
}

// Linger is a context that ends a while after another, so that work in progress can be finished. It
// ends as soon as all roles are lost, since the process can then neither say nor store anything.
func Linger(ctx context.Context, longer time.Duration, roles storage.Roles) context.Context {
	lingering, end := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() {
		defer end()
		select {
		case <-roles.Lost():
		case <-time.After(longer):
		}
	})
	return lingering
}

// LeaseCheck lets requests to a platform through only while this process certainly holds its roles:
// another may have taken over. A request that was held back was not sent; its error is
// [*outbox.Later]. It also limits the time for a request and for reading its answer: the Timeout of an
// [http.Client] would cost two goroutines for each.
type LeaseCheck struct {
	Roles   storage.Roles
	Inner   http.RoundTripper
	Timeout time.Duration
}

// RoundTrip implements [http.RoundTripper].
func (l LeaseCheck) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := l.Roles.Held(r.Context()); err != nil {
		if r.Body != nil {
			_ = r.Body.Close() // nothing was read
		}
		return nil, cmp.Or[error](r.Context().Err(), &outbox.Later{After: time.Second, Everywhere: true, Err: err})
	}
	ctx, cancel := context.WithTimeout(r.Context(), l.Timeout)
	answer, err := l.Inner.RoundTrip(r.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	answer.Body = body{answer.Body, cancel}
	return answer, nil
}

// body is the body of a response; closing it releases the request's timeout.
type body struct {
	io.ReadCloser
	end context.CancelFunc
}

// Close implements [io.Closer].
func (b body) Close() error {
	defer b.end()
	return b.ReadCloser.Close()
}

// Transport makes requests to a platform. It keeps as many connections as are used at once, and writes
// a picture together with its text.
func Transport() *http.Transport {
	const connections, piece = 64, 64 << 10
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = connections, connections
	t.WriteBufferSize = piece
	return t
}

// Serve answers requests at a listener until the context is done, and then gives those in progress a
// while to finish. The error is nil if the context ended it.
func Serve(ctx context.Context, server *http.Server, at net.Listener, grace time.Duration) error {
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		brief, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
		if server.Shutdown(brief) != nil {
			_ = server.Close()
		}
	})
	if err := server.Serve(at); !errors.Is(err, http.ErrServerClosed) {
		stop()
		return err
	}
	<-ended
	return nil
}

// Length is the length of a text as platforms count it, in UTF-16 units.
func Length(text string) int { return len(utf16.Encode([]rune(text))) }

// Clip cuts a text to at most that length.
func Clip(text string, most int) string {
	if Length(text) <= most {
		return text
	}
	n := 0
	for i, c := range text {
		if n += utf16.RuneLen(c); n > most-1 {
			return text[:i] + "…"
		}
	}
	return text
}

// Lines are the lines of a text; an empty text has one.
func Lines(t words.Text) (all []words.Text) {
	var line words.Text
	for _, s := range t {
		for i, part := range strings.Split(s.Words, "\n") {
			if i > 0 {
				all, line = append(all, line), nil
			}
			s.Words = part
			line = append(line, s)
		}
	}
	return append(all, line)
}

// Pages splits a text into parts that fit one message each, between lines where possible. length is
// the length of a span in the platform's format; no character may be longer than four.
func Pages(t words.Text, most int, length func(words.Span) int) (pages []words.Text) {
	var page words.Text
	size := 0
	end := func() {
		for len(page) > 0 && page[len(page)-1].Words == "\n" {
			page = page[:len(page)-1]
		}
		if len(page) > 0 {
			pages = append(pages, page)
		}
		page, size = nil, 0
	}
	add := func(part words.Text, n int) {
		if size+n >= most {
			end()
		}
		page, size = append(page, part...), size+n
	}
	for i, line := range Lines(t) {
		if i > 0 && len(page) > 0 {
			page, size = append(page, words.Span{Words: "\n"}), size+1
		}
		var part words.Text // of the line that fits a message
		long := 0
		for _, s := range line {
			for signs := range slices.Chunk([]rune(s.Words), most/4-50) {
				s.Words = string(signs)
				n := length(s)
				if long+n >= most {
					add(part, long)
					part, long = nil, 0
				}
				part, long = append(part, s), long+n
			}
		}
		add(part, long)
	}
	end()
	return pages
}
