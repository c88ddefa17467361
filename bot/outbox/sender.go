package outbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chimera/storage"
)

// Sender says entries on one platform. It is used by many goroutines at once.
type Sender interface {
	// Send says an entry at its place, and returns soon after the context is done. An
	// error means that it was not said, or that nobody knows: [*Later], [*Never],
	// [ErrAway], [ErrNothing], [ErrMore] and [ErrUnfit] say more, any other is tried again after a while.
	// Operators see it, so it holds neither tokens nor what people wrote. Before anything is
	// drawn it calls courtesy, which waits a moment for whoever is being answered.
	Send(ctx context.Context, at storage.Place, e storage.Entry, courtesy func()) (Receipt, error)

	// Limits are what everything that is said at a place takes from. It is called
	// often and uses no [Outbox].
	Limits(at storage.Address) []Limit
}

// Receipt is what the platform's adapter wants to remember of what was said, under names of
// its own; nil forgets. It is stored as the entry is closed.
type Receipt map[string][]byte

// Subject is what entries are about.
type Subject interface {
	// Calls reports whether an entry asks somebody to act.
	Calls(e *storage.Entry) bool

	// Join makes one entry of two that follow each other in a queue, under the number of
	// the second, if that shows what the first tells.
	Join(first, next storage.Entry) (storage.Entry, bool)

	// HeardOf notes that an entry was said, in the transaction that closes it.
	HeardOf(w storage.Writer, e storage.Entry) error

	// PlaceBack notes, likewise, that it was said at a place at which nothing could be
	// said before.
	PlaceBack(w storage.Writer, e storage.Entry) error

	// PlaceGone notes that nothing can be said at the place of an entry any more, and
	// reports whether it will be told elsewhere.
	PlaceGone(w storage.Writer, e storage.Entry) (told bool, err error)

	// TellHome tells an entry elsewhere to those whom it concerns at its place, where nothing
	// can be said now, and reports whether it reaches all of them.
	TellHome(w storage.Writer, e storage.Entry) (all bool, err error)
}

// Conditions of what is to be said.
var (
	// ErrNothing is returned where there is nothing to say any more.
	ErrNothing = errors.New("nothing is left to say")

	// ErrMore is returned for an entry that another one tells too, which has come to wait
	// behind it since its queue was read: that is read again at once.
	ErrMore = errors.New("the next entry tells it too")

	// ErrAway is a refusal until somebody at the place wants something of the bot, which
	// [Outbox.Back] tells: nothing is wrong with the place.
	ErrAway = errors.New("not now")

	// ErrUnfit is returned for an entry that cannot be made words of. It is set aside.
	ErrUnfit = errors.New("the entry cannot be made words of")
)

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
	Gone bool // of everything at the place, and not of this entry alone
	Err  error
}

// Error tells operators.
func (n *Never) Error() string { return fmt.Sprintf("never: %v", n.Err) }

// Unwrap is what the platform said.
func (n *Never) Unwrap() error { return n.Err }
