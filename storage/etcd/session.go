package etcd

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	clientv3 "go.etcd.io/etcd/client/v3"

	"chimera/storage/kv"
)

// A session is a handle's lease. It is over for good when the lease may be.
type session struct {
	id     string
	lease  clientv3.LeaseID
	ttl    time.Duration
	client *clientv3.Client
	lasts  context.Context // until it is over
	end    func()
	heard  atomic.Pointer[time.Time] // when the last renewal was sent that was answered
}

// renewals is how often a lease is renewed while it lasts.
const renewals = 6

func newSession(ctx context.Context, client *clientv3.Client, ttl time.Duration) (*session, error) {
	sent := time.Now()
	granted, err := client.Grant(ctx, int64(ttl/time.Second))
	if err != nil {
		return nil, err
	}
	s := &session{id: nameOfHandle(), lease: granted.ID, ttl: time.Duration(granted.TTL) * time.Second, client: client}
	s.lasts, s.end = context.WithCancel(context.Background())
	s.heard.Store(&sent)
	return s, nil
}

// nameOfHandle is one that no other handle has, and tells people where it is.
func nameOfHandle() string {
	host, _ := os.Hostname() // it is told apart without that too
	const longest, enough = 32, 10
	return fmt.Sprintf("%s-%d-%s", host[:min(len(host), longest)], os.Getpid(), rand.Text()[:enough])
}

// keep renews the lease until it is over or the context done.
func (s *session) keep(ctx context.Context) {
	ticks := time.NewTicker(s.ttl / renewals)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
			_ = errors.Join(s.renew(ctx), s.err()) // which ends the session when it is over
		case <-s.lasts.Done():
			return
		case <-ctx.Done():
			return
		}
	}
}

// renew asks once for the lease to last.
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

// err is kv.ErrLost once the session is over. It is noticed at once after the process stood still.
func (s *session) err() error {
	if time.Since(*s.heard.Load()) >= s.ttl {
		s.end()
	}
	if s.lasts.Err() != nil {
		return fmt.Errorf("etcd: %w: it was out of reach for longer than the lease of %v, or was told to end it", kv.ErrLost, s.ttl)
	}
	return nil
}

// held returns nil if the lease was heard of within half its time, so that it lasts for as long
// again. What the clock of the wall says counts too: it goes on while the machine sleeps.
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

// revoke gives back all that hangs on the lease.
func (s *session) revoke() {
	s.end()
	ctx, cancel := context.WithTimeout(context.Background(), s.ttl/renewals)
	defer cancel()
	_, _ = s.client.Revoke(ctx, s.lease) // or it ends by itself
}
