package storage

import (
	"encoding/binary"
	"time"

	"chimera/storage/kv"
)

// The kinds of deadlines.
const (
	DueGame      = "game"      // a reminder, or the end of a player's time
	DueChallenge = "challenge" // it expires
	DueVacation  = "vacation"  // of a person; it ends
)

// Deadline is a moment on the running clock, to the second, at which something is
// due.
type Deadline struct {
	At   time.Time // zero: never
	Kind string
	ID   uint64 // of the game, challenge or person
}

const due = "due/"

// seconds is a moment as it stands in keys.
func seconds(at time.Time) uint64 { return uint64(max(at.Unix(), 0)) }

func dueKey(d Deadline) []byte {
	return Key(due, uint64(d.At.Unix()), d.Kind, d.ID)
}

// DropDue removes a deadline that no record has, which does not happen in a sound
// database.
func (w Writer) DropDue(d Deadline) error { return Mark(w.out, dueKey(d), false) }

// RestoreDue writes a deadline again that was dropped; the zero time is none.
func (w Writer) RestoreDue(d Deadline) error {
	var x Index
	addDue(&x, d)
	return reindex(w.out, nil, x)
}

// Due are the deadlines up to a moment, included, the earliest first, at most so
// many.
func (r Reader) Due(now time.Time, limit int) ([]Deadline, error) {
	prefix := Key(due)
	return collect(r.kv.Scan(prefix, Key(due, seconds(now)+1)), limit, func(item kv.Item) (Deadline, bool) {
		return readDue(item.Key[len(prefix):])
	})
}

// NextDue is the first deadline, the zero Deadline if there is none.
func (r Reader) NextDue() (Deadline, error) {
	due, err := r.Due(time.Unix(1<<40, 0), 1)
	if err != nil || len(due) == 0 {
		return Deadline{}, err
	}
	return due[0], nil
}

// readDue reads what follows the prefix of a key; false if it is damaged, which Check
// reports.
func readDue(rest []byte) (Deadline, bool) {
	kind := len(rest) - NumberSize - 1 // where it ends
	if kind < NumberSize {
		return Deadline{}, false
	}
	return Deadline{
		At:   time.Unix(int64(binary.BigEndian.Uint64(rest)), 0).UTC(),
		Kind: string(rest[NumberSize:kind]),
		ID:   binary.BigEndian.Uint64(rest[kind+1:]),
	}, true
}
