package bot

import (
	"context"
	"strconv"
	"time"

	"chimera/bot/computer"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
)

// showReview shows how an ended game was played; by its own button, in the place of what leads to it. Nothing of that is told as long as a game goes on.
func showReview(r Request, told *opened) *message.Message {
	said := message.Message{To: r.Me.ID, Text: words.Review(told.GameView, told.Story), Chart: words.ReviewChart(told.GameView, told.Story), Step: r.Command == nil}
	for i := range told.TurningPoints {
		label := phrase.As(words.MomentLabel(told.GameView, &told.TurningPoints[i]))
		said.Buttons = append(said.Buttons, told.button(label, "moment", strconv.Itoa(i)))
	}
	return &said
}

// showTurningPoint shows one of the moves that decided an ended game, and what was better.
func showTurningPoint(r Request, told *opened) *message.Message {
	n, err := strconv.Atoi(r.Args[0])
	if err != nil || n < 0 || n >= len(told.TurningPoints) {
		return r.answer(words.Say("request.old-button"))
	}
	m := &told.TurningPoints[n]
	bottom := m.Before.Turn()
	if side, plays := told.Game.SideOf(r.Me.ID); plays {
		bottom = rules.Color(side)
	}
	said := message.Message{To: r.Me.ID, Text: words.Moment(told.GameView, told.Story, n), Step: true}
	setPicture(&said, told.GameView, diagram.Of(m.Before, nil, bottom).ShowMoves(m.Better[0].From, m.Better[:1]))
	said.Buttons = []message.Button{told.button(words.Label("back"), "reviewed")}
	if n+1 < len(told.TurningPoints) {
		said.Buttons = append(said.Buttons, told.button(words.Label("next"), "moment", strconv.Itoa(n+1)))
	}
	return &said
}

// reviewing shows something of the ended game that a request is about, by its review.
func reviewing(show func(Request, *opened) *message.Message) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		told, err := open(ctx, b, r)
		if err != nil || told.Story == nil {
			return told.wait, err
		}
		return show(r, &told), nil
	}
}

// opened is a game with its review.
type opened struct {
	*match.GameView
	*computer.Story                  // nil as long as it is being made
	wait            *message.Message // what is said meanwhile
}

func (o *opened) button(label phrase.Phrase, verb string, more ...string) message.Button {
	return message.NewButton(label, verb, o.Game.ID, message.None, more...)
}

// open is the ended game that a request is about, with its review.
func open(ctx context.Context, b *Bot, r Request) (told opened, err error) {
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
	patience := time.Duration(0) // others wait behind this
	if r.alone() != 0 {
		patience = 2 * time.Second
	}
	found, going, err := b.Thinker.Review(ctx, r.Me.ID, id, patience)
	if err != nil {
		return told, err
	}
	if going != nil {
		text := words.Say("review.going", "game", id, "span", words.Length(going.In))
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
