package user

import (
	"context"
	"errors"

	"chimera/storage"
)

// Leave notes that nothing can be said at a place any more, and tells those who play there; or that it
// can be reached again, and shows there what was missed.
func (s *Users) Leave(ctx context.Context, a storage.Address, gone bool) error {
	err := s.store.Update(ctx, func(w storage.Writer) error {
		place, err := w.PlaceAt(a)
		switch {
		case err != nil || place.Address != a: // the place may have another address by now
			return unlessNew(err)
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
			return unlessNew(err)
		}
		return storage.BeginJob(w, storage.Job{Kind: leaveJob, Of: uint64(server.ID), At: s.now(), Gone: gone}, s.leaveMore)
	})
	return errors.Join(err, s.jobs().Finish(ctx, s.store))
}

// leaveMore notes for some more places of a server that the bot has left it, or is back. Players are
// told once all places are noted.
func (s *Users) leaveMore(w storage.Writer, t *storage.Job) (more bool, err error) {
	places, err := w.PlacesIn(storage.ServerID(t.Of))
	if err != nil {
		return false, err
	}
	if t.Part == 0 {
		left := somePuts
		more, err := storage.Batch(storage.Items(places, nil), &left, func(p storage.Place) (bool, error) {
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
