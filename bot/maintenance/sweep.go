package maintenance

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"chimera/bot/limit"
	"chimera/storage"
)

// sweep forgets what has come to its end: what could never be said, and a part of the answers
// that can come no more, of the last numbers of what was said, of sessions, of people who solve no
// puzzles any more, and of what adapters remember. Each call goes on with the parts behind those of
// the one before.
func (s *Keeper) sweep(ctx context.Context) error {
	_, err := s.sweepPart(ctx, storage.SweptStates, s.endedStates)
	for _, old := range []struct {
		kind  string
		after time.Duration
	}{
		{storage.SweptDead, limit.Undelivered},
		{storage.SweptSeen, storage.Remember},
		{storage.SweptPosted, storage.Remember},
		{storage.SweptSessions, 0},
		{storage.SweptSolvers, limit.Solvers},
	} {
		err = errors.Join(err, s.sweepOld(ctx, old.kind, old.after))
	}
	return err
}

// sweepRest is how long a kind is left alone once all of it was looked through.
const sweepRest = 24 * time.Hour

// sweepOld forgets in the next part of a kind what is older than anything that can come again.
func (s *Keeper) sweepOld(ctx context.Context, kind string, after time.Duration) error {
	now := s.now()
	if last := s.swept[kind]; last.After(now.Add(-sweepRest)) && !last.After(now) {
		return nil
	}
	clean, err := s.sweepPart(ctx, kind, func(r storage.Reader, from string) (to string, end func(storage.Writer) error, err error) {
		old, to, err := r.Old(kind, from, now.Add(-after), limit.SweepStep)
		if len(old) > 0 {
			end = func(w storage.Writer) error { return w.Forget(kind, old) }
		}
		return to, end, err
	})
	if err == nil && clean {
		s.swept[kind] = now
	}
	return err
}

// A look looks through the next part of a kind, and returns where that ends, and what forgets what has
// come to its end in it: nil if nothing has.
type look func(r storage.Reader, from string) (to string, end func(storage.Writer) error, err error)

// sweepPart forgets what has come to its end in the next part of a kind, and reports whether there was
// nothing, up to the end of all. Where there is nothing to write, nothing is.
func (s *Keeper) sweepPart(ctx context.Context, kind string, look look) (clean bool, err error) {
	var from, to string
	var end func(storage.Writer) error
	read := func(r storage.Reader) (err error) {
		if from, err = r.Swept(kind); err == nil {
			to, end, err = look(r, from)
		}
		return err
	}
	if err := s.store.View(ctx, read); err != nil || end == nil && to == from {
		return err == nil && to == "", err
	}
	err = s.store.Update(ctx, func(w storage.Writer) error {
		if err := read(w.Reader); err != nil {
			return err
		}
		err := w.PutSwept(kind, to)
		if end != nil {
			err = errors.Join(err, end(w))
		}
		return err
	})
	return end == nil && to == "", err
}

// sweepKeeps is how many bytes are remembered anew in one transaction.
const sweepKeeps = 4 * storage.MaxState

// endedStates looks through the next part of what adapters remember. What has come to its end is
// forgotten; where that is not known yet, since it was remembered for a game, it is put anew, and the
// time until its end begins now.
func (s *Keeper) endedStates(r storage.Reader, from string) (to string, end func(storage.Writer) error, err error) {
	all, to, err := r.StatesAfter(from, limit.SweepStep)
	if err != nil {
		return from, nil, err
	}
	var ended []storage.State
	kept := 0
	lives := map[storage.GameID]lifetime{}
	for n, m := range all {
		i := slices.IndexFunc(limit.Ends, func(e limit.End) bool { return strings.HasPrefix(m.Name, e.Kind) })
		lasts := limit.Ends[i] // the last fits all
		since := m.At
		if id := gameOf(lasts, m); id != 0 {
			life, known := lives[id]
			if !known {
				if life, err = lifetimeOf(r, id); err != nil {
					return from, nil, err
				}
				lives[id] = life
			}
			if life.lasts {
				continue
			}
			if life.ended.After(since) {
				since = life.ended
			}
		}
		if since.IsZero() {
			if kept += len(m.Value); kept > sweepKeeps && n > 0 {
				to = all[n-1].Place()
				break
			}
			ended = append(ended, m)
		} else if s.now().Sub(since) > lasts.After {
			m.Value = nil
			ended = append(ended, m)
		}
	}
	if len(ended) == 0 {
		return to, nil, nil
	}
	return to, func(w storage.Writer) (err error) {
		for _, m := range ended {
			err = errors.Join(err, w.PutState(m))
		}
		return err
	}, nil
}

// gameOf is the game that something remembered belongs to, 0 for none.
func gameOf(end limit.End, m storage.State) storage.GameID {
	var text string
	switch end.Game {
	case limit.InName:
		text = m.Name[strings.LastIndex(m.Name, "/")+1:]
	case limit.InValue:
		text = string(m.Value[bytes.LastIndexByte(m.Value, ' ')+1:])
	case limit.Nowhere:
		return 0
	}
	n, _ := strconv.ParseUint(text, 10, 64)
	return storage.GameID(n)
}

// lifetime is whether a game goes on, or is still a challenge, and if not when it ended,
// which is not known of one that came to nothing.
type lifetime struct {
	lasts bool
	ended time.Time
}

func lifetimeOf(r storage.Reader, id storage.GameID) (lifetime, error) {
	g, err := r.Games().Get(id)
	if err == nil {
		return lifetime{!g.Over(), g.Changed}, nil
	}
	if errors.Is(err, storage.ErrNotFound) {
		_, err = r.Challenges().Get(id)
	}
	if errors.Is(err, storage.ErrNotFound) {
		return lifetime{}, nil
	}
	if storage.Missing(err) {
		err = nil // it cannot be read, and may be mended
	}
	return lifetime{lasts: true}, err
}
