package league

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"chimera/storage"
)

// ledger holds careers while games are rated that may be many.
type ledger struct {
	careers map[storage.PersonID]*storage.Career
	load    func(storage.PersonID) (storage.Career, error) // one that is not there yet
}

// add rates a game, and returns what it makes of both ratings.
func (l *ledger) add(g *storage.Game) (f storage.Figures, err error) {
	var both [2]storage.Career
	for side, p := range g.Players {
		if l.careers[p] == nil {
			c, err := l.load(p)
			if err != nil {
				return f, err
			}
			l.careers[p] = &c
		}
		both[side] = *l.careers[p]
	}
	f = rate(&both, g)
	for side, p := range g.Players {
		*l.careers[p] = both[side]
	}
	return f, nil
}

// ratings are the careers that rated games make, but for those games that are left out.
type ratings struct {
	ledger
	but []storage.GameID
}

func newRatings(but []storage.GameID) ratings {
	return ratings{ledger{map[storage.PersonID]*storage.Career{}, func(storage.PersonID) (c storage.Career, err error) { return c, nil }}, but}
}

// counts reports whether a game is one that these careers come of.
func (r *ratings) counts(g *storage.Game) bool { return g.Counted && !slices.Contains(r.but, g.ID) }

// verifyGames computes all standings again from the games that count, in their order, and
// reports those that tell other ratings than they have made.
func verifyGames(r storage.Reader, report func(fault error)) (map[storage.PersonID]*storage.Career, error) {
	ids, err := r.Rated(0, 0)
	if err != nil {
		return nil, err
	}
	all := newRatings(nil)
	for g, err := range r.Read(ids) {
		if err != nil {
			return nil, err
		}
		var f storage.Figures
		if all.counts(&g) {
			if f, err = all.add(&g); err != nil {
				return nil, err
			}
		}
		if err := verifyFigures(r, &g, f, report); err != nil {
			return nil, err
		}
	}
	return all.careers, nil
}

// VerifyRatings computes all ratings again from the games, those that the games tell too,
// where people belong on leaderboards from the ratings, and tables of months from the
// results, and reports what is stored otherwise. It returns how many ratings there are.
func (s *League) VerifyRatings(ctx context.Context, report func(fault error)) (int, error) {
	n := 0
	err := s.store.View(ctx, func(r storage.Reader) error {
		n = 0
		if unsettled, err := unsettled(r); err != nil || unsettled {
			return err
		}
		want, err := verifyGames(r, report)
		if err != nil {
			return err
		}
		for _, c := range want {
			n += len(c.Standings)
		}
		return errors.Join(verifyRatings(r, want, report), s.verifyBoards(r, report), verifyMonths(r, report))
	})
	return n, err
}

// unsettled reports whether games have got other players, so that ratings are still to be
// computed again.
func unsettled(r storage.Reader) (bool, error) {
	joins, err := r.Joins()
	if err != nil || len(joins) > 0 {
		return true, err
	}
	job, err := r.Recount()
	if errors.Is(err, storage.ErrNotFound) {
		err = nil
	}
	return job.Again, err
}

// verifyBoards reports who does not stand where he belongs, but for those whom the timer
// has still to put there.
func (s *League) verifyBoards(r storage.Reader, report func(fault error)) error {
	last, err := r.LastRated()
	if err != nil {
		return err
	}
	listed, err := r.ListedUpTo()
	if err != nil || listed < last {
		return err
	}
	clocks, err := r.Running()
	if err != nil {
		return err
	}
	now := s.now()
	if clocks.Alive.After(now) {
		now = clocks.Alive // by a clock that was moved by hand
	}
	adopting, err := r.Adopting()
	if err != nil {
		return err
	}
	var faults error
	err = r.AllCareers(func(p storage.PersonID, _ storage.Career) {
		drafted, err := r.HasDraft(p)
		if err != nil || adopting && drafted {
			faults = errors.Join(faults, err)
			return
		}
		was, err := r.Listing(p)
		if err != nil || was.Fades != 0 && was.Fades <= storage.UnixDay(now) {
			faults = errors.Join(faults, err)
			return
		}
		want, err := listing(r, p, was, now, nil)
		if err != nil || !maps.Equal(want.Scores, was.Scores) || want.Fades != was.Fades {
			report(errors.Join(err, fmt.Errorf("person %d belongs on the leaderboards %+v, but is on %+v", p, want, was)))
		}
	})
	return errors.Join(err, faults)
}

// verifyMonths reports tables of months that are not what the results make.
func verifyMonths(r storage.Reader, report func(fault error)) error {
	return r.MonthTables(func(server storage.ServerID, month storage.Month, kind string, got storage.Table) error {
		want, err := tally(r, server, kind, month.Begins(), (month + 1).Begins())
		if err == nil && !slices.Equal(got, want) {
			report(fmt.Errorf("server %d, %s, %s: the results make the table %v, but %v is stored", server, month, kind, want, got))
		}
		return err
	})
}

// verifyFigures reports a game that tells other ratings than it has made, and is not about
// to be given those.
func verifyFigures(r storage.Reader, g *storage.Game, want storage.Figures, report func(fault error)) error {
	got := g.Figures
	job, err := r.Recount()
	if err == nil && !job.Counting {
		if drafted, err := r.DraftedFigures(g.ID); err == nil {
			got = drafted
		} else if !errors.Is(err, storage.ErrNotFound) {
			return err
		}
	}
	if got.Spreads == [2]float64{} {
		want.Spreads = got.Spreads
	}
	if got != want {
		report(fmt.Errorf("game %d makes %+v, but %+v is stored", g.ID, want, got))
	}
	if errors.Is(err, storage.ErrNotFound) {
		err = nil
	}
	return err
}

func verifyRatings(r storage.Reader, want map[storage.PersonID]*storage.Career, report func(fault error)) error {
	err := r.AllCareers(func(p storage.PersonID, got storage.Career) {
		now := storage.Career{}
		if want[p] != nil {
			now = *want[p]
		}
		delete(want, p)
		for kind, stored := range got.Standings {
			made, ok := now.Standings[kind]
			delete(now.Standings, kind)
			if !ok || !same(made, stored) {
				report(fmt.Errorf("person %d, %s: the games make %+v, but %+v is stored", p, kind, made, stored))
			}
		}
		for kind := range now.Standings {
			report(fmt.Errorf("person %d, %s: no rating is stored", p, kind))
		}
	})
	for p := range want {
		report(fmt.Errorf("person %d: no rating is stored", p))
	}
	return err
}

func same(a, b storage.Standing) bool {
	a.At, b.At = a.At.UTC(), b.At.UTC()
	return a == b
}
