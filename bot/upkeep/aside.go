package upkeep

import (
	"context"
	"errors"

	"chimera/bot/match"
	"chimera/storage"
)

// Probe tries whether anything can be stored.
func (s *Upkeep) Probe(ctx context.Context) error {
	return s.store.Update(ctx, func(w storage.Writer) error { return w.Probe(s.now()) })
}

// setAside parks what could not be read.
func (s *Upkeep) setAside(ctx context.Context) error { return s.store.SetAside(ctx, s.now()) }

// Parked are the records that were set aside since they cannot be read or handled.
func (s *Upkeep) Parked(ctx context.Context) ([]storage.Parked, error) {
	var parked []storage.Parked
	err := s.store.View(ctx, func(r storage.Reader) (err error) {
		parked, err = r.Parked()
		return err
	})
	return parked, err
}

// Recall takes back what was set aside and is in order by now, such as games of a kind
// that this version knows again.
func (s *Upkeep) Recall(ctx context.Context) error {
	parked, err := s.Parked(ctx)
	if err != nil || len(parked) == 0 {
		return err
	}
	return s.store.Update(ctx, func(w storage.Writer) error {
		for _, p := range parked {
			due, err := s.sound(w.Reader, p.Ref)
			if match.Unfit(err) {
				continue
			}
			if err != nil {
				return err
			}
			if err := errors.Join(w.Unpark(p.Ref), w.RestoreDue(due)); err != nil {
				return err
			}
		}
		return nil
	})
}

// sound tries whether a record can be read and handled, and returns its deadline.
func (s *Upkeep) sound(r storage.Reader, ref storage.Ref) (storage.Deadline, error) {
	switch ref.Kind {
	case storage.OfGame:
		g, err := r.Game(storage.GameID(ref.ID))
		if err != nil {
			return storage.Deadline{}, err
		}
		for _, p := range g.Players {
			if _, err := r.Person(p); err != nil {
				return storage.Deadline{}, err
			}
		}
		_, err = s.games.Load(&g)
		return storage.Deadline{At: g.Clock.Wake, Kind: storage.DueGame, ID: ref.ID}, err
	case storage.OfChallenge:
		c, err := r.Challenge(storage.GameID(ref.ID))
		return storage.Deadline{At: c.Expires, Kind: storage.DueChallenge, ID: ref.ID}, err
	case storage.OfPerson:
		p, err := r.Person(storage.PersonID(ref.ID))
		return storage.Deadline{At: p.Vacation.Until, Kind: storage.DueVacation, ID: ref.ID}, err
	case storage.OfPlace:
		_, err := r.Place(storage.PlaceID(ref.ID))
		return storage.Deadline{}, err
	case storage.OfServer:
		_, err := r.Server(storage.ServerID(ref.ID))
		return storage.Deadline{}, err
	default:
		_, err := r.Entry(ref.ID)
		return storage.Deadline{}, err
	}
}
