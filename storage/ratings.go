package storage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
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
	if g.Season != 0 {
		league, err := r.LeagueOf(g.Season)
		return [2]ServerID{league.Server, league.Server}, err
	}
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

// rated follows the number of a person in the keys of their standings. They stand beside their games,
// so that the end of a game, which changes all of it, touches one page for each player.
const rated = "rated"

func standingsKey(p PersonID) []byte { return append(playerPrefix(p), rated...) }

// standingsAt is whose standings have a key; false if none have.
func standingsAt(key []byte) (p PersonID, ok bool) {
	if len(key) == len(standingsKey(0)) {
		p = PersonID(End(key[:len(key)-len(rated)]))
	}
	return p, bytes.Equal(key, standingsKey(p))
}

// Standings is what rated games have made of a person.
func (r Reader) Standings(p PersonID) (c Standings, err error) {
	value, err := r.kv.Get(standingsKey(p))
	if value == nil || err != nil {
		return c, err
	}
	if c, err = decodeStandings(value); err != nil {
		err = fmt.Errorf("person %d: %w", p, err)
	}
	return c, err
}

// EachStandings calls each for those of some people who have played rated games and whose standings
// are not corrupt.
func (r Reader) EachStandings(people []PersonID, each func(PersonID, Standings) error) error {
	return readTogether(r, people, standingsKey, func(p PersonID, value []byte) error {
		if c, err := decodeStandings(value); err == nil && len(c.Standings) > 0 {
			return each(p, c)
		}
		return nil
	})
}

// PutStandings writes what rated games have made of a person.
func (w Writer) PutStandings(p PersonID, c Standings) error {
	if c.empty() {
		return w.out.Delete(standingsKey(p))
	}
	return w.out.Put(standingsKey(p), encodeStandings(c))
}

// Edition changes when leaderboards must be made anew: when anything that they are made of has
// changed, other than by a new result.
func (r Reader) Edition() (uint64, error) {
	n, err := r.kv.Get(Key("meta/boards"))
	return End(n), err
}

// RemakeBoards lets leaderboards be made anew.
func (w Writer) RemakeBoards() error {
	n, err := w.Edition()
	return errors.Join(err, w.out.Put(Key("meta/boards"), Number(n+1)))
}

// Recount is the work of computing all ratings again from the log of results.
type Recount struct {
	Games []GameID `json:",omitempty"` // that are to count no more
	Round uint64   // another one when what was computed so far is of no use
}

// Recount is the work of computing ratings again, and whether there is any to do.
func (r Reader) Recount() (job Recount, wanted bool, err error) {
	err = get(r.kv, Key("meta/recount"), &job)
	if errors.Is(err, ErrNotFound) {
		return job, false, nil
	}
	return job, err == nil, err
}

// PutRecount writes how far the work has come.
func (w Writer) PutRecount(job Recount) error { return Put(w.out, Key("meta/recount"), job) }

// DropRecount removes the work when it is done.
func (w Writer) DropRecount() error { return w.out.Delete(Key("meta/recount")) }
