package bot

import (
	"context"

	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/storage"
)

// AsOfNow is that of storage, for an adapter that reads before it hands a message on.
func AsOfNow(ctx context.Context) context.Context { return storage.AsOfNow(ctx) }

// What is said.
type (

	// Note is that of note.
	Note = message.Message
	// File is that of note.
	File = message.File
	// Button is that of note.
	Button = message.Button
	// Text is that of words.
	Text = words.Text
	// Span is that of words.
	Span = words.Span
)

// The styles.
const (
	Plain = words.Plain
	Named = words.Named
	Bold  = words.Bold
	Code  = words.Code
	Same  = words.Same
	Link  = words.Link
)

// Roles are those of storage.
type Roles = storage.Roles

// What adapters know of games, people and places; they see nothing behind this package.
type (
	// Address is a place or an account, as its platform knows it.
	Address = storage.Address
	// GameID is our number of a game.
	GameID = storage.GameID
	// PersonID is our number of a person.
	PersonID = storage.PersonID
	// ServerID is our number of a server.
	ServerID = storage.ServerID
	// Member is a person.
	Member = storage.Person
	// Visit is somebody at a place.
	Visit = user.Visit
)

// What adapters need of the bounds and signs of what they use.
const (
	Latest     = match.Latest
	CodeLength = match.CodeLength
	MaxMemory  = storage.MaxState // of what an adapter keeps under one name, in bytes
	Watched    = limit.Watched
)

// ErrNotSaved is about adapter state that cannot be kept now; it is logged once for all.
var ErrNotSaved = storage.ErrNotSaved
