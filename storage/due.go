package storage

import (
	"encoding/binary"
	"time"
)

// Deadline is a moment, to the second, at which something is due in a game.
type Deadline struct {
	At   time.Time
	Kind string
	Game GameID
}

func dueKey(d Deadline) []byte {
	return number(text(number(key("due/"), uint64(d.At.Unix())), d.Kind), d.Game)
}

// PutDue writes a deadline.
func (w Writer) PutDue(d Deadline) error { return w.index(dueKey(d), true) }

// DeleteDue removes a deadline.
func (w Writer) DeleteDue(d Deadline) error { return w.index(dueKey(d), false) }

// Due are the deadlines up to a moment, included, the earliest first.
func (r Reader) Due(now time.Time) ([]Deadline, error) {
	prefix := key("due/")
	var due []Deadline
	for item, err := range r.kv.Scan(prefix, number(prefix, uint64(now.Unix()+1))) {
		if err != nil {
			return nil, err
		}
		rest := item.Key[len(prefix):]
		due = append(due, Deadline{
			At:   time.Unix(int64(binary.BigEndian.Uint64(rest)), 0).UTC(),
			Kind: string(rest[8 : len(rest)-9]),
			Game: GameID(binary.BigEndian.Uint64(rest[len(rest)-8:])),
		})
	}
	return due, nil
}
