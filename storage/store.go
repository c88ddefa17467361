package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"chimera/storage/kv"
)

// Current is the version of keys and values that this package writes.
const Current uint64 = 15

// ErrNewer is returned by Open for a database that a newer program has written, and by Update
// once one has brought it up to date.
var ErrNewer = errors.New("storage: the database was written by a newer version of this program: use that version")

// ErrOlder is returned by Open for a database that an older program has written, and that
// package migrate brings up to date.
var ErrOlder = errors.New("storage: the database was written by an older version of this program")

// ErrTooMuch is returned by Update for more than the engine can store at once: less can be.
var ErrTooMuch = kv.ErrUpdateSize

// ErrNotSaved is returned by Update where all was done, but the engine could not keep it.
var ErrNotSaved = errors.New("storage: it cannot be saved")

// Store is all that is kept. It is safe for concurrent use.
type Store struct {
	db      kv.DB
	corrupt corrupt
	onPost  atomic.Pointer[func([]Queue)]
	onWait  atomic.Pointer[func([]GameID)]
	onGame  atomic.Pointer[func([]GameID)]

	observer Observer // nil if there is none

	outdated chan struct{}
	outdate  func() // closes it
}

// An Observer is told what becomes of transactions that write. It is safe for concurrent use.
type Observer interface {
	// Commit tells that one has stored something, and when it was begun.
	Commit(begun time.Time)
	// Conflict tells that one is run again.
	Conflict()
	// Unsaved tells that the engine could not keep one.
	Unsaved()
}

// Observe has an Observer told of each Update from now on. It is called before the first.
func (s *Store) Observe(o Observer) { s.observer = o }

// Open makes a Store over an engine: a new one if the engine is empty, else of what is there.
// What another version has written is refused with ErrNewer or ErrOlder.
func Open(ctx context.Context, db kv.DB) (*Store, error) {
	s := &Store{db: db, outdated: make(chan struct{})}
	s.outdate = sync.OnceFunc(func() { close(s.outdated) })
	if shared, ok := db.(kv.Watcher); ok {
		shared.Watch(s.heard)
	}
	switch was, err := Schema(ctx, db); {
	case errors.Is(err, kv.ErrNotDatabase):
		return s, db.Update(ctx, func(w kv.Writer) error { return PutSchema(w, Current) })
	case err != nil:
		return nil, err
	case was < Current:
		return nil, ErrOlder
	}
	return s, nil
}

// Close closes the engine.
func (s *Store) Close() error { return s.db.Close() }

// Copy writes the file that all is kept in, as of one moment; see [kv.Copier]. An engine that
// has no file returns errors.ErrUnsupported.
func (s *Store) Copy(ctx context.Context, begin func(size int64) (io.Writer, error)) error {
	file, ok := s.db.(kv.Copier)
	if !ok {
		return errors.ErrUnsupported
	}
	return file.Copy(ctx, begin)
}

// Roles are those of [kv].
type Roles = kv.Roles

// Roles are those of the engine.
func (s *Store) Roles() Roles { return kv.RolesOf(s.db) }

// Cluster is who is at the engine; nobody else is at one that is no kv.Clustered.
func (s *Store) Cluster(ctx context.Context) (kv.Cluster, error) {
	if shared, ok := s.db.(kv.Clustered); ok {
		return shared.Cluster(ctx)
	}
	return kv.Cluster{}, nil
}

// View runs fn on what is stored; see [kv.DB].
func (s *Store) View(ctx context.Context, fn func(Reader) error) error {
	return s.db.View(ctx, func(r kv.Reader) error { return fn(Reader{Sealed{Reader: r}, &s.corrupt}) })
}

// viewSealed is View, with the checksums of values behind them.
func (s *Store) viewSealed(ctx context.Context, fn func(Reader) error) error {
	return s.db.View(ctx, func(r kv.Reader) error { return fn(Reader{r, &s.corrupt}) })
}

// AsOfNow is that of [kv], for all that is read to answer somebody.
func AsOfNow(ctx context.Context) context.Context { return kv.AsOfNow(ctx) }

// AtLeisure is that of [kv], for what nobody waits to see stored.
func AtLeisure(ctx context.Context) context.Context { return kv.AtLeisure(ctx) }

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
	var done changes
	begun, runs := time.Now(), 0
	err := s.db.Update(ctx, func(w kv.Writer) error {
		done = changes{}
		if runs++; runs > 1 && s.observer != nil {
			s.observer.Conflict()
		}
		if refused = sameSchema(w); refused != nil {
			return refused
		}
		sealed := SealTo(w)
		refused = fn(Writer{Reader{sealed, &s.corrupt}, sealed, &done})
		done.any = sealed.wrote
		return refused
	})
	if err == nil {
		s.hear(done)
		if done.any && s.observer != nil {
			s.observer.Commit(begun)
		}
	}
	if errors.Is(err, ErrNewer) {
		s.outdate()
	}
	switch {
	case err == nil, ctx.Err() != nil, refused != nil && errors.Is(err, refused), errors.Is(err, kv.ErrClosed), errors.Is(err, ErrTooMuch):
		return err
	}
	if s.observer != nil {
		s.observer.Unsaved()
	}
	return fmt.Errorf("%w: %w", ErrNotSaved, err)
}

// sameSchema refuses what is to be written once another process has brought the database up to
// date.
func sameSchema(r kv.Reader) error {
	found, err := r.Get(schemaKey())
	if err == nil && !bytes.Equal(found, schema(Current)) {
		err = ErrNewer
	}
	return err
}

// Outdated is closed once an Update has failed with ErrNewer: only another version of the program
// can go on.
func (s *Store) Outdated() <-chan struct{} { return s.outdated }

// Reader reads records within one transaction.
type Reader struct {
	kv      kv.Reader
	corrupt *corrupt
}

// Writer reads and writes records within one transaction.
type Writer struct {
	Reader
	out     kv.Writer
	changes *changes
}

// changes are what a transaction has changed that somebody waits to hear of.
type changes struct {
	posted  []Queue
	awaited []GameID
	games   []GameID
	missed  bool // anything may have changed
	any     bool // something was written
}

// Over writes records within a transaction of an engine, without checksums. Nobody hears of what is
// posted so.
func Over(w kv.Writer) Writer { return Writer{Reader{w, new(corrupt)}, w, new(changes)} }

// OnPost has hear called with the queues to which something was added, as soon as that is stored, in
// place of the function that was set before. The Update that has stored it waits for hear; other
// processes' are heard of a little later, and may pass nil: something was added somewhere.
func (s *Store) OnPost(hear func([]Queue)) { s.onPost.Store(&hear) }

// OnAwaited has hear called, likewise, with the games stored in which the computer has something to
// do, or had in another process.
func (s *Store) OnAwaited(hear func([]GameID)) { s.onWait.Store(&hear) }

// OnChange has hear called, likewise, with the games that were stored, and the challenges that were or have gone.
func (s *Store) OnChange(hear func([]GameID)) { s.onGame.Store(&hear) }

// hear tells whoever waits for it what was stored.
func (s *Store) hear(c changes) {
	tell(&s.onWait, c.awaited, c.missed)
	tell(&s.onGame, c.games, c.missed)
	tell(&s.onPost, c.posted, c.missed)
}

func tell[T any](who *atomic.Pointer[func([]T)], changed []T, missed bool) {
	if hear := who.Load(); hear != nil && (missed || len(changed) > 0) {
		(*hear)(changed)
	}
}

// heard takes in which keys other processes have changed; nil if they may be any.
func (s *Store) heard(keys [][]byte) {
	done := changes{missed: keys == nil}
	for _, key := range keys {
		kind, _, _ := bytes.Cut(key, []byte("/"))
		switch string(kind) + "/" {
		case entries.prefix:
			if q := entryIDAt(entries.prefix, key).Queue; q != (Queue{}) {
				done.posted = append(done.posted, q)
			}
		case thinking:
			done.awaited = append(done.awaited, GameID(End(key)))
		case games.prefix, challenges.prefix:
			done.games = append(done.games, GameID(End(key)))
		}
	}
	s.hear(done)
}
