package user

import (
	"context"
	"errors"
	"slices"

	"chimera/storage"
)

// Lively is a place at which games go on.
type Lively struct {
	Place  storage.Place
	Server storage.Server // that it is in; zero for a private chat
	Games  []storage.GameID
}

// Lively are the places of a platform at which games go on, and those where their players
// are told what concerns nobody else.
func (s *Users) Lively(ctx context.Context, platform string) ([]Lively, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (all []Lively, err error) {
		ids, err := r.LivelyPlaces()
		for i := 0; i < len(ids) && err == nil; i++ { // there come more
			place, err := r.Places().Find(ids[i])
			if err != nil {
				return nil, err
			}
			if place.Address.Platform != platform || !place.Tried.IsZero() {
				continue
			}
			server, err := serverOf(r, place)
			games, err2 := r.Here(place.ID)
			players, err2 := playersOf(r, games, err2)
			if err := errors.Join(err, err2); err != nil {
				return nil, err
			}
			all = append(all, Lively{place, server, games})
			for _, p := range players {
				if p.Home != 0 && !slices.Contains(ids, p.Home) {
					ids = append(ids, p.Home)
				}
			}
		}
		return all, err
	})
}

// serverOf is the server that a place is in, zero for a private chat.
func serverOf(r storage.Reader, place storage.Place) (storage.Server, error) {
	if place.Server == 0 {
		return storage.Server{}, nil
	}
	return r.Servers().Get(place.Server)
}

// playersOf are the players of some games, each once; failed is the error, if any, with which the games were found.
func playersOf(r storage.Reader, games []storage.GameID, failed error) ([]storage.Person, error) {
	all, err := r.Games().All(games, failed)
	var ids []storage.PersonID
	for _, g := range all {
		ids = append(ids, g.Players[:]...)
	}
	return r.People().All(Distinct(ids), err)
}

// Home is where a game is played, and the server that this is in, zero for a private
// chat.
func (s *Users) Home(ctx context.Context, id storage.GameID) (place storage.Place, server storage.Server, err error) {
	err = s.store.View(ctx, func(r storage.Reader) error {
		g, err := r.Games().Get(id)
		if err == nil {
			place, err = r.Places().Get(g.Place)
		}
		if err == nil {
			server, err = serverOf(r, place)
		}
		return err
	})
	return place, server, err
}

// PeopleAt are those who play at a place.
func (s *Users) PeopleAt(ctx context.Context, at storage.Address) ([]storage.Person, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) ([]storage.Person, error) {
		place, err := r.PlaceAt(at)
		if err != nil {
			return nil, unlessNew(err)
		}
		games, err := r.Here(place.ID)
		return playersOf(r, games, err)
	})
}

// unlessNew is an error, but nil where something was never heard of.
func unlessNew(err error) error {
	if errors.Is(err, storage.ErrNotFound) {
		return nil
	}
	return err
}

// Concerned are the people of a game or of a challenge; nobody if it is gone or cannot
// be read.
func (s *Users) Concerned(ctx context.Context, id storage.GameID) ([]storage.Person, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) ([]storage.Person, error) {
		people, _, err := concerned(r, id)
		return people, err
	})
}

// concerned are the people of a game or of a challenge, and the game if it is one.
func concerned(r storage.Reader, id storage.GameID) ([]storage.Person, storage.Game, error) {
	g, err := r.Games().Find(id)
	who := g.Players[:]
	if g.ID == 0 && err == nil {
		var c storage.Challenge
		c, err = r.Challenges().Find(id)
		who = []storage.PersonID{c.From, c.To} // 0 is nobody
	}
	people, err := r.People().All(who, err)
	return people, g, err
}

// AccountsOn are people's accounts on a platform; who has none is not among them.
func (s *Users) AccountsOn(ctx context.Context, people []storage.PersonID, platform string) map[storage.PersonID]string {
	if len(people) == 0 {
		return nil
	}
	known, _ := storage.Read(ctx, s.store, func(r storage.Reader) (map[storage.PersonID]string, error) {
		accounts := map[storage.PersonID]string{}
		for _, id := range people {
			if p, err := r.People().Get(id); err == nil { // whom it cannot read is called by name
				if account, ok := p.On(platform); ok {
					accounts[id] = account
				}
			}
		}
		return accounts, nil
	})
	return known
}
