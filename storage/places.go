package storage

import (
	"errors"
	"slices"
	"time"
)

// Place is a room in which games are played.
type Place struct {
	ID       PlaceID
	Address  Address   // without an ID if that is forgotten
	Server   ServerID  `json:",omitempty"` // that it belongs to; 0 for a private chat
	Gone     time.Time `json:",omitzero"`  // since when nothing can be said there; zero if it can
	Tried    time.Time `json:",omitzero"`  // when that was last found; zero where it may be tried again at once
	LossTold time.Time `json:",omitzero"`  // when its players were last told that it is gone
	Owner    PersonID  `json:",omitempty"` // who alone sees it; 0 for a place that others see too, or if that is not known
}

// Server is a community: a Discord server, or a Telegram group.
type Server struct {
	ID       ServerID
	Address  Address
	Locale   string         `json:",omitempty"` // its language as its platform has it, else that of whom was met there first
	Settings ServerSettings `json:",omitzero"`
	Into     ServerID       `json:",omitempty"` // that has taken this one in, which is nowhere then
}

// Hides reports whether the server shows a person on no leaderboard.
func (s *Server) Hides(p PersonID) bool { return slices.Contains(s.Settings.Hidden, p) }

// LeavesOut reports whether the server's leaderboards are made without a game.
func (s *Server) LeavesOut(g GameID) bool { return slices.Contains(s.Settings.Annulled, g) }

// ServerSettings are what a server's managers have chosen; the zero ServerSettings are
// the defaults.
type ServerSettings struct {
	Look
	Private         bool       `json:",omitempty"` // only people there see its games, and not whoever opens pages
	Turning, Motion bool       `json:",omitempty"` // boards that several see turn to the player to move; some moves are told by pictures that move
	Game            string     `json:",omitempty"` // that a challenge means which names none
	Days            int        `json:",omitempty"` // that a challenge means which names none
	Hidden          []PersonID `json:",omitempty"` // people who are on no leaderboard of it
	Annulled        []GameID   `json:",omitempty"` // games that its leaderboards leave out
	Threads         string     `json:",omitempty"` // "off": games are played in the channel
	Rooms           []string   `json:",omitempty"` // ids of the channels in which games may be begun; none for all
	Season          Season     `json:",omitzero"`
	Puzzles         Puzzles    `json:",omitzero"`
	Zone            string     `json:",omitempty"` // IANA name of the time zone in which all there are told times; "" for UTC
	Language        string     `json:",omitempty"` // ISO 639 code of what all see there; "" for the one of the Locale
}

func (s *Server) into() (ServerID, bool) { return s.Into, s.Into != 0 }

// ServerAt is the server at an address, or at what that has become; or ErrNotFound.
func (r Reader) ServerAt(a Address) (Server, error) {
	id, err := r.at(serverAt, a)
	if err != nil {
		return Server{}, err
	}
	return r.Servers().Get(ServerID(id))
}

func (s *Server) replaced(w Writer, was *Server) error {
	if s.Into == 0 && slices.Equal(was.Settings.Hidden, s.Settings.Hidden) && slices.Equal(was.Settings.Annulled, s.Settings.Annulled) {
		return nil
	}
	return w.RemakeBoards()
}

// TakeIn lets a server be another. What was played there counts for that from now on, and its leagues are
// the other's.
func (w Writer) TakeIn(s Server, into ServerID) error {
	leagues, err := w.LeaguesIn(s.ID)
	for _, l := range leagues {
		l.Server = into
		err = errors.Join(err, w.Leagues().Put(l))
	}
	return errors.Join(err, w.Servers().Put(Server{ID: s.ID, Into: into}))
}

// Became is the address that an address has become by Move; itself if by none.
func (r Reader) Became(a Address) (Address, error) {
	for {
		var to Address
		switch err := get(r.kv, Key("moved/", a), &to); {
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
	return errors.Join(w.out.Delete(Key("moved/", to)), Put(w.out, Key("moved/", from), to))
}

// at is the number that the key of some kind of an address points to, or of what that has become.
func (r Reader) at(kind string, a Address) (uint64, error) {
	id, err := r.pointer(Key(kind, a))
	if !errors.Is(err, ErrNotFound) {
		return id, err
	}
	if a, err = r.Became(a); err != nil {
		return 0, err
	}
	return r.pointer(Key(kind, a))
}

// PlacesIn are the places of a server.
func (r Reader) PlacesIn(s ServerID) ([]Place, error) {
	return r.Places().All(numbers[PlaceID](r, Key("in/", s)))
}

// PlaceAt is the place at an address, or at what that has become; or ErrNotFound.
func (r Reader) PlaceAt(a Address) (Place, error) {
	id, err := r.at(addresses, a)
	if err != nil {
		return Place{}, err
	}
	return r.Places().Get(PlaceID(id))
}

// replaced lets the challenges at the place belong to its server.
func (p *Place) replaced(w Writer, was *Place) error {
	if was.Server == p.Server {
		return nil
	}
	for c, err := range w.Challenges().Each(w.ToldAt(p.ID)) {
		if err == nil && c.Place == p.ID {
			err = w.Challenges().Put(c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ForgetPlace forgets where a place was, at which nothing can be said any more: games may
// still know its number.
func (w Writer) ForgetPlace(p Place, at time.Time) error {
	if p.Address.ID == "" {
		return nil
	}
	p.Address.ID, p.Gone, p.Tried = "", at, at
	return w.Places().Put(p)
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
		id, err := w.next(OfPlace)
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
	return p, w.Places().Put(p)
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
	id, err := w.next(OfServer)
	if err != nil {
		return 0, err
	}
	return ServerID(id), w.Servers().Put(Server{ID: ServerID(id), Address: a})
}
