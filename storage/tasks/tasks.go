// Package tasks keeps how far work has come that is too much for one transaction, so that it goes
// on when the program has ended in between.
package tasks

import (
	"encoding/binary"
	"time"

	"chimera/storage/id"
	"chimera/storage/kv"
	"chimera/storage/record"
)

// Task is work that is done in steps. Only its doer knows what it is.
type Task struct {
	Kind string
	Of   uint64    // number of what it is about; of each there is one Task of a kind
	Into uint64    `json:",omitempty"`
	At   time.Time `json:",omitzero"`  // when it began, or since when it is about something
	Gone bool      `json:",omitempty"` // that is what it makes known, and not the contrary
	But  id.Game   `json:",omitempty"` // which it leaves alone

	Part  int      `json:",omitempty"` // in which part of the work it is, from 0
	Place id.Place `json:",omitempty"` // the last one that it has come to in that part
	Game  id.Game  `json:",omitempty"` // likewise
}

// Kind begins the keys of all tasks.
const Kind = "task/"

func keyOf(kind string, of uint64) []byte {
	return record.Number(record.Text(record.Key(Kind), kind), of)
}

// Reader reads tasks within a transaction.
type Reader struct{ KV kv.Reader }

// Writer writes tasks within a transaction.
type Writer struct{ KV kv.Writer }

// Tasks are all that there are to do, at most so many.
func (r Reader) Tasks(limit int) (all []Task, err error) {
	for item, err := range r.KV.Scan(kv.Prefix(record.Key(Kind))) {
		if err != nil || len(all) == limit {
			return all, err
		}
		t := Task{Kind: string(item.Key[len(Kind) : len(item.Key)-record.NumberSize-1])}
		if err := record.Decode(item.Value, &t); err != nil { // it begins anew
			t.Of = binary.BigEndian.Uint64(item.Key[len(item.Key)-record.NumberSize:])
		}
		all = append(all, t)
	}
	return all, nil
}

// Task is the one of a kind that is about something, or record.ErrNotFound.
func (r Reader) Task(kind string, of uint64) (t Task, err error) {
	return t, record.Get(r.KV, keyOf(kind, of), &t)
}

// PutTask writes how far a task has come.
func (w Writer) PutTask(t Task) error { return record.Put(w.KV, keyOf(t.Kind, t.Of), t) }

// DropTask removes a task that is done.
func (w Writer) DropTask(t Task) error { return w.KV.Delete(keyOf(t.Kind, t.Of)) }
