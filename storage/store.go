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

// News is what one who works through what is stored has heard of it and not read yet: at first that
// there may be anything. It is safe for concurrent use.
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

// Hear takes in what was stored, or with nil that it may be anything, and ends a Wait.
func (n *News[T]) Hear(some []T) {
	n.Keep(some, some == nil)
	n.Look()
}

// Keep takes in what was stored, besides anything with all.
func (n *News[T]) Keep(some []T, all bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.all = n.all || all
	for _, one := range some {
		n.some[one] = true
	}
}

// Take gives what was heard since it was called last; with all, there may be anything besides.
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
	default: // one will end anyway
	}
}

// Wait waits for news or Look, for so long at most.
func (n *News[T]) Wait(ctx context.Context, most time.Duration) {
	select {
	case <-ctx.Done():
	case <-n.wake:
	case <-time.After(most):
	}
}

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
		switch kind, _, _ := bytes.Cut(key, []byte("/")); string(kind) + "/" {
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

// Schema is the version of the keys and values that are kept.
func (s *Store) Schema(ctx context.Context) (uint64, error) { return Schema(ctx, s.db) }

// Schema is the version of the keys and values in an engine, which is left as it is: the older
// one while these are being brought up to date.
// It fails with ErrNewer and kv.ErrUnfinished where Open would, and with kv.ErrNotDatabase if
// the engine holds no records of ours.
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
		if begun != nil { // it is on the way from an older version, of which those before 14 were not noted
			version = max(End(begun), 13)
		}
		return err
	})
	return version, err
}

func schemaKey() []byte { return []byte("meta/schema") }

// readSchema reads a version as it is stored. Up to 13 it is a plain number. Since then it has a
// checksum, and is too high a number for all programs that know of none.
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

// BeginUpgrade notes that a database is being brought up to date from a version, which keeps all earlier
// versions of the program from writing to it, and all from opening it.
func BeginUpgrade(w kv.Writer, from uint64) error {
	return errors.Join(w.Put(upgradeKey(), Number(from)), PutSchema(w, Current))
}

// EndUpgrade notes that the database is up to date.
func EndUpgrade(w kv.Writer) error { return w.Delete(upgradeKey()) }

// SealSize is how many bytes of what is stored are the checksum of a value.
const SealSize = 4

// damaged begins what is read in the place of a value whose checksum is wrong. No value that is
// written begins so.
const damaged = 0

// Seal is a value as it is stored under a key: with the CRC-32C of both behind it.
func Seal(key, value []byte) []byte {
	sealed := append(make([]byte, 0, len(value)+SealSize), value...)
	return binary.BigEndian.AppendUint32(sealed, sumOf(key, value))
}

// Unseal is the value that Seal was given; false if the checksum is wrong.
func Unseal(key, sealed []byte) (value []byte, sound bool) {
	n := len(sealed) - SealSize
	if n < 0 || binary.BigEndian.Uint32(sealed[n:]) != sumOf(key, sealed[:n]) {
		return nil, false
	}
	return sealed[:n:n], true
}

// FindSealed is a JSON object as it is stored under a key, of which only the beginning is known; nil if no
// end of it is found. The end is a brace: without that, a checksum would be right by chance somewhere.
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

// sumOf is the checksum of a value under a key, of which it begins with the length.
func sumOf(key, value []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli)
	return crc32.Update(crc32.Update(uint32(len(key)), table, key), table, value)
}

// Sealed reads values that a SealedWriter has written. Get returns kv.ErrCorrupt for a damaged one.
// GetAll and Scan return a value in its place that cannot be decoded, and Scan leaves out damaged keys
// without a value.
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

// valueOf is a value, or what stands in the place of one that is damaged.
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

// SealTo is a SealedWriter over a transaction.
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

// onePage is how many keys are read in one transaction of those that read much: the engine has to
// keep what is overwritten meanwhile, and one that is elsewhere keeps it for some time only.
const onePage = 4096

// view is a way to read a Store.
type view func(context.Context, func(Reader) error) error

// inPages yields what is found in the pairs whose keys have a prefix, of which each transaction
// reads some, in order. find may be called again with those of the same transaction.
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

// Games are the numbers of all games, in order. It reads in pages: what comes meanwhile may be
// left out.
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

// Playing is how many games are in progress. It reads in pages: what begins or ends meanwhile may be
// counted or not.
func (s *Store) Playing(ctx context.Context) (int, error) {
	all, err := allNumbers[GameID](ctx, s, here)
	slices.Sort(all) // where each game is once for each place
	return len(slices.Compact(all)), err
}

// Teaching is what people have had of the teacher and of the opponent. It tells nothing of any of them.
type Teaching struct {
	Begun, Finished int // courses, each person's by themselves
	Puzzles, Solved int // that were answered, and those solved at once
	Practices       int // games against the computer, those in progress included
}

// Teaching counts it in the records of people and games, likewise; lessons is how many there are in
// the course of each kind of game.
func (s *Store) Teaching(ctx context.Context, lessons map[string]int) (t Teaching, err error) {
	ids, err := s.People(ctx)
	for some := range slices.Chunk(ids, readAtOnce) {
		people, err := Read(ctx, s, func(r Reader) ([]Person, error) { return r.People().All(some) })
		if err != nil {
			return t, err
		}
		for _, p := range people {
			t.learner(&p, lessons)
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

// learner counts what a person has had.
func (t *Teaching) learner(p *Person, lessons map[string]int) {
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
}

// Usage is how much is stored of a kind.
type Usage struct {
	Kind  string // what its keys begin with
	Count int
	Bytes int64 // of keys, values and checksums
}

// Usage is how much is stored of each kind, in order. It is read in steps, so that no long
// transaction keeps space from being used again: what changes meanwhile is counted once,
// twice or not at all.
func (s *Store) Usage(ctx context.Context) ([]Usage, error) {
	var all []Usage
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

// kindOf is what the keys of a kind begin with. Among what adapters remember, each platform
// has kinds of its own.
func kindOf(k []byte) string {
	kind, rest, _ := bytes.Cut(k, []byte("/"))
	if string(kind)+"/" != states.prefix {
		return string(kind) + "/"
	}
	platform, name, _ := strings.Cut(string(rest), "\x00")
	name, _, _ = strings.Cut(name, "/")
	return states.prefix + platform + "/" + name + "/"
}
