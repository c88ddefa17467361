package bot

import (
	"slices"

	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
)

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
