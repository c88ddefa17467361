package event

import (
	"slices"

	"chimera/storage"
)

// Shown refuses a game that the asker may not see where they are. From outside it is as if there were
// none.
func Shown(r storage.Reader, by By, g *storage.Game) error {
	if _, plays := g.SideOf(by.Person); plays || slices.Contains(g.Places(), by.Place) {
		return nil
	}
	e, err := NewPermissions(r, by)
	if err != nil {
		return err
	}
	sees, err := e.Sees(g)
	switch {
	case err != nil || sees:
	case by.Outside:
		err = Refuse(NoSuchGame, g.ID)
	default:
		err = Refuse(NotShown, g.ID)
	}
	return err
}

// Eyes are somebody who wants to see games, where they are.
type Permissions struct {
	r     storage.Reader
	me    storage.Person
	here  storage.Place
	known map[storage.PlaceID]storage.ServerID

	outside bool
}

// NewEyes are those of an asker; of nobody who is known, nowhere that is, they see little.
func NewPermissions(r storage.Reader, by By) (*Permissions, error) {
	e := &Permissions{r: r, known: map[storage.PlaceID]storage.ServerID{}, outside: by.Outside}
	var err error
	if e.me, err = r.People().Get(by.Person); err != nil && !storage.Missing(err) {
		return nil, err
	}
	if e.here, err = r.Places().Get(by.Place); storage.Missing(err) {
		err = nil // nobody, or nowhere, that is known
	}
	return e, err
}

// Sees reports whether a game may be seen: by its players and by who is told of it in
// private anywhere, by others where it is played or followed, and in the servers of where it
// is played. One that is played in a server is public: from outside everybody sees it.
func (e *Permissions) Sees(g *storage.Game) (bool, error) {
	_, plays := g.SideOf(e.me.ID)
	switch {
	case plays, g.Place == 0, slices.Contains(g.Places(), e.here.ID):
		return true, nil
	case slices.ContainsFunc(e.me.AllChats(), func(p storage.PlaceID) bool { return slices.Contains(g.Also, p) }):
		return true, nil
	}
	places := []storage.PlaceID{g.Place, g.Seats[storage.White], g.Seats[storage.Black]}
	if e.outside {
		return e.any(places, func(s storage.ServerID) bool { return s != 0 })
	}
	return e.near(places...)
}

// near reports whether one of some places belongs to the server in which the asker is.
func (e *Permissions) near(places ...storage.PlaceID) (bool, error) {
	if e.here.Server == 0 {
		return false, nil
	}
	return e.any(places, func(s storage.ServerID) bool { return s == e.here.Server })
}

// any reports whether one of some places belongs to a server that fits.
func (e *Permissions) any(places []storage.PlaceID, fits func(storage.ServerID) bool) (bool, error) {
	for _, id := range places {
		server, known := e.known[id]
		if !known && id != 0 {
			place, err := e.r.Places().Get(id)
			if err != nil && !storage.Missing(err) {
				return false, err
			}
			server = place.Server
			e.known[id] = server
		}
		if fits(server) {
			return true, nil
		}
	}
	return false, nil
}

// SeesChallenge is the same of a challenge.
func (e *Permissions) SeesChallenge(c storage.Challenge) (bool, error) {
	if c.From == e.me.ID || c.To == e.me.ID || c.Place == e.here.ID {
		return true, nil
	}
	return e.near(c.Place)
}
