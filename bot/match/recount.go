package match

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chimera/storage"
)

// standingOf names a person's standing in a kind of game.
type standingOf struct {
	person storage.PersonID
	kind   string
}

// recount computes all standings again from the games that count, in their order. One
// game may be left out.
func recount(r storage.Reader, but storage.GameID) (map[standingOf]storage.Standing, int, error) {
	ids, err := r.Rated()
	if err != nil {
		return nil, 0, err
	}
	all := map[standingOf]storage.Standing{}
	for _, id := range ids {
		g, err := r.Game(id)
		if err != nil {
			return nil, 0, err
		}
		if !g.Counted || id == but {
			continue
		}
		for _, kind := range []string{g.Variant, storage.Overall} {
			var both [2]storage.Standing
			for side, p := range g.Players {
				var ok bool
				if both[side], ok = all[standingOf{p, kind}]; !ok {
					both[side] = unrated()
				}
			}
			apply(&both, &g, scores[g.Result])
			for side, p := range g.Players {
				all[standingOf{p, kind}] = both[side]
			}
		}
	}
	return all, len(ids), nil
}

// VerifyRatings computes all ratings again from the games, and reports those that are
// stored otherwise. It returns how many there are.
func (s *Service) VerifyRatings(ctx context.Context, report func(fault error)) (int, error) {
	n := 0
	var want map[standingOf]storage.Standing
	err := s.store.View(ctx, func(r storage.Reader) (err error) {
		if want, _, err = recount(r, 0); err != nil {
			return err
		}
		n = len(want)
		return r.AllStandings(func(p storage.PersonID, kind string, got storage.Standing) {
			now, ok := want[standingOf{p, kind}]
			delete(want, standingOf{p, kind})
			if !ok || !same(now, got) {
				report(fmt.Errorf("person %d, %s: the games make %+v, but %+v is stored", p, kind, now, got))
			}
		})
	})
	for of := range want {
		report(fmt.Errorf("person %d, %s: no rating is stored", of.person, of.kind))
	}
	return n, err
}

func same(a, b storage.Standing) bool {
	a.At, b.At = a.At.UTC(), b.At.UTC()
	return a == b
}

// Annul lets a rated game count no more, as if it had not been played. All ratings that
// it had part in are computed again, and change at once.
func (s *Service) Annul(ctx context.Context, by By, id storage.GameID) (Done, error) {
	for range maxTries {
		var want map[standingOf]storage.Standing
		var g storage.Game
		var rated int
		err := s.store.View(ctx, func(r storage.Reader) (err error) {
			if g, err = r.Game(id); err != nil {
				return &Refusal{NoSuchGame, id}
			}
			if err := mayAnnul(r, by, &g); err != nil {
				return err
			}
			want, rated, err = recount(r, id)
			return err
		})
		if err != nil {
			return Done{}, err
		}
		done, err := s.once(ctx, by, func(w storage.Writer) (Done, error) {
			now, err := w.Game(id)
			if err != nil {
				return Done{}, err
			}
			ids, err := w.Rated()
			if err != nil {
				return Done{}, err
			}
			if now.Revision != g.Revision || len(ids) != rated {
				return Done{}, errOvertaken
			}
			was := now
			now.Counted, now.Ratings = false, [2][2]float64{}
			if err := w.PutGame(was, now); err != nil {
				return Done{}, err
			}
			place, err := w.Place(by.Place)
			if err != nil {
				return Done{}, err
			}
			for _, server := range []storage.ServerID{0, place.Server} {
				if err := w.DropResult(server, now.Changed, id); err != nil {
					return Done{}, err
				}
			}
			return Done{What: Chose, Game: id}, s.restore(w, want)
		})
		if !errors.Is(err, errOvertaken) {
			return done, err
		}
	}
	return Done{}, fmt.Errorf("match: ratings change too fast: %w", errOvertaken)
}

// mayAnnul refuses what is no rated game of the asker's server.
func mayAnnul(r storage.Reader, by By, g *storage.Game) error {
	here, err := r.Place(by.Place)
	if err != nil {
		return err
	}
	there, err := r.Place(g.Place)
	switch {
	case err != nil:
		return err
	case here.Server == 0:
		return &Refusal{Why: NoServer}
	case here.Server != there.Server:
		return &Refusal{NotOfServer, g.ID}
	case !g.Counted:
		return &Refusal{NotRated, g.ID}
	}
	return nil
}

// restore makes these the standings of everybody, and puts all in their places.
func (s *Service) restore(w storage.Writer, want map[standingOf]storage.Standing) error {
	type change struct {
		of  standingOf
		now storage.Standing
	}
	var changes []change
	var gone []standingOf
	found := map[standingOf]bool{}
	err := w.AllStandings(func(p storage.PersonID, kind string, got storage.Standing) {
		of := standingOf{p, kind}
		found[of] = true
		switch now, ok := want[of]; {
		case !ok:
			gone = append(gone, of)
		case !same(now, got):
			changes = append(changes, change{of, now})
		}
	})
	if err != nil {
		return err
	}
	for of, now := range want {
		if !found[of] {
			changes = append(changes, change{of, now})
		}
	}
	for _, c := range changes {
		if err := w.PutStanding(c.of.person, c.of.kind, c.now); err != nil {
			return err
		}
		if err := s.rank(w, c.of.person, c.of.kind, &c.now); err != nil {
			return err
		}
	}
	for _, of := range gone {
		if err := s.unlist(w, of); err != nil {
			return err
		}
	}
	return nil
}

// unlist removes a standing, and its places on all boards.
func (s *Service) unlist(w storage.Writer, of standingOf) error {
	servers, err := w.Joined(of.person)
	if err != nil {
		return err
	}
	for _, server := range append(servers, 0) {
		for _, by := range []string{byRating, byGuess, byGames, byStreak, byCombiner} {
			if err := w.DropScore(board(server, of.kind, by), of.person); err != nil {
				return err
			}
		}
	}
	return w.DropStanding(of.person, of.kind)
}

// Hide takes a person off all leaderboards of the asker's server, or puts him there
// again.
func (s *Service) Hide(ctx context.Context, by By, whom storage.PersonID, hidden bool) (Done, error) {
	return s.once(ctx, by, func(w storage.Writer) (Done, error) {
		place, err := w.Place(by.Place)
		if err != nil {
			return Done{}, err
		}
		if place.Server == 0 {
			return Done{}, &Refusal{Why: NoServer}
		}
		server, err := w.Server(place.Server)
		if err != nil {
			return Done{}, err
		}
		server.Settings.Hidden = slices.DeleteFunc(slices.Clone(server.Settings.Hidden), func(id storage.PersonID) bool { return id == whom })
		if hidden {
			server.Settings.Hidden = append(server.Settings.Hidden, whom)
		}
		if err := w.PutServer(server); err != nil {
			return Done{}, err
		}
		return Done{What: Chose}, s.rerank(w, whom)
	})
}

// rerank puts a person in all his places again.
func (s *Service) rerank(w storage.Writer, id storage.PersonID) error {
	standings, err := w.Standings(id)
	if err != nil {
		return err
	}
	for kind, now := range standings {
		if err := s.rank(w, id, kind, &now); err != nil {
			return err
		}
	}
	return nil
}
