package rating

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"

	"chimera/storage"
)

// VerifyRatings computes all ratings again from the results of games that count, and reports
// what games and people tell otherwise. It returns how many ratings there are, 0 while they
// are still to be computed. Final tables of months are what was told then, and not looked at;
// leaderboards are not stored.
//
// All is as it was when it began, while games go on. It calls progress with how many games were looked
// at, and how many there are.
func (l *Service) VerifyRatings(ctx context.Context, report func(fault error), progress func(done, of int)) (n int, err error) {
	games, err := l.store.Games(ctx)
	people, err2 := l.store.People(ctx)
	if err := cmp.Or(err, err2); err != nil {
		return 0, err
	}
	var faults []error
	err = l.store.View(ctx, func(r storage.Reader) error {
		n, faults = 0, nil
		joining, err := r.Joining()
		_, changing, err2 := r.Recount()
		if err := cmp.Or(err, err2); err != nil || joining || changing {
			return err
		}
		results, err := r.Results(beginning(), storage.Always(), math.MaxInt, nil)
		if err != nil {
			return err
		}
		made, figures := ledger{}, map[storage.GameID]storage.Figures{}
		for _, result := range results {
			figures[result.Game] = made.add(result)
		}
		done := 0
		for g, err := range r.Games().Each(games) {
			if err != nil {
				return err
			}
			if done%reading == 0 {
				progress(done, len(games))
			}
			done++
			if fault := checkGame(&g, figures); fault != nil {
				faults = append(faults, fault)
			}
		}
		held := map[storage.PersonID]storage.Standings{}
		err = r.EachStandings(people, func(p storage.PersonID, c storage.Standings) error {
			held[p] = c
			return nil
		})
		for _, p := range people {
			if n += len(made[p].Standings); !sameStandings(held[p], made[p]) {
				faults = append(faults, fmt.Errorf("person %d: the games make %+v, but %+v is stored", p, made[p].Standings, held[p].Standings))
			}
		}
		return err
	})
	for _, fault := range faults {
		report(fault)
	}
	return n, err
}

// checkGame finds out whether a game tells other figures than the results make.
func checkGame(g *storage.Game, figures map[storage.GameID]storage.Figures) error {
	want, rated := figures[g.ID]
	if g.Spreads == [2]float64{} {
		want.Spreads = g.Spreads // of an earlier version
	}
	switch {
	case !g.Counted && g.Figures != (storage.Figures{}):
		return fmt.Errorf("game %d does not count, but makes %+v", g.ID, g.Figures)
	case g.Counted && !rated:
		return fmt.Errorf("game %d counts, but is not among the results", g.ID)
	case g.Counted && g.Figures != want:
		return fmt.Errorf("game %d makes %+v, but %+v is stored", g.ID, want, g.Figures)
	}
	return nil
}

func sameStandings(a, b storage.Standings) bool {
	return maps.EqualFunc(a.Standings, b.Standings, func(a, b storage.Standing) bool {
		a.At, b.At = a.At.UTC(), b.At.UTC()
		return a == b
	})
}
