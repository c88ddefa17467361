package bot

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"chimera/bot/command"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/training"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

func move(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if r.Text == "" {
		return &message.Message{To: r.Me.ID, Text: words.Say("request.which-move"), Asks: true, About: cmp.Or(r.Game, r.Msg.ReplyTo)}, nil
	}
	study, err := b.OpenStudy(ctx, r)
	if err != nil {
		return nil, err
	}
	open, err := b.OpenDaily(ctx, r)
	switch {
	case err != nil:
		return nil, err
	case open != nil && (study == nil || open.Since.After(study.Shown())):
		return one(b.Daily.Try(ctx, r.Me, open.Server, open.Code, open.Turn, r.Text))
	case study != nil:
		return one(study.Try(ctx, r.Text))
	}
	id, err := b.Meant(ctx, r, MyTurn(r))
	if err != nil {
		return nil, b.OrOver(ctx, r, err)
	}
	seen := r.Msg.Heard
	if r.View != nil {
		seen = &r.View.Game
	}
	d, err := b.Match.Move(ctx, r.By(), id, r.Text, seen)
	if no := (*match.Illegal)(nil); errors.As(err, &no) {
		return nil, illegal(b, r, id, no)
	}
	return r.Done(d, err)
}

// illegal refuses a move, with those close to it, and with the lesson that explains why unless the
// asker has done that; or with the way back to what they have left, where it is a move.
func illegal(b *Bot, r Request, id storage.GameID, no *match.Illegal) *Refused {
	refused := &Refused{Text: words.Of(no.Phrase()), Why: no}
	back := r.Msg.Private || !r.Msg.Alone && r.Msg.ReplyTo == 0 && r.Msg.Heard == nil // else it would be for the game again
	if left := b.Before(r.Seat()); back && left != nil && !left.Solved() && left.Legal(r.Text) {
		_, inPuzzle := left.(*training.Attempt)
		refused.Text = words.Of(refused.Text, "\n", words.Say("request.go-back", "puzzle", inPuzzle))
		return refused
	}
	for _, text := range no.Close() {
		refused.Buttons = append(refused.Buttons, message.NewButton(phrase.As(text), "play", id, strconv.Itoa(no.Ply), text))
	}
	lead := no.Lead
	if lead.Number == 0 || len(no.Asked()) > 0 || no.Written != "" || r.Me.Studies.Done[lead.Variant.Key] >= lead.Number {
		return refused
	}
	refused.Text = words.Advised(refused.Text, lead)
	refused.Buttons = append(refused.Buttons, message.LeadButtons(lead)...)
	return refused
}

// bareMove takes a text that names no command for a move, if it can be one.
func bareMove(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if b.LooksLikeMove(r.Text) || b.LooksLikeMove(r.Args[0]) || command.IsJoin(r.Text) {
		return move(ctx, b, r)
	}
	if yes, ok := command.YesOrNo(r.Text); ok {
		return sayYesOrNo(ctx, b, r, yes)
	}
	if wanted, ok := command.Act(r.Args[0]); ok {
		return wordMove(ctx, b, r, wanted)
	}
	if callsPiece(b, r.Text) {
		return How(ctx, b, r)
	}
	return r.Answer(words.Unknown(r.Text, nearestTo(b, r.Args))), nil
}

// callsPiece reports whether all of a text is what a piece is called in some game.
func callsPiece(b *Bot, text string) bool {
	return slices.ContainsFunc(b.Games.Variants(), func(v *rules.Variant) bool { return v.Named(text) != rules.NoRole })
}

// nearestTo is the command that words look like, "" if none; with its move, where that
// follows.
func nearestTo(b *Bot, typed []string) string {
	first, rest := strings.TrimPrefix(typed[0], "/"), strings.Join(typed[1:], " ")
	near := b.Commands.Nearest(first)
	if b.LooksLikeMove(rest) && (near == "move" || strings.EqualFold(first, "m") || strings.EqualFold(first, "play")) {
		return "move " + rest
	}
	return near
}

// wordMove plays the one legal move that a word and squares tell, as in "merge a1 b1", or
// says how it, or each that fits, is written.
func wordMove(ctx context.Context, b *Bot, r Request, wanted func(rules.Move) bool) (*message.Message, error) {
	sight, err := b.ToMoveIn(ctx, r)
	if err != nil {
		return nil, err
	}
	var squares []rules.Square
	vague := false // whether the words leave something open that squares would tell
	for _, word := range r.Args[1:] {
		switch sq := sight.Variant.Shape.Parse(strings.ToLower(word)); {
		case sq != rules.NoSquare:
			squares = append(squares, sq)
		case strings.ContainsAny(word, "0123456789"):
			return r.Answer(words.Say("show.no-square", "word", words.Clip(word))), nil
		case !slices.Contains([]string{"to", "on", "at", "from", "onto", "into"}, strings.ToLower(word)):
			vague = true // such as "and", which does not say where they join
		}
	}
	pos := sight.Now.Position
	var texts, ordered []string // ordered are those from the first square to the second
	moves := pos.Moves()
	for i, text := range pos.ChatTexts() {
		m := moves[i]
		touched := []rules.Square{m.From, m.To}
		if m.Act == rules.Rally {
			touched = append(touched, m.With)
		}
		if wanted(m) && !slices.ContainsFunc(squares, func(sq rules.Square) bool { return !slices.Contains(touched, sq) }) {
			texts = append(texts, text)
			if len(squares) == 2 && m.From == squares[0] && m.To == squares[1] {
				ordered = append(ordered, text)
			}
		}
	}
	if len(ordered) == 1 && !vague {
		texts = ordered
	}
	if len(texts) != 1 || len(squares) == 0 || vague {
		return r.Answer(words.WhichSo(r.Text, texts)), nil
	}
	r.Game, r.Args, r.Text = sight.Game.ID, texts, texts[0]
	return move(ctx, b, r)
}
