package main

import (
	"context"
	"errors"
	"time"

	"chimera/bot/metrics"
	"chimera/storage/etcd"
	"chimera/storage/kv"
)

// counting wraps an engine so that its commits, conflicts and failures are counted, unless m is nil.
func counting(db kv.DB, m *metrics.Metrics) kv.DB {
	c := counted{db, m}
	if m == nil {
		return db
	}
	switch db := db.(type) {
	case *etcd.DB:
		m.Members(db.Handles)
		m.Fullness(func() float64 { return db.Fullness(context.Background()) })
		return countedCluster{c, db, db}
	case kv.Copier:
		m.Members(func() int { return 1 }) // one process holds the file
		return countedFile{c, db}
	}
	return c
}

type counted struct {
	kv.DB
	metrics *metrics.Metrics
}

// countedFile is an engine in a file.
type countedFile struct {
	counted
	kv.Copier
}

// countedCluster is an engine that several processes share.
type countedCluster struct {
	counted
	kv.Roles
	kv.Watcher
}

// Update implements [kv.DB].
func (c counted) Update(ctx context.Context, fn func(kv.Writer) error) error {
	begun, runs := time.Now(), 0
	var refused error
	var w *noticing
	err := c.DB.Update(ctx, func(inner kv.Writer) error {
		if runs++; runs > 1 {
			c.metrics.Conflict()
		}
		w = &noticing{Writer: inner}
		refused = fn(w)
		return refused
	})
	switch {
	case err == nil:
		if w.wrote {
			c.metrics.Commit(begun)
		}
	case refused != nil && errors.Is(err, refused), ctx.Err() != nil, errors.Is(err, kv.ErrClosed): // it was not to be kept
	default:
		c.metrics.Unsaved()
	}
	return err
}

// noticing is a Writer that notices whether anything is written.
type noticing struct {
	kv.Writer
	wrote bool
}

// Put implements [kv.Writer].
func (n *noticing) Put(key, value []byte) error {
	n.wrote = true
	return n.Writer.Put(key, value)
}

// Delete implements [kv.Writer].
func (n *noticing) Delete(key []byte) error {
	n.wrote = true
	return n.Writer.Delete(key)
}
