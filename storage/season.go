package storage

import (
	"fmt"
	"time"

	"chimera/storage/record"
)

// Month is a month of the calendar, in UTC.
type Month int

// MonthOf is the month that a moment is in.
func MonthOf(at time.Time) Month {
	year, month, _ := at.UTC().Date()
	return Month(year*12 + int(month) - 1)
}

// ParseMonth reads a month as String writes it.
func ParseMonth(text string) (Month, bool) {
	at, err := time.Parse("2006-01", text)
	return MonthOf(at), err == nil && at.Year() > 0
}

// Begins is the month's first moment.
func (m Month) Begins() time.Time {
	return time.Date(int(m)/12, time.Month(int(m)%12)+1, 1, 0, 0, 0, 0, time.UTC)
}

// String is the month as in "2026-10".
func (m Month) String() string { return m.Begins().Format("2006-01") }

// Season is that a server has a final table at the end of each month. The zero Season is
// that it has not.
type Season struct {
	Place PlaceID // where the table is told
	Month Month   // that goes on, or whose table comes next
}

// Row is what somebody has made of a month.
type Row struct {
	Person PersonID
	Points int // halves: 2 for a win
	Games  int
}

// Table is how a month has ended, the best first.
type Table []Row

// Closing is a server with the first month before another whose table is still to be
// made, the zero Server if there is none.
func (r leagueReader) Closing(before Month) (Server, error) {
	for item, err := range r.kv.Scan(record.Key("closing/"), record.Number(record.Key("closing/"), uint64(before))) {
		if err != nil {
			return Server{}, err
		}
		id, _ := record.LastNumber[ServerID](item.Key)
		if len(item.Key) != len("closing/")+2*record.NumberSize {
			continue // it is damaged; Check reports it
		}
		s, err := r.all().Server(id)
		if err != nil {
			return s, fmt.Errorf("%q: %w", item.Key, err)
		}
		return s, nil
	}
	return Server{}, nil
}

// Table is how a month has ended in a server, or ErrNotFound.
func (r leagueReader) Table(s ServerID, m Month) (Table, error) {
	var t Table
	return t, record.Get(r.kv, record.Pair("table/", s, uint64(m)), &t)
}

// PutTable keeps how a month has ended in a server.
func (w leagueWriter) PutTable(s ServerID, m Month, t Table) error {
	return record.Put(w.out, record.Pair("table/", s, uint64(m)), t)
}
