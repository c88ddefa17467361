package match

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"chimera/storage"
)

// recount computes all standings again from the games that count, in their order. One
// game may be left out.
func recount(r storage.Reader, but storage.GameID) (map[storage.PersonID]*storage.Career, int, error) {
	ids, err := r.Rated(0, 0)
	if err != nil {
		return nil, 0, err
	}
	all := map[storage.PersonID]*storage.Career{}
	for _, id := range ids {
		g, err := r.Game(id)
		if err != nil {
			return nil, 0, err
		}
		if !g.Counted || id == but {
			continue
		}
		var both [2]storage.Career
		for side, p := range g.Players {
			if all[p] == nil {
				all[p] = &storage.Career{}
			}
			both[side] = *all[p]
		}
		rate(&both, &g)
		for side, p := range g.Players {
			*all[p] = both[side]
		}
	}
	return all, len(ids), nil
}

// VerifyRatings computes all ratings again from the games, and reports those that are
// stored otherwise. It returns how many there are.
func (s *Service) VerifyRatings(ctx context.Context, report func(fault error)) (int, error) {
	n := 0
	err := s.store.View(ctx, func(r storage.Reader) error {
		n = 0
		want, _, err := recount(r, 0)
		if err != nil {
			return err
		}
		for _, c := range want {
			n += len(c.Standings)
		}
		return verifyRatings(r, want, report)
	})
	return n, err
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

// Annul lets a rated game count no more, as if it had not been played. All ratings that
// it had part in are computed again, and change at once.
func (s *Service) Annul(ctx context.Context, by By, id storage.GameID) (Done, error) {
	for range maxTries {
		var want map[storage.PersonID]*storage.Career
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
			ids, err := w.Rated(0, 0)
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

// restore makes these the standings of everybody, and puts all whom that changes in their
// places.
func (s *Service) restore(w storage.Writer, want map[storage.PersonID]*storage.Career) error {
	changed := map[storage.PersonID]storage.Career{}
	err := w.AllCareers(func(p storage.PersonID, got storage.Career) {
		now := want[p]
		delete(want, p)
		if now == nil {
			now = &storage.Career{}
		}
		if !maps.EqualFunc(now.Standings, got.Standings, same) {
			got.Standings = now.Standings
			changed[p] = got
		}
	})
	if err != nil {
		return err
	}
	for p, now := range want {
		changed[p] = *now
	}
	for p, c := range changed {
		if err := errors.Join(w.PutCareer(p, c), s.list(w, p)); err != nil {
			return err
		}
	}
	return nil
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
		return Done{What: Chose}, s.list(w, whom)
	})
}
