package web

import (
	"html/template"
	"net/http"
	"sync"

	"chimera/bot"
	"chimera/rules/phrase"
)

// rulesPage lists the games, or has the rules of one.
type rulesPage struct {
	page
	Games []bot.Guide
	*rulesOf
}

// rulesOf is the rules of a game, drawn.
type rulesOf struct {
	*bot.Guide
	Text   []template.HTML // in paragraphs
	Board  template.HTML
	Pieces []piece
}

type piece struct {
	bot.GuidePiece
	Card template.HTML
}

// guides keeps the rules of games as they were drawn: there are as many as games and languages.
type guides struct{ drawn sync.Map }

type guideKey struct {
	game string
	in   phrase.Language
}

// of is the rules of a game in a language, nil if there is no such game.
func (g *guides) of(b *bot.Bot, game string, l phrase.Language) (*rulesOf, error) {
	key := guideKey{game, l}
	if known, ok := g.drawn.Load(key); ok {
		return known.(*rulesOf), nil
	}
	guide, err := b.Guide(game, l)
	if guide == nil || err != nil {
		return nil, err
	}
	of := &rulesOf{Guide: guide, Text: paragraphs(guide.Rules)}
	if of.Board, err = drawing(guide.Start, l); err != nil {
		return nil, err
	}
	for _, p := range guide.Pieces {
		card, err := drawing(p.Card, l)
		if err != nil {
			return nil, err
		}
		of.Pieces = append(of.Pieces, piece{p, card})
	}
	g.drawn.Store(key, of)
	return of, nil
}

// rules shows of which games there are rules.
func (s *Site) rules(w http.ResponseWriter, r *http.Request) error {
	p := rulesPage{page: s.pageFor(r)}
	p.Title, p.Games = book.Say("rules").Text(p.Language), s.bot.Guides(p.Language)
	return show(w, http.StatusOK, "rules", p)
}

// rulesOf shows the rules of a game.
func (s *Site) rulesOf(w http.ResponseWriter, r *http.Request) error {
	p := rulesPage{page: s.pageFor(r)}
	var err error
	if p.rulesOf, err = s.guides.of(s.bot, r.PathValue("game"), p.Language); err != nil {
		return err
	}
	if p.rulesOf == nil {
		return errMissing
	}
	p.Title = p.Name
	return show(w, http.StatusOK, "rules-of", p)
}
