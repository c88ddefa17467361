package main

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"chimera/storage"
)

// The roles of processes, of which only one has each at a time. An adapter may have others.
const (
	chatRole  = "chat/" // and a platform: to say what waits there
	clockRole = "clock" // to do what is due
	thinkRole = "think" // to play for the computer
)

// unsaid is how long to wait for a role before it is logged that another process has it.
const unsaid = time.Second / 2

// election gives the process each role that no other process has. It is safe for concurrent use.
type election struct {
	roles storage.Roles
	log   *slog.Logger

	mu     sync.Mutex
	others map[string]bool // the roles for which this process waits
}

func newElection(roles storage.Roles, log *slog.Logger) *election {
	return &election{roles: roles, log: log, others: map[string]bool{}}
}

// take waits until the process has a role, which it then keeps to its end. after reports whether
// another process had it before.
func (e *election) take(ctx context.Context, role string) (after bool, err error) {
	soon, cancel := context.WithTimeout(ctx, unsaid)
	defer cancel()
	if _, err = e.roles.Hold(soon, role); err == nil || soon.Err() == nil || ctx.Err() != nil {
		return false, err
	}
	e.note(role, true)
	defer e.note(role, false)
	e.log.InfoContext(ctx, "standing by: another process has a role, and this one takes it over when that ends", "role", role)
	if _, err = e.roles.Hold(ctx, role); err == nil {
		e.log.InfoContext(ctx, "taken over", "role", role)
	}
	return true, err
}

func (e *election) note(role string, waits bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if waits {
		e.others[role] = true
	} else {
		delete(e.others, role)
	}
}

// String names the roles that other processes have, for operators; "" if this one has all.
func (e *election) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.others) == 0 {
		return ""
	}
	return "another process has " + strings.Join(slices.Sorted(maps.Keys(e.others)), ", ")
}
