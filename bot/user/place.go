package user

import (
	"context"
	"errors"
	"slices"
	"time"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/steps"
	"chimera/storage"
)

// Places keeps the rooms, private chats and servers in which the bot is. It is safe for
// concurrent use.
type Places struct {
	store  *storage.Store
	events *event.Log
	match  *match.Service
	now    func() time.Time
}

// Leave notes that nothing can be said at a place any more, and tells those of it who play there;
// or that it can again, and shows there what was missed.
func (s *Places) Leave(ctx context.Context, a storage.Address, gone bool) error {
	err := s.store.Update(ctx, func(w storage.Writer) error {
		place, err := w.PlaceAt(a)
		switch {
		case errors.Is(err, storage.ErrNotFound):
			return nil
		case err != nil || place.Address != a:
			return err // it can be that the address is gone, because the place has another
		case place.Gone.IsZero() != gone:
			return nil
		case gone:
			return s.lose(w, place)
		}
		return s.back(w, place, 0)
	})
	return errors.Join(err, s.steps().Finish(ctx, s.store))
}

// LeaveServer is Leave for all places of a server.
func (s *Places) LeaveServer(ctx context.Context, a storage.Address, gone bool) error {
	err := s.store.Update(ctx, func(w storage.Writer) error {
		server, err := w.ServerAt(a)
		switch {
		case errors.Is(err, storage.ErrNotFound):
			return nil
		case err != nil || server.Address != a:
			return err // likewise
		}
		return steps.Begin(w, storage.Job{Kind: leaving, Of: uint64(server.ID), At: s.now(), Gone: gone}, s.leaveMore)
	})
	return errors.Join(err, s.steps().Finish(ctx, s.store))
}

// leaveMore notes of some more places of a server that it was left, or is back. Who plays there is
// told once that is noted of all.
func (s *Places) leaveMore(w storage.Writer, t *storage.Job) (more bool, err error) {
	places, err := w.PlacesIn(storage.ServerID(t.Of))
	if err != nil {
		return false, err
	}
	some := places
	if t.Part == 0 {
		some = slices.DeleteFunc(slices.Clone(places), func(p storage.Place) bool { return p.ID <= t.Place })
		more = len(some) > somePuts
		some = some[:min(len(some), somePuts)]
		for _, p := range some {
			t.Place = p.ID
			switch {
			case p.Gone.IsZero() != t.Gone:
			case t.Gone:
				_, err = markLost(w, p, t.At)
			default:
				var missed storage.Job
				missed, err = reopen(w, p, 0)
				err = errors.Join(err, w.Jobs().Put(missed))
			}
			if err != nil {
				return false, err
			}
		}
		if more || !t.Gone {
			return more, nil
		}
		t.Part, t.Place = 1, 0
	}
	var told []storage.PlaceID
	for _, p := range places {
		if p, err = w.Places().Get(p.ID); err != nil {
			return false, err
		}
		if p.LossTold.Equal(t.At) && !p.Gone.IsZero() {
			told = append(told, p.ID)
		}
	}
	return s.tellLost(w, told, t)
}
