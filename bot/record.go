package bot

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"chimera/bot/computer"
	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/analysis"
	"chimera/rules/phrase"
	"chimera/storage"
)

// showFEN shows a position as FEN.
func showFEN(_ context.Context, _ *Bot, r Request) (*message.Message, error) {
	return r.answer(words.Text{{Words: r.View.Now.Position.FEN(), Style: words.Code}}), nil
}

// showScore shows the moves of a game.
func showScore(_ context.Context, b *Bot, r Request) (*message.Message, error) {
	score, err := b.Games.Score(&r.View.Game)
	return r.answer(words.Score(r.View, r.View.Start, score, r.Location())), err
}

// exportGame gives a game as a file in PGN.
func exportGame(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	id := r.View.Game.ID
	text, err := b.Archive.Export(ctx, id)
	file := &message.File{Name: fmt.Sprintf("chimera-%d.pgn", id), Content: text}
	return &message.Message{To: r.Me.ID, Text: words.Say("show.exported", "game", words.Hash(id)), File: file}, err
}

// replayGame shows a game as a moving picture, from the asker's side.
func replayGame(_ context.Context, b *Bot, r Request) (*message.Message, error) {
	if wait := b.Pictures.Wait(r.Me.ID); wait > 0 {
		return r.answer(words.Say("show.too-many-replays", "most", message.Replays, "seconds", int(wait.Seconds())+1)), nil
	}
	side, _ := r.View.Game.SideOf(r.Me.ID) // White's if they do not play
	frames := func() ([]diagram.Diagram, error) { return framesOf(b.Games, r.View, rules.Color(side), r.Language()) }
	past := *r.View
	past.Due = time.Time{} // its boards show no deadline
	return &message.Message{To: r.Me.ID, Text: words.Replay(r.View), View: &past, Replay: frames}, nil
}

// framesOf are a game as a moving picture: each position with what was captured, and the move below it.
func framesOf(games *match.Games, view *match.GameView, bottom rules.Color, language phrase.Language) (frames []diagram.Diagram, err error) {
	line, err := games.Replay(&view.Game)
	if err != nil {
		return nil, err
	}
	first := max(0, len(line.Moves)-limit.ReplayPlies)
	for i, now := range line.Games[first:] {
		var last []rules.Effect
		if i += first; i > 0 {
			last = line.Games[i-1].Position.Effects(line.Moves[i-1])
		}
		d := diagram.Of(now.Position, last, bottom)
		d.Caption = view.Variant.Title().Text(language) + " " + words.Hash(view.Game.ID)
		if i > 0 {
			d.Caption = words.Ply(line.Games[i-1].Position, line.Moves[i-1])
		}
		frames = append(frames, d.ShowTaken(line.Games[0].Position.Board(), games.Taken(&view.Game, i)))
	}
	end := &frames[len(frames)-1]
	end.Over = view.Game.Over()
	if winner, won := words.Winner(view); won {
		*end = end.ShowWinner(winner)
	}
	return frames, nil
}

// shareGame shows a game as a picture to pass on that needs no explanation: the current board, the players, and the
// move to remember.
func shareGame(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	view := r.View
	bottom, _ := words.Winner(view) // White if it is a draw
	if side, plays := view.Game.SideOf(r.Me.ID); plays {
		bottom = rules.Color(side)
	}
	key, scene, err := keyOf(ctx, b, view, bottom)
	if err != nil {
		return nil, err
	}
	shown := boardOf(view, onlooker{})
	shown.Board.Bottom, shown.Board.Legend = bottom, nil
	said := message.Message{To: r.Me.ID, Text: words.Share(view, key), View: view}
	said.Chart = words.ShareChart(view, *shown.Board, scene, key, r.Location())
	return &said, nil
}

// keyOf is the move to remember a game by, and a diagram of the position after it, seen from bottom; nil if no move
// stands out. If the game has ended and was reviewed, it is what changed most.
func keyOf(ctx context.Context, b *Bot, s *match.GameView, bottom rules.Color) (key *words.Key, scene diagram.Diagram, err error) {
	line, err := b.Games.Replay(&s.Game)
	if err != nil {
		return nil, scene, err
	}
	var found *computer.TurningPoint
	of, erred := [2]bool{true, true}, [2]bool{true, true}
	if side, won := words.Winner(s); won {
		of[side.Other()], erred[side] = false, false
	}
	if s.Game.Over() {
		story, err := storyOf(ctx, b, s.Game.ID, line)
		if err != nil {
			return nil, scene, err
		}
		if story != nil {
			found = story.Turning(erred)
		}
	}
	ply, ok := computer.Key(line.Games, line.Moves, of)
	if found != nil {
		ply, ok = found.Ply, true
	}
	if !ok {
		return nil, scene, nil
	}
	before, m := line.Games[ply].Position, line.Moves[ply]
	scene = diagram.Of(line.Games[ply+1].Position, before.Effects(m), bottom)
	return &words.Key{Before: before, Move: m, Moment: found}, scene, nil
}

// storyOf is the story of a game by its stored review, nil if nobody has asked for one yet.
func storyOf(ctx context.Context, b *Bot, id storage.GameID, line *match.Replayed) (*computer.Story, error) {
	found, err := storage.Read(ctx, b.Store, func(r storage.Reader) (storage.Review, error) { return r.Reviews().Get(id) })
	if err != nil {
		return nil, storage.UnlessMissing(err)
	}
	return computer.Tell(found, line.Games, line.Moves)
}

// Record is a game in the forms in which people keep it elsewhere, as buttons in chats give them.
type Record struct {
	Tag string // changes if any of its forms changes

	b *Bot
	r Request
}

// Record is a game at a ply, as the author of a message may see it. It returns [ErrNothing] if there is no such game or
// ply, or they may not see it.
func (b *Bot) Record(ctx context.Context, m message.Incoming, id storage.GameID, ply int) (*Record, error) {
	r, _ := b.Asker(ctx, m)
	view, err := b.Games.LoadFor(ctx, r.by(), id, ply)
	switch no := (*event.Refusal)(nil); {
	case errors.As(err, &no), errors.Is(err, match.ErrNoPly):
		return nil, ErrNothing
	case err != nil:
		return nil, err
	}
	r.View = view
	side, _ := view.Game.SideOf(r.Me.ID)
	found, err := storage.Read(ctx, b.Store, func(read storage.Reader) (storage.Review, error) { return read.Reviews().Find(id) })
	depends := fmt.Sprintf("%d %d %d %q %s %q %d %d", id, view.Game.Revision, view.Ply, view.Names, r.Language(), r.zone(), side, len(found.Scores)) // forgotten people lose their names
	return &Record{fmt.Sprintf("%x", sha256.Sum256([]byte(depends))), b, r}, err
}

// Card is the record of a game that has ended and that everyone may see, in a language; [ErrNothing] if there is none.
func (b *Bot) Card(ctx context.Context, id storage.GameID, l phrase.Language) (*Record, error) {
	c, err := b.Record(ctx, b.Stranger(string(l)), id, match.Latest)
	if err == nil && !c.r.View.Game.Over() {
		err = ErrNothing
	}
	return c, err
}

// Kept reports whether PNG's picture is in memory, so that it costs nothing.
func (c *Record) Kept() bool {
	_, kept := c.b.Pictures.Kept(c.Tag)
	return kept
}

// PNG is the game as a picture to pass on. It may wait for others to be painted.
func (c *Record) PNG(ctx context.Context) ([]byte, error) {
	return c.b.Pictures.Keep(ctx, "card", c.Tag, func(w io.Writer) error {
		said, err := shareGame(context.WithoutCancel(ctx), c.b, c.r)
		if err != nil {
			return err
		}
		said.Speak(c.r.Language())
		return said.Chart.PNG(c.b.Pictures.Painter, w, render.DefaultSize)
	})
}

// ErrTooMany is returned to somebody who has asked for too many replays.
var ErrTooMany = errors.New("bot: too many replays")

// GIF is the game as a moving picture, or [ErrTooMany]. It may wait for others to be drawn.
func (c *Record) GIF(ctx context.Context) ([]byte, error) {
	said, err := replayGame(ctx, c.b, c.r)
	if err != nil {
		return nil, err
	}
	if said.Replay == nil {
		return nil, ErrTooMany
	}
	said.For(c.b.audience(c.r))
	film, _, err := said.Moving(ctx)
	return film, err
}

// PGN is the game in PGN, with all that is known of it.
func (c *Record) PGN(ctx context.Context) ([]byte, error) {
	text, err := c.b.Archive.Export(ctx, c.r.View.Game.ID)
	return []byte(text), err
}

// Score is the moves of the game, as chats show them.
func (c *Record) Score(ctx context.Context) ([]byte, error) { return c.text(ctx, showScore) }

// FEN is the game's position as FEN.
func (c *Record) FEN(ctx context.Context) ([]byte, error) { return c.text(ctx, showFEN) }

func (c *Record) text(ctx context.Context, show handler) ([]byte, error) {
	said, err := show(ctx, c.b, c.r)
	if err != nil {
		return nil, err
	}
	said.For(c.b.audience(c.r))
	return []byte(said.Text.Plain() + "\n"), nil
}

// showReview shows how an ended game was played. If a button asks for it, it replaces the message with that button.
func showReview(_ *Bot, r Request, told *opened) *message.Message {
	said := message.Message{To: r.Me.ID, Text: words.Review(told.GameView, told.Story), Chart: words.ReviewChart(told.GameView, told.Story), Step: r.Command == nil}
	for i := range told.TurningPoints {
		label := phrase.As(words.Ply(told.TurningPoints[i].Before, told.TurningPoints[i].Played))
		said.Buttons = append(said.Buttons, told.button(label, "moment", strconv.Itoa(i)).Beside(i+3))
	}
	said.Buttons = append(said.Buttons, told.button(words.Label("marked-moves"), "marked"))
	return &said
}

// showMarked lists all moves of an ended game, with their marks.
func showMarked(_ *Bot, r Request, told *opened) *message.Message {
	return &message.Message{To: r.Me.ID, Text: words.Say("review.moves", "moves", words.Line(told.Start, told.Moves)), Step: true, Buttons: []message.Button{told.button(words.Label("back"), "reviewed")}}
}

// showTurningPoint shows one of the moves that decided an ended game, and what was better.
func showTurningPoint(b *Bot, r Request, told *opened) *message.Message {
	n, err := strconv.Atoi(r.Args[0])
	if err != nil || n < 0 || n >= len(told.TurningPoints) {
		return r.answer(words.Say("request.old-button"))
	}
	m := &told.TurningPoints[n]
	bottom := m.Before.Turn()
	if side, plays := told.Game.SideOf(r.Me.ID); plays {
		bottom = rules.Color(side)
	}
	said := message.Message{To: r.Me.ID, Text: words.TurningPoint(told.GameView, told.Story, n), Step: true}
	then := *told.GameView
	then.Taken = b.Games.Taken(&then.Game, m.Ply)
	setPicture(&said, &then, diagram.Of(m.Before, nil, bottom).ShowMoves(m.Better[0].From, m.Better[:1]))
	next := told.button(words.Label("next"), "moment", strconv.Itoa(n+1))
	said.Buttons = append([]message.Button{told.button(words.Label("back"), "reviewed")}, words.If(n+1 < len(told.TurningPoints), next)...)
	return &said
}

// reviewing makes a handler that shows something of the review of the ended game that a request is about.
func reviewing(show func(*Bot, Request, *opened) *message.Message) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		told, err := open(ctx, b, r, words.Either(r.alone() != 0, 2*time.Second, 0)) // in a group, others would have to wait, too
		switch {
		case err != nil:
			return nil, err
		case told.Story != nil:
			return show(b, r, &told), nil
		case told.soon:
			told.wait.Soon = func(ctx context.Context) (*message.Message, error) {
				told, err := open(storage.AsOfNow(ctx), b, r, time.Hour)
				if err != nil || told.Story == nil {
					return nil, err
				}
				said := show(b, r, &told)
				said.For(b.audience(r))
				return said, nil
			}
		}
		return told.wait, nil
	}
}

// opened is a game with its review.
type opened struct {
	*match.GameView
	*computer.Story                  // nil while it is being made
	wait            *message.Message // what is said meanwhile
	soon            bool             // wait becomes the review when that is ready
}

func (o *opened) button(label phrase.Phrase, verb string, more ...string) message.Button {
	return message.NewButton(label, verb, o.Game.ID, message.None, more...)
}

// open is the ended game that a request is about, with its review, for which it waits no longer than patience.
func open(ctx context.Context, b *Bot, r Request, patience time.Duration) (told opened, err error) {
	id, err := b.ended(ctx, r)
	if err != nil {
		return told, err
	}
	if told.GameView, err = b.Games.LoadFor(ctx, r.by(), id, match.Latest); err != nil {
		return told, err
	}
	switch g := &told.Game; {
	case !g.Over():
		return told, &wordedRefusal{Text: words.Say("review.goes-on", "game", id)}
	case len(g.Moves) < reviewable || told.Start == nil:
		return told, &wordedRefusal{Text: words.Say("review.too-short", "game", id)}
	}
	found, going, err := b.Thinker.Review(ctx, r.Me.ID, id, patience)
	if err != nil {
		return told, err
	}
	if going != nil {
		told.soon = r.Msg.Awaits && going.Game == id
		text := words.Say(words.Either(told.soon, "review.going-shown", "review.going"), "game", id, "span", words.Length(going.In))
		if going.Game != id {
			text = words.Say("review.other", "game", going.Game, "span", words.Length(going.In))
		}
		told.wait = &message.Message{To: r.Me.ID, Text: text, Step: true, Buttons: []message.Button{told.button(words.Label("review"), "reviewed")}}
		return told, nil
	}
	line, err := b.Games.Replay(&told.Game)
	if err != nil {
		return told, err
	}
	told.Story, err = computer.Tell(found, line.Games, line.Moves)
	return told, err
}

// Reviewed is what a review has found in an ended game.
type Reviewed struct {
	Accuracy [2]int     // of White and Black, in per cent
	Chances  []int      // White's at each ply, in per cent
	Moments  []Moment   // the moves that decided it
	Others   []Scored   // other marked moves
	GaveUp   words.Text // tells that somebody resigned a game that was not lost; nil if nobody did
	Told     *Moment    // the marked move that is seen, or that others are tried instead of; nil if that is not marked
	story    *computer.Story
}

// Moment is a bad move.
type Moment struct {
	Ply  int // how many moves had been played before
	Move string
	Tell words.Text // what it cost, and what was better
	Then []Step     // the move and the best answer; nil if it ended the game
	Line []Step     // the best line instead
}

// review adds what a stored review tells of a game that has ended; without one, nothing. If tries, it also shows on the
// board what was better than the next move.
func (b *Bot) review(ctx context.Context, s *BoardView, view *match.GameView, r Request, tries bool) error {
	line, err := b.Games.Replay(&view.Game)
	if err != nil {
		return err
	}
	told, err := storyOf(ctx, b, view.Game.ID, line)
	if told == nil || err != nil {
		return err
	}
	s.Review = &Reviewed{story: told, GaveUp: words.Lines(words.GaveUp(view, told, r.Me.ID)).In(r.Language())}
	for side := range s.Review.Accuracy {
		s.Review.Accuracy[side] = int(math.Round(told.Accuracy[side]))
	}
	for ply, score := range told.Scores {
		s.Review.Chances = append(s.Review.Chances, int(math.Round(100*computer.Chances(score))))
		if ply > 0 {
			s.Score[ply-1].Mark = told.Marks[ply-1]
			if told.Marks[ply-1] != "" && !slices.ContainsFunc(told.TurningPoints, func(m computer.TurningPoint) bool { return m.Ply == ply-1 }) {
				s.Review.Others = append(s.Review.Others, s.Score[ply-1])
			}
		}
	}
	tell := func(m computer.TurningPoint) Moment {
		return Moment{
			m.Ply, words.Ply(m.Before, m.Played) + told.Marks[m.Ply], words.Moment(&m).In(r.Language()),
			words.If(len(m.Answer) > 0, steps(m.Before, append([]rules.Move{m.Played}, m.Answer...), 0)...), steps(m.Before, m.Better, 0),
		}
	}
	s.Review.Moments = phrase.Each(told.TurningPoints, tell)
	for _, m := range told.Marked {
		if m.Ply != words.Either(tries, s.Ply, s.Ply-1) {
			continue
		}
		s.Review.Told = new(tell(m))
		if tries {
			d, better := diagram.Of(m.Before, nil, s.Note.Board.Bottom), m.Better[0]
			d.Marks = append(d.Marks, diagram.Mark{Kind: diagram.Ran, From: better.From, To: better.To, Path: rules.PathOf(better.To)})
			setPicture(&s.Note, view, d)
		}
	}
	return nil
}

// levelButtons begin another game like one against the computer, with the same colours, at a level lower or, unless the
// computer has won, higher. There are none for a game between people.
func levelButtons(g *storage.Game) (all []message.Button) {
	side, level := g.Computer()
	add := func(label phrase.Phrase, other int) {
		if level != 0 && other != 0 {
			all = append(all, likeButton(label, "level", g, other))
		}
	}
	add(words.Label("easier"), match.NextLevel(level, -1))
	add(words.Label("harder"), words.Either(g.Result == rules.WinFor(rules.Color(side)).String(), 0, match.NextLevel(level, 1)))
	return all
}

// likeButton begins another game like one against the computer, at a level and with the same colours.
func likeButton(label phrase.Phrase, verb string, g *storage.Game, level int) message.Button {
	side, _ := g.Computer()
	next := []string{g.Variant, strconv.Itoa(max(level, 0)), strings.ToLower(rules.Color(side).Other().String())}
	if g.Face != "" {
		verb, next = verb+"-as", append(next, g.Face)
	}
	return plainButton(label, verb, next...)
}

// reach are the moves of the side whose piece is on a square, as if it were its turn; none if that can never be.
func reach(pos *rules.Position, on rules.Square) []rules.Move {
	if p := pos.Board()[on]; p.Shared() || p.Half(pos.Turn()) != rules.NoRole {
		return pos.Moves()
	}
	if views := analysis.Views(pos); views != nil {
		return views[0].Moves()
	}
	return nil
}

// Show moves what answers show of the game to the view's board, so that there is no second one.
func (s *BoardView) Show(answers []message.Message) {
	for i := range answers {
		n := &answers[i]
		if n.Board == nil || n.View == nil || n.View.Game.ID != s.Note.View.Game.ID || n.Board.Board != s.Note.Board.Board && !n.Step {
			continue
		}
		n.Board.Bottom = s.Note.Board.Bottom
		for _, m := range s.Note.Board.Marks { // a hint shows what one piece lends; all that was asked for stays
			if n.Step && m.Kind == diagram.Lent && !slices.Contains(n.Board.Marks, m) {
				n.Board.Marks = append(n.Board.Marks, m)
			}
		}
		s.Note.Board, n.Board, s.Threats = n.Board, nil, nil
	}
	s.Plan = render.PlanOf(*s.Note.Board)
}

// around adds what stands beside the board: what else can be done and, of a game that has ended, its review.
func (b *Bot) around(ctx context.Context, s *BoardView, view *match.GameView, r Request, tries bool) (err error) {
	if side, plays := view.Game.SideOf(r.Me.ID); plays {
		s.Side = strings.ToLower(rules.Color(side).String())
	}
	if !s.Over {
		if s.Plays && s.Ply == s.Last {
			s.Useful = spoken(b.moreButtons(view, true, strconv.Itoa(s.Ply)), r.Language())
		}
		return nil
	}
	s.Ended = map[string]string{
		rules.WhiteWins.String(): "white", rules.BlackWins.String(): "black", rules.Drawn.String(): "drawn",
	}[view.Game.Result]
	if tries { // a king that has fallen stands up again
		setPicture(&s.Note, view, diagram.Of(view.Now.Position, view.Effects, s.Note.Board.Bottom))
	}
	if err := b.review(ctx, s, view, r, tries); err != nil {
		return err
	}
	if s.Plays {
		s.Again = append(rematchButton(view), levelButtons(&view.Game)...)
	}
	review := message.NewButton(words.Label("review"), "review", view.Game.ID, message.None)
	s.Again = spoken(append(s.Again, words.If(s.Review == nil && s.Last >= reviewable && r.Me.ID != 0, review)...), r.Language())
	return err
}

// spoken puts buttons into a language.
func spoken(buttons []message.Button, l phrase.Language) []message.Button {
	said := message.Message{Buttons: buttons}
	said.Speak(l)
	return said.Buttons
}
