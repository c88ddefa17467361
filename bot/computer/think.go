// Package computer plays the computer's games, gives hints, and reviews games that have ended.
//
// # Playing
//
// Which games wait for the computer is an index of the games themselves, so that no work can be
// lost: it is read when the program begins, and heard of as games are stored. A game is read,
// searched outside any transaction, and the move is played on the game as it was read: if that has
// changed meanwhile nothing is done, and the game, if it still waits, is heard of again. What the
// computer does is a pure function of the game, so that a program that was killed while it
// searched does the same the next time.
//
// The number of workers is bounded. Games are searched in the order in which their answers are
// wanted: weak levels, which take no time, at once, strong ones a little later, and a person's
// second game after the first games of others. As that time is fixed when a game begins to wait,
// none waits for ever.
//
// # Reviews
//
// A review finds how well either side has played, what decided the game, and where pieces became
// one. It is a pure function of the game's moves. Each position is searched briefly, those around
// the moves that cost most once more and longer: the difference between the scores of two positions
// is what the move between them was worth. A review is made in steps, so that games can be played
// in between.
//
// Centipawns become winning chances, and these a player's accuracy, by the formulas that Lichess
// publishes (https://lichess.org/page/accuracy and its AccuracyPercent.scala): people know such
// figures. They were fitted to chess; in other games they still tell better from worse.
//
// Only the scores and a few lines of moves are stored; all else, such as which piece was lost, is
// worked out from them when the review is shown.
package computer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"sync"
	"time"

	"chimera/bot/match"
	"chimera/rules"
	"chimera/rules/engine"
	"chimera/storage"
)

// Thinker plays the computer's games. It is safe for concurrent use.
type Thinker struct {
	store  *storage.Store
	games  *match.Games
	match  *match.Service
	now    func() time.Time
	engine func(*rules.Variant) (searcher, error)

	news     *storage.News[storage.GameID] // games that wait
	advising chan struct{}                 // holds one who is being advised

	mu      sync.Mutex
	turn    func(context.Context) error // nil where no other process plays
	ours    bool                        // it is this process that plays
	waiting map[storage.GameID]job
	busy    map[storage.GameID]job // being thought about
	workers int
	took    [match.Levels + 1]time.Duration // a moving average, by level
	running bool                            // there are workers

	reviews  []*reviewing  // in the order in which they were asked for
	reviewed time.Duration // how long one takes, a moving average
}

// searcher is an [engine.Engine].
type searcher interface {
	Search(context.Context, rules.Game, engine.Limits) (engine.Result, error)
}

// job is a game that waits for the computer.
type job struct {
	id     storage.GameID
	level  int
	person storage.PersonID // who waits
	wanted time.Time        // by when an answer should come
	rest   time.Time        // until when it is not tried again
	tries  int
}

// New makes a Thinker. now is the wall clock.
func New(store *storage.Store, games *match.Games, m *match.Service, now func() time.Time) *Thinker {
	t := &Thinker{
		store: store, games: games, match: m, now: now, news: storage.NewNews[storage.GameID](), advising: make(chan struct{}, 1), workers: 1,
		engine: func(v *rules.Variant) (searcher, error) { return engine.New(v) },
		ours:   true, reviewed: time.Second, waiting: map[storage.GameID]job{}, busy: map[storage.GameID]job{},
	}
	for level := range t.took {
		t.took[level] = time.Millisecond
	}
	const seven, eight = 25 * time.Millisecond, 150 * time.Millisecond // about what they take
	t.took[match.Levels-1], t.took[match.Levels] = seven, eight
	return t
}

// StandBy lets Run play only once turn has returned nil, and before make reviews alone. It is
// called before Run.
func (t *Thinker) StandBy(turn func(context.Context) error) { t.turn, t.ours = turn, false }

// await waits for the turn, until the context is done.
func (t *Thinker) await(ctx context.Context) {
	if t.turn == nil || t.turn(ctx) != nil {
		return
	}
	t.mu.Lock()
	t.ours = true
	t.mu.Unlock()
	t.news.Look()
}

// Run plays with a number of workers until the context is done: then it stops at once, and the games
// that it was searching are searched again when the program is started again.
func (t *Thinker) Run(ctx context.Context, log *slog.Logger, workers int) error {
	t.mu.Lock()
	t.workers, t.running = workers, true
	t.mu.Unlock()
	var running sync.WaitGroup
	running.Go(func() { t.await(ctx) })
	for range workers {
		running.Go(func() {
			w := &worker{Thinker: t, log: log}
			for ctx.Err() == nil {
				if next := w.once(ctx); !next.IsZero() {
					t.news.Wait(ctx, max(next.Sub(t.now()), time.Millisecond))
				}
			}
		})
	}
	running.Wait()
	return ctx.Err()
}

// Settle plays in the games that wait now, one after the other and always in the same order.
func (t *Thinker) Settle(ctx context.Context, log *slog.Logger) {
	w := &worker{Thinker: t, log: log}
	for next := (time.Time{}); ctx.Err() == nil && next.IsZero(); {
		next, _ = w.play(ctx)
	}
}

// soon is the first delay before something that failed is tried again.
const soon = time.Second

// read reads the games that wait: the first time all, then those that were stored since.
func (t *Thinker) read(ctx context.Context) error {
	t.mu.Lock()
	ours := t.ours
	t.mu.Unlock()
	if !ours {
		return nil
	}
	news, all := t.news.Take()
	if all { // one that is never run leaves hearing to that which is
		t.store.OnAwaited(t.news.Hear)
	} else if len(news) == 0 {
		return nil
	}
	slices.Sort(news)
	games, err := storage.Read(ctx, t.store, func(r storage.Reader) ([]storage.Game, error) {
		if all {
			return r.Games().All(r.Thinking())
		}
		return r.Games().All(news)
	})
	if err != nil {
		t.news.Keep(news, all)
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range games {
		t.add(&games[i])
	}
	return nil
}

// inTime is how long an answer may take, by level: weaker levels come first, even if they begin to
// wait later.
var inTime = [match.Levels + 1]time.Duration{ //nolint:gochecknoglobals // never written
	match.Levels - 1: 500 * time.Millisecond, match.Levels: 2 * time.Second,
}

// afterOthers is how much later the next game of one person is wanted.
const afterOthers = 2 * time.Second

// add lets a game wait, if it does.
func (t *Thinker) add(g *storage.Game) {
	level := g.Awaited()
	if level == 0 {
		delete(t.waiting, g.ID)
		return
	}
	if _, waits := t.waiting[g.ID]; waits {
		return
	}
	side, _ := g.Computer()
	j := job{id: g.ID, level: level, person: g.Players[1-side]}
	j.wanted = t.now().Add(inTime[max(0, min(level, match.Levels))])
	for _, others := range []map[storage.GameID]job{t.waiting, t.busy} {
		for _, other := range others {
			if other.person == j.person {
				j.wanted = j.wanted.Add(afterOthers)
			}
		}
	}
	t.waiting[g.ID] = j
}

func (j job) compare(other job) int {
	return cmp.Or(j.wanted.Compare(other.wanted), cmp.Compare(j.id, other.id))
}

// take takes the game that is wanted first, or says when to look again: a minute from now if only
// news can change anything.
func (t *Thinker) take() (first job, next time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	next = now.Add(time.Minute)
	for _, j := range t.waiting {
		switch _, busy := t.busy[j.id]; {
		case busy:
		case j.rest.After(now):
			if j.rest.Before(next) {
				next = j.rest
			}
		case first.id == 0 || j.compare(first) < 0:
			first = j
		}
	}
	if first.id != 0 {
		delete(t.waiting, first.id)
		t.busy[first.id] = first
		if len(t.waiting) > 0 {
			t.news.Look() // another worker may have time
		}
	}
	return first, next
}

// done notes what became of a game; one that could not be thought about is tried again after a
// while.
func (t *Thinker) done(j job, took time.Duration, again bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.busy, j.id)
	if !again {
		const weight = 8
		t.took[max(j.level, 0)] += (took - t.took[max(j.level, 0)]) / weight
		return
	}
	const many = 6 // then a minute
	j.tries = min(j.tries+1, many)
	j.rest = t.now().Add(soon << j.tries)
	if _, waits := t.waiting[j.id]; !waits {
		t.waiting[j.id] = j
	}
}

// Backlog is the number of games in which the computer is to move, and about how long its answer will
// take in one of them, 0 if that is not one.
func (t *Thinker) Backlog(id storage.GameID) (games int, in time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	mine, waits := t.waiting[id]
	for _, j := range t.waiting {
		if waits && j.compare(mine) <= 0 {
			in += t.took[max(j.level, 0)] / time.Duration(t.workers)
		}
	}
	return len(t.waiting) + len(t.busy), in
}

// worker searches games, one after the other. It keeps the engines of the kinds it has searched last.
type worker struct {
	*Thinker
	log     *slog.Logger
	engines map[string]searcher
}

// once plays in one game, or makes a review; the time is when to look again, zero for now.
func (w *worker) once(ctx context.Context) time.Time {
	next, idle := w.play(ctx)
	if idle && w.reviewOne(ctx) {
		return time.Time{}
	}
	return next
}

// play plays in the game that is wanted first. Otherwise it says when to look again, and whether that
// is because no game waits.
func (w *worker) play(ctx context.Context) (next time.Time, idle bool) {
	if err := w.read(ctx); err != nil {
		if ctx.Err() == nil {
			w.log.ErrorContext(ctx, "the computer's games cannot be read: it is tried again", "err", err)
		}
		return w.now().Add(soon), false
	}
	j, next := w.take()
	if j.id == 0 {
		return next, true
	}
	begun := time.Now()
	err := w.think(ctx, j)
	again := ctx.Err() != nil || err != nil && !match.Unfit(err) && !errors.Is(err, errStuck)
	if err != nil && ctx.Err() == nil && !errors.Is(err, storage.ErrNotSaved) { // that is logged once for all
		w.log.ErrorContext(ctx, "the computer cannot play", slog.Uint64("game", uint64(j.id)), slog.Bool("again", again), slog.String("err", err.Error()))
	}
	w.done(j, time.Since(begun), again)
	return time.Time{}, false
}

// errStuck is about a game in which nothing can be done; trying again would not help.
var errStuck = errors.New("computer: there is nothing to do")

// think does what there is to do in a game.
func (w *worker) think(ctx context.Context, j job) error {
	g, err := storage.Read(ctx, w.store, func(r storage.Reader) (storage.Game, error) { return r.Games().Get(j.id) })
	if err != nil || g.Awaited() == 0 || g.Quarantined != "" {
		return err
	}
	line, err := w.games.Replay(&g)
	if err != nil {
		return err
	}
	deed, err := decide(func(game rules.Game, l engine.Limits) (engine.Result, error) { return w.search(ctx, j.id, game, l) }, &g, line)
	switch {
	case ctx.Err() != nil:
		return ctx.Err() // it was not thought to the end
	case err != nil:
		return fmt.Errorf("%w: %w", errStuck, err)
	}
	_, err = w.match.Act(ctx, g, deed)
	if no := (*match.Illegal)(nil); errors.As(err, &no) {
		return fmt.Errorf("%w: %w", errStuck, err)
	}
	return err
}

// search searches a game. If that panics the weakest level plays, and if that panics too, any move is
// played.
func (w *worker) search(ctx context.Context, id storage.GameID, game rules.Game, l engine.Limits) (engine.Result, error) {
	found, err := w.try(ctx, game, l)
	if !errors.Is(err, errPanic) {
		return found, err
	}
	w.log.ErrorContext(ctx, "the search failed: the weakest level plays", slog.Uint64("game", uint64(id)), slog.String("err", err.Error()))
	found, err = w.try(ctx, game, engine.Limits{Level: engine.AtLevel(0), Seed: l.Seed})
	if moves := game.Position.Moves(); errors.Is(err, errPanic) && len(moves) > 0 {
		first := engine.Line{Moves: moves[l.Seed%uint64(len(moves)):][:1]}
		return engine.Result{Line: first, Lines: []engine.Line{first}}, nil
	}
	return found, err
}

var errPanic = errors.New("computer: panic")

// enginesKept is how many a worker keeps: each may have some ten megabytes.
const enginesKept = 3

// try searches a game without getting in people's way. A panic is an error.
func (w *worker) try(ctx context.Context, game rules.Game, l engine.Limits) (found engine.Result, err error) {
	v := game.Position.Variant()
	e := w.engines[v.Key]
	if e == nil {
		if e, err = w.engine(v); err != nil {
			return found, err
		}
		if len(w.engines) >= enginesKept || w.engines == nil {
			w.engines = map[string]searcher{}
		}
		w.engines[v.Key] = e
	}
	atLowPriority(func(yield func()) {
		defer func() {
			if p := recover(); p != nil {
				delete(w.engines, v.Key) // its state may be damaged
				err = fmt.Errorf("%w: %v", errPanic, p)
			}
		}()
		l.Yield = yield
		found, err = e.Search(ctx, game, l)
	})
	return found, err
}

// adviceNodes is how long advice is searched for: some hundredths of a second.
const adviceNodes = 30_000

// patience is how long somebody waits while others are advised.
const patience = 5 * time.Second

// ErrBusy is returned to somebody whose turn has not come in time, since many want advice.
var ErrBusy = errors.New("computer: others are being advised")

// Advise is what the computer would do in somebody's place. One is advised after the other. It is
// the same each time. The error is [ErrBusy], or that of ctx if it is done before there is an answer.
func (t *Thinker) Advise(ctx context.Context, game rules.Game) (engine.Result, error) {
	select {
	case t.advising <- struct{}{}:
		defer func() { <-t.advising }()
	case <-ctx.Done():
		return engine.Result{}, ctx.Err()
	case <-time.After(patience):
		return engine.Result{}, ErrBusy
	}
	e, err := t.engine(game.Position.Variant())
	if err != nil {
		return engine.Result{}, err
	}
	found, err := e.Search(ctx, game, engine.Limits{Nodes: adviceNodes})
	return found, cmp.Or(err, ctx.Err()) // it may not have been thought to the end
}

// Judge is how likely White is to win after a move, in per cent, which of marks the move deserves, and how a game would
// best go on then, as far as Advise sees it, with whose errors.
func (t *Thinker) Judge(ctx context.Context, before, after *rules.Position, m rules.Move) (white int, mark string, best []rules.Move, err error) {
	scores, cost := make([]int, 2), 0
	for i, pos := range []*rules.Position{before, after} {
		game := rules.NewGame(pos)
		if scores[i], best = ended(game.Outcome()), nil; game.Outcome().Over() {
			continue
		}
		found, err := t.Advise(ctx, game)
		if err != nil {
			return 0, "", nil, err
		}
		if scores[i], best = scoreOf(found.Score, pos.Turn()), found.Moves; i == 0 && found.Move() == m {
			cost = -1
		}
	}
	even := evened(before.Variant(), scores)
	return int(math.Round(100 * Chances(even[1]))), marks[badness(even, 0, before, cost)], best, nil
}
