package user

import (
	"cmp"
	"context"
	"errors"

	"chimera/bot/event"
	"chimera/storage"
)

// Meet is the person with an identity, remembered under the name.
func (s *Users) Meet(ctx context.Context, a storage.Address, name string) (storage.Person, error) {
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
func (s *Users) Met(ctx context.Context, a storage.Address) (bool, error) {
	_, err := storage.Read(ctx, s.store, func(r storage.Reader) (storage.Person, error) { return r.PersonAt(a) })
	return err == nil, unlessNew(err)
}

// Visit is somebody at a place, as a platform knows them.
type Visit struct {
	Person  storage.Address
	Name    string
	Place   storage.Address
	Server  storage.Address // that the place belongs to; zero for none
	Private bool            // nobody else sees the place: they can be told things there
	Locale  string          // the person's language, as the platform has it; "" if that is not known
	Spoken  string          // likewise the server's
}

// Visitor is who was met, and where.
type Visitor struct {
	Person storage.Person
	Place  storage.Place
	Server storage.Server // zero for a private chat
}

// Welcome remembers a visit: the name, that things can be said at the place, and to whom
// alone.
func (s *Users) Welcome(ctx context.Context, v Visit) (who Visitor, err error) {
	err = s.store.Update(ctx, func(w storage.Writer) error {
		var err, err2, err3 error
		who.Person, err = w.Meet(v.Person, v.Name)
		who.Place, err2 = w.Visit(v.Place, v.Server)
		who.Server, err3 = serverOf(w.Reader, who.Place)
		if err := errors.Join(err, err2, err3); err != nil {
			return err
		}
		person, place, server := v.update(&who)
		if server {
			err = w.Servers().Put(who.Server)
		}
		if place {
			err = errors.Join(err, w.Places().Put(who.Place))
		}
		if person {
			err = errors.Join(err, w.People().Put(who.Person))
		}
		return err
	})
	return who, err
}

// update takes in what a visit tells of languages and, in private, that the person can be told things
// there. It reports what has changed. A server has the language of the first visitor, until its own is
// known.
func (v *Visit) update(who *Visitor) (person, place, server bool) {
	p, at, in := &who.Person, &who.Place, &who.Server
	if locale := cmp.Or(v.Locale, p.Locale); locale != p.Locale {
		p.Locale, person = locale, true
	}
	if v.Private && p.Home != at.ID {
		p.Home, p.Chats, person = at.ID, Distinct(append(p.AllChats(), at.ID)), true
	}
	if v.Private && at.Owner != p.ID {
		at.Owner, place = p.ID, true
	}
	if locale := cmp.Or(v.Spoken, in.Locale, v.Locale); in.ID != 0 && locale != in.Locale {
		in.Locale, server = locale, true
	}
	return person, place, server
}

// Author is who has written a message, and what became of the message when it came before.
type Author struct {
	Visitor
	Again   *event.Done    // nil if it has not
	Told    string         // in which words it was refused then
	Playing []storage.Game // theirs in progress, in order of number; only Overheard reads them
}

// Overheard is the author of a message that may be meant for nobody, with the games that it could be
// about; the error is storage.ErrNotFound where they or the place were never heard of.
func (s *Users) Overheard(ctx context.Context, a, at storage.Address, m storage.MessageID) (Author, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (who Author, err error) {
		if who, err = author(r, a, at, m); err == nil {
			who.Playing, err = r.Games().All(r.Playing(who.Person.ID))
		}
		return who, err
	})
}

// author reads first whether a message came before, which is the one thing that no process of a cluster
// has in memory. Nobody is met for the message by which they were forgotten.
func author(r storage.Reader, a, at storage.Address, m storage.MessageID) (who Author, err error) {
	if who.Again, who.Told, err = event.Before(r, m); err != nil || who.Again != nil && who.Again.Kind == event.Forgot {
		return who, err
	}
	who.Visitor, err = VisitorIn(r, a, at)
	return who, err
}

// Receive is the author of a message, whose visit is remembered where something of it is new; known is
// what was read of them just now, nil for nothing.
func (s *Users) Receive(ctx context.Context, v Visit, m storage.MessageID, known *Author) (who Author, err error) {
	if known != nil {
		who = *known
	} else {
		who, err = storage.Read(ctx, s.store, func(r storage.Reader) (Author, error) { return author(r, v.Person, v.Place, m) })
	}
	forgot := who.Again != nil && who.Again.Kind == event.Forgot
	if errors.Is(err, storage.ErrNotFound) || err == nil && !forgot && v.isNews(who.Visitor) {
		who.Visitor, err = s.Welcome(ctx, v)
	}
	return who, err
}

// isNews reports whether something of a visit is not stored yet.
func (v *Visit) isNews(who Visitor) bool {
	person, place, server := v.update(&who)
	return person || place || server || who.Person.Name != storage.SafeName(v.Name) || !who.Place.Tried.IsZero() || who.Server.Address != v.Server
}

// Known is the person with an identity, the place at an address and the server that this
// is in; the error is storage.ErrNotFound where one of the first two was never heard of.
func (s *Users) Known(ctx context.Context, a, at storage.Address) (Visitor, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (Visitor, error) { return VisitorIn(r, a, at) })
}

// VisitorIn is Known within a transaction.
func VisitorIn(r storage.Reader, a, at storage.Address) (who Visitor, err error) {
	if who.Person, err = r.PersonAt(a); err != nil {
		return who, err
	}
	if who.Place, err = r.PlaceAt(at); err != nil {
		return who, err
	}
	who.Server, err = serverOf(r, who.Place)
	return who, err
}

// Name is what a person is called.
func (s *Users) Name(ctx context.Context, p storage.PersonID) (string, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (string, error) { return r.NameOf(p) })
}

// change changes the asker, once for each message.
func (s *Users) change(ctx context.Context, by event.By, kind event.Kind, do func(storage.Writer, *storage.Person) error) (event.Done, error) {
	return s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		p, err := w.People().Get(by.Person)
		if err == nil {
			err = do(w, &p)
		}
		if err == nil {
			err = w.People().Put(p)
		}
		return event.Done{Kind: kind}, err
	})
}

// changeServer changes the server of the asker's place, once for each message. It refuses NoServer.
func (s *Users) changeServer(ctx context.Context, by event.By, do func(*storage.Server, storage.Place) error) (event.Done, error) {
	return s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		place, err := w.Places().Get(by.Place)
		if err == nil && place.Server == 0 {
			err = event.Refuse(event.NoServer, 0)
		}
		if err != nil {
			return event.Done{}, err
		}
		server, err := w.Servers().Get(place.Server)
		if err = cmp.Or(err, do(&server, place)); err == nil {
			err = w.Servers().Put(server)
		}
		return event.Done{Kind: event.Chose}, err
	})
}
