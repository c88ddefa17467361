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

// Bounds of what is done in one transaction.
const (
	stride  = 16  // standings or games that are written, for which all other writes wait
	reading = 128 // results or people that are read: the store keeps what is overwritten while somebody reads, and frees it all at once after
	quick   = 500 // results that are rated again while the asker waits
	portion = 32  // times as many results that are rated again before anything else that is due
)

// errOvertaken ends work whose Round is another by now.
var errOvertaken = errors.New("rating: what was computed is of no use any more")

// Recount lets all ratings be computed again, after games that count have got other players,
// or were lost.
func Recount(w storage.Writer) error {
	job, _, err := w.Recount()
	job.Round++
	return errors.Join(err, w.PutRecount(job), w.RemakeBoards())
}

// Work computes ratings again while somebody waits, if they are to be and that is quickly
// done.
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

// RecountMore computes ratings again if they are to be, once no games of linked accounts are
// on their way, and reports whether there may be more to do. It rates the log of results from its
// beginning, and writes in small steps what is stored otherwise: what each game has made of both
// ratings, and at last the standings of each person. Results that come meanwhile are taken in. The
// program may end at any moment of it, and then begins anew.
func (l *Service) RecountMore(ctx context.Context) (more bool, err error) {
	if !l.counting.TryLock() {
		return false, nil // somebody else is at it
	}
	defer l.counting.Unlock()
	now := l.recounted
	l.recounted = nil // if it is broken off
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
		job.Games = job.Games[:min(len(job.Games), stride)] // the others count no more the next time
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

// rateAgain rates the next results, some of them at a time and at most so often, and lets their games
// tell what they have made of ratings. It reports whether there may be more, and who has played.
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
		differ := func(r storage.Reader, id storage.GameID) (*storage.Game, error) {
			g, err := r.Games().Get(id)
			if storage.Missing(err) || err == nil && (!g.Counted || g.Figures == figures[id]) {
				return nil, nil
			}
			g.Figures = figures[id]
			return &g, err
		}
		put := func(w storage.Writer, _ storage.GameID, g *storage.Game) error { return w.Games().Put(*g) }
		if err := amend(ctx, l, now.job, games, differ, put); err != nil {
			return false, people, err
		}
	}
	return true, people, nil
}

// finishRecount brings people's standings to what all results make of them, and ends the work.
func (l *Service) finishRecount(ctx context.Context, now *recounting) error {
	differ := func(r storage.Reader, p storage.PersonID) (*storage.Standings, error) {
		c, err := r.Standings(p)
		if storage.Missing(err) {
			return &storage.Standings{Standings: now.made[p].Standings}, nil
		}
		if sameStandings(c, now.made[p]) {
			return nil, err
		}
		c.Standings = now.made[p].Standings
		return &c, err
	}
	put := func(w storage.Writer, p storage.PersonID, c *storage.Standings) error { return w.PutStandings(p, *c) }
	people, err := storage.Read(ctx, l.store, storage.Reader.PersonIDs)
	for done := false; err == nil && !done; {
		if err = amend(ctx, l, now.job, people, differ, put); err != nil {
			return err
		}
		if done, err = l.conclude(ctx, now); err == nil && !done {
			_, people, err = l.rateAgain(ctx, now, math.MaxInt)
		}
	}
	return err
}

// conclude ends the work if all results were rated: games that were annulled count no more.
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

// step is one step of the work, unless it has become of no use.
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

// amend writes what is stored otherwise than it is to be: it looks at some at a time, and writes few.
// differ is a record as it is to be, nil if it is so.
func amend[K, V any](ctx context.Context, l *Service, job storage.Recount, all []K, differ func(storage.Reader, K) (*V, error), put func(storage.Writer, K, *V) error) error {
	for part := range slices.Chunk(all, reading) {
		found, err := storage.Read(ctx, l.store, func(r storage.Reader) (found []K, err error) {
			for _, key := range part {
				record, err2 := differ(r, key)
				if err = cmp.Or(err, err2); record != nil {
					found = append(found, key)
				}
			}
			return found, err
		})
		for few := range slices.Chunk(found, stride) {
			if err != nil {
				return err
			}
			err = l.step(ctx, job, func(w storage.Writer, _ storage.Recount) (err error) {
				for _, key := range few {
					record, err2 := differ(w.Reader, key)
					if err = cmp.Or(err, err2); err == nil && record != nil {
						err = put(w, key, record)
					}
				}
				return err
			})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// JoinServers lets somebody be one of those who have played in some servers.
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
