// Package computer plays the computer's games, gives hints, and reviews games that have ended.
//
// # Playing
//
// The store keeps an index of the games that wait for the computer, so no work can be lost. The index is read when the
// program starts; after that, the store reports such games as they are stored. A game is read and then searched outside
// any transaction. If the game has changed meanwhile, nothing is done, and the store reports it again if it still
// waits. The computer's decision is a pure function of the game: a program that was killed during a search does the
// same the next time.
//
// The number of workers is fixed. Games are searched in the order in which their answers are due: weak levels, which
// take no time, at once, strong ones a little later, and a person's second game after the first games of others. The
// due time is set when a game begins to wait, so none waits for ever.
//
// # Reviews
//
// A review finds how well each side played, which moves decided the game, and where pieces joined. It is a pure
// function of the game's moves. Each position is searched briefly, and those around the worst moves again for longer.
// The difference between the scores of two positions is the worth of the move between them. A review is made in steps,
// so that games can be played in between.
//
// Centipawns are turned into winning chances, and these into a player's accuracy, by the formulas that Lichess
// publishes (https://lichess.org/page/accuracy and its AccuracyPercent.scala), since people know such figures. They
// were fitted to chess; in other games they still tell better play from worse.
//
// Only scores, costs of moves and a few lines are stored. Everything else, such as which piece was lost, is worked out
// when the review is shown.
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
	advising chan struct{}                 // full while somebody is being advised

	mu      sync.Mutex
	turn    func(context.Context) error // waits until this process may play; nil if no other one does
	ours    bool                        // this process may play
	waiting map[storage.GameID]job
	busy    map[storage.GameID]job          // being searched
	workers int                             // 0 before Run
	took    [match.Levels + 1]time.Duration // per answer, by level: a moving average

	reviews  []*reviewing  // in the order of requests
	reviewed time.Duration // time per review: a moving average
}

// searcher is an [engine.Engine].
type searcher interface {
	Search(context.Context, rules.Game, engine.Limits) (engine.Result, error)
}

// job is a game that waits for the computer.
type job struct {
	id     storage.GameID
	level  int
	person storage.PersonID // the opponent, who waits
	wanted time.Time        // when the answer is due
	rest   time.Time        // after a failure: not tried again before
	tries  int
}

// New makes a Thinker. now is the wall clock.
func New(store *storage.Store, games *match.Games, m *match.Service, now func() time.Time) *Thinker {
	t := &Thinker{
		store: store, games: games, match: m, now: now, news: storage.NewNews[storage.GameID](), advising: make(chan struct{}, 1),
		engine: func(v *rules.Variant) (searcher, error) { return engine.New(v) },
		ours:   true, reviewed: time.Second, waiting: map[storage.GameID]job{}, busy: map[storage.GameID]job{},
	}
	for level := range t.took {
		t.took[level] = time.Millisecond
	}
	const seven, eight = 25 * time.Millisecond, 150 * time.Millisecond // estimates for the two strongest levels
	t.took[match.Levels-1], t.took[match.Levels] = seven, eight
	return t
}

// StandBy has Run play only once turn has returned nil; until then Run only makes reviews. It must be called before
// Run.
func (t *Thinker) StandBy(turn func(context.Context) error) { t.turn, t.ours = turn, false }

// await waits for this process's turn, or until ctx is done.
func (t *Thinker) await(ctx context.Context) {
	if t.turn == nil || t.turn(ctx) != nil {
		return
	}
	t.mu.Lock()
	t.ours = true
	t.mu.Unlock()
	t.news.Look()
}

// Run plays with a number of workers until ctx is done, and returns its error. It then stops at once; games that were
// being searched are searched again after the next start.
func (t *Thinker) Run(ctx context.Context, log *slog.Logger, workers int) error {
	t.mu.Lock()
	t.workers = workers
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

// Settle plays in the games that wait now, one at a time and always in the same order.
func (t *Thinker) Settle(ctx context.Context, log *slog.Logger) {
	w := &worker{Thinker: t, log: log}
	for next := (time.Time{}); ctx.Err() == nil && next.IsZero(); {
		next, _ = w.play(ctx)
	}
}

// soon is the delay before a failed read is tried again. For a game that failed, it is doubled each time.
const soon = time.Second

// read queues the games that wait: at first all, later those stored since. It does nothing before this process's turn.
func (t *Thinker) read(ctx context.Context) error {
	t.mu.Lock()
	ours := t.ours
	t.mu.Unlock()
	if !ours {
		return nil
	}
	news, all := t.news.Take()
	if all { // the store reports to one Thinker only: one that plays
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

// inTime is after how long an answer is due, by level: weaker levels come first, even if they begin to wait later.
var inTime = [match.Levels + 1]time.Duration{ //nolint:gochecknoglobals // never written
	match.Levels - 1: 500 * time.Millisecond, match.Levels: 2 * time.Second,
}

// afterOthers is how much later an answer is due for each other game of the same person that waits.
const afterOthers = 2 * time.Second

// add queues a game that waits for the computer, and removes any other. t.mu must be held.
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

// take takes the game that is due first. If there is none, its id is 0, and next is when to look again: in a minute if
// no failed game is to be tried before.
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

// done records that a game was searched. If it is to be tried again, it rests first, longer each time.
func (t *Thinker) done(j job, took time.Duration, again bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.busy, j.id)
	if !again {
		const weight = 8
		t.took[max(j.level, 0)] += (took - t.took[max(j.level, 0)]) / weight
		return
	}
	const many = 6 // 64 seconds: it never rests longer
	j.tries = min(j.tries+1, many)
	j.rest = t.now().Add(soon << j.tries)
	if _, waits := t.waiting[j.id]; !waits {
		t.waiting[j.id] = j
	}
}

// Backlog is the number of games that the computer has to answer in, and about when it will answer in the given one; 0
// if that one does not wait.
func (t *Thinker) Backlog(id storage.GameID) (games int, in time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	mine, waits := t.waiting[id]
	for _, j := range t.waiting {
		if waits && j.compare(mine) <= 0 {
			in += t.took[max(j.level, 0)] / time.Duration(max(t.workers, 1))
		}
	}
	return len(t.waiting) + len(t.busy), in
}

// worker searches games one at a time. It keeps the engines of a few variants.
type worker struct {
	*Thinker
	log     *slog.Logger
	engines map[string]searcher
}

// once plays in one game or makes one review, and returns when to look again; the zero time is now.
func (w *worker) once(ctx context.Context) time.Time {
	next, idle := w.play(ctx)
	if idle && w.reviewOne(ctx) {
		return time.Time{}
	}
	return next
}

// play plays in the game that is due first; next is then zero. Otherwise next is when to look again, and idle is false
// if the games could not be read.
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
	if err != nil && ctx.Err() == nil && !errors.Is(err, storage.ErrNotSaved) { // the store logs that
		w.log.ErrorContext(ctx, "the computer cannot play", slog.Uint64("game", uint64(j.id)), slog.Bool("again", again), slog.String("err", err.Error()))
	}
	w.done(j, time.Since(begun), again)
	return time.Time{}, false
}

// errStuck means that nothing can be done in a game, and that trying again would not help.
var errStuck = errors.New("computer: there is nothing to do")

// think reads a game, decides, and acts. It does nothing if the game no longer waits.
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
		return ctx.Err() // the search was cut short
	case err != nil:
		return fmt.Errorf("%w: %w", errStuck, err)
	}
	err = w.match.Act(ctx, g, deed)
	if no := (*match.Illegal)(nil); errors.As(err, &no) {
		return fmt.Errorf("%w: %w", errStuck, err)
	}
	return err
}

// search searches a game. If that panics, the weakest level plays; if that panics too, an arbitrary legal move is
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

// enginesKept is how many engines a worker keeps: each may take twenty megabytes.
const enginesKept = 3

// try searches a game at low priority. A panic is returned as errPanic.
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

// adviceNodes is how many moves are tried for advice, which takes some hundredths of a second.
const adviceNodes = 30_000

// patience is how long somebody waits for their turn to be advised.
const patience = 5 * time.Second

// ErrBusy is returned to somebody whose turn did not come in time, because many want advice.
var ErrBusy = errors.New("computer: others are being advised")

// Advise finds the best move of a game, always the same. One person is advised at a time. The error is [ErrBusy], the
// engine's, or that of ctx if it is done first.
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
	return found, cmp.Or(err, ctx.Err()) // the search may have been cut short
}

// Judge rates a move by Advise, and has its errors: white is White's winning chances after it, in per cent, mark is "",
// "?!", "?" or "??", and best is how the game would best go on, nil if it has ended.
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
