package storage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"chimera/storage/record"
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
	Servers   []ServerID          // in which they have played, in rising order
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

const secondsOfDay = 24 * 60 * 60

// UnixDay is how many days a moment is after the first of January 1970, in UTC.
func UnixDay(at time.Time) int64 {
	n := at.Unix() / secondsOfDay
	if at.Unix()%secondsOfDay < 0 {
		n--
	}
	return n
}

// A person has two careers: the one that holds, and the draft of another as a Recount comes
// to it, or what held before. Which is which changes for all people at once.

func careerKey(p PersonID, which byte) []byte {
	return append(append(playerPrefix(p), rated...), which)
}

func holdsKey() []byte { return []byte("meta/careers") }

// holds is which careers hold, and which are drafts.
func (r *tx) holds() (holds, drafts byte, err error) {
	value, err := r.kv.Get(holdsKey())
	if len(value) == 1 && value[0] == 'b' {
		return 'b', 'a', err
	}
	return 'a', 'b', err
}

// Career is what rated games have made of a person.
func (r leagueReader) Career(p PersonID) (Career, error) {
	holds, _, err := r.holds()
	if err != nil {
		return Career{}, err
	}
	return r.career(p, holds)
}

func (r *tx) career(p PersonID, which byte) (Career, error) {
	value, err := r.kv.Get(careerKey(p, which))
	if err != nil || value == nil {
		return Career{}, err
	}
	return decodeCareer(value)
}

// CareersOf are those of some people, in their order.
func (r leagueReader) CareersOf(people []PersonID) ([]Career, error) {
	values, err := r.holding(people)
	if err != nil {
		return nil, err
	}
	all := make([]Career, len(people))
	for i, value := range values {
		if value == nil {
			continue
		}
		if all[i], err = decodeCareer(value); err != nil {
			return nil, fmt.Errorf("person %d: %w", people[i], err)
		}
	}
	return all, nil
}

// holding is what is stored of the careers of some people that hold.
func (r *tx) holding(people []PersonID) ([][]byte, error) {
	holds, _, err := r.holds()
	if err != nil {
		return nil, err
	}
	keys := make([][]byte, len(people))
	for i, p := range people {
		keys[i] = careerKey(p, holds)
	}
	return r.kv.GetAll(keys...)
}

// Careers calls each for everybody who has played rated games, but whose careers cannot be
// read, which Check reports.
func (r leagueReader) Careers(each func(PersonID, Career) error) error {
	people, err := r.all().People()
	if err != nil {
		return err
	}
	for some := range slices.Chunk(people, readAtOnce) {
		values, err := r.holding(some)
		if err != nil {
			return err
		}
		for i, value := range values {
			if value == nil {
				continue
			}
			c, err := decodeCareer(value)
			if Lost(err) {
				continue
			}
			if err == nil && len(c.Standings) > 0 {
				err = each(some[i], c)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// PutCareer writes what rated games have made of a person.
func (w leagueWriter) PutCareer(p PersonID, c Career) error {
	holds, _, err := w.holds()
	if err != nil {
		return err
	}
	return w.out.Put(careerKey(p, holds), encodeCareer(c))
}

// IsDraft reports whether a career is a person's draft.
func (r leagueReader) IsDraft(p PersonID, c Career) (bool, error) {
	_, drafts, err := r.holds()
	if err != nil {
		return false, err
	}
	value, err := r.kv.Get(careerKey(p, drafts))
	if value == nil {
		return c.empty(), err
	}
	return bytes.Equal(value, encodeCareer(c)), err
}

// PutDraft writes a person's draft.
func (w leagueWriter) PutDraft(p PersonID, c Career) error {
	_, drafts, err := w.holds()
	if err != nil {
		return err
	}
	if c.empty() {
		return w.out.Delete(careerKey(p, drafts))
	}
	return w.out.Put(careerKey(p, drafts), encodeCareer(c))
}

// Switch lets all drafts hold, and what held be drafts.
func (w leagueWriter) Switch() error {
	_, drafts, err := w.holds()
	return errors.Join(err, w.out.Put(holdsKey(), []byte{drafts}), w.RemakeBoards())
}

func (c *Career) empty() bool { return len(c.Standings)+len(c.Servers)+len(c.Met) == 0 }

func encodeCareer(c Career) []byte {
	b := record.Pack(512)
	b = binary.AppendUvarint(b, uint64(len(c.Standings)))
	for _, kind := range slices.Sorted(maps.Keys(c.Standings)) {
		s := c.Standings[kind]
		b = record.AppendText(b, kind)
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

func decodeCareer(value []byte) (Career, error) {
	u := record.Unpack(value)
	var c Career
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
