package storage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"chimera/storage/kv"
)

// Result is the outcome of a game that counts for ratings: all that ratings and leaderboards are computed from. The log
// of results is an index of the games.
type Result struct {
	Game    GameID    `json:"-"`
	At      time.Time `json:"-"`
	Kind    string    // of game
	Players [2]PersonID
	Servers [2]ServerID `json:",omitzero"` // where White and Black played it; 0 for none
	Result  string      // as the game has it
	Merges  [2]int      `json:",omitzero"` // likewise
}

// ResultOf is the Result of a game.
func ResultOf(g *Game) Result {
	return Result{g.ID, g.Changed, g.Variant, g.Players, g.Servers, g.Result, g.Merges}
}

const results = "result/"

// resultKey orders results by time. No two of one person have the same moment.
func resultKey(at time.Time, id GameID) []byte { return Key(results, uint64(at.UnixNano()), id) }

// Results are those from since to before until, in order, at most limit, without the games that skip reports; skip may
// be nil.
func (r Reader) Results(since, until time.Time, limit int, skip func(GameID) bool) ([]Result, error) {
	return collect(r.kv.Scan(resultKey(since, 0), resultKey(until, 0)), limit, func(item kv.Item) (found Result, ok bool) {
		rest := item.Key[len(results):]
		if len(rest) != 2*NumberSize {
			return found, false // the key is damaged; Check reports it
		}
		found = Result{Game: GameID(End(rest)), At: time.Unix(0, int64(binary.BigEndian.Uint64(rest))).UTC()}
		ok = (skip == nil || !skip(found.Game)) && Decode(item.Value, &found) == nil // else likewise
		return found, ok
	})
}

// Always is after all results.
func Always() time.Time { return time.Unix(0, 1<<63-1) }

// Homes are the servers of White and Black in a game, 0 for none: those of their seats, else that of the game; in a
// league, the league's.
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

// rated ends the keys of standings. They are beside the player's games, so that the end of a game touches one page for
// each player.
const rated = "rated"

func standingsKey(p PersonID) []byte { return append(playerPrefix(p), rated...) }

// standingsAt is the person whose standings have a key; false if it is no such key.
func standingsAt(key []byte) (p PersonID, ok bool) {
	if len(key) == len(standingsKey(0)) {
		p = PersonID(End(key[:len(key)-len(rated)]))
	}
	return p, bytes.Equal(key, standingsKey(p))
}

// Standings is a person's record in rated games.
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

// EachStandings calls each for those of the people who have played rated games and whose standings are not corrupt.
func (r Reader) EachStandings(people []PersonID, each func(PersonID, Standings) error) error {
	return readTogether(r, people, standingsKey, func(p PersonID, item kv.Item) error {
		if c, err := decodeStandings(item.Value); err == nil && len(c.Standings) > 0 {
			return each(p, c)
		}
		return nil
	})
}

// PutStandings writes a person's record in rated games.
func (w Writer) PutStandings(p PersonID, c Standings) error {
	if c.empty() {
		return w.out.Delete(standingsKey(p))
	}
	return w.out.Put(standingsKey(p), encodeStandings(c))
}

// Edition changes when leaderboards must be made anew: when anything they are computed from has changed, other than by
// a new result.
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
	Games []GameID `json:",omitempty"` // to be removed from ratings
	Round uint64   // changes when the results so far are useless
}

// Recount is the work of computing ratings again, and whether there is any.
func (r Reader) Recount() (job Recount, wanted bool, err error) {
	wanted, err = find(r.kv, Key("meta/recount"), &job)
	return job, wanted, err
}

// PutRecount writes how far the work has come.
func (w Writer) PutRecount(job Recount) error { return Put(w.out, Key("meta/recount"), job) }

// DropRecount removes the work when it is done.
func (w Writer) DropRecount() error { return w.out.Delete(Key("meta/recount")) }

// Overall is the kind of game under which a person's standing in all games is kept.
const Overall = "overall"

// Standing is a person's record of rated games in one kind of game.
type Standing struct {
	Value, Deviation, Volatility float64 // as in package rating
	At                           time.Time
	Wins, Draws, Losses          int
	Streak, Best                 int // successive wins: now, and at most
	Merges                       int // made in games won
}

// Games is how many there were.
func (s *Standing) Games() int { return s.Wins + s.Draws + s.Losses }

// Standings is a person's record in all rated games. The zero Standings is for somebody who has played none.
type Standings struct {
	Standings map[string]Standing // by kind of game, and Overall; a missing one is zero
	Servers   []ServerID          // where they have played, in rising order
	Day       int64               // see Meet
	Met       map[PersonID]int    // likewise
}

// Put gives the person a standing.
func (c *Standings) Put(kind string, s Standing) {
	if c.Standings == nil {
		c.Standings = map[string]Standing{}
	}
	c.Standings[kind] = s
}

// Join notes a server in which the person has played.
func (c *Standings) Join(s ServerID) {
	if i, known := slices.BinarySearch(c.Servers, s); !known {
		c.Servers = slices.Insert(c.Servers, i, s)
	}
}

// Meet counts the rated games with an opponent on the day of a moment, including this one. It is kept by the one with
// the lower number.
func (c *Standings) Meet(opponent PersonID, at time.Time) int {
	if day := UnixDay(at); c.Day != day || c.Met == nil {
		c.Day, c.Met = day, map[PersonID]int{}
	}
	c.Met[opponent]++
	return c.Met[opponent]
}

// MetOn is how many rated games with an opponent ended on the day of a moment. It is kept by the one with the lower
// number.
func (c *Standings) MetOn(opponent PersonID, at time.Time) int {
	if c.Day != UnixDay(at) {
		return 0
	}
	return c.Met[opponent]
}

// UnixDay is the number of days from 1 January 1970 to a moment, in UTC.
func UnixDay(at time.Time) int64 { return at.Truncate(24*time.Hour).Unix() / (24 * 60 * 60) }

func (c *Standings) empty() bool { return len(c.Standings)+len(c.Servers)+len(c.Met) == 0 }

// packed begins a value that is not JSON: numbers as package binary's varints, texts with their
// length before them.
const packed = 2

func encodeStandings(c Standings) []byte {
	b := binary.AppendUvarint([]byte{packed}, uint64(len(c.Standings)))
	for _, kind := range slices.Sorted(maps.Keys(c.Standings)) {
		s := c.Standings[kind]
		b = append(binary.AppendUvarint(b, uint64(len(kind))), kind...)
		for _, x := range []float64{s.Value, s.Deviation, s.Volatility} {
			b = binary.BigEndian.AppendUint64(b, math.Float64bits(x))
		}
		b = binary.AppendVarint(b, s.At.Unix())
		for _, n := range []int{s.At.Nanosecond(), s.Wins, s.Draws, s.Losses, s.Streak, s.Best, s.Merges} {
			b = binary.AppendUvarint(b, uint64(n))
		}
	}
	b = binary.AppendUvarint(b, uint64(len(c.Servers)))
	for _, s := range c.Servers {
		b = binary.AppendUvarint(b, uint64(s))
	}
	b = binary.AppendVarint(b, c.Day)
	b = binary.AppendUvarint(b, uint64(len(c.Met)))
	for _, p := range slices.Sorted(maps.Keys(c.Met)) {
		b = binary.AppendUvarint(b, uint64(p))
		b = binary.AppendUvarint(b, uint64(c.Met[p]))
	}
	return b
}

// decodeStandings reads what encodeStandings has written. What cannot be read is kv.ErrCorrupt.
func decodeStandings(value []byte) (c Standings, err error) {
	u := unpacker{Reader: bytes.NewReader(value)}
	u.bad = u.bytes(1)[0] != packed
	for range u.size() {
		kind := string(u.bytes(u.size()))
		var s Standing
		for _, x := range []*float64{&s.Value, &s.Deviation, &s.Volatility} {
			*x = math.Float64frombits(binary.BigEndian.Uint64(u.bytes(8)))
		}
		s.At = time.Unix(u.signed(), int64(u.count())).UTC()
		for _, n := range []*int{&s.Wins, &s.Draws, &s.Losses, &s.Streak, &s.Best, &s.Merges} {
			*n = u.count()
		}
		c.Put(kind, s)
	}
	for range u.size() {
		c.Servers = append(c.Servers, ServerID(u.unsigned()))
	}
	c.Day = u.signed()
	for range u.size() {
		if c.Met == nil {
			c.Met = map[PersonID]int{}
		}
		p := PersonID(u.unsigned())
		c.Met[p] = u.count()
	}
	if u.bad || u.Len() > 0 {
		err = fmt.Errorf("storage: a packed record cannot be read: %w", kv.ErrCorrupt)
	}
	return c, err
}

// unpacker reads a packed value from its start. After an error, sizes are zero.
type unpacker struct {
	*bytes.Reader
	bad bool
}

func (u *unpacker) unsigned() uint64 {
	n, err := binary.ReadUvarint(u)
	u.bad = u.bad || err != nil
	return n
}

func (u *unpacker) signed() int64 {
	n, err := binary.ReadVarint(u)
	u.bad = u.bad || err != nil
	return n
}

// count is an unsigned number that fits an int32.
func (u *unpacker) count() int { return u.atMost(math.MaxInt32) }

// size is a number of things, each at least a byte long.
func (u *unpacker) size() int { return u.atMost(u.Len()) }

func (u *unpacker) atMost(most int) int {
	n := u.unsigned()
	if u.bad = u.bad || n > uint64(most); u.bad {
		return 0
	}
	return int(n) //nolint:gosec // it fits
}

func (u *unpacker) bytes(n int) []byte {
	b := make([]byte, n)
	_, err := io.ReadFull(u, b)
	u.bad = u.bad || err != nil
	return b
}
