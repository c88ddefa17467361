package web

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"chimera/storage"
)

// streams knows who watches which game.
type streams struct {
	mutex     sync.Mutex
	watched   map[storage.GameID]map[*stream]struct{}
	of        map[string]int // how many somebody watches
	all       int
	strangers []*stream // those of strangers, the oldest first
}

// stream is one of them.
type stream struct {
	game  storage.GameID
	who   string        // "" for who may have any number
	heard chan struct{} // receives changes of the game; closed when the stream has to end
}

func newStreams() *streams {
	return &streams{watched: map[storage.GameID]map[*stream]struct{}{}, of: map[string]int{}}
}

// How many there may be at once: in all, of strangers among them, and of one person.
const (
	maxStreams   = 2000
	maxStrangers = 500
	maxOfOne     = 20
)

// watch opens a stream of a game, for somebody, or for "" who may have any number, until end is called. It
// is nil if there are too many, or too many of theirs. Strangers' streams end to make room for others.
func (s *streams) watch(id storage.GameID, who string, stranger bool) (heard <-chan struct{}, end func()) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if stranger && len(s.strangers) >= maxStrangers || who != "" && s.of[who] >= maxOfOne {
		return nil, nil
	}
	if !stranger && s.all >= maxStreams && len(s.strangers) > 0 {
		s.end(s.strangers[0])
	}
	if s.all >= maxStreams {
		return nil, nil
	}
	w := &stream{id, who, make(chan struct{}, 1)}
	if s.watched[id] == nil {
		s.watched[id] = map[*stream]struct{}{}
	}
	s.watched[id][w] = struct{}{}
	s.all++
	s.of[who]++
	if stranger {
		s.strangers = append(s.strangers, w)
	}
	return w.heard, func() {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.end(w)
	}
}

// end ends a stream, if it has not ended.
func (s *streams) end(w *stream) {
	if _, on := s.watched[w.game][w]; !on {
		return
	}
	close(w.heard)
	delete(s.watched[w.game], w)
	if len(s.watched[w.game]) == 0 {
		delete(s.watched, w.game)
	}
	s.all--
	if s.of[w.who]--; s.of[w.who] == 0 {
		delete(s.of, w.who)
	}
	if i := slices.Index(s.strangers, w); i >= 0 {
		s.strangers = slices.Delete(s.strangers, i, i+1)
	}
}

// changed tells streams that their games have changed, or with nil that any may have. It does not wait.
func (s *streams) changed(games []storage.GameID) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if games == nil {
		games = slices.Collect(maps.Keys(s.watched))
	}
	for _, id := range games {
		for w := range s.watched[id] {
			select {
			case w.heard <- struct{}{}:
			default: // there is news already that was not heard yet
			}
		}
	}
}

const (
	sign      = 20 * time.Second // how long a stream is silent at most
	writeTime = 10 * time.Second // in which it must take what is written
)

// events is a stream of server-sent events: the revisions of a game, beginning with the current one. So a
// page that was cut off learns what it needs.
func (s *Site) events(w http.ResponseWriter, r *http.Request) error {
	id, ok := gameID(r)
	if !ok {
		return errNoFile
	}
	g, _ := r.Context().Value(guestKey{}).(guest)
	m, known := s.visitor(r)
	heard, end := s.streams.watch(id, g.who, !known)
	if heard == nil {
		s.refuse(w, r, http.StatusTooManyRequests, "too-many-boards")
		return nil
	}
	defer end()
	revision, err := s.bot.Revision(r.Context(), m, id)
	if err != nil {
		return errNoFile
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
		if _, err := fmt.Fprintf(w, "id: %d\ndata: %d\n\n", revision, revision); err != nil || out.Flush() != nil {
			return nil
		}
		select {
		case <-r.Context().Done():
			return nil
		case <-timer.C:
		case _, on := <-heard:
			if !on {
				return nil
			}
			if revision, err = s.bot.Revision(r.Context(), m, id); err != nil {
				return nil
			}
		}
		if !s.lasts(r) {
			return nil // they may see nothing more of it
		}
	}
}
