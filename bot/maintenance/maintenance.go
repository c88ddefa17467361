// Package maintenance does what nobody asks for: it handles what is due, removes what has expired, and
// sets aside what is corrupt. It also verifies that all stored records agree.
package maintenance

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/outbox"
	"chimera/bot/rating"
	"chimera/bot/user"
	"chimera/storage"
)

// Keeper keeps a store in order. It is safe for concurrent use.
type Keeper struct {
	store   *storage.Store
	events  *event.Log
	match   *match.Service
	ratings *rating.Service
	users   *user.Users
	chores  []func(context.Context) error
	now     func() time.Time

	waitForTurn func(context.Context) error // nil if no other process does what is due
	told        atomic.Int64                // how often Saving began or ceased to fail: odd while nothing can be saved
	swept       map[string]swept            // by kind; of Tick alone
}

// New makes a Keeper. now is the wall clock; chores are further things to do at each Tick.
func New(store *storage.Store, in *event.Log, l *rating.Service, m *match.Service, users *user.Users, now func() time.Time, chores ...func(context.Context) error) *Keeper {
	return &Keeper{store: store, events: in, match: m, ratings: l, users: users, now: now, chores: chores, swept: map[string]swept{}}
}

// Saving is called before each transaction that writes, and the function it returns with its error. It
// logs when transactions first cannot be saved, and when they can be again. Transactions that began
// before such a change are ignored.
func (s *Keeper) Saving(ctx context.Context, log *slog.Logger) func(error) {
	before := s.told.Load()
	failing := before%2 == 1
	return func(err error) {
		if errors.Is(err, storage.ErrNotSaved) && !failing && s.told.CompareAndSwap(before, before+1) {
			log.ErrorContext(ctx, "nothing can be saved, so everything waits", "err", err)
		} else if err == nil && failing && s.told.CompareAndSwap(before, before+1) {
			log.InfoContext(ctx, "everything can be saved again")
		}
	}
}

// How often Run checks whether something is due; less often while that fails.
const (
	tickEvery  = 20 * time.Second
	tickSeldom = 2 * time.Minute
)

// StandBy lets Run do what is due only once turn has returned nil. It is called before Run.
func (s *Keeper) StandBy(turn func(context.Context) error) { s.waitForTurn = turn }

// standBy waits for the turn, and meanwhile does what each process has to do for itself.
func (s *Keeper) standBy(ctx context.Context, log *slog.Logger) error {
	turn := make(chan error, 1)
	go func() { turn <- s.waitForTurn(ctx) }()
	ticks := time.NewTicker(tickEvery)
	defer ticks.Stop()
	for {
		select {
		case err := <-turn:
			return err
		case <-ticks.C:
		}
		s.Saving(ctx, log)(s.Probe(ctx))
		if err := errors.Join(s.quarantine(ctx), s.ratings.CatchUp(ctx)); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "what was stored is not followed: it is tried again", "err", err)
		}
	}
}

// Run does what is due until the context is done. What fails is tried again; records that cannot be
// handled were set aside, and are logged once. sleep waits.
func (s *Keeper) Run(ctx context.Context, log *slog.Logger, sleep func(context.Context, time.Duration) error) error {
	if s.waitForTurn != nil {
		if err := s.standBy(ctx, log); err != nil {
			return err
		}
	}
	if err := s.releaseSound(ctx); err != nil {
		log.ErrorContext(ctx, "what was set aside is not looked at again", "err", err)
	}
	wait, told := tickEvery, false
	known := map[storage.Ref]bool{}
	for ctx.Err() == nil {
		saved := s.Saving(ctx, log)
		beat := s.match.Beat(ctx)
		saved(beat)
		err := errors.Join(beat, s.Tick(ctx))
		if err == nil {
			err = s.logQuarantined(ctx, log, known)
		}
		if ctx.Err() != nil {
			break
		}
		if err == nil && told {
			log.InfoContext(ctx, "what is due is done again")
			told = false
		} else if err != nil && !told && !errors.Is(err, storage.ErrNotSaved) { // ErrNotSaved is logged by Saving
			log.ErrorContext(ctx, "what is due is not done: it is tried again", "err", err)
			told = true
		}
		if wait = min(2*wait, tickSeldom); err == nil {
			wait = tickEvery
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// logQuarantined logs the records that were set aside and are not in known.
func (s *Keeper) logQuarantined(ctx context.Context, log *slog.Logger, known map[storage.Ref]bool) error {
	parked, err := s.Quarantined(ctx)
	for _, p := range parked {
		if known[p.Ref] {
			continue
		}
		known[p.Ref] = true
		log.ErrorContext(ctx, "set aside: it cannot be handled", slog.String("kind", p.Kind), slog.Uint64("number", p.ID),
			slog.Time("since", p.At), slog.String("err", outbox.Fault(errors.New(p.Fault))))
	}
	return err
}

// Tick does what is due: it reminds people, ends their time, lets challenges and
// vacations end, and keeps the leaderboards up to date. Calling it again at once does nothing;
// where nothing is due it reads a few keys.
func (s *Keeper) Tick(ctx context.Context) error {
	for {
		var faults error // of one chore; they do not stop the others
		for _, chore := range slices.Concat([]func(context.Context) error{s.match.HandleDue, s.ratings.CloseMonths, s.sweep, s.quarantine}, s.chores) {
			faults = errors.Join(faults, chore(ctx))
		}
		// The rest may take long: what is due goes first.
		more, err := s.users.WorkMore(ctx)
		if err == nil && !more {
			more, err = s.ratings.RecountMore(ctx)
		}
		if faults = errors.Join(faults, err); faults != nil || !more {
			return errors.Join(faults, s.ratings.CatchUp(ctx))
		}
	}
}

// sweepRest is how long to wait after all items of a kind were checked.
const sweepRest = 24 * time.Hour

// swept is how far the items of a kind were checked.
type swept struct {
	place string    // where to go on
	end   time.Time // when all of them had been checked
}

// sweep removes some of what has expired: undeliverable entries, remembered answers, old entry
// numbers, sessions, people who have stopped solving puzzles, and what adapters remember. Each call
// goes on where the last one stopped.
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

// endedStates are the places of what has expired in the next part of what adapters remember, and where
// that part ends.
func (s *Keeper) endedStates(r storage.Reader, from string) (gone []string, to string, err error) {
	all, to, err := r.StatesFrom(from, limit.SweepStep)
	for _, m := range all {
		i := slices.IndexFunc(limit.Ends, func(e limit.End) bool { return strings.HasPrefix(m.Name, e.Kind) })
		lasts := limit.Ends[i] // the last one matches everything
		goesOn, since, err := lifetime(r, gameOf(lasts, m))
		if err != nil {
			return nil, from, err
		}
		since = slices.MaxFunc([]time.Time{since, m.At}, time.Time.Compare)
		if !goesOn && !since.IsZero() && s.now().Sub(since) > lasts.After {
			gone = append(gone, m.Place())
		}
	}
	return gone, to, err
}

// gameOf is the game that a remembered item belongs to, 0 for none.
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

// lifetime reports whether a game is in progress or still a challenge and, if not, when it ended: the
// zero time for no game, or a challenge without one.
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
	return true, ended, storage.UnlessMissing(err) // an unreadable record may still be repaired
}
