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
	"chimera/rules/phrase"
)

func showRules(_ context.Context, b *Bot, r Request) (*message.Message, error) {
	if len(r.Args) == 0 {
		return listRules(b, r), nil
	}
	v := command.Variant(b.Games.Variants(), r.Args...)
	if v == nil {
		return r.answer(words.NoVariant("rules", r.Text, command.LikelyVariants(b.Games.Variants(), r.Text), b.Games.Variants())), nil
	}
	start, err := v.Position("")
	if err != nil {
		return nil, err
	}
	d := diagram.Of(start, nil, rules.White)
	said := message.Message{To: r.Me.ID, Text: words.Rules(v), Board: &d, Step: r.Msg.Press != ""}
	if len(v.Course) > 0 {
		said.Buttons = append(said.Buttons, message.NewButton(words.Label("learn"), "learn", 0, message.None, v.Key))
	}
	said.Buttons = append(said.Buttons,
		message.NewButton(words.Label("play-me"), "play-game", 0, message.None, v.Key),
		message.NewButton(words.Label("back"), "rules", 0, message.None))
	return &said, nil
}

// listRules lets somebody choose a game whose rules they want.
func listRules(b *Bot, r Request) *message.Message {
	said := message.Message{To: r.Me.ID, Text: words.ListRules(b.Games.Variants()), Step: r.Msg.Press != ""}
	for _, v := range b.Games.Variants() {
		said.Buttons = append(said.Buttons, message.NewButton(phrase.As(v.Name), "rules-of", 0, message.None, v.Key).Choose(v.About))
	}
	if said.Step {
		said.Buttons = append(said.Buttons, toHello())
	}
	return &said
}

// Guide is the rules of a game, with pictures, in a language.
type Guide struct {
	Key, Name, About string
	Rules            words.Text
	Start            diagram.Diagram
	Pieces           []GuidePiece // those at the start, and the one that the game is known by
}

// GuidePiece is a piece of a Guide.
type GuidePiece struct {
	Name, Does string
	Card       diagram.Diagram // what it can do
}

// Guides are the rules of all games in short, without pictures.
func (b *Bot) Guides(l phrase.Language) (all []Guide) {
	for _, v := range b.Games.Variants() {
		all = append(all, Guide{Key: v.Key, Name: v.Name, About: v.About.Text(l)})
	}
	return all
}

// Guide is the rules of the game of a key; nil if there is no such game. It takes up to a tenth of a second.
func (b *Bot) Guide(game string, l phrase.Language) (*Guide, error) {
	v := b.Games.Variant(game)
	if v == nil {
		return nil, nil
	}
	start, err := v.Position("")
	if err != nil {
		return nil, err
	}
	g := &Guide{
		Key: v.Key, Name: v.Name, About: v.About.Text(l), Rules: words.Of(v.Rules).In(l),
		Start: diagram.Of(start, nil, rules.White),
	}
	for _, p := range guided(v, start) {
		card, err := pieceCard(v, p)
		if err != nil {
			return nil, err
		}
		card.Legend[0].Line = phrase.Phrase{} // the same as Does
		card.Speak(l)
		g.Pieces = append(g.Pieces, GuidePiece{words.Of(v.Noun(p)).In(l).Plain(), words.Of(v.What(p)).In(l).Plain(), *card.Board})
	}
	return g, nil
}

// guided are the pieces that a Guide tells of, in the order of the game's piece table.
func guided(v *rules.Variant, start *rules.Position) (all []rules.Piece) {
	board, emblem := start.Board(), words.Emblem(v)
	for r := range v.Table[1:] {
		if p := rules.PieceOf(rules.White, rules.Role(r+1)); p == emblem || slices.Contains(board[:], p) {
			all = append(all, p)
		}
	}
	if emblem.Shared() {
		all = append(all, emblem)
	}
	return all
}

// tellHow tells what the piece on a square of a game may do, or what a piece of that
// name can do at all.
func tellHow(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
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
		return r.answer(words.Say("show.how-what")), nil
	}
	switch {
	case named != nil && named.Shape.Parse(strings.ToLower(piece)) != rules.NoSquare:
		return r.answer(words.Say("show.how-what")), nil // only a game has something on its squares
	case named != nil:
		return howPiece(r, []*rules.Variant{named}, piece)
	}
	view, err := b.shown(ctx, r, match.Latest)
	var several *severalGames
	switch {
	case err == nil:
		if sq := view.Variant.Shape.Parse(strings.ToLower(piece)); sq != rules.NoSquare {
			return howSquare(r, view, sq), nil
		}
		return howPiece(r, []*rules.Variant{view.Variant}, piece)
	case command.IsSquare(piece), r.Game != 0 || r.Msg.ReplyTo != 0:
		return nil, err // a square is one of a game's
	case errors.Is(err, errNoGame), errors.As(err, &several):
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
		setPicture(&said, s, d)
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
		return r.answer(words.Say("show.how-no-square", "word", piece)), nil
	}
	if one := onlyPiece(all, piece); one != "" {
		return howPiece(r, all, one)
	}
	return r.answer(words.NoSuchPiece(all, piece)), nil
}

// pieceCard tells of a piece of a game, and shows what it can do.
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
