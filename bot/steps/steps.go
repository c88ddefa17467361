// Package steps does work that is too much for one transaction, some of it at a time, so that it
// goes on when the program has ended in between.
package steps

import (
	"context"
	"errors"

	"chimera/storage"
)

// Step does the next part of some work, notes in it how far it has come, and reports whether
// there is more.
type Step func(storage.Writer, *storage.Job) (more bool, err error)

// Begin does the first step of some work, and lets the others follow. What there is of the same
// work already is forgotten for that.
func Begin(w storage.Writer, t storage.Job, do Step) error {
	switch more, err := do(w, &t); {
	case err != nil:
		return err
	case more:
		return w.Jobs().Put(t)
	}
	return w.Jobs().Delete(t.ID())
}

// Steps are those of each kind of work.
type Steps map[string]Step

// More does the next step of all that there is to do of these kinds, and reports whether there may
// be another. The program may end between any two.
func (s Steps) More(ctx context.Context, store *storage.Store) (more bool, err error) {
	t, err := storage.Read(ctx, store, func(r storage.Reader) (storage.Job, error) {
		return r.FirstJob(func(kind string) bool { return s[kind] != nil })
	})
	switch {
	case errors.Is(err, storage.ErrNotFound):
		return false, nil
	case err != nil:
		return false, err
	}
	kind := t.Kind
	err = store.Update(ctx, func(w storage.Writer) error {
		t, err := w.Jobs().Get(storage.JobID{Kind: kind, Of: t.Of})
		if errors.Is(err, storage.ErrNotFound) {
			return nil // another process has done it
		}
		return errors.Join(err, Begin(w, t, s[kind]))
	})
	if storage.Missing(err) { // what it is about is damaged: the others go on
		err = store.Update(ctx, func(w storage.Writer) error { return w.Jobs().Delete(t.ID()) })
	}
	return true, err
}

// Finish does all steps that there are to do of these kinds, while somebody waits.
func (s Steps) Finish(ctx context.Context, store *storage.Store) error {
	for more := true; more; {
		var err error
		if more, err = s.More(ctx, store); err != nil {
			return err
		}
	}
	return nil
}
