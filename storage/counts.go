package storage

import (
	"chimera/storage/kv"
	"chimera/storage/record"
)

// Counts are how many records there are.
type Counts struct {
	Playing    int // games in progress
	Challenges int // open ones
	People     int
}

// Counts counts records by their keys.
func (r Reader) Counts() (c Counts, err error) {
	for _, kind := range []struct {
		prefix string
		n      *int
	}{
		{"challenge/", &c.Challenges},
		{"person/", &c.People},
	} {
		start, end := kv.Prefix(record.Key(kind.prefix))
		for _, err := range r.kv.Scan(start, end) {
			if err != nil {
				return Counts{}, err
			}
			*kind.n++
		}
	}
	here, err := record.Numbers[GameID](r.kv, record.Key("here/"))
	if err != nil {
		return Counts{}, err
	}
	games := make(map[GameID]bool, len(here))
	for _, id := range here { // once for each place
		games[id] = true
	}
	c.Playing = len(games)
	return c, nil
}
