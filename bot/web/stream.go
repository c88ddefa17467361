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

// streams knows who watches which game.
type streams struct {
	mutex sync.Mutex
	open  []*stream // the oldest first
}

// stream is one of them.
type stream struct {
	game     storage.GameID
	who      string // "" for who may have any number
	stranger bool
	heard    chan struct{} // receives changes of the game; closed when the stream has to end
}

// How many there may be at once: in all, of strangers among them, and of one person.
const (
	maxStreams   = 2000
	maxStrangers = 500
	maxOfOne     = 20
)

// anyGame is what a stream is of that hears of all games and challenges.
const anyGame storage.GameID = 0

// watch opens a stream of a game, for somebody, or for "" who may have any number, until end is called. It
// is nil if there are too many, or too many of theirs. Strangers' streams end to make room for others.
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
		default: // there is news already that was not heard yet
		}
	}
}

const (
	sign      = 20 * time.Second // how long a stream is silent at most
	writeTime = 10 * time.Second // in which it must take what is written
)

// events is a stream of the revisions of a game, beginning with the current one. So a page that was cut off
// learns what it needs.
func (s *Site) events(w http.ResponseWriter, r *http.Request, id storage.GameID) error {
	m, _ := s.visitor(r)
	return s.stream(w, r, id, 0, func() (string, error) {
		revision, err := s.bot.Revision(r.Context(), m, id)
		return strconv.FormatUint(revision, 10), err
	})
}

// stream is a stream of server-sent events for the visitor: what news says now, and when something has changed,
// for as long as they may see it. After each change it rests, since much may happen at once.
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
			return nil // they may see nothing more of it
		}
	}
}

// strangers limits what is done at once for visitors who are not signed in, so that people's moves do not
// wait for them.
type strangers struct {
	line  *semaphore.Weighted // requests that wait or are being answered
	turns *semaphore.Weighted // requests that are being answered
	pages *lru.Cache[keptKey, keptPage]
}

const (
	strangersAtOnce = 2            // answers of theirs that are made
	strangersInLine = maxStrangers // of them who wait for that, as all do who watch a game in which somebody moves
	strangersAgain  = 5            // seconds after which others may come again

	// keptPages is how many pages of games are kept for them, of some ten kilobytes each, and keptFor for
	// how long: what is said of players and their time may have changed then without the game.
	keptPages = 64
	keptFor   = time.Minute
)

func newStrangers() *strangers {
	return &strangers{
		semaphore.NewWeighted(strangersAtOnce + strangersInLine), semaphore.NewWeighted(strangersAtOnce), message.Recent[keptKey, keptPage](keptPages),
	}
}

// serve makes an answer in its turn; false if too many wait already, or the visitor has gone.
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

// answer is an answer that is complete before it is sent.
type answer struct {
	http.ResponseWriter
	status int
	bytes.Buffer
}

// WriteHeader notes the status.
func (a *answer) WriteHeader(status int) { a.status = status }

// Write adds to the text.
func (a *answer) Write(p []byte) (int, error) { return a.Buffer.Write(p) }

// send sends it.
func (a *answer) send() {
	if a.status != 0 {
		a.ResponseWriter.WriteHeader(a.status)
	}
	_, _ = a.ResponseWriter.Write(a.Bytes()) // who has gone needs no answer
}

// made completes answers before it sends them, so that nothing waits for slow readers. Each reads everything
// as of one moment. Of strangers' answers, it makes only a few at once.
func (s *Site) made(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := &answer{ResponseWriter: w}
		serve := func() { next.ServeHTTP(a, r.WithContext(storage.AsOfNow(r.Context()))) }
		if _, known := s.visitor(r); known || r.URL.Path == signPath { // whoever signs in is no stranger for long
			serve()
		} else {
			_ = r.FormValue("") // reads all that is sent, for which nobody else waits
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

// gameOfStranger shows a game to a stranger, for whom its page is kept.
func (s *Site) gameOfStranger(w http.ResponseWriter, r *http.Request, id storage.GameID, m message.Incoming) error {
	revision, err := s.bot.Revision(r.Context(), m, id)
	if err != nil {
		return s.gameWith(w, r, id, nil) // which says why
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
