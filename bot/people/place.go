package people

import (
	"context"
	"errors"
	"time"

	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/storage"
)

// Places keeps the rooms, private chats and servers in which the bot is. It is safe for
// concurrent use.
type Places struct {
	store *storage.Store
	inbox *inbox.Inbox
	games *match.Games
	now   func() time.Time
}

// Leave notes that nothing can be said at a place any more, or that it can again.
func (s *Places) Leave(ctx context.Context, a storage.Address, gone bool) error {
	return s.store.Update(ctx, func(w storage.Writer) error {
		place, err := w.PlaceAt(a)
		switch {
		case errors.Is(err, storage.ErrNotFound):
			return nil
		case err != nil || place.Address != a:
			return err // it can be that the address is gone, because the place has another
		}
		return s.leave(w, gone, place)
	})
}

// LeaveServer is Leave for all places of a server.
func (s *Places) LeaveServer(ctx context.Context, a storage.Address, gone bool) error {
	return s.store.Update(ctx, func(w storage.Writer) error {
		server, err := w.ServerAt(a)
		switch {
		case errors.Is(err, storage.ErrNotFound):
			return nil
		case err != nil || server.Address != a:
			return err // likewise
		}
		places, err := w.PlacesIn(server.ID)
		if err != nil {
			return err
		}
		return s.leave(w, gone, places...)
	})
}

// leave notes that nothing can be said at places any more, and tells those of it who play
// there; or that it can again, and shows there what was missed.
func (s *Places) leave(w storage.Writer, gone bool, places ...storage.Place) error {
	var lost []storage.Place
	for _, p := range places {
		switch {
		case p.Gone.IsZero() != gone:
		case gone:
			lost = append(lost, p)
		default:
			if err := s.back(w, p, 0); err != nil {
				return err
			}
		}
	}
	return s.lose(w, lost...)
}
