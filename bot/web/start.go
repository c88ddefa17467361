package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/rules/phrase"
	"chimera/storage"
)

// startPage is where games begin.
type startPage struct {
	page
	Known  bool // whoever sees it is no stranger
	Here   bool // two sit at this screen
	Kinds  []bot.Guide
	Levels []phrase.Phrase // from the lowest
	Games  []game
}

type game struct {
	ID   storage.GameID
	Kind string
	Mine bool
}

func (s *Site) start(w http.ResponseWriter, r *http.Request) error {
	return s.startWith(w, r, http.StatusOK, nil)
}

func (s *Site) startWith(w http.ResponseWriter, r *http.Request, status int, notes []message.Message) error {
	m, known := s.visitor(r)
	p := startPage{page: s.page(r, m), Known: known, Here: s.here != nil}
	p.Title, p.Notes, p.Kinds, p.Levels = "Chimera", notes, s.bot.Guides(p.Language), bot.Levels()
	if !known {
		return show(w, status, "start", p)
	}
	asker, _ := s.bot.Asker(r.Context(), m)
	playing, err := s.bot.Games.Playing(r.Context(), asker.Me.ID)
	if err != nil {
		return err
	}
	for _, g := range slices.Backward(playing) {
		p.Games = append(p.Games, game{g.ID, s.bot.Games.Variant(g.Variant).Name, g.Players[g.Turn] == asker.Me.ID})
	}
	return show(w, status, "start", p)
}

// begin begins a game.
func (s *Site) begin(w http.ResponseWriter, r *http.Request) error {
	word := func(name string) string { return strings.Join(strings.Fields(r.PostFormValue(name)), "") }
	m, known := s.visitor(r)
	if !known {
		return errStranger
	}
	against := word("against")
	guest := s.here != nil && against == "guest"
	if guest {
		m.Text = strings.Join([]string{"challenge @guest", word("game"), word("color"), "0d", "unrated"}, " ")
	} else {
		m.Text = strings.Join([]string{"play", word("game"), against, word("color")}, " ")
	}
	notes, _ := s.bot.Handle(r.Context(), m) // an error has its note
	id := begun(notes)
	if guest && id != 0 {
		guest := s.here.message(r, s.here.guest)
		guest.Text = "accept #" + strconv.FormatUint(uint64(id), 10)
		notes, _ = s.bot.Handle(r.Context(), guest)
		id = begun(notes)
	}
	if id == 0 {
		return s.startWith(w, r, http.StatusUnprocessableEntity, notes)
	}
	http.Redirect(w, r, gamePath(id), http.StatusSeeOther)
	return nil
}

func gamePath(id storage.GameID) string { return "/game/" + strconv.FormatUint(uint64(id), 10) }

// begun is the game of the first answer that reports success, or 0.
func begun(notes []message.Message) storage.GameID {
	for _, n := range notes {
		if n.Ack {
			return n.About
		}
	}
	return 0
}
