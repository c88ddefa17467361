package kv

import "context"

// Roles is a DB that several processes can have open, who agree on which of them does what only
// one may do.
type Roles interface {
	// Hold waits until this handle holds a role, which no other handle holds at the same
	// time. It returns at once if this one does already.
	Hold(ctx context.Context, role string) (Role, error)
}

// A Role is held by a handle until Leave is called, the handle is closed or its claim on the
// database is over. When that is so, none of its Updates succeeds any more, and only then can
// another handle hold the role: what is written by the holder needs no look at it.
type Role interface {
	// Held returns nil if the role is held, and will be for long enough to send something
	// elsewhere. What it returns otherwise says why that is not known, or wraps ErrLost.
	Held(ctx context.Context) error

	// Lost is closed when the role is held no more, but by Leave.
	Lost() <-chan struct{}

	// Leave lets another handle hold the role.
	Leave(ctx context.Context) error
}

// Hold holds a role as the Roles of a database do. Who has a database that only one handle can
// have open holds every role.
func Hold(ctx context.Context, db DB, role string) (Role, error) {
	if roles, ok := db.(Roles); ok {
		return roles.Hold(ctx, role)
	}
	return sole{}, ctx.Err()
}

// sole is a role of the only handle.
type sole struct{}

func (sole) Held(ctx context.Context) error  { return ctx.Err() }
func (sole) Lost() <-chan struct{}           { return nil }
func (sole) Leave(ctx context.Context) error { return ctx.Err() }
