package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
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

// ErrTooMuch is returned by Update for more writes than the engine can store at once.
var ErrTooMuch = kv.ErrUpdateSize

// ErrNotSaved is returned by Update if the function succeeded, but the engine could not store its writes.
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
	outdate  func() // closes outdated
}

// An Observer is told the outcome of writing transactions. It must be safe for concurrent use.
type Observer interface {
	// Commit tells that a transaction was stored, and when it had begun.
	Commit(begun time.Time)
	// Conflict tells that a transaction is run again.
	Conflict()
	// Unsaved tells that the engine could not store a transaction.
	Unsaved()
}

// Observe sets the Observer of all Updates. It must be called before the first.
func (s *Store) Observe(o Observer) { s.observer = o }

// Open opens a Store over an engine, and makes a new one if the engine is empty. It returns ErrNewer or ErrOlder if
// another version has written the data.
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

// Copy writes the engine's file, as of one moment; see [kv.Copier]. An engine without a file returns
// errors.ErrUnsupported.
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

// Cluster says which processes and servers share the engine; an engine that is no kv.Clustered has none.
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

// viewSealed is View with values that still have their checksums.
func (s *Store) viewSealed(ctx context.Context, fn func(Reader) error) error {
	return s.db.View(ctx, func(r kv.Reader) error { return fn(Reader{r, &s.corrupt}) })
}

// AsOfNow is [kv.AsOfNow], for reads that answer somebody.
func AsOfNow(ctx context.Context) context.Context { return kv.AsOfNow(ctx) }

// AtLeisure is [kv.AtLeisure], for writes that nobody waits for.
func AtLeisure(ctx context.Context) context.Context { return kv.AtLeisure(ctx) }

// Read returns what one read of a store finds.
func Read[T any](ctx context.Context, s *Store, read func(Reader) (T, error)) (found T, err error) {
	err = s.View(ctx, func(r Reader) (err error) {
		found, err = read(r)
		return err
	})
	return found, err
}

// Update runs fn as one transaction: all its writes are stored, or none. fn may run again, so it must have no other
// effects; see [kv.DB]. If the engine could not store them, it returns ErrNotSaved.
func (s *Store) Update(ctx context.Context, fn func(Writer) error) error {
	var refused error
	var done changes
	var sealed *SealedWriter
	begun, runs := time.Now(), 0
	err := s.db.Update(ctx, func(w kv.Writer) error {
		done = changes{}
		if runs++; runs > 1 && s.observer != nil {
			s.observer.Conflict()
		}
		if refused = sameSchema(w); refused != nil {
			return refused
		}
		sealed = SealTo(w)
		refused = fn(Writer{Reader{sealed, &s.corrupt}, sealed, &done})
		return refused
	})
	if err == nil {
		s.hear(done)
		if sealed.wrote && s.observer != nil {
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

// sameSchema refuses to write once another process has brought the database up to date.
func sameSchema(r kv.Reader) error {
	found, err := r.Get(schemaKey())
	if err == nil && !bytes.Equal(found, schema(Current)) {
		err = ErrNewer
	}
	return err
}

// Outdated is closed once an Update has failed with ErrNewer: only another version of the program can go on.
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

// changes are those of a transaction's changes that somebody waits to hear of.
type changes struct {
	posted  []Queue
	awaited []GameID
	games   []GameID
	missed  bool // anything may have changed
}

// Over writes records within a transaction of an engine, without checksums, and tells nobody of new entries.
func Over(w kv.Writer) Writer { return Writer{Reader{w, new(corrupt)}, w, new(changes)} }

// OnPost has hear called with the queues that got entries, as soon as these are stored; it replaces an earlier hear.
// The Update that stored them waits for hear. Those of other processes are reported a little later, and possibly as
// nil: any queue may have got some.
func (s *Store) OnPost(hear func([]Queue)) { s.onPost.Store(&hear) }

// OnAwaited does the same for stored games in which the computer has something to do; of another process's, also those
// in which it had.
func (s *Store) OnAwaited(hear func([]GameID)) { s.onWait.Store(&hear) }

// OnChange does the same for stored games, and for challenges that were stored or removed.
func (s *Store) OnChange(hear func([]GameID)) { s.onGame.Store(&hear) }

// News collects what somebody who processes stored things was told of and has not taken yet; at first, that could be
// anything. It is safe for concurrent use.
type News[T comparable] struct {
	mu   sync.Mutex
	all  bool
	some map[T]bool
	wake chan struct{}
}

// NewNews makes News.
func NewNews[T comparable]() *News[T] {
	return &News[T]{all: true, some: map[T]bool{}, wake: make(chan struct{}, 1)}
}

// Hear adds stored things, or for nil that it could be anything, and ends a Wait.
func (n *News[T]) Hear(some []T) {
	n.Keep(some, some == nil)
	n.Look()
}

// Keep adds stored things, and for all that it could be anything.
func (n *News[T]) Keep(some []T, all bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.all = n.all || all
	for _, one := range some {
		n.some[one] = true
	}
}

// Take returns what was heard since the last call; all says that it could be anything.
func (n *News[T]) Take() (some []T, all bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	some, all = slices.Collect(maps.Keys(n.some)), n.all
	clear(n.some)
	n.all = false
	return some, all
}

// Look ends a Wait, or the next one.
func (n *News[T]) Look() {
	select {
	case n.wake <- struct{}{}:
	default: // a wake-up is pending already
	}
}

// Wait waits for news or Look, or until most has passed.
func (n *News[T]) Wait(ctx context.Context, most time.Duration) {
	select {
	case <-ctx.Done():
	case <-n.wake:
	case <-time.After(most):
	}
}

// hear tells those who wait what was stored.
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

// heard handles the keys that other processes have changed; nil means any.
func (s *Store) heard(keys [][]byte) {
	done := changes{missed: keys == nil}
	for _, key := range keys {
		switch kind, _, _ := bytes.Cut(key, []byte("/")); string(kind) + "/" {
		case entries.prefix:
			if q, ok := queueAt(key); ok {
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

// Schema is the version of the keys and values in an engine, without changing it; while they are being brought up to
// date, the older one. It fails with ErrNewer and kv.ErrUnfinished as Open would, and with kv.ErrNotDatabase if the
// engine holds no records of ours.
func Schema(ctx context.Context, db kv.DB) (version uint64, err error) {
	err = db.View(ctx, func(r kv.Reader) error {
		if err := kv.Whole(r); err != nil {
			return err
		}
		found, err := r.Get(schemaKey())
		switch {
		case err != nil:
			return err
		case found == nil:
			return fmt.Errorf("storage: no records are in it: %w", kv.ErrNotDatabase)
		}
		if version, err = readSchema(found); err != nil {
			return err
		}
		begun, err := r.Get(upgradeKey())
		if begun != nil { // it is being brought up to date, but versions before 14 are not noted
			version = max(End(begun), 13)
		}
		return err
	})
	return version, err
}

func schemaKey() []byte { return []byte("meta/schema") }

// readSchema reads a stored version. Up to 13 it is a plain number. Since then it has a checksum, and looks like too
// high a version to earlier programs.
func readSchema(found []byte) (version uint64, err error) {
	if len(found) == NumberSize {
		version = binary.BigEndian.Uint64(found)
	}
	if _, sound := Unseal(schemaKey(), found); sound {
		version >>= 32
	}
	switch {
	case version == 0 || version > math.MaxUint32:
		return 0, fmt.Errorf("storage: the database has no readable version: %w", kv.ErrCorrupt)
	case version > Current:
		return 0, ErrNewer
	}
	return version, nil
}

// PutSchema writes what Schema reads.
func PutSchema(w kv.Writer, version uint64) error { return w.Put(schemaKey(), schema(version)) }

// schema is a version as it is stored.
func schema(version uint64) []byte {
	return Seal(schemaKey(), binary.BigEndian.AppendUint32(nil, uint32(version)))
}

func upgradeKey() []byte { return []byte("meta/upgrade") }

// BeginUpgrade notes that a database is being brought up to date from a version. Earlier programs can then no longer
// write to it, and none can open it.
func BeginUpgrade(w kv.Writer, from uint64) error {
	return errors.Join(w.Put(upgradeKey(), Number(from)), PutSchema(w, Current))
}

// EndUpgrade notes that the database is up to date.
func EndUpgrade(w kv.Writer) error { return w.Delete(upgradeKey()) }

// SealSize is the length in bytes of a value's checksum.
const SealSize = 4

// damaged replaces a value whose checksum is wrong. No written value begins with it.
const damaged = 0

// Seal appends to a value the CRC-32C of its key and itself.
func Seal(key, value []byte) []byte {
	sealed := append(make([]byte, 0, len(value)+SealSize), value...)
	return binary.BigEndian.AppendUint32(sealed, sumOf(key, value))
}

// Unseal reverses Seal; false if the checksum is wrong.
func Unseal(key, sealed []byte) (value []byte, sound bool) {
	n := len(sealed) - SealSize
	if n < 0 || binary.BigEndian.Uint32(sealed[n:]) != sumOf(key, sealed[:n]) {
		return nil, false
	}
	return sealed[:n:n], true
}

// FindSealed finds the end of a sealed JSON object that begins at from; nil if there is none. The object must end with
// a brace: otherwise a checksum would soon be right by chance.
func FindSealed(key, from []byte) (sealed []byte) {
	table := crc32.MakeTable(crc32.Castagnoli)
	sum := sumOf(key, nil)
	for n := range max(0, len(from)-SealSize+1) {
		if n > 0 && from[n-1] == '}' && binary.BigEndian.Uint32(from[n:]) == sum {
			return from[:n+SealSize]
		}
		sum = crc32.Update(sum, table, from[n:n+1])
	}
	return nil
}

// sumOf is the checksum of a key, with its length before it, and a value.
func sumOf(key, value []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli)
	return crc32.Update(crc32.Update(uint32(len(key)), table, key), table, value)
}

// Sealed reads values that a SealedWriter has written. Get returns kv.ErrCorrupt for a damaged one. GetAll and Scan
// return a value that cannot be decoded in its place, and Scan leaves out damaged keys without a value.
type Sealed struct{ kv.Reader }

// Get implements [kv.Reader].
func (s Sealed) Get(key []byte) ([]byte, error) {
	sealed, err := s.Reader.Get(key)
	if sealed == nil || err != nil {
		return nil, err
	}
	value, sound := Unseal(key, sealed)
	if !sound {
		return nil, fmt.Errorf("storage: the checksum of %q is wrong: %w", key, kv.ErrCorrupt)
	}
	return value, nil
}

// GetAll implements [kv.Reader].
func (s Sealed) GetAll(keys ...[]byte) ([][]byte, error) {
	values, err := s.Reader.GetAll(keys...)
	for i, sealed := range values {
		if sealed != nil {
			values[i] = valueOf(keys[i], sealed)
		}
	}
	return values, err
}

// Scan implements [kv.Reader].
func (s Sealed) Scan(start, end []byte) iter.Seq2[kv.Item, error] {
	return func(yield func(kv.Item, error) bool) {
		for item, err := range s.Reader.Scan(start, end) {
			mark := len(item.Value) == SealSize
			item.Value = valueOf(item.Key, item.Value)
			if err == nil && mark && len(item.Value) > 0 {
				continue
			}
			if !yield(item, err) {
				return
			}
		}
	}
}

// valueOf is a value, or the replacement of a damaged one.
func valueOf(key, sealed []byte) []byte {
	if value, sound := Unseal(key, sealed); sound {
		return value
	}
	return []byte{damaged}
}

// SealedWriter writes values with their checksums.
type SealedWriter struct {
	Sealed
	out   kv.Writer
	wrote bool
}

// SealTo returns a SealedWriter over a transaction.
func SealTo(w kv.Writer) *SealedWriter { return &SealedWriter{Sealed: Sealed{w}, out: w} }

// Put implements [kv.Writer].
func (w *SealedWriter) Put(key, value []byte) error {
	w.wrote = true
	return w.out.Put(key, Seal(key, value))
}

// Delete implements [kv.Writer].
func (w *SealedWriter) Delete(key []byte) error {
	w.wrote = true
	return w.out.Delete(key)
}

// onePage is how many keys a long read takes in one transaction: until that ends, the engine has to keep overwritten
// values, and a remote one keeps them only for some time.
const onePage = 4096

// view is a way to read a Store.
type view func(context.Context, func(Reader) error) error

// inPages yields what is found in the pairs with a key prefix, in order, in several transactions. find may run again
// with the same pairs.
func inPages[T any](ctx context.Context, view view, prefix []byte, find func(Reader, []kv.Item) ([]T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		next, end := kv.Prefix(prefix)
		for {
			var found []T
			var rest []byte
			err := view(ctx, func(r Reader) (err error) {
				var some []kv.Item
				rest = nil
				for item, err := range r.kv.Scan(next, end) {
					if err != nil {
						return err
					}
					if len(some) == onePage {
						rest = item.Key
						break
					}
					some = append(some, item)
				}
				found, err = find(r, some)
				return err
			})
			if err != nil {
				yield(*new(T), err)
				return
			}
			for _, one := range found {
				if !yield(one, nil) {
					return
				}
			}
			if next = rest; next == nil {
				return
			}
		}
	}
}

// Games are the numbers of all games, in order. They are read in pages: new ones may be missing.
func (s *Store) Games(ctx context.Context) ([]GameID, error) {
	return allNumbers[GameID](ctx, s, "game/")
}

// People are the numbers of all people, likewise.
func (s *Store) People(ctx context.Context) ([]PersonID, error) {
	return allNumbers[PersonID](ctx, s, "person/")
}

func allNumbers[N ~uint64](ctx context.Context, s *Store, kind string) ([]N, error) {
	return collect(inPages(ctx, s.View, Key(kind), asStored), 0, lastNumber[N])
}

// asStored lets inPages yield the pairs themselves.
func asStored(_ Reader, some []kv.Item) ([]kv.Item, error) { return some, nil }

// Playing is how many games are in progress. It reads in pages: games that begin or end meanwhile may be counted or
// not.
func (s *Store) Playing(ctx context.Context) (int, error) {
	all, err := allNumbers[GameID](ctx, s, here)
	slices.Sort(all) // a game is there once for each place
	return len(slices.Compact(all)), err
}

// Teaching counts what people have done with the lessons, puzzles and practice games. It names nobody.
type Teaching struct {
	Begun, Finished int // courses, counted for each person
	Puzzles, Solved int // puzzles answered, and those solved at once
	Practices       int // games against the computer, those in progress included
}

// Teaching counts these in the records of people and games, in pages; lessons is the length of each kind of game's
// course.
func (s *Store) Teaching(ctx context.Context, lessons map[string]int) (t Teaching, err error) {
	ids, err := s.People(ctx)
	for some := range slices.Chunk(ids, readAtOnce) {
		people, err := Read(ctx, s, func(r Reader) ([]Person, error) { return r.People().All(some) })
		if err != nil {
			return t, err
		}
		for _, p := range people {
			if _, also := p.Studies.Done[p.Studies.Game]; p.Studies.Game != "" && !also {
				t.Begun++
			}
			t.Puzzles, t.Solved = t.Puzzles+p.Training.Standing.Games(), t.Solved+p.Training.Standing.Wins
			for kind, done := range p.Studies.Done {
				t.Begun++
				if done >= lessons[kind] {
					t.Finished++
				}
			}
			if _, computer := p.On(Computer); !computer {
				continue
			}
			games, err := Read(ctx, s, func(r Reader) ([]GameID, error) { return r.GamesOf(p.ID) })
			if err != nil {
				return t, err
			}
			t.Practices += len(games)
		}
	}
	return t, err
}

// Usage is how much of a kind is stored.
type Usage struct {
	Kind  string // their key prefix
	Count int
	Bytes int64 // of keys, values and checksums
}

// Usage is how much of each kind is stored, in order. It is read in steps, so that no long transaction blocks the reuse
// of space: what changes meanwhile is counted once, twice or not at all.
func (s *Store) Usage(ctx context.Context) (all []Usage, _ error) {
	for item, err := range inPages(ctx, s.View, nil, asStored) {
		if err != nil {
			return nil, err
		}
		if kind := kindOf(item.Key); len(all) == 0 || all[len(all)-1].Kind != kind {
			all = append(all, Usage{Kind: kind})
		}
		last := &all[len(all)-1]
		last.Count++
		last.Bytes += int64(len(item.Key) + len(item.Value) + SealSize)
	}
	return all, nil
}

// kindOf is the key prefix of a kind. For adapters' memories, each platform has its own kinds.
func kindOf(k []byte) string {
	kind, rest, _ := bytes.Cut(k, []byte("/"))
	if string(kind)+"/" != states.prefix {
		return string(kind) + "/"
	}
	platform, name, _ := strings.Cut(string(rest), "\x00")
	name, _, _ = strings.Cut(name, "/")
	return states.prefix + platform + "/" + name + "/"
}
