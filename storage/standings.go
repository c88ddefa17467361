package storage

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
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

// UnixDay is how many days a moment is after the first of January 1970, in UTC.
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

// unpacker reads a packed value from its front. Once it is bad, sizes are zero.
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

// size is how many things follow, of which each takes a byte at least.
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
