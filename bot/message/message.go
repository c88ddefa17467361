// Package message is what is said, as data: messages with their pictures and buttons, and the picker of moves.
package message

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"

	"chimera/bot/match"
	"chimera/bot/metrics"
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
	Brief    words.Text                        // the same without what Chart or Table tells, for where that stands within the text; or nil
	Table    [][]words.Text                    // what Text or Chart lists, in rows below heads, whose last cells may be wider; or nil
	Board    *diagram.Diagram                  // a picture that goes with it, or nil
	Played   *diagram.Played                   // how Board came about, if it is to be shown moving; or nil
	Chart    *chart.Chart                      // a picture of what is no board, or nil
	Replay   func() ([]diagram.Diagram, error) // makes the frames of a picture that moves, of which many may wait; nil for none
	View     *match.GameView                   // of the game that these boards show, whose players are written into their bars; nil for none
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
		n.Chart.Language, n.Table = l, words.TableOf(n.Chart)
	}
	if e := n.Exercise; e != nil {
		e.Task, e.Told, e.Rated = e.Task.In(l), e.Told.In(l), e.Rated.In(l)
	}
	n.writeBars()
	if n.Board != nil {
		n.Board.Language = l
	}
	for i := range n.Buttons {
		n.Buttons[i].speak(l)
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
		SetLook(n.Board, a.Look)
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
	if n.View == nil {
		return
	}
	if n.Board != nil {
		words.WriteBars(n.Board, n.View, n.Language, n.audience.Zone)
	}
	if n.Chart == nil {
		return
	}
	for _, part := range n.Chart.Parts {
		if board, ok := part.(*chart.Board); ok {
			words.WriteBars(&board.Diagram, n.View, n.Language, n.audience.Zone)
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

// SetLook lets a board look as somebody wants it.
func SetLook(d *diagram.Diagram, look storage.Look) {
	d.Theme, d.Chosen, d.Letters = themeOf(look), look.Theme != "", look.Pieces == "letters"
	if look.Coords != "" {
		d.Coords = map[string]diagram.Coords{"outside": diagram.Outside, "off": diagram.NoCoords}[look.Coords]
	}
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
		SetLook(&frames[i], n.audience.Look)
		if n.View != nil {
			words.WriteBars(&frames[i], n.View, n.Language, n.audience.Zone)
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

// Shows reports whether a picture goes with a message, at rest or moving.
func (n *Message) Shows() bool { return n.Pictured() || n.Replay != nil }

// Picture is the picture that goes with a message, the replay if it has both, with a name for it and what it shows.
func (n *Message) Picture(ctx context.Context) (picture []byte, name, alt string, err error) {
	if n.Replay != nil {
		picture, alt, err = n.Moving(ctx)
		return picture, "game.gif", alt, err
	}
	picture, name, err = n.Still(ctx)
	return picture, name, n.Alt(), err
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
	Rated    words.Text      // what becomes of a rating
	From     *rules.Position // where Line begins
	Line     []rules.Move    // moves that were made, and are to be shown one after the other
	Own      bool            // the first of them was tried
	Missed   bool            // and is wrong
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

// What may be drawn, and is kept.
const (
	// Renders is how many replays and charts are drawn at once: each takes a core for up to some
	// tenths of a second, which moves need too, and up to 64 megabytes.
	Renders = 1

	// Replays is how many replays one person may ask for in a row; after those, one more
	// each ReplayEvery.
	Replays     = 10
	ReplayEvery = 20 * time.Second

	// Of boards, some ten kilobytes each; of replays and cards, some hundred; and of people's last
	// requests for replays.
	boardsKept, filmsKept, askersKept = 128, 64, 4096
)

// Pictures are drawn a few at a time and kept for a while.

// Cache keeps pictures that were drawn. Those that cost more than a board it draws one after the
// other, so that moves never wait for them, and only once where several people ask. It is safe for
// concurrent use.
type Cache struct {
	Painter *render.Painter // of all of them

	slots   *semaphore.Weighted
	boards  *lru.Cache[string, []byte]
	films   *lru.Cache[string, []byte] // and what else moves, and cards
	drawing singleflight.Group
	askers  *lru.Cache[storage.PersonID, *rate.Limiter]
	metrics *metrics.Metrics
}

// NewCache makes a Cache. What it draws is counted, unless the metrics are nil.
func NewCache(m *metrics.Metrics) *Cache {
	return &Cache{
		Painter: render.NewPainter(), metrics: m, slots: semaphore.NewWeighted(Renders),
		boards: Recent[string, []byte](boardsKept), films: Recent[string, []byte](filmsKept),
		askers: Recent[storage.PersonID, *rate.Limiter](askersKept),
	}
}

// Recent keeps as many things as were used last.
func Recent[K comparable, V any](size int) *lru.Cache[K, V] {
	kept, _ := lru.New[K, V](size) // no size is below one
	return kept
}

// Board is a diagram as a PNG file: openings are seen often.
func (s *Cache) Board(d *diagram.Diagram, size int) ([]byte, error) {
	return s.soon(s.boards, "board", nameOf(size, *d), func(w io.Writer) error { return s.Painter.PNG(w, *d, size) })
}

// Motion is a picture of a few frames in which a move is played.
func (s *Cache) Motion(frames []diagram.Diagram, size int, pace render.Pace) ([]byte, error) {
	return s.soon(s.films, "motion", fmt.Sprint(nameOf(size, frames...), pace), func(w io.Writer) error { return s.Painter.GIF(w, frames, size, pace) })
}

// soon is the picture of a name, which is drawn at once unless it is kept.
func (s *Cache) soon(kept *lru.Cache[string, []byte], what, name string, paint func(io.Writer) error) ([]byte, error) {
	if picture, ok := kept.Get(name); ok {
		return picture, nil
	}
	defer s.metrics.Render(what, time.Now())
	var picture bytes.Buffer
	if err := paint(&picture); err != nil {
		return nil, err
	}
	kept.Add(name, picture.Bytes())
	return picture.Bytes(), nil
}

// Film is a moving picture of frames. It goes on being drawn for others when the context is done.
func (s *Cache) Film(ctx context.Context, frames []diagram.Diagram, size int, pace render.Pace) ([]byte, error) {
	return s.Keep(ctx, "film", fmt.Sprint(nameOf(size, frames...), pace), func(w io.Writer) error { return s.Painter.GIF(w, frames, size, pace) })
}

// nameOf is the same for diagrams that look the same, but for accidents of one in 2^128: so a game's
// picture is found by how it is looked at, and that of an opening by any game.
func nameOf(size int, frames ...diagram.Diagram) string {
	sum := sha256.New()
	for _, d := range frames {
		var bars diagram.Bars
		if d.Bars != nil {
			bars = *d.Bars
		}
		fmt.Fprintf(sum, "%p %p %t %#v", d.Shape, &d.Table[0], d.Bars != nil, bars)
		d.Shape, d.Table, d.Bars = nil, nil, nil
		fmt.Fprintf(sum, "%#v\n", d)
	}
	return fmt.Sprintf("%x %d", sum.Sum(nil), size)
}

// Wait is how long a person who asks for a replay has to wait before they get another;
// 0 if they get one now. The clock is the machine's own, as the work is.
func (s *Cache) Wait(p storage.PersonID) time.Duration {
	limiter := rate.NewLimiter(rate.Every(ReplayEvery), Replays)
	if before, found, _ := s.askers.PeekOrAdd(p, limiter); found {
		limiter = before
	}
	r := limiter.Reserve()
	wait := r.Delay()
	if wait > 0 {
		r.Cancel()
	}
	return wait
}

// Chart waits until there is a hand free, and lets it paint a chart.
func (s *Cache) Chart(ctx context.Context, paint func() error) error {
	if err := s.slots.Acquire(ctx, 1); err != nil {
		return err
	}
	defer s.slots.Release(1)
	defer s.metrics.Render("chart", time.Now())
	return paint()
}

// Keep is the picture of a name, as paint paints it unless it is kept; what says what it is to
// operators. Whoever asks for it meanwhile gets the same; it goes on being painted for others when the
// context is done.
func (s *Cache) Keep(ctx context.Context, what, name string, paint func(io.Writer) error) ([]byte, error) {
	if picture, ok := s.Kept(name); ok {
		return picture, nil
	}
	result := s.drawing.DoChan(name, func() (any, error) {
		_ = s.slots.Acquire(context.Background(), 1) // which never ends
		defer s.slots.Release(1)
		return s.soon(s.films, what, name, paint)
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-result:
		picture, _ := r.Val.([]byte)
		return picture, r.Err
	}
}

// Kept is the picture of a name if it is kept.
func (s *Cache) Kept(name string) ([]byte, bool) { return s.films.Get(name) }
