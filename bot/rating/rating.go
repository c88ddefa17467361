// Package rating is Glicko-2, leaderboards and standings: what the results of rated games
// make of people.
//
// # Design
//
// Standings are the truth, and beside them the log of results: a result changes the standings
// of both players and the log, and nothing else. Leaderboards are made of those in memory,
// by each process for itself, when somebody first asks, and whoever reads one first reads
// what has been added to the log since: so nobody sees a board that misses a result. Storing
// the boards was tried: it took some eighty keys for each result, and a third of this
// package to keep them in step.
//
// Ratings depend on the order of a person's games. Where a game counts no more, or
// becomes somebody else's, all ratings are computed again from the log in memory, and then
// what is stored otherwise is written step by step.
//
// # Glicko-2
//
// It follows Mark Glickman's "Example of the Glicko-2 system"
// (http://www.glicko.net/glicko/glicko2.pdf). Games are rated one by one, as lichess does it,
// and not in periods of many games: a rating period is a length of time, by whose fractions
// the deviation grows between games. With one whole period that is the paper's sixth step.
// The constants are lichess's too: with 0.21436 periods a day and a volatility of 0.06, a
// deviation grows from 60 to 110 in a year.
//
// Results are rounded before they are stored, so that computing them again from the
// games gives the same ones on every machine: the last bits of a logarithm differ
// between processors, and are far below what is kept. Products that are added to
// something are rounded first by a conversion, since a compiler may otherwise fuse the two
// on some machines.
package rating

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"chimera/bot/event"
	"chimera/rules"
	"chimera/storage"
)

// Service rates games and ranks people. It is safe for concurrent use.
type Service struct {
	store    *storage.Store
	events   *event.Log
	variants []*rules.Variant
	now      func() time.Time
	latest   atomic.Int64 // up to when the log was read, in Unix nanoseconds

	counting  sync.Mutex  // held while all ratings are computed again
	recounted *recounting // nil if it begins anew

	mu     sync.Mutex
	boards *boards // nil before anybody has asked
}

// New makes a Service of games of these kinds. now is the wall clock.
func New(store *storage.Store, in *event.Log, variants []*rules.Variant, now func() time.Time) *Service {
	return &Service{store: store, events: in, variants: variants, now: now}
}

// variant is the game of a key, or nil.
func (l *Service) variant(key string) *rules.Variant { return rules.Find(l.variants, key) }

// Called is the name of a kind of game, its key if there is none.
func (l *Service) Called(kind string) string {
	if v := l.variant(kind); v != nil {
		return v.Name
	}
	return kind
}

// withBoards lets fn see what is stored and the leaderboards that are made of all that.
func (l *Service) withBoards(ctx context.Context, fn func(storage.Reader, *boards) error) error {
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
func (l *Service) CatchUp(ctx context.Context) error {
	return l.withBoards(ctx, func(storage.Reader, *boards) error { return nil })
}

// read notes up to when the log was read.
func (l *Service) read(at time.Time) {
	l.latest.Store(max(l.latest.Load(), at.UnixNano()))
}
