package loopback

import (
	"context"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"chimera/storage/kv"
)

// Counted is an engine that counts what is committed: transactions that have written
// something. It is safe for concurrent use.
type Counted struct {
	kv.DB
	Commits atomic.Int64
}

// Update implements [kv.DB].
func (c *Counted) Update(ctx context.Context, fn func(kv.Writer) error) error {
	var w *noticing
	err := c.DB.Update(ctx, func(inner kv.Writer) error {
		w = &noticing{Writer: inner}
		return fn(w)
	})
	if err == nil && w.wrote {
		c.Commits.Add(1)
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

// Meter measures what moves cost the process, the platform on loopback included.
type Meter struct {
	engine  *Counted
	commits int64
	cpu     time.Duration
}

// NewMeter begins to measure.
func NewMeter(engine *Counted) Meter { return Meter{engine, engine.Commits.Load(), cpu()} }

// Report tells how much each of so many moves has cost since.
func (m Meter) Report(b *testing.B, moves int) {
	b.Helper()
	b.ReportMetric(float64(m.engine.Commits.Load()-m.commits)/float64(moves), "commits/move")
	b.ReportMetric(float64((cpu()-m.cpu).Microseconds())/float64(moves), "cpu-µs/move")
}

// cpu is the time that all cores have spent on this process.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
