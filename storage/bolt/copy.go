package bolt

import (
	"context"
	"io"

	"go.etcd.io/bbolt"
)

// Copy implements kv.Copier. While it lasts, it holds up what a View that lasts long
// holds up, and nothing else. It reads the file and not memory, so a file that was
// moved away is copied all the same.
func (db *DB) Copy(ctx context.Context, begin func(size int64) (io.Writer, error)) error {
	if err := db.enter(ctx); err != nil {
		return err
	}
	defer db.running.Done()

	tx, err := db.snapshot()
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	w, err := begin(tx.Size())
	if err != nil {
		return err
	}
	out := &copyWriter{ctx: ctx, w: w}
	_, err = tx.WriteTo(out)
	if out.err != nil {
		return out.err
	}
	return err
}

// snapshot begins a transaction that reads and sees nothing that the disk does not
// have. bbolt shows a commit to readers just before its last fsync.
func (db *DB) snapshot() (*bbolt.Tx, error) {
	db.storing.Lock()
	defer db.storing.Unlock()
	return db.bolt.Begin(false)
}

// A copyWriter is a caller's writer until the caller's context is done. It keeps
// the error, of which bbolt returns the words alone.
type copyWriter struct {
	ctx context.Context
	w   io.Writer
	err error
}

func (c *copyWriter) Write(b []byte) (n int, err error) {
	if c.err = c.ctx.Err(); c.err != nil {
		return 0, c.err
	}
	n, c.err = c.w.Write(b)
	if c.err == nil && n < len(b) {
		c.err = io.ErrShortWrite
	}
	return n, c.err
}
