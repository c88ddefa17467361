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
	Name       string     // as last seen, for people; may be anything a platform allows
	Identities []Address  // none of one who wanted to be forgotten
	Settings   Settings   `json:",omitzero"`
	Vacation   Vacation   `json:",omitzero"`
	Home       PlaceID    `json:",omitempty"` // where he alone is told things; 0 if nowhere
	Chats      []PlaceID  `json:",omitempty"` // where he alone has been told things, Home among them
	Blocked    []PersonID `json:",omitempty"` // from whom he wants no challenges
	Link       string     `json:",omitempty"` // code of his offer to be one with another account
	Joined     []Joined   `json:",omitempty"` // those of Identities that came by a link, and who they were before
	Into       PersonID   `json:",omitempty"` // whom this person has become by a link; he has no identity then
	Links      int        `json:",omitempty"` // links since Linked
	Linked     time.Time  `json:",omitzero"`
	Guesses    int        `json:",omitempty"` // wrong codes since Guessed
	Guessed    time.Time  `json:",omitzero"`
	Forget     time.Time  `json:",omitzero"` // when he asked to be forgotten, which wants a second word
}

// Joined is an account that is a person's by a link, and whose it was before.
type Joined struct {
	Account Address
	As      PersonID
}

// Settings are what a person has chosen; the zero Settings are the defaults.
type Settings struct {
	Reminders string `json:",omitempty"` // which ones, as package match reads it; "" for all
	Quiet     string `json:",omitempty"` // hours of the day, as package match reads it; "" for none
	Zone      string `json:",omitempty"` // IANA name; "" for UTC
	Claim     bool   `json:",omitempty"` // wins on time are claimed at once
	Stay      bool   `json:",omitempty"` // no vacation begins by itself
	Unranked  bool   `json:",omitempty"` // he is on no leaderboard
	Theme     string `json:",omitempty"` // of boards that he alone sees; "" for the server's
	Size      string `json:",omitempty"` // of the same
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

// PutPerson writes a person, in the place of the record that there is.
func (w Writer) PutPerson(p Person) error {
	was, err := w.Person(p.ID)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	if was.Settings.Unranked != p.Settings.Unranked || was.Into != p.Into {
		if err := w.RemakeBoards(); err != nil {
			return err
		}
	}
	if err := w.reindex(was.index(), p.index()); err != nil {
		return err
	}
	return w.put(personKey(p.ID), p)
}

// ChangePerson reads a person, changes them, and writes them again.
func (w Writer) ChangePerson(id PersonID, change func(*Person)) error {
	p, err := w.Person(id)
	if err != nil {
		return err
	}
	change(&p)
	return w.PutPerson(p)
}

func unwantedKey(kind string, p PersonID, by uint64) []byte { return number(number(key(kind), p), by) }

// BlockedBy are the people who want no challenges from a person, in order of number.
func (r Reader) BlockedBy(p PersonID) ([]PersonID, error) {
	return numbers[PersonID](r, number(key("blocked/"), p))
}

// HiddenBy are the servers that show a person on no leaderboard, in order of number.
func (r Reader) HiddenBy(p PersonID) ([]ServerID, error) {
	return numbers[ServerID](r, number(key("hidden/"), p))
}

// Place is a room in which games are played.
type Place struct {
	ID       PlaceID
	Address  Address   // without an ID if that is forgotten
	Server   ServerID  `json:",omitempty"` // that it belongs to; 0 for a private chat
	Gone     time.Time `json:",omitzero"`  // since when nothing can be said there; zero if it can
	Tried    time.Time `json:",omitzero"`  // when that was last found; zero where it may be tried again at once
	LossTold time.Time `json:",omitzero"`  // when its players were last told that it is gone
}

// ServerID is our own number of a server, from 1; 0 is none.
type ServerID uint64

// Server is a community: a Discord server, or a Telegram group.
type Server struct {
	ID       ServerID
	Address  Address
	Settings ServerSettings `json:",omitzero"`
	Into     ServerID       `json:",omitempty"` // that has taken this one in, which is nowhere then
}

// Hides reports whether the server shows a person on no leaderboard.
func (s *Server) Hides(p PersonID) bool { return slices.Contains(s.Settings.Hidden, p) }

// ServerSettings are what a server's managers have chosen; the zero ServerSettings are
// the defaults.
type ServerSettings struct {
	Theme   string     `json:",omitempty"` // of boards
	Size    string     `json:",omitempty"` // of boards
	Game    string     `json:",omitempty"` // that a challenge means which names none
	Days    int        `json:",omitempty"` // that a challenge means which names none
	Hidden  []PersonID `json:",omitempty"` // people who are on no leaderboard of it
	Threads string     `json:",omitempty"` // "off": games are played in the channel
	Rooms   []string   `json:",omitempty"` // ids of the channels in which games may be begun; none for all
	Season  Season     `json:",omitzero"`
}

func serverKey(id ServerID) []byte { return number(key("server/"), id) }

func serverAddressKey(a Address) []byte { return text(text(key("serverat/"), a.Platform), a.ID) }

// Server reads a server, or the one that has taken it in, or returns ErrNotFound.
func (r Reader) Server(id ServerID) (Server, error) {
	var s Server
	err := r.unread.note(Ref{OfServer, uint64(id)}, r.get(serverKey(id), &s))
	if err == nil && s.Into != 0 {
		return r.Server(s.Into)
	}
	return s, err
}

// ServerAt is the server at an address, or at what that has become; or ErrNotFound.
func (r Reader) ServerAt(a Address) (Server, error) {
	id, err := r.at(serverAddressKey, a)
	if err != nil {
		return Server{}, err
	}
	return r.Server(ServerID(id))
}

// PutServer writes a server.
func (w Writer) PutServer(s Server) error {
	was, err := w.Server(s.ID)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	if s.Into != 0 || !slices.Equal(was.Settings.Hidden, s.Settings.Hidden) {
		if err := w.RemakeBoards(); err != nil {
			return err
		}
	}
	if err := w.reindex(was.index(), s.index()); err != nil {
		return err
	}
	return w.put(serverKey(s.ID), s)
}

// TakeIn lets a server be another. What was played there counts for that from now on.
func (w Writer) TakeIn(s Server, into ServerID) error {
	return w.PutServer(Server{ID: s.ID, Into: into})
}

func movedKey(a Address) []byte { return text(text(key("moved/"), a.Platform), a.ID) }

// Became is the address that an address has become by Move; itself if by none.
func (r Reader) Became(a Address) (Address, error) {
	for {
		var to Address
		switch err := r.get(movedKey(a), &to); {
		case errors.Is(err, ErrNotFound):
			return a, nil
		case err != nil:
			return a, err
		}
		a = to
	}
}

// Move lets the place and the server of an address be those of another from now on, if
// they are not at it themselves.
func (w Writer) Move(from, to Address) error {
	// Where it leads to is moved from no more, so that nothing leads in a circle.
	return errors.Join(w.out.Delete(movedKey(to)), w.put(movedKey(from), to))
}

// at is the number that the key of an address points to, or of what that has become.
func (r Reader) at(key func(Address) []byte, a Address) (uint64, error) {
	id, err := r.pointer(key(a))
	if !errors.Is(err, ErrNotFound) {
		return id, err
	}
	if a, err = r.Became(a); err != nil {
		return 0, err
	}
	return r.pointer(key(a))
}

func personKey(id PersonID) []byte { return number(key("person/"), id) }
func placeKey(id PlaceID) []byte   { return number(key("place/"), id) }

func identityKey(a Address) []byte { return text(text(key("identity/"), a.Platform), a.ID) }
func addressKey(a Address) []byte  { return text(text(key("address/"), a.Platform), a.ID) }

// People are the numbers of all people, in order.
func (r Reader) People() ([]PersonID, error) { return numbers[PersonID](r, key("person/")) }

// Person reads a person, or returns ErrNotFound.
func (r Reader) Person(id PersonID) (Person, error) {
	var p Person
	err := r.unread.note(Ref{OfPerson, uint64(id)}, r.get(personKey(id), &p))
	if err == nil {
		p.Name = SafeName(p.Name)
	}
	return p, err
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
	return p, r.unread.note(Ref{OfPlace, uint64(id)}, r.get(placeKey(id), &p))
}

// PlacesIn are the places of a server.
func (r Reader) PlacesIn(s ServerID) ([]Place, error) {
	ids, err := numbers[PlaceID](r, number(key("in/"), s))
	if err != nil {
		return nil, err
	}
	var places []Place
	for _, id := range ids {
		p, err := r.Place(id)
		if err != nil {
			return nil, err
		}
		places = append(places, p)
	}
	return places, nil
}

func inKey(p *Place) []byte { return number(number(key("in/"), p.Server), p.ID) }

// PlaceAt is the place at an address, or at what that has become; or ErrNotFound.
func (r Reader) PlaceAt(a Address) (Place, error) {
	id, err := r.at(addressKey, a)
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
	name = SafeName(name)
	p, err := w.PersonAt(a)
	switch {
	case err == nil && p.Name == name:
		return p, nil
	case err == nil:
		p.Name = name
		return p, w.PutPerson(p)
	case !errors.Is(err, ErrNotFound):
		return p, err
	}
	id, err := w.next("person")
	if err != nil {
		return p, err
	}
	p = Person{ID: PersonID(id), Name: name, Identities: []Address{a}}
	return p, w.PutPerson(p)
}

// PutPlace writes a place. was is the record that it replaces.
func (w Writer) PutPlace(was, p Place) error {
	if err := w.reindex(was.index(), p.index()); err != nil {
		return err
	}
	return w.put(placeKey(p.ID), p)
}

// ForgetPlace forgets where a place was, at which nothing can be said any more: games may
// still know its number.
func (w Writer) ForgetPlace(p Place, at time.Time) error {
	if p.Address.ID == "" {
		return nil
	}
	was := p
	p.Address.ID, p.Gone, p.Tried = "", at, at
	return w.PutPlace(was, p)
}

// Visit is the place at an address, which is made if new, in the server at another,
// likewise; the zero Address is no server. Where nothing could be said, it may be tried
// again at once.
func (w Writer) Visit(a, server Address) (Place, error) {
	p, err := w.PlaceAt(a)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return p, err
	}
	was := p
	if p.ID == 0 {
		id, err := w.next("place")
		if err != nil {
			return p, err
		}
		p = Place{ID: PlaceID(id)}
		if p.Address, err = w.Became(a); err != nil {
			return p, err
		}
	}
	if p.Server, err = w.join(server); err != nil {
		return p, err
	}
	p.Tried = time.Time{}
	if p == was {
		return p, nil
	}
	return p, w.PutPlace(was, p)
}

// join is the number of the server at an address.
func (w Writer) join(a Address) (ServerID, error) {
	if a == (Address{}) {
		return 0, nil
	}
	s, err := w.ServerAt(a)
	if !errors.Is(err, ErrNotFound) {
		return s.ID, err
	}
	if a, err = w.Became(a); err != nil {
		return 0, err
	}
	id, err := w.next("server")
	if err != nil {
		return 0, err
	}
	return ServerID(id), w.PutServer(Server{ID: ServerID(id), Address: a})
}

// Nobody is what a person is called who was forgotten.
const Nobody = "somebody"

// NameOf is what a person is called, Nobody if that cannot be read.
func (r Reader) NameOf(id PersonID) (string, error) {
	p, err := r.Person(id)
	if Lost(err) {
		return Nobody, nil
	}
	return p.Name, err
}

// AllChats are where a person alone is told things, or has been.
func (p *Person) AllChats() []PlaceID {
	all := slices.Clone(p.Chats)
	if p.Home != 0 && !slices.Contains(all, p.Home) {
		all = append(all, p.Home)
	}
	return all
}
