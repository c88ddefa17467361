package bot

import (
	"context"

	"chimera/bot/announce"
	"chimera/bot/ask"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/memory"
	"chimera/bot/note"
	"chimera/bot/page"
	"chimera/bot/people"
	"chimera/bot/words"
	"chimera/storage"
	"chimera/storage/memories"
)

// What is asked, and what can be.
type (
	// Message is that of ask.
	Message = ask.Message
	// Person is that of ask.
	Person = ask.Person
	// Command is that of ask.
	Command = ask.Command
	// Arg is that of ask.
	Arg = ask.Arg
	// ArgKind is that of ask.
	ArgKind = ask.ArgKind
	// Addressee is that of ask.
	Addressee = ask.Addressee
	// Services are those of ask.
	Services = ask.Services
)

// To whom something is said.
const (
	Nobody      = ask.Nobody
	WhatWasSaid = ask.WhatWasSaid
	TheBot      = ask.TheBot
)

// Whose the answer to a command is.
const (
	AskerAlone = ask.AskerAlone
	Everybody  = ask.Everybody
)

// The kinds of arguments.
const (
	ArgText       = ask.ArgText
	ArgWord       = ask.ArgWord
	ArgFlag       = ask.ArgFlag
	ArgNumber     = ask.ArgNumber
	ArgDays       = ask.ArgDays
	ArgPace       = ask.ArgPace
	ArgMonth      = ask.ArgMonth
	ArgPerson     = ask.ArgPerson
	ArgGame       = ask.ArgGame
	ArgOffer      = ask.ArgOffer
	ArgOwnOffer   = ask.ArgOwnOffer
	ArgEnded      = ask.ArgEnded
	ArgVariant    = ask.ArgVariant
	ArgGameOrKind = ask.ArgGameOrKind
	ArgMove       = ask.ArgMove
	ArgPiece      = ask.ArgPiece
	ArgCommand    = ask.ArgCommand
	ArgForm       = ask.ArgForm
)

// LinkCode is that of ask.
const LinkCode = ask.LinkCode

// AsOfNow is that of storage, for an adapter that reads before it hands a message on.
func AsOfNow(ctx context.Context) context.Context { return storage.AsOfNow(ctx) }

// What is said.
type (
	// Delivery is that of announce.
	Delivery = announce.Delivery
	// Note is that of note.
	Note = note.Note
	// File is that of note.
	File = note.File
	// Button is that of note.
	Button = note.Button
	// Text is that of words.
	Text = words.Text
	// Span is that of words.
	Span = words.Span
)

// What pages show.
type (
	// AgendaLine is that of page.
	AgendaLine = page.AgendaLine
	// Leaders are those of page.
	Leaders = page.Leaders
	// LeadersAsked is that of page.
	LeadersAsked = page.LeadersAsked
	// Period is that of page.
	Period = page.Period
	// Profile is that of page.
	Profile = page.Profile
	// Guide is that of page.
	Guide = page.Guide
	// GuidePiece is that of page.
	GuidePiece = page.GuidePiece
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

// Memory is what an adapter remembers.
type Memory = memory.Memory

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
	Visit = people.Visit
)

// What adapters need of the bounds and signs of what they use.
const (
	Latest     = match.Latest
	CodeLength = match.CodeLength
	MaxMemory  = memories.Max // of what Memory keeps under one name, in bytes
	Watched    = limit.Watched
)

// ErrNotSaved is about a Memory that cannot keep anything now; it is logged once for all.
var ErrNotSaved = storage.ErrNotSaved
