package web

import (
	"net/http"

	"chimera/bot"
)

// rulesPage lists the games, or has the rules of one.
type rulesPage struct {
	page
	Games []bot.Guide
	*bot.Guide
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
	game := r.PathValue("game")
	key := game + " " + string(p.Language)
	if kept, ok := s.guides.Load(key); ok {
		send(w, http.StatusOK, kept.([]byte))
		return nil
	}
	var err error
	if p.Guide, err = s.bot.Guide(game, p.Language); err != nil {
		return err
	}
	if p.Guide == nil {
		return errMissing
	}
	p.Title = p.Name
	text, err := written("rules-of", p)
	if err == nil {
		s.guides.Store(key, text)
		send(w, http.StatusOK, text)
	}
	return err
}
