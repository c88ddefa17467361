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
}

// Reset begins to count anew.
func (c *Counted) Reset() {
	c.Views.Store(0)
	c.Updates.Store(0)
	c.Gets.Store(0)
	c.Scanned.Store(0)
}

// View implements [kv.DB].
func (c *Counted) View(ctx context.Context, fn func(kv.Reader) error) error {
	c.Views.Add(1)
	return c.DB.View(ctx, func(r kv.Reader) error { return fn(countedReader{r, c}) })
}

// Update implements [kv.DB].
func (c *Counted) Update(ctx context.Context, fn func(kv.Writer) error) error {
	c.Updates.Add(1)
	return c.DB.Update(ctx, func(w kv.Writer) error { return fn(countedWriter{countedReader{w, c}, w}) })
}

type countedReader struct {
	r kv.Reader
	c *Counted
}

func (r countedReader) Get(key []byte) ([]byte, error) {
	found, err := r.GetAll(key)
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

func (r countedReader) GetAll(keys ...[]byte) ([][]byte, error) {
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
			r.c.Scanned.Add(1)
			if !yield(item, err) {
				return
			}
		}
	}
}

type countedWriter struct {
	countedReader
	w kv.Writer
}

func (w countedWriter) Put(key, value []byte) error { return w.w.Put(key, value) }

func (w countedWriter) Delete(key []byte) error { return w.w.Delete(key) }
