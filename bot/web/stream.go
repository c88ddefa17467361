package web

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"chimera/bot"
)

// streams are who watches which game.
type streams struct {
	mutex   sync.Mutex
	watched map[bot.GameID]map[chan struct{}]struct{}
	of      map[string]int // how many somebody watches
	all     int
}

func newStreams() *streams {
	return &streams{watched: map[bot.GameID]map[chan struct{}]struct{}{}, of: map[string]int{}}
}

// How many there may be at once: in all, and of one person.
const (
	maxStreams = 2000
	maxOfOne   = 20
)

// watch is what hears of changes of a game, for somebody or "" for who may have any number, until end is called; false if too many
// watch, or they too many.
func (s *streams) watch(id bot.GameID, who string) (heard chan struct{}, end func(), ok bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.all >= maxStreams || who != "" && s.of[who] >= maxOfOne {
		return nil, nil, false
	}
	if s.watched[id] == nil {
		s.watched[id] = map[chan struct{}]struct{}{}
	}
	heard = make(chan struct{}, 1)
	s.watched[id][heard] = struct{}{}
	s.all++
	s.of[who]++
	return heard, func() {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		delete(s.watched[id], heard)
		if len(s.watched[id]) == 0 {
			delete(s.watched, id)
		}
		s.all--
		if s.of[who]--; s.of[who] == 0 {
			delete(s.of, who)
		}
	}, true
}

// changed tells those who watch that games have changed, or with nil that any may have. Nobody
// waits.
func (s *streams) changed(games []bot.GameID) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if games == nil {
		games = slices.Collect(maps.Keys(s.watched))
	}
	for _, id := range games {
		for heard := range s.watched[id] {
			select {
			case heard <- struct{}{}:
			default: // there is news already that was not heard yet
			}
		}
	}
}

const (
	sign      = 20 * time.Second // how long a stream is silent at most
	writeTime = 10 * time.Second // in which it must take what is written
)

// events is a stream of server-sent events: each is the revision of a game, the first the one that it
// has now. So whoever was cut off hears what they need.
func (s *Site) events(w http.ResponseWriter, r *http.Request) {
	id, ok := gameID(r)
	if !ok {
		http.NotFound(w, r)
		return
	}
	g, _ := r.Context().Value(guestKey{}).(guest)
	heard, end, ok := s.streams.watch(id, g.who)
	if !ok {
		s.refuse(w, r, http.StatusTooManyRequests, "too-many-boards")
		return
	}
	defer end()
	seat, _, _, err := s.seat(r, id, bot.View{Ply: bot.Latest})
	if err != nil || seat == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	out := http.NewResponseController(w)
	timer := time.NewTicker(sign)
	defer timer.Stop()
	for revision := seat.Revision; ; {
		if err := out.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
			return
		}
		if _, err := fmt.Fprintf(w, "id: %d\ndata: %d\n\n", revision, revision); err != nil || out.Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-timer.C:
		case <-heard:
			if revision, err = s.bot.Revision(r.Context(), id); err != nil {
				return
			}
		}
		if !s.lasts(r) {
			return // they may see nothing more of it
		}
	}
}
