package people

import (
	"context"
	"maps"
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
func (s *Places) Lively(ctx context.Context, platform string) ([]Lively, error) {
	var all []Lively
	err := s.store.View(ctx, func(r storage.Reader) error {
		homes := map[storage.PlaceID]bool{}
		all = nil
		ids, err := r.LivelyPlaces()
		if err != nil {
			return err
		}
		for _, id := range ids {
			place, err := r.Place(id)
			if storage.Lost(err) {
				continue
			}
			if err != nil {
				return err
			}
			if place.Address.Platform != platform || !place.Tried.IsZero() {
				continue
			}
			found := Lively{Place: place}
			if place.Server != 0 {
				if found.Server, err = r.Server(place.Server); err != nil {
					return err
				}
			}
			if found.Games, err = r.Here(id); err != nil {
				return err
			}
			all = append(all, found)
			for _, id := range found.Games {
				people, err := concerned(r, id)
				if err != nil {
					return err
				}
				for _, p := range people {
					who, err := r.Person(p)
					if storage.Lost(err) {
						continue
					}
					if err != nil {
						return err
					}
					homes[who.Home] = true
				}
			}
		}
		for _, found := range all {
			delete(homes, found.Place.ID)
		}
		delete(homes, 0)
		for _, id := range slices.Sorted(maps.Keys(homes)) {
			place, err := r.Place(id)
			if storage.Lost(err) {
				continue
			}
			if err != nil {
				return err
			}
			if place.Address.Platform == platform && place.Tried.IsZero() {
				all = append(all, Lively{Place: place})
			}
		}
		return nil
	})
	return all, err
}

// Home is where a game is played, and the server that this is in, zero for a private
// chat.
func (s *Places) Home(ctx context.Context, id storage.GameID) (place storage.Place, server storage.Server, err error) {
	err = s.store.View(ctx, func(r storage.Reader) error {
		g, err := r.Game(id)
		if err != nil {
			return err
		}
		if place, err = r.Place(g.Place); err != nil || place.Server == 0 {
			return err
		}
		server, err = r.Server(place.Server)
		return err
	})
	return place, server, err
}
