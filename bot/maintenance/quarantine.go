package maintenance

import (
	"context"
	"errors"
	"slices"

	"chimera/bot/match"
	"chimera/storage"
)

// Probe tries whether anything can be stored.
func (s *Keeper) Probe(ctx context.Context) error {
	return s.store.Update(ctx, func(w storage.Writer) error { return w.Probe(s.now()) })
}

// quarantine sets aside what could not be read.
func (s *Keeper) quarantine(ctx context.Context) error {
	return s.store.QuarantineCorrupt(ctx, s.now())
}

// Quarantined are the records that were set aside since they cannot be read or handled.
func (s *Keeper) Quarantined(ctx context.Context) ([]storage.Quarantined, error) {
	return storage.Read(ctx, s.store, storage.Reader.Quarantined)
}

// ReleaseSound takes back what was set aside and is in order by now, such as games of a kind
// that this version knows again.
func (s *Keeper) ReleaseSound(ctx context.Context) error {
	const few = 64
	all, err := s.Quarantined(ctx)
	for some := range slices.Chunk(all, few) {
		err = errors.Join(err, s.store.Update(ctx, func(w storage.Writer) error {
			for _, p := range some {
				due, err := s.sound(w.Reader, p.Ref)
				if match.Unfit(err) {
					continue
				}
				if err != nil {
					return err
				}
				if err := errors.Join(w.Release(p.Ref), w.RestoreDue(due)); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	return err
}

// sound tries whether a record can be read and handled, and returns its deadline.
func (s *Keeper) sound(r storage.Reader, ref storage.Ref) (due storage.Deadline, err error) {
	due.Kind, due.ID = ref.Kind, ref.ID
	switch ref.Kind {
	case storage.OfGame:
		var g storage.Game
		if g, err = r.Games().Get(storage.GameID(ref.ID)); err == nil {
			due.At, err = g.Clock.Wake, s.playable(r, &g)
		}
	case storage.OfChallenge:
		var c storage.Challenge
		c, err = r.Challenges().Get(storage.GameID(ref.ID))
		due.At = c.Due()
	case storage.OfPerson:
		var p storage.Person
		p, err = r.People().Get(storage.PersonID(ref.ID))
		due.At, due.Kind = p.Vacation.Until, storage.DueVacation
	case storage.OfPlace:
		_, err = r.Places().Get(storage.PlaceID(ref.ID))
	case storage.OfServer:
		_, err = r.Servers().Get(storage.ServerID(ref.ID))
	default:
		_, err = r.FindEntry(ref.ID)
	}
	return due, err
}

// playable says why a game cannot be played on, nil if it can.
func (s *Keeper) playable(r storage.Reader, g *storage.Game) error {
	for _, p := range g.Players {
		if _, err := r.People().Get(p); err != nil {
			return err
		}
	}
	_, err := s.match.Current(g)
	return err
}
