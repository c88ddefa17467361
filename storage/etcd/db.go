package etcd

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"

	"chimera/storage/kv"
)

const (
	formatVersion = "1"
	dialTimeout   = 5 * time.Second
)

// A DB is a kv.DB in a cluster of etcd, which other processes may have open too.
type DB struct {
	client   *clientv3.Client
	layout   layout
	session  *session
	cache    *cache
	sure     atomic.Pointer[sure]
	last     atomic.Int64 // revision of the last commit of this handle
	requests chan *request
	loads    chan *load
	stopped  chan struct{} // closed when no more commits will be made
	close    func() error

	// Of the goroutine that commits.
	own    string // what the key of this handle holds
	number uint64 // the last one that was put there, or was to be
	lock   string // what the lock holds while this handle alone may commit
	behind bool   // etcd has dropped what the cache is as of
	other  int64  // when another handle was last seen to commit,
	since  int    // and how many commits were made since

	ctx    context.Context // done when the database is closed
	cancel context.CancelFunc

	heard atomic.Pointer[func([][]byte)]

	calls    kv.Gate // View, Update and what asks the cluster
	watching sync.WaitGroup
	Figures
}

var (
	_ kv.DB        = (*DB)(nil)
	_ kv.Roles     = (*DB)(nil)
	_ kv.Clustered = (*DB)(nil)
	_ kv.Watcher   = (*DB)(nil)
)

// Open opens the database at an address, or makes a new one if nothing is there:
//
//	etcd://host:port,host:port/prefix?lease=10s&ca=FILE&cert=FILE&key=FILE&user=NAME&password-file=FILE
//
// The prefix parts databases that share a cluster. A handle that the cluster does not hear from
// for as long as the lease lasts is lost; see kv.ErrLost. Encryption is used if any of its
// settings is there, or tls=on.
//
// Open fails with kv.ErrVersion or kv.ErrNotDatabase if something else is at the address.
func Open(ctx context.Context, text string) (*DB, error) {
	db, err := open(ctx, text)
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", shown(text), err)
	}
	return db, nil
}

func open(ctx context.Context, text string) (*DB, error) {
	a, err := parse(text)
	if err != nil {
		return nil, err
	}
	a.client.Logger = zap.NewNop()
	a.client.DialTimeout = dialTimeout
	again := backoff.DefaultConfig
	again.BaseDelay, again.MaxDelay = pause, a.lease/renewals // or a lease could end meanwhile
	a.client.DialOptions = []grpc.DialOption{grpc.WithConnectParams(grpc.ConnectParams{Backoff: again, MinConnectTimeout: a.lease / renewals})}
	a.client.DialKeepAliveTime, a.client.DialKeepAliveTimeout = a.lease/2, a.lease/2
	client, err := clientv3.New(a.client)
	if err != nil {
		return nil, err
	}
	db := &DB{client: client, layout: a.layout, requests: make(chan *request), loads: make(chan *load), stopped: make(chan struct{})}
	db.close = sync.OnceValue(db.shut)
	db.ctx, db.cancel = context.WithCancel(context.Background())
	if err := db.begin(ctx, a.lease); err != nil {
		db.cancel()
		return nil, errors.Join(explain(err), client.Close())
	}
	return db, nil
}

// begin makes the session and everything that depends on it.
func (db *DB) begin(ctx context.Context, lease time.Duration) (err error) {
	ctx, cancel := context.WithTimeout(ctx, max(dialTimeout, lease))
	defer cancel()
	if err := db.claim(ctx); err != nil {
		return err
	}
	if db.session, err = newSession(ctx, db.client, lease); err != nil {
		return err
	}
	db.cache = newCache(db.layout, db.session.id, db.session.lasts.Done())
	db.own = "0"
	_, err = db.client.Put(ctx, db.layout.handle(db.session.id), db.own, clientv3.WithLease(db.session.lease))
	if err == nil {
		err = db.refresh(ctx)
	}
	if err != nil {
		db.session.revoke()
		return err
	}
	go db.serve()
	db.watching.Go(db.fetch)
	db.watching.Go(func() { db.session.keep(db.ctx) })
	db.watching.Go(func() { db.follow(db.ctx) })
	return nil
}

// claim looks at what is at the address, and makes an empty database if that is nothing.
func (db *DB) claim(ctx context.Context) error {
	format := db.layout.format()
	got, err := db.client.Get(ctx, format)
	if err != nil {
		return err
	}
	if len(got.Kvs) == 0 {
		empty := clientv3.Compare(clientv3.ModRevision(string(db.layout)), "=", 0).WithPrefix()
		made, err := db.client.Txn(ctx).If(empty).
			Then(clientv3.OpPut(format, formatVersion), clientv3.OpPut(db.layout.commit(), "")).
			Else(clientv3.OpGet(format)).Commit()
		if err != nil || made.Succeeded {
			return err
		}
		got.Kvs = made.Responses[0].GetResponseRange().Kvs // another handle may have been faster
	}
	switch {
	case len(got.Kvs) == 0:
		return fmt.Errorf("%w: there are other keys that begin with %s", kv.ErrNotDatabase, db.layout)
	case string(got.Kvs[0].Value) != formatVersion:
		return kv.ErrVersion
	}
	return nil
}

// View implements kv.DB. Its function runs again where etcd has dropped the history of the
// revision that it reads at.
func (db *DB) View(ctx context.Context, fn func(kv.Reader) error) error {
	if err := db.enter(ctx); err != nil {
		return err
	}
	defer db.calls.Leave()
	moment := kv.Moment(ctx)
	for tries := 1; ; tries++ {
		s := &snapshot{db: db, ctx: ctx, moment: moment}
		err := s.view(fn)
		if s.fault == nil || !compacted(s.fault) || tries == maxTries {
			return s.faulty(err)
		}
		moment = time.Now() // what was still new enough then may be gone
	}
}

// maxTries is how often a function is begun again that etcd drops the history of.
const maxTries = 3

// Update implements kv.DB. It shares its commit with the updates that wait at the same time.
func (db *DB) Update(ctx context.Context, fn func(kv.Writer) error) error {
	if err := db.enter(ctx); err != nil {
		return err
	}
	defer db.calls.Leave()
	r := newRequest(ctx)
	for {
		done := ctx.Done()
		if r.begun {
			done = nil // the context is the function's own affair
		}
		select {
		case db.requests <- r:
		case <-done:
			return ctx.Err()
		}
		if err, again := r.wait(fn); !again {
			return err
		}
	}
}

// Close implements kv.DB.
func (db *DB) Close() error { return db.close() }

func (db *DB) shut() error {
	db.calls.Shut()
	close(db.requests)
	<-db.stopped
	close(db.loads)
	db.cancel()
	db.watching.Wait()
	db.session.revoke()
	return db.client.Close()
}

// because is why something was not waited for to its end.
func (db *DB) because(err error) error {
	if lost := db.session.err(); lost != nil && errors.Is(err, kv.ErrLost) {
		return lost
	}
	return err
}

// enter begins a call, unless its context is done, or the database is closed or lost.
func (db *DB) enter(ctx context.Context) error {
	err := db.calls.Enter(ctx)
	if err != nil {
		return err
	}
	if err = db.session.err(); err != nil {
		db.calls.Leave()
	}
	return err
}

// Figures are how much a handle has done since it was opened.
type Figures struct {
	Runs       atomic.Int64 // of functions of updates
	Trips      atomic.Int64 // to the cluster and back, without those of the watch and the lease
	Commits    atomic.Int64 // that succeeded
	Conflicts  atomic.Int64 // commits that had to be made again
	Unanswered atomic.Int64 // commits that were not answered, and found out about
}

// Handles is how many handles of the database there are, in whichever processes.
func (db *DB) Handles() int {
	known, _ := db.cache.snapshot()
	start := db.layout.handle("")
	all, _ := known.items(start, start+"\xff", known.entries.Len())
	return len(all)
}
