package people

import (
	"context"
	"errors"

	"chimera/bot/inbox"
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

// Visit is somebody at a place, as a platform knows them.
type Visit struct {
	Person  storage.Address
	Name    string
	Place   storage.Address
	Server  storage.Address // that the place belongs to; zero for none
	Private bool            // nobody else sees the place: they can be told things there
}

// Visitor is who was met, and where.
type Visitor struct {
	Person storage.Person
	Place  storage.Place
	Server storage.Server // zero for a private chat
}

// Welcome remembers a visit: the name, that things can be said at the place, and to whom
// alone.
func (s *People) Welcome(ctx context.Context, v Visit) (who Visitor, err error) {
	err = s.store.Update(ctx, func(w storage.Writer) (err error) {
		if who.Person, err = w.Meet(v.Person, v.Name); err != nil {
			return err
		}
		if who.Place, err = w.Visit(v.Place, v.Server); err != nil {
			return err
		}
		if who.Server, err = serverOf(w.Reader, who.Place); err != nil || !v.Private || who.Person.Home == who.Place.ID {
			return err
		}
		who.Person.Chats = Distinct(append(who.Person.AllChats(), who.Place.ID))
		who.Person.Home = who.Place.ID
		return w.PutPerson(who.Person)
	})
	return who, err
}

// Receive is the visit of a message's author, remembered where something of it is new; again
// and words are those of [inbox.Inbox.Again]. Nobody is met for the message by which they were
// forgotten.
func (s *People) Receive(ctx context.Context, v Visit, m storage.MessageID) (who Visitor, again *inbox.Done, words string, err error) {
	forgot := false
	err = s.store.View(ctx, func(r storage.Reader) (err error) {
		again, words, err = inbox.Before(r, m)
		if forgot = again != nil && again.What == inbox.Forgot; forgot || err != nil {
			return err
		}
		if who.Person, err = r.PersonAt(v.Person); err != nil {
			return err
		}
		who.Place, who.Server, err = visited(r, v.Place)
		return err
	})
	fresh := who.Person.Name != storage.SafeName(v.Name) || !who.Place.Tried.IsZero() || who.Server.Address != v.Server ||
		v.Private && who.Person.Home != who.Place.ID
	if errors.Is(err, storage.ErrNotFound) || err == nil && fresh && !forgot {
		who, err = s.Welcome(ctx, v)
	}
	return who, again, words, err
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
