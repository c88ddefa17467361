package storage

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"chimera/storage/kv"
)

// Overall is the kind of game under which a person's standing in all games is kept.
const Overall = "overall"

// Standing is what rated games have made of a person, in one kind of game.
type Standing struct {
	Value, Deviation, Volatility float64 // as package rating has them
	At                           time.Time
	Wins, Draws, Losses          int
	Streak, Best                 int // wins in a row: now, and at most
	Merges                       int // made in games won
}

// Games is how many there were.
func (s *Standing) Games() int { return s.Wins + s.Draws + s.Losses }

// Career is all that rated games have made of a person. The zero Career is that of one
// who has played none.
type Career struct {
	Standings map[string]Standing // by kind of game, and Overall; what is not there is none
	Servers   []ServerID          // in which he has played, in rising order
	Day       int64               // see Meet
	Met       map[PersonID]int    // likewise
}

// Put gives the person a standing.
func (c *Career) Put(kind string, s Standing) {
	if c.Standings == nil {
		c.Standings = map[string]Standing{}
	}
	c.Standings[kind] = s
}

// Join notes a server in which the person has played.
func (c *Career) Join(s ServerID) {
	if i, known := slices.BinarySearch(c.Servers, s); !known {
		c.Servers = slices.Insert(c.Servers, i, s)
	}
}

// Meet counts the rated games with an opponent on the day of a moment, this one
// included. It is for the one of the two whose number is lower.
func (c *Career) Meet(opponent PersonID, at time.Time) int {
	if day := UnixDay(at); c.Day != day || c.Met == nil {
		c.Day, c.Met = day, map[PersonID]int{}
	}
	c.Met[opponent]++
	return c.Met[opponent]
}

// MetOn is how many rated games with an opponent have ended on the day of a moment. It is
// for the one of the two whose number is lower.
func (c *Career) MetOn(opponent PersonID, at time.Time) int {
	if c.Day != UnixDay(at) {
		return 0
	}
	return c.Met[opponent]
}

// UnixDay is how many days a moment is after the first of January 1970, in UTC.
func UnixDay(at time.Time) int64 {
	const day = 24 * 60 * 60
	n := at.Unix() / day
	if at.Unix()%day < 0 {
		n--
	}
	return n
}

func careerKey(p PersonID) []byte { return append(playerPrefix(p), rated...) }

// Career is what rated games have made of a person.
func (r Reader) Career(p PersonID) (Career, error) {
	value, err := r.kv.Get(careerKey(p))
	if err != nil || value == nil {
		return Career{}, err
	}
	c, err := decodeCareer(value)
	if err != nil {
		return c, err
	}
	return r.adopted(p, c)
}

// AllCareers calls each for everybody who has played rated games.
func (r Reader) AllCareers(each func(PersonID, Career)) error {
	people, err := r.People()
	if err != nil {
		return err
	}
	for _, p := range people {
		value, err := r.kv.Get(careerKey(p))
		if err != nil {
			return err
		}
		if value == nil {
			continue
		}
		c, err := decodeCareer(value)
		if err == nil {
			c, err = r.adopted(p, c)
		}
		if err != nil {
			return fmt.Errorf("person %d: %w", p, err)
		}
		each(p, c)
	}
	return nil
}

// PutCareer writes what rated games have made of a person.
func (w Writer) PutCareer(p PersonID, c Career) error {
	if on, err := w.Adopting(); err != nil || !on {
		return errors.Join(err, w.out.Put(careerKey(p), encodeCareer(c)))
	}
	return errors.Join(w.out.Put(careerKey(p), encodeCareer(c)), w.out.Delete(draftKey(p)))
}

// packed begins the values that are not JSON: numbers as package binary's varints, texts
// with their length before them.
const packed = 2

func encodeStandings(standings map[string]Standing) []byte {
	b := append(make([]byte, 0, 512), packed)
	b = binary.AppendUvarint(b, uint64(len(standings)))
	for _, kind := range slices.Sorted(maps.Keys(standings)) {
		s := standings[kind]
		b = appendText(b, kind)
		for _, x := range []float64{s.Value, s.Deviation, s.Volatility} {
			b = binary.BigEndian.AppendUint64(b, math.Float64bits(x))
		}
		b = binary.AppendVarint(b, s.At.Unix())
		for _, n := range []int{s.At.Nanosecond(), s.Wins, s.Draws, s.Losses, s.Streak, s.Best, s.Merges} {
			b = binary.AppendUvarint(b, uint64(n))
		}
	}
	return b
}

func encodeCareer(c Career) []byte {
	b := encodeStandings(c.Standings)
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

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

func (c *Career) decodeStandings(u *unpacker) {
	for range u.size() {
		kind := u.text()
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
}

func decodeCareer(value []byte) (Career, error) {
	u := unpack(value)
	var c Career
	c.decodeStandings(&u)
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
	return c, u.end()
}

// unpacker reads a packed value from its front. Once it is bad, there is nothing more
// to read, and all numbers are zero.
type unpacker struct {
	rest []byte
	bad  bool
}

// unpack begins to read a packed value.
func unpack(value []byte) unpacker {
	u := unpacker{rest: value}
	if u.bytes(1)[0] != packed {
		u.fail()
	}
	return u
}

func (u *unpacker) text() string { return string(u.bytes(u.size())) }

// end is an error unless all has been read.
func (u *unpacker) end() error {
	if u.bad || len(u.rest) > 0 {
		return fmt.Errorf("storage: a packed record cannot be read: %w", kv.ErrCorrupt)
	}
	return nil
}

func (u *unpacker) fail() {
	u.bad, u.rest = true, nil
}

func (u *unpacker) unsigned() uint64 {
	n, size := binary.Uvarint(u.rest)
	if size <= 0 {
		u.fail()
		return 0
	}
	u.rest = u.rest[size:]
	return n
}

func (u *unpacker) signed() int64 {
	n, size := binary.Varint(u.rest)
	if size <= 0 {
		u.fail()
		return 0
	}
	u.rest = u.rest[size:]
	return n
}

// count is a number that fits an int32.
func (u *unpacker) count() int {
	n := u.unsigned()
	if n > math.MaxInt32 {
		u.fail()
		return 0
	}
	return int(n)
}

// size is how many things follow, of which each takes a byte at least.
func (u *unpacker) size() int {
	n := u.count()
	if n > len(u.rest) {
		u.fail()
		return 0
	}
	return n
}

// bytes are the next n; zeros if there are not as many, and at most eight of those.
func (u *unpacker) bytes(n int) []byte {
	if n > len(u.rest) {
		u.fail()
		return make([]byte, min(n, 8))
	}
	b := u.rest[:n]
	u.rest = u.rest[n:]
	return b
}

func listedKey() []byte { return []byte("meta/listed") }

// ListedUpTo is how many of the games of Rated the leaderboards know.
func (r Reader) ListedUpTo() (uint64, error) { return r.counter(listedKey()) }

// counter is a number that is 0 where it has never been written.
func (r Reader) counter(key []byte) (uint64, error) {
	n, err := r.pointer(key)
	if errors.Is(err, ErrNotFound) {
		err = nil
	}
	return n, err
}

// SetListed writes how many of the games of Rated the leaderboards know.
func (w Writer) SetListed(n uint64) error { return w.out.Put(listedKey(), number(nil, n)) }

// Result is a rated game as leaderboards of a week or a month count it.
type Result struct {
	Game    GameID
	Kind    string      // of game
	Players [2]PersonID // 0 for who has played in another server
	Points  [2]int      // halves: 2 for a win
}

func resultKey(s ServerID, at time.Time, id GameID) []byte {
	return number(number(number(key("result/"), s), uint64(at.Unix())), id)
}

// AddResult writes a result at a server, 0 for the world.
func (w Writer) AddResult(s ServerID, at time.Time, result Result) error {
	return errors.Join(w.put(resultKey(s, at, result.Game), result), w.dropMonth(s, at, result.Kind))
}

// HasResult reports whether a result was written at a server.
func (r Reader) HasResult(s ServerID, at time.Time, id GameID) (bool, error) {
	value, err := r.kv.Get(resultKey(s, at, id))
	return value != nil, err
}

// DropResult removes a result.
func (w Writer) DropResult(s ServerID, at time.Time, result Result) error {
	return errors.Join(w.out.Delete(resultKey(s, at, result.Game)), w.dropMonth(s, at, result.Kind))
}

// Placed is a Result with where and when it counts.
type Placed struct {
	Result
	Server ServerID
	At     time.Time
}

// ResultsOf are all results of a game, found without its record.
func (r Reader) ResultsOf(id GameID) (found []Placed, err error) {
	start, end := kv.Prefix(key("result/"))
	for item, err := range r.kv.Scan(start, end) {
		if err != nil {
			return nil, err
		}
		rest := item.Key[len(start):]
		if len(rest) != 3*numberSize || endOf(rest) != uint64(id) {
			continue
		}
		p := Placed{Server: ServerID(binary.BigEndian.Uint64(rest)), At: time.Unix(int64(binary.BigEndian.Uint64(rest[numberSize:])), 0).UTC()}
		if err := decode(item.Value, &p.Result); err != nil {
			return nil, err
		}
		found = append(found, p)
	}
	return found, nil
}

// Results are those at a server from a moment on and before another.
func (r Reader) Results(s ServerID, since, until time.Time) ([]Result, error) {
	var results []Result
	for item, err := range r.kv.Scan(resultKey(s, since, 0), resultKey(s, until, 0)) {
		if err != nil {
			return nil, err
		}
		var result Result
		if err := decode(item.Value, &result); err != nil {
			return nil, err
		}
		results = append(results, result)
	}
	return results, nil
}
