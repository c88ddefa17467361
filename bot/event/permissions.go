package event

import (
	"cmp"
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
		return err
	case by.Outside:
		return Refuse(NoSuchGame, g.ID)
	}
	return Refuse(NotShown, g.ID)
}

// Permissions are which games and challenges somebody sees, where they are.
type Permissions struct {
	r       storage.Reader
	me      storage.Person
	here    storage.Place
	outside bool
	servers map[storage.PlaceID]storage.Server // of places that were read
}

// NewPermissions are those of an asker: few for nobody who is known, or nowhere that is known.
func NewPermissions(r storage.Reader, by By) (*Permissions, error) {
	me, err := r.People().Find(by.Person)
	here, err2 := r.Places().Find(by.Place)
	return &Permissions{r, me, here, by.Outside, map[storage.PlaceID]storage.Server{0: {}}}, cmp.Or(err, err2)
}

// Sees reports whether a game may be seen: by its players and by who is told of it in
// private anywhere, by others where it is played or followed, and in the servers of where it
// is played. One that is played in a server is public, unless its managers want it otherwise: from outside everybody sees it.
func (e *Permissions) Sees(g *storage.Game) (bool, error) {
	_, plays := g.SideOf(e.me.ID)
	follows := func(p storage.PlaceID) bool { return slices.Contains(g.Also, p) }
	if plays || g.Place == 0 || slices.Contains(g.Places(), e.here.ID) || slices.ContainsFunc(e.me.AllChats(), follows) {
		return true, nil
	}
	if g.Season != 0 { // it is its server's, wherever it is played
		league, err := e.r.LeagueOf(g.Season)
		if err != nil || e.here.Server != 0 || !e.outside {
			return err == nil && league.Server != 0 && e.here.Server == league.Server, err
		}
		server, err := e.r.Servers().Find(league.Server)
		return server.ID != 0 && !server.Settings.Private, err
	}
	return e.near(e.outside, g.Place, g.Seats[storage.White], g.Seats[storage.Black])
}

// SeesChallenge is the same of a challenge.
func (e *Permissions) SeesChallenge(c storage.Challenge) (bool, error) {
	if c.From == e.me.ID || c.To == e.me.ID || c.Place == e.here.ID {
		return true, nil
	}
	return e.near(false, c.Place)
}

// near reports whether one of some places belongs to a server of which everybody may see games, or to the one
// in which the asker is.
func (e *Permissions) near(anywhere bool, places ...storage.PlaceID) (bool, error) {
	if !anywhere && e.here.Server == 0 {
		return false, nil
	}
	for _, id := range places {
		server, known := e.servers[id]
		if !known {
			place, err := e.r.Places().Get(id)
			if err == nil && place.Server != 0 {
				server, err = e.r.Servers().Get(place.Server)
			}
			if err != nil && !storage.Missing(err) {
				return false, err
			}
			server.ID = place.Server // though that may be another by now
			e.servers[id] = server
		}
		if server.ID != 0 && (anywhere && !server.Settings.Private || server.ID == e.here.Server) {
			return true, nil
		}
	}
	return false, nil
}
