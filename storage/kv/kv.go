package kv

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
)

const (
	// MaxKeySize is the length in bytes of the longest key an engine accepts.
	MaxKeySize = 4 << 10

	// MaxValueSize is the length in bytes of the longest value an engine accepts.
	MaxValueSize = 1 << 20

	// MaxUpdateSize is how many bytes of keys and values every engine accepts in the
	// writes of one Update, of which the last one to each key counts.
	MaxUpdateSize = 5 << 18

	// MaxUpdateWrites is how many keys every engine lets one Update write.
	MaxUpdateWrites = 2048
)

// Conditions of a transaction.
var (
	// ErrClosed is returned by every transaction or copy begun after Close was called.
	ErrClosed = errors.New("database is closed")

	// ErrOver is returned when a Reader or Writer is used after its function
	// has returned.
	ErrOver = errors.New("transaction is over")

	// ErrKeySize is returned for a key that is empty or longer than MaxKeySize.
	ErrKeySize = errors.New("key is empty or too long")

	// ErrValueSize is returned for a value longer than MaxValueSize.
	ErrValueSize = errors.New("value is too long")

	// ErrUpdateSize is returned by Update, which stores nothing then, if its function
	// has written more than MaxUpdateSize or MaxUpdateWrites, by an engine that cannot
	// store that at once.
	ErrUpdateSize = errors.New("more was written than can be stored at once")

	// ErrLost is returned by every transaction of a handle whose claim on a database that
	// several processes share is over, such as after it could not be reached for long. Only
	// to open the database again helps, and tells whether an Update that failed so was stored.
	ErrLost = errors.New("the claim on the database is over")

	// ErrCorrupt is returned when the stored bytes contradict themselves, while
	// opening or at any later time.
	ErrCorrupt = errors.New("database is damaged")
)

// Conditions of opening a database.
var (
	// ErrLocked is returned when another process, or this one, has it open.
	ErrLocked = errors.New("database is in use")

	// ErrNotDatabase is returned when what is there is something else.
	ErrNotDatabase = errors.New("not a database of ours")

	// ErrVersion is returned when it was written in another version of the
	// engine's format, such as a future one.
	ErrVersion = errors.New("database has a format that this version cannot read")
)

// An Item is one stored pair.
type Item struct {
	Key   []byte
	Value []byte
}

// A Reader reads within one transaction. It is used by one goroutine at a
// time, and not after the transaction's function has returned.
type Reader interface {
	// Get returns the value of key: nil if key is absent, and never nil if it
	// is present, even if the value is empty.
	Get(key []byte) ([]byte, error)

	// GetAll returns the values of keys in their order, each as Get does. It costs one
	// trip to an engine that is elsewhere.
	GetAll(keys ...[]byte) ([][]byte, error)

	// Scan yields the pairs with start <= key < end in ascending order of
	// keys. A nil or empty start means from the first, a nil end to the last.
	// Every loop over it sees the state as of the loop's start, whatever is
	// written during it. An error is yielded once, with an empty Item, and
	// ends the scan.
	Scan(start, end []byte) iter.Seq2[Item, error]
}

// A Writer reads and writes within one transaction, and reads what it wrote.
type Writer interface {
	Reader

	// Put stores value under key, replacing what was there. A nil value is
	// stored as an empty one.
	Put(key, value []byte) error

	// Delete removes key and its value. To remove an absent key is no error.
	Delete(key []byte) error
}

// A DB is an open database. Its methods may be called concurrently. The
// package documentation says what its transactions promise.
type DB interface {
	// View runs fn on an unchanging state of the database, chosen at its first read
	// or before, that contains every Update that has returned; see also [AsOfNow].
	View(ctx context.Context, fn func(Reader) error) error

	// Update runs fn and stores what it wrote. It returns when that is
	// durable, or fn's error when fn refused.
	Update(ctx context.Context, fn func(Writer) error) error

	// Close refuses new transactions and copies with ErrClosed from the moment
	// it is called, waits for those that were called before, and then gives the
	// database free to be opened again. Closing it again does nothing and
	// returns what the first time did.
	Close() error
}

// A Copier is a DB that is kept in a file. Whatever the engine, [Fill] copies what a database holds.
type Copier interface {
	// Copy writes the database as it was at one moment after Copy was called:
	// whole updates, each of them durable. begin is told how many bytes will
	// follow and returns where to. They are the content of a file that opens
	// as a database of its own. Updates go on meanwhile, but what they replace
	// needs its space until the copy ends.
	//
	// An error of begin or of its writer ends the copy and is returned, and so
	// is the context's once it is done; what was written is then of no use.
	Copy(ctx context.Context, begin func(size int64) (io.Writer, error)) error
}

// A Watcher is a DB that several handles can have open, and that tells what the others store.
type Watcher interface {
	// Watch lets somebody hear, in the place of whoever has heard before, which keys the Updates
	// of other handles have written or deleted, in their order, as soon as a View sees that; or
	// nil where that was missed, and anything may have changed. Nothing more is told meanwhile.
	Watch(heard func(keys [][]byte))
}

// Check returns why an engine must not take a key, or a key and its value, in a transaction that may be
// over; nil if it must.
func Check(over bool, key, value []byte) error {
	switch {
	case over:
		return ErrOver
	case len(key) == 0 || len(key) > MaxKeySize:
		return ErrKeySize
	case len(value) > MaxValueSize:
		return ErrValueSize
	}
	return nil
}

// Gather adds to a batch what waits in a channel, as far as it has room.
func Gather[T any](batch []T, from <-chan T, room int) []T {
	for len(batch) < room {
		select {
		case one, open := <-from:
			if !open {
				return batch
			}
			batch = append(batch, one)
		default:
			return batch
		}
	}
	return batch
}

// GetEach is GetAll by way of Get, for an engine to which one key after another costs no more.
func GetEach(get func(key []byte) ([]byte, error), keys [][]byte) ([][]byte, error) {
	values := make([][]byte, len(keys))
	for i, key := range keys {
		var err error
		if values[i], err = get(key); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// Prefix returns the range of all keys that begin with p, for Scan.
func Prefix(p []byte) (start, end []byte) {
	start = bytes.Clone(p)
	for i := len(p) - 1; i >= 0; i-- {
		if p[i] < 0xff {
			end = bytes.Clone(p[:i+1])
			end[i]++
			return start, end
		}
	}
	return start, nil // no key lies beyond such a prefix
}
