package bot

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"chimera/bot/command"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/analysis"
)

// How tells what the piece on a square of a game may do, or what a piece of that
// name can do at all.
func How(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	var named *rules.Variant
	var said []string
	for _, word := range r.Args {
		if v := b.Games.Variant(strings.ToLower(word)); v != nil && named == nil {
			named = v
			continue
		}
		said = append(said, word)
	}
	piece := strings.Trim(strings.Join(said, " "), "[]")
	if piece == "" {
		return r.Answer(words.Say("show.how-what")), nil
	}
	switch {
	case named != nil && named.Shape.Parse(strings.ToLower(piece)) != rules.NoSquare:
		return r.Answer(words.Say("show.how-what")), nil // only a game has something on its squares
	case named != nil:
		return howPiece(r, []*rules.Variant{named}, piece)
	}
	sight, err := b.Shown(ctx, r, match.Latest)
	var several *Several
	switch {
	case err == nil:
		if sq := sight.Variant.Shape.Parse(strings.ToLower(piece)); sq != rules.NoSquare {
			return howSquare(r, sight, sq), nil
		}
		return howPiece(r, []*rules.Variant{sight.Variant}, piece)
	case command.IsSquare(piece), r.Game != 0 || r.Msg.ReplyTo != 0:
		return nil, err // a square is one of a game's
	case errors.Is(err, ErrNoGame), errors.As(err, &several):
		return howPiece(r, b.Games.Variants(), piece)
	}
	return nil, err
}

// howSquare tells of the piece on a square, and shows where it may go now.
func howSquare(r Request, s *match.GameView, sq rules.Square) *message.Message {
	texts := legal(s.Now.Position, sq)
	lead := s.Variant.Showing(s.Now.Position.Board()[sq])
	said := message.Message{To: r.Me.ID, Text: words.Advised(words.HowSquare(s, sq, texts), lead), Buttons: message.LeadButtons(lead)}
	if len(texts) > 0 && !s.Game.Over() {
		pos := s.Now.Position
		d := diagram.Of(pos, s.Effects, pos.Turn()).ShowMoves(sq, pos.Moves()).ShowZones(pos.Influences())
		Picture(&said, s, d)
		said.Legend = words.ZoneLegend(d)
	}
	return &said
}

// howPiece tells of a piece in the first game that has it, and shows its card.
func howPiece(r Request, all []*rules.Variant, piece string) (*message.Message, error) {
	for _, v := range all {
		called := command.Piece(v, piece)
		if called == (rules.Piece{}) {
			continue
		}
		said, err := pieceCard(v, called)
		if err != nil {
			return nil, err
		}
		lead := v.Showing(called)
		said.To, said.Text, said.Buttons = r.Me.ID, words.Advised(said.Text, lead), message.LeadButtons(lead)
		return &said, nil
	}
	if command.IsSquare(piece) {
		return r.Answer(words.Say("show.how-no-square", "word", piece)), nil
	}
	if one := onlyPiece(all, piece); one != "" {
		return howPiece(r, all, one)
	}
	return r.Answer(words.NoSuchPiece(all, piece)), nil
}

// Card tells of a piece of a game, and shows what it can do.
func pieceCard(v *rules.Variant, p rules.Piece) (message.Message, error) {
	power, err := analysis.Of(v, p)
	card := diagram.Card(v, power)
	return message.Message{Text: words.Piece(v, p), Board: &card, Legend: words.Card(v, p, power), Size: render.Medium}, err
}

// onlyPiece is the word of a question that names a piece, as in "how does the knight move"; "" where
// none does, or several do.
func onlyPiece(all []*rules.Variant, question string) (found string) {
	said := strings.Fields(question)
	if len(said) < 2 {
		return ""
	}
	for _, word := range said {
		word = strings.Trim(word, "?!.,")
		names := func(v *rules.Variant) bool { return command.Piece(v, word) != (rules.Piece{}) }
		if utf8.RuneCountInString(word) < 3 || !slices.ContainsFunc(all, names) {
			continue
		}
		if found != "" {
			return ""
		}
		found = word
	}
	return found
}
