package message

import (
	"chimera/bot/user"
	"chimera/storage"
)

// Incoming is something that a person said to the bot, or a button they pressed.
type Incoming struct {
	ID      string // the platform's, for when it comes again; "" if it cannot
	Place   storage.Address
	Server  storage.Address // that the place belongs to; zero for a private chat
	Called  string          // what people call the server; "" if that is not known
	Group   bool            // the server is a group, whose games have no threads of their own
	Within  storage.Address // the place around it, if it is a thread and that is known
	Private bool            // nobody else sees the place
	Public  bool            // others there see this message, and what is answered to it
	Alone   bool            // nobody else sees what is answered to it
	Arrived bool            // it brings a code that stood behind the bot's web address: its author may be new
	Picks   bool            // its author sees buttons, which may ask what it leaves open
	Fills   bool            // its author can fill in what commands take, each part by its name
	Awaits  bool            // what is answered to it may become something else later
	Posted  bool            // its author shows people a challenge that it makes: nobody need be told of that
	Manager bool            // the person may choose for the server
	Outside bool            // it comes from a page, outside of all chats: its author also sees what is public
	From    Account
	Spoken  string // the server's language, as the platform has it; "" if that is not known
	Text    string
	Press   string             // of a button: what it does, as Button.Do has it; else ""
	ReplyTo storage.GameID     // the game of the message that this one answers, or 0
	People  map[string]Account // who is meant by the words of Text that name people, such as "@bob"

	Author *user.Author  // what was read to know whether it is meant for the bot; nil if nothing was
	Heard  *storage.Game // of those, the one in which it is a move; nil if none
}

// Key is the number of a message, for when it comes again.
func (m *Incoming) Key() storage.MessageID {
	return storage.MessageID{Platform: m.Place.Platform, ID: m.ID}
}

// Account is a person as a platform knows them.
type Account struct {
	Address storage.Address
	Name    string
	Bot     bool   // nobody, but a program
	Self    bool   // that program is this one
	Unmet   bool   // nobody who has been met yet: known is only how they are mentioned
	Mention string // as others mention them, such as "@bob"; "" if that is not known
	Locale  string // their language, as the platform has it; "" if that is not known
}

// Addressee is whom a text is for, as far as its platform can tell.
type Addressee uint8

// The addressees.
const (
	Nobody      Addressee = iota // it was said in a room where people talk
	WhatWasSaid                  // it answers something that the bot has said there
	TheBot                       // the bot was called by its name, or is alone with the author
)
