package storage

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"chimera/storage/kv"
	"chimera/storage/record"
)

// Entry is something that must be said: facts, which become words and a picture
// when they are delivered.
type Entry struct {
	ID    uint64 // rises within its Queue, and tells in its upper bits when it was posted
	Place PlaceID
	Game  GameID
	Ply   int // how many moves had been played
	At    time.Time
	Due   time.Time `json:",omitzero"` // when the time of the player to move is up; zero if it does not run
	Kind  string
	By    PersonID          // who caused it
	Facts map[string]string `json:",omitempty"`

	Tries int       `json:",omitempty"` // how often it could not be said
	Fault string    `json:",omitempty"` // why not, the last time
	Next  time.Time `json:",omitzero"`  // when to try again; of what was not tried yet, how long it may wait for what follows it
}

// Queue is what is said in order: the entries of a game at a place, or with no game what
// else is said there.
type Queue struct {
	Place PlaceID
	Game  GameID
}

// Queue is where an entry stands.
func (e *Entry) Queue() Queue { return Queue{e.Place, e.Game} }

// The kinds of keys of what waits, of what can never be said, and of the last number in a queue.
const (
	outbox = "outbox/"
	dead   = "dead/"
	posted = "posted/"
)

func queueKey(kind string, q Queue) []byte {
	return record.Pair(kind, q.Place, q.Game)
}

func entryKey(kind string, q Queue, id uint64) []byte { return record.Number(queueKey(kind, q), id) }

// readEntryKey reads what follows the kind of a key; false if it is damaged, which Check
// reports.
func readEntryKey(rest []byte) (q Queue, id uint64, ok bool) {
	if len(rest) != 3*record.NumberSize {
		return q, 0, false
	}
	at := func(i int) uint64 { return binary.BigEndian.Uint64(rest[i*record.NumberSize:]) }
	return Queue{PlaceID(at(0)), GameID(at(1))}, at(2), true
}

// step is how far the numbers of one millisecond are from those of the next. Beside each other
// stand those of different queues.
const step = 1 << 20

// Post adds an entry to the outbox and gives it its number. Numbers rise within a game,
// or without one at a place, whatever the clock does, and else mostly with time.
func (w Writer) Post(e Entry) error {
	counter := record.Pair(posted, e.Game, PlaceID(0))
	owner := uint64(e.Game) << 1
	if e.Game == 0 {
		counter = record.Pair(posted, e.Game, e.Place)
		owner = uint64(e.Place)<<1 | 1
	}
	last, err := w.kv.Get(counter)
	if err != nil && !Lost(err) { // without it the clock alone tells
		return err
	}
	e.ID = max(uint64(max(e.At.UnixMilli(), 0)), record.End(last)/step+1)*step + owner%step
	w.changes.posted = append(w.changes.posted, e.Queue())
	return errors.Join(w.out.Put(counter, record.Number(nil, e.ID)), record.Put(w.out, entryKey(outbox, e.Queue(), e.ID), e))
}

// Queues are those in which something waits.
func (r Reader) Queues() (all []Queue, err error) {
	for item, err := range r.kv.Scan(kv.Prefix(record.Key(outbox))) {
		if err != nil {
			return nil, err
		}
		q, _, ok := readEntryKey(item.Key[len(outbox):])
		if ok && (len(all) == 0 || all[len(all)-1] != q) {
			all = append(all, q)
		}
	}
	return all, nil
}

// Waiting yields what waits in a queue, in order. Entries that cannot be read are left out.
func (r Reader) Waiting(q Queue) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for item, err := range r.kv.Scan(kv.Prefix(queueKey(outbox, q))) {
			var e Entry
			if err == nil {
				e, err = r.readEntry(outbox, item)
			}
			if Lost(err) {
				continue
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// EntriesAt are the entries of a place that wait, and those that can never be said, both the
// oldest first. Those that cannot be read are left out.
func (r Reader) EntriesAt(p PlaceID) (waiting, undelivered []Entry, err error) {
	if waiting, err = r.entries(outbox, record.Number(record.Key(outbox), p)); err != nil {
		return nil, nil, err
	}
	undelivered, err = r.entries(dead, record.Number(record.Key(dead), p))
	return waiting, undelivered, err
}

// Outbox are the entries that wait, the oldest first. Those that cannot be read are left out.
func (r Reader) Outbox() ([]Entry, error) { return r.entries(outbox, record.Key(outbox)) }

// Undelivered are the entries that can never be said, likewise.
func (r Reader) Undelivered() ([]Entry, error) { return r.entries(dead, record.Key(dead)) }

func (r Reader) entries(kind string, prefix []byte) (all []Entry, err error) {
	for item, err := range r.kv.Scan(kv.Prefix(prefix)) {
		var e Entry
		if err == nil {
			e, err = r.readEntry(kind, item)
		}
		if err == nil {
			all = append(all, e)
		} else if !Lost(err) {
			return nil, err
		}
	}
	slices.SortStableFunc(all, func(a, b Entry) int { return cmp.Compare(a.ID, b.ID) })
	return all, nil
}

// Entry reads an entry that waits in a queue, or returns ErrNotFound.
func (r Reader) Entry(q Queue, id uint64) (Entry, error) {
	k := entryKey(outbox, q, id)
	value, err := r.kv.Get(k)
	if err == nil && value == nil {
		err = ErrNotFound
	}
	if err != nil {
		return Entry{}, r.unread.note(Ref{OfEntry, id}, err)
	}
	return r.readEntry(outbox, kv.Item{Key: k, Value: value})
}

// FindEntry reads an entry that waits, wherever it does, or returns ErrNotFound.
func (r Reader) FindEntry(id uint64) (Entry, error) {
	keys, err := r.entryKeys(id)
	if err != nil || len(keys) == 0 {
		return Entry{}, errors.Join(err, ErrNotFound)
	}
	q, _, _ := readEntryKey(keys[0][len(outbox):])
	return r.Entry(q, id)
}

// entryKeys are the keys of what waits that have a number.
func (r Reader) entryKeys(id uint64) (keys [][]byte, err error) {
	return record.Collect(r.kv.Scan(kv.Prefix(record.Key(outbox))), 0, func(item kv.Item) ([]byte, bool) {
		return item.Key, record.End(item.Key) == id
	})
}

// readEntry reads what stands at a key. One that waits and cannot be read is noted, to be set
// aside; the others are forgotten by their age.
func (r Reader) readEntry(kind string, item kv.Item) (e Entry, err error) {
	q, id, ok := readEntryKey(item.Key[len(kind):])
	if err = record.Decode(item.Value, &e); err == nil && (!ok || e.ID != id || e.Queue() != q) {
		err = fmt.Errorf("storage: the record contradicts itself: %w", kv.ErrCorrupt)
	}
	if err != nil && kind == outbox {
		err = r.unread.note(Ref{OfEntry, record.End(item.Key)}, err)
	}
	return e, err
}

// Delivered removes an entry of a queue from the outbox, if it waits there.
func (w Writer) Delivered(q Queue, id uint64) error {
	return w.out.Delete(entryKey(outbox, q, id))
}

// Retry keeps an entry that could not be said, with what it has been through.
func (w Writer) Retry(e Entry) error {
	return record.Put(w.out, entryKey(outbox, e.Queue(), e.ID), e)
}

// Undeliverable takes an entry that can never be said out of the outbox, and keeps it
// where Undelivered finds it.
func (w Writer) Undeliverable(e Entry) error {
	return errors.Join(w.Delivered(e.Queue(), e.ID), record.Put(w.out, entryKey(dead, e.Queue(), e.ID), e))
}

// DropUndeliverable removes an entry that can never be said.
func (w Writer) DropUndeliverable(e Entry) error {
	return w.out.Delete(entryKey(dead, e.Queue(), e.ID))
}

// Revive lets an entry that was not deliverable wait in the outbox as a new one.
func (w Writer) Revive(e Entry) error {
	if err := w.DropUndeliverable(e); err != nil {
		return err
	}
	e.Tries, e.Fault, e.Next = 0, "", time.Time{}
	return w.Post(e)
}

// ForgetUndelivered removes entries that can never be said and were posted before a moment, at
// most so many, and returns how many there were.
func (w Writer) ForgetUndelivered(before time.Time, limit int) (int, error) {
	old, err := w.oldUndelivered(before, limit)
	for _, k := range old {
		err = errors.Join(err, w.out.Delete(k))
	}
	return len(old), err
}

// StaleUndelivered reports whether ForgetUndelivered would find anything.
func (r Reader) StaleUndelivered(before time.Time) (bool, error) {
	old, err := r.oldUndelivered(before, 1)
	return len(old) > 0, err
}

func (r Reader) oldUndelivered(before time.Time, limit int) (old [][]byte, err error) {
	return record.Collect(r.kv.Scan(kv.Prefix(record.Key(dead))), limit, func(item kv.Item) ([]byte, bool) {
		return item.Key, record.End(item.Key)/step < uint64(max(before.UnixMilli(), 0))
	})
}
