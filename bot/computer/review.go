package computer

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"chimera/rules"
	"chimera/rules/engine"
	"chimera/storage"
)

// Going is a review that is being made.
type Going struct {
	Game storage.GameID
	In   time.Duration // in about what time it is there
}

// reviewing is a review that is being made. It is only in memory: after a restart of the program it
// has to be asked for again.
type reviewing struct {
	id   storage.GameID
	by   storage.PersonID
	left float64       // of the work
	took time.Duration // so far
	busy bool          // a worker is at it
	done chan struct{} // closed when it is kept, or err says why not
	err  error
}

// Review is the review of a game that has ended. It is made when somebody first asks for it, and kept;
// one person's reviews are made one after the other. If it takes longer than patience, or another one
// of the person is being made, Going says which and how long that takes. Moves in games come first.
func (t *Thinker) Review(ctx context.Context, by storage.PersonID, id storage.GameID, patience time.Duration) (storage.Review, *Going, error) {
	kept := func() (storage.Review, error) {
		return storage.Read(ctx, t.store, func(r storage.Reader) (storage.Review, error) { return r.Reviews().Get(id) })
	}
	if found, err := kept(); err == nil || !storage.Missing(err) {
		return found, nil, err
	}
	j, alone := t.ask(by, id)
	switch {
	case j.id != id:
		return storage.Review{}, t.going(j), nil
	case alone:
		w := &worker{Thinker: t, log: slog.New(slog.DiscardHandler)}
		for w.reviewOne(ctx) && ctx.Err() == nil {
		}
		patience = time.Hour // another who is making it will soon be done
	}
	enough := time.NewTimer(patience)
	defer enough.Stop()
	select {
	case <-j.done:
	case <-ctx.Done():
		return storage.Review{}, nil, ctx.Err()
	case <-enough.C:
		return storage.Review{}, t.going(j), nil
	}
	if j.err != nil {
		return storage.Review{}, nil, j.err
	}
	found, err := kept()
	return found, nil, err
}

// ask lets a review be made, unless it or another one of the same person, who is somebody, is being made: then that is
// returned. Alone means that no worker runs, so that the caller has to make it.
func (t *Thinker) ask(by storage.PersonID, id storage.GameID) (j *reviewing, alone bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.IndexFunc(t.reviews, func(other *reviewing) bool { return other.id == id })
	if i < 0 && by != 0 {
		i = slices.IndexFunc(t.reviews, func(other *reviewing) bool { return other.by == by })
	}
	if i < 0 {
		i = len(t.reviews)
		t.reviews = append(t.reviews, &reviewing{id: id, by: by, left: 1, done: make(chan struct{})})
		t.news.Look()
	}
	return t.reviews[i], !t.running && t.reviews[i].id == id
}

// Prepare lets the review of a game be made behind those that somebody waits for, if there are workers to make it.
func (t *Thinker) Prepare(id storage.GameID) {
	t.mu.Lock()
	running := t.running
	t.mu.Unlock()
	if running {
		t.ask(0, id)
	}
}

// going says how long a review takes still.
func (t *Thinker) going(j *reviewing) *Going {
	t.mu.Lock()
	defer t.mu.Unlock()
	left := j.left
	for _, other := range t.reviews[:max(slices.Index(t.reviews, j), 0)] {
		left += other.left
	}
	return &Going{Game: j.id, In: time.Duration(left * float64(t.reviewed) / float64(t.workers))}
}

// reviewOne makes the review that somebody asked for first, or else one that is to be prepared, and reports whether
// there was one.
func (w *worker) reviewOne(ctx context.Context) bool {
	w.mu.Lock()
	i := slices.IndexFunc(w.reviews, func(j *reviewing) bool { return !j.busy && j.by != 0 })
	if i < 0 {
		i = slices.IndexFunc(w.reviews, func(j *reviewing) bool { return !j.busy })
	}
	if i < 0 {
		w.mu.Unlock()
		return false
	}
	j := w.reviews[i]
	j.busy = true
	w.mu.Unlock()
	err := w.review(ctx, j)
	if err != nil && ctx.Err() == nil {
		w.log.ErrorContext(ctx, "a game cannot be reviewed", slog.Uint64("game", uint64(j.id)), slog.String("err", err.Error()))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	const weight = 4
	w.reviewed += (j.took - w.reviewed) / weight
	w.reviews = slices.DeleteFunc(w.reviews, func(other *reviewing) bool { return other == j })
	j.err = err
	close(j.done)
	return true
}

// review makes a review and keeps it. Games that wait are played before each search.
func (w *worker) review(ctx context.Context, j *reviewing) error {
	g, err := storage.Read(ctx, w.store, func(r storage.Reader) (storage.Game, error) { return r.Games().Get(j.id) })
	if err != nil {
		return err
	}
	if !g.Over() {
		return fmt.Errorf("computer: game %d goes on", j.id)
	}
	line, err := w.games.Replay(&g)
	if err != nil {
		return err
	}
	found, err := judge(func(game rules.Game, l engine.Limits) (engine.Result, error) {
		for next := (time.Time{}); next.IsZero() && ctx.Err() == nil; {
			next, _ = w.play(ctx)
		}
		begun := time.Now()
		found, err := w.try(ctx, game, l)
		w.mu.Lock()
		defer w.mu.Unlock()
		j.took += time.Since(begun)
		j.left = max(0, j.left-1/float64(len(line.Games)+2*suspected))
		return found, cmp.Or(ctx.Err(), err) // it may not have been searched to the end
	}, line.Games, line.Moves)
	if err != nil {
		return err
	}
	return w.store.Update(ctx, func(tx storage.Writer) error { return tx.Reviews().Set(j.id, found) })
}

// How long positions are searched, in moves tried.
const (
	whole   = 300_000 / slower // for all positions of a game together
	least   = 2_000 / slower   // for each
	most    = 10_000 / slower  // likewise
	closely = 25_000 / slower  // for those around a move that may have decided it
)

const (
	told      = 3  // turning points, if no more are blunders
	suspected = 5  // moves that are looked at closely, mostly, and turning points at most
	kept      = 12 // moves of a line
)

// Search is how positions are searched: that of an [engine.Engine].
type Search func(rules.Game, engine.Limits) (engine.Result, error)

// work is a review that is being made.
type work struct {
	games  []rules.Game // one more than moves
	moves  []rules.Move
	search Search
	scores []int
	lines  [][]rules.Move // the best play from each position; nil from one that is the end
}

// judge makes the review of a game: of its positions, and the moves between them.
func judge(search Search, games []rules.Game, moves []rules.Move) (storage.Review, error) {
	w := &work{games: games, moves: moves, search: search, scores: make([]int, len(games)), lines: make([][]rules.Move, len(games))}
	for i := range games {
		if err := w.look(i, max(least, min(whole/len(games), most))); err != nil {
			return storage.Review{}, err
		}
	}
	looked := make([]bool, len(games))
	for range suspected { // where a longer look finds a move better, another takes its place
		for _, ply := range w.worst(told) {
			for _, i := range []int{ply, ply + 1} {
				if looked[i] {
					continue
				}
				looked[i] = true
				if err := w.look(i, closely); err != nil {
					return storage.Review{}, err
				}
			}
		}
	}
	found, v := storage.Review{Scores: w.scores, Lost: w.cost()}, games[0].Position.Variant()
	marked := w.worst(len(moves))
	slices.Sort(marked)
	for _, ply := range marked {
		found.Moments = append(found.Moments, storage.TurningPoint{Ply: ply, Better: texts(v, w.lines[ply]), Answer: texts(v, w.lines[ply+1])})
	}
	return found, nil
}

// cost is how many pawns of pieces each move has cost its side, -1 for what a search would play.
func (w *work) cost() []int {
	lost := make([]int, len(w.moves))
	for i, m := range w.moves {
		if best := w.lines[i]; len(best) > 0 && best[0] == m {
			lost[i] = -1
		} else if len(best) > 0 {
			pos, answer := w.games[i].Position, append([]rules.Move{m}, w.lines[i+1]...)
			lost[i] = max(0, settle(pos, head(best), 0).Net-settle(pos, head(answer), 1).Net)
		}
	}
	return lost
}

// look searches a position.
func (w *work) look(i, nodes int) error {
	if o := w.games[i].Outcome(); o.Over() {
		w.scores[i] = ended(o)
		return nil
	}
	if len(w.games[i].Position.Moves()) == 0 { // and yet no outcome: nobody can go on
		return nil
	}
	found, err := w.search(w.games[i], engine.Limits{Nodes: nodes})
	if err != nil {
		return err
	}
	w.scores[i], w.lines[i] = scoreOf(found.Score, w.games[i].Position.Turn()), found.Moves
	return nil
}

// worst are the n plies of the moves that are to be marked, the worst first.
func (w *work) worst(n int) (plies []int) {
	even, cost, bad := evened(w.games[0].Position.Variant(), w.scores), w.cost(), make([]int, len(w.moves))
	for i := range w.moves {
		if bad[i] = badness(even, i, w.games[i].Position, cost[i]); bad[i] > 0 && len(w.lines[i]) > 0 {
			plies = append(plies, i)
		}
	}
	lost := func(ply int) float64 { return taken(even, ply, w.games[ply].Position.Turn()) }
	slices.SortStableFunc(plies, func(a, b int) int { return byBadness(bad[a], lost(a), bad[b], lost(b)) })
	return plies[:min(n, len(plies))]
}

// head are the first moves of a line.
func head(line []rules.Move) []rules.Move { return line[:min(kept, len(line))] }

// texts are those of the first moves of a line.
func texts(v *rules.Variant, line []rules.Move) (texts []string) {
	for _, m := range head(line) {
		texts = append(texts, v.Coordinate(m))
	}
	return texts
}
