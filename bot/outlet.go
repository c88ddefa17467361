package bot

import (
	"context"
	"fmt"
	"time"

	"chimera/storage"
)

// Outlet says things on one platform. It is used by many goroutines at once.
type Outlet interface {
	// Send carries a parcel to its place, and returns soon after the context is
	// done. An error means that it was not said, or that nobody knows: [*Later] and
	// [*Never] say more, any other is tried again after a while. Operators see it,
	// so it holds neither tokens nor what people wrote.
	Send(ctx context.Context, p Parcel) error

	// Limits are what everything that is said at a place takes from. It is called
	// often and uses no [Courier].
	Limits(place storage.Address) []Limit
}

// Limit is how often something may be said.
type Limit struct {
	Name       string        // what shares it, such as a room with all its threads
	Every      time.Duration // one message in so long
	Burst      int           // after a pause, so many at once
	Everywhere bool          // all of the platform shares it
	Answers    bool          // only what is said at once takes from it
}

// Parcel is a note on its way to a place.
type Parcel struct {
	Place storage.Place
	Entry storage.Entry // the facts that the note tells; its number is the same whenever it is sent again
	Note  Note
}

// Later is a refusal that asks to wait.
type Later struct {
	After      time.Duration
	Everywhere bool // nothing may be said on the whole platform until then
	Err        error
}

// Error tells operators.
func (l *Later) Error() string { return fmt.Sprintf("not for %v: %v", l.After, l.Err) }

// Unwrap is what the platform said.
func (l *Later) Unwrap() error { return l.Err }

// Never is a refusal for good.
type Never struct {
	Gone bool // of everything at the place, and not of this parcel alone
	Err  error
}

// Error tells operators.
func (n *Never) Error() string { return fmt.Sprintf("never: %v", n.Err) }

// Unwrap is what the platform said.
func (n *Never) Unwrap() error { return n.Err }
