package user

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"chimera/bot/steps"
	"chimera/storage"
)

// Rename gives the place and the server of an address another, and
// lets the old address mean them too: what was said there may still be on its way. Where
// something was heard from the other address first, so that there is a place or a server
// already, the old one keeps its number, with all that hangs on it, and takes in what the
// other has. To call it again does nothing.
func (s *Places) Rename(ctx context.Context, from, to storage.Address) error {
	err := s.store.Update(ctx, func(w storage.Writer) error {
		now, err := w.Became(from)
		if err != nil || now != from || from == to {
			return err
		}
		return errors.Join(w.Move(from, to), renameServer(w, from, to), renamePlace(w, from, to))
	})
	return errors.Join(err, s.steps().Finish(ctx, s.store))
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
		return w.Servers().Put(server)
	}
	if err != nil {
		return err
	}
	server.Settings = joined(server.Settings, other.Settings)
	return errors.Join(w.TakeIn(other, server.ID), w.Servers().Put(server), steps.Begin(w, storage.Job{Kind: handing, Of: uint64(other.ID), Into: uint64(server.ID)}, handMore))
}

// joined are the settings of two servers that become one. What was chosen last was chosen at
// the newer one; who was hidden in either stays hidden.
func joined(old, newer storage.ServerSettings) storage.ServerSettings {
	all := storage.ServerSettings{
		Look: newer.Else(old.Look), Turning: newer.Turning || old.Turning, Motion: newer.Motion || old.Motion,
		Language: cmp.Or(newer.Language, old.Language), Zone: cmp.Or(newer.Zone, old.Zone), Game: cmp.Or(newer.Game, old.Game),
		Days: cmp.Or(newer.Days, old.Days), Threads: cmp.Or(newer.Threads, old.Threads), Season: cmp.Or(newer.Season, old.Season),
		Puzzles:  cmp.Or(newer.Puzzles, old.Puzzles),
		Annulled: slices.Concat(old.Annulled, newer.Annulled),
		Hidden:   slices.Concat(old.Hidden, newer.Hidden), Rooms: slices.Concat(old.Rooms, newer.Rooms),
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

// handMore gives a server some more of the places of another, which is that one to everybody
// already.
func handMore(w storage.Writer, t *storage.Job) (more bool, err error) {
	places, err := w.PlacesIn(storage.ServerID(t.Of))
	if err != nil {
		return false, err
	}
	for i, place := range places {
		if i == fewGames { // each with its challenges
			return true, nil
		}
		place.Server = storage.ServerID(t.Into)
		if err := w.Places().Put(place); err != nil {
			return false, err
		}
	}
	return false, nil
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
		// What is still at the other is told where that has the same address.
		if err := steps.Begin(w, storage.Job{Kind: moving, Of: uint64(other.ID), Into: uint64(place.ID)}, moveMore); err != nil {
			return err
		}
	}
	place.Address, place.Gone, place.Tried = to, time.Time{}, time.Time{}
	return w.Places().Put(place)
}

// moveMore lets a place have some more of the games in progress and the challenges of another with
// the same address. Games that have ended stay with the other, and so does what is still to be said.
func moveMore(w storage.Writer, t *storage.Job) (more bool, err error) {
	from := storage.PlaceID(t.Of)
	move := func(places ...*storage.PlaceID) {
		for _, p := range places {
			if *p == from {
				*p = storage.PlaceID(t.Into)
			}
		}
	}
	games, err := w.Here(from)
	if err != nil {
		return false, err
	}
	games = slices.DeleteFunc(games, func(id storage.GameID) bool { return id <= t.Game })
	some := games[:min(len(games), fewGames)]
	err = w.ChangeGames(some, func(g *storage.Game) (bool, error) {
		move(&g.Place, &g.Seats[storage.White], &g.Seats[storage.Black])
		for i := range g.Also {
			move(&g.Also[i])
		}
		g.Also = Distinct(g.Also)
		return true, nil
	})
	if err != nil {
		return false, err
	}
	if len(some) < len(games) {
		t.Game = some[len(some)-1]
		return true, nil
	}
	told := 0
	for c, err := range w.Challenges().Each(w.ToldAt(from)) {
		if err != nil {
			return false, err
		}
		if told++; told > toldGames {
			return true, nil
		}
		was := c
		move(&c.Place, &c.Seat)
		if err := errors.Join(w.Challenges().Delete(was.ID), w.Challenges().Put(c)); err != nil {
			return false, err
		}
	}
	return false, nil
}
