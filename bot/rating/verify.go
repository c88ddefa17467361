package rating

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"chimera/storage"
)

// restarts is how often ratings are verified anew if they are computed anew meanwhile.
const restarts = 5

// VerifyRatings computes all ratings again from the results of games that count, and reports
// what games and careers tell otherwise. It returns how many ratings there are, 0 while they
// are still to be computed. Final tables of months are what was told then, and not looked at;
// leaderboards are not stored.
//
// It reads in pages, while games go on: what ends meanwhile is taken in. It calls each of progress
// with how many games were looked at, and how many there are.
func (l *Service) VerifyRatings(ctx context.Context, report func(fault error), progress ...func(done, of int)) (int, error) {
	for range restarts {
		a := &audit{now: l.now, made: ledger{}, figures: map[storage.GameID]storage.Figures{}}
		n, err := a.run(ctx, l, progress)
		if errors.Is(err, errOvertaken) {
			continue
		}
		for _, fault := range a.faults {
			report(fault)
		}
		return n, err
	}
	return 0, errors.New("the ratings were computed anew again and again meanwhile: try it later")
}

// An audit compares what is stored with what the results make.
type audit struct {
	now     func() time.Time
	log     following
	made    ledger
	figures map[storage.GameID]storage.Figures
	faults  []error
	edition uint64 // another when anything but results has changed careers
	told    bool   // games are to tell their figures by now
}

// run returns how many ratings there are.
func (a *audit) run(ctx context.Context, l *Service, progress []func(done, of int)) (n int, err error) {
	settled := false
	err = l.store.View(ctx, func(r storage.Reader) error {
		joins, err := r.Joins().List()
		job, _, err2 := recount(r)
		settled = len(joins) == 0 && !job.Again // or games have got other players
		a.told = !job.Figures
		edition, err3 := r.Edition()
		a.edition = edition
		return errors.Join(err, err2, err3)
	})
	if err != nil || !settled {
		return 0, err
	}
	for more := true; more && err == nil; {
		err = l.store.View(ctx, func(r storage.Reader) (err error) {
			more, err = a.take(r)
			return err
		})
	}
	games, err2 := l.store.Games(ctx)
	people, err3 := l.store.People(ctx)
	if err = errors.Join(err, err2, err3); err != nil {
		return 0, err
	}
	tell := func(done int) {
		for _, each := range progress {
			each(done, len(games))
		}
	}
	tell(0)
	if err := pages(ctx, l, a, games, a.checkGames, tell); err != nil {
		return 0, err
	}
	if err := pages(ctx, l, a, people, a.checkCareers, func(int) {}); err != nil {
		return 0, err
	}
	for _, c := range a.made {
		n += len(c.Standings)
	}
	return n, nil
}

// pages looks at some at a time, each time after all results that there are.
func pages[T any](ctx context.Context, l *Service, a *audit, all []T, check func(storage.Reader, []T) ([]error, error), tell func(done int)) error {
	done := 0
	for some := range slices.Chunk(all, reading) {
		var faults []error
		err := l.store.View(ctx, func(r storage.Reader) (err error) {
			for more := true; more; {
				if more, err = a.take(r); err != nil {
					return err
				}
			}
			edition, err := r.Edition()
			if err == nil && edition != a.edition {
				err = errOvertaken
			}
			if err == nil {
				faults, err = check(r, some)
			}
			return err
		})
		if err != nil {
			return err
		}
		a.faults = append(a.faults, faults...)
		done += len(some)
		tell(done)
	}
	return nil
}

// take rates the next results, and reports whether there were any.
func (a *audit) take(r storage.Reader) (more bool, err error) {
	results, err := a.log.peek(r, reading)
	if err != nil || len(results) == 0 {
		return false, err
	}
	for _, result := range results {
		a.figures[result.Game] = a.made.add(result)
	}
	a.log.pass(results, a.now())
	return true, nil
}

// checkGames finds which of some games tell other figures than they make.
func (a *audit) checkGames(r storage.Reader, ids []storage.GameID) (faults []error, err error) {
	games, err := r.Games().All(ids)
	for _, g := range games {
		want, rated := a.figures[g.ID]
		if g.Spreads == [2]float64{} {
			want.Spreads = g.Spreads // of an earlier version
		}
		switch {
		case !g.Counted && g.Figures != (storage.Figures{}):
			faults = append(faults, fmt.Errorf("game %d does not count, but makes %+v", g.ID, g.Figures))
		case g.Counted && !rated:
			faults = append(faults, fmt.Errorf("game %d counts, but is not among the results", g.ID))
		case g.Counted && a.told && g.Figures != want:
			faults = append(faults, fmt.Errorf("game %d makes %+v, but %+v is stored", g.ID, want, g.Figures))
		}
	}
	return faults, err
}

// checkCareers finds which of some people have other ratings than the results make.
func (a *audit) checkCareers(r storage.Reader, people []storage.PersonID) (faults []error, err error) {
	held, err := r.StandingsOf(people)
	if err != nil {
		return nil, err
	}
	for i, p := range people {
		got := held[i]
		for kind, stored := range got.Standings {
			if made, ok := a.made[p].Standings[kind]; !ok || !same(made, stored) {
				faults = append(faults, fmt.Errorf("person %d, %s: the games make %+v, but %+v is stored", p, kind, made, stored))
			}
		}
		for kind := range a.made[p].Standings {
			if _, ok := got.Standings[kind]; !ok {
				faults = append(faults, fmt.Errorf("person %d, %s: no rating is stored", p, kind))
			}
		}
	}
	return faults, nil
}

func same(a, b storage.Standing) bool {
	a.At, b.At = a.At.UTC(), b.At.UTC()
	return a == b
}
