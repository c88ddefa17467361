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

// sweepRest is how long a kind is left alone once all of it was looked through.
const sweepRest = 24 * time.Hour

// swept is how far a kind was looked through.
type swept struct {
	place string    // where to go on
	end   time.Time // when all of it had been looked through
}

// sweep forgets what has come to its end: a part of what could never be said, of the answers that can
// come no more, of the last numbers of what was said, of sessions, of people who solve no puzzles any
// more, and of what adapters remember. Each call goes on with the parts behind those of the one before.
func (s *Keeper) sweep(ctx context.Context) (err error) {
	now := s.now()
	for _, old := range []struct {
		kind  string
		after time.Duration
	}{
		{storage.SweptStates, 0},
		{storage.SweptDead, limit.Undelivered},
		{storage.SweptSeen, storage.Remember},
		{storage.SweptPosted, storage.Remember},
		{storage.SweptSessions, 0},
		{storage.SweptSolvers, limit.Solvers},
	} {
		last := s.swept[old.kind]
		if rested := now.Sub(last.end); rested >= 0 && rested < sweepRest {
			continue
		}
		var gone []string
		var next string
		look := func(r storage.Reader) (err error) {
			if old.kind == storage.SweptStates {
				gone, next, err = s.endedStates(r, last.place)
			} else {
				gone, next, err = r.Old(old.kind, last.place, now.Add(-old.after), limit.SweepStep)
			}
			return err
		}
		err2 := s.store.View(ctx, look)
		if err2 == nil && len(gone) > 0 {
			err2 = s.store.Update(ctx, func(w storage.Writer) error {
				err := look(w.Reader)
				return errors.Join(err, w.Forget(old.kind, gone))
			})
		}
		if err = errors.Join(err, err2); err2 == nil {
			if s.swept[old.kind] = (swept{place: next}); next == "" {
				s.swept[old.kind] = swept{end: now}
			}
		}
	}
	return err
}

// endedStates are the places of what has come to its end in the part of what adapters remember that
// follows a place, and where that part ends.
func (s *Keeper) endedStates(r storage.Reader, from string) (gone []string, to string, err error) {
	all, to, err := r.StatesFrom(from, limit.SweepStep)
	for _, m := range all {
		i := slices.IndexFunc(limit.Ends, func(e limit.End) bool { return strings.HasPrefix(m.Name, e.Kind) })
		lasts := limit.Ends[i] // the last fits all
		goesOn, since, err := lifetime(r, gameOf(lasts, m))
		if err != nil {
			return nil, from, err
		}
		if m.At.After(since) {
			since = m.At
		}
		if !goesOn && !since.IsZero() && s.now().Sub(since) > lasts.After {
			gone = append(gone, m.Place())
		}
	}
	return gone, to, err
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

// lifetime is whether a game goes on, or is still a challenge, and if not when it ended, which is not
// known of none and of one that came to nothing.
func lifetime(r storage.Reader, id storage.GameID) (lasts bool, ended time.Time, err error) {
	if id == 0 {
		return false, ended, nil
	}
	g, err := r.Games().Get(id)
	if err == nil {
		return !g.Over(), g.Changed, nil
	}
	if errors.Is(err, storage.ErrNotFound) {
		if _, err = r.Challenges().Get(id); errors.Is(err, storage.ErrNotFound) {
			return false, ended, nil
		}
	}
	if storage.Missing(err) {
		err = nil // it cannot be read, and may be mended
	}
	return true, ended, err
}
