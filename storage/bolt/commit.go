package bolt

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"time"

	"github.com/tidwall/btree"
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
	o := &overlay{bucket: b.tx.Bucket([]byte(BucketName))}
	defer func() { o.over = true }()
	if refusal = fn(o); refusal == nil && o.pending.Len() > 0 {
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
	pending btree.Map[string, []byte] // values are never changed in place, and nil for a deleted key
	over    bool                      // its function has returned
}

// Get implements kv.Reader.
func (o *overlay) Get(key []byte) ([]byte, error) {
	if err := kv.Check(o.over, key, nil); err != nil {
		return nil, err
	}
	if value, ok := o.pending.Get(string(key)); ok {
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
		o.pending.Set(string(key), value)
	}
	return err
}

// Scan implements kv.Reader.
func (o *overlay) Scan(start, end []byte) iter.Seq2[kv.Item, error] {
	start, end = bytes.Clone(start), bytes.Clone(end)
	return func(yield func(kv.Item, error) bool) {
		stored, written := o.bucket.Cursor(), o.pending.Copy().Iter()
		more := written.Seek(string(start))
		var key, value []byte
		for read := func() ([]byte, []byte) { return stored.Seek(start) }; !o.over; {
			if read != nil {
				key, value = read()
			}
			next := kv.Item{Key: key, Value: value}
			if more && (key == nil || written.Key() <= string(key)) {
				next = kv.Item{Key: []byte(written.Key()), Value: written.Value()}
				more = written.Next()
			}
			if next.Key == nil || end != nil && bytes.Compare(next.Key, end) >= 0 {
				return
			}
			if next.Value != nil && !yield(kv.Item{Key: own(next.Key), Value: own(next.Value)}, nil) {
				return
			}
			if read = nil; bytes.Equal(key, next.Key) {
				read = stored.Next
			}
		}
		yield(kv.Item{}, kv.ErrOver)
	}
}

// merge writes what is pending to the bucket. If it fails, the bucket must not be committed.
func (o *overlay) merge() (err error) {
	o.pending.Scan(func(key string, value []byte) bool {
		if value == nil {
			err = o.bucket.Delete([]byte(key))
		} else {
			err = o.bucket.Put([]byte(key), value)
		}
		return err == nil
	})
	return err
}
