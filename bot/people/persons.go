package people

import (
	"context"
	"errors"

	"chimera/storage"
)

// Meet is the person with an identity, remembered under the name.
func (s *People) Meet(ctx context.Context, a storage.Address, name string) (storage.Person, error) {
	person, err := storage.Read(ctx, s.store, func(r storage.Reader) (storage.Person, error) { return r.PersonAt(a) })
	if err == nil && person.Name == storage.SafeName(name) || err != nil && !errors.Is(err, storage.ErrNotFound) {
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
	_, err := storage.Read(ctx, s.store, func(r storage.Reader) (storage.Person, error) { return r.PersonAt(a) })
	if errors.Is(err, storage.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// AtHome notes that a person can be told things at a place that they alone see.
func (s *People) AtHome(ctx context.Context, p storage.Person, place storage.PlaceID) error {
	if p.Home == place {
		return nil
	}
	return s.store.Update(ctx, func(w storage.Writer) error {
		return w.ChangePerson(p.ID, func(p *storage.Person) {
			p.Chats = Distinct(append(p.AllChats(), place))
			p.Home = place
		})
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
	return storage.Read(ctx, s.store, func(r storage.Reader) (string, error) { return r.NameOf(p) })
}
