package kvtest

import (
	"bytes"
	"context"
	"iter"
	"sync/atomic"

	"chimera/storage/kv"
)

// Counted is an engine that counts how it is used.
type Counted struct {
	kv.DB
	Prefix []byte // Gets counts the reads of keys with this prefix

	Views, Updates, Gets, Scanned atomic.Int64 // Scanned counts what scans yield
	MostViewed                    atomic.Int64 // how many keys one View has read, at most
	MostRead, MostWritten         atomic.Int64 // how many keys one Update has read or written, at most
}

// Reset begins to count anew.
func (c *Counted) Reset() {
	c.Views.Store(0)
	c.Updates.Store(0)
	c.Gets.Store(0)
	c.Scanned.Store(0)
	c.MostViewed.Store(0)
	c.MostRead.Store(0)
	c.MostWritten.Store(0)
}

// View implements [kv.DB].
func (c *Counted) View(ctx context.Context, fn func(kv.Reader) error) error {
	c.Views.Add(1)
	return c.DB.View(ctx, func(r kv.Reader) error {
		var read int64
		defer func() { raise(&c.MostViewed, read) }()
		return fn(countedReader{r, c, &read})
	})
}

// Update implements [kv.DB].
func (c *Counted) Update(ctx context.Context, fn func(kv.Writer) error) error {
	c.Updates.Add(1)
	return c.DB.Update(ctx, func(w kv.Writer) error {
		var read, written int64
		err := fn(countedWriter{countedReader{w, c, &read}, w, &written})
		raise(&c.MostRead, read)
		raise(&c.MostWritten, written)
		return err
	})
}

// raise makes most at least n.
func raise(most *atomic.Int64, n int64) {
	for was := most.Load(); was < n && !most.CompareAndSwap(was, n); was = most.Load() {
	}
}

type countedReader struct {
	r    kv.Reader
	c    *Counted
	read *int64
}

func (r countedReader) Get(key []byte) ([]byte, error) {
	found, err := r.GetAll(key)
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

func (r countedReader) GetAll(keys ...[]byte) ([][]byte, error) {
	*r.read += int64(len(keys))
	for _, key := range keys {
		if bytes.HasPrefix(key, r.c.Prefix) {
			r.c.Gets.Add(1)
		}
	}
	return r.r.GetAll(keys...)
}

func (r countedReader) Scan(start, end []byte) iter.Seq2[kv.Item, error] {
	return func(yield func(kv.Item, error) bool) {
		for item, err := range r.r.Scan(start, end) {
			*r.read++
			r.c.Scanned.Add(1)
			if !yield(item, err) {
				return
			}
		}
	}
}

type countedWriter struct {
	countedReader
	w       kv.Writer
	written *int64
}

func (w countedWriter) Put(key, value []byte) error {
	*w.written++
	return w.w.Put(key, value)
}

func (w countedWriter) Delete(key []byte) error {
	*w.written++
	return w.w.Delete(key)
}
