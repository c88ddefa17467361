package rating

import (
	"context"
	"errors"
	"math"
	"slices"

	"chimera/storage"
)

// Bounds of what is done in one transaction.
const (
	stride  = 16  // careers or games that are written, for which all other writes wait
	reading = 128 // results or people that are read: the store keeps what is overwritten while somebody reads, and frees it all at once after
	quick   = 500 // results that are rated again while the asker waits
	portion = 32  // times as many whose games are told their figures before what else is due
)

// errOvertaken ends work whose Round is another by now.
var errOvertaken = errors.New("rating: what was computed is of no use any more")

// recount is the work of computing ratings again, and whether there is any.
func recount(r storage.Reader) (job storage.Recount, wanted bool, err error) {
	job, err = r.Recount()
	if errors.Is(err, storage.ErrNotFound) {
		return job, false, nil
	}
	return job, err == nil, err
}

// Recount lets all ratings be computed again, after games that count have got other players,
// or were lost.
func Recount(w storage.Writer) error {
	job, _, err := recount(w.Reader)
	job.Again, job.Figures = true, false
	job.Round++
	return errors.Join(err, w.PutRecount(job), w.RemakeBoards())
}

// spoil lets what was computed so far be of no use, where anything but a result changes
// careers.
func spoil(w storage.Writer) error {
	job, wanted, err := recount(w.Reader)
	if err != nil || !wanted {
		return err
	}
	job.Round++
	return w.PutRecount(job)
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

// RecountMore computes ratings again if they are to be, once no games of linked accounts are
// on their way, and reports whether there may be more to do. The program may end at any
// moment of it. Nobody waits for it: it writes in small steps what nobody sees before all is
// done, and takes in what ends meanwhile.
func (l *Service) RecountMore(ctx context.Context) (more bool, err error) {
	if !l.counting.TryLock() {
		return false, nil // somebody else is at it
	}
	defer l.counting.Unlock()
	var job storage.Recount
	err = l.store.View(ctx, func(r storage.Reader) error {
		joins, err := r.Joins().List()
		if more = false; err != nil || len(joins) > 0 {
			return err
		}
		job, more, err = recount(r)
		return err
	})
	if err != nil || !more {
		return false, err
	}
	job.Games = job.Games[:min(len(job.Games), stride)] // the others count no more the next time
	if job.Figures {
		err = l.correct(ctx, job)
	} else {
		err = l.count(ctx, job)
	}
	if errors.Is(err, errOvertaken) {
		err = nil
	}
	return true, err
}

// step is one step of the work, unless it has become of no use.
func (l *Service) step(ctx context.Context, job storage.Recount, do func(storage.Writer, *storage.Recount) error) error {
	return l.store.Update(ctx, func(w storage.Writer) error {
		now, wanted, err := recount(w.Reader)
		if err == nil && (!wanted || now.Round != job.Round) {
			err = errOvertaken
		}
		if err != nil {
			return err
		}
		return do(w, &now)
	})
}

// count rates all results anew, writes the careers that they make as drafts, and lets these
// hold when there is nothing more to rate.
func (l *Service) count(ctx context.Context, job storage.Recount) error {
	made, log := ledger{}, following{}
	career := func(r storage.Reader, p storage.PersonID) (storage.Standings, error) {
		c, err := r.Standings(p)
		if storage.Missing(err) {
			c, err = storage.Standings{}, nil
		}
		c.Standings = made[p].Standings
		return c, err
	}
	drafted := func(r storage.Reader, p storage.PersonID) (bool, error) {
		c, err := career(r, p)
		if err != nil {
			return false, err
		}
		return r.IsDraft(p, c)
	}
	draft := func(w storage.Writer, p storage.PersonID) error {
		c, err := career(w.Reader, p)
		return errors.Join(err, w.PutDraft(p, c))
	}
	var people []storage.PersonID // whose careers may have changed
	rate := func(results []storage.Result) error {
		for _, result := range results {
			if !slices.Contains(job.Games, result.Game) {
				made.add(result)
				people = append(people, result.Players[:]...)
			}
		}
		return nil
	}
	_, err := l.follow(ctx, &log, math.MaxInt, rate)
	if err == nil {
		people, err = storage.Read(ctx, l.store, storage.Reader.PersonIDs)
	}
	for done := false; err == nil && !done; {
		if err = amend(ctx, l, job, people, drafted, draft); err != nil {
			return err
		}
		if done, err = l.conclude(ctx, job, &log); err == nil && !done {
			people = nil
			_, err = l.follow(ctx, &log, math.MaxInt, rate)
		}
	}
	return err
}

// conclude lets the drafts hold, and games count no more, if all results were rated.
func (l *Service) conclude(ctx context.Context, job storage.Recount, log *following) (done bool, err error) {
	err = l.step(ctx, job, func(w storage.Writer, now *storage.Recount) error {
		joins, err := w.Joins().List()
		if err == nil && len(joins) > 0 {
			err = errOvertaken
		}
		if err != nil {
			return err
		}
		results, err := log.peek(w.Reader, 1)
		if done = len(results) == 0; err != nil || !done {
			return err
		}
		for g, err := range w.Games().Each(job.Games) {
			if err != nil {
				return err
			}
			g.Counted, g.Annul, g.Void = false, false, Annulled
			g.Figures, g.Servers = storage.Figures{}, [2]storage.ServerID{}
			if err := w.Games().Put(g); err != nil {
				return err
			}
		}
		now.Games = slices.DeleteFunc(now.Games, func(id storage.GameID) bool { return slices.Contains(job.Games, id) })
		now.Again, now.Figures = false, true
		now.Round++
		return errors.Join(w.Switch(), w.PutRecount(*now))
	})
	return done, err
}

// correction is how far correct has come.
type correction struct {
	round uint64
	made  ledger
	log   following
}

// correct lets games tell what they have made of ratings, once these hold: the next portion
// of them, and with the last it is done.
func (l *Service) correct(ctx context.Context, job storage.Recount) error {
	now := l.corrected
	l.corrected = correction{} // it begins anew if it is broken off
	if now.round != job.Round {
		now = correction{job.Round, ledger{}, following{}}
	}
	more, err := l.follow(ctx, &now.log, portion, func(results []storage.Result) error {
		figures, games := map[storage.GameID]storage.Figures{}, []storage.GameID{}
		for _, result := range results {
			figures[result.Game] = now.made.add(result)
			games = append(games, result.Game)
		}
		told := func(r storage.Reader, id storage.GameID) (bool, error) {
			g, err := r.Games().Get(id)
			if storage.Missing(err) {
				return true, nil
			}
			return !g.Counted || g.Figures == figures[id], err
		}
		tell := func(w storage.Writer, id storage.GameID) error {
			g, err := w.Games().Get(id)
			if err != nil || !g.Counted {
				return err
			}
			g.Figures = figures[id]
			return w.Games().Put(g)
		}
		return amend(ctx, l, job, games, told, tell)
	})
	if err != nil {
		return err
	}
	if more {
		l.corrected = now
		return nil
	}
	return l.step(ctx, job, func(w storage.Writer, now *storage.Recount) error {
		if now.Figures = false; len(now.Games) == 0 {
			return w.DropRecount()
		}
		return w.PutRecount(*now)
	})
}

// follow does something with what the log has got since, some of it at a time, at most so
// often, and reports whether there may be more.
func (l *Service) follow(ctx context.Context, log *following, most int, do func([]storage.Result) error) (more bool, err error) {
	for range most {
		results, err := storage.Read(ctx, l.store, func(r storage.Reader) ([]storage.Result, error) { return log.peek(r, reading) })
		if err != nil || len(results) == 0 {
			return false, err
		}
		log.pass(results, l.now())
		l.read(log.at)
		if err := do(results); err != nil {
			return false, err
		}
	}
	return true, nil
}

// amend writes what is not as it is to be: it looks at some at a time, and writes few.
func amend[T any](ctx context.Context, l *Service, job storage.Recount, all []T, is func(storage.Reader, T) (bool, error), write func(storage.Writer, T) error) error {
	for part := range slices.Chunk(all, reading) {
		var differ []T
		err := l.store.View(ctx, func(r storage.Reader) error {
			differ = nil
			for _, one := range part {
				same, err := is(r, one)
				if err != nil {
					return err
				}
				if !same {
					differ = append(differ, one)
				}
			}
			return nil
		})
		for few := range slices.Chunk(differ, stride) {
			if err == nil {
				err = l.step(ctx, job, func(w storage.Writer, _ *storage.Recount) (err error) {
					for _, one := range few {
						err = errors.Join(err, write(w, one))
					}
					return err
				})
			}
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
	return PutServers(w, p, career)
}

// PutServers writes a career in which the servers have changed.
func PutServers(w storage.Writer, p storage.PersonID, career storage.Standings) error {
	return errors.Join(w.PutStandings(p, career), w.RemakeBoards(), spoil(w))
}
