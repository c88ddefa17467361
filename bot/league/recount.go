package league

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"chimera/storage"
)

// Bounds of what is done in one transaction.
const (
	stride  = 16  // careers or games that are written, for which all other writes wait
	reading = 128 // results or people that are read: the store keeps what is overwritten while somebody reads, and frees it all at once after
	quick   = 500 // results that are rated again while the asker waits
)

// errOvertaken ends work whose Round is another by now.
var errOvertaken = errors.New("league: what was computed is of no use any more")

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
func (l *League) Work(ctx context.Context) error {
	long := false
	err := l.store.View(ctx, func(r storage.Reader) error {
		results, err := r.Results(beginning(), storage.Always(), quick+1, nil)
		long = len(results) > quick
		return err
	})
	for more := !long; err == nil && more; {
		more, err = l.RecountMore(ctx)
	}
	return err
}

// RecountMore computes ratings again if they are to be, once no games of linked accounts are
// on their way, and reports whether there may be more to do. The program may end at any
// moment of it. Nobody waits for it: it writes in small steps what nobody sees before all is
// done, and takes in what ends meanwhile.
func (l *League) RecountMore(ctx context.Context) (more bool, err error) {
	if !l.counting.TryLock() {
		return false, nil // somebody else is at it
	}
	defer l.counting.Unlock()
	var job storage.Recount
	err = l.store.View(ctx, func(r storage.Reader) error {
		joins, err := r.Joins()
		if more = false; err != nil || len(joins) > 0 {
			return err
		}
		job, more, err = recount(r)
		return err
	})
	if err != nil || !more {
		return false, err
	}
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
func (l *League) step(ctx context.Context, job storage.Recount, do func(storage.Writer, *storage.Recount) error) error {
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
func (l *League) count(ctx context.Context, job storage.Recount) error {
	made, log := ledger{}, following{}
	var people []storage.PersonID
	if _, err := l.rateOn(ctx, job, made, &log); err != nil {
		return err
	}
	err := l.store.View(ctx, func(r storage.Reader) (err error) {
		people, err = r.People()
		return err
	})
	for done := false; err == nil && !done; {
		if err = l.draft(ctx, job, made, people); err != nil {
			break
		}
		if done, err = l.conclude(ctx, job, &log); err == nil && !done {
			people, err = l.rateOn(ctx, job, made, &log)
		}
	}
	return err
}

// rateOn rates what the log has got since, and returns whose careers that changes.
func (l *League) rateOn(ctx context.Context, job storage.Recount, made ledger, log *following) (people []storage.PersonID, err error) {
	for {
		var results []storage.Result
		err := l.store.View(ctx, func(r storage.Reader) (err error) {
			results, err = log.peek(r, reading)
			return err
		})
		if err != nil || len(results) == 0 {
			return people, err
		}
		log.pass(results, l.now())
		l.read(log.at)
		for _, result := range results {
			if slices.Contains(job.Games, result.Game) {
				continue
			}
			made.add(result)
			people = append(people, result.Players[:]...)
			runtime.Gosched() // there may be only a core or two, and writes come first
		}
	}
}

// draft writes the drafts of people, as far as they are others.
func (l *League) draft(ctx context.Context, job storage.Recount, made ledger, people []storage.PersonID) error {
	career := func(r storage.Reader, p storage.PersonID) (storage.Career, error) {
		c, err := r.Career(p)
		c.Standings = made[p].Standings
		return c, err
	}
	for part := range slices.Chunk(people, reading) {
		var differ []storage.PersonID
		err := l.store.View(ctx, func(r storage.Reader) error {
			differ = differ[:0]
			for _, p := range part {
				c, err := career(r, p)
				if err != nil {
					return err
				}
				if drafted, err := r.IsDraft(p, c); err != nil {
					return err
				} else if !drafted {
					differ = append(differ, p)
				}
			}
			return nil
		})
		for few := range slices.Chunk(differ, stride) {
			if err == nil {
				err = l.step(ctx, job, func(w storage.Writer, _ *storage.Recount) error {
					for _, p := range few {
						c, err := career(w.Reader, p)
						if err := errors.Join(err, w.PutDraft(p, c)); err != nil {
							return err
						}
					}
					return nil
				})
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// conclude lets the drafts hold, and games count no more, if all results were rated.
func (l *League) conclude(ctx context.Context, job storage.Recount, log *following) (done bool, err error) {
	err = l.step(ctx, job, func(w storage.Writer, now *storage.Recount) error {
		joins, err := w.Joins()
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
		for g, err := range w.Read(job.Games) {
			if err != nil {
				return err
			}
			was := g
			g.Counted, g.Annul, g.Void = false, false, Annulled
			g.Figures, g.Servers = storage.Figures{}, [2]storage.ServerID{}
			if err := w.PutGame(was, g); err != nil {
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

// correct lets all games tell what they have made of ratings, once these hold.
func (l *League) correct(ctx context.Context, job storage.Recount) error {
	made, log := ledger{}, following{}
	for {
		var results []storage.Result
		told := map[storage.GameID]storage.Figures{}
		err := l.store.View(ctx, func(r storage.Reader) (err error) {
			if results, err = log.peek(r, reading); err != nil {
				return err
			}
			for _, result := range results {
				g, err := r.Game(result.Game)
				if err != nil && !storage.Lost(err) {
					return err
				}
				told[result.Game] = g.Figures
			}
			return nil
		})
		if err != nil {
			return err
		}
		if len(results) == 0 {
			break
		}
		log.pass(results, l.now())
		var wrong []storage.GameID
		for _, result := range results {
			f := made.add(result)
			if told[result.Game] != f {
				wrong = append(wrong, result.Game)
				told[result.Game] = f
			}
			runtime.Gosched() // likewise
		}
		for few := range slices.Chunk(wrong, stride) {
			if err := l.step(ctx, job, func(w storage.Writer, _ *storage.Recount) error { return tell(w, few, told) }); err != nil {
				return err
			}
		}
	}
	return l.step(ctx, job, func(w storage.Writer, now *storage.Recount) error {
		if now.Figures = false; len(now.Games) == 0 {
			return w.DropRecount()
		}
		return w.PutRecount(*now)
	})
}

// tell lets games that count tell figures.
func tell(w storage.Writer, games []storage.GameID, figures map[storage.GameID]storage.Figures) error {
	for g, err := range w.Read(games) {
		if err != nil {
			return err
		}
		if was := g; g.Counted {
			g.Figures = figures[g.ID]
			err = w.PutGame(was, g)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// JoinServers lets somebody be one of those who have played in some servers.
func JoinServers(w storage.Writer, p storage.PersonID, servers []storage.ServerID) error {
	career, err := w.Career(p)
	if err != nil || len(servers) == 0 {
		return err
	}
	for _, server := range servers {
		career.Join(server)
	}
	return PutServers(w, p, career)
}

// PutServers writes a career in which the servers have changed.
func PutServers(w storage.Writer, p storage.PersonID, career storage.Career) error {
	return errors.Join(w.PutCareer(p, career), w.RemakeBoards(), spoil(w))
}
