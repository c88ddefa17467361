package storage

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"

	"chimera/storage/kv"
)

// Current is the version of keys and values that this package writes.
const Current uint64 = 12

// ErrNotFound is returned for a record that does not exist.
var ErrNotFound = errors.New("storage: not found")

// ErrNewer is returned by Open for a database that a newer program has written.
var ErrNewer = errors.New("storage: the database was written by a newer version of this program: use that version")

// ErrNotSaved is returned by Update where all was done, but the engine could not keep it.
var ErrNotSaved = errors.New("storage: it cannot be saved")

// Lost reports whether an error means that a record is not there, or cannot be read.
func Lost(err error) bool { return errors.Is(err, ErrNotFound) || errors.Is(err, kv.ErrCorrupt) }

// Store is all that is kept. It is safe for concurrent use.
type Store struct {
	db     kv.DB
	unread unread
	onPost atomic.Pointer[func([]Queue)]
	onWait atomic.Pointer[func([]GameID)]
}

// Open makes a Store over an engine: a new one if the engine is empty, else of
// what is there. What an older program has written is brought up to date, in one
// transaction; what a newer one has written is refused.
func Open(ctx context.Context, db kv.DB) (*Store, error) {
	s := &Store{db: db}
	switch was, err := Schema(ctx, db); {
	case errors.Is(err, kv.ErrNotDatabase):
		return s, s.Update(ctx, func(w Writer) error { return w.out.Put(schemaKey(), number(nil, Current)) })
	case err != nil:
		return nil, err
	case was < Current:
		return s, s.Update(ctx, func(w Writer) error { return w.migrate(was) })
	}
	return s, nil
}

func schemaKey() []byte { return []byte("meta/schema") }

// Close closes the engine.
func (s *Store) Close() error { return s.db.Close() }

// View runs fn on what is stored; see [kv.DB].
func (s *Store) View(ctx context.Context, fn func(Reader) error) error {
	return s.db.View(ctx, func(r kv.Reader) error { return fn(newReader(r, &s.unread)) })
}

// Read is what one read of a store finds.
func Read[T any](ctx context.Context, s *Store, read func(Reader) (T, error)) (found T, err error) {
	err = s.View(ctx, func(r Reader) (err error) {
		found, err = read(r)
		return err
	})
	return found, err
}

// Update runs fn as one transaction: all that it writes is kept, or nothing. fn
// may run again, so it must have no effects of its own; see [kv.DB]. What the engine
// could not keep is ErrNotSaved.
func (s *Store) Update(ctx context.Context, fn func(Writer) error) error {
	var refused error
	var posted []Queue
	var awaited []GameID
	err := s.db.Update(ctx, func(w kv.Writer) error {
		posted, awaited = nil, nil
		refused = fn((&writer{newReader(w, &s.unread), w, &posted, &awaited}).all())
		return refused
	})
	if hear := s.onWait.Load(); err == nil && len(awaited) > 0 && hear != nil {
		(*hear)(awaited)
	}
	if hear := s.onPost.Load(); err == nil && len(posted) > 0 && hear != nil {
		(*hear)(posted)
	}
	switch {
	case err == nil, ctx.Err() != nil, refused != nil && errors.Is(err, refused), errors.Is(err, kv.ErrClosed):
		return err
	}
	return fmt.Errorf("%w: %w", ErrNotSaved, err)
}

// OnPost lets somebody hear, in the place of whoever has heard before, where something was
// added to the outbox in this process, as soon as that is stored. It is heard by whoever has
// stored it, who waits.
func (s *Store) OnPost(hear func([]Queue)) { s.onPost.Store(&hear) }

// OnAwaited lets somebody hear, likewise, which games were stored in which the computer has
// something to do.
func (s *Store) OnAwaited(hear func([]GameID)) { s.onWait.Store(&hear) }

// Reader reads records within one transaction, each kind by the part of it that is about it.
type Reader struct {
	*tx
	gameReader
	personReader
	placeReader
	leagueReader
	outboxReader
	linkReader
	memoryReader
}

// tx is a transaction that reads.
type tx struct {
	kv     kv.Reader
	unread *unread
}

// The parts of a Reader.
type (
	gameReader   struct{ *tx }
	personReader struct{ *tx }
	placeReader  struct{ *tx }
	leagueReader struct{ *tx }
	outboxReader struct{ *tx }
	linkReader   struct{ *tx }
	memoryReader struct{ *tx }
)

func newReader(r kv.Reader, u *unread) Reader { return (&tx{r, u}).all() }

func (r *tx) all() Reader {
	return Reader{r, gameReader{r}, personReader{r}, placeReader{r}, leagueReader{r}, outboxReader{r}, linkReader{r}, memoryReader{r}}
}

// Writer reads and writes records within one transaction, likewise.
type Writer struct {
	*writer
	gameWriter
	personWriter
	placeWriter
	leagueWriter
	outboxWriter
	linkWriter
	memoryWriter
}

// writer is a transaction that writes.
type writer struct {
	Reader
	out     kv.Writer
	posted  *[]Queue
	awaited *[]GameID
}

// The parts of a Writer.
type (
	gameWriter   struct{ *writer }
	personWriter struct{ *writer }
	placeWriter  struct{ *writer }
	leagueWriter struct{ *writer }
	outboxWriter struct{ *writer }
	linkWriter   struct{ *writer }
	memoryWriter struct{ *writer }
)

func (w *writer) all() Writer {
	return Writer{w, gameWriter{w}, personWriter{w}, placeWriter{w}, leagueWriter{w}, outboxWriter{w}, linkWriter{w}, memoryWriter{w}}
}

// number appends n so that keys sort by it.
func number[N ~uint64](key []byte, n N) []byte {
	return binary.BigEndian.AppendUint64(key, uint64(n))
}

// numberSize is how many bytes of a key a number fills.
const numberSize = 8

// text appends a name so that no other name's keys share its prefix.
func text(key []byte, name string) []byte { return append(append(key, name...), 0) }

// key begins a key of the given kind.
func key(kind string) []byte { return append(make([]byte, 0, 64), kind...) }

// next gives the next number of a kind, from 1.
func (w *writer) next(kind string) (uint64, error) {
	seq := key("seq/" + kind)
	last, err := w.kv.Get(seq)
	if err != nil {
		return 0, err
	}
	n := uint64(1)
	if len(last) == 8 {
		n += binary.BigEndian.Uint64(last)
	}
	return n, w.out.Put(seq, number(nil, n))
}

const encoding = 1

// get reads the record of a key into v, or returns ErrNotFound.
func (r *tx) get(key []byte, v any) error {
	value, err := r.kv.Get(key)
	switch {
	case err != nil:
		return err
	case value == nil:
		return ErrNotFound
	}
	return decode(value, v)
}

func decode(value []byte, v any) error {
	if len(value) == 0 || value[0] != encoding {
		return fmt.Errorf("storage: a record of unknown form: %w", kv.ErrCorrupt)
	}
	if err := json.Unmarshal(value[1:], v); err != nil {
		return fmt.Errorf("storage: a record cannot be read (%w): %w", err, kv.ErrCorrupt)
	}
	return nil
}

// put writes a record.
func (w *writer) put(key []byte, v any) error {
	value, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return w.out.Put(key, append([]byte{encoding}, value...))
}

// index writes or removes an index key.
func (w *writer) index(key []byte, wanted bool) error {
	if wanted {
		return w.out.Put(key, []byte{})
	}
	return w.out.Delete(key)
}

// numbers are the last numbers of the keys with a prefix, in rising order.
func numbers[N ~uint64](r kv.Reader, prefix []byte) ([]N, error) {
	var found []N
	start, end := kv.Prefix(prefix)
	for item, err := range r.Scan(start, end) {
		if err != nil {
			return nil, err
		}
		if n, ok := lastNumber[N](item.Key); ok {
			found = append(found, n)
		}
	}
	return found, nil
}

// lastNumber is the number at the end of a key; false if the key is too short to have one,
// which is damage that Check reports.
func lastNumber[N ~uint64](key []byte) (N, bool) {
	if len(key) < numberSize {
		return 0, false
	}
	return N(binary.BigEndian.Uint64(key[len(key)-numberSize:])), true
}
