package league

import (
	"context"
	"errors"
	"maps"
	"runtime"
	"slices"

	"chimera/bot/inbox"
	"chimera/storage"
)

// Bounds of what is computed again in one transaction, for which all other writes wait, and
// while the asker waits. A transaction writes a hundred keys or so, on as many pages where
// they are of games that come or of somebody's places.
const (
	Given   = 8   // games that are given to another player
	stride  = 16  // drafts that are written, used or cleared away
	reading = 128 // games or people that are read at a time
	listed  = 1   // people who are put in their places
	Promise = 64  // transactions
	quick   = 500 // rated games that are computed again while the asker waits
)

// Annul lets a rated game count no more, as if it had not been played, at the second word;
// with sure, only then. All ratings that it had part in are computed again, step by step,
// and change at once when that is done: here if they are few, else by Tick. Both players
// are told. Who may do that is for the asker's platform to say, at the first word; a player
// of the game never may.
func (s *League) Annul(ctx context.Context, by inbox.By, id storage.GameID, sure bool) (inbox.Done, error) {
	done, err := s.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		g, err := inbox.Named(w.Reader, id)
		if err != nil {
			return inbox.Done{}, err
		}
		if err := mayAnnul(w.Reader, by, &g); err != nil {
			return inbox.Done{}, err
		}
		was := g
		if !s.inbox.Second(g.Strike, by) {
			if sure {
				return inbox.Done{}, inbox.Refuse(inbox.NotAsked, id)
			}
			g.Strike = s.inbox.Offer(by)
			return inbox.Done{What: inbox.AnnulAsked, Game: id}, w.PutGame(was, g)
		}
		g.Strike, g.Annul = nil, true
		job, err := w.Recount()
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return inbox.Done{}, err
		}
		job.Waiting = append(job.Waiting, id)
		return inbox.Done{What: inbox.Chose, Game: id}, errors.Join(
			w.PutGame(was, g), w.PutRecount(job), s.inbox.Post(w, &g, inbox.Said{What: inbox.GameAnnulled, Ply: len(g.Moves), By: by.Person}),
		)
	})
	if err != nil || done.What == inbox.AnnulAsked {
		return done, err
	}
	return done, s.Work(ctx)
}

// Work does the first steps of what is to be done: all of them, where they are few.
func (s *League) Work(ctx context.Context) error {
	for range Promise {
		if more, err := s.RecountMore(ctx, quick); err != nil || !more {
			return err
		}
	}
	return nil
}

// LetCount takes back the asker's first word to annul a game.
func (s *League) LetCount(ctx context.Context, by inbox.By, id storage.GameID) (inbox.Done, error) {
	return s.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		g, err := inbox.Named(w.Reader, id)
		switch {
		case err != nil || g.Strike == nil || g.Strike.By != by.Person:
			return inbox.Done{What: inbox.Chose, Game: id}, err
		}
		was := g
		g.Strike = nil
		return inbox.Done{What: inbox.Chose, Game: id}, w.PutGame(was, g)
	})
}

// mayAnnul refuses what is no rated game of the asker's server, or one of their own.
func mayAnnul(r storage.Reader, by inbox.By, g *storage.Game) error {
	here, err := r.Place(by.Place)
	if err != nil {
		return err
	}
	there, err := homes(r, g)
	switch {
	case err != nil:
		return err
	case here.Server == 0:
		return inbox.Refuse(inbox.NoServer, 0)
	case slices.Contains(g.Players[:], by.Person):
		return inbox.Refuse(inbox.OwnGame, g.ID)
	case !slices.Contains(there[:], here.Server):
		return inbox.Refuse(inbox.NotOfServer, g.ID)
	case !g.Counted || g.Annul:
		return inbox.Refuse(inbox.NotRated, g.ID)
	}
	return nil
}

// RecountMore does the next step of computing ratings again, once no games of linked
// accounts are on their way, and reports whether there may be another; none if it would be
// to compute more than so many games. The program may end between any two.
func (s *League) RecountMore(ctx context.Context, most uint64) (more bool, err error) {
	var job storage.Recount
	count := false
	err = s.store.View(ctx, func(r storage.Reader) error {
		count = false
		joins, err := r.Joins()
		if err != nil || len(joins) > 0 {
			more = false
			return err
		}
		job, err = r.Recount()
		if more = err == nil; errors.Is(err, storage.ErrNotFound) {
			return nil
		}
		rated, err2 := r.LastRated()
		count, more = job.Counting, more && (!job.Counting || rated <= most)
		return errors.Join(err, err2)
	})
	switch {
	case err != nil || !more:
		return false, err
	case count:
		return s.count(ctx, job)
	}
	return true, s.store.Update(ctx, s.step)
}

// step is one step of that work, but for the computing.
func (s *League) step(w storage.Writer) error {
	if adopting, err := s.Adopt(w); err != nil || adopting {
		return err
	}
	job, err := w.Recount()
	if errors.Is(err, storage.ErrNotFound) || err == nil && job.Counting {
		return nil
	}
	return errors.Join(err, clearDrafts(w, job))
}

// Adopt goes on making drafts everybody's standings, and reports whether there were any.
func (s *League) Adopt(w storage.Writer) (bool, error) {
	adopting, err := w.Adopting()
	if err != nil || !adopting {
		return false, err
	}
	return true, s.adoptMore(w)
}

// clearDrafts writes the figures that games are to have by earlier work, or lets go of them
// if it was given up, removes its other drafts, and begins the next when there are none.
func clearDrafts(w storage.Writer, job storage.Recount) error {
	figures := w.AdoptFigures
	if job.Spoiled {
		figures = w.ClearFigures
	}
	for _, clear := range []func(int) (int, error){figures, w.ClearDrafts} {
		if n, err := clear(stride); err != nil || n == stride {
			return err
		}
	}
	if len(job.Games) == 0 {
		job.Games, job.Waiting = job.Waiting, nil
	}
	if len(job.Games) == 0 && !job.Again {
		return w.DropRecount()
	}
	job.Counting, job.Spoiled = true, false
	return w.PutRecount(job)
}

// reckoning is what all rated games make of everybody.
type reckoning struct {
	games   uint64 // of Rated that it knows
	careers map[storage.PersonID]*storage.Career
	drafts  []storage.PersonID // whose drafts are to be written
	figures []reckoned         // of games, likewise
}

type reckoned struct {
	game    storage.Game // its number and the figures that it tells
	figures storage.Figures
}

// count rates all games anew, and lets what comes of that hold. Nobody waits for it: it
// reads, writes what differs in small steps that nobody sees, and takes in games that have
// ended meanwhile. It is given up where players of games change in between. Where the
// program ends in it, all is computed again, but not written.
func (s *League) count(ctx context.Context, job storage.Recount) (more bool, err error) {
	if !s.counting.TryLock() {
		return false, nil // somebody else is at it
	}
	defer s.counting.Unlock()
	found, err := s.reckon(ctx, job)
	if err != nil {
		return false, err
	}
	err = s.eachFew(ctx, len(found.drafts), func(w storage.Writer, i int) error {
		p := found.drafts[i]
		return w.PutDraft(p, *found.careers[p])
	})
	if err == nil {
		err = s.eachFew(ctx, len(found.figures), func(w storage.Writer, i int) error {
			f := &found.figures[i]
			return w.DraftFigures(&f.game, f.figures)
		})
	}
	if err != nil {
		return false, err
	}
	return true, s.store.Update(ctx, func(w storage.Writer) error { return s.conclude(w, found) })
}

// eachFew does so many things, some in each transaction.
func (s *League) eachFew(ctx context.Context, n int, do func(storage.Writer, int) error) error {
	for from := 0; from < n; from += stride {
		err := s.store.Update(ctx, func(w storage.Writer) error {
			for i := from; i < min(from+stride, n); i++ {
				if err := do(w, i); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// reckon rates all games but those that are left out. It reads some of them at a time: the
// store keeps what is overwritten while somebody reads, and frees it all at once after.
func (s *League) reckon(ctx context.Context, job storage.Recount) (*reckoning, error) {
	found := &reckoning{}
	var ids []storage.GameID
	err := s.store.View(ctx, func(r storage.Reader) (err error) {
		if found.games, err = r.LastRated(); err == nil {
			ids, err = r.Rated(0, 0)
		}
		return err
	})
	all := newRatings(job.Games)
	for part := range slices.Chunk(ids, reading) {
		if err == nil {
			err = s.reckonPart(ctx, &all, part, found)
		}
	}
	found.careers = all.careers
	for part := range slices.Chunk(slices.Sorted(maps.Keys(all.careers)), reading) {
		if err == nil {
			err = s.addDrafts(ctx, found, part)
		}
	}
	return found, err
}

// reckonPart rates some of the games, and finds which are to get other figures.
func (s *League) reckonPart(ctx context.Context, all *ratings, ids []storage.GameID, found *reckoning) error {
	var games []storage.Game
	err := s.store.View(ctx, func(r storage.Reader) error {
		games = games[:0]
		for g, err := range r.Read(ids) {
			if err != nil {
				return err
			}
			if all.counts(&g) {
				games = append(games, g)
			}
		}
		return nil
	})
	figures := make([]storage.Figures, len(games))
	for i := range games {
		if err == nil {
			figures[i], err = all.add(&games[i])
		}
		runtime.Gosched() // there may be only a core or two, and writes come first
	}
	if err != nil {
		return err
	}
	var differ []reckoned
	err = s.store.View(ctx, func(r storage.Reader) error {
		differ = differ[:0]
		for i, g := range games {
			drafted, err := r.AreDrafted(&g, figures[i])
			if err != nil {
				return err
			}
			if !drafted {
				differ = append(differ, reckoned{storage.Game{ID: g.ID, Figures: g.Figures}, figures[i]})
			}
		}
		return nil
	})
	found.figures = append(found.figures, differ...)
	return err
}

// addDrafts finds whose drafts are to be written.
func (s *League) addDrafts(ctx context.Context, found *reckoning, people []storage.PersonID) error {
	var differ []storage.PersonID
	err := s.store.View(ctx, func(r storage.Reader) error {
		differ = differ[:0]
		for _, p := range people {
			drafted, err := r.IsDrafted(p, *found.careers[p])
			if err != nil {
				return err
			}
			if !drafted {
				differ = append(differ, p)
			}
		}
		return nil
	})
	found.drafts = append(found.drafts, differ...)
	return err
}

// conclude takes in games that have ended meanwhile, and makes the drafts everybody's
// standings.
func (s *League) conclude(w storage.Writer, found *reckoning) error {
	job, err := w.Recount()
	if err != nil {
		return err
	}
	joins, err := w.Joins()
	if err != nil {
		return err
	}
	if !job.Counting || len(joins) > 0 {
		job.Spoiled, job.Counting = true, false
		return w.PutRecount(job)
	}
	late := ledger{map[storage.PersonID]*storage.Career{}, func(p storage.PersonID) (c storage.Career, err error) {
		if found.careers[p] != nil {
			c.Standings = maps.Clone(found.careers[p].Standings)
		}
		return c, nil
	}}
	ids, err := w.Rated(found.games, 0)
	if err != nil {
		return err
	}
	for g, err := range w.Read(ids) {
		if err != nil {
			return err
		}
		if !g.Counted || slices.Contains(job.Games, g.ID) {
			continue
		}
		f, err := late.add(&g)
		if err != nil {
			return err
		}
		if err := w.DraftFigures(&g, f); err != nil {
			return err
		}
	}
	for p, c := range late.careers {
		if err := w.PutDraft(p, *c); err != nil {
			return err
		}
	}
	people, err := s.leaveOut(w, job)
	if err != nil {
		return err
	}
	for _, p := range people { // who may have no game that counts
		if p == 0 || found.careers[p] != nil || late.careers[p] != nil {
			continue // 0 is a player of a game that could not be read
		}
		if err := w.PutDraft(p, storage.Career{}); err != nil {
			return err
		}
	}
	return errors.Join(w.SetAdopting(true), w.PutRecount(storage.Recount{Waiting: job.Waiting}))
}

// leaveOut lets games count no more, and returns whose standings that may end.
func (s *League) leaveOut(w storage.Writer, job storage.Recount) ([]storage.PersonID, error) {
	people, unplayed := job.People, map[storage.PersonID][]Played{}
	for g, err := range w.Read(job.Games) {
		if err != nil {
			return nil, err
		}
		people = append(people, g.Players[:]...)
		err = EachServerOf(w.Reader, &g, func(server storage.ServerID, result storage.Result) error {
			listed, err := w.HasResult(server, g.Changed, g.ID)
			if err != nil || !listed {
				return err
			}
			for _, one := range PlayedIn(&g, server, result) {
				unplayed[one.Person] = append(unplayed[one.Person], one.Undo())
			}
			return w.DropResult(server, g.Changed, result)
		})
		if err != nil {
			return nil, err
		}
		was := g
		g.Counted, g.Annul, g.Void, g.Figures = false, false, Annulled, storage.Figures{}
		if err := w.PutGame(was, g); err != nil {
			return nil, err
		}
	}
	for _, p := range slices.Sorted(maps.Keys(unplayed)) {
		if err := s.List(w, p, unplayed[p]...); err != nil {
			return nil, err
		}
	}
	return people, nil
}

// adoptMore writes some more of the drafts that hold into the careers, and puts those people
// in their places.
func (s *League) adoptMore(w storage.Writer) error {
	people, err := w.Drafted(listed)
	if err != nil {
		return err
	}
	for _, p := range people {
		c, err := w.Career(p)
		if err != nil {
			return err
		}
		if err := errors.Join(w.PutCareer(p, c), s.List(w, p)); err != nil {
			return err
		}
	}
	if len(people) > 0 {
		return nil
	}
	left, err := w.HasDrafts()
	if err != nil || left {
		return err
	}
	return w.SetAdopting(false)
}

// RecountWithout lets all ratings be computed again, after people have lost games that
// counted.
func RecountWithout(w storage.Writer, people ...storage.PersonID) error {
	job, err := w.Recount()
	if err != nil && !errors.Is(err, storage.ErrNotFound) {
		return err
	}
	job.Spoiled = job.Spoiled || job.Counting
	job.Again, job.Counting = true, false
	people = append(people, job.People...)
	slices.Sort(people)
	job.People = slices.Compact(people)
	return w.PutRecount(job)
}

// JoinServers lets somebody be one of those who have played in some servers.
func JoinServers(w storage.Writer, p storage.PersonID, servers []storage.ServerID) error {
	career, err := w.Career(p)
	if err != nil {
		return err
	}
	for _, server := range servers {
		career.Join(server)
	}
	return w.PutCareer(p, career)
}
