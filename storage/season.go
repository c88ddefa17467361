package storage

import (
	"bytes"
	"fmt"
	"time"

	"chimera/storage/kv"
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

// FinalTable is how a month has ended, the best first.
type FinalTable []Row

// Closing is a server with the first month before another whose table is still to be
// made, the zero Server if there is none.
func (r Reader) Closing(before Month) (Server, error) {
	return r.firstServer("closing/", uint64(before))
}

// firstServer is the one whose key of a kind, in which a number stands before its own, is the first
// of those with a lower number than another; the zero Server if there is none.
func (r Reader) firstServer(kind string, before uint64) (Server, error) {
	found, err := collect(r.kv.Scan(Key(kind), Key(kind, before)), 1, func(item kv.Item) (ServerID, bool) {
		return ServerID(End(item.Key)), len(item.Key) == len(kind)+2*NumberSize // else it is damaged; Check reports it
	})
	if err != nil || len(found) == 0 {
		return Server{}, err
	}
	s, err := r.Servers().Get(found[0])
	if err != nil {
		err = fmt.Errorf("server %d of %s: %w", found[0], kind, err)
	}
	return s, err
}

// TableRows is how many rows of a FinalTable are kept in one transaction.
const TableRows = 4096

func tableKey(s ServerID, m Month) []byte { return Key("table/", s, uint64(m)) }

// FinalTable is how a month has ended in a server, or ErrNotFound.
func (r Reader) FinalTable(s ServerID, m Month) (all FinalTable, err error) {
	k := tableKey(s, m)
	err = ErrNotFound
	for item, fault := range r.kv.Scan(kv.Prefix(k)) {
		var rows FinalTable
		if fault == nil {
			fault = Decode(item.Value, &rows)
		}
		if fault != nil {
			return nil, fault
		}
		if bytes.Equal(item.Key, k) {
			err = nil
		}
		all = append(all, rows...)
	}
	if err != nil { // it is being written
		return nil, err
	}
	return all, nil
}

// PutFinalTable stores part n, of parts in all, of how a month has ended in a server: TableRows rows of
// it. Part 0 is stored last, and there is no FinalTable before.
func (w Writer) PutFinalTable(s ServerID, m Month, n, parts int, rows FinalTable) error {
	k := tableKey(s, m)
	if n > 0 {
		return Put(w.out, Key("table/", s, uint64(m), uint64(n)), rows)
	}
	_, end := kv.Prefix(k)
	for item, err := range w.kv.Scan(Key("table/", s, uint64(m), uint64(parts)), end) { // of an attempt that was interrupted
		if err == nil {
			err = w.out.Delete(item.Key)
		}
		if err != nil {
			return err
		}
	}
	return Put(w.out, k, rows)
}
