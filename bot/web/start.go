package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render"
	"chimera/render/diagram"
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
	p := startPage{page: s.page(r), Known: known, Here: s.here != nil}
	p.Title, p.Notes, p.Kinds, p.Levels = "Chimera", notes, s.bot.Guides(p.Language), words.Levels()
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
	m, _ := s.visitor(r)
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
	http.Redirect(w, r, s.GamePath(id), http.StatusSeeOther)
	return nil
}

// begun is the game of the first answer that reports success, or 0.
func begun(notes []message.Message) storage.GameID {
	for _, n := range notes {
		if n.Ack {
			return n.About
		}
	}
	return 0
}

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
	m, _ := s.visitor(r)
	agenda, err := s.bot.Agenda(r.Context(), m)
	if err != nil {
		return err
	}
	p := gamesPage{page: s.titled(r, "games-title"), Whose: agenda.Whose}
	p.Notes = notes
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
	m, _ := s.visitor(r)
	m.ID, m.Press = once(r, m), r.PostFormValue("press")
	notes, _ := s.bot.Handle(r.Context(), m) // an error has its note
	if id := begun(notes); id != 0 && strings.HasPrefix(m.Press, "join ") {
		http.Redirect(w, r, s.GamePath(id), http.StatusSeeOther)
		return nil
	}
	return s.gamesWith(w, r, notes)
}

// thumbnail draws the board of a game as the visitor sees it. Its address names the revision of the game,
// so that it can be kept.
func (s *Site) thumbnail(w http.ResponseWriter, r *http.Request) error {
	id, ok := s.gameID(r)
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
