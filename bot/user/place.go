package user

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/storage"
)

// Leave notes that a place is gone, and tells the people who play there; or that it can be reached
// again, and shows there what was missed.
func (s *Users) Leave(ctx context.Context, a storage.Address, gone bool) error {
	err := s.store.Update(ctx, func(w storage.Writer) error {
		place, err := w.PlaceAt(a)
		switch {
		case err != nil || place.Address != a: // the place may have another address by now
			return storage.UnlessNew(err)
		case place.Gone.IsZero() != gone:
			return nil
		case gone:
			return s.markLostAndTell(w, place)
		}
		return s.back(w, place, 0, false)
	})
	return errors.Join(err, s.jobs().Finish(ctx, s.store))
}

// LeaveServer is Leave for all places of a server.
func (s *Users) LeaveServer(ctx context.Context, a storage.Address, gone bool) error {
	err := s.store.Update(ctx, func(w storage.Writer) error {
		server, err := w.ServerAt(a)
		if err != nil || server.Address != a {
			return storage.UnlessNew(err)
		}
		return storage.BeginJob(w, storage.Job{Kind: leaveJob, Of: uint64(server.ID), At: s.now(), Gone: gone}, s.leaveMore)
	})
	return errors.Join(err, s.jobs().Finish(ctx, s.store))
}

// leaveMore notes for some more places of a server that the bot has left it, or is back. Once all
// places are noted, it tells players.
func (s *Users) leaveMore(w storage.Writer, t *storage.Job) (more bool, err error) {
	places, err := w.PlacesIn(storage.ServerID(t.Of))
	if err != nil {
		return false, err
	}
	if t.Part == 0 {
		more, err := storage.Batch(storage.Items(places, nil), new(somePuts), func(p storage.Place) (bool, error) {
			if p.ID <= t.Place {
				return false, nil
			}
			t.Place = p.ID
			switch {
			case p.Gone.IsZero() != t.Gone:
				return true, nil
			case t.Gone:
				_, err := markLost(w, p, t.At)
				return true, err
			}
			return true, s.back(w, p, 0, true)
		})
		if more || err != nil || !t.Gone {
			return more, err
		}
		t.Part, t.Place = 1, 0
		return true, nil
	}
	var told []storage.PlaceID
	for _, p := range places {
		if p.LossTold.Equal(t.At) && !p.Gone.IsZero() {
			told = append(told, p.ID)
		}
	}
	return s.tellLostAt(w, told, t)
}

// PlaceGone notes that the place of an entry is gone, and tells the players of its game the entry at
// home; told is false if that reaches nobody. The bot may be let in again without being told: after
// limit.GoneFor the place is tried again.
func (s *Users) PlaceGone(w storage.Writer, e storage.Entry) (told bool, err error) {
	place, err := w.Places().Get(e.Place)
	if err == nil && (place.Gone.IsZero() || s.now().Sub(place.Tried) >= limit.GoneFor) {
		err = s.markLostAndTell(w, place)
	}
	if err != nil || event.PayloadOf[event.AtHome](&e).Home {
		return false, err
	}
	_, homes, err := homesFor(w.Reader, e)
	for _, home := range homes {
		if home != 0 {
			told, err = true, errors.Join(err, tellAt(w, home, e))
		}
	}
	return told, err
}

// TellHome tells an entry at home to the people it concerns at its place, which cannot be reached now.
// It reports whether that reaches all of them.
func (s *Users) TellHome(w storage.Writer, e storage.Entry) (all bool, err error) {
	all, homes, err := homesFor(w.Reader, e)
	for _, id := range homes {
		home, err2 := w.Places().Find(id)
		err = errors.Join(err, err2)
		if home.ID == 0 || !home.Tried.IsZero() {
			all = false
			continue
		}
		err = errors.Join(err, tellAt(w, id, e))
	}
	return all, err
}

// homesFor are the private chats of people who would hear of an entry only at its place, 0 for people
// with no other chat than that. known is false if the entry concerns nobody.
func homesFor(r storage.Reader, e storage.Entry) (known bool, homes []storage.PlaceID, err error) {
	if e.Game == 0 {
		return false, nil, nil
	}
	people, g, err := concerned(r, e.Game)
	for _, p := range people {
		if side, plays := g.SideOf(p.ID); plays && g.Seat(side) != e.Place {
			continue // they are told where they play
		}
		if p.Home == e.Place {
			p.Home = 0
		}
		homes = append(homes, p.Home)
	}
	return len(people) > 0, homes, err
}

// tellAt tells an entry at a person's home.
func tellAt(w storage.Writer, home storage.PlaceID, e storage.Entry) error {
	e.Place, e.Tries, e.Fault, e.Next = home, 0, "", time.Time{}
	event.AddPayload(&e, event.AtHome{Home: true})
	return w.Post(e)
}

// PlaceBack notes that an entry was said at a place that was gone, and shows there what else was
// missed. It is called in the transaction that removes the entry.
func (s *Users) PlaceBack(w storage.Writer, e storage.Entry) error {
	place, err := w.Places().Get(e.Place)
	if err != nil || place.Gone.IsZero() {
		return err
	}
	seen := storage.GameID(0) // its board was shown already
	if slices.Contains([]event.Kind{event.Began, event.Moved, event.TookBack, event.Ended}, event.Kind(e.Kind)) {
		seen = e.Game
	}
	return s.back(w, place, seen, false)
}

// back notes that a place can be reached again, and begins a job, now or later, to show there what was
// missed, except for one game.
func (s *Users) back(w storage.Writer, p storage.Place, but storage.GameID, later bool) error {
	missed := storage.Job{Kind: missedJob, Of: uint64(p.ID), At: p.Gone, But: but}
	p.Gone, p.Tried = time.Time{}, time.Time{}
	if err := w.Places().Put(p); err != nil || later {
		return errors.Join(err, w.Jobs().Put(missed))
	}
	return storage.BeginJob(w, missed, s.showMore)
}

// markLostAndTell notes that a place is gone, and tells the people who play there, at most once a day:
// a place where people go on talking may be tried again and again.
func (s *Users) markLostAndTell(w storage.Writer, p storage.Place) error {
	if untold, err := markLost(w, p, s.now()); err != nil || !untold {
		return err
	}
	return storage.BeginJob(w, storage.Job{Kind: lossJob, Of: uint64(p.ID)}, s.tellLost)
}

// markLost notes that a place is gone, and reports whether the people who play there should be told.
func markLost(w storage.Writer, p storage.Place, now time.Time) (untold bool, err error) {
	if p.Tried = now; p.Gone.IsZero() {
		p.Gone = now
	}
	if untold = now.Sub(p.LossTold) >= match.Day; untold {
		p.LossTold = now
	}
	return untold, w.Places().Put(p)
}

// tellLost tells some more of the people who play at a place.
func (s *Users) tellLost(w storage.Writer, t *storage.Job) (more bool, err error) {
	return s.tellLostAt(w, []storage.PlaceID{storage.PlaceID(t.Of)}, t)
}

// loss is what somebody is told about places that are gone: that a room where they play is gone, or
// that their opponent cannot be reached.
type loss struct {
	to   storage.PersonID
	what event.Kind
	by   storage.PersonID // the person who cannot be reached
}

// tellLostAt tells people who play at some places, in order of number, that these cannot be reached:
// with the next games there, at home, and each person once.
func (s *Users) tellLostAt(w storage.Writer, places []storage.PlaceID, t *storage.Job) (more bool, err error) {
	var order []loss
	games := map[loss]event.Games{}
	left := toldGames
	for _, place := range places {
		if place < t.Place {
			continue
		}
		more, err = storage.Batch(w.Games().Each(w.Here(place)), &left, func(g storage.Game) (bool, error) {
			if place == t.Place && g.ID <= t.Game {
				return false, nil
			}
			t.Place, t.Game = place, g.ID
			players, err := w.People().All(g.Players[:])
			for _, who := range players {
				side, _ := g.SideOf(who.ID) // the game was found by their number
				if g.Seat(side) != place {
					continue
				}
				l := loss{to: who.ID, what: event.RoomLost}
				if who.Home == place {
					l = loss{to: g.Players[1-side], what: event.OpponentLost, by: who.ID}
				}
				if games[l] == nil {
					order = append(order, l)
				}
				games[l] = append(games[l], g.ID)
			}
			return true, err
		})
		if more || err != nil {
			break
		}
	}
	for _, l := range order {
		err = errors.Join(err, s.tellAtHome(w, l.to, event.Event{Kind: l.what, By: l.by, Payload: event.Unreachable{Games: games[l]}}))
	}
	return more, err
}

// tellAtHome tells a person something in their private chat, if there is one that is open.
func (s *Users) tellAtHome(w storage.Writer, id storage.PersonID, what event.Event) error {
	who, err := w.People().Find(id)
	home, err2 := w.Places().Find(who.Home)
	if err := errors.Join(err, err2); err != nil || home.ID == 0 || !home.Tried.IsZero() {
		return err
	}
	return w.Post(what.Entry(home.ID, s.now()))
}

// showMore shows some more of what was missed at a place that can be reached again: games in progress
// that have changed, except one that was shown, and then games that have ended.
func (s *Users) showMore(w storage.Writer, t *storage.Job) (more bool, err error) {
	p, err := w.Places().Get(storage.PlaceID(t.Of))
	if err != nil || !p.Gone.IsZero() {
		return false, err // it will be shown once that is over
	}
	more, err = storage.Batch(w.Games().Each(t.After(w.Here(p.ID))), new(toldGames), func(g storage.Game) (bool, error) {
		t.Game = g.ID
		if g.ID == t.But || g.Changed.Unix() < t.At.Unix() || !slices.Contains(g.Places(), p.ID) {
			return true, nil
		}
		return true, s.showGame(w, p.ID, &g)
	})
	if more || err != nil {
		return more, err
	}
	_, dead, err := w.EntriesAt(p.ID)
	return storage.Batch(storage.Items(dead, err), new(toldGames), func(e storage.Entry) (bool, error) {
		if event.Kind(e.Kind) != event.Ended || e.At.Unix() < t.At.Unix() {
			return false, nil
		}
		return true, w.Revive(e)
	})
}

// showGame shows a game in progress at a place.
func (s *Users) showGame(w storage.Writer, at storage.PlaceID, g *storage.Game) error {
	said := event.Event{Kind: event.Began, Ply: len(g.Moves)}
	if len(g.Moves) > 0 {
		before, m, err := s.match.LastMove(g)
		if err != nil {
			return nil // a damaged game is set aside where it is played
		}
		said.Kind, said.By = event.Moved, g.Players[match.SideToMove(before)]
		said.Payload = event.Position{Move: before.Chat(m)}
	}
	return w.Post(s.events.Entry(g, at, said))
}

// Rename changes the address of a place and its server. The old address still finds them, as messages
// from it may be on their way. If there is a place or a server with the new address already, the old
// one keeps its number and everything that belongs to it, and takes over what the other has. Repeating
// the call does nothing.
func (s *Users) Rename(ctx context.Context, from, to storage.Address) error {
	err := s.store.Update(ctx, func(w storage.Writer) error {
		if now, err := w.Became(from); err != nil || now != from || from == to {
			return err
		}
		return errors.Join(w.Move(from, to), renameServer(w, from, to), renamePlace(w, from, to))
	})
	return errors.Join(err, s.jobs().Finish(ctx, s.store))
}

func renameServer(w storage.Writer, from, to storage.Address) error {
	server, err := w.ServerAt(from)
	if err != nil || server.Address == to {
		return storage.UnlessNew(err)
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
	return errors.Join(storage.UnlessNew(err), w.Servers().Put(server))
}

// joined are the settings of two servers that become one. The newer server's settings win, as they
// were chosen last; whoever was hidden in either stays hidden.
func joined(old, newer storage.ServerSettings) storage.ServerSettings {
	return storage.ServerSettings{
		Look: newer.Else(old.Look), Turning: newer.Turning || old.Turning, Motion: newer.Motion || old.Motion,
		Language: cmp.Or(newer.Language, old.Language), Zone: cmp.Or(newer.Zone, old.Zone), Game: cmp.Or(newer.Game, old.Game),
		Days: cmp.Or(newer.Days, old.Days), Threads: cmp.Or(newer.Threads, old.Threads), Season: cmp.Or(newer.Season, old.Season),
		Puzzles: cmp.Or(newer.Puzzles, old.Puzzles), Annulled: slices.Concat(old.Annulled, newer.Annulled),
		Hidden: Distinct(slices.Concat(old.Hidden, newer.Hidden)), Rooms: Distinct(slices.Concat(old.Rooms, newer.Rooms)),
	}
}

// Distinct is a list without duplicates.
func Distinct[T comparable](list []T) (all []T) {
	for _, one := range list {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

// handMore gives a server some more of the places of another one, which it has replaced.
func handMore(w storage.Writer, t *storage.Job) (more bool, err error) {
	// No more than for games, since each place has challenges of its own.
	return storage.Batch(storage.Items(w.PlacesIn(storage.ServerID(t.Of))), new(fewGames), func(place storage.Place) (bool, error) {
		place.Server = storage.ServerID(t.Into)
		return true, w.Places().Put(place)
	})
}

func renamePlace(w storage.Writer, from, to storage.Address) error {
	place, err := w.PlaceAt(from)
	if err != nil || place.Address == to {
		return storage.UnlessNew(err)
	}
	other, err := w.PlaceAt(to)
	if err == nil { // what waits to be said there goes to the same address
		err = storage.BeginJob(w, storage.Job{Kind: moveJob, Of: uint64(other.ID), Into: uint64(place.ID)}, moveMore)
	}
	if err = storage.UnlessNew(err); err != nil {
		return err
	}
	place.Address, place.Gone, place.Tried = to, time.Time{}, time.Time{}
	return w.Places().Put(place)
}

// moveMore moves some more games in progress and challenges to a place from another with the same
// address. Ended games, and entries that wait to be said, stay with the other.
func moveMore(w storage.Writer, t *storage.Job) (more bool, err error) {
	from := storage.PlaceID(t.Of)
	move := func(places ...*storage.PlaceID) {
		for _, p := range places {
			if *p == from {
				*p = storage.PlaceID(t.Into)
			}
		}
	}
	more, err = storage.Batch(w.Games().Each(t.After(w.Here(from))), new(fewGames), func(g storage.Game) (bool, error) {
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
	return storage.Batch(w.Challenges().Each(w.ToldAt(from)), new(toldGames), func(c storage.Challenge) (bool, error) {
		move(&c.Place, &c.Seat)
		return true, w.Challenges().Put(c)
	})
}
