package user

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"chimera/storage"
)

// Rename gives the place and the server of an address another, and
// lets the old address mean them too: what was said there may still be on its way. Where
// something was heard from the other address first, so that there is a place or a server
// already, the old one keeps its number, with all that hangs on it, and takes in what the
// other has. To call it again does nothing.
func (s *Users) Rename(ctx context.Context, from, to storage.Address) error {
	err := s.store.Update(ctx, func(w storage.Writer) error {
		now, err := w.Became(from)
		if err != nil || now != from || from == to {
			return err
		}
		return errors.Join(w.Move(from, to), renameServer(w, from, to), renamePlace(w, from, to))
	})
	return errors.Join(err, s.jobs().Finish(ctx, s.store))
}

func renameServer(w storage.Writer, from, to storage.Address) error {
	server, err := w.ServerAt(from)
	if err != nil || server.Address == to {
		return unlessNew(err)
	}
	if i := slices.Index(server.Settings.Rooms, from.ID); i >= 0 {
		server.Settings.Rooms[i] = to.ID
	}
	server.Address = to
	other, err := w.ServerAt(to)
	if err == nil {
		server.Settings = joined(server.Settings, other.Settings)
		job := storage.Job{Kind: handJob, Of: uint64(other.ID), Into: uint64(server.ID)}
		return errors.Join(w.TakeIn(other, server.ID), w.Servers().Put(server), storage.BeginJob(w, job, handMore))
	}
	return errors.Join(unlessNew(err), w.Servers().Put(server))
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

// handMore gives a server some more of the places of another, which it has replaced already.
func handMore(w storage.Writer, t *storage.Job) (more bool, err error) {
	left := fewGames // each place has its challenges
	return storage.Batch(storage.Items(w.PlacesIn(storage.ServerID(t.Of))), &left, func(place storage.Place) (bool, error) {
		place.Server = storage.ServerID(t.Into)
		return true, w.Places().Put(place)
	})
}

func renamePlace(w storage.Writer, from, to storage.Address) error {
	place, err := w.PlaceAt(from)
	if err != nil || place.Address == to {
		return unlessNew(err)
	}
	other, err := w.PlaceAt(to)
	if err == nil { // what is still to be said there is said at the same address
		err = storage.BeginJob(w, storage.Job{Kind: moveJob, Of: uint64(other.ID), Into: uint64(place.ID)}, moveMore)
	}
	if err = unlessNew(err); err != nil {
		return err
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
	left := fewGames
	more, err = storage.Batch(w.Games().Each(w.Here(from)), &left, func(g storage.Game) (bool, error) {
		if g.ID <= t.Game {
			return false, nil
		}
		t.Game = g.ID
		g.Also = slices.Clone(g.Also)
		move(&g.Place, &g.Seats[storage.White], &g.Seats[storage.Black])
		for i := range g.Also {
			move(&g.Also[i])
		}
		g.Also = Distinct(g.Also)
		return true, w.Games().Put(g)
	})
	if more || err != nil {
		return more, err
	}
	left = toldGames
	return storage.Batch(w.Challenges().Each(w.ToldAt(from)), &left, func(c storage.Challenge) (bool, error) {
		was := c
		move(&c.Place, &c.Seat)
		return true, errors.Join(w.Challenges().Delete(was.ID), w.Challenges().Put(c))
	})
}
