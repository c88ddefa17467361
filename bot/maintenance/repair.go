package maintenance

import (
	"context"
	"errors"
	"slices"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/rating"
	"chimera/bot/user"
	"chimera/rules"
	"chimera/storage"
)

// Repair sets aside for good what cannot be read or handled: such a game is aborted, its
// players are told as far as they are known, and what waits to be said and cannot be is
// not said. It calls each for every such record, with why nothing could be done or nil.
func (s *Keeper) Repair(ctx context.Context, each func(storage.Ref, error)) error {
	err := errors.Join(s.readAll(ctx), s.quarantine(ctx), s.ReleaseSound(ctx))
	parked, err2 := s.Quarantined(ctx)
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	for _, p := range parked {
		err := s.store.Update(ctx, func(w storage.Writer) error { return s.repair(w, p) })
		if err != nil && !errors.Is(err, errNoRepair) {
			return err
		}
		each(p.Ref, err)
	}
	return nil
}

// readAll reads all that can be repaired, so that it is known what cannot be read.
func (s *Keeper) readAll(ctx context.Context) error {
	games, err := s.store.Games(ctx)
	for some := range slices.Chunk(games, replayed) {
		err = errors.Join(err, s.store.View(ctx, func(r storage.Reader) error {
			_, err := r.Games().All(some)
			return err
		}))
	}
	return errors.Join(err, s.store.View(ctx, func(r storage.Reader) error {
		_, err := r.Challenges().All(r.ChallengeIDs())
		_, err2 := r.Outbox()
		return errors.Join(err, err2)
	}))
}

var errNoRepair = errors.New("only a backup can bring it back")

func (s *Keeper) repair(w storage.Writer, p storage.Quarantined) error {
	switch p.Kind {
	case storage.OfGame:
		return s.abortDamaged(w, storage.GameID(p.ID), p.Fault)
	case storage.OfChallenge:
		return w.Discard(p.Ref)
	case storage.OfEntry:
		e, err := w.FindEntry(p.ID)
		if storage.Missing(err) {
			return w.Discard(p.Ref)
		}
		e.Fault = p.Fault
		return errors.Join(err, w.Undeliverable(e), w.Release(p.Ref))
	}
	return errNoRepair
}

// abortDamaged aborts a game that cannot be read or handled, and tells its players.
func (s *Keeper) abortDamaged(w storage.Writer, id storage.GameID, why string) error {
	g, err := w.Games().Get(id)
	lost := storage.Missing(err)
	if lost {
		g, err = w.Remains(id)
		g.Began = s.now()
	}
	if err != nil {
		return err
	}
	counted := g.Counted
	match.Conclude(&g, rules.Outcome{Result: rules.Aborted, Ending: rules.ByAbort})
	g.Changed, g.Quarantined = s.now(), why
	g.Clock = storage.Clock{Bank: g.Clock.Bank}
	g.Counted, g.Annul, g.Figures = false, false, storage.Figures{}
	if lost {
		err = w.RestoreGame(g)
	} else {
		err = errors.Join(w.Games().Put(g), w.Release(storage.Ref{Kind: storage.OfGame, ID: uint64(id)}))
	}
	if counted {
		err = errors.Join(err, rating.Recount(w))
	}
	return errors.Join(err, s.tellAbandoned(w, &g))
}

// tellAbandoned tells the places of a game that it was aborted, or its players at home if
// those are not known.
func (s *Keeper) tellAbandoned(w storage.Writer, g *storage.Game) error {
	places := g.Places()
	if g.Place == 0 {
		places = nil
		for p, err := range w.People().Each(g.Players[:]) {
			if err == nil && p.Home != 0 {
				places = append(places, p.Home)
			}
		}
	}
	for _, place := range user.Distinct(places) {
		if err := w.Post(s.events.Entry(g, place, event.Event{Kind: event.Abandoned, Ply: len(g.Moves)})); err != nil {
			return err
		}
	}
	return nil
}
