package match

import (
	"context"
	"time"

	"chimera/bot/event"
	"chimera/storage"
)

// Outage is how long the program must have been away for deadlines to move, and for
// people to be told.
const Outage = 30 * time.Minute

// Beat notes that the program is at work; it belongs at its start, and before every
// tick of what is due but those of a clock that is moved by hand, see Alive. Where it finds that the program
// was away for longer than Outage, or that the wall clock has jumped so far or back,
// it holds the running clock back by as much: every deadline moves, and every place
// with a game in progress is told; that goes on if the program ends meanwhile. Where
// the wall clock is behind by less, such as that of another process that took over, the running
// clock stands still until it has come up.
//
// Of several processes on one store, one calls it.
func (s *Service) Beat(ctx context.Context) error { return s.beat(ctx, false) }

// Alive notes that the program is at work, where the clock is moved by hand and has
// moved on.
func (s *Service) Alive(ctx context.Context) error { return s.beat(ctx, true) }

func (s *Service) beat(ctx context.Context, byHand bool) error {
	return s.store.Update(ctx, func(w storage.Writer) error {
		clocks, err := w.Running()
		if err != nil {
			return err
		}
		gap := s.now().Sub(clocks.Alive)
		switch {
		case byHand, clocks.Alive.IsZero():
		case gap < 0 && gap >= -Outage:
			return nil
		case gap < 0:
			clocks.Lag += gap
		case gap > Outage:
			clocks.Lag += gap
			if err := storage.BeginJob(w, storage.Job{Kind: recovery, Gap: gap}, s.tellOutage); err != nil {
				return err
			}
		}
		clocks.Alive = s.now()
		return w.PutRunning(clocks)
	})
}

// tellOutage tells some more lively places that deadlines have moved.
func (s *Service) tellOutage(w storage.Writer, t *storage.Job) (more bool, err error) {
	recovered := event.Event{Kind: event.Recovered, Payload: event.Outage{Gap: event.Span(t.Gap.Truncate(time.Minute))}}
	left := fewPlaces
	return storage.Batch(storage.Items(w.LivelyPlaces()), &left, func(place storage.PlaceID) (bool, error) {
		if place <= t.Place {
			return false, nil
		}
		t.Place = place
		return true, w.Post(recovered.Entry(place, s.now()))
	})
}
