package rating

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"chimera/storage"
)

// VerifyRatings computes all ratings again from the results of games that count, and reports
// what games and people tell otherwise. It returns how many ratings there are, 0 while they
// are still to be computed. Final tables of months are what was told then, and not looked at;
// leaderboards are not stored.
//
// All is as it was when it began, while games go on. It calls each of progress with how many games
// were looked at, and how many there are.
func (l *Service) VerifyRatings(ctx context.Context, report func(fault error), progress ...func(done, of int)) (n int, err error) {
	games, err := l.store.Games(ctx)
	people, err2 := l.store.People(ctx)
	if err := cmp.Or(err, err2); err != nil {
		return 0, err
	}
	var faults []error
	err = l.store.View(ctx, func(r storage.Reader) error {
		n, faults = 0, nil
		joins, err := r.Joins().List()
		job, _, err2 := recount(r)
		if err := cmp.Or(err, err2); err != nil || len(joins) > 0 || job.Again {
			return err // or games have got other players
		}
		results, err := r.Results(beginning(), storage.Always(), math.MaxInt, nil)
		if err != nil {
			return err
		}
		a := &audit{made: ledger{}, figures: map[storage.GameID]storage.Figures{}, told: !job.Figures}
		for _, result := range results {
			a.figures[result.Game] = a.made.add(result)
		}
		for done := 0; done < len(games) && err == nil; done += reading {
			for _, tell := range progress {
				tell(done, len(games))
			}
			err = a.checkGames(r, games[done:min(done+reading, len(games))])
		}
		for some := range slices.Chunk(people, reading) {
			err = cmp.Or(err, a.checkPeople(r, some))
		}
		for _, c := range a.made {
			n += len(c.Standings)
		}
		faults = a.faults
		return err
	})
	for _, fault := range faults {
		report(fault)
	}
	return n, err
}

// An audit compares what is stored with what the results make.
type audit struct {
	made    ledger
	figures map[storage.GameID]storage.Figures
	told    bool // games are to tell their figures by now
	faults  []error
}

func (a *audit) fault(format string, args ...any) {
	a.faults = append(a.faults, fmt.Errorf(format, args...))
}

// checkGames finds which of some games tell other figures than they make.
func (a *audit) checkGames(r storage.Reader, ids []storage.GameID) error {
	games, err := r.Games().All(ids)
	for _, g := range games {
		want, rated := a.figures[g.ID]
		if g.Spreads == [2]float64{} {
			want.Spreads = g.Spreads // of an earlier version
		}
		switch {
		case !g.Counted && g.Figures != (storage.Figures{}):
			a.fault("game %d does not count, but makes %+v", g.ID, g.Figures)
		case g.Counted && !rated:
			a.fault("game %d counts, but is not among the results", g.ID)
		case g.Counted && a.told && g.Figures != want:
			a.fault("game %d makes %+v, but %+v is stored", g.ID, want, g.Figures)
		}
	}
	return err
}

// checkPeople finds which of some people have other ratings than the results make.
func (a *audit) checkPeople(r storage.Reader, people []storage.PersonID) error {
	held, err := r.StandingsOf(people)
	if err != nil {
		return err
	}
	for i, p := range people {
		for kind, stored := range held[i].Standings {
			if made, ok := a.made[p].Standings[kind]; !ok || !same(made, stored) {
				a.fault("person %d, %s: the games make %+v, but %+v is stored", p, kind, made, stored)
			}
		}
		for kind := range a.made[p].Standings {
			if _, ok := held[i].Standings[kind]; !ok {
				a.fault("person %d, %s: no rating is stored", p, kind)
			}
		}
	}
	return nil
}

func same(a, b storage.Standing) bool {
	a.At, b.At = a.At.UTC(), b.At.UTC()
	return a == b
}
