// Package tasks keeps how far work has come that is too much for one transaction, so that it goes
// on when the program has ended in between.
package tasks

import (
	"time"

	"chimera/storage/id"
	"chimera/storage/kv"
	"chimera/storage/record"
)

// Task is work that is done in steps. Only its doer knows what it is.
type Task struct {
	Kind string
	Of   uint64    // number of what it is about; of each there is one Task of a kind
	Into uint64    `json:",omitempty"` // the other one that it is about
	At   time.Time `json:",omitzero"`  // when it began, or since when it is about something
	Gone bool      `json:",omitempty"` // that is what it makes known, and not the contrary
	But  id.Game   `json:",omitempty"` // which it leaves alone
	Told id.Place  `json:",omitempty"` // where that is known already

	Part   int       `json:",omitempty"` // in which part of the work it is, from 0
	Place  id.Place  `json:",omitempty"` // the last one that it has come to in that part
	Game   id.Game   `json:",omitempty"` // likewise
	Person id.Person `json:",omitempty"` // likewise
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

// FirstTask is the first one of some kinds, or record.ErrNotFound.
func (r Reader) FirstTask(wanted func(kind string) bool) (t Task, err error) {
	for item, err := range r.KV.Scan(kv.Prefix(record.Key(Kind))) {
		if err != nil {
			return t, err
		}
		kind := string(item.Key[len(Kind) : len(item.Key)-record.NumberSize-1])
		if !wanted(kind) {
			continue
		}
		t = Task{Kind: kind}
		if err := record.Decode(item.Value, &t); err != nil { // it begins anew
			t.Of = record.End(item.Key)
		}
		return t, nil
	}
	return t, record.ErrNotFound
}

// Task is the one of a kind that is about something, or record.ErrNotFound.
func (r Reader) Task(kind string, of uint64) (t Task, err error) {
	return t, record.Get(r.KV, keyOf(kind, of), &t)
}

// PutTask writes how far a task has come.
func (w Writer) PutTask(t Task) error { return record.Put(w.KV, keyOf(t.Kind, t.Of), t) }

// DropTask removes a task that is done.
func (w Writer) DropTask(t Task) error { return w.KV.Delete(keyOf(t.Kind, t.Of)) }
