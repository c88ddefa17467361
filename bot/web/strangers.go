package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"chimera/bot/message"
	"chimera/rules/phrase"
	"chimera/storage"
)

// strangers limits what is done at once for visitors who are not signed in, so that people's moves do not
// wait for them.
type strangers struct {
	line  chan struct{} // requests that wait or are being answered
	turns chan struct{} // requests that are being answered
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
		make(chan struct{}, strangersAtOnce+strangersInLine), make(chan struct{}, strangersAtOnce), newCache[keptKey, keptPage](keptPages),
	}
}

// serve makes an answer in its turn; false if too many wait already, or the visitor has gone.
func (s *strangers) serve(ctx context.Context, answer func()) bool {
	select {
	case s.line <- struct{}{}:
		defer func() { <-s.line }()
	default:
		return false
	}
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
		answer()
		return true
	case <-ctx.Done():
		return false
	}
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
		switch _, known := s.visitor(r); {
		case known, r.URL.Path == signPath: // whoever signs in is no stranger for long
			serve()
		default:
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
