package people

import (
	"context"
	"errors"

	"chimera/storage"
)

// Meet is the person with an identity, remembered under the name.
func (s *People) Meet(ctx context.Context, a storage.Address, name string) (storage.Person, error) {
	name = storage.SafeName(name)
	var person storage.Person
	err := s.store.View(ctx, func(r storage.Reader) (err error) {
		person, err = r.PersonAt(a)
		return err
	})
	if err == nil && person.Name == name || err != nil && !errors.Is(err, storage.ErrNotFound) {
		return person, err
	}
	err = s.store.Update(ctx, func(w storage.Writer) (err error) {
		person, err = w.Meet(a, name)
		return err
	})
	return person, err
}

// Met reports whether there is a person with an identity.
func (s *People) Met(ctx context.Context, a storage.Address) (bool, error) {
	err := s.store.View(ctx, func(r storage.Reader) error {
		_, err := r.PersonAt(a)
		return err
	})
	if errors.Is(err, storage.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// AtHome notes that a person can be told things at a place that he alone sees.
func (s *People) AtHome(ctx context.Context, p storage.Person, place storage.PlaceID) error {
	if p.Home == place {
		return nil
	}
	return s.store.Update(ctx, func(w storage.Writer) error {
		was, err := w.Person(p.ID)
		if err != nil {
			return err
		}
		now := was
		now.Home = place
		now.Chats = Distinct(append(was.AllChats(), place))
		return w.PutPerson(now)
	})
}

// Known is the person with an identity, the place at an address and the server that this
// is in; the error is storage.ErrNotFound where one of the first two was never heard of.
func (s *People) Known(ctx context.Context, a, at storage.Address) (who storage.Person, place storage.Place, in storage.Server, err error) {
	err = s.store.View(ctx, func(r storage.Reader) (err error) {
		if who, err = r.PersonAt(a); err != nil {
			return err
		}
		place, in, err = visited(r, at)
		return err
	})
	return who, place, in, err
}

// Name is what a person is called.
func (s *People) Name(ctx context.Context, p storage.PersonID) (string, error) {
	var found string
	err := s.store.View(ctx, func(r storage.Reader) (err error) {
		found, err = r.NameOf(p)
		return err
	})
	return found, err
}
