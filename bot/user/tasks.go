package user

import (
	"context"
	"errors"
	"maps"

	"chimera/bot/steps"
	"chimera/storage"
)

// Bounds of what a step of work on places and people does, in one transaction.
const (
	fewGames  = 8   // that are changed or ended, with all their places; or challenges
	toldGames = 16  // of which people are told
	somePuts  = 64  // records that are written by themselves
	manyDrops = 200 // keys that are removed
)

// The kinds of work that is done in steps.
const (
	leaving    = "leave"  // nothing can be said at the places of a server any more, or it can again
	lost       = "lost"   // those who play at a place are told that nothing can be said there
	missed     = "missed" // what a place has missed is shown there
	handing    = "hand"   // a server gets the places of another
	moving     = "move"   // a place gets the games and challenges of another
	forgetting = "forget" // a person is forgotten
)

// steps are those of each kind of work on people and places.
func (s *People) steps() steps.Steps {
	all := s.places.steps()
	all[forgetting] = s.forgetMore
	maps.Copy(all, s.match.Steps())
	return all
}

func (s *Places) steps() steps.Steps {
	return steps.Steps{leaving: s.leaveMore, lost: s.tellMore, missed: s.showMore, handing: handMore, moving: moveMore}
}

// WorkMore does the next step of what is to be done of people and places, and reports whether there
// may be another. The program may end between any two.
func (s *People) WorkMore(ctx context.Context) (more bool, err error) {
	if more, err = s.links.HandMore(ctx); more || err != nil {
		return more, err
	}
	return s.steps().More(ctx, s.store)
}

// beingForgotten reports whether somebody is about to be forgotten.
func beingForgotten(r storage.Reader, people ...storage.PersonID) (bool, error) {
	for _, p := range people {
		_, err := r.Jobs().Get(storage.JobID{Kind: forgetting, Of: uint64(p)})
		if !errors.Is(err, storage.ErrNotFound) {
			return err == nil, err
		}
	}
	return false, nil
}
