package storage

import (
	"encoding/binary"
	"errors"
	"slices"
	"time"
)

// PersonID is our own number of a person, from 1; 0 is nobody.
type PersonID uint64

// PlaceID is our own number of a place, from 1; 0 is nowhere.
type PlaceID uint64

// Address names a person or a place on a platform, by that platform's id.
type Address struct {
	Platform string // "console", "discord", "telegram"
	ID       string
}

// Person is somebody who plays, or has been challenged.
type Person struct {
	ID         PersonID
	Name       string    // as last seen, for people; may be anything a platform allows
	Identities []Address // none of one who wanted to be forgotten
	Settings   Settings  `json:",omitzero"`
	Vacation   Vacation  `json:",omitzero"`
	Home       PlaceID   `json:",omitempty"` // where he alone is told things; 0 if nowhere
	Forget     time.Time `json:",omitzero"`  // when he asked to be forgotten, which wants a second word
}

// Settings are what a person has chosen; the zero Settings are the defaults.
type Settings struct {
	Reminders string `json:",omitempty"` // which ones, as package match reads it; "" for all
	Quiet     string `json:",omitempty"` // hours of the day, as package match reads it; "" for none
	Zone      string `json:",omitempty"` // IANA name; "" for UTC
	Claim     bool   `json:",omitempty"` // wins on time are claimed at once
	Stay      bool   `json:",omitempty"` // no vacation begins by itself
}

// Vacation is the time in which a person's clocks stand still. Its moments are on
// the running clock.
type Vacation struct {
	Since time.Time // zero: there is none
	Until time.Time
	Auto  bool          // began by itself, and ends with the next move
	Year  int           // in which Used was used
	Used  time.Duration // before Since
}

// Away reports whether a person is on vacation.
func (p *Person) Away() bool { return !p.Vacation.Since.IsZero() }

func vacationDue(p *Person) Deadline { return Deadline{p.Vacation.Until, DueVacation, uint64(p.ID)} }

// PutPerson writes a person. was is the record that it replaces.
func (w Writer) PutPerson(was, p Person) error {
	for _, a := range was.Identities {
		if !slices.Contains(p.Identities, a) {
			if err := w.out.Delete(identityKey(a)); err != nil {
				return err
			}
		}
	}
	for _, a := range p.Identities {
		if !slices.Contains(was.Identities, a) {
			if err := w.out.Put(identityKey(a), number(nil, p.ID)); err != nil {
				return err
			}
		}
	}
	return errors.Join(w.reindexDue(vacationDue(&was), vacationDue(&p)), w.put(personKey(p.ID), p))
}

// Place is a room in which games are played.
type Place struct {
	ID      PlaceID
	Address Address
	Gone    time.Time `json:",omitzero"` // since when nothing can be said there; zero if it can
}

func personKey(id PersonID) []byte { return number(key("person/"), id) }
func placeKey(id PlaceID) []byte   { return number(key("place/"), id) }

func identityKey(a Address) []byte { return text(text(key("identity/"), a.Platform), a.ID) }
func addressKey(a Address) []byte  { return text(text(key("address/"), a.Platform), a.ID) }

// Person reads a person, or returns ErrNotFound.
func (r Reader) Person(id PersonID) (Person, error) {
	var p Person
	return p, r.get(personKey(id), &p)
}

// PersonAt is the person with an identity, or ErrNotFound.
func (r Reader) PersonAt(a Address) (Person, error) {
	id, err := r.pointer(identityKey(a))
	if err != nil {
		return Person{}, err
	}
	return r.Person(PersonID(id))
}

// Place reads a place, or returns ErrNotFound.
func (r Reader) Place(id PlaceID) (Place, error) {
	var p Place
	return p, r.get(placeKey(id), &p)
}

// PlaceAt is the place at an address, or ErrNotFound.
func (r Reader) PlaceAt(a Address) (Place, error) {
	id, err := r.pointer(addressKey(a))
	if err != nil {
		return Place{}, err
	}
	return r.Place(PlaceID(id))
}

func (r Reader) pointer(key []byte) (uint64, error) {
	value, err := r.kv.Get(key)
	switch {
	case err != nil:
		return 0, err
	case len(value) != 8:
		return 0, ErrNotFound
	}
	return binary.BigEndian.Uint64(value), nil
}

// Meet is the person with an identity, who is made if new and renamed if the
// name has changed.
func (w Writer) Meet(a Address, name string) (Person, error) {
	p, err := w.PersonAt(a)
	switch {
	case err == nil && p.Name == name:
		return p, nil
	case err == nil:
		was := p
		p.Name = name
		return p, w.PutPerson(was, p)
	case !errors.Is(err, ErrNotFound):
		return p, err
	}
	id, err := w.next("person")
	if err != nil {
		return p, err
	}
	p = Person{ID: PersonID(id), Name: name, Identities: []Address{a}}
	return p, w.PutPerson(Person{}, p)
}

// PutPlace writes a place. was is the record that it replaces.
func (w Writer) PutPlace(was, p Place) error {
	if was.Address != p.Address && was.ID != 0 {
		if err := w.out.Delete(addressKey(was.Address)); err != nil {
			return err
		}
	}
	return errors.Join(w.out.Put(addressKey(p.Address), number(nil, p.ID)), w.put(placeKey(p.ID), p))
}

// Visit is the place at an address, which is made if new.
func (w Writer) Visit(a Address) (Place, error) {
	p, err := w.PlaceAt(a)
	if err == nil && !p.Gone.IsZero() {
		was := p
		p.Gone = time.Time{}
		return p, w.PutPlace(was, p)
	}
	if !errors.Is(err, ErrNotFound) {
		return p, err
	}
	id, err := w.next("place")
	if err != nil {
		return p, err
	}
	p = Place{ID: PlaceID(id), Address: a}
	return p, w.PutPlace(Place{}, p)
}
