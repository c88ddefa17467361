package match

import (
	"context"
	"errors"
	"maps"
	"slices"

	"chimera/storage"
)

// Bounds of what is computed again in one transaction, and while the asker waits.
const (
	stride  = 128 // games, or drafts that are cleared away
	promise = 4   // transactions
)

// Annul lets a rated game count no more, as if it had not been played, at the second word;
// with sure, only then. All ratings that it had part in are computed again, step by step,
// and change at once when that is done: here if they are few, else by Tick. Who may do
// that is for the asker's platform to say, at the first word.
func (s *Service) Annul(ctx context.Context, by By, id storage.GameID, sure bool) (Done, error) {
	done, err := s.once(ctx, by, func(w storage.Writer) (Done, error) {
		g, err := named(w.Reader, id)
		if err != nil {
			return Done{}, err
		}
		if err := mayAnnul(w.Reader, by, &g); err != nil {
			return Done{}, err
		}
		was := g
		if !s.second(g.Strike, by) {
			if sure {
				return Done{}, &Refusal{NotAsked, id}
			}
			g.Strike = s.offer(by)
			return Done{What: AnnulAsked, Game: id}, w.PutGame(was, g)
		}
		g.Strike, g.Annul = nil, true
		job, err := w.Recount()
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return Done{}, err
		}
		job.Waiting = append(job.Waiting, id)
		return Done{What: Chose, Game: id}, errors.Join(w.PutGame(was, g), w.PutRecount(job))
	})
	if err != nil || done.What == AnnulAsked {
		return done, err
	}
	for range promise {
		if more, err := s.recountMore(ctx); err != nil || !more {
			return done, err
		}
	}
	return done, nil
}

// LetCount takes back the asker's first word to annul a game.
func (s *Service) LetCount(ctx context.Context, by By, id storage.GameID) (Done, error) {
	return s.once(ctx, by, func(w storage.Writer) (Done, error) {
		g, err := named(w.Reader, id)
		switch {
		case err != nil || g.Strike == nil || g.Strike.By != by.Person:
			return Done{What: Chose, Game: id}, err
		}
		was := g
		g.Strike = nil
		return Done{What: Chose, Game: id}, w.PutGame(was, g)
	})
}

// mayAnnul refuses what is no rated game of the asker's server.
func mayAnnul(r storage.Reader, by By, g *storage.Game) error {
	here, err := r.Place(by.Place)
	if err != nil {
		return err
	}
	there, err := homes(r, g)
	switch {
	case err != nil:
		return err
	case here.Server == 0:
		return &Refusal{Why: NoServer}
	case !slices.Contains(there[:], here.Server):
		return &Refusal{NotOfServer, g.ID}
	case !g.Counted || g.Annul:
		return &Refusal{NotRated, g.ID}
	}
	return nil
}

// recountMore does the next step of computing ratings again, and reports whether there
// may be another. The program may end between any two.
func (s *Service) recountMore(ctx context.Context) (more bool, err error) {
	err = s.store.View(ctx, func(r storage.Reader) error {
		_, err := r.Recount()
		return err
	})
	if errors.Is(err, storage.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, s.store.Update(ctx, func(w storage.Writer) error {
		job, err := w.Recount()
		switch {
		case errors.Is(err, storage.ErrNotFound):
			return nil
		case err != nil:
			return err
		case job.Counting:
			return s.draft(w, job)
		}
		return clearDrafts(w, job)
	})
}

// clearDrafts writes the figures that games are to have by earlier work, removes its other
// drafts, and begins the next when there are none.
func clearDrafts(w storage.Writer, job storage.Recount) error {
	for _, clear := range []func(int) (int, error){w.AdoptFigures, w.ClearDrafts} {
		if n, err := clear(stride); err != nil || n == stride {
			return err
		}
	}
	if len(job.Games) == 0 {
		job.Games, job.Waiting = job.Waiting, nil
	}
	if len(job.Games) == 0 {
		return w.DropRecount()
	}
	job.Counting, job.Next = true, 0
	return w.PutRecount(job)
}

// draft rates some more games, and lets the drafts count when there are no more: games
// that end meanwhile are taken in.
func (s *Service) draft(w storage.Writer, job storage.Recount) error {
	ids, err := w.Rated(job.Next, stride)
	if err != nil {
		return err
	}
	drafts := ledger{map[storage.PersonID]*storage.Career{}, w.Draft}
	for g, err := range w.Read(ids) {
		if err != nil {
			return err
		}
		if !g.Counted || slices.Contains(job.Games, g.ID) {
			continue
		}
		f, err := drafts.add(&g)
		if err != nil {
			return err
		}
		if err := w.DraftFigures(&g, f); err != nil {
			return err
		}
	}
	for p, c := range drafts.careers {
		if err := w.PutDraft(p, *c); err != nil {
			return err
		}
	}
	job.Next += uint64(len(ids))
	if len(ids) == stride {
		return w.PutRecount(job)
	}
	if err := s.adopt(w, job.Games); err != nil {
		return err
	}
	return w.PutRecount(storage.Recount{Waiting: job.Waiting})
}

// adopt makes the drafts everybody's standings, and lets games count no more.
func (s *Service) adopt(w storage.Writer, games []storage.GameID) error {
	changed := map[storage.PersonID]storage.Career{}
	unplayed := map[storage.PersonID][]played{}
	if err := w.Drafts(func(p storage.PersonID, c storage.Career) { changed[p] = c }); err != nil {
		return err
	}
	for g, err := range w.Read(games) {
		if err != nil {
			return err
		}
		for _, p := range g.Players {
			if changed[p], err = w.Draft(p); err != nil { // the zero Career if there was no other game
				return err
			}
		}
		err = eachServerOf(w.Reader, &g, func(server storage.ServerID, result storage.Result) error {
			listed, err := w.HasResult(server, g.Changed, g.ID)
			if err != nil || !listed {
				return err
			}
			for _, one := range playedIn(&g, server, result) {
				unplayed[one.person] = append(unplayed[one.person], one.undo())
			}
			return w.DropResult(server, g.Changed, result)
		})
		if err != nil {
			return err
		}
		was := g
		g.Counted, g.Annul, g.Void, g.Figures = false, false, Annulled, storage.Figures{}
		if err := w.PutGame(was, g); err != nil {
			return err
		}
	}
	for _, p := range slices.Sorted(maps.Keys(changed)) {
		if err := s.restore(w, p, changed[p].Standings, unplayed[p]...); err != nil {
			return err
		}
	}
	return nil
}

// restore gives a person other standings, and puts him in his places.
func (s *Service) restore(w storage.Writer, p storage.PersonID, standings map[string]storage.Standing, games ...played) error {
	c, err := w.Career(p)
	if err != nil {
		return err
	}
	c.Standings = standings
	return errors.Join(w.PutCareer(p, c), s.list(w, p, games...))
}

// recountNow computes all ratings again at once, after games have got other players; the
// games' own figures follow. Work that has begun begins anew.
func (s *Service) recountNow(w storage.Writer) error {
	want, err := recount(w.Reader, w.DraftFigures)
	if err != nil {
		return err
	}
	err = w.AllCareers(func(p storage.PersonID, got storage.Career) {
		switch now := want[p]; {
		case now == nil:
			want[p] = &storage.Career{}
		case maps.EqualFunc(now.Standings, got.Standings, same):
			delete(want, p)
		}
	})
	if err != nil {
		return err
	}
	for p, c := range want {
		if err := s.restore(w, p, c.Standings); err != nil {
			return err
		}
	}
	job, err := w.Recount()
	if errors.Is(err, storage.ErrNotFound) {
		err = nil
	}
	job.Counting = false
	return errors.Join(err, w.PutRecount(job))
}
