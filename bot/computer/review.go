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

// Going is a review that is not ready yet.
type Going struct {
	Game storage.GameID
	In   time.Duration // about how long it will still take
}

// reviewing is a review that was requested. It is only kept in memory: after a restart, it has to be requested again.
type reviewing struct {
	id   storage.GameID
	by   storage.PersonID // 0 if nobody waits for it
	left float64          // of the work, from 1 to 0
	took time.Duration    // searching, so far
	busy bool             // whether a worker makes it
	done chan struct{}    // closed when it is stored or err is set
	err  error
}

// Review is the review of a game that has ended. It is made when somebody first asks for it, and stored. Only one
// review of a person is made at a time. If it takes longer than patience, or another one of the person is being made,
// Going says which one and how long it will take. Games that wait for the computer come first.
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
		patience = time.Hour // whoever else is making it will soon be done
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

// ask queues a review, unless it or another one of the same person is queued: then it returns that one. by is 0 if
// nobody waits for it. If alone is true, there are no workers, and the caller has to make it.
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
	return t.reviews[i], t.workers == 0 && t.reviews[i].id == id
}

// Prepare queues the review of a game behind those that somebody waits for. Without workers, it does nothing.
func (t *Thinker) Prepare(id storage.GameID) {
	t.mu.Lock()
	running := t.workers > 0
	t.mu.Unlock()
	if running {
		t.ask(0, id)
	}
}

// going estimates how long a review will still take, after those queued before it.
func (t *Thinker) going(j *reviewing) *Going {
	t.mu.Lock()
	defer t.mu.Unlock()
	left := j.left
	for _, other := range t.reviews[:max(slices.Index(t.reviews, j), 0)] {
		left += other.left
	}
	return &Going{Game: j.id, In: time.Duration(left * float64(t.reviewed) / float64(max(t.workers, 1)))}
}

// reviewOne makes the first review that somebody waits for, or else the first to be prepared. It reports whether there
// was one.
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

// review makes a review and stores it. Games that wait for the computer are played before each search.
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
		return found, cmp.Or(ctx.Err(), err) // the search may have been cut short
	}, line.Games, line.Moves)
	if err != nil {
		return err
	}
	return w.store.Update(ctx, func(tx storage.Writer) error { return tx.Reviews().Set(j.id, found) })
}

// How long positions are searched: the number of moves tried.
const (
	whole   = 300_000 // for all positions of a game together, within the next two
	least   = 2_000   // for each position at least
	most    = 10_000  // for each position at most
	closely = 25_000  // for those before and after a move that may have decided the game
)

const (
	told      = 3  // turning points, or more if there are more blunders
	suspected = 5  // rounds of longer searches; also turning points at most
	kept      = 12 // moves of each line
)

// Search searches a game, as [engine.Engine.Search] does.
type Search func(rules.Game, engine.Limits) (engine.Result, error)

// work is what judge works on.
type work struct {
	games  []rules.Game // one more than moves
	moves  []rules.Move
	search Search
	scores []int
	lines  [][]rules.Move // the best play from each position; nil if the game ended there
	nodes  []int          // how long each position was searched
}

// judge reviews a game, given its positions and the moves between them. The error is search's.
func judge(search Search, games []rules.Game, moves []rules.Move) (storage.Review, error) {
	w := &work{games, moves, search, make([]int, len(games)), make([][]rules.Move, len(games)), make([]int, len(games))}
	for i := range games {
		if err := w.look(i, max(least, min(whole/len(games), most))); err != nil {
			return storage.Review{}, err
		}
	}
	for range suspected { // if a longer search clears a move, the next worst takes its place
		for _, ply := range w.worst(told) {
			if err := cmp.Or(w.look(ply, closely), w.look(ply+1, closely)); err != nil {
				return storage.Review{}, err
			}
		}
	}
	marked := w.worst(len(moves))
	slices.Sort(marked)
	found, v := storage.Review{Scores: w.scores, Lost: w.cost()}, games[0].Position.Variant()
	for _, ply := range marked {
		answer := w.lines[ply+1]
		if next := ply + 1; next < len(moves) && found.Lost[next] == 0 && !slices.Contains(marked, next) {
			answer = w.played(ply)
		}
		found.Moments = append(found.Moments, storage.TurningPoint{Ply: ply, Better: texts(v, w.lines[ply]), Answer: texts(v, answer)})
	}
	return found, nil
}

// played is the answer to the move at ply that was played, with how it would best have gone on, if that is as good as
// the best one; else the best one.
func (w *work) played(ply int) []rules.Move {
	best, played := w.lines[ply+1], append([]rules.Move{w.moves[ply+1]}, w.lines[ply+2]...)
	forced := func(line []rules.Move) int {
		return settle(w.games[ply].Position, head(append([]rules.Move{w.moves[ply]}, line...)), 1).Net
	}
	if mate, _ := mates(w.scores[ply+1]); mate == 0 && forced(played) == forced(best) {
		return played
	}
	return best
}

// cost is the material that each move cost its side, in pawns; -1 if a search would have played it.
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

// look searches a position, unless it was searched for as long, and keeps its score and line.
func (w *work) look(i, nodes int) error {
	if nodes <= w.nodes[i] {
		return nil
	}
	w.nodes[i] = nodes
	if o := w.games[i].Outcome(); o.Over() || len(w.games[i].Position.Moves()) == 0 { // a game goes on in which nobody can move
		w.scores[i] = ended(o)
		return nil
	}
	found, err := w.search(w.games[i], engine.Limits{Nodes: nodes})
	if err != nil {
		return err
	}
	w.scores[i], w.lines[i] = scoreOf(found.Score, w.games[i].Position.Turn()), found.Moves
	return nil
}

// carryBack scores each position at least as well as the one that its move led to: no move can improve a position.
func (w *work) carryBack() {
	for i, m := range slices.Backward(w.moves) {
		pos, then := w.games[i].Position, w.scores[i+1]
		if _, ok := mates(then); ok {
			then -= 1 - 2*int(pos.Turn()) // this move is one more
		}
		if taken(evened(pos.Variant(), []int{w.scores[i], then}), 0, pos.Turn()) <= -slight {
			w.scores[i], w.lines[i] = then, append([]rules.Move{m}, w.lines[i+1]...)
		}
	}
}

// worst are the plies of the n worst moves that deserve a mark, the worst first; also of moves that would if something
// better were known, until a close search has found nothing.
func (w *work) worst(n int) (plies []int) {
	w.carryBack()
	even, cost, bad := evened(w.games[0].Position.Variant(), w.scores), w.cost(), make([]int, len(w.moves))
	for i := range w.moves {
		sure := map[bool]int{true: -1}[w.nodes[i] >= closely]
		if bad[i] = badness(even, i, w.games[i].Position, max(sure, cost[i])); bad[i] > 0 && len(w.lines[i]) > 0 {
			plies = append(plies, i)
		}
	}
	lost := func(ply int) float64 { return taken(even, ply, w.games[ply].Position.Turn()) }
	slices.SortStableFunc(plies, func(a, b int) int { return byBadness(bad[a], lost(a), bad[b], lost(b)) })
	return plies[:min(n, len(plies))]
}

// head is the part of a line that is kept.
func head(line []rules.Move) []rules.Move { return line[:min(kept, len(line))] }

// texts writes the head of a line as coordinates.
func texts(v *rules.Variant, line []rules.Move) (texts []string) {
	for _, m := range head(line) {
		texts = append(texts, v.Coordinate(m))
	}
	return texts
}
