// Package kv is the contract of an ordered, transactional key-value engine.
//
// An engine keeps pairs of bytes in the order of their keys, and changes them
// only in transactions. The contract is small enough for an embedded file and
// for a cluster alike; package kvtest executes every promise made here.
//
// # Transactions
//
// A transaction is a function given to [DB.View] or [DB.Update].
//
//   - Transactions are serializable: the outcome is as if each had run alone,
//     one after another, and one that begins after another has returned comes
//     after it.
//   - They are all or nothing: every write of a function is stored, or none is.
//   - They are durable: when Update returns nil, the writes survive the end of
//     the process and of the machine.
//   - An error or a panic in a function drops its own writes and those of no
//     other. The error is returned as it is; the panic goes on in the
//     goroutine that called, with its own value.
//   - A function may be run again before its transaction succeeds, so it has
//     no side effects but its writes and the variables it sets afresh each time.
//   - Transactions do not nest: a function calls no method of a DB, or it may
//     wait forever. It is also short, for others may be waiting for it.
//   - A context that is done before the function was begun means that nothing
//     is run and the context's error is returned. Once begun, the function
//     looks at its context itself, if it wants to.
//
// Where nobody waits for an Update, see [AtLeisure], an engine may take a few milliseconds longer
// for it, and store it together with others. All of the above holds for it.
//
// If Update returns an error of the engine (a full disk, a lost connection)
// and not one of the function's own, none of the writes are visible as a rule,
// but where the very last step failed only opening the database again tells.
// Even then they are all there or none is.
//
// # Moments
//
// Where several handles have a database open, each transaction costs a trip to find out what the
// others have stored. What somebody is answered with can be as of the moment at which they asked,
// however many transactions that takes. So under a context of [AsOfNow], one that stores nothing
// comes after all that had returned when AsOfNow was called, and after all of its own handle that
// have returned when it begins, but perhaps before what others have stored meanwhile. What a handle
// has seen it sees from then on. One that stores something comes after all, as ever: what it has
// read still holds when it is stored.
//
// # Bytes
//
// Keys are compared as bytes.Compare does. What a transaction reads is the
// caller's own copy, and what it is given to write is copied, so either may be
// changed freely at any time.
package kv

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"sync"
	"time"
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

type momentKey struct{}

// AsOfNow is a context for all that is read to answer what has just been asked: what other handles
// store from now on need not be seen under it. The package documentation says what is. A context
// that has a moment keeps it.
func AsOfNow(ctx context.Context) context.Context {
	if _, ok := ctx.Value(momentKey{}).(time.Time); ok {
		return ctx
	}
	return context.WithValue(ctx, momentKey{}, time.Now())
}

// Moment is the moment of a context: now, if it has none. It compares with other times of this
// process.
func Moment(ctx context.Context) time.Time {
	if moment, ok := ctx.Value(momentKey{}).(time.Time); ok {
		return moment
	}
	return time.Now()
}

type leisureKey struct{}

// AtLeisure is a context whose Updates nobody waits for: an engine may keep each for a few
// milliseconds, to store it together with others.
func AtLeisure(ctx context.Context) context.Context {
	return context.WithValue(ctx, leisureKey{}, true)
}

// IsAtLeisure reports whether nobody waits for the Updates of a context.
func IsAtLeisure(ctx context.Context) bool {
	is, _ := ctx.Value(leisureKey{}).(bool)
	return is
}

// Roles is how the handles of a database that several processes can have open agree on which of
// them does what only one may do.
type Roles interface {
	// Hold waits until this handle holds a role, which no other handle holds at the same
	// time; it returns at once if this one does already. The role is held until leave is called,
	// the handle is closed or its claim on the database is over. In the last two cases none of
	// the handle's Updates succeeds any more before another can hold the role: what is written
	// by its holder needs no look at it.
	Hold(ctx context.Context, role string) (leave func(context.Context) error, err error)

	// Held returns nil if the handle's claim on the database, and so every role that it holds,
	// will last for long enough to send something elsewhere. What it returns otherwise says why
	// that is not known, or wraps ErrLost.
	Held(ctx context.Context) error

	// Lost is closed when the claim is over.
	Lost() <-chan struct{}
}

// RolesOf are the roles of a database. Who has one that only one handle can have open holds every
// role.
func RolesOf(db DB) Roles {
	if roles, ok := db.(Roles); ok {
		return roles
	}
	return sole{}
}

// sole are the roles of the only handle.
type sole struct{}

func (sole) Hold(ctx context.Context, _ string) (leave func(context.Context) error, err error) {
	return context.Context.Err, ctx.Err()
}

func (sole) Held(ctx context.Context) error { return ctx.Err() }

func (sole) Lost() <-chan struct{} { return nil }

// Clustered is a DB that several processes can have open, kept by several servers.
type Clustered interface {
	// Cluster tells who is at it. A server that does not answer is told of with its fault.
	Cluster(ctx context.Context) (Cluster, error)
}

// A Cluster is who is at a database.
type Cluster struct {
	Handles []string            // the names of all handles, in order, each with the name of its machine and the number of its process
	Roles   map[string][]string // what each of them holds, in order
	Own     string              // which of the handles tells this
	Members []Member
}

// A Member is a server that keeps a database, as it says itself.
type Member struct {
	Address string
	Leads   bool   // it orders what is written
	Version string // of the server's program
	Size    int64  // of its file, in bytes
	Quota   int64  // how large that may get: beyond it, nothing is stored
	Behind  uint64 // how many of the changes that most members have it has yet to take over
	Fault   string // why it does not say that; "" if it does
}

// A Gate lets calls into an engine until it is closed. The zero Gate is open.
type Gate struct {
	calls sync.RWMutex // read-locked by each call, and locked for good in the end
}

// Enter begins a call, unless its context is done, or the Gate is closed.
func (g *Gate) Enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !g.calls.TryRLock() {
		return ErrClosed
	}
	return nil
}

// Leave ends a call.
func (g *Gate) Leave() { g.calls.RUnlock() }

// Shut refuses new calls, and waits until all that were begun have ended. It is called once.
func (g *Gate) Shut() { g.calls.Lock() }

// Conditions of Fill.
var (
	// ErrNotEmpty is returned by Fill for a database to fill that holds anything.
	ErrNotEmpty = errors.New("database holds something already")

	// ErrUnfinished is returned for a database that Fill has not filled to the end.
	ErrUnfinished = errors.New("database was filled in part only: copy or restore into it again")
)

// unfinished is the key that a database has until it is filled to the end.
const unfinished = "\x00unfinished"

// Whole returns ErrUnfinished for a database that Fill has begun to fill, and not more.
func Whole(r Reader) error {
	mark, err := r.Get([]byte(unfinished))
	if err == nil && mark != nil {
		return ErrUnfinished
	}
	return err
}

// Fill fills a database, which nobody else uses meanwhile, with all that another holds as of one moment,
// and returns how many bytes that are. The database is empty, or ErrNotEmpty is returned. Since no Update
// takes all, one that fails leaves a database that is ErrUnfinished; to fill that begins anew.
func Fill(ctx context.Context, from, to DB) (size int64, err error) {
	err = from.View(ctx, func(r Reader) error { // which may run again
		if err := Whole(r); err != nil {
			return err
		}
		if err := claim(ctx, to); err != nil {
			return err
		}
		size = 0
		var some []Item
		length := 0 // of those
		put := func(last bool) error {
			err := to.Update(ctx, func(w Writer) (err error) {
				for _, item := range some {
					err = errors.Join(err, w.Put(item.Key, item.Value))
				}
				if last {
					err = errors.Join(err, w.Delete([]byte(unfinished)))
				}
				return err
			})
			size += int64(length)
			some, length = nil, 0
			return err
		}
		for item, err := range r.Scan(nil, nil) {
			more := len(item.Key) + len(item.Value)
			if err == nil && (length+more > MaxUpdateSize || len(some) == MaxUpdateWrites/2) {
				err = put(false)
			}
			if err != nil {
				return err
			}
			some, length = append(some, item), length+more
		}
		return put(true)
	})
	return size, err
}

// claim marks an empty database as unfinished, or empties one that is.
func claim(ctx context.Context, db DB) error {
	err := db.Update(ctx, func(w Writer) error {
		for item, err := range w.Scan(nil, nil) {
			if err == nil && string(item.Key) != unfinished {
				err = ErrNotEmpty
			}
			return err
		}
		return w.Put([]byte(unfinished), nil)
	})
	for left := 1; err == nil && left > 0; {
		err = db.Update(ctx, func(w Writer) error {
			left = 0
			for item, err := range w.Scan([]byte(unfinished+"\x00"), nil) {
				if left++; err != nil || left > MaxUpdateWrites/2 {
					return err
				}
				if err := w.Delete(item.Key); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return err
}
