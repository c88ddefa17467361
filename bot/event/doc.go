// Package event is what people ask for and what they are answered: who asks, what became of
// it, and why nothing did. A message is carried out once, however often its platform brings
// it, and what it asks for is refused with a reason. What must be told of it goes to the
// outbox with it.
package event

import (
	"time"

	"chimera/storage"
)

// Inbox remembers which messages were carried out, and how. It is safe for concurrent use.
type Log struct {
	store *storage.Store
	now   func() time.Time
}

// New makes an Inbox over a store. now is the wall clock.
func New(store *storage.Store, now func() time.Time) *Log { return &Log{store, now} }
