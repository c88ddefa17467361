package storage

import (
	"time"
)

// Puzzles is that a server has a puzzle each day. The zero Puzzles is that it has none.
type Puzzles struct {
	Place  PlaceID   // where it is told
	Minute int       // of the day in the server's time zone, from midnight
	Next   time.Time // when the next is due, on the wall clock; zero while there is none, since nobody answers
	Quiet  int       // how many there were since somebody has answered one, or this was chosen
}

// PuzzleAfter is the first moment after another at which a server wants a puzzle, by the clocks of its
// time zone; UTC where that is not known.
func (s *ServerSettings) PuzzleAfter(t time.Time) time.Time {
	zone, err := time.LoadLocation(s.Zone)
	if err != nil {
		zone = time.UTC
	}
	year, month, day := t.In(zone).Date()
	for ; ; day++ {
		if at := time.Date(year, month, day, 0, s.Puzzles.Minute, 0, 0, zone); at.After(t) {
			return at.UTC()
		}
	}
}

const dailyAt = "dailyat/"

// DueDaily is the server whose puzzle has been due for the longest at a moment, the zero Server if
// none is.
func (r Reader) DueDaily(now time.Time) (Server, error) {
	return r.firstServer(dailyAt, uint64(now.Unix()+1))
}
