package rating

import (
	"chimera/storage"
)

// mostRow is more than anybody finds puzzles of the day in a row: of two who have found as many,
// whoever has the longer row now comes first.
const mostRow = 1 << 20

// topPuzzles is the leaderboard of the puzzles of the day that people have found. It is made of what
// is stored, each time.
func (l *Service) topPuzzles(r storage.Reader, ask Asked, found *Leaderboard) error {
	solvers, err := solversOf(r, ask.Server)
	if err != nil {
		return err
	}
	scores, newest := map[storage.PersonID]int64{}, map[storage.ServerID]int{}
	for _, s := range solvers {
		if _, known := newest[s.Server]; !known {
			d, err := r.Dailies().Find(s.Server)
			if err != nil {
				return err
			}
			newest[s.Server] = d.Number
		}
		if s.Found > 0 {
			all, row := ofPuzzles(scores[s.Person])
			scores[s.Person] = int64(all+s.Found)*mostRow + int64(max(row, s.Row(newest[s.Server])))
		}
	}
	return found.fill(r, ask, scores, func(line *Line, score int64) {
		all, row := ofPuzzles(score)
		line.Value, line.Row = float64(all), row
	})
}

// ofPuzzles is what a score of topPuzzles counts: puzzles in all, and in a row.
func ofPuzzles(score int64) (all, row int) { return int(score / mostRow), int(score % mostRow) }

// solversOf are those of a server, 0 for the world.
func solversOf(r storage.Reader, server storage.ServerID) ([]storage.Solver, error) {
	if server == 0 {
		return r.Solvers().List()
	}
	return r.SolversIn(server)
}
