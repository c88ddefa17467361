package match

import (
	"context"
	"slices"

	"chimera/storage"
)

// See is Look for the asker, where they are. A game is shown to its players and to those
// whom it is told in private, anywhere; to everybody else at the places where it is played
// or followed, and in the servers to which the places where it is played belong. A game that
// was imported is played nowhere, and everybody may see it. NotShown is refused.
func (s *Service) See(ctx context.Context, by By, id storage.GameID, ply int) (*Sight, error) {
	sight, err := s.Look(ctx, id, ply)
	if err != nil {
		return nil, err
	}
	return sight, s.store.View(ctx, func(r storage.Reader) error { return shown(r, by, &sight.Game) })
}

// shown refuses a game that the asker may not see where they are.
func shown(r storage.Reader, by By, g *storage.Game) error {
	e, err := newEyes(r, by)
	if err != nil {
		return err
	}
	sees, err := e.see(g)
	if err == nil && !sees {
		err = Refuse(NotShown, g.ID)
	}
	return err
}

// eyes are somebody who wants to see games, where they are.
type eyes struct {
	r     storage.Reader
	me    storage.Person
	here  storage.Place
	known map[storage.PlaceID]storage.ServerID
}

func newEyes(r storage.Reader, by By) (*eyes, error) {
	e := &eyes{r: r, known: map[storage.PlaceID]storage.ServerID{}}
	var err error
	if e.me, err = r.Person(by.Person); err != nil && !storage.Lost(err) {
		return nil, err
	}
	if e.here, err = r.Place(by.Place); storage.Lost(err) {
		err = nil // nobody, or nowhere, that is known
	}
	return e, err
}

func (e *eyes) see(g *storage.Game) (bool, error) {
	_, plays := g.SideOf(e.me.ID)
	switch {
	case plays, g.Place == 0, slices.Contains(g.Places(), e.here.ID):
		return true, nil
	case slices.ContainsFunc(e.me.AllChats(), func(p storage.PlaceID) bool { return slices.Contains(g.Also, p) }):
		return true, nil
	}
	return e.near(g.Place, g.Seats[storage.White], g.Seats[storage.Black])
}

// near reports whether one of some places belongs to the server in which the asker is.
func (e *eyes) near(places ...storage.PlaceID) (bool, error) {
	if e.here.Server == 0 {
		return false, nil
	}
	for _, id := range places {
		server, known := e.known[id]
		if !known && id != 0 {
			place, err := e.r.Place(id)
			if err != nil && !storage.Lost(err) {
				return false, err
			}
			server = place.Server
			e.known[id] = server
		}
		if server == e.here.Server {
			return true, nil
		}
	}
	return false, nil
}

// seeChallenge is the same of a challenge.
func (e *eyes) seeChallenge(c storage.Challenge) (bool, error) {
	if c.From == e.me.ID || c.To == e.me.ID || c.Place == e.here.ID {
		return true, nil
	}
	return e.near(c.Place)
}

// Seen are those of some games and challenges that the asker may see where they are.
func (s *Service) Seen(ctx context.Context, by By, games []storage.Game, challenges []storage.Challenge) (g []storage.Game, c []storage.Challenge, err error) {
	err = s.store.View(ctx, func(r storage.Reader) error {
		e, err := newEyes(r, by)
		if err != nil {
			return err
		}
		if g, err = filter(games, func(g storage.Game) (bool, error) { return e.see(&g) }); err != nil {
			return err
		}
		c, err = filter(challenges, e.seeChallenge)
		return err
	})
	return g, c, err
}

func filter[T any](all []T, want func(T) (bool, error)) (found []T, err error) {
	for _, one := range all {
		wanted, err := want(one)
		if err != nil {
			return nil, err
		}
		if wanted {
			found = append(found, one)
		}
	}
	return found, nil
}
