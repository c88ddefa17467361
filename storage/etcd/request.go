package etcd

import (
	"context"
	"time"

	"chimera/storage/kv"
)

// A request is one call of Update on its way through the loop: it gets turns, each to run its
// function on top of those before it, until one counts.
type request struct {
	ctx       context.Context
	moment    time.Time // before which all that was stored must be seen
	turn      chan *tx
	ended     chan ending
	done      chan error // one error, buffered, so that a caller who panicked need not listen
	begun     bool       // the function has been run: the context is its own affair now
	rehearsed int        // how often it has left its turn
	stale     int        // how often what it read was compacted
	conflicts int        // how often its turn did not count
}

// An ending is how a turn ended.
type ending int

const (
	kept    ending = iota // what was written is to be stored
	refused               // the function has returned an error
	left                  // the function runs on, to fetch what it reads
	gone                  // the caller is no more
)

func newRequest(ctx context.Context) *request {
	return &request{ctx: ctx, moment: kv.Moment(ctx), turn: make(chan *tx), ended: make(chan ending), done: make(chan error, 1)}
}

// wait is the caller's side, once the loop has taken the request. again says that the loop must
// take it again.
func (r *request) wait(fn func(kv.Writer) error) (err error, again bool) {
	var refusal error
	for {
		select {
		case t := <-r.turn:
			var away bool
			if refusal, away = r.run(t, fn); away {
				return t.faulty(refusal), t.fault == nil || compacted(t.fault)
			}
		case err := <-r.done:
			if err == nil {
				err = refusal
			}
			return err, false
		}
	}
}

// run gives the turn back however fn ends, be it by a panic.
func (r *request) run(t *tx, fn func(kv.Writer) error) (err error, away bool) {
	end := gone
	if r.rehearsed < maxRehearsals {
		t.leave = func() {
			away = true
			r.ended <- left
		}
	}
	defer func() {
		t.over = true
		if !away {
			r.ended <- end
		}
	}()
	if err = fn(t); err != nil {
		end = refused
	} else {
		end = kept
	}
	return err, away
}

// maxRehearsals is how often a function leaves its turn before all wait for what it fetches.
const maxRehearsals = 3

// take is the loop's side of run.
func (r *request) take(t *tx) ending {
	r.begun = true
	r.turn <- t
	end := <-r.ended
	if end == left {
		r.rehearsed++
	}
	return end
}

// refusal is why a request gets no turn, if it gets none.
func (r *request) refusal(db *DB) error {
	if err := r.ctx.Err(); err != nil && !r.begun {
		return err
	}
	return db.session.err()
}
