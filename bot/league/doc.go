// Package league is what results make of people: ratings, leaderboards, and the tables of
// months.
//
// # Design
//
// Careers are the truth, and beside them the log of results: a result changes the careers
// of both players and the log, and nothing else. Leaderboards are made of those in memory,
// by each process for itself, when somebody first asks, and whoever reads one reads first
// what the log has got since: so nobody sees a board that does not know of a result. To
// store the boards was tried: it took some eighty keys for each result, and a third of this
// package to keep them in step.
//
// Ratings depend on the order of a person's games. Where one of these counts no more, or
// becomes somebody else's, all ratings are computed again from the log, aside, and hold at
// once when that is done.
package league

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"chimera/bot/inbox"
	"chimera/rules"
	"chimera/storage"
)

// League rates games and ranks people. It is safe for concurrent use.
type League struct {
	store    *storage.Store
	inbox    *inbox.Inbox
	variants []*rules.Variant
	now      func() time.Time
	latest   atomic.Int64 // up to when the log was read, in Unix nanoseconds

	counting  sync.Mutex // held while all ratings are computed again
	corrected correction

	mu     sync.Mutex
	boards *boards // nil before anybody has asked
}

// New makes a League of games of these kinds. now is the wall clock.
func New(store *storage.Store, in *inbox.Inbox, variants []*rules.Variant, now func() time.Time) *League {
	return &League{store: store, inbox: in, variants: variants, now: now}
}

// variant is the game of a key, or nil.
func (l *League) variant(key string) *rules.Variant { return rules.Find(l.variants, key) }

// Called is the name of a kind of game, its key if there is none.
func (l *League) Called(kind string) string {
	if v := l.variant(kind); v != nil {
		return v.Name
	}
	return kind
}

// withBoards lets fn see what is stored and the leaderboards that are made of all that.
func (l *League) withBoards(ctx context.Context, fn func(storage.Reader, *boards) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.store.View(ctx, func(r storage.Reader) error {
		b, err := l.boards.refreshed(r, l.now())
		if l.boards = b; err != nil {
			l.boards = nil
			return err
		}
		l.read(b.log.at)
		return fn(r, b)
	})
}

// CatchUp lets the leaderboards know of all that has happened, so that nobody has to wait
// for that who asks.
func (l *League) CatchUp(ctx context.Context) error {
	return l.withBoards(ctx, func(storage.Reader, *boards) error { return nil })
}

// read notes up to when the log was read.
func (l *League) read(at time.Time) {
	l.latest.Store(max(l.latest.Load(), at.UnixNano()))
}
