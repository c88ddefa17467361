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
// that can come no more, of the last numbers of what was said, and of what adapters remember. Each
// call goes on with the parts behind those of the one before.
func (s *Keeper) sweep(ctx context.Context) error {
	return errors.Join(s.sweepUndelivered(ctx), s.sweepStates(ctx), s.sweepOld(ctx, storage.SweptSeen), s.sweepOld(ctx, storage.SweptPosted))
}

func (s *Keeper) sweepUndelivered(ctx context.Context) error {
	before := s.now().Add(-limit.Undelivered)
	stale, err := storage.Read(ctx, s.store, func(r storage.Reader) (bool, error) { return r.StaleUndelivered(before) })
	if err != nil || !stale {
		return err
	}
	return s.store.Update(ctx, func(w storage.Writer) error {
		_, err := w.ForgetUndelivered(before, limit.SweepStep)
		return err
	})
}

func (s *Keeper) sweepStates(ctx context.Context) error {
	_, err := sweepPart(ctx, s.store, storage.SweptStates, s.endedStates, func(w storage.Writer, ends []storage.State) error {
		for _, m := range ends {
			if err := w.PutState(m); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

// sweepRest is how long a kind is left alone once all of it was looked through.
const sweepRest = 24 * time.Hour

// sweepOld forgets in the next part of a kind what is older than anything that can come again.
func (s *Keeper) sweepOld(ctx context.Context, kind string) error {
	now := s.now()
	if last := s.swept[kind]; last.After(now.Add(-sweepRest)) && !last.After(now) {
		return nil
	}
	look := func(r storage.Reader) (found part[string], err error) {
		if found.from, err = r.Swept(kind); err == nil {
			found.ends, found.to, err = r.Old(kind, found.from, now.Add(-storage.Remember), limit.SweepStep)
		}
		return found, err
	}
	found, err := sweepPart(ctx, s.store, kind, look, func(w storage.Writer, ends []string) error { return w.Forget(kind, ends) })
	if err == nil && found.to == "" && len(found.ends) == 0 {
		s.swept[kind] = now
	}
	return err
}

// swept is what was found in a part of what is remembered.
type part[T any] struct {
	ends     []T    // that have come to their end
	from, to string // where the part begins and ends
}

// idle reports whether there is nothing to write of it.
func (s *part[T]) idle() bool { return len(s.ends) == 0 && s.to == s.from }

// sweepPart looks through the next part of a kind, and does with what has come to its end what is to be
// done. Where there is nothing to write, nothing is.
func sweepPart[T any](ctx context.Context, store *storage.Store, kind string, look func(storage.Reader) (part[T], error), end func(storage.Writer, []T) error) (part[T], error) {
	found, err := storage.Read(ctx, store, look)
	if err != nil || found.idle() {
		return found, err
	}
	err = store.Update(ctx, func(w storage.Writer) (err error) {
		if found, err = look(w.Reader); err != nil {
			return err
		}
		return errors.Join(end(w, found.ends), w.PutSwept(kind, found.to))
	})
	return found, err
}

// sweepKeeps is how many bytes are remembered anew in one transaction.
const sweepKeeps = 4 * storage.MaxState

// lookThrough looks through the next part of what adapters remember. What has come to its end is
// without its value; what has none yet, since it was remembered for a game, has the time till
// whose end begins now.
func (s *Keeper) endedStates(r storage.Reader) (found part[storage.State], err error) {
	if found.from, err = r.Swept(storage.SweptStates); err != nil {
		return found, err
	}
	all, to, err := r.StatesAfter(found.from, limit.SweepStep)
	if err != nil {
		return found, err
	}
	found.to = to
	kept := 0
	lives := map[storage.GameID]lifetime{}
	for n, m := range all {
		i := slices.IndexFunc(limit.Ends, func(e limit.End) bool { return strings.HasPrefix(m.Name, e.Kind) })
		end := limit.Ends[i] // the last fits all
		since := m.At
		if id := gameOf(end, m); id != 0 {
			life, known := lives[id]
			if !known {
				if life, err = lifetimeOf(r, id); err != nil {
					return found, err
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
		switch {
		case since.IsZero():
			if kept += len(m.Value); kept > sweepKeeps && n > 0 {
				found.to = all[n-1].Place()
				return found, nil
			}
			found.ends = append(found.ends, m)
		case s.now().Sub(since) > end.After:
			m.Value = nil
			found.ends = append(found.ends, m)
		}
	}
	return found, nil
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
