// Package archive is games as text that other programs read: exports, and games taken in
// from them.
package archive

import (
	"time"

	"chimera/bot/match"
	"chimera/storage"
)

// Archive writes and reads exports. It is safe for concurrent use.
type Archive struct {
	store *storage.Store
	games *match.Games
	now   func() time.Time
}

// New makes an Archive. now is the wall clock.
func New(store *storage.Store, games *match.Games, now func() time.Time) *Archive {
	return &Archive{store, games, now}
}
