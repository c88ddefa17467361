package league

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"chimera/storage"
)

// VerifyRatings computes all ratings again from the games that count, and reports what games
// and careers tell otherwise. It returns how many ratings there are, 0 while they are still
// to be computed. Final tables of months are what was told then, and not looked at;
// leaderboards are not stored.
func (l *League) VerifyRatings(ctx context.Context, report func(fault error)) (int, error) {
	n := 0
	err := l.store.View(ctx, func(r storage.Reader) error {
		n = 0
		joins, err := r.Joins()
		if err != nil || len(joins) > 0 {
			return err
		}
		job, _, err := recount(r)
		if err != nil || job.Again {
			return err // games have got other players
		}
		want, err := verifyGames(r, !job.Figures, report)
		if err != nil {
			return err
		}
		for _, c := range want {
			n += len(c.Standings)
		}
		return verifyCareers(r, want, report)
	})
	return n, err
}

// verifyGames rates all games that count, in their order, and reports those that tell other
// figures, if they are to tell them by now.
func verifyGames(r storage.Reader, told bool, report func(fault error)) (ledger, error) {
	type game struct {
		storage.Result
		storage.Figures
	}
	var games []game
	for g, err := range r.Read(r.Games()) {
		if err != nil {
			return nil, err
		}
		if g.Counted {
			games = append(games, game{storage.ResultOf(&g), g.Figures})
		} else if g.Figures != (storage.Figures{}) {
			report(fmt.Errorf("game %d does not count, but makes %+v", g.ID, g.Figures))
		}
	}
	slices.SortFunc(games, func(a, b game) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Game, b.Game)) })
	made := ledger{}
	for _, g := range games {
		want := made.add(g.Result)
		if g.Spreads == [2]float64{} {
			want.Spreads = g.Spreads // of an earlier version
		}
		if told && g.Figures != want {
			report(fmt.Errorf("game %d makes %+v, but %+v is stored", g.Game, want, g.Figures))
		}
	}
	return made, nil
}

func verifyCareers(r storage.Reader, want ledger, report func(fault error)) error {
	people, err := r.People()
	if err != nil {
		return err
	}
	for _, p := range people {
		got, err := r.Career(p)
		if err != nil {
			return fmt.Errorf("person %d: %w", p, err)
		}
		for kind, stored := range got.Standings {
			if made, ok := want[p].Standings[kind]; !ok || !same(made, stored) {
				report(fmt.Errorf("person %d, %s: the games make %+v, but %+v is stored", p, kind, made, stored))
			}
		}
		for kind := range want[p].Standings {
			if _, ok := got.Standings[kind]; !ok {
				report(fmt.Errorf("person %d, %s: no rating is stored", p, kind))
			}
		}
	}
	return nil
}

func same(a, b storage.Standing) bool {
	a.At, b.At = a.At.UTC(), b.At.UTC()
	return a == b
}
