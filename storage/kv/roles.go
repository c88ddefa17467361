package kv

import "context"

// Roles is how the handles of a database that several processes can have open agree on which of
// them does what only one may do.
type Roles interface {
	// Hold waits until this handle holds a role, which no other handle holds at the same
	// time; it returns at once if this one does already. The role is held until leave is called,
	// the handle is closed or its claim on the database is over. In the last two cases none of
	// the handle's Updates succeeds any more before another can hold the role: what is written
	// by its holder needs no look at it.
	Hold(ctx context.Context, role string) (leave func(context.Context) error, err error)

	// Held returns nil if the handle's claim on the database, and so every role that it holds,
	// will last for long enough to send something elsewhere. What it returns otherwise says why
	// that is not known, or wraps ErrLost.
	Held(ctx context.Context) error

	// Lost is closed when the claim is over.
	Lost() <-chan struct{}
}

// RolesOf are the roles of a database. Who has one that only one handle can have open holds every
// role.
func RolesOf(db DB) Roles {
	if roles, ok := db.(Roles); ok {
		return roles
	}
	return sole{}
}

// sole are the roles of the only handle.
type sole struct{}

func (sole) Hold(ctx context.Context, _ string) (leave func(context.Context) error, err error) {
	return context.Context.Err, ctx.Err()
}

func (sole) Held(ctx context.Context) error { return ctx.Err() }

func (sole) Lost() <-chan struct{} { return nil }
