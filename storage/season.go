package storage

import (
	"bytes"
	"encoding/binary"
	"errors"
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

// Table is how a month has ended, the best first.
type Table []Row

func closingKey(m Month, s ServerID) []byte { return number(number(key("closing/"), uint64(m)), s) }

func tableKey(s ServerID, m Month) []byte { return number(number(key("table/"), s), uint64(m)) }

// Closing is a server with the first month before another whose table is still to be
// made, the zero Server if there is none.
func (r Reader) Closing(before Month) (Server, error) {
	for item, err := range r.kv.Scan(key("closing/"), closingKey(before, 0)) {
		if err != nil {
			return Server{}, err
		}
		id, _ := lastNumber[ServerID](item.Key)
		if len(item.Key) != len(closingKey(before, id)) {
			continue // it is damaged; Check reports it
		}
		s, err := r.Server(id)
		if err != nil {
			return s, fmt.Errorf("%q: %w", item.Key, err)
		}
		return s, nil
	}
	return Server{}, nil
}

// Table is how a month has ended in a server, or ErrNotFound.
func (r Reader) Table(s ServerID, m Month) (Table, error) {
	var t Table
	return t, r.get(tableKey(s, m), &t)
}

// PutTable keeps how a month has ended in a server.
func (w Writer) PutTable(s ServerID, m Month, t Table) error { return w.put(tableKey(s, m), t) }

func monthsKey(s ServerID) []byte { return number(key("month/"), s) }

func monthKey(s ServerID, m Month, kind string) []byte {
	return append(number(monthsKey(s), uint64(m)), kind...)
}

// MonthTable is what the results of a month make of a kind of game at a server, 0 for the
// world, or ErrNotFound if that was not kept, or was before they changed.
func (r Reader) MonthTable(s ServerID, m Month, kind string) (Table, error) {
	value, err := r.kv.Get(monthKey(s, m, kind))
	if err == nil && (value == nil || isBegun(value)) {
		err = ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return decodeTable(value)
}

func decodeTable(value []byte) (Table, error) {
	u := unpack(value)
	t := make(Table, u.size())
	for i := range t {
		t[i] = Row{PersonID(u.unsigned()), u.count(), u.count()}
	}
	return t, u.end()
}

// begun stands before the word of somebody who is about to make a table.
const begun = 0

func isBegun(value []byte) bool { return len(value) > 0 && value[0] == begun }

// BeginMonthTable notes that somebody is about to make a table, with a word of theirs.
func (w Writer) BeginMonthTable(s ServerID, m Month, kind, word string) error {
	_, err := w.MonthTable(s, m, kind)
	if errors.Is(err, ErrNotFound) {
		err = w.out.Put(monthKey(s, m, kind), append([]byte{begun}, word...))
	}
	return err
}

// PutMonthTable keeps what the results of a month make, until they or who may be seen
// change, if they have not since it was begun with that word.
func (w Writer) PutMonthTable(s ServerID, m Month, kind, word string, t Table) error {
	value, err := w.kv.Get(monthKey(s, m, kind))
	if err != nil || !bytes.Equal(value, append([]byte{begun}, word...)) {
		return err
	}
	b := binary.AppendUvarint([]byte{packed}, uint64(len(t)))
	for _, row := range t {
		for _, n := range []uint64{uint64(row.Person), uint64(row.Points), uint64(row.Games)} {
			b = binary.AppendUvarint(b, n)
		}
	}
	return w.out.Put(monthKey(s, m, kind), b)
}

// MonthTables calls each with all that are kept.
func (r Reader) MonthTables(each func(s ServerID, m Month, kind string, t Table) error) error {
	prefix := key("month/")
	start, end := kv.Prefix(prefix)
	for item, err := range r.kv.Scan(start, end) {
		if err != nil {
			return err
		}
		if isBegun(item.Value) {
			continue
		}
		t, err := decodeTable(item.Value)
		if err != nil {
			return fmt.Errorf("%q: %w", item.Key, err)
		}
		rest := item.Key[len(prefix):]
		if len(rest) < 2*numberSize {
			return fmt.Errorf("%q: %w", item.Key, kv.ErrCorrupt)
		}
		s, m := binary.BigEndian.Uint64(rest), binary.BigEndian.Uint64(rest[numberSize:])
		if err := each(ServerID(s), Month(m), string(rest[2*numberSize:]), t); err != nil {
			return err
		}
	}
	return nil
}

// dropMonth lets go of the tables of which a result is a part.
func (w Writer) dropMonth(s ServerID, at time.Time, kind string) error {
	m := MonthOf(at)
	return errors.Join(w.out.Delete(monthKey(s, m, kind)), w.out.Delete(monthKey(s, m, Overall)))
}

// dropMonths lets go of all tables at servers.
func (w Writer) dropMonths(servers ...ServerID) error {
	for _, s := range servers {
		keys, err := w.first(monthsKey(s), 0)
		if err != nil {
			return err
		}
		for _, k := range keys {
			if err := w.out.Delete(k); err != nil {
				return err
			}
		}
	}
	return nil
}
