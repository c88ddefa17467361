package bot

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"chimera/bot/match"
	"chimera/bot/note"
	"chimera/bot/typed"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/phrase"
)

func (b *Bot) move(ctx context.Context, r request) ([]Note, error) {
	if r.text == "" {
		return []Note{{To: r.me.ID, Text: words.Say("request.which-move"), Asks: true, About: cmp.Or(r.game, r.msg.ReplyTo)}}, nil
	}
	l, err := b.openLesson(ctx, r)
	if err != nil {
		return nil, err
	}
	if l != nil {
		return one(b.Courses.Answer(ctx, r.seat(), l, r.text))
	}
	id, err := b.meant(ctx, r, myTurn(r))
	if err != nil {
		return nil, b.orOver(ctx, r, err)
	}
	seen := r.msg.heard
	if r.sight != nil {
		seen = &r.sight.Game
	}
	d, err := b.Match.Move(ctx, r.by(), id, r.text, seen)
	if no := (*match.Illegal)(nil); errors.As(err, &no) && len(no.Close()) > 0 {
		ask := &errWords{text: words.Of(no.Phrase())}
		for _, text := range no.Close() {
			ask.buttons = append(ask.buttons, note.NewButton(phrase.As(text), "play", id, strconv.Itoa(no.Ply), text))
		}
		return nil, ask
	}
	return r.done(d, err)
}

// bareMove takes a text that names no command for a move, if it can be one.
func (b *Bot) bareMove(ctx context.Context, r request) ([]Note, error) {
	if b.looksLikeMove(r.text) || b.looksLikeMove(r.args[0]) || typed.IsJoin(r.text) {
		return b.move(ctx, r)
	}
	if yes, ok := typed.Answer(r.text); ok {
		return b.sayYesOrNo(ctx, r, yes)
	}
	if wanted, ok := typed.Act(r.args[0]); ok {
		return b.wordMove(ctx, r, wanted)
	}
	if b.callsPiece(r.text) {
		return b.how(ctx, r)
	}
	return r.answer(words.Unknown(r.text, b.nearestTo(r.args))), nil
}

// callsPiece reports whether all of a text is what a piece is called in some game.
func (b *Bot) callsPiece(text string) bool {
	return slices.ContainsFunc(b.Games.Variants(), func(v *rules.Variant) bool { return v.Named(text) != rules.NoRole })
}

// nearestTo is the command that words look like, "" if none; with its move, where that
// follows.
func (b *Bot) nearestTo(typed []string) string {
	first, rest := strings.TrimPrefix(typed[0], "/"), strings.Join(typed[1:], " ")
	near := b.nearest(first)
	if b.looksLikeMove(rest) && (near == "move" || strings.EqualFold(first, "m") || strings.EqualFold(first, "play")) {
		return "move " + rest
	}
	return near
}

// wordMove plays the one legal move that a word and squares tell, as in "merge a1 b1", or
// says how it, or each that fits, is written.
func (b *Bot) wordMove(ctx context.Context, r request, wanted func(rules.Move) bool) ([]Note, error) {
	sight, err := b.toMoveIn(ctx, r)
	if err != nil {
		return nil, err
	}
	var squares []rules.Square
	vague := false // whether the words leave something open that squares would tell
	for _, word := range r.args[1:] {
		switch sq := sight.Variant.Shape.Parse(strings.ToLower(word)); {
		case sq != rules.NoSquare:
			squares = append(squares, sq)
		case strings.ContainsAny(word, "0123456789"):
			return r.answer(words.Say("show.no-square", "word", words.Clip(word))), nil
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
		return r.answer(words.WhichSo(r.text, texts)), nil
	}
	r.game, r.args, r.text = sight.Game.ID, texts, texts[0]
	return b.move(ctx, r)
}

// looksLikeMove reports whether all of a text is written as a move of some game.
func (b *Bot) looksLikeMove(text string) bool {
	return slices.ContainsFunc(b.Games.Variants(), func(v *rules.Variant) bool { return v.MoveLike(text) })
}

// toMoveIn is the game that a request for a move is about, or why there is none.
func (b *Bot) toMoveIn(ctx context.Context, r request) (*match.Sight, error) {
	id, err := b.meant(ctx, r, myTurn(r))
	if err != nil {
		return nil, err
	}
	if r.sight, err = b.Games.See(ctx, r.by(), id, match.Latest); err != nil {
		return nil, err
	}
	return r.sight, r.may(mover)
}
