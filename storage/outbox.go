package storage

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"chimera/storage/kv"
)

// Entry is something that must be said: facts, which become words and a picture
// when they are delivered.
type Entry struct {
	ID    uint64 // rises within its Queue
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
	Next  time.Time `json:",omitzero"`  // when to try again
}

func entryKey(id uint64) []byte { return number(key("outbox/"), id) }
func deadKey(id uint64) []byte  { return number(key("dead/"), id) }

// Queue is what is said in order: the entries of a game at a place, or with no game what
// else is said there.
type Queue struct {
	Place PlaceID
	Game  GameID
}

// Queue is where an entry stands.
func (e *Entry) Queue() Queue { return Queue{e.Place, e.Game} }

// Post adds an entry to the outbox and gives it its number. Numbers rise within a game,
// or without one at a place, whatever the clock does, and else mostly with time.
func (w outboxWriter) Post(e Entry) error {
	counter := number(number(key("posted/"), e.Game), PlaceID(0))
	owner := uint64(e.Game) << 1
	if e.Game == 0 {
		counter = number(number(key("posted/"), e.Game), e.Place)
		owner = uint64(e.Place)<<1 | 1
	}
	last, err := w.kv.Get(counter)
	if err != nil {
		return err
	}
	const step = 1 << 20 // beside each other stand the numbers of one millisecond
	moment := max(uint64(max(e.At.UnixMilli(), 0)), endOf(last)/step+1)
	for e.ID = moment*step + owner%step; ; e.ID += step {
		if taken, err := w.kv.Get(entryKey(e.ID)); err != nil {
			return err
		} else if taken == nil {
			break
		}
	}
	*w.posted = append(*w.posted, e.Queue())
	return errors.Join(w.out.Put(counter, number(nil, e.ID)), w.putEntry(entryKey(e.ID), entryAt, e))
}

// The indexes of what waits and of what can never be said.
const (
	entryAt = "entryat/"
	deadAt  = "deadat/"
)

func queueKey(index string, q Queue) []byte { return number(number(key(index), q.Place), q.Game) }

func (w *writer) putEntry(k []byte, index string, e Entry) error {
	return errors.Join(w.reindex(nil, e.index(index)), w.put(k, e))
}

func (w *writer) dropEntry(k []byte, index string, e Entry) error {
	return errors.Join(w.reindex(e.index(index), nil), w.out.Delete(k))
}

// Queues are those in which something waits.
func (r outboxReader) Queues() (all []Queue, err error) {
	prefix := key(entryAt)
	start, end := kv.Prefix(prefix)
	for item, err := range r.kv.Scan(start, end) {
		if err != nil {
			return nil, err
		}
		at := item.Key[len(prefix):]
		if len(at) != 3*numberSize {
			continue
		}
		q := Queue{PlaceID(binary.BigEndian.Uint64(at)), GameID(binary.BigEndian.Uint64(at[numberSize:]))}
		if len(all) == 0 || all[len(all)-1] != q {
			all = append(all, q)
		}
	}
	return all, nil
}

// Waiting yields what waits in a queue, in order. Entries that cannot be read are left out.
func (r outboxReader) Waiting(q Queue) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		start, end := kv.Prefix(queueKey(entryAt, q))
		for item, err := range r.kv.Scan(start, end) {
			var e Entry
			if err == nil {
				e, err = r.Entry(endOf(item.Key))
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
func (r outboxReader) EntriesAt(p PlaceID) (waiting, dead []Entry, err error) {
	waiting, err = r.entriesAt(entryAt, p, r.Entry)
	if err != nil {
		return nil, nil, err
	}
	dead, err = r.entriesAt(deadAt, p, func(id uint64) (e Entry, err error) { return e, r.get(deadKey(id), &e) })
	return waiting, dead, err
}

func (r *tx) entriesAt(index string, p PlaceID, read func(uint64) (Entry, error)) (all []Entry, err error) {
	ids, err := numbers[uint64](r.kv, number(key(index), p))
	slices.Sort(ids)
	for _, id := range ids {
		e, err := read(id)
		if err == nil {
			all = append(all, e)
		} else if !Lost(err) {
			return nil, err
		}
	}
	return all, err
}

// Outbox are the entries after the one of a number that wait, the oldest first, at
// most so many. Those that cannot be read are left out.
func (r outboxReader) Outbox(after uint64, limit int) ([]Entry, error) {
	return r.entries("outbox/", after, limit)
}

// Undelivered are the entries after the one of a number that can never be said, the
// oldest first, at most so many.
func (r outboxReader) Undelivered(after uint64, limit int) ([]Entry, error) {
	return r.entries("dead/", after, limit)
}

func (r *tx) entries(prefix string, after uint64, limit int) ([]Entry, error) {
	var entries []Entry
	_, end := kv.Prefix(key(prefix))
	for item, err := range r.kv.Scan(number(key(prefix), after+1), end) {
		if err != nil {
			return nil, err
		}
		if len(entries) == limit {
			break
		}
		id := endOf(item.Key)
		e, err := decodeEntry(id, item.Value)
		switch {
		case err == nil:
			entries = append(entries, e)
		case prefix == "outbox/": // the others are forgotten by their age
			_ = r.unread.note(Ref{OfEntry, id}, err)
		}
	}
	return entries, nil
}

// Entry reads an entry that waits, or returns ErrNotFound.
func (r outboxReader) Entry(id uint64) (Entry, error) {
	value, err := r.kv.Get(entryKey(id))
	switch {
	case err != nil:
		return Entry{}, err
	case value == nil:
		return Entry{}, ErrNotFound
	}
	e, err := decodeEntry(id, value)
	return e, r.unread.note(Ref{OfEntry, id}, err)
}

func decodeEntry(id uint64, value []byte) (e Entry, err error) {
	if err = decode(value, &e); err == nil && e.ID != id {
		err = fmt.Errorf("storage: the record contradicts itself: %w", kv.ErrCorrupt)
	}
	return e, err
}

// Delivered removes an entry of a queue from the outbox, if it waits there.
func (w outboxWriter) Delivered(q Queue, id uint64) error {
	return w.dropEntry(entryKey(id), entryAt, Entry{ID: id, Place: q.Place, Game: q.Game})
}

// Retry keeps an entry that could not be said, with what it has been through.
func (w outboxWriter) Retry(e Entry) error { return w.put(entryKey(e.ID), e) }

// Undeliverable takes an entry that can never be said out of the outbox, and keeps it
// where Undelivered finds it.
func (w outboxWriter) Undeliverable(e Entry) error {
	return errors.Join(w.Delivered(e.Queue(), e.ID), w.putEntry(deadKey(e.ID), deadAt, e))
}

// DropUndeliverable removes an entry that can never be said.
func (w outboxWriter) DropUndeliverable(e Entry) error { return w.dropEntry(deadKey(e.ID), deadAt, e) }

// Revive lets an entry that was not deliverable wait in the outbox as a new one.
func (w outboxWriter) Revive(e Entry) error {
	if err := w.DropUndeliverable(e); err != nil {
		return err
	}
	e.Tries, e.Fault, e.Next = 0, "", time.Time{}
	return w.Post(e)
}

// Seen is the answer that a message was given, for when it comes again.
type Seen struct {
	At     time.Time
	Answer json.RawMessage
	Words  string `json:",omitempty"` // of a refusal, as package bot keeps them
}

// MessageID names a message, a button press or another event on its platform.
// The zero MessageID is of one that has no id and cannot come again.
type MessageID = Address

// Remember is for how long answers are kept at least.
const Remember = 14 * 24 * time.Hour

func seenKey(m MessageID) []byte { return text(text(key("seen/"), m.Platform), m.ID) }

// Seen is the answer that a message was given, or ErrNotFound.
func (r outboxReader) Seen(m MessageID) (Seen, error) {
	var s Seen
	if m.ID == "" {
		return s, ErrNotFound
	}
	return s, r.get(seenKey(m), &s)
}

// PutSeen remembers the answer to a message, and forgets a few that are older
// than Remember. It does nothing for the zero MessageID.
func (w outboxWriter) PutSeen(m MessageID, s Seen) error {
	if m.ID == "" {
		return nil
	}
	const few = 4 // more than are added, so that none is left in time
	if _, err := w.ForgetSeen(s.At.Add(-Remember), few); err != nil {
		return err
	}
	seen := seenKey(m)
	if err := w.out.Put(append(number(key("forget/"), uint64(s.At.Unix())), seen...), []byte{}); err != nil {
		return err
	}
	return w.put(seen, s)
}

// ForgetSeen removes answers that were given before a moment, at most so many, and returns
// how many there were.
func (w outboxWriter) ForgetSeen(before time.Time, limit int) (int, error) {
	old, err := w.oldSeen(before, limit)
	if err != nil {
		return 0, err
	}
	for _, k := range old {
		if seen := k[min(len("forget/")+numberSize, len(k)):]; bytes.HasPrefix(seen, []byte("seen/")) {
			if err := w.out.Delete(seen); err != nil {
				return 0, err
			}
		}
		if err := w.out.Delete(k); err != nil {
			return 0, err
		}
	}
	return len(old), nil
}

func (r *tx) oldSeen(before time.Time, limit int) (old [][]byte, err error) {
	prefix := key("forget/")
	for item, err := range r.kv.Scan(prefix, number(prefix, uint64(max(before.Unix(), 0)))) {
		if err != nil {
			return nil, err
		}
		if old = append(old, item.Key); len(old) == limit {
			break
		}
	}
	return old, nil
}

// ForgetUndelivered removes entries that can never be said and were written before a
// moment, and what cannot be read among them, at most so many, and returns how many there
// were.
func (w outboxWriter) ForgetUndelivered(before time.Time, limit int) (int, error) {
	old, err := w.oldUndelivered(before, limit)
	if err != nil {
		return 0, err
	}
	for _, item := range old {
		var e Entry
		if decode(item.Value, &e) == nil {
			err = w.reindex(e.index(deadAt), nil)
		} else {
			err = w.dropPointers(OfEntry, endOf(item.Key))
		}
		if err := errors.Join(err, w.out.Delete(item.Key)); err != nil {
			return 0, err
		}
	}
	return len(old), nil
}

func (r *tx) oldUndelivered(before time.Time, limit int) (old []kv.Item, err error) {
	start, end := kv.Prefix(key("dead/"))
	for item, err := range r.kv.Scan(start, end) {
		if err != nil {
			return nil, err
		}
		var e Entry
		if decode(item.Value, &e) == nil && !e.At.Before(before) || len(old) == limit {
			break
		}
		old = append(old, item)
	}
	return old, nil
}

// Stale reports whether ForgetSeen or ForgetUndelivered would find anything before these
// moments.
func (r outboxReader) Stale(seen, undelivered time.Time) (bool, error) {
	old, err := r.oldSeen(seen, 1)
	if err != nil || len(old) > 0 {
		return true, err
	}
	dead, err := r.oldUndelivered(undelivered, 1)
	return len(dead) > 0, err
}
