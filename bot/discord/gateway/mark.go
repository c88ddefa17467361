package gateway

import (
	"encoding/json"
	"sync"
	"time"
)

// Mark is how far a session has come, from where any process can go on with it.
type Mark struct {
	ID  string // of the session
	URL string // where it goes on; "" for the usual address
	Seq int64  // of an event up to which all were handled
}

// Event is something that has happened.
type Event struct {
	Kind  string
	Data  json.RawMessage
	Late  bool   // it has happened while the session had no connection
	Again bool   // or before that, and another process may have handled it
	Done  func() // is to be called when it was handled
}

// standing is how far a session has come, from when it has begun.
type standing struct {
	mu    sync.Mutex
	id    string
	url   string         // where it goes on; "" for the usual address
	seq   int64          // of the last event
	open  map[int64]bool // the events that are not handled yet, by their numbers
	late  bool           // it goes on, and Discord tells what has happened meanwhile
	taken bool           // from another process, and it has not gone on here yet
	over  bool           // it cannot go on
}

// Take lets a session that has not begun be one of another process, and go on with that.
func (s *standing) Take(m Mark) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.id, s.url, s.seq, s.taken = m.ID, m.URL, m.Seq, true
}

// Mark is how far the session has come. False means that another process cannot go on with it.
func (s *standing) Mark() (Mark, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := Mark{ID: s.id, URL: s.url, Seq: s.seq}
	for seq := range s.open {
		m.Seq = min(m.Seq, seq-1)
	}
	return m, m.ID != "" && m.Seq > 0 && !s.over
}

// Over reports whether the session cannot go on.
func (s *standing) Over() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.over
}

// end notes whether the session cannot go on.
func (s *standing) end(over bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = s.over || over
}

// begun notes which session has begun, and where it goes on.
func (s *standing) begun(id, url string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.id, s.url = id, url
}

// goOnAt notes where the session goes on.
func (s *standing) goOnAt(url string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.url = url
}

// last is the session, "" if it has not begun, and the number of its last event.
func (s *standing) last() (id string, seq int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.id, s.seq
}

// goOn is last where a connection begins.
func (s *standing) goOn() (id string, seq int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.late = s.id != ""
	return s.id, s.seq
}

// event notes that something has happened, which is handled when its Done was called.
func (s *standing) event(seq int64, kind string, data json.RawMessage) Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := Event{Kind: kind, Data: data, Late: s.late, Again: s.late && s.taken, Done: func() {}}
	if kind == Ready || kind == Resumed {
		s.late, s.taken = false, false
	}
	if seq <= s.seq {
		return e
	}
	if s.open == nil {
		s.open = map[int64]bool{}
	}
	s.seq, s.open[seq] = seq, true
	e.Done = func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.open, seq)
	}
	return e
}

// Budget is how many sessions of a token may begin: a number at once, and one more each while.
// Discord ends a token that has begun 1,000 in a day.
type Budget struct {
	Every time.Duration
	Burst int
}

// Spend is how long a session has to wait that is to begin now. full is when Burst sessions can
// begin at once again, and then that if it begins after the wait.
func (b Budget) Spend(full, now time.Time) (wait time.Duration, then time.Time) {
	if full.Before(now) {
		full = now
	}
	if latest := now.Add(time.Duration(b.Burst) * b.Every); full.After(latest) {
		full = latest // the clock was set back
	}
	then = full.Add(b.Every)
	return max(0, then.Sub(now)-time.Duration(b.Burst)*b.Every), then
}
