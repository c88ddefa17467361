package storage

import (
	"bytes"
	"cmp"
	"errors"
	"iter"
	"slices"
	"time"

	"chimera/storage/kv"
)

// Entry is something to say, as facts: they become words and a picture when it is delivered.
type Entry struct {
	ID    uint64 // rises within its Queue; the upper bits tell when it was posted
	Place PlaceID
	Game  GameID
	Ply   int // how many moves had been played
	At    time.Time
	Due   time.Time `json:",omitzero"` // when the player to move runs out of time; zero if their clock does not run
	Kind  string
	By    PersonID          // who caused it
	Facts map[string]string `json:",omitempty"`

	Tries int       `json:",omitempty"` // how often it could not be said
	Fault string    `json:",omitempty"` // why not, the last time
	Next  time.Time `json:",omitzero"`  // when to try again; before the first try, how long it may wait for what follows it
}

// Queue is a sequence of entries said in order: those of a game at a place, or without a game all others there.
type Queue struct {
	Place PlaceID
	Game  GameID
}

// Queue is where an entry stands.
func (e *Entry) Queue() Queue { return Queue{e.Place, e.Game} }

// posted begins the keys of the last numbers given in queues.
const posted = "posted/"

func (q Queue) parts() []any { return []any{q.Place, q.Game} }

// entryID names an entry.
type entryID = pair[Queue, uint64]

func (e *Entry) id() entryID { return entryID{e.Queue(), e.ID} }

func (e *Entry) loaded(key []byte) bool { return bytes.Equal(key, Key("", e.id())) }

// queueAt is the queue of the waiting entry at a key; false if the key is damaged.
func queueAt(key []byte) (Queue, bool) {
	if n := numbersIn(key, entries.prefix, 3); n != nil {
		return Queue{PlaceID(n[0]), GameID(n[1])}, true
	}
	return Queue{}, false
}

// step is the distance between the numbers of successive milliseconds. Numbers in between are for different queues.
const step = 1 << 20

// Post adds an entry to the outbox and numbers it. Numbers rise within a game, or without one at a place, whatever the
// clock does, and otherwise mostly with time.
func (w Writer) Post(e Entry) error {
	counter := Key(posted, e.Game, PlaceID(0))
	owner := uint64(e.Game) << 1
	if e.Game == 0 {
		counter = Key(posted, e.Game, e.Place)
		owner = uint64(e.Place)<<1 | 1
	}
	last, err := w.kv.Get(counter)
	if err != nil && !Missing(err) { // without the counter, the clock decides
		return err
	}
	e.ID = max(uint64(max(e.At.UnixMilli(), 0)), End(last)/step+1)*step + owner%step
	w.changes.posted = append(w.changes.posted, e.Queue())
	return errors.Join(w.out.Put(counter, Number(e.ID)), w.Retry(e))
}

// Queues are those with entries waiting.
func (r Reader) Queues() ([]Queue, error) {
	all, err := collect(r.kv.Scan(kv.Prefix(Key(entries.prefix))), 0, func(item kv.Item) (Queue, bool) {
		return queueAt(item.Key)
	})
	return slices.Compact(all), err
}

// Waiting yields the entries waiting in a queue, in order, without corrupt ones.
func (r Reader) Waiting(q Queue) iter.Seq2[Entry, error] { return entries.in(r).scan(q) }

// EntriesAt are the entries waiting for a place, and those that can never be delivered, each oldest first and without
// corrupt ones.
func (r Reader) EntriesAt(p PlaceID) (waiting, undelivered []Entry, err error) {
	waiting, err = oldestFirst(entries.in(r).List(p))
	undelivered, err2 := oldestFirst(dead.in(r).List(p))
	return waiting, undelivered, errors.Join(err, err2)
}

// Outbox are the waiting entries, oldest first, without corrupt ones.
func (r Reader) Outbox() ([]Entry, error) { return oldestFirst(entries.in(r).List()) }

// Undelivered are the entries that can never be delivered, likewise.
func (r Reader) Undelivered() ([]Entry, error) { return oldestFirst(dead.in(r).List()) }

func oldestFirst(all []Entry, err error) ([]Entry, error) {
	slices.SortStableFunc(all, func(a, b Entry) int { return cmp.Compare(a.ID, b.ID) })
	return all, err
}

// Entry reads an entry waiting in a queue, or returns ErrNotFound.
func (r Reader) Entry(q Queue, id uint64) (Entry, error) { return entries.in(r).Get(entryID{q, id}) }

// FindEntry reads a waiting entry in any queue, or returns ErrNotFound.
func (r Reader) FindEntry(id uint64) (Entry, error) {
	all, err := r.entriesWith(id)
	if err != nil || len(all) == 0 {
		return Entry{}, errors.Join(err, ErrNotFound)
	}
	e, err := entries.in(r).decode(all[0], nil)
	return *e, err
}

// entriesWith are the waiting entries with a number, as they are stored.
func (r Reader) entriesWith(id uint64) ([]kv.Item, error) {
	return collect(r.kv.Scan(kv.Prefix(Key(entries.prefix))), 0, func(item kv.Item) (kv.Item, bool) {
		return item, End(item.Key) == id
	})
}

// Delivered removes an entry of a queue from the outbox, if it waits there.
func (w Writer) Delivered(q Queue, id uint64) error { return w.out.Delete(entries.key(entryID{q, id})) }

// Retry updates an entry after a failed try.
func (w Writer) Retry(e Entry) error { return Put(w.out, entries.key(e.id()), e) }

// Undeliverable moves an entry that can never be delivered out of the outbox, to where Undelivered finds it.
func (w Writer) Undeliverable(e Entry) error {
	return errors.Join(w.Delivered(e.Queue(), e.ID), Put(w.out, dead.key(e.id()), e))
}

// DropUndeliverable removes an entry that can never be delivered.
func (w Writer) DropUndeliverable(e Entry) error { return w.out.Delete(dead.key(e.id())) }

// Revive posts an undeliverable entry again, as a new one.
func (w Writer) Revive(e Entry) error {
	dead := e
	e.Tries, e.Fault, e.Next = 0, "", time.Time{}
	return errors.Join(w.DropUndeliverable(dead), w.Post(e))
}
