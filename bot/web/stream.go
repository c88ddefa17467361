package web

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/semaphore"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/rules/phrase"
	"chimera/storage"
)

// streams are the open streams.
type streams struct {
	mutex sync.Mutex
	open  []*stream // the oldest first
}

// stream tells one page of changes.
type stream struct {
	game     storage.GameID
	who      string // "" for somebody who may have any number
	stranger bool
	heard    chan struct{} // receives changes of the game; closed when the stream has to end
}

// How many streams may be open at once: in all, for strangers, and for one person.
const (
	maxStreams   = 2000
	maxStrangers = 500
	maxOfOne     = 20
)

// anyGame is the game of a stream that hears of all games and challenges.
const anyGame storage.GameID = 0

// watch opens a stream of a game for somebody, who may have any number if they are "". It lasts until end is called.
// heard is nil if too many are open, in all or for them. The oldest stream of a stranger ends to make room for people
// who are signed in.
func (s *streams) watch(id storage.GameID, who string, stranger bool) (heard <-chan struct{}, end func()) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	strangers, theirs := 0, 0
	var oldest *stream // of strangers
	for _, w := range s.open {
		if w.who == who {
			theirs++
		}
		if w.stranger {
			strangers, oldest = strangers+1, cmp.Or(oldest, w)
		}
	}
	switch {
	case stranger && strangers >= maxStrangers, who != "" && theirs >= maxOfOne, len(s.open) >= maxStreams && (stranger || oldest == nil):
		return nil, nil
	case len(s.open) >= maxStreams:
		s.end(oldest)
	}
	w := &stream{id, who, stranger, make(chan struct{}, 1)}
	s.open = append(s.open, w)
	return w.heard, func() {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.end(w)
	}
}

// end ends a stream, if it has not ended.
func (s *streams) end(w *stream) {
	if i := slices.Index(s.open, w); i >= 0 {
		close(w.heard)
		s.open = slices.Delete(s.open, i, i+1)
	}
}

// changed tells streams that their games have changed, or with nil that any may have. It does not wait.
func (s *streams) changed(games []storage.GameID) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, w := range s.open {
		if games != nil && w.game != anyGame && !slices.Contains(games, w.game) {
			continue
		}
		select {
		case w.heard <- struct{}{}:
		default: // earlier news was not heard yet
		}
	}
}

const (
	sign      = 20 * time.Second // longest silence of a stream
	writeTime = 10 * time.Second // for the browser to take what is written
)

// events is a stream of the revisions of a game. It begins with the current one, so a page that was cut off learns
// whether it has missed any.
func (s *Site) events(w http.ResponseWriter, r *http.Request, id storage.GameID) error {
	m, _ := s.visitor(r)
	return s.stream(w, r, id, 0, func() (string, error) {
		revision, err := s.bot.Revision(r.Context(), m, id)
		return strconv.FormatUint(revision, 10), err
	})
}

// stream sends the visitor server-sent events: what news returns now and after each change of the game, for as long as
// they may see it. After a change it waits for rest, since several may follow at once.
func (s *Site) stream(w http.ResponseWriter, r *http.Request, id storage.GameID, rest time.Duration, news func() (string, error)) error {
	g, _ := r.Context().Value(guestKey{}).(guest)
	_, known := s.visitor(r)
	heard, end := s.streams.watch(id, g.who, !known)
	if heard == nil {
		s.refuse(w, r, http.StatusTooManyRequests, "too-many-boards")
		return nil
	}
	defer end()
	said, err := news()
	if err != nil {
		return bot.ErrNothing
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	out := http.NewResponseController(w)
	timer := time.NewTicker(sign)
	defer timer.Stop()
	for {
		if err := out.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
			return nil
		}
		if _, err := fmt.Fprintf(w, "id: %s\ndata: %[1]s\n\n", said); err != nil || out.Flush() != nil {
			return nil
		}
		select {
		case <-r.Context().Done():
			return nil
		case <-timer.C:
		case _, on := <-heard:
			if !on || adapter.Pause(r.Context(), rest) != nil {
				return nil
			}
			if said, err = news(); err != nil {
				return nil
			}
		}
		if !s.lasts(r) {
			return nil // they were signed out
		}
	}
}

// strangers limits what is done at once for visitors who are not signed in, so that people's moves do not wait for
// them.
type strangers struct {
	line  *semaphore.Weighted // requests that wait or are being answered
	turns *semaphore.Weighted // requests that are being answered
	pages *lru.Cache[keptKey, keptPage]
}

const (
	strangersAtOnce = 2            // answers that are being made
	strangersInLine = maxStrangers // requests that wait for that: all who watch a game ask at once when it changes
	strangersAgain  = 5            // seconds after which those turned away should try again

	// keptPages is how many pages of games are kept for strangers, of some ten kilobytes each. keptFor is how long,
	// since names and remaining time may change without the game.
	keptPages = 64
	keptFor   = time.Minute
)

func newStrangers() *strangers {
	return &strangers{
		semaphore.NewWeighted(strangersAtOnce + strangersInLine), semaphore.NewWeighted(strangersAtOnce), message.Recent[keptKey, keptPage](keptPages),
	}
}

// serve calls answer in its turn; false if too many wait already, or ctx is done first.
func (s *strangers) serve(ctx context.Context, answer func()) bool {
	if !s.line.TryAcquire(1) {
		return false
	}
	defer s.line.Release(1)
	if s.turns.Acquire(ctx, 1) != nil {
		return false
	}
	defer s.turns.Release(1)
	answer()
	return true
}

// answer collects an answer, to be sent when it is complete.
type answer struct {
	http.ResponseWriter
	status int
	bytes.Buffer
}

// WriteHeader keeps the status.
func (a *answer) WriteHeader(status int) { a.status = status }

// Write adds to the body.
func (a *answer) Write(p []byte) (int, error) { return a.Buffer.Write(p) }

// send sends the answer.
func (a *answer) send() {
	if a.status != 0 {
		a.ResponseWriter.WriteHeader(a.status)
	}
	_, _ = a.ResponseWriter.Write(a.Bytes()) // an error means that the visitor has gone
}

// made completes answers before it sends them, so that nothing waits for slow readers. Each answer reads the database
// as of one moment. Only a few answers to strangers are made at once.
func (s *Site) made(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := &answer{ResponseWriter: w}
		serve := func() { next.ServeHTTP(a, r.WithContext(storage.AsOfNow(r.Context()))) }
		if _, known := s.visitor(r); known || r.URL.Path == signPath { // people who sign in need not wait with strangers
			serve()
		} else {
			_ = r.FormValue("") // reads the whole body now, so that nobody waits for it in line
			if !s.strangers.serve(r.Context(), serve) {
				w.Header().Set("Retry-After", fmt.Sprint(strangersAgain))
				s.refuse(w, r, http.StatusServiceUnavailable, "many-read")
				return
			}
		}
		s.tellWhose(w, r)
		a.send()
	})
}

// keptKey is everything that a stranger's page of a game depends on.
type keptKey struct {
	game     storage.GameID
	revision uint64
	view     string
	explains bool
	language phrase.Language
}

type keptPage struct {
	text []byte
	tag  string
	at   time.Time
}

// game shows a game; to a stranger, from a page kept for all of them if there is one.
func (s *Site) game(w http.ResponseWriter, r *http.Request, id storage.GameID) error {
	m, known := s.visitor(r)
	if known {
		return s.gameWith(w, r, id, nil)
	}
	revision, err := s.bot.Revision(r.Context(), m, id)
	if err != nil {
		return s.gameWith(w, r, id, nil) // this tells why
	}
	view := queryOf(r, append([]string{atPly}, lasting...)...).With()
	key := keptKey{id, revision, view, r.Form.Has(how), s.bot.Language(r.Context(), m)}
	page, kept := s.strangers.pages.Get(key)
	if !kept || time.Since(page.at) > keptFor {
		a := &answer{ResponseWriter: w}
		if err := s.gameWith(a, r, id, nil); err != nil {
			return err
		}
		if a.status != http.StatusOK {
			a.send()
			return nil
		}
		page = keptPage{a.Bytes(), fmt.Sprintf(`W/"%x"`, sha256.Sum256(a.Bytes())), time.Now()}
		s.strangers.pages.Add(key, page)
	}
	w.Header().Set("Content-Type", htmlType)
	w.Header().Set("Cache-Control", "private, no-cache")
	w.Header().Set("ETag", page.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(page.text))
	return nil
}
