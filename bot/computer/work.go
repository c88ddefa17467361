package computer

import (
	"cmp"
	"slices"

	"chimera/rules"
	"chimera/rules/engine"
	"chimera/storage"
)

// How long positions are searched, in moves tried.
const (
	whole   = 300_000 / slower // for all positions of a game together
	least   = 2_000 / slower   // for each
	most    = 10_000 / slower  // likewise
	closely = 25_000 / slower  // for those around a move that may have decided it
)

const (
	told      = 3   // turning points
	suspected = 5   // moves that are looked at closely
	costs     = .05 // of the chances: what a turning point takes at least
	kept      = 4   // moves of a line
)

// Search is how positions are searched: that of an [engine.Engine].
type Search func(rules.Game, engine.Limits) (engine.Result, error)

// Work is a review that is being made. It is not safe for concurrent use.
type Work struct {
	games []rules.Game // one more than moves
	moves []rules.Move
	times int // as long is searched as usual

	scores  []int
	lines   [][]rules.Move // the best play from each position; nil from one that is the end
	next    int            // position
	closer  []int          // positions to be looked at closely
	suspect []int          // plies
	ranked  bool           // there are suspects
}

// Begin begins the review of a game: its positions, and the moves between them.
func Begin(games []rules.Game, moves []rules.Move) *Work { return begin(games, moves, 1) }

// begin begins a review that searches a multiple of the usual time.
func begin(games []rules.Game, moves []rules.Move, times int) *Work {
	return &Work{games: games, moves: moves, times: times, scores: make([]int, len(games)), lines: make([][]rules.Move, len(games))}
}

// Step does the next part of the work, which takes some hundredths of a second, and reports whether
// that was the last one.
func (w *Work) Step(search Search) (done bool, err error) {
	switch {
	case w.next < len(w.games):
		nodes := max(least, min(whole/len(w.games), most))
		if err := w.search(search, w.next, nodes); err != nil {
			return false, err
		}
		w.next++
		return false, nil
	case !w.ranked:
		w.suspect, w.ranked = w.worst(suspected), true
		for _, ply := range w.suspect {
			for _, i := range []int{ply, ply + 1} {
				if !slices.Contains(w.closer, i) {
					w.closer = append(w.closer, i)
				}
			}
		}
	case len(w.closer) > 0:
		if err := w.search(search, w.closer[0], closely); err != nil {
			return false, err
		}
		w.closer = w.closer[1:]
	}
	return len(w.closer) == 0, nil
}

// Left is how much there is still to do, from 1 down to 0: a guess.
func (w *Work) Left() float64 {
	const close = 2 * suspected
	all := float64(len(w.games) + close)
	if w.ranked {
		return float64(len(w.closer)) / all
	}
	return float64(len(w.games)-w.next+close) / all
}

// search searches a position.
func (w *Work) search(search Search, i, nodes int) error {
	if o := w.games[i].Outcome(); o.Over() {
		w.scores[i] = ended(o)
		return nil
	}
	if len(w.games[i].Position.Moves()) == 0 { // and yet no outcome: nobody can go on
		return nil
	}
	found, err := search(w.games[i], engine.Limits{Nodes: nodes * w.times})
	if err != nil {
		return err
	}
	w.scores[i], w.lines[i] = scoreOf(found.Score, w.games[i].Position.Turn()), found.Moves
	return nil
}

// worst are the n plies at which most was lost, the worst first.
func (w *Work) worst(n int) (plies []int) {
	for i, m := range w.moves {
		if w.lost(i) >= costs && len(w.lines[i]) > 0 && w.lines[i][0] != m {
			plies = append(plies, i)
		}
	}
	slices.SortStableFunc(plies, func(a, b int) int { return cmp.Compare(w.lost(b), w.lost(a)) })
	return plies[:min(n, len(plies))]
}

// lost is how much of its chances a move has taken from its side.
func (w *Work) lost(ply int) float64 {
	turn := w.games[ply].Position.Turn()
	return chances(w.scores[ply], turn) - chances(w.scores[ply+1], turn)
}

// Review is what was found out, once the work is done.
func (w *Work) Review() storage.Review {
	found := storage.Review{Scores: w.scores}
	decided := w.worst(len(w.moves))
	decided = slices.DeleteFunc(decided, func(ply int) bool { return !slices.Contains(w.suspect, ply) })
	decided = decided[:min(told, len(decided))]
	slices.Sort(decided)
	for _, ply := range decided {
		found.Moments = append(found.Moments, storage.TurningPoint{Ply: ply, Better: w.texts(ply), Answer: w.texts(ply + 1)})
	}
	return found
}

// texts are the first moves of the best play from a position.
func (w *Work) texts(i int) (texts []string) {
	line := w.lines[i]
	for _, m := range line[:min(kept, len(line))] {
		texts = append(texts, w.games[i].Position.Variant().Coordinate(m))
	}
	return texts
}
