package web

import (
	"net/http"
	"strings"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/render"
	"chimera/render/diagram"
	"chimera/storage"
)

// gamesPage is what the visitor has going on.
type gamesPage struct {
	page
	Whose storage.PersonID
	Parts []gamesPart
}

// gamesPart is lines under a heading.
type gamesPart struct {
	Key    string // of its heading
	Lines  []bot.AgendaLine
	Boards bool // are shown beside them
}

func (s *Site) games(w http.ResponseWriter, r *http.Request) error { return s.gamesWith(w, r, nil) }

// gamesWith shows the games of the visitor, and what was said to them who pressed something there.
func (s *Site) gamesWith(w http.ResponseWriter, r *http.Request, notes []message.Message) error {
	m, known := s.visitor(r)
	if !known {
		return errStranger
	}
	agenda, err := s.bot.Agenda(r.Context(), m)
	if err != nil {
		return err
	}
	p := gamesPage{page: s.page(r, m), Whose: agenda.Whose}
	p.Title, p.Notes = book.Say("games-title").Text(p.Language), notes
	for _, part := range []gamesPart{
		{"games-mine", agenda.Mine, true},
		{"games-offers", agenda.Offers, false},
		{"games-theirs", agenda.Theirs, true},
		{"games-ended", agenda.Ended, true},
	} {
		if len(part.Lines) > 0 {
			p.Parts = append(p.Parts, part)
		}
	}
	return show(w, http.StatusOK, "games", p)
}

// press presses a button on the page of the visitor's games. Joining a game leads to it.
func (s *Site) press(w http.ResponseWriter, r *http.Request) error {
	m, known := s.visitor(r)
	if !known {
		return errStranger
	}
	m.ID, m.Press = once(r, m), r.PostFormValue("press")
	notes, _ := s.bot.Handle(r.Context(), m) // an error has its note
	if id := begun(notes); id != 0 && strings.HasPrefix(m.Press, "join ") {
		http.Redirect(w, r, gamePath(id), http.StatusSeeOther)
		return nil
	}
	return s.gamesWith(w, r, notes)
}

// thumbnail draws the board of a game as the visitor sees it. Its address names the revision of the game,
// so that it can be kept.
func (s *Site) thumbnail(w http.ResponseWriter, r *http.Request) error {
	id, ok := gameID(r)
	if !ok {
		return errNoFile
	}
	m, _ := s.visitor(r)
	n, err := s.bot.Thumbnail(r.Context(), m, id)
	if err != nil {
		return err
	}
	if n == nil {
		return errNoFile
	}
	d := *n.Board
	d.Bars, d.Coords = nil, diagram.NoCoords
	return sendDrawing(w, "private, max-age=86400", d, render.Small, s.bot.Language(r.Context(), m))
}
