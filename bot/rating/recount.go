package rating

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"chimera/storage"
)

// Limits of one transaction or step.
const (
	stride  = 16  // standings or games to write, while all other writes wait
	reading = 128 // results or people to read: the store keeps what is overwritten meanwhile, and frees it all at once
	quick   = 500 // results that are rated again while the asker waits
	portion = 32  // batches of results to rate again before anything else that is due
)

// errOvertaken ends work whose Round is no longer the current one.
var errOvertaken = errors.New("rating: what was computed is of no use any more")

// Recount has all ratings computed again, after games that count were given to other players, or were
// lost.
func Recount(w storage.Writer) error {
	job, _, err := w.Recount()
	job.Round++
	return errors.Join(err, w.PutRecount(job), w.RemakeBoards())
}

// Work computes ratings again while somebody waits, if that is due and quick.
func (l *Service) Work(ctx context.Context) error {
	results, err := storage.Read(ctx, l.store, func(r storage.Reader) ([]storage.Result, error) {
		return r.Results(beginning(), storage.Always(), quick+1, nil)
	})
	for more := len(results) <= quick; err == nil && more; {
		more, err = l.RecountMore(ctx)
	}
	return err
}

// recounting is how far this process has come with computing all ratings again.
type recounting struct {
	job  storage.Recount
	made ledger
	log  following
}

// RecountMore computes ratings again if that is due, once no games of linked accounts are being moved,
// and reports whether there may be more to do. It rates the log of results from the beginning, and
// updates in small steps the records that differ: both ratings after each game, and finally each
// person's standings. New results are included. If the program ends meanwhile, it begins anew.
func (l *Service) RecountMore(ctx context.Context) (more bool, err error) {
	if !l.counting.TryLock() {
		return false, nil // somebody else is at it
	}
	defer l.counting.Unlock()
	now := l.recounted
	l.recounted = nil // for a fresh start after an error
	var job storage.Recount
	err = l.store.View(ctx, func(r storage.Reader) error {
		joining, err := r.Joining()
		if more = false; err != nil || joining {
			return err
		}
		job, more, err = r.Recount()
		return err
	})
	if err != nil || !more {
		return false, err
	}
	if now == nil || now.job.Round != job.Round {
		job.Games = job.Games[:min(len(job.Games), stride)] // the others stop counting the next time
		now = &recounting{job: job, made: ledger{}}
	}
	unread, _, err := l.rateAgain(ctx, now, portion)
	if unread {
		l.recounted = now
	} else if err == nil {
		err = l.finishRecount(ctx, now)
	}
	if errors.Is(err, errOvertaken) {
		err = nil
	}
	return true, err
}

// rateAgain rates the next results, in up to most batches, and updates the figures of their games. It
// reports whether there may be more, and who has played.
func (l *Service) rateAgain(ctx context.Context, now *recounting, most int) (more bool, people []storage.PersonID, err error) {
	for range most {
		results, err := storage.Read(ctx, l.store, func(r storage.Reader) ([]storage.Result, error) { return now.log.peek(r, reading) })
		if err != nil || len(results) == 0 {
			return false, people, err
		}
		now.log.pass(results, l.now())
		l.read(now.log.at)
		figures, games := map[storage.GameID]storage.Figures{}, []storage.GameID{}
		for _, result := range results {
			if !slices.Contains(now.job.Games, result.Game) {
				figures[result.Game] = now.made.add(result)
				games = append(games, result.Game)
				people = append(people, result.Players[:]...)
			}
		}
		mend := func(r storage.Reader, id storage.GameID) (func(storage.Writer) error, error) {
			g, err := r.Games().Get(id)
			if storage.Missing(err) || err == nil && (!g.Counted || g.Figures == figures[id]) {
				return nil, nil
			}
			g.Figures = figures[id]
			return func(w storage.Writer) error { return w.Games().Put(g) }, err
		}
		if err := amend(ctx, l, now.job, games, mend); err != nil {
			return false, people, err
		}
	}
	return true, people, nil
}

// finishRecount updates people's standings to the results, and ends the work.
func (l *Service) finishRecount(ctx context.Context, now *recounting) error {
	mend := func(r storage.Reader, p storage.PersonID) (func(storage.Writer) error, error) {
		c, err := r.Standings(p)
		if storage.Missing(err) {
			c, err = storage.Standings{}, nil
		} else if sameStandings(c, now.made[p]) {
			return nil, err
		}
		c.Standings = now.made[p].Standings
		return func(w storage.Writer) error { return w.PutStandings(p, c) }, err
	}
	people, err := storage.Read(ctx, l.store, storage.Reader.PersonIDs)
	for done := false; err == nil && !done; {
		if err = amend(ctx, l, now.job, people, mend); err != nil {
			return err
		}
		if done, err = l.conclude(ctx, now); err == nil && !done {
			_, people, err = l.rateAgain(ctx, now, math.MaxInt)
		}
	}
	return err
}

// conclude ends the work if all results were rated, and makes annulled games stop counting.
func (l *Service) conclude(ctx context.Context, done *recounting) (all bool, err error) {
	err = l.step(ctx, done.job, func(w storage.Writer, now storage.Recount) error {
		results, err := done.log.peek(w.Reader, 1)
		if all = len(results) == 0; err != nil || !all {
			return err
		}
		games, err := w.Games().All(done.job.Games)
		for _, g := range games {
			g.Counted, g.Annul, g.Void = false, false, Annulled
			g.Figures, g.Servers = storage.Figures{}, [2]storage.ServerID{}
			err = errors.Join(err, w.Games().Put(g))
		}
		now.Games = slices.DeleteFunc(now.Games, func(id storage.GameID) bool { return slices.Contains(done.job.Games, id) })
		if len(now.Games) == 0 {
			return errors.Join(err, w.RemakeBoards(), w.DropRecount())
		}
		now.Round++
		return errors.Join(err, w.RemakeBoards(), w.PutRecount(now))
	})
	return all, err
}

// step is one transaction of the work, unless the work is outdated.
func (l *Service) step(ctx context.Context, job storage.Recount, do func(storage.Writer, storage.Recount) error) error {
	return l.store.Update(ctx, func(w storage.Writer) error {
		joining, err := w.Joining()
		now, wanted, err2 := w.Recount()
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		if joining || !wanted || now.Round != job.Round {
			return errOvertaken
		}
		return do(w, now)
	})
}

// amend updates the records that differ from what they should be: it reads many at a time, and writes
// few. mend returns how to put a record right, nil if it is right.
func amend[K any](ctx context.Context, l *Service, job storage.Recount, all []K, mend func(storage.Reader, K) (func(storage.Writer) error, error)) error {
	for part := range slices.Chunk(all, reading) {
		found, err := storage.Read(ctx, l.store, func(r storage.Reader) (found []K, err error) {
			for _, key := range part {
				put, err2 := mend(r, key)
				if err = cmp.Or(err, err2); put != nil {
					found = append(found, key)
				}
			}
			return found, err
		})
		if err != nil {
			return err
		}
		for few := range slices.Chunk(found, stride) {
			err := l.step(ctx, job, func(w storage.Writer, _ storage.Recount) (err error) {
				for _, key := range few {
					put, err2 := mend(w.Reader, key)
					if err = cmp.Or(err, err2); err == nil && put != nil {
						err = put(w)
					}
				}
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// JoinServers adds a person to those who have played in some servers.
func JoinServers(w storage.Writer, p storage.PersonID, servers []storage.ServerID) error {
	career, err := w.Standings(p)
	if err != nil || len(servers) == 0 {
		return err
	}
	for _, server := range servers {
		career.Join(server)
	}
	return errors.Join(w.PutStandings(p, career), w.RemakeBoards())
}

// VerifyRatings computes all ratings again from the results of games that count, and reports games and
// people that differ. It returns the number of ratings, 0 if they are still to be computed. Final
// tables of months show what was told then, and are not checked; leaderboards are not stored.
//
// It checks the state at its beginning, while games go on. It calls progress with the number of games
// checked, and of all.
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
		made, figures := ledger{}, map[storage.GameID]storage.Figures{}
		for _, result := range results {
			figures[result.Game] = made.add(result)
		}
		done := 0
		for g, err := range r.Games().Each(games, err) {
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

// checkGame checks a game's figures against those that the results make.
func checkGame(g *storage.Game, figures map[storage.GameID]storage.Figures) error {
	want, rated := figures[g.ID]
	if g.Spreads == [2]float64{} {
		want.Spreads = g.Spreads // from an earlier version
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
