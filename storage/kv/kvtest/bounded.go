package kvtest

import (
	"context"

	"chimera/storage/kv"
)

// Bounded is an engine that stores no more at once than every engine can, like a [Disk]: a larger Update is refused
// with kv.ErrUpdateSize.
type Bounded struct{ kv.DB }

// Update implements [kv.DB].
func (b Bounded) Update(ctx context.Context, fn func(kv.Writer) error) error {
	return b.DB.Update(ctx, bounded(fn))
}

// bounded is a function that is refused if it writes too much.
func bounded(fn func(kv.Writer) error) func(kv.Writer) error {
	return func(inner kv.Writer) error {
		w := &weighed{Writer: inner, sizes: map[string]int{}}
		if err := fn(w); err != nil {
			return err
		}
		if len(w.sizes) > kv.MaxUpdateWrites || w.size > kv.MaxUpdateSize {
			return kv.ErrUpdateSize
		}
		return nil
	}
}

// weighed is a Writer that knows how much was written.
type weighed struct {
	kv.Writer
	sizes map[string]int // of the last write to each key
	size  int
}

// note notes a write, unless it was refused.
func (w *weighed) note(key, value []byte, refused error) error {
	if refused == nil {
		size := len(key) + len(value)
		w.size += size - w.sizes[string(key)]
		w.sizes[string(key)] = size
	}
	return refused
}

// Put implements [kv.Writer].
func (w *weighed) Put(key, value []byte) error { return w.note(key, value, w.Writer.Put(key, value)) }

// Delete implements [kv.Writer].
func (w *weighed) Delete(key []byte) error { return w.note(key, nil, w.Writer.Delete(key)) }
