package bot

import (
	"context"
	"slices"
	"strings"

	"chimera/bot/words"
	"chimera/rules"
)

// act is what a word such as "merge" wants done; false for another word.
func act(word string) (wanted func(rules.Move) bool, ok bool) {
	switch strings.ToLower(strings.TrimPrefix(word, "/")) {
	case "merge", "join", "combine":
		return func(m rules.Move) bool { return m.Act == rules.Merge || m.Act == rules.Rally }, true
	case "split":
		return func(m rules.Move) bool { return m.Act == rules.Split }, true
	}
	return nil, false
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
			return r.answer(words.NoSquare(word)), nil
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
