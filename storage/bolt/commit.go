package bolt

import (
	"context"
	"errors"
	"fmt"
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

func newRequest(ctx context.Context) *request {
	return &request{
		ctx:  ctx,
		turn: make(chan *writer),
		keep: make(chan bool),
		done: make(chan error, 1),
	}
}

// wait is the caller's side, once the loop has taken the request.
func (r *request) wait(fn func(kv.Writer) error) error {
	var refusal error
	if w := <-r.turn; w != nil {
		refusal = r.run(w, fn)
	}
	if err := <-r.done; err != nil {
		return err
	}
	return refusal
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
