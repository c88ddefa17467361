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
	suspects := w.worst(suspected)
	var around []int
	for _, ply := range suspects {
		around = append(around, ply, ply+1)
	}
	slices.Sort(around)
	for _, i := range slices.Compact(around) {
		if err := w.look(i, closely); err != nil {
			return storage.Review{}, err
		}
	}
	decided := slices.DeleteFunc(w.worst(len(moves)), func(ply int) bool { return !slices.Contains(suspects, ply) })
	decided = decided[:min(told, len(decided))]
	slices.Sort(decided)
	found, v := storage.Review{Scores: w.scores}, games[0].Position.Variant()
	for _, ply := range decided {
		found.Moments = append(found.Moments, storage.TurningPoint{Ply: ply, Better: texts(v, w.lines[ply]), Answer: texts(v, w.lines[ply+1])})
	}
	return found, nil
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

// worst are the n plies at which most was lost, the worst first.
func (w *work) worst(n int) (plies []int) {
	even := evened(w.games[0].Position.Variant(), w.scores)
	for i, m := range w.moves {
		if w.lost(even, i) >= costs && len(w.lines[i]) > 0 && w.lines[i][0] != m {
			plies = append(plies, i)
		}
	}
	slices.SortStableFunc(plies, func(a, b int) int { return cmp.Compare(w.lost(even, b), w.lost(even, a)) })
	return plies[:min(n, len(plies))]
}

// lost is how much of its chances a move has taken from its side.
func (w *work) lost(even []int, ply int) float64 {
	turn := w.games[ply].Position.Turn()
	return chances(even[ply], turn) - chances(even[ply+1], turn)
}

// texts are the first moves of a line.
func texts(v *rules.Variant, line []rules.Move) (texts []string) {
	for _, m := range line[:min(kept, len(line))] {
		texts = append(texts, v.Coordinate(m))
	}
	return texts
}
