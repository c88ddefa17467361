package bolt

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"go.etcd.io/bbolt"

	"chimera/storage/kv"
)

// leisure is how long updates that nobody waits for are held back to share a commit: about the time that a commit
// takes.
const leisure = 2 * time.Millisecond

// A batch is updates that share a commit.
type batch struct {
	tx    *bbolt.Tx
	hurry func() // called when somebody waits for one of its updates
	wrote bool   // there is anything to store
	err   error  // why it cannot be stored
	ended chan struct{}
}

// Update implements kv.DB. It shares its commit with all updates that wait at
// the same time; if the commit fails, each of them returns the commit's error.
func (db *DB) Update(ctx context.Context, fn func(kv.Writer) error) error {
	if err := db.calls.Enter(ctx); err != nil {
		return err
	}
	defer db.calls.Leave()
	select {
	case db.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	b, refusal := db.run(ctx, fn)
	if b == nil {
		return refusal
	}
	<-b.ended
	return cmp.Or(b.err, refusal)
}

// run runs a function as part of a batch, if possible, and ends the turn even if the function panics.
func (db *DB) run(ctx context.Context, fn func(kv.Writer) error) (b *batch, refusal error) {
	defer func() { <-db.turn }()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if db.batch == nil {
		tx, err := db.bolt.Begin(true)
		if err != nil {
			return nil, err
		}
		db.begin(tx)
	}
	b = db.batch
	if !kv.IsAtLeisure(ctx) {
		b.hurry()
	}
	if b.err != nil { // an earlier merge has failed
		return b, nil
	}
	o := &overlay{bucket: b.tx.Bucket([]byte(BucketName)), pending: make(map[string][]byte)}
	defer func() { o.over = true }()
	if refusal = fn(o); refusal == nil && len(o.pending) > 0 {
		b.wrote, b.err = true, o.merge()
	}
	return b, refusal
}

// begin begins a batch. It ends after all that wait for their turn now: those who come later are behind it in the
// queue.
func (db *DB) begin(tx *bbolt.Tx) {
	hurried := make(chan struct{})
	b := &batch{tx: tx, hurry: sync.OnceFunc(func() { close(hurried) }), ended: make(chan struct{})}
	db.batch = b
	go func() {
		select {
		case <-hurried:
		case <-time.After(leisure):
		}
		db.turn <- struct{}{}
		defer func() { <-db.turn }()
		defer close(b.ended)
		db.batch = nil
		if b.err != nil || !b.wrote {
			b.err = errors.Join(b.err, tx.Rollback())
		} else if err := tx.Commit(); err != nil {
			b.err = fmt.Errorf("commit: %w", err)
		}
	}()
}

// An overlay is a bucket as a function sees it: with its own writes on top, until they are merged.
type overlay struct {
	bucket  *bbolt.Bucket
	pending map[string][]byte // never changed in place; nil for a deleted key; nil in a View
	over    bool              // its function has returned
}

// Get implements kv.Reader.
func (o *overlay) Get(key []byte) ([]byte, error) {
	if err := kv.Check(o.over, key, nil); err != nil {
		return nil, err
	}
	if value, ok := o.pending[string(key)]; ok {
		return bytes.Clone(value), nil
	}
	return bytes.Clone(o.bucket.Get(key)), nil
}

// GetAll implements kv.Reader.
func (o *overlay) GetAll(keys ...[]byte) ([][]byte, error) { return kv.GetEach(o.Get, keys) }

// own copies bytes out of the file. The copy is not nil.
func own(b []byte) []byte { return append([]byte{}, b...) }

// Put implements kv.Writer.
func (o *overlay) Put(key, value []byte) error { return o.write(key, own(value)) }

// Delete implements kv.Writer.
func (o *overlay) Delete(key []byte) error { return o.write(key, nil) }

func (o *overlay) write(key, value []byte) error {
	err := kv.Check(o.over, key, value)
	if err == nil {
		o.pending[string(key)] = value
	}
	return err
}

// Scan implements kv.Reader. It costs time for each pending write, in the
// range or not, so it is not for loops over very many of them.
func (o *overlay) Scan(start, end []byte) iter.Seq2[kv.Item, error] {
	start, end = bytes.Clone(start), bytes.Clone(end)
	return func(yield func(kv.Item, error) bool) {
		var changes []kv.Item // in order; a deleted key has no value
		for key, value := range o.pending {
			if key >= string(start) && (end == nil || key < string(end)) {
				changes = append(changes, kv.Item{Key: []byte(key), Value: bytes.Clone(value)})
			}
		}
		slices.SortFunc(changes, func(a, b kv.Item) int { return bytes.Compare(a.Key, b.Key) })
		cursor := o.bucket.Cursor()
		for next := func() ([]byte, []byte) { return cursor.Seek(start) }; ; next = cursor.Next {
			if o.over {
				yield(kv.Item{}, kv.ErrOver)
				return
			}
			key, value := next()
			if key == nil || end != nil && bytes.Compare(key, end) >= 0 {
				break
			}
			n, replaced := slices.BinarySearchFunc(changes, key, func(c kv.Item, key []byte) int { return bytes.Compare(c.Key, key) })
			item := kv.Item{Key: own(key), Value: own(value)}
			if !yieldAll(changes[:n], yield) || !replaced && !yield(item, nil) {
				return
			}
			changes = changes[n:]
		}
		yieldAll(changes, yield)
	}
}

// yieldAll yields the changes that are not deletions and reports whether more is wanted.
func yieldAll(changes []kv.Item, yield func(kv.Item, error) bool) bool {
	for _, item := range changes {
		if item.Value != nil && !yield(item, nil) {
			return false
		}
	}
	return true
}

// merge writes what is pending to the bucket. If it fails, the bucket must not be committed.
func (o *overlay) merge() (err error) {
	for key, value := range o.pending {
		if value == nil {
			err = o.bucket.Delete([]byte(key))
		} else {
			err = o.bucket.Put([]byte(key), value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
