package match

import (
	"context"
	"errors"
	"time"

	"chimera/storage"
)

// Leave notes that nothing can be said at a place any more, or that it can again.
func (s *Service) Leave(ctx context.Context, a storage.Address, gone bool) error {
	return s.store.Update(ctx, func(w storage.Writer) error {
		place, err := w.PlaceAt(a)
		if errors.Is(err, storage.ErrNotFound) {
			return nil
		}
		if err != nil || place.Gone.IsZero() != gone {
			return err
		}
		was := place
		place.Gone = time.Time{}
		if gone {
			place.Gone = s.now()
		}
		return w.PutPlace(was, place)
	})
}

// Rename gives a place, and the server of the same address, another address, in one
// transaction.
func (s *Service) Rename(ctx context.Context, from, to storage.Address) error {
	return s.store.Update(ctx, func(w storage.Writer) error {
		server, err := w.ServerAt(from)
		if err == nil {
			err = w.RenameServer(server, to)
		}
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return err
		}
		place, err := w.PlaceAt(from)
		if errors.Is(err, storage.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		was := place
		place.Address, place.Gone = to, time.Time{}
		return w.PutPlace(was, place)
	})
}

// AccountOn is a person's account on a platform; false if there is none.
func (s *Service) AccountOn(ctx context.Context, id storage.PersonID, platform string) (account string, ok bool) {
	err := s.store.View(ctx, func(r storage.Reader) error {
		p, err := r.Person(id)
		for _, a := range p.Identities {
			if a.Platform == platform {
				account, ok = a.ID, true
			}
		}
		return err
	})
	return account, ok && err == nil
}
