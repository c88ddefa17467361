package people

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"chimera/storage"
)

// Rename gives the place and the server of an address another, in one transaction, and
// lets the old address mean them too: what was said there may still be on its way. Where
// something was heard from the other address first, so that there is a place or a server
// already, the old one keeps its number, with all that hangs on it, and takes in what the
// other has. To call it again does nothing.
func (s *Places) Rename(ctx context.Context, from, to storage.Address) error {
	return s.store.Update(ctx, func(w storage.Writer) error {
		now, err := w.Became(from)
		if err != nil || now != from || from == to {
			return err
		}
		if err := w.Move(from, to); err != nil {
			return err
		}
		if err := renameServer(w, from, to); err != nil {
			return err
		}
		return renamePlace(w, from, to)
	})
}

func renameServer(w storage.Writer, from, to storage.Address) error {
	server, err := w.ServerAt(from)
	if errors.Is(err, storage.ErrNotFound) || err == nil && server.Address == to {
		return nil
	}
	if err != nil {
		return err
	}
	if i := slices.Index(server.Settings.Rooms, from.ID); i >= 0 {
		server.Settings.Rooms[i] = to.ID
	}
	server.Address = to
	other, err := w.ServerAt(to)
	if errors.Is(err, storage.ErrNotFound) {
		return w.PutServer(server)
	}
	if err != nil {
		return err
	}
	server.Settings = joined(server.Settings, other.Settings)
	return errors.Join(w.TakeIn(other, server.ID), w.PutServer(server), handOver(w, other.ID, server.ID))
}

// joined are the settings of two servers that become one. What was chosen last was chosen at
// the newer one; who was hidden in either stays hidden.
func joined(old, newer storage.ServerSettings) storage.ServerSettings {
	all := storage.ServerSettings{
		Look: newer.Else(old.Look), Turning: newer.Turning || old.Turning, Motion: newer.Motion || old.Motion,
		Language: cmp.Or(newer.Language, old.Language), Zone: cmp.Or(newer.Zone, old.Zone), Game: cmp.Or(newer.Game, old.Game),
		Days: cmp.Or(newer.Days, old.Days), Threads: cmp.Or(newer.Threads, old.Threads), Season: cmp.Or(newer.Season, old.Season),
		Puzzles: cmp.Or(newer.Puzzles, old.Puzzles),
		Hidden:  slices.Concat(old.Hidden, newer.Hidden), Rooms: slices.Concat(old.Rooms, newer.Rooms),
	}
	all.Hidden, all.Rooms = Distinct(all.Hidden), Distinct(all.Rooms)
	return all
}

// Distinct is a list with nothing in it twice.
func Distinct[T comparable](list []T) []T {
	var all []T
	for _, one := range list {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

// handOver gives a server the places of another.
func handOver(w storage.Writer, from, into storage.ServerID) error {
	places, err := w.PlacesIn(from)
	if err != nil {
		return err
	}
	for _, place := range places {
		place.Server = into
		if err := w.PutPlace(place); err != nil {
			return err
		}
	}
	return nil
}

func renamePlace(w storage.Writer, from, to storage.Address) error {
	place, err := w.PlaceAt(from)
	if errors.Is(err, storage.ErrNotFound) || err == nil && place.Address == to {
		return nil
	}
	if err != nil {
		return err
	}
	switch other, err := w.PlaceAt(to); {
	case errors.Is(err, storage.ErrNotFound):
	case err != nil:
		return err
	default:
		if err := moveIn(w, other.ID, place.ID); err != nil {
			return err
		}
	}
	place.Address, place.Gone, place.Tried = to, time.Time{}, time.Time{}
	return w.PutPlace(place)
}

// moveIn lets a place have the games in progress and the challenges of another with the same
// address. Games that have ended stay with the other, and so does what is still to be said.
func moveIn(w storage.Writer, from, into storage.PlaceID) error {
	move := func(places ...*storage.PlaceID) {
		for _, p := range places {
			if *p == from {
				*p = into
			}
		}
	}
	games, err := w.Here(from)
	if err != nil {
		return err
	}
	err = w.ChangeGames(games, func(g *storage.Game) (bool, error) {
		move(&g.Place, &g.Seats[storage.White], &g.Seats[storage.Black])
		for i := range g.Also {
			move(&g.Also[i])
		}
		g.Also = Distinct(g.Also)
		return true, nil
	})
	if err != nil {
		return err
	}
	for c, err := range w.ReadChallenges(w.ToldAt(from)) {
		if err != nil {
			return err
		}
		was := c
		move(&c.Place, &c.Seat)
		if err := errors.Join(w.DeleteChallenge(was), w.PutChallenge(c)); err != nil {
			return err
		}
	}
	return nil
}
