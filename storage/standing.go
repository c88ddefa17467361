package storage

import (
	"encoding/binary"
	"errors"
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

func standingKey(p PersonID, kind string) []byte {
	return append(number(key("standing/"), p), kind...)
}

// Standing reads a person's standing, or returns ErrNotFound.
func (r Reader) Standing(p PersonID, kind string) (Standing, error) {
	var s Standing
	return s, r.get(standingKey(p, kind), &s)
}

// Standings are all of a person's, by kind of game.
func (r Reader) Standings(p PersonID) (map[string]Standing, error) {
	prefix := number(key("standing/"), p)
	start, end := kv.Prefix(prefix)
	all := map[string]Standing{}
	for item, err := range r.kv.Scan(start, end) {
		if err != nil {
			return nil, err
		}
		var s Standing
		if err := decode(item.Value, &s); err != nil {
			return nil, err
		}
		all[string(item.Key[len(prefix):])] = s
	}
	return all, nil
}

// AllStandings calls each for every standing.
func (r Reader) AllStandings(each func(PersonID, string, Standing)) error {
	prefix := key("standing/")
	start, end := kv.Prefix(prefix)
	for item, err := range r.kv.Scan(start, end) {
		if err != nil {
			return err
		}
		var s Standing
		if err := decode(item.Value, &s); err != nil {
			return err
		}
		rest := item.Key[len(prefix):]
		each(PersonID(binary.BigEndian.Uint64(rest)), string(rest[8:]), s)
	}
	return nil
}

// PutStanding writes a person's standing.
func (w Writer) PutStanding(p PersonID, kind string, s Standing) error {
	return w.put(standingKey(p, kind), s)
}

// DropStanding removes a person's standing.
func (w Writer) DropStanding(p PersonID, kind string) error {
	return w.out.Delete(standingKey(p, kind))
}

// AddRated writes that a game is the next that counts for ratings.
func (w Writer) AddRated(id GameID) error {
	n, err := w.next("rated")
	if err != nil {
		return err
	}
	return w.out.Put(number(key("rated/"), n), number(nil, id))
}

// Rated are the games that count for ratings, in the order in which they do.
func (r Reader) Rated() ([]GameID, error) {
	var ids []GameID
	start, end := kv.Prefix(key("rated/"))
	for item, err := range r.kv.Scan(start, end) {
		if err != nil {
			return nil, err
		}
		if len(item.Value) == 8 {
			ids = append(ids, GameID(binary.BigEndian.Uint64(item.Value)))
		}
	}
	return ids, nil
}

// CountPair counts the rated games between two people on a day, this one included.
func (w Writer) CountPair(a, b PersonID, day time.Time) (int, error) {
	k := number(number(number(key("pair/"), min(a, b)), max(a, b)), uint64(day.Unix()/86400))
	value, err := w.kv.Get(k)
	if err != nil {
		return 0, err
	}
	n := uint64(1)
	if len(value) == 8 {
		n += binary.BigEndian.Uint64(value)
	}
	return int(n), w.out.Put(k, number(nil, n))
}

// Join notes that a person has played rated games in a server.
func (w Writer) Join(p PersonID, s ServerID) error {
	return w.out.Put(number(number(key("member/"), p), s), []byte{})
}

// Joined are the servers in which a person has played rated games.
func (r Reader) Joined(p PersonID) ([]ServerID, error) {
	return numbers[ServerID](r, number(key("member/"), p))
}

// Result is a rated game as leaderboards of a week or a month count it.
type Result struct {
	Game    GameID
	Kind    string // of game
	Players [2]PersonID
	Points  [2]int // halves: 2 for a win
}

// AddResult writes a result at a server, 0 for the world.
func (w Writer) AddResult(s ServerID, at time.Time, result Result) error {
	return w.put(number(number(number(key("result/"), s), uint64(at.Unix())), result.Game), result)
}

// DropResult removes a result.
func (w Writer) DropResult(s ServerID, at time.Time, id GameID) error {
	return w.out.Delete(number(number(number(key("result/"), s), uint64(at.Unix())), id))
}

// Results are those at a server since a moment.
func (r Reader) Results(s ServerID, since time.Time) ([]Result, error) {
	var results []Result
	prefix := number(key("result/"), s)
	_, end := kv.Prefix(prefix)
	for item, err := range r.kv.Scan(number(prefix, uint64(max(since.Unix(), 0))), end) {
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

// StandingOr is a person's standing, or another if there is none.
func (r Reader) StandingOr(p PersonID, kind string, other Standing) (Standing, error) {
	s, err := r.Standing(p, kind)
	if errors.Is(err, ErrNotFound) {
		return other, nil
	}
	return s, err
}
