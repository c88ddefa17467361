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

// notice is how long a role may take to be had before it is said that another process has it.
const notice = time.Second / 2

// turns let a process have roles when no other does. They are safe for concurrent use.
type turns struct {
	roles storage.Roles
	log   *slog.Logger

	mu     sync.Mutex
	others map[string]bool // roles for which this process waits
}

func newTurns(roles storage.Roles, log *slog.Logger) *turns {
	return &turns{roles: roles, log: log, others: map[string]bool{}}
}

// take waits until the process has a role, from then on to its end. after reports whether another
// had it until then.
func (t *turns) take(ctx context.Context, role string) (after bool, err error) {
	soon, cancel := context.WithTimeout(ctx, notice)
	defer cancel()
	if _, err = t.roles.Hold(soon, role); err == nil || soon.Err() == nil || ctx.Err() != nil {
		return false, err
	}
	t.wait(role, true)
	defer t.wait(role, false)
	t.log.InfoContext(ctx, "standing by: another process has a role, and this one takes it over when that ends", "role", role)
	if _, err = t.roles.Hold(ctx, role); err == nil {
		t.log.InfoContext(ctx, "taken over", "role", role)
	}
	return true, err
}

func (t *turns) wait(role string, waits bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.others[role] = waits
}

// String says which roles other processes have, for operators; "" if this one has all.
func (t *turns) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	waits := slices.DeleteFunc(slices.Sorted(maps.Keys(t.others)), func(role string) bool { return !t.others[role] })
	if len(waits) == 0 {
		return ""
	}
	return "another process has " + strings.Join(waits, ", ")
}
