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

// Clustered is a DB that several processes can have open, kept by several servers.
type Clustered interface {
	// Cluster tells who is at it. A server that does not answer is told of with its fault.
	Cluster(ctx context.Context) (Cluster, error)
}

// A Cluster is who is at a database.
type Cluster struct {
	Handles []string            // the names of all handles, in order, each with the name of its machine and the number of its process
	Roles   map[string][]string // what each of them holds, in order
	Own     string              // which of the handles tells this
	Members []Member
}

// A Member is a server that keeps a database, as it says itself.
type Member struct {
	Address string
	Leads   bool   // it orders what is written
	Version string // of the server's program
	Size    int64  // of its file, in bytes
	Quota   int64  // how large that may get: beyond it, nothing is stored
	Behind  uint64 // how many of the changes that most members have it has yet to take over
	Fault   string // why it does not say that; "" if it does
}
