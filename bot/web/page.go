package web

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"chimera/bot"
	"chimera/render"
	"chimera/render/diagram"
	"chimera/rules/phrase"
)

//go:embed words
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

// Book has what pages say beside what the bot does.
func Book() *phrase.Book { return book }

//go:embed pages
var pages embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{ //nolint:gochecknoglobals // read once, never written
	"say": func(l phrase.Language, key string, parts ...any) string { return book.Say(key, parts...).Text(l) },
}).ParseFS(pages, "pages/*.html"))

// page is what every page has.
type page struct {
	Language phrase.Language
	Title    string
	Notes    []said
}

// said is a note on a page.
type said struct {
	Text    template.HTML
	Buttons []bot.Button
	Board   template.HTML // a drawing, "" for none
}

// language is the first of those that a request's author reads, "" if they don't say.
func language(r *http.Request) string {
	first, _, _ := strings.Cut(r.Header.Get("Accept-Language"), ",")
	first, _, _ = strings.Cut(first, ";")
	return strings.TrimSpace(first)
}

func (s *Site) page(r *http.Request, from bot.Message) page {
	return page{Language: s.bot.Language(r.Context(), from)}
}

// show writes a page.
func (s *Site) show(w http.ResponseWriter, r *http.Request, status int, name string, data any) {
	var out bytes.Buffer
	if err := templates.ExecuteTemplate(&out, name, data); err != nil {
		s.log.ErrorContext(r.Context(), "page failed", "page", name, "err", err)
		http.Error(w, "Something went wrong here: try again.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(out.Bytes()) // who has gone needs no page
}

// spell writes notes for a page.
func spell(notes []bot.Note) (all []said, err error) {
	for _, n := range notes {
		if n.Ack {
			continue // it is seen
		}
		text := said{Text: markup(n.Text), Buttons: n.Buttons}
		if n.Board != nil {
			if text.Board, err = drawing(*n.Board, n.Language); err != nil {
				return nil, err
			}
		}
		all = append(all, text)
	}
	return all, nil
}

// markup is a text as HTML.
func markup(t bot.Text) template.HTML {
	var out strings.Builder
	for _, s := range t {
		text := strings.ReplaceAll(template.HTMLEscapeString(s.Words), "\n", "<br>")
		switch s.Style {
		case bot.Bold:
			text = "<b>" + text + "</b>"
		case bot.Code, bot.Same:
			text = "<code>" + text + "</code>"
		case bot.Plain, bot.Named, bot.Link: // an address can be copied
		}
		out.WriteString(text)
	}
	return template.HTML(out.String()) //nolint:gosec // what people wrote is escaped
}

// drawing is a board as a drawing.
func drawing(d diagram.Diagram, l phrase.Language) (template.HTML, error) {
	var out strings.Builder
	err := render.SVG(&out, d, render.DefaultSize, l)
	return template.HTML(out.String()), err //nolint:gosec // SVG escapes what people wrote
}

// startPage is where games begin.
type startPage struct {
	page
	Kinds  []kind
	Levels []int
	Games  []game
}

type kind struct {
	Key, Name, About string
}

type game struct {
	ID   bot.GameID
	Kind string
	Mine bool
}

func (s *Site) start(w http.ResponseWriter, r *http.Request) {
	s.startWith(w, r, http.StatusOK, nil)
}

func (s *Site) startWith(w http.ResponseWriter, r *http.Request, status int, notes []bot.Note) {
	p := startPage{page: s.page(r, s.here.message(r, s.here.host)), Levels: []int{1, 2, 3, 4, 5, 6, 7, 8}}
	p.Title = "Chimera"
	var err error
	if p.Notes, err = spell(notes); err != nil {
		s.fail(w, r, err)
		return
	}
	for _, v := range s.services.Games.Variants() {
		p.Kinds = append(p.Kinds, kind{v.Key, v.Name, v.About.Text(p.Language)})
	}
	playing, err := s.services.Games.Playing(r.Context(), s.here.ids[0])
	if err != nil {
		s.fail(w, r, err)
		return
	}
	for _, g := range slices.Backward(playing) {
		p.Games = append(p.Games, game{g.ID, s.services.Games.Variant(g.Variant).Name, g.Players[g.Turn] == s.here.ids[0]})
	}
	s.show(w, r, status, "start", p)
}

func (s *Site) fail(w http.ResponseWriter, r *http.Request, err error) {
	s.log.ErrorContext(r.Context(), "page failed", "path", r.URL.Path, "err", err)
	http.Error(w, "Something went wrong here: try again.", http.StatusInternalServerError)
}

// longest is the time for each move between those who sit at one screen.
const longest = "14d"

// begin begins a game.
func (s *Site) begin(w http.ResponseWriter, r *http.Request) {
	word := func(name string) string { return strings.Join(strings.Fields(r.PostFormValue(name)), "") }
	host := s.here.message(r, s.here.host)
	against := word("against")
	if against != "guest" {
		host.Text = strings.Join([]string{"play", word("game"), against, word("color")}, " ")
	} else {
		host.Text = strings.Join([]string{"challenge @guest", word("game"), word("color"), longest}, " ")
	}
	notes, _ := s.bot.Handle(r.Context(), host) // an error has its note
	id := begun(notes)
	if against == "guest" && id != 0 {
		guest := s.here.message(r, s.here.guest)
		guest.Text = "accept #" + strconv.FormatUint(uint64(id), 10)
		notes, _ = s.bot.Handle(r.Context(), guest)
		id = begun(notes)
	}
	if id == 0 {
		s.startWith(w, r, http.StatusUnprocessableEntity, notes)
		return
	}
	http.Redirect(w, r, "/game/"+strconv.FormatUint(uint64(id), 10), http.StatusSeeOther)
}

// begun is the game that notes say all went well with, or 0.
func begun(notes []bot.Note) bot.GameID {
	for _, n := range notes {
		if n.Ack {
			return n.About
		}
	}
	return 0
}

// gamePage is a game.
type gamePage struct {
	page
	ID      bot.GameID
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
		if seat, m, refused, err = s.seat(r, id, ply); seat == nil {
			notes = append(notes, refused...)
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
	p.Title = seat.Title
	if s.here.plays(seat) {
		p.As = m.From.Address.ID
	}
	if r.FormValue("flip") != "" {
		seat.Flip()
	}
	if p.Notes, err = spell(notes); err == nil {
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
		http.NotFound(w, r)
		return
	}
	seat, m, notes, err := s.seat(r, id, bot.Latest)
	switch {
	case err != nil:
		s.fail(w, r, err)
		return
	case seat == nil:
		s.startWith(w, r, http.StatusNotFound, notes)
		return
	}
	m.ID, m.ReplyTo = r.PostFormValue("key"), id
	if press := r.PostFormValue("press"); press != "" {
		m.Press = press
	} else {
		m.Text = r.PostFormValue("text")
	}
	notes, _ = s.bot.Handle(r.Context(), m) // an error has its note
	r.Form.Del("ply")
	r.Form.Del("as")
	s.gameWith(w, r, notes)
}

// after draws the position after a move.
func (s *Site) after(w http.ResponseWriter, r *http.Request) {
	id, _ := gameID(r)
	seat, m, _, err := s.seat(r, id, bot.Latest)
	if err != nil || seat == nil {
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
