package web

import (
	"encoding/json"
	"html/template"
	"net/http"
	"strconv"

	"chimera/bot"
	"chimera/render"
)

// gamePage is a game.
type gamePage struct {
	page
	ID      bot.GameID
	Action  string // where forms are sent: they come back to what is seen
	As      string // who acts, where several sit at one screen
	Seat    *bot.Seat
	Words   template.HTML
	Board   template.HTML
	Rows    [][]field
	Choices string // as JSON
}

type field struct {
	render.Field
	Label string
}

func gameID(r *http.Request) (bot.GameID, bool) {
	n, err := strconv.ParseUint(r.PathValue("id"), 10, 64)
	return bot.GameID(n), err == nil && n != 0
}

func (s *Site) game(w http.ResponseWriter, r *http.Request) {
	s.gameWith(w, r, nil)
}

// gameWith shows a game, and what was said to somebody who did something there.
func (s *Site) gameWith(w http.ResponseWriter, r *http.Request, notes []bot.Note) {
	id, ok := gameID(r)
	ply := bot.Latest
	if n, err := strconv.Atoi(r.FormValue("ply")); err == nil && n >= 0 {
		ply = n
	}
	var seat *bot.Seat
	var m bot.Message
	var err error
	if ok {
		var refused []bot.Note
		if seat, m, refused, err = s.seat(r, id, ply); len(notes) == 0 {
			notes = refused
		}
	}
	switch {
	case err != nil:
		s.fail(w, r, err)
		return
	case seat == nil:
		s.startWith(w, r, http.StatusNotFound, notes)
		return
	}
	p := gamePage{page: s.page(r, m), ID: id, Seat: seat, Words: markup(seat.Note.Text)}
	p.Title, p.Action = seat.Title, r.URL.RequestURI()
	if s.here != nil && s.here.plays(seat) {
		p.As = m.From.Address.ID
	}
	if p.Preview, err = s.preview(r, id, seat, p.Language); err == nil {
		p.Notes, err = spell(notes)
	}
	if err == nil {
		p.Board, err = drawing(*seat.Note.Board, p.Language)
	}
	var list []byte
	if err == nil {
		list, err = json.Marshal(seat.Choices)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	p.Choices = string(list)
	for _, row := range seat.Plan.Rows {
		var fields []field
		for _, f := range row {
			fields = append(fields, field{f, f.Says.Text(p.Language)})
		}
		p.Rows = append(p.Rows, fields)
	}
	s.show(w, r, http.StatusOK, "game", p)
}

// act carries out a move or a press.
func (s *Site) act(w http.ResponseWriter, r *http.Request) {
	id, ok := gameID(r)
	if !ok {
		s.missing(w, r)
		return
	}
	m, known, err := s.mover(r, id)
	switch {
	case err != nil:
		s.fail(w, r, err)
		return
	case !known:
		s.startWith(w, r, http.StatusForbidden, nil)
		return
	}
	m.ID, m.ReplyTo = once(r, m), id
	if press := r.PostFormValue("press"); press != "" {
		m.Press = press
	} else {
		m.Text = r.PostFormValue("text")
	}
	notes, _ := s.bot.Handle(r.Context(), m) // an error has its note
	r.Form.Del("ply")
	if !r.URL.Query().Has("as") {
		r.Form.Del("as") // who is to move sees the page next
	}
	s.gameWith(w, r, notes)
}

// after draws the position after a move.
func (s *Site) after(w http.ResponseWriter, r *http.Request) {
	id, _ := gameID(r)
	_, known := s.visitor(r)
	seat, m, _, err := s.seat(r, id, bot.Latest)
	if err != nil || seat == nil || !known {
		http.NotFound(w, r)
		return
	}
	m.Press = "sure " + strconv.FormatUint(uint64(id), 10) + " " + strconv.Itoa(seat.Last) + " " + r.PathValue("move")
	notes, err := s.bot.Handle(r.Context(), m)
	if err != nil || len(notes) == 0 || notes[0].Board == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "no-store")
	d := *notes[0].Board
	d.Bars = nil
	_ = render.SVG(w, d, render.DefaultSize, notes[0].Language) // who has gone needs no picture
}
