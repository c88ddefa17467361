// Package message is what the bot says, as data: messages with their pictures and buttons, and the
// picker of moves.
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
	To       storage.PersonID // the person it concerns; 0 for everyone at the place
	Text     words.Text
	Brief    words.Text                        // Text without what Chart or Table tells, for use along with them; or nil
	Table    [][]words.Text                    // what Text or Chart lists, in rows below heads, or nil; last cells may be wider
	Board    *diagram.Diagram                  // a picture that goes with it, or nil
	Played   *diagram.Played                   // how Board came about, if it is to be shown moving; or nil
	Chart    *chart.Chart                      // a picture other than a board, or nil
	Replay   func() ([]diagram.Diagram, error) // makes the frames of a moving picture, slowly; nil for none
	View     *match.GameView                   // of the game that these boards show, whose players are written into their bars; nil for none
	Words    bool                              // describe the picture in words too, where nothing else does
	Size     int                               // of the picture, in pixels, if none is chosen; 0 for the usual
	Buttons  []Button
	Pieces   []Button                                // that can move, instead of the button to move: for platforms with room for them
	File     *File                                   // something to keep that goes with it, or nil
	Step     bool                                    // it continues the message pressed on, in its place if only the asker sees it
	Back     bool                                    // with Step: has the buttons that the message had at first
	Plans    bool                                    // conditional moves can be stored in the game that it is about
	Asks     bool                                    // it asks for a text as its answer
	About    storage.GameID                          // the game that such a text is about; 0 for the one of its buttons
	Settles  bool                                    // the question whose button was pressed is answered for good
	Ack      bool                                    // it only says that all went well; platforms that show that anyway may leave it out
	Moved    bool                                    // with Ack: a move was made, or the game has ended
	Festive  bool                                    // tells somebody that they have won
	Alone    bool                                    // nobody but whoever asked shall see it
	Guide    string                                  // what it tells from the rules: a game's key, or that, a slash and a piece's code; or ""
	Exercise *Exercise                               // what is to be found on the board; nil if nothing is
	Soon     func(context.Context) (*Message, error) // makes what replaces it, when ready; nil if nothing does
	Instead  *Message                                // a board that may replace its game's last one; nil if people have to be told

	Language phrase.Language // into which it was put; "" for none yet

	audience Audience
}

// Audience is the people who see a message, and how they want it.
type Audience struct {
	Language phrase.Language
	Zone     string // IANA name of the time zone in which they are told moments, "" for UTC
	Look     storage.Look
	Pictures *Cache // where pictures are drawn for them
}

// Becomes lets a message be told by what the last board of its game becomes.
func (n *Message) Becomes(board Message) { n.Instead = &board }

// Speak puts a message into a language, unless it is in one already.
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

// For prepares a message for its audience: in their language, unless it is in one already, in their
// time zone, and with pictures in the look that they have chosen.
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

// writeBars writes the players on the boards of a message that is in a language.
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

// Pictured reports whether a message has a picture other than a replay.
func (n *Message) Pictured() bool { return n.Board != nil || n.Chart != nil }

// File is text to keep.
type File struct{ Name, Content string }

// replayStep is how long a replay shows each position.
const replayStep = 900 * time.Millisecond

// Moving is the message's replay as a GIF file, and a description of its end. It may wait for others
// to be drawn.
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

// motionStep is how long the picture of a move shows each step of it.
const motionStep = 200 * time.Millisecond

// motion are the frames of the move that led to the board of a message, nil if it is not to be shown.
func (n *Message) motion() []diagram.Diagram {
	if n.Board == nil || n.Played == nil {
		return nil
	}
	return n.Board.Motion(*n.Played)
}

// Moves reports whether the picture of a message's board moves: it is a GIF file then, which stops at
// the end.
func (n *Message) Moves() bool { return n.motion() != nil }

// Still is the picture of a message that ends at rest: a PNG file, or a GIF file if the message
// [Message.Moves]; and a name for it. A chart may wait for others to be drawn.
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

// Picture is the picture of a message, the replay if it has both, with a name for it and a
// description.
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

// Alt describes the picture that ends at rest.
func (n *Message) Alt() string {
	if n.Board != nil {
		return text.Words(*n.Board).Text(n.Language)
	}
	return n.Chart.Words()
}

// Exercise is the move to find that a message is about, for people who make it on the board itself.
type Exercise struct {
	Name     string          // its kind and the words that name it, as on buttons
	Position *rules.Position // where the move is to be found; nil once all were
	Task     words.Text      // what is to be done
	Told     words.Text      // what else there is to say
	Rated    words.Text      // what becomes of a rating
	From     *rules.Position // where Line begins
	Line     []rules.Move    // moves made, to be shown one after the other
	Own      bool            // the first of them was tried by the solver
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
	Arrived bool            // it begins a chat, perhaps with a code from the bot's web address: its author may be new
	Picks   bool            // its author sees buttons, which may ask for what it leaves open
	Fills   bool            // its author can fill in the parts of commands by name
	Filled  bool            // Text is a command that was filled in so
	Awaits  bool            // the answer may be replaced later
	Once    bool            // its author has not sent it twice by mistake
	Posted  bool            // its author shows a new challenge to people: nobody need be told of it
	Manager bool            // its author may choose for the server
	Outside bool            // it comes from a page, outside of all chats: its author also sees what is public
	From    Account
	Spoken  string // the server's language, as the platform has it; "" if that is not known
	Text    string
	Press   string             // of a button: what it does, as Button.Do has it; else ""
	ReplyTo storage.GameID     // the game of the message that this one answers, or 0
	ToStudy bool               // the message that this one answers shows a lesson or a puzzle
	People  map[string]Account // the people named by words of Text such as "@bob"

	Author *user.Author  // what was read to decide whether it is meant for the bot; nil if nothing was
	Heard  *storage.Game // the game in progress in which it is a move; nil if none
}

// Key is the number by which a message is known when it comes again.
func (m *Incoming) Key() storage.MessageID {
	return storage.MessageID{Platform: m.Place.Platform, ID: m.ID}
}

// Account is a person as a platform knows them.
type Account struct {
	Address storage.Address
	Name    string
	Bot     bool   // a program
	Self    bool   // this bot
	Unmet   bool   // never met before: known only by the mention
	Mention string // as others mention them, such as "@bob"; "" if that is not known
	Locale  string // their language, as the platform has it; "" if that is not known
}

// Addressee says whom a text is for, as far as its platform can tell.
type Addressee uint8

// The addressees.
const (
	Nobody      Addressee = iota // it was said in a room where people talk
	WhatWasSaid                  // it answers something that the bot has said there
	TheBot                       // the bot was called by its name, or is alone with the author
)

// Limits on drawing, and on pictures that are kept.
const (
	// Renders is how many replays and charts are drawn at once: each takes a core, which moves need too,
	// for some tenths of a second, and up to 64 megabytes.
	Renders = 1

	// Replays is how many replays one person may ask for in a row, and then one more every ReplayEvery.
	Replays     = 10
	ReplayEvery = 20 * time.Second

	// Boards take some ten kilobytes each, replays and cards some hundred; askers are people's last
	// requests for replays.
	boardsKept, filmsKept, askersKept = 128, 64, 4096
)

// Pictures are drawn a few at a time and kept for a while.

// Cache draws pictures and keeps them. Anything that costs more than a board is drawn one at a time,
// so that moves never wait for it, and only once for several people who ask. It is safe for concurrent
// use.
type Cache struct {
	Painter *render.Painter // draws all of them

	slots   *semaphore.Weighted
	boards  *lru.Cache[string, []byte]
	films   *lru.Cache[string, []byte] // and other moving pictures, and cards
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

// Recent is a cache of the things used last.
func Recent[K comparable, V any](size int) *lru.Cache[K, V] {
	kept, _ := lru.New[K, V](size) // no size is below one
	return kept
}

// Board is a diagram as a PNG file. It is kept, as openings are seen often.
func (s *Cache) Board(d *diagram.Diagram, size int) ([]byte, error) {
	return s.soon(s.boards, "board", nameOf(size, *d), func(w io.Writer) error { return s.Painter.PNG(w, *d, size) })
}

// Motion is a picture of a few frames in which a move is played.
func (s *Cache) Motion(frames []diagram.Diagram, size int, pace render.Pace) ([]byte, error) {
	return s.soon(s.films, "motion", fmt.Sprint(nameOf(size, frames...), pace), func(w io.Writer) error { return s.Painter.GIF(w, frames, size, pace) })
}

// soon is the picture with a name, which is drawn at once unless it is kept.
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

// Film is a moving picture of frames. Drawing goes on, for others, after the context is done.
func (s *Cache) Film(ctx context.Context, frames []diagram.Diagram, size int, pace render.Pace) ([]byte, error) {
	return s.Keep(ctx, "film", fmt.Sprint(nameOf(size, frames...), pace), func(w io.Writer) error { return s.Painter.GIF(w, frames, size, pace) })
}

// nameOf is the same for diagrams that look the same, and differs otherwise but for one chance in
// 2^128. So a game's picture is shared by people who see it alike, and that of an opening by all
// games.
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

// Wait is how long a person who asks for a replay must wait for it; 0 if they get it now. The clock is
// the machine's own, since the limit is on its work.
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

// Chart waits for its turn to draw, and paints a chart.
func (s *Cache) Chart(ctx context.Context, paint func() error) error {
	if err := s.slots.Acquire(ctx, 1); err != nil {
		return err
	}
	defer s.slots.Release(1)
	defer s.metrics.Render("chart", time.Now())
	return paint()
}

// Keep is the picture with a name, painted by paint unless it is kept; what is its kind, for
// operators. Whoever asks for it meanwhile gets the same one. Painting goes on, for others, after the
// context is done.
func (s *Cache) Keep(ctx context.Context, what, name string, paint func(io.Writer) error) ([]byte, error) {
	if picture, ok := s.Kept(name); ok {
		return picture, nil
	}
	result := s.drawing.DoChan(name, func() (any, error) {
		_ = s.slots.Acquire(context.Background(), 1) // the context never ends
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

// Kept is the picture with a name, if it is kept.
func (s *Cache) Kept(name string) ([]byte, bool) { return s.films.Get(name) }
