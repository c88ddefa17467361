package bolt

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"strings"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"chimera/storage/kv"
)

// maxStored is the length in bytes of the longest value that a file can hold: what was
// accepted when it was written.
const maxStored = 16 << 20

// A reader reads a bucket within one transaction of bbolt.
type reader struct {
	bucket *bbolt.Bucket
	over   bool // the function it was for has returned
}

// Get implements kv.Reader.
func (r *reader) Get(key []byte) (value []byte, err error) {
	if err := r.checkKey(key); err != nil {
		return nil, err
	}
	err = guard(func() (err error) {
		if v := r.bucket.Get(key); v != nil {
			value, err = own(v, maxStored)
		}
		return err
	})
	return value, err
}

// GetAll implements kv.Reader.
func (r *reader) GetAll(keys ...[]byte) ([][]byte, error) { return kv.GetEach(r.Get, keys) }

// Scan implements kv.Reader.
func (r *reader) Scan(start, end []byte) iter.Seq2[kv.Item, error] {
	start, end = bytes.Clone(start), bytes.Clone(end)
	return func(yield func(kv.Item, error) bool) {
		var cursor *bbolt.Cursor
		for {
			item, err := r.next(&cursor, start)
			if err != nil {
				yield(kv.Item{}, err)
				return
			}
			if item.Key == nil || end != nil && bytes.Compare(item.Key, end) >= 0 || !yield(item, nil) {
				return
			}
		}
	}
}

// next moves the cursor to the next item, or makes one at start. After the
// last item there is one without a key.
func (r *reader) next(cursor **bbolt.Cursor, start []byte) (item kv.Item, err error) {
	if r.over {
		return kv.Item{}, kv.ErrOver
	}
	err = guard(func() (err error) {
		var key, value []byte
		if *cursor == nil {
			*cursor = r.bucket.Cursor()
			key, value = (*cursor).Seek(start)
		} else {
			key, value = (*cursor).Next()
		}
		if key == nil {
			return nil
		}
		if value == nil {
			return corrupt("a bucket where a value should be")
		}
		if item.Key, err = own(key, kv.MaxKeySize); err != nil {
			return err
		}
		item.Value, err = own(value, maxStored)
		return err
	})
	return item, err
}

func (r *reader) checkKey(key []byte) error {
	if r.over {
		return kv.ErrOver
	}
	if len(key) == 0 || len(key) > kv.MaxKeySize {
		return kv.ErrKeySize
	}
	return nil
}

// own copies bytes out of the file. The copy is not nil. Damage can make bytes
// seem endless, so there is a limit.
func own(b []byte, limit int) ([]byte, error) {
	if len(b) > limit {
		return nil, corrupt("%d bytes where there can be %d at most", len(b), limit)
	}
	return append([]byte{}, b...), nil
}

// A writer is an overlay: it reads through what its function has written to
// the bucket below, and leaves the bucket alone until it is merged.
type writer struct {
	reader
	pending map[string][]byte // never changed in place; nil for a deleted key
}

// Get implements kv.Reader.
func (w *writer) Get(key []byte) ([]byte, error) {
	if err := w.checkKey(key); err != nil {
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
func (w *writer) Put(key, value []byte) error {
	if err := w.checkKey(key); err != nil {
		return err
	}
	if len(value) > kv.MaxValueSize {
		return kv.ErrValueSize
	}
	w.pending[string(key)] = append([]byte{}, value...)
	return nil
}

// Delete implements kv.Writer.
func (w *writer) Delete(key []byte) error {
	if err := w.checkKey(key); err != nil {
		return err
	}
	w.pending[string(key)] = nil
	return nil
}

// Scan implements kv.Reader. It costs time for each pending write, in the
// range or not, so it is not for loops over very many of them.
func (w *writer) Scan(start, end []byte) iter.Seq2[kv.Item, error] {
	stored := w.reader.Scan(start, end)
	start, end = bytes.Clone(start), bytes.Clone(end)
	return func(yield func(kv.Item, error) bool) {
		changes := w.changes(start, end)
		for item, err := range stored {
			if err != nil {
				yield(kv.Item{}, err)
				return
			}
			n, replaced := slices.BinarySearchFunc(changes, string(item.Key), change.compare)
			if !yieldChanges(changes[:n], yield) {
				return
			}
			changes = changes[n:]
			if !replaced && !yield(item, nil) {
				return
			}
		}
		yieldChanges(changes, yield)
	}
}

// A change is a pending write.
type change struct {
	key   string
	value []byte // nil for a deleted key
}

func (c change) compare(key string) int {
	return strings.Compare(c.key, key)
}

// changes returns the pending writes from start to end in order of their keys.
func (w *writer) changes(start, end []byte) []change {
	var changes []change
	for key, value := range w.pending {
		if key >= string(start) && (end == nil || key < string(end)) {
			changes = append(changes, change{key, value})
		}
	}
	slices.SortFunc(changes, func(a, b change) int { return a.compare(b.key) })
	return changes
}

// yieldChanges yields the changes that are not deletions and reports whether
// more is wanted.
func yieldChanges(changes []change, yield func(kv.Item, error) bool) bool {
	for _, c := range changes {
		if c.value != nil && !yield(kv.Item{Key: []byte(c.key), Value: bytes.Clone(c.value)}, nil) {
			return false
		}
	}
	return true
}

// merge writes what is pending to the bucket. If it fails, the bucket is not
// fit to be committed.
func (w *writer) merge() error {
	return guard(func() error {
		for key, value := range w.pending {
			var err error
			if value == nil {
				err = w.bucket.Delete([]byte(key))
			} else {
				err = w.bucket.Put([]byte(key), value)
			}
			if errors.Is(err, berrors.ErrIncompatibleValue) { // it takes the pair for a bucket
				return corrupt("%v", err)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}
