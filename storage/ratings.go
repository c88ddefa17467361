package storage

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
)

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
	for some := range slices.Chunk(people, readAtOnce) {
		keys := make([][]byte, len(some))
		for i, p := range some {
			keys[i] = standingsKey(p)
		}
		values, err := r.kv.GetAll(keys...)
		if err != nil {
			return err
		}
		for i, value := range values {
			if value == nil {
				continue
			}
			if c, err := decodeStandings(value); err == nil && len(c.Standings) > 0 {
				if err := each(some[i], c); err != nil {
					return err
				}
			}
		}
	}
	return nil
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

// Recount is the work of computing ratings again, or ErrNotFound if there is none to do.
func (r Reader) Recount() (Recount, error) {
	var job Recount
	return job, get(r.kv, Key("meta/recount"), &job)
}

// PutRecount writes how far the work has come.
func (w Writer) PutRecount(job Recount) error { return Put(w.out, Key("meta/recount"), job) }

// DropRecount removes the work when it is done.
func (w Writer) DropRecount() error { return w.out.Delete(Key("meta/recount")) }
