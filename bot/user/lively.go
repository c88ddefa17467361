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
	return storage.Read(ctx, s.store, func(r storage.Reader) ([]Lively, error) {
		ids, err := r.LivelyPlaces()
		if err != nil {
			return nil, err
		}
		all, err := lively(r, platform, ids)
		if err != nil {
			return nil, err
		}
		var homes []storage.PlaceID
		for _, found := range all {
			players, err := playersOf(r, found.Games)
			if err != nil {
				return nil, err
			}
			for _, p := range players {
				if p.Home != 0 && !slices.ContainsFunc(all, func(l Lively) bool { return l.Place.ID == p.Home }) {
					homes = append(homes, p.Home)
				}
			}
		}
		slices.Sort(homes)
		quiet, err := lively(r, platform, slices.Compact(homes))
		return append(all, quiet...), err
	})
}

// lively are those of some places of a platform where something can be said, with the games
// that go on there.
func lively(r storage.Reader, platform string, ids []storage.PlaceID) (all []Lively, err error) {
	for place, err := range r.Places().Each(ids) {
		if err != nil {
			return nil, err
		}
		if place.Address.Platform != platform || !place.Tried.IsZero() {
			continue
		}
		found := Lively{Place: place}
		if found.Server, err = serverOf(r, place); err != nil {
			return nil, err
		}
		if found.Games, err = r.Here(place.ID); err != nil {
			return nil, err
		}
		all = append(all, found)
	}
	return all, nil
}

// serverOf is the server that a place is in, zero for a private chat.
func serverOf(r storage.Reader, place storage.Place) (storage.Server, error) {
	if place.Server == 0 {
		return storage.Server{}, nil
	}
	return r.Servers().Get(place.Server)
}

// playersOf are the players of some games, each once.
func playersOf(r storage.Reader, games []storage.GameID) ([]storage.Person, error) {
	var ids []storage.PersonID
	for g, err := range r.Games().Each(games) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, g.Players[:]...)
	}
	return r.People().All(Distinct(ids))
}

// Home is where a game is played, and the server that this is in, zero for a private
// chat.
func (s *Users) Home(ctx context.Context, id storage.GameID) (place storage.Place, server storage.Server, err error) {
	err = s.store.View(ctx, func(r storage.Reader) error {
		g, err := r.Games().Get(id)
		if err != nil {
			return err
		}
		if place, err = r.Places().Get(g.Place); err != nil {
			return err
		}
		server, err = serverOf(r, place)
		return err
	})
	return place, server, err
}

// PeopleAt are those who play at a place.
func (s *Users) PeopleAt(ctx context.Context, at storage.Address) ([]storage.Person, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) ([]storage.Person, error) {
		place, err := r.PlaceAt(at)
		if errors.Is(err, storage.ErrNotFound) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		games, err := r.Here(place.ID)
		if err != nil {
			return nil, err
		}
		return playersOf(r, games)
	})
}

// Concerned are the people of a game or of a challenge; nobody if it is gone or cannot
// be read.
func (s *Users) Concerned(ctx context.Context, id storage.GameID) ([]storage.Person, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) ([]storage.Person, error) { return concerned(r, id) })
}

func concerned(r storage.Reader, id storage.GameID) ([]storage.Person, error) {
	g, err := r.Games().Get(id)
	if !storage.Missing(err) {
		if err != nil {
			return nil, err
		}
		return r.People().All(g.Players[:])
	}
	c, err := r.Challenges().Get(id)
	if err != nil && !storage.Missing(err) {
		return nil, err
	}
	return r.People().All([]storage.PersonID{c.From, c.To}) // 0 is nobody
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
