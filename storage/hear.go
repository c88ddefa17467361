package storage

import (
	"bytes"
	"sync/atomic"
)

// OnPost has hear called with the queues to which something was added, as soon as that is stored, in
// place of the function that was set before. The Update that has stored it waits for hear; other
// processes' are heard of a little later, and may pass nil: something was added somewhere.
func (s *Store) OnPost(hear func([]Queue)) { s.onPost.Store(&hear) }

// OnAwaited has hear called, likewise, with the games stored in which the computer has something to
// do, or had in another process.
func (s *Store) OnAwaited(hear func([]GameID)) { s.onWait.Store(&hear) }

// OnChange has hear called, likewise, with the games that were stored.
func (s *Store) OnChange(hear func([]GameID)) { s.onGame.Store(&hear) }

// hear tells whoever waits for it what was stored.
func (s *Store) hear(c changes) {
	tell(&s.onWait, c.awaited, c.missed)
	tell(&s.onGame, c.games, c.missed)
	tell(&s.onPost, c.posted, c.missed)
}

func tell[T any](who *atomic.Pointer[func([]T)], changed []T, missed bool) {
	if hear := who.Load(); hear != nil && (missed || len(changed) > 0) {
		(*hear)(changed)
	}
}

// heard takes in which keys other processes have changed; nil if they may be any.
func (s *Store) heard(keys [][]byte) {
	done := changes{missed: keys == nil}
	for _, key := range keys {
		kind, _, _ := bytes.Cut(key, []byte("/"))
		switch string(kind) + "/" {
		case entries.prefix:
			if q := entryIDAt(entries.prefix, key).Queue; q != (Queue{}) {
				done.posted = append(done.posted, q)
			}
		case thinking:
			done.awaited = append(done.awaited, GameID(End(key)))
		case games.prefix:
			done.games = append(done.games, GameID(End(key)))
		}
	}
	s.hear(done)
}
