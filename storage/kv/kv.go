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
// Where several handles have a database open, each transaction costs a trip to find out what the others have stored. An
// answer to somebody may be as of the moment when they asked, however many transactions it takes. So under a context of
// [AsOfNow], a transaction that stores nothing comes after all that had returned when AsOfNow was called, and after all
// of its own handle that have returned when it begins, but perhaps before later ones of other handles. A handle never
// goes back behind what it has seen. A transaction that stores something comes after all others, as ever: what it has
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

	// MaxUpdateSize is how many bytes of keys and values every engine accepts in the writes of one Update, counting the
	// last one to each key.
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

	// ErrUpdateSize is returned by Update, without storing anything, if its function has written more than MaxUpdateSize
	// or MaxUpdateWrites and the engine cannot store that at once.
	ErrUpdateSize = errors.New("more was written than can be stored at once")

	// ErrLost is returned by every transaction of a handle whose claim on a shared database has ended, for example because
	// it could not be reached for long. Only opening the database again helps, and tells whether the Update that failed
	// was stored.
	ErrLost = errors.New("the claim on the database is over")

	// ErrCorrupt is returned when the stored bytes contradict themselves, while
	// opening or at any later time.
	ErrCorrupt = errors.New("database is damaged")
)

// Conditions of opening a database.
var (
	// ErrLocked is returned when another process, or this one, has it open.
	ErrLocked = errors.New("another process has it open")

	// ErrNotDatabase is returned when what is there is something else.
	ErrNotDatabase = errors.New("not a database of this program")

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

	// GetAll returns the values of keys in their order, each as Get does. A remote engine needs one trip for it.
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
	// Watch sets the function that is told which keys the Updates of other handles have written or deleted, in their
	// order, as soon as a View sees that; or nil if that was missed, and anything may have changed. Nothing more is told
	// until heard returns.
	Watch(heard func(keys [][]byte))
}

// Check says why an engine must refuse a key, or a key and its value, in a transaction that may be over; nil if it must
// not.
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

// GetEach is GetAll by single Gets, for an engine where these cost no more.
func GetEach(get func(key []byte) ([]byte, error), keys [][]byte) (values [][]byte, err error) {
	values = make([][]byte, len(keys))
	for i, key := range keys {
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
	return start, nil // no key is beyond such a prefix
}

type momentKey struct{}

// AsOfNow is a context for all reads that answer a question asked now: what other handles store from now on need not be
// seen. The package documentation has the details. A context that has a moment keeps it.
func AsOfNow(ctx context.Context) context.Context {
	if _, ok := ctx.Value(momentKey{}).(time.Time); ok {
		return ctx
	}
	return context.WithValue(ctx, momentKey{}, time.Now())
}

// Moment is the moment of a context, or now if it has none. It has a monotonic clock reading.
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

// Roles let the handles of a shared database agree on which of them does what only one may do.
type Roles interface {
	// Hold waits until this handle holds a role that no other handle holds; it returns at once if it already does. The
	// role is held until leave is called, the handle is closed or its claim on the database ends. In the last two cases
	// none of the handle's Updates succeeds any more before another can hold the role: so its holder's writes need not
	// check it.
	Hold(ctx context.Context, role string) (leave func(context.Context) error, err error)

	// Held returns nil if the handle's claim on the database, and so every role that it holds, will last long enough to
	// send something elsewhere. Otherwise it says why that is not known, or wraps ErrLost.
	Held(ctx context.Context) error

	// Lost is closed when the claim is over.
	Lost() <-chan struct{}
}

// RolesOf are the roles of a database. If only one handle can have it open, that holds every role.
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
	// Cluster says who shares it. A server that does not answer is listed with its fault.
	Cluster(ctx context.Context) (Cluster, error)
}

// A Cluster is the handles and servers of a database.
type Cluster struct {
	Handles []string            // the names of all handles, sorted, each with its machine's name and its process's number
	Roles   map[string][]string // the roles that each of them holds, sorted
	Own     string              // the handle that returned this
	Members []Member
}

// A Member is a server that keeps a database, by its own account.
type Member struct {
	Address string
	Leads   bool   // it is the leader, which orders writes
	Version string // of the server's program
	Size    int64  // of its file, in bytes
	Quota   int64  // limit of Size: beyond it, nothing is stored
	Behind  uint64 // number of changes known to most members that it does not have yet
	Fault   string // why it did not answer; "" if it did
}

// A Gate counts calls into an engine until it is closed. The zero Gate is open.
type Gate struct {
	calls sync.RWMutex // read-locked by each call, and locked for good in the end
	once  sync.Once
	err   error // of what was run then
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

// Shut refuses new calls, waits until those under way have ended, and runs end. Calling it again does nothing and returns
// what the first time did.
func (g *Gate) Shut(end func() error) error {
	g.once.Do(func() {
		g.calls.Lock()
		g.err = end()
	})
	return g.err
}

// Errors of Fill.
var (
	// ErrNotEmpty is returned by Fill if the database to fill is not empty.
	ErrNotEmpty = errors.New("database holds something already")

	// ErrUnfinished is returned for a database that Fill has not filled to the end.
	ErrUnfinished = errors.New("database was filled in part only: copy or restore into it again")
)

// unfinished is the key of a database that is not completely filled.
const unfinished = "\x00unfinished"

// Whole returns ErrUnfinished for a database that Fill has not completely filled.
func Whole(r Reader) error {
	mark, err := r.Get([]byte(unfinished))
	if err == nil && mark != nil {
		return ErrUnfinished
	}
	return err
}

// Fill fills a database, which nobody else may use meanwhile, with all that another holds as of one moment, and returns
// the number of bytes. If the database is not empty, it returns ErrNotEmpty. Since one Update cannot take everything, a
// failure leaves a database that is ErrUnfinished; another Fill starts again.
func Fill(ctx context.Context, from, to DB) (size int64, err error) {
	err = from.View(ctx, func(r Reader) error { // it may run again
		if err := Whole(r); err != nil {
			return err
		}
		if err := claim(ctx, to); err != nil {
			return err
		}
		size = 0
		var some []Item
		length := 0 // of the pairs in this batch
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
