package storage

import (
	"encoding/binary"
	"time"

	"chimera/storage/kv"
)

// Result is what has come of a game that counts for ratings: all that ratings and
// leaderboards are made of. It stands in the log of results, which is an index of the games.
type Result struct {
	Game    GameID    `json:"-"`
	At      time.Time `json:"-"`
	Kind    string    // of game
	Players [2]PersonID
	Servers [2]ServerID `json:",omitzero"` // in which White and Black have played it; 0 for none
	Result  string      // as the game has it
	Merges  [2]int      `json:",omitzero"` // likewise
}

// ResultOf is what has come of a game.
func ResultOf(g *Game) Result {
	return Result{g.ID, g.Changed, g.Variant, g.Players, g.Servers, g.Result, g.Merges}
}

const results = "result/"

// resultKey lets results stand in the order of time. No two of one person are of the same
// moment.
func resultKey(at time.Time, id GameID) []byte {
	return Key(results, uint64(at.UnixNano()), id)
}

// addResult adds a result, which stands in the log whole.
func addResult(x *Index, r Result) {
	value, _ := Encode(r) // it has nothing that could fail
	*x = append(*x, kv.Item{Key: resultKey(r.At, r.Game), Value: value})
}

// Results are those from a moment on and before another, in order, at most limit, without the games
// that skip names; skip may be nil.
func (r Reader) Results(since, until time.Time, limit int, skip func(GameID) bool) ([]Result, error) {
	return collect(r.kv.Scan(resultKey(since, 0), resultKey(until, 0)), limit, func(item kv.Item) (found Result, ok bool) {
		rest := item.Key[len(results):]
		if len(rest) != 2*NumberSize {
			return found, false // it is damaged; Check reports it
		}
		found = Result{Game: GameID(End(rest)), At: time.Unix(0, int64(binary.BigEndian.Uint64(rest))).UTC()}
		ok = (skip == nil || !skip(found.Game)) && Decode(item.Value, &found) == nil // else likewise
		return found, ok
	})
}

// Always is after all results.
func Always() time.Time { return time.Unix(0, 1<<63-1) }

// Homes are the servers in which White and Black play a game, 0 for none: those of their
// seats, else that of the game.
func (r Reader) Homes(g *Game) (servers [2]ServerID, err error) {
	for side := range servers {
		for _, id := range []PlaceID{g.Place, g.Seat(side)} {
			place, err := r.Places().Find(id)
			if err != nil {
				return servers, err
			}
			if place.Server != 0 {
				servers[side] = place.Server
			}
		}
	}
	return servers, nil
}
