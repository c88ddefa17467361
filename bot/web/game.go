package web

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"chimera/bot"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/render"
	"chimera/render/diagram"
	"chimera/rules/phrase"
	"chimera/storage"
)

// gamePage is a game.
type gamePage struct {
	page
	ID       storage.GameID
	As       string // who acts, where several sit at one screen
	Game     *bot.BoardView
	Choices  string // as JSON
	View     query  // what is seen
	Lasting  query  // what stays of that when something is done
	Thinks   bool   // whoever sees it thinks ahead
	Explains bool   // pieces are explained, not moved
}

// gameID is the number in a game's address; sentences have no room for larger ones.
func gameID(r *http.Request) (storage.GameID, bool) {
	n, err := strconv.ParseUint(r.PathValue("id"), 10, 63)
	return storage.GameID(n), err == nil && n != 0
}

func (s *Site) game(w http.ResponseWriter, r *http.Request) error {
	id, ok := gameID(r)
	switch m, known := s.visitor(r); {
	case !ok:
		return errMissing
	case known:
		return s.gameWith(w, r, nil)
	default:
		return s.gameOfStranger(w, r, id, m)
	}
}

// gameWith shows a game, and what was said to somebody who did something there.
func (s *Site) gameWith(w http.ResponseWriter, r *http.Request, notes []message.Message) error {
	id, _ := gameID(r)
	view, m, refused, err := s.boardView(r, id, viewOf(r))
	switch {
	case err != nil:
		return err
	case view == nil:
		return s.startWith(w, r, http.StatusNotFound, append(notes, refused...))
	case view.Thought == nil && r.Form.Has(plans): // the moves that were thought of are past
		r.Form.Del(plans)
		return s.gameWith(w, r, notes)
	}
	notes = append(notes, refused...)
	if _, known := s.visitor(r); known && r.Form.Get(how) != "" && r.Method == http.MethodGet {
		notes = append(notes, s.bot.Explain(r.Context(), m, id, r.Form.Get(how))...)
	}
	p, err := s.gamePage(r, view, m, notes)
	if err == nil {
		p.Preview, err = s.preview(r, id, view, p.Language)
	}
	if err != nil {
		return err
	}
	p.ID = id
	return show(w, http.StatusOK, "game", p)
}

func (s *Site) gamePage(r *http.Request, view *bot.BoardView, m message.Incoming, notes []message.Message) (p gamePage, err error) {
	p = gamePage{
		page: s.page(r, m), Game: view,
		Lasting: queryOf(r, lasting...), View: queryOf(r, append([]string{atPly}, lasting...)...),
		Thinks: r.Form.Has(plans), Explains: r.Form.Has(how) && r.Method != http.MethodPost,
	}
	p.Title, p.Notes = view.Title, notes
	if s.here != nil && s.here.plays(view.Turn) {
		p.As = m.From.Address.ID
	}
	list, err := json.Marshal(view.Choices)
	p.Choices = string(list)
	return p, err
}

// Next is where a move leads, or a piece that is asked about: it stands behind that.
func (p gamePage) Next() string {
	switch {
	case p.Explains:
		return p.View.With(how, "") + "&how="
	case p.Thinks:
		return p.Thinking() + "&line="
	}
	return ""
}

// Thinking is the query of the line that is thought of.
func (p gamePage) Thinking() string {
	return p.View.With(plans, "on", line, p.Game.Thought.Line)
}

// Before is that of the line without its last move.
func (p gamePage) Before() string {
	l := p.Game.Thought.Line
	return p.View.With(plans, "on", line, l[:len(l)-1])
}

// act carries out a move or a press.
func (s *Site) act(w http.ResponseWriter, r *http.Request) error {
	id, ok := gameID(r)
	if !ok {
		return errMissing
	}
	m, known, err := s.mover(r, id)
	if err != nil {
		return err
	}
	if !known {
		return errStranger
	}
	m.ID, m.ReplyTo = once(r, m), id
	if press := r.PostFormValue("press"); press != "" {
		m.Press = press
	} else {
		m.Text = r.PostFormValue("text")
	}
	notes, _ := s.bot.Handle(r.Context(), m) // an error has its note
	if !r.URL.Query().Has(asWhom) {
		r.Form.Del(asWhom) // who is to move sees the page next
	}
	return s.gameWith(w, r, notes)
}

// after draws the position after a move, or a line of moves.
func (s *Site) after(w http.ResponseWriter, r *http.Request) error {
	id, _ := gameID(r)
	if _, known := s.visitor(r); !known {
		return errNoFile
	}
	wanted := bot.BoardOptions{Ply: match.Latest, Flip: r.FormValue(flipped) != "", Line: append(slices.Clone(r.Form[line]), r.PathValue("move"))}
	view, _, refused, err := s.boardView(r, id, wanted)
	if err != nil || view == nil || len(refused) > 0 {
		return errNoFile
	}
	d := *view.Note.Board
	d.Bars = nil
	return sendDrawing(w, "no-store", d, render.DefaultSize, view.Note.Language)
}

// sendDrawing answers with a board.
func sendDrawing(w http.ResponseWriter, keep string, d diagram.Diagram, size int, l phrase.Language) error {
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", keep)
	_ = render.SVG(w, d, size, l) // whoever has gone needs no picture
	return nil
}
