// Package archive is games as text that other programs read: exports, and games taken in
// from them.
package archive

import (
	"chimera/bot/match"
	"chimera/storage"
)

// Archive writes and reads exports. It is safe for concurrent use.
type Archive struct {
	store *storage.Store
	games *match.Games
}

// New makes an Archive.
func New(store *storage.Store, games *match.Games) *Archive {
	return &Archive{store, games}
}
