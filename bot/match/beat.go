package match

import (
	"context"
	"errors"
	"slices"
	"time"

	"chimera/bot/event"
	"chimera/storage"
)

// Outage is how long the program must have been away for deadlines to move, and for
// people to be told.
const Outage = 30 * time.Minute

// Beat notes that the program is at work; it belongs at its start, and before every
// tick of what is due but those of a clock that is moved by hand. Where it finds that the program
// was away for longer than Outage, or that the wall clock has jumped so far or back,
// it holds the running clock back by as much: every deadline moves, and every place
// with a game in progress is told before; that goes on if the program ends meanwhile. Where
// the wall clock is behind by less, such as that of another process that took over, the running
// clock stands still until it has come up.
//
// Of several processes on one store, one calls it.
func (s *Service) Beat(ctx context.Context) error {
	was, err := storage.Read(ctx, s.store, storage.Reader.Running)
	if err != nil {
		return err
	}
	wall, lag := s.now(), time.Duration(0)
	switch gap := wall.Sub(was.Alive); {
	case was.Alive.IsZero():
	case gap < -Outage:
		lag = gap
	case gap < 0:
		return nil
	case gap > Outage:
		lag = gap
		if err := s.tellAll(ctx, was, gap); err != nil {
			return err
		}
	}
	return s.store.Update(ctx, func(w storage.Writer) error {
		clocks, err := w.Running()
		if err != nil || !clocks.Alive.Equal(was.Alive) {
			return err // another has noted it meanwhile
		}
		clocks.Alive, clocks.Lag, clocks.Told = wall, clocks.Lag+lag, 0
		return w.PutRunning(clocks)
	})
}

// Alive notes that the program is at work, where the clock is moved by hand and has
// moved on.
func (s *Service) Alive(ctx context.Context) error {
	return s.store.Update(ctx, func(w storage.Writer) error {
		clocks, err := w.Running()
		if err != nil {
			return err
		}
		clocks.Alive = s.now()
		return w.PutRunning(clocks)
	})
}

// tellAll tells every lively place that deadlines have moved, some at a time.
func (s *Service) tellAll(ctx context.Context, was storage.Running, gap time.Duration) error {
	const few = 16
	recovered := event.Event{Kind: event.Recovered, Payload: event.Outage{Gap: event.Span(gap.Truncate(time.Minute))}}
	places, err := storage.Read(ctx, s.store, storage.Reader.LivelyPlaces)
	places = slices.DeleteFunc(places, func(p storage.PlaceID) bool { return p <= was.Told })
	for some := range slices.Chunk(places, few) {
		if err != nil {
			return err
		}
		err = s.store.Update(ctx, func(w storage.Writer) error {
			clocks, err := w.Running()
			if err != nil || !clocks.Alive.Equal(was.Alive) || clocks.Told >= some[0] {
				return err // another has told them meanwhile
			}
			for _, place := range some {
				clocks.Told = place
				err = errors.Join(err, w.Post(recovered.Entry(place, s.now())))
			}
			return errors.Join(err, w.PutRunning(clocks))
		})
	}
	return err
}
