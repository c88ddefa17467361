package storage

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"time"
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

// Standings is all that rated games have made of a person. The zero Standings is that of one
// who has played none.
type Standings struct {
	Standings map[string]Standing // by kind of game, and Overall; what is not there is none
	Servers   []ServerID          // in which they have played, in rising order
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

// Meet counts the rated games with an opponent on the day of a moment, this one
// included. It is for the one of the two whose number is lower.
func (c *Standings) Meet(opponent PersonID, at time.Time) int {
	if day := UnixDay(at); c.Day != day || c.Met == nil {
		c.Day, c.Met = day, map[PersonID]int{}
	}
	c.Met[opponent]++
	return c.Met[opponent]
}

// MetOn is how many rated games with an opponent have ended on the day of a moment. It is
// for the one of the two whose number is lower.
func (c *Standings) MetOn(opponent PersonID, at time.Time) int {
	if c.Day != UnixDay(at) {
		return 0
	}
	return c.Met[opponent]
}

const secondsOfDay = 24 * 60 * 60

// UnixDay is how many days a moment is after the first of January 1970, in UTC.
func UnixDay(at time.Time) int64 {
	n := at.Unix() / secondsOfDay
	if at.Unix()%secondsOfDay < 0 {
		n--
	}
	return n
}

func (c *Standings) empty() bool { return len(c.Standings)+len(c.Servers)+len(c.Met) == 0 }

func encodeStandings(c Standings) []byte {
	b := pack(512)
	b = binary.AppendUvarint(b, uint64(len(c.Standings)))
	for _, kind := range slices.Sorted(maps.Keys(c.Standings)) {
		s := c.Standings[kind]
		b = appendText(b, kind)
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

// decodeStandings is the standings that a value is of. One that cannot be read is kv.ErrCorrupt.
func decodeStandings(value []byte) (Standings, error) {
	u := unpack(value)
	var c Standings
	for range u.Size() {
		kind := u.Text()
		var s Standing
		for _, x := range []*float64{&s.Value, &s.Deviation, &s.Volatility} {
			*x = math.Float64frombits(binary.BigEndian.Uint64(u.Bytes(8)))
		}
		s.At = time.Unix(u.Signed(), int64(u.Count())).UTC()
		for _, n := range []*int{&s.Wins, &s.Draws, &s.Losses, &s.Streak, &s.Best, &s.Merges} {
			*n = u.Count()
		}
		c.Put(kind, s)
	}
	for range u.Size() {
		c.Servers = append(c.Servers, ServerID(u.Unsigned()))
	}
	c.Day = u.Signed()
	for range u.Size() {
		if c.Met == nil {
			c.Met = map[PersonID]int{}
		}
		p := PersonID(u.Unsigned())
		c.Met[p] = u.Count()
	}
	return c, u.End()
}
