package ask

import (
	"regexp"
	"strconv"
	"strings"

	"chimera/bot/words"
	"chimera/storage"
)

// Message is something that a person said to the bot, or a button they pressed.
type Message struct {
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
	Posted  bool            // its author shows people a challenge that it makes: nobody need be told of that
	Manager bool            // the person may choose for the server
	Outside bool            // it comes from a page, outside of all chats: its author also sees what is public
	From    Person
	Spoken  string // the server's language, as the platform has it; "" if that is not known
	Text    string
	Press   string            // of a button: what it does, as Button.Do has it; else ""
	ReplyTo storage.GameID    // the game of the message that this one answers, or 0
	People  map[string]Person // who is meant by the words of Text that name people, such as "@bob"

	read  *Reading      // what Text says, once it has been read
	heard *storage.Game // in which it was heard to be a move, or nil
}

// Key is the number of a message, for when it comes again.
func (m *Message) Key() storage.MessageID {
	return storage.MessageID{Platform: m.Place.Platform, ID: m.ID}
}

// Hear tells a message that it was heard to be a move of a game.
func (m *Message) Hear(g *storage.Game) { m.heard = g }

// HeardIn is the game in which a message was heard to be a move, or nil.
func (m *Message) HeardIn() *storage.Game { return m.heard }

// Person is a person as a platform knows them.
type Person struct {
	Address storage.Address
	Name    string
	Bot     bool   // nobody, but a program
	Self    bool   // that program is this one
	Unmet   bool   // nobody who has been met yet: known is only how they are mentioned
	Mention string // as others mention them, such as "@bob"; "" if that is not known
	Locale  string // their language, as the platform has it; "" if that is not known
}

// Reading is what a text says.
type Reading struct {
	Command *Command       // nil if the text names none
	Name    string         // of the command, with those that it stands below
	Game    storage.GameID // named by "#12", or 0
	Args    []string       // the words after the command, without the game
	Text    string         // the same as written
	Fault   words.Text     // what is wrong with the number of the game
}

// Reading is what the text of a message says, where there are these commands.
func (m *Message) Reading(all Table) Reading {
	if m.read == nil {
		read := all.Read(m.Text)
		m.read = &read
	}
	return *m.read
}

var gameNumber = regexp.MustCompile(`^#([0-9]{1,18})[:,.;]?$`)

// Read reads the command of a text, if it names one of these, and the rest.
func (all Table) Read(text string) (said Reading) {
	for w := range strings.FieldsSeq(text) {
		found := gameNumber.FindStringSubmatch(w)
		if found == nil {
			said.Args = append(said.Args, w)
			continue
		}
		n, _ := strconv.ParseUint(found[1], 10, 64) // 18 digits fit
		switch {
		case n == 0:
			said.Fault = words.Say("request.no-game-zero")
			return said
		case said.Game != 0:
			said.Fault = words.Say("request.one-game", "word", w)
			return said
		}
		said.Game = storage.GameID(n)
	}
	if len(said.Args) > 0 {
		said.enter(all.Called(said.Args[0]))
	}
	said.Text = strings.Join(said.Args, " ")
	return said
}

// enter takes the next word for a command, or for none if that is nil, and goes on below it.
func (said *Reading) enter(c *Command) {
	if c == nil {
		return
	}
	said.Command, said.Name, said.Args = c, strings.TrimSpace(said.Name+" "+c.Name), said.Args[1:]
	if len(c.Subs) > 0 && len(said.Args) > 0 {
		said.enter(c.Subs.Find(said.Args[0]))
	}
}
