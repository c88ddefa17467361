// Package etcd keeps a kv database in an etcd cluster, where several processes can use it at once.
//
// # Design
//
// A transaction reads at one revision of the cluster and writes nothing until it commits. A commit
// is one transaction of etcd: it compares every key that was read, every range that was scanned
// (nothing in it is newer than the revision, and what was seen there is still there, so that what
// came and what went are both noticed), and writes. If a compare fails, the function runs again
// at a newer revision. Updates that wait at the same time share a commit, each on top of those
// before it, as in package bolt.
//
// Every commit also writes the key "commit". Its last change is the newest revision that a View must see. Each trip
// that reads single keys also reads it, and all who wait at the time share the trip. So a View learns it at its first
// read, on the trip that fetches what is read if that is not known; it needs no trip if one has told it that began
// after the moment of its context (kv.AsOfNow).
//
// If there is more to compare than a server allows, the key "commit" stands for the whole database: nobody has
// committed since. While there is no other handle, large batches are compared the same way. A function that keeps
// losing takes the key "lock": as long as it is there, nobody else commits.
//
// A watch follows the database and keeps what was read up to date, as far as it has room, so that most transactions
// read nothing from the cluster. A function that needs more in its turn lets the others pass: it runs to its end to
// fetch all that it reads, and then takes another turn.
//
// Each handle has a lease, and a key attached to it. Each commit gives the key a new value, and compares it with the
// one before. So the outcome of a commit that was not answered can be found out: either the key has its value, or
// another value is put there, and the commit can never succeed. When the lease ends, the key is gone, and no commit of
// the handle succeeds any more (kv.ErrLost). Roles are attached to the same lease: a handle that has lost one cannot
// commit.
//
// # Keys
//
//	<prefix>/d/<key>           the pairs of the database
//	<prefix>/m/format          the version of all this, a number
//	<prefix>/m/commit          the handle that has committed last
//	<prefix>/m/lock            the handle that alone may commit
//	<prefix>/m/handle/<id>     the number of the handle's last commit
//	<prefix>/m/role/<name>     the handle that holds the role
//
// etcd keeps replaced values until it is compacted, which its operator has to set up (--auto-compaction-retention). A
// server must accept at least the defaults of etcd: 128 operations in a transaction, nested ones for more, and 1.5 MiB.
package etcd

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"

	"chimera/storage/kv"
)

const (
	formatVersion = "1"
	dialTimeout   = 5 * time.Second
)

// A DB is a kv.DB in a cluster of etcd, which other processes may have open too.
type DB struct {
	client  *clientv3.Client
	layout  layout
	session *session
	cache   *cache
	sure    atomic.Pointer[sure]
	last    atomic.Int64 // revision of the last commit of this handle

	boarding sync.Mutex
	trip     *trip         // that a load can still join, if it has room
	away     chan struct{} // full during a trip

	turn   chan struct{}  // full while an update runs its function, or an attempt ends; first come, first served
	ending sync.WaitGroup // attempts that have begun

	// Owned by whoever has the turn.
	next   *attempt // that the next update joins, nil if it begins one
	own    string   // the value of this handle's key
	number uint64   // the last number tried as its value
	lock   string   // the value of the lock while this handle alone may commit

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
// The prefix separates databases that share a cluster. A handle that is out of reach for the time of the lease is lost;
// see kv.ErrLost. Encryption is used if any of its settings is given, or tls=on.
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
	again.BaseDelay, again.MaxDelay = pause, a.lease/renewals // so that a lease does not end meanwhile
	a.client.DialOptions = []grpc.DialOption{grpc.WithConnectParams(grpc.ConnectParams{Backoff: again, MinConnectTimeout: a.lease / renewals})}
	a.client.DialKeepAliveTime, a.client.DialKeepAliveTimeout = a.lease/2, a.lease/2
	client, err := clientv3.New(a.client)
	if err != nil {
		return nil, err
	}
	db := &DB{client: client, layout: a.layout, turn: make(chan struct{}, 1), away: make(chan struct{}, 1)}
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
	db.cache = newCache(db.layout, db.session)
	db.own = "0"
	_, err = db.client.Put(ctx, db.layout.handle(db.session.id), db.own, clientv3.WithLease(db.session.lease))
	if err == nil {
		err = db.refresh(ctx)
	}
	if err != nil {
		db.session.revoke()
		return err
	}
	db.watching.Go(func() { db.session.keep(db.ctx) })
	db.watching.Go(func() { db.follow(db.ctx) })
	return nil
}

// claim checks what is at the address, and makes an empty database if there is nothing.
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
		got.Kvs = made.Responses[0].GetResponseRange().Kvs // another handle may have been first
	}
	switch {
	case len(got.Kvs) == 0:
		return fmt.Errorf("%w: there are other keys that begin with %s", kv.ErrNotDatabase, db.layout)
	case string(got.Kvs[0].Value) != formatVersion:
		return kv.ErrVersion
	}
	return nil
}

// View implements kv.DB. Its function runs again if etcd has compacted the revision that it reads.
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
		moment = time.Now() // the old moment's revision may be compacted
	}
}

// maxTries is how often a function may find its revision compacted.
const maxTries = 3

// Close implements kv.DB.
func (db *DB) Close() error { return db.calls.Shut(db.shut) }

func (db *DB) shut() error {
	db.ending.Wait()
	db.cancel()
	db.watching.Wait()
	db.session.revoke()
	return db.client.Close()
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
	Trips      atomic.Int64 // to the cluster and back, not counting the watch and the lease
	Commits    atomic.Int64 // that succeeded
	Conflicts  atomic.Int64 // commits that had to be made again
	Unanswered atomic.Int64 // commits whose outcome had to be found out
}

// Handles is how many handles of the database there are, in whichever processes.
func (db *DB) Handles() int {
	known, _ := db.cache.snapshot()
	start := db.layout.handle("")
	all, _ := known.items(start, start+"\xff", known.entries.Len())
	return len(all)
}

// A session is a handle's lease. It ends for good as soon as the lease may have ended.
type session struct {
	id     string
	lease  clientv3.LeaseID
	ttl    time.Duration
	client *clientv3.Client
	lasts  context.Context // until it is over
	end    func()
	heard  atomic.Pointer[time.Time] // when the last answered renewal was sent
}

// renewals is how often a lease is renewed while it lasts.
const renewals = 6

func newSession(ctx context.Context, client *clientv3.Client, ttl time.Duration) (*session, error) {
	sent := time.Now()
	granted, err := client.Grant(ctx, int64(ttl/time.Second))
	if err != nil {
		return nil, err
	}
	host, _ := os.Hostname() // the name is unique without it, which only tells people where the handle is
	const longest, enough = 32, 10
	id := fmt.Sprintf("%s-%d-%s", host[:min(len(host), longest)], os.Getpid(), rand.Text()[:enough])
	s := &session{id: id, lease: granted.ID, ttl: time.Duration(granted.TTL) * time.Second, client: client}
	s.lasts, s.end = context.WithCancel(context.Background())
	s.heard.Store(&sent)
	return s, nil
}

// keep renews the lease until it is over or the context done.
func (s *session) keep(ctx context.Context) {
	ticks := time.NewTicker(s.ttl / renewals)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
			_ = errors.Join(s.renew(ctx), s.err()) // err ends the session when it is over
		case <-s.lasts.Done():
			return
		case <-ctx.Done():
			return
		}
	}
}

// renew asks once for the lease to be renewed.
func (s *session) renew(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(clientv3.WithRequireLeader(ctx), s.ttl/renewals)
	defer cancel()
	sent := time.Now()
	stream, err := pb.NewLeaseClient(s.client.ActiveConnection()).LeaseKeepAlive(ctx)
	if err != nil {
		return err
	}
	if err := stream.Send(&pb.LeaseKeepAliveRequest{ID: int64(s.lease)}); err != nil {
		return err
	}
	answer, err := stream.Recv()
	if err != nil {
		return err
	}
	if answer.TTL <= 0 {
		s.end()
		return kv.ErrLost
	}
	s.heard.Store(&sent)
	return nil
}

// err is kv.ErrLost once the session is over. A process that stood still notices at once.
func (s *session) err() error {
	if time.Since(*s.heard.Load()) >= s.ttl {
		s.end()
	}
	if s.lasts.Err() != nil {
		return fmt.Errorf("etcd: %w: it was out of reach for longer than the lease of %v, or was told to end it", kv.ErrLost, s.ttl)
	}
	return nil
}

// held returns nil if the lease was renewed within the last half of its time, so that it lasts for as long again.
// Wall-clock time counts too: it goes on while the machine sleeps.
func (s *session) held(ctx context.Context) error {
	for max(time.Since(*s.heard.Load()), time.Now().Round(0).Sub(s.heard.Load().Round(0))) > s.ttl/2 {
		if err := cmp.Or(s.err(), ctx.Err()); err != nil {
			return err
		}
		if err := s.renew(ctx); err != nil {
			return fmt.Errorf("etcd: nobody knows whether the lease holds: %w", err)
		}
	}
	return s.err()
}

// revoke gives back the lease and all that is attached to it.
func (s *session) revoke() {
	s.end()
	ctx, cancel := context.WithTimeout(context.Background(), s.ttl/renewals)
	defer cancel()
	_, _ = s.client.Revoke(ctx, s.lease) // if this fails, the lease runs out
}

// Cluster implements kv.Clustered.
func (db *DB) Cluster(ctx context.Context) (kv.Cluster, error) {
	if err := db.enter(ctx); err != nil {
		return kv.Cluster{}, err
	}
	defer db.calls.Leave()
	start, end := db.layout.meta()
	got, err := db.read(clientv3.OpGet(start, clientv3.WithRange(end)))
	if err != nil {
		return kv.Cluster{}, explain(err)
	}
	c := kv.Cluster{Own: db.session.id, Roles: map[string][]string{}, Members: db.members(ctx)}
	for _, pair := range got.Get().Kvs { // sorted
		if name, ok := strings.CutPrefix(string(pair.Key), db.layout.handle("")); ok {
			c.Handles = append(c.Handles, name)
		}
		if role, ok := strings.CutPrefix(string(pair.Key), db.layout.role("")); ok {
			c.Roles[string(pair.Value)] = append(c.Roles[string(pair.Value)], role)
		}
	}
	return c, nil
}

// members asks all servers at once.
func (db *DB) members(ctx context.Context) []kv.Member {
	ctx, cancel := context.WithTimeout(ctx, db.session.ttl/2)
	defer cancel()
	endpoints := db.client.Endpoints()
	members := make([]kv.Member, len(endpoints))
	applied := make([]uint64, len(endpoints))
	var all sync.WaitGroup
	for i, endpoint := range endpoints {
		all.Go(func() {
			m := &members[i]
			m.Address = endpoint
			said, err := db.client.Status(ctx, endpoint)
			if err != nil {
				m.Fault = explain(err).Error()
				return
			}
			m.Leads, m.Version, m.Size = said.Leader == said.Header.MemberId, said.Version, said.DbSize
			m.Quota = cmp.Or(said.DbSizeQuota, defaultQuota)
			m.Fault = strings.Join(append(said.Errors, nearlyFull(said.DbSize, said.DbSizeQuota)...), ", ")
			applied[i] = said.RaftAppliedIndex
		})
	}
	all.Wait()
	newest := slices.Max(applied)
	for i := range members {
		if applied[i] > 0 {
			members[i].Behind = newest - applied[i]
		}
	}
	return members
}

// Fullness is how much of its quota the fullest server has used, from 0 to 1; 0 if none answers.
func (db *DB) Fullness(ctx context.Context) (most float64) {
	if db.enter(ctx) != nil {
		return 0
	}
	defer db.calls.Leave()
	for _, m := range db.members(ctx) {
		if m.Quota > 0 {
			most = max(most, float64(m.Size)/float64(m.Quota))
		}
	}
	return most
}

// defaultQuota is the quota of a server without that setting. Servers before 3.6 do not report theirs.
const defaultQuota = 2 << 30

// nearlyFull warns of a server that has used four fifths of its quota: beyond the quota it stores nothing.
func nearlyFull(size, quota int64) []string {
	of := fmt.Sprintf("its quota of %d bytes", quota)
	if quota <= 0 {
		quota = defaultQuota
		of = fmt.Sprintf("the %d bytes that are etcd's usual quota", quota)
	}
	if size < quota/5*4 {
		return nil
	}
	return []string{fmt.Sprintf("%d %% of %s are used: defragment it, or raise --quota-backend-bytes", size*100/quota, of)}
}

// Hold implements kv.Roles. All roles of a handle are attached to its one lease.
func (db *DB) Hold(ctx context.Context, name string) (leave func(context.Context) error, err error) {
	if err := db.enter(ctx); err != nil {
		return nil, err
	}
	defer db.calls.Leave()
	key, id := db.layout.role(name), db.session.id
	leave = func(ctx context.Context) error {
		if err := db.session.err(); err != nil {
			return err // all roles are lost already
		}
		ctx, cancel := context.WithTimeout(ctx, db.session.ttl/2) // a process that ends because the cluster is gone should not wait longer
		defer cancel()
		mine := clientv3.Compare(clientv3.Value(key), "=", id)
		_, err := db.client.Txn(ctx).If(mine).Then(clientv3.OpDelete(key)).Commit()
		return explain(err)
	}
	free := clientv3.Compare(clientv3.ModRevision(key), "=", 0)
	put := clientv3.OpPut(key, id, clientv3.WithLease(db.session.lease))
	get := clientv3.OpGet(key)
	for tries := 0; ; tries++ {
		got, err := db.ask(clientv3.OpTxn([]clientv3.Cmp{free}, []clientv3.Op{put}, []clientv3.Op{get}), tries)
		switch {
		case db.session.err() != nil:
			return nil, db.session.err()
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil && answered(err):
			return nil, explain(err)
		case err != nil:
			rest(ctx) // the next try tells whether it is held now
			continue
		case got.Txn().Succeeded:
			return leave, nil
		}
		holder := got.Txn().Responses[0].GetResponseRange().Kvs
		if len(holder) > 0 && string(holder[0].Value) == id {
			return leave, nil
		}
		if err := db.cache.gone(ctx, key); err != nil {
			return nil, err
		}
	}
}

// Held implements kv.Roles.
func (db *DB) Held(ctx context.Context) error { return db.session.held(ctx) }

// Lost implements kv.Roles.
func (db *DB) Lost() <-chan struct{} { return db.session.lasts.Done() }

// compacted reports whether a revision is no longer available.
func compacted(err error) bool { return errors.Is(err, rpctypes.ErrCompacted) }

// answered reports whether an error is etcd's own and final answer to a request.
func answered(err error) bool {
	said, ok := errors.AsType[rpctypes.EtcdError](err)
	if !ok {
		return false
	}
	inBetween := []codes.Code{codes.Unavailable, codes.DeadlineExceeded, codes.Canceled, codes.Internal, codes.Unknown}
	return !slices.Contains(inBetween, said.Code())
}

// explain adds to an error of etcd what it means and what to do.
func explain(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, kv.ErrNotDatabase), errors.Is(err, kv.ErrVersion), errors.Is(err, kv.ErrLost):
		return err
	case errors.Is(err, rpctypes.ErrNoSpace):
		return fmt.Errorf("etcd is full: compact and defragment it, or raise its --quota-backend-bytes, and disarm its alarm (%w)", err)
	case errors.Is(err, rpctypes.ErrRequestTooLarge), errors.Is(err, rpctypes.ErrTooManyOps):
		return fmt.Errorf("etcd takes less at once than without its flags --max-request-bytes and --max-txn-ops: leave them out (%w)", err)
	case compacted(err):
		return fmt.Errorf("etcd has dropped the history that was being read: let it keep more with --auto-compaction-retention (%w)", err)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("etcd does not answer: see that most of its members run, and can be reached (%w)", err)
	}
	return fmt.Errorf("etcd: %w", err)
}
