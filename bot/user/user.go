// Package user keeps people and where they are met: their accounts, sessions and settings, rooms,
// private chats and servers. Accounts can be linked, and people forgotten.
package user

import (
	"context"
	"maps"
	"time"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/rating"
	"chimera/storage"
)

// Users keeps people, places and what people have chosen. It is safe for concurrent use.
type Users struct {
	store   *storage.Store
	events  *event.Log
	match   *match.Service
	ratings *rating.Service
	now     func() time.Time

	// Withdraw takes somebody who is forgotten out of something that they play for, and reports whether
	// there may be more; set before anything is played, or left as one that does nothing.
	Withdraw func(storage.Writer, storage.PersonID) (more bool, err error)
}

// New makes Users over a store. now is the wall clock.
func New(store *storage.Store, in *event.Log, ratings *rating.Service, m *match.Service, now func() time.Time) *Users {
	none := func(storage.Writer, storage.PersonID) (bool, error) { return false, nil }
	return &Users{store, in, m, ratings, now, none}
}

// Bounds of what a step of a job does, in one transaction.
const (
	fewGames  = 8   // that are changed or ended, with all their places; or challenges
	toldGames = 16  // of which people are told
	somePuts  = 64  // records that are written by themselves
	manyDrops = 200 // keys that are removed
)

// The kinds of jobs.
const (
	leaveJob  = "leave"  // nothing can be said at the places of a server any more, or it can again
	lossJob   = "lost"   // those who play at a place are told that nothing can be said there
	missedJob = "missed" // what a place has missed is shown there
	handJob   = "hand"   // a server gets the places of another
	moveJob   = "move"   // a place gets the games and challenges of another
)

// jobs are those of people, places and clocks, which are soon done; those of joins are not.
func (s *Users) jobs() storage.Jobs {
	all := storage.Jobs{
		leaveJob: s.leaveMore, lossJob: s.tellLost, missedJob: s.showMore, handJob: handMore, moveJob: moveMore, storage.ForgetJob: s.forgetMore,
	}
	maps.Copy(all, s.match.Jobs())
	return all
}

// WorkMore does the next step of the first job, and reports whether there may be another. The
// program may end between any two.
func (s *Users) WorkMore(ctx context.Context) (more bool, err error) {
	all := s.jobs()
	maps.Copy(all, s.joins())
	return all.More(ctx, s.store)
}
