package people

import (
	"context"
	"errors"

	"chimera/storage"
	"chimera/storage/tasks"
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

// step does the next part of some work, notes in it how far it has come, and reports whether
// there is more.
type step func(storage.Writer, *tasks.Task) (more bool, err error)

// begin does the first step of some work, and lets the others follow.
func begin(w storage.Writer, t tasks.Task, do step) error {
	switch more, err := do(w, &t); {
	case err != nil:
		return err
	case more:
		return w.PutTask(t)
	}
	return w.DropTask(t)
}

// steps are those of each kind of work.
func (s *People) steps() map[string]step {
	all := s.places.steps()
	all[forgetting] = s.forgetMore
	return all
}

func (s *Places) steps() map[string]step {
	return map[string]step{leaving: s.leaveMore, lost: s.tellMore, missed: s.showMore, handing: handMore, moving: moveMore}
}

// WorkMore does the next step of what is to be done of people and places, and reports whether there
// may be another. The program may end between any two.
func (s *People) WorkMore(ctx context.Context) (more bool, err error) {
	if more, err = s.links.HandMore(ctx); more || err != nil {
		return more, err
	}
	return workMore(ctx, s.store, s.steps())
}

func workMore(ctx context.Context, store *storage.Store, steps map[string]step) (more bool, err error) {
	const all = 64
	waiting, err := storage.Read(ctx, store, func(r storage.Reader) ([]tasks.Task, error) { return r.Tasks(all) })
	if err != nil {
		return false, err
	}
	for _, t := range waiting {
		kind, do := t.Kind, steps[t.Kind]
		if do == nil {
			continue // another's
		}
		err := store.Update(ctx, func(w storage.Writer) error {
			t, err := w.Task(kind, t.Of)
			if errors.Is(err, storage.ErrNotFound) {
				return nil // another process has done it
			}
			return errors.Join(err, begin(w, t, do))
		})
		if storage.Lost(err) { // what it is about is damaged: the others go on
			err = store.Update(ctx, func(w storage.Writer) error { return w.DropTask(t) })
		}
		return true, err
	}
	return false, nil
}

// finish does all steps that there are to do, while somebody waits.
func (s *Places) finish(ctx context.Context) error {
	for more := true; more; {
		var err error
		if more, err = workMore(ctx, s.store, s.steps()); err != nil {
			return err
		}
	}
	return nil
}

// beingForgotten reports whether somebody is about to be forgotten.
func beingForgotten(r storage.Reader, people ...storage.PersonID) (bool, error) {
	for _, p := range people {
		_, err := r.Task(forgetting, uint64(p))
		if !errors.Is(err, storage.ErrNotFound) {
			return err == nil, err
		}
	}
	return false, nil
}
