package bolt

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"go.etcd.io/bbolt"

	"chimera/storage/kv"
)

// maxBatch bounds how many updates share a commit, and so how long the first
// of them waits for the last.
const maxBatch = 1024

// leisure is how long an update that nobody waits for waits for others to share a commit with: a
// commit costs about as long.
const leisure = 2 * time.Millisecond

// A request is one call of Update on its way through the loop: it gets its
// turn, says whether its writes are to be kept, and hears how the batch ended.
type request struct {
	ctx  context.Context
	turn chan *writer // closed without a writer if there is nothing to run
	keep chan bool
	done chan error // one error, buffered, so that a caller who panicked need not listen
}

// wait is the caller's side, once the loop has taken the request.
func (r *request) wait(fn func(kv.Writer) error) error {
	var refusal error
	if w := <-r.turn; w != nil {
		refusal = r.run(w, fn)
	}
	return cmp.Or(<-r.done, refusal)
}

// run gives the turn back however fn ends, be it by a panic.
func (r *request) run(w *writer, fn func(kv.Writer) error) error {
	keep := false
	defer func() {
		w.over = true
		r.keep <- keep
	}()
	err := fn(w)
	keep = err == nil
	return err
}

// take is the loop's side of run. It reports whether there is anything to store.
func (r *request) take(w *writer) bool {
	r.turn <- w
	return <-r.keep && len(w.pending) > 0
}

// refuse ends a request that gets no turn.
func (r *request) refuse(err error) {
	close(r.turn)
	r.done <- err
}

// serve commits batches until there are no more requests.
func (db *DB) serve() {
	defer close(db.stopped)
	for first := range db.requests {
		db.commit(db.gather(first))
	}
}

// gather returns first and everything that waits behind it. While nobody waits for any of that,
// it looks a little longer for what somebody does wait for.
func (db *DB) gather(first *request) []*request {
	batch := []*request{first}
	if kv.IsAtLeisure(first.ctx) {
		timer := time.NewTimer(leisure)
		defer timer.Stop()
		for idle := true; idle && len(batch) < maxBatch; {
			select {
			case r := <-db.requests:
				batch, idle = append(batch, r), kv.IsAtLeisure(r.ctx)
			case <-timer.C:
				idle = false
			}
		}
	}
	return kv.Gather(batch, db.requests, maxBatch)
}

// commit runs a batch in one transaction and tells each request the outcome.
func (db *DB) commit(batch []*request) {
	tx, err := db.bolt.Begin(true)
	if err != nil {
		for _, r := range batch {
			r.refuse(err)
		}
		return
	}
	bucket := tx.Bucket([]byte(BucketName))
	var ran []*request
	wrote := false
	for _, r := range batch {
		if ctxErr := r.ctx.Err(); ctxErr != nil {
			r.refuse(ctxErr)
			continue
		}
		if err != nil { // what was merged before cannot be stored
			r.refuse(err)
			continue
		}
		ran = append(ran, r)
		w := &writer{reader: reader{bucket: bucket}, pending: make(map[string][]byte)}
		if r.take(w) {
			wrote = true
			err = w.merge()
		}
	}
	if err == nil && wrote {
		err = db.store(tx)
	} else {
		err = errors.Join(err, tx.Rollback())
	}
	for _, r := range ran {
		r.done <- err
	}
}

// store ends a transaction and stores what it wrote.
func (db *DB) store(tx *bbolt.Tx) error {
	db.storing.Lock()
	defer db.storing.Unlock()
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// A reader reads a bucket within one transaction of bbolt.
type reader struct {
	bucket *bbolt.Bucket
	over   bool // the function it was for has returned
}

// Get implements kv.Reader.
func (r *reader) Get(key []byte) ([]byte, error) {
	if err := kv.Check(r.over, key, nil); err != nil {
		return nil, err
	}
	return bytes.Clone(r.bucket.Get(key)), nil
}

// GetAll implements kv.Reader.
func (r *reader) GetAll(keys ...[]byte) ([][]byte, error) { return kv.GetEach(r.Get, keys) }

// Scan implements kv.Reader.
func (r *reader) Scan(start, end []byte) iter.Seq2[kv.Item, error] {
	start, end = bytes.Clone(start), bytes.Clone(end)
	return func(yield func(kv.Item, error) bool) {
		var cursor *bbolt.Cursor
		for {
			if r.over {
				yield(kv.Item{}, kv.ErrOver)
				return
			}
			var key, value []byte
			if cursor == nil {
				cursor = r.bucket.Cursor()
				key, value = cursor.Seek(start)
			} else {
				key, value = cursor.Next()
			}
			if key == nil || end != nil && bytes.Compare(key, end) >= 0 || !yield(kv.Item{Key: own(key), Value: own(value)}, nil) {
				return
			}
		}
	}
}

// own copies bytes out of the file. The copy is not nil.
func own(b []byte) []byte { return append([]byte{}, b...) }

// A writer is an overlay: it reads through what its function has written to
// the bucket below, and leaves the bucket alone until it is merged.
type writer struct {
	reader
	pending map[string][]byte // never changed in place; nil for a deleted key
}

// Get implements kv.Reader.
func (w *writer) Get(key []byte) ([]byte, error) {
	if err := kv.Check(w.over, key, nil); err != nil {
		return nil, err
	}
	if value, ok := w.pending[string(key)]; ok {
		return bytes.Clone(value), nil
	}
	return w.reader.Get(key)
}

// GetAll implements kv.Reader.
func (w *writer) GetAll(keys ...[]byte) ([][]byte, error) { return kv.GetEach(w.Get, keys) }

// Put implements kv.Writer.
func (w *writer) Put(key, value []byte) error { return w.write(key, own(value)) }

// Delete implements kv.Writer.
func (w *writer) Delete(key []byte) error { return w.write(key, nil) }

func (w *writer) write(key, value []byte) error {
	err := kv.Check(w.over, key, value)
	if err == nil {
		w.pending[string(key)] = value
	}
	return err
}

// Scan implements kv.Reader. It costs time for each pending write, in the
// range or not, so it is not for loops over very many of them.
func (w *writer) Scan(start, end []byte) iter.Seq2[kv.Item, error] {
	stored := w.reader.Scan(start, end)
	from, to, toLast := string(start), string(end), end == nil
	return func(yield func(kv.Item, error) bool) {
		var changes []kv.Item // in order; a deleted key has no value
		for key, value := range w.pending {
			if key >= from && (toLast || key < to) {
				changes = append(changes, kv.Item{Key: []byte(key), Value: bytes.Clone(value)})
			}
		}
		slices.SortFunc(changes, func(a, b kv.Item) int { return bytes.Compare(a.Key, b.Key) })
		for item, err := range stored {
			if err != nil {
				yield(kv.Item{}, err)
				return
			}
			n, replaced := slices.BinarySearchFunc(changes, item.Key, func(c kv.Item, key []byte) int { return bytes.Compare(c.Key, key) })
			if !yieldAll(changes[:n], yield) {
				return
			}
			changes = changes[n:]
			if !replaced && !yield(item, nil) {
				return
			}
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

// merge writes what is pending to the bucket. If it fails, the bucket is not
// fit to be committed.
func (w *writer) merge() (err error) {
	for key, value := range w.pending {
		if value == nil {
			err = w.bucket.Delete([]byte(key))
		} else {
			err = w.bucket.Put([]byte(key), value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
