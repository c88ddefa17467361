// Package message is what is said, as data: messages with their pictures and buttons, and the picker of moves.
package message

import (
	"bytes"
	"cmp"
	"context"
	"strings"
	"time"

	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/render"
	"chimera/render/chart"
	"chimera/render/diagram"
	"chimera/render/text"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Message is something to say.
type Message struct {
	To       storage.PersonID // whom it concerns; 0 for everyone at the place
	Text     words.Text
	Brief    words.Text                        // the same without what Chart tells, for where that stands within the text; or nil
	Board    *diagram.Diagram                  // a picture that goes with it, or nil
	Played   *diagram.Played                   // how Board came about, if it is to be shown moving; or nil
	Legend   words.Legend                      // what there is to learn about the board
	Chart    *chart.Chart                      // a picture of what is no board, or nil
	Replay   func() ([]diagram.Diagram, error) // makes the frames of a picture that moves, of which many may wait; nil for none
	Players  *words.Players                    // of the game that these boards show, written into their bars; nil for none
	Words    bool                              // the picture is to be told in words too, where nothing else tells them
	Size     int                               // of the picture, in pixels, unless one is chosen; 0 for the usual one
	Buttons  []Button
	Pieces   []Button                                // that can move, instead of the button to move: for platforms with room for them
	File     *File                                   // something to keep that goes with it, or nil
	Step     bool                                    // goes on from the message on which was pressed, in its place if the asker alone sees that
	Back     bool                                    // with Step: has the buttons that the message had at first
	Plans    bool                                    // conditional moves can be stored in the game that it is about
	Asks     bool                                    // wants a text that answers it
	About    storage.GameID                          // that a text means which answers it; 0 for the one of its buttons
	Settles  bool                                    // what was pressed has answered the question there for good
	Ack      bool                                    // says only that all went well; may be left out where that is seen anyway
	Festive  bool                                    // tells somebody that they have won
	Alone    bool                                    // nobody but whoever asked shall see it
	Exercise *Exercise                               // what is to be found on the board; nil if nothing is
	Soon     func(context.Context) (*Message, error) // makes what it becomes once that is ready; nil if it stays as it is
	Instead  *Message                                // a board that the last one of its game may become instead: nobody needs to be told; nil if somebody does

	Language phrase.Language // into which it was put; "" for none yet

	audience Audience
}

// Audience is who sees a message, and how.
type Audience struct {
	Language phrase.Language
	Zone     string // IANA name of the time zone in which they are told moments, "" for UTC
	Look     storage.Look
	Pictures *Cache // where pictures are drawn for them
}

// Becomes lets a message be told by what the last board of its game becomes.
func (n *Message) Becomes(board Message) { n.Instead = &board }

// Speak puts a message that is in no language yet into one.
func (n *Message) Speak(l phrase.Language) {
	if n.Language != "" {
		return
	}
	n.Text, n.Brief, n.Language = n.Text.In(l), n.Brief.In(l), l
	if n.Chart != nil {
		n.Chart.Language = l
	}
	if n.Exercise != nil {
		n.Exercise.speak(l)
	}
	n.writeBars()
	if n.Board != nil {
		n.Board.Legend = n.Legend.In(l)
	}
	for i, b := range n.Buttons {
		if b.says != nil {
			n.Buttons[i].Label, n.Buttons[i].says = b.says.Text(l), nil
		}
		if b.tells != nil {
			n.Buttons[i].About, n.Buttons[i].tells = b.tells.Text(l), nil
		}
	}
	if n.Instead != nil {
		n.Instead.Speak(l)
	}
}

// For puts a message before those who see it: in their language, unless it is in another already, in
// their time zone, and with pictures that look as they want.
func (n *Message) For(a Audience) {
	n.Speak(a.Language)
	n.audience = a
	n.Text = n.Text.Zoned(n.Language, a.Zone)
	n.writeBars()
	if size, chosen := render.ParseSize(strings.ToLower(a.Look.Size)); chosen {
		n.Size = size
	}
	n.Words = a.Look.Words
	if n.Board != nil {
		setLook(n.Board, a.Look)
	}
	if n.Chart != nil {
		n.Chart.Theme = themeOf(a.Look)
	}
	if n.Instead != nil {
		n.Instead.For(a)
	}
}

// writeBars says on the boards of a message, which is in a language, who plays.
func (n *Message) writeBars() {
	if n.Players == nil {
		return
	}
	if n.Board != nil {
		n.Players.Write(n.Board, n.Language, n.audience.Zone)
	}
	if n.Chart == nil {
		return
	}
	for _, part := range n.Chart.Parts {
		if board, ok := part.(*chart.Board); ok {
			n.Players.Write(&board.Diagram, n.Language, n.audience.Zone)
		}
	}
}

// Game is the game that a message or its buttons are about, 0 if none.
func (n *Message) Game() storage.GameID {
	if n.About != 0 {
		return n.About
	}
	for _, b := range n.Buttons {
		if game := b.game(); game != 0 {
			return game
		}
	}
	return 0
}

func setLook(d *diagram.Diagram, look storage.Look) {
	d.Theme, d.Chosen = themeOf(look), look.Theme != ""
	d.Coords = map[string]diagram.Coords{"outside": diagram.Outside, "off": diagram.NoCoords}[look.Coords]
	if look.Bars == "off" {
		d.Bars = nil
	}
}

func themeOf(look storage.Look) diagram.Theme {
	theme, _ := diagram.ParseTheme(strings.ToLower(look.Theme))
	return theme
}

// Pictured reports whether a picture that does not move goes with a message.
func (n *Message) Pictured() bool { return n.Board != nil || n.Chart != nil }

// File is text to keep.
type File struct{ Name, Content string }

// replayStep is for how long a replay shows a position.
const replayStep = 900 * time.Millisecond

// Moving is the message's replay as a GIF file, and tells what it shows at its end. It may
// wait for others to be drawn.
func (n *Message) Moving(ctx context.Context) (film []byte, alt string, err error) {
	pictures := n.pictures()
	frames, err := n.Replay()
	if err != nil {
		return nil, "", err
	}
	for i := range frames {
		setLook(&frames[i], n.audience.Look)
		if n.Players != nil {
			n.Players.Timeless().Write(&frames[i], n.Language, n.audience.Zone)
		}
	}
	film, err = pictures.Film(ctx, frames, cmp.Or(n.Size, render.Medium), render.Pace{Step: replayStep})
	return film, text.Film(frames[len(frames)-1]).Text(n.Language), err
}

// motionStep is for how long the picture of a move shows a step of it.
const motionStep = 200 * time.Millisecond

// motion is how the move was played that led to the board of a message, nil if that is not to be shown.
func (n *Message) motion() []diagram.Diagram {
	if n.Board == nil || n.Played == nil {
		return nil
	}
	return n.Board.Motion(*n.Played)
}

// Moves reports whether the picture of a message's board moves: it is a GIF file then, which comes to rest.
func (n *Message) Moves() bool { return n.motion() != nil }

// Still is the picture that goes with a message and is at rest in the end, as a PNG file, or a GIF file where
// it [Message.Moves], with a name for it. A chart may wait for others to be drawn.
func (n *Message) Still(ctx context.Context) (picture []byte, name string, err error) {
	pictures := n.pictures()
	if frames := n.motion(); frames != nil {
		picture, err = pictures.Motion(frames, cmp.Or(n.Size, render.Medium), render.Pace{Step: motionStep, Once: true})
		return picture, "board.gif", err
	}
	if n.Board != nil {
		picture, err = pictures.Board(n.Board, cmp.Or(n.Size, render.DefaultSize))
		return picture, "board.png", err
	}
	var file bytes.Buffer
	size := min(cmp.Or(n.Size, render.Medium), render.DefaultSize) // charts are wider than boards of their size
	err = pictures.Chart(ctx, func() error { return n.Chart.PNG(pictures.Painter, &file, size) })
	return file.Bytes(), "picture.png", err
}

// pictures is where they are drawn, also for nobody who is known.
func (n *Message) pictures() *Cache {
	if n.audience.Pictures == nil {
		n.audience.Pictures = NewCache(nil)
	}
	return n.audience.Pictures
}

// InCharacters is a board in characters, with a legend below it if it needs one.
func InCharacters(d diagram.Diagram, l phrase.Language) string {
	return text.Text(d) + text.Legend(d).Text(l)
}

// Alt tells what the picture shows that is at rest in the end.
func (n *Message) Alt() string {
	if n.Board != nil {
		return text.Words(*n.Board).Text(n.Language)
	}
	return n.Chart.Words()
}

// Exercise is the move to find that a message is about, for those who make it on the board itself.
type Exercise struct {
	Name     string          // its kind and the words that name it, as on buttons
	Position *rules.Position // in which the move is to be found; nil once all were
	Task     words.Text      // what is to be done
	Told     words.Text      // what there is to say beside that
	Rated    words.Text      // what has become of a rating
	From     *rules.Position // where Line begins
	Line     []rules.Move    // moves that were made, and are to be shown one after the other
	Own      bool            // the first of them was tried
	Missed   bool            // and is wrong
}

// speak puts it into a language.
func (e *Exercise) speak(l phrase.Language) {
	e.Task, e.Told, e.Rated = e.Task.In(l), e.Told.In(l), e.Rated.In(l)
}

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
