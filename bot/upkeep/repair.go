package upkeep

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"

	"chimera/bot/inbox"
	"chimera/bot/league"
	"chimera/bot/match"
	"chimera/bot/people"
	"chimera/rules"
	"chimera/storage"
)

// Repair sets aside for good what cannot be read or handled: such a game is aborted, its
// players are told as far as they are known, and what waits to be said and cannot be is
// not said. It calls each for every such record, with why nothing could be done or nil.
func (s *Upkeep) Repair(ctx context.Context, each func(storage.Ref, error)) error {
	if err := s.store.View(ctx, readAll); err != nil {
		return err
	}
	if err := errors.Join(s.setAside(ctx), s.Recall(ctx)); err != nil {
		return err
	}
	parked, err := s.Parked(ctx)
	if err != nil {
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
func readAll(r storage.Reader) error {
	games, err := r.Games()
	if err != nil {
		return err
	}
	for _, err := range r.Read(games) {
		if err != nil {
			return err
		}
	}
	challenges, err := r.Challenges()
	if err != nil {
		return err
	}
	for _, err := range r.ReadChallenges(challenges) {
		if err != nil {
			return err
		}
	}
	_, err = r.Outbox(0, math.MaxInt)
	return err
}

var errNoRepair = errors.New("only a backup can bring it back")

func (s *Upkeep) repair(w storage.Writer, p storage.Parked) error {
	switch p.Kind {
	case storage.OfGame:
		return s.abandon(w, storage.GameID(p.ID), p.Fault)
	case storage.OfChallenge:
		return w.Discard(p.Ref)
	case storage.OfEntry:
		e, err := w.Entry(p.ID)
		if storage.Lost(err) {
			return w.Discard(p.Ref)
		}
		e.Fault = p.Fault
		return errors.Join(err, w.Undeliverable(e), w.Unpark(p.Ref))
	}
	return errNoRepair
}

// abandon aborts a game that cannot be read or handled, and tells its players.
func (s *Upkeep) abandon(w storage.Writer, id storage.GameID, why string) error {
	g, err := w.Game(id)
	switch {
	case err == nil:
		was := g
		s.giveUp(&g, why)
		err = errors.Join(w.PutGame(was, g), w.Unpark(storage.Ref{Kind: storage.OfGame, ID: uint64(id)}))
	case storage.Lost(err):
		g, err = s.remains(w, id)
		s.giveUp(&g, why)
		err = errors.Join(err, w.Replace(g), s.uncount(w, &g))
	}
	if err != nil {
		return err
	}
	return s.tellAbandoned(w, &g)
}

func (s *Upkeep) giveUp(g *storage.Game, why string) {
	match.Conclude(g, rules.Outcome{Result: rules.Aborted, Ending: rules.ByAbort})
	g.Changed, g.Aside = s.now(), why
	g.Clock = storage.Clock{Bank: g.Clock.Bank}
}

// remains are what the indexes tell of a game that cannot be read.
func (s *Upkeep) remains(r storage.Writer, id storage.GameID) (storage.Game, error) {
	g := storage.Game{ID: id, Began: s.now()}
	traces, err := r.TracesOf(id)
	copy(g.Players[:], traces.People)
	if len(traces.Places) > 0 {
		g.Place, g.Also = traces.Places[0], traces.Places[1:]
	}
	return g, err
}

// uncount lets a game that could not be read count for no rating and on no leaderboard.
func (s *Upkeep) uncount(w storage.Writer, g *storage.Game) error {
	results, err := w.ResultsOf(g.ID)
	if err != nil {
		return err
	}
	unplayed := map[storage.PersonID][]league.Played{}
	for _, r := range results {
		then := storage.Game{Variant: r.Kind, Changed: r.At}
		for _, one := range league.PlayedIn(&then, r.Server, r.Result) {
			unplayed[one.Person] = append(unplayed[one.Person], one.Undo())
		}
		if err := w.DropResult(r.Server, r.At, r.Result); err != nil {
			return err
		}
	}
	for _, p := range slices.Sorted(maps.Keys(unplayed)) {
		if err := s.league.List(w, p, unplayed[p]...); err != nil {
			return err
		}
	}
	rated, err := w.Rated(0, 0)
	if err != nil || !slices.Contains(rated, g.ID) {
		return err
	}
	return league.RecountWithout(w, g.Players[:]...)
}

// tellAbandoned tells the places of a game that it was aborted, or its players at home if
// those are not known.
func (s *Upkeep) tellAbandoned(w storage.Writer, g *storage.Game) error {
	places := g.Places()
	if g.Place == 0 {
		places = nil
		for _, id := range g.Players {
			p, err := w.Person(id)
			if err == nil && p.Home != 0 {
				places = append(places, p.Home)
			}
		}
	}
	for _, place := range people.Distinct(places) {
		e := s.inbox.Entry(g, inbox.Said{What: inbox.Abandoned, Ply: len(g.Moves)})
		e.Place = place
		if err := w.Post(e); err != nil {
			return err
		}
	}
	return nil
}
