package maintenance

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/rating"
	"chimera/bot/user"
	"chimera/rules"
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

// Quarantined are the records that were set aside because they cannot be read or handled.
func (s *Keeper) Quarantined(ctx context.Context) ([]storage.Quarantined, error) {
	return storage.Read(ctx, s.store, storage.Reader.Quarantined)
}

// releaseSound releases records from quarantine that are sound by now, such as games of a kind that
// this version knows again.
func (s *Keeper) releaseSound(ctx context.Context) error {
	const few = 64
	all, err := s.Quarantined(ctx)
	for some := range slices.Chunk(all, few) {
		err = errors.Join(err, s.store.Update(ctx, func(w storage.Writer) (err error) {
			for _, p := range some {
				if due, fault := s.sound(w.Reader, p.Ref); !match.Unfit(fault) {
					err = errors.Join(err, fault, w.Release(p.Ref), w.RestoreDue(due))
				}
			}
			return err
		}))
	}
	return err
}

// sound checks whether a record can be read and handled, and returns its deadline.
func (s *Keeper) sound(r storage.Reader, ref storage.Ref) (due storage.Deadline, err error) {
	due.Kind, due.ID = ref.Kind, ref.ID
	switch ref.Kind {
	case storage.OfGame:
		g, fault := r.Games().Get(storage.GameID(ref.ID))
		if due.At, err = g.Clock.Wake, fault; err == nil {
			err = s.playable(r, &g)
		}
	case storage.OfChallenge:
		c, fault := r.Challenges().Get(storage.GameID(ref.ID))
		due.At, err = c.Due(), fault
	case storage.OfPerson:
		p, fault := r.People().Get(storage.PersonID(ref.ID))
		due.At, due.Kind, err = p.Vacation.Until, storage.DueVacation, fault
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

// Repair gives up on records that cannot be read or handled: a game is aborted and its players are
// told as far as they are known, and an entry is never said. It calls each for every record, with the
// error if nothing could be done.
func (s *Keeper) Repair(ctx context.Context, each func(storage.Ref, error)) error {
	err := errors.Join(s.readAll(ctx), s.quarantine(ctx), s.releaseSound(ctx))
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

// readAll reads everything that can be repaired, so that unreadable records are noticed.
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
	takeOut := w.Release
	if storage.Missing(err) {
		g, err = w.Remains(id)
		g.Began, takeOut = s.now(), w.Discard // together with the keys that lead to it
	}
	if err != nil {
		return err
	}
	counted := g.Counted
	match.Conclude(&g, rules.Outcome{Result: rules.Aborted, Ending: rules.ByAbort})
	g.Changed, g.Quarantined = s.now(), why
	g.Clock = storage.Clock{Bank: g.Clock.Bank}
	g.Counted, g.Annul, g.Figures = false, false, storage.Figures{}
	err = errors.Join(takeOut(storage.Ref{Kind: storage.OfGame, ID: uint64(id)}), w.Games().Put(g))
	if counted {
		err = errors.Join(err, rating.Recount(w))
	}
	return errors.Join(err, s.tellAbandoned(w, &g))
}

// tellAbandoned tells the places of a game that it was aborted, or its players at home if
// those are not known.
func (s *Keeper) tellAbandoned(w storage.Writer, g *storage.Game) (err error) {
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
		err = errors.Join(err, w.Post(s.events.Entry(g, place, event.Event{Kind: event.Abandoned, Ply: len(g.Moves)})))
	}
	return err
}

// replayed is how many games are replayed in one transaction.
const replayed = 64

// Verify replays every stored game, compares what was stored for speed with its moves, and all indexes
// with the records. It calls report for each fault, with the number of the game or 0, and progress
// with the number of games done and of all, before the first and now and then. It returns the number
// of games; the error is of the storage itself. It reads in pages, while games go on.
func (s *Keeper) Verify(ctx context.Context, report func(storage.GameID, error), progress func(done, of int)) (int, error) {
	if err := s.store.Check(ctx, func(fault string) { report(0, errors.New(fault)) }); err != nil {
		return 0, err
	}
	aside, err := storage.Read(ctx, s.store, s.soundQuarantined)
	for _, fault := range aside {
		report(0, fault)
	}
	ids, err2 := s.store.Games(ctx)
	if err := errors.Join(err, err2); err != nil {
		return 0, err
	}
	done := 0
	progress(done, len(ids))
	for some := range slices.Chunk(ids, replayed) {
		faults, err := storage.Read(ctx, s.store, func(r storage.Reader) (map[storage.GameID]error, error) { return s.verifyAll(r, some) })
		if err != nil {
			return len(ids), err
		}
		for _, id := range some {
			if faults[id] != nil {
				report(id, faults[id])
			}
		}
		done += len(some)
		progress(done, len(ids))
	}
	return len(ids), nil
}

// verifyAll returns what is wrong with each of some games, nil for nothing.
func (s *Keeper) verifyAll(r storage.Reader, ids []storage.GameID) (map[storage.GameID]error, error) {
	games, err := r.Games().All(ids) // an engine that is elsewhere is asked once
	if err != nil {
		return nil, err
	}
	faults := make(map[storage.GameID]error, len(ids))
	for i := range games {
		faults[games[i].ID] = s.verify(r, &games[i])
	}
	for _, id := range ids {
		if _, readable := faults[id]; readable {
			continue
		}
		if _, faults[id] = r.Games().Get(id); !storage.Missing(faults[id]) {
			return nil, faults[id]
		}
	}
	return faults, nil
}

// soundQuarantined reports records in quarantine that can be read. Unreadable records are found
// elsewhere.
func (s *Keeper) soundQuarantined(r storage.Reader) (faults []error, err error) {
	parked, err := r.Quarantined()
	for _, p := range parked {
		if _, err := s.sound(r, p.Ref); err == nil {
			faults = append(faults, fmt.Errorf("%s %d was set aside: %s", p.Kind, p.ID, p.Fault))
		}
	}
	return faults, err
}

// verify says what is wrong with a game, nil if nothing is. What panics is wrong too.
func (s *Keeper) verify(r storage.Reader, g *storage.Game) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	if g.Quarantined != "" {
		return nil
	}
	line, err := s.match.Replay(g)
	if err != nil {
		return err
	}
	now := *g
	line.Restore(&now)
	known := g.Merged == len(g.Moves)
	switch last := line.End(); {
	case now.FEN != g.FEN:
		return fmt.Errorf("its moves lead to %s, but %s is stored", now.FEN, g.FEN)
	case now.Before != g.Before:
		return fmt.Errorf("its moves come by %s, but %s is stored", now.Before, g.Before)
	case now.Turn != g.Turn:
		return fmt.Errorf("it is %s's turn, but the other's is stored", last.Position.Turn())
	case !slices.Equal(now.Past, g.Past):
		return fmt.Errorf("its past has %d positions, or others than the %d stored", len(now.Past), len(g.Past))
	case (known || g.Counted) && now.Merges != g.Merges, known && !slices.EqualFunc(now.Made[:], g.Made[:], maps.Equal):
		return fmt.Errorf("it has %v merges, to %v, but %v and %v are stored", now.Merges, now.Made, g.Merges, g.Made)
	}
	ended := func(then rules.Game) bool { return seen(then).Over() }
	if i := slices.IndexFunc(line.Games, ended); i >= 0 && i < len(g.Moves) {
		return fmt.Errorf("it goes on after ply %d, which ends it", i)
	}
	if err := VerifyEnd(g, line.End()); err != nil {
		return err
	}
	for _, p := range g.Players {
		if _, err := r.People().Get(p); err != nil {
			return fmt.Errorf("player %d: %w", p, err)
		}
	}
	if !g.Clock.Wake.IsZero() && (g.Over() || g.Pace.Unlimited() || !g.Clock.Stopped.IsZero()) {
		return errors.New("it has a deadline, but no clock that runs")
	}
	return nil
}

// endings says what each ending implies: the game is drawn, or won, or its moves must end it so or
// allow the claim.
//
//nolint:gochecknoglobals // never written
var endings = map[rules.Ending]struct{ drawn, won, byMoves bool }{
	"": {}, rules.ByTime: {}, rules.ByAbort: {}, match.Unfinished: {}, match.SeasonOver: {},
	rules.ByResignation: {won: true}, rules.ByAgreement: {drawn: true},
	rules.ByRepetition: {drawn: true, byMoves: true}, rules.ByMoveCount: {drawn: true, byMoves: true},
	rules.ByCheckmate: {byMoves: true}, rules.ByStalemate: {byMoves: true}, rules.ByKingTaken: {byMoves: true}, rules.ByMaterial: {byMoves: true},
}

// VerifyEnd compares the stored end with the moves: a game may end in other ways than by its moves,
// but not continue after they end it, nor end by something that they do not show.
func VerifyEnd(g *storage.Game, last rules.Game) error {
	o := seen(last)
	claimed, ok := last.Claim()
	how, known := endings[rules.Ending(g.Ending)]
	drawn := g.Result == rules.Drawn.String()
	aborted := g.Ending == string(rules.ByAbort) || g.Ending == string(rules.ByTime) && len(g.Moves) < 2 || g.Ending == match.Unfinished
	switch {
	case o.Over() && (g.Result != o.Result.String() || g.Ending != string(o.Ending)):
		return fmt.Errorf("its moves end it %s by %s, but %s by %q is stored", o.Result, o.Ending, g.Result, g.Ending)
	case !known:
		return fmt.Errorf("no game ends by %q", g.Ending)
	case how.byMoves && !o.Over() && (!ok || g.Ending != string(claimed.Ending)):
		return fmt.Errorf("its moves do not end it by %s", g.Ending)
	case g.Over() == (g.Result == rules.Unfinished.String()) && !aborted, how.drawn && !drawn, how.won && drawn:
		return fmt.Errorf("its result %s does not fit its end %q", g.Result, g.Ending)
	}
	return nil
}

// seen is the outcome that all versions agree on: earlier versions forgot past positions at a pawn's
// move, and let such games go on.
func seen(g rules.Game) rules.Outcome {
	g.Past = g.Past[max(0, len(g.Past)-g.Position.HalfMoves()):]
	return g.Outcome()
}
