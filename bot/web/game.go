package web

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render"
	"chimera/render/diagram"
	"chimera/rules/phrase"
	"chimera/storage"
)

// gamePage is the page of a game.
type gamePage struct {
	page
	ID        storage.GameID
	As        string // the person who acts, if several sit at one screen
	Game      *bot.BoardView
	View      query    // what part of the game is seen, and how
	Lasting   query    // what stays of View when something is done
	Thinks    bool     // the visitor tries a line of moves
	Plan      string   // the address's value for that
	Ahead     []string // moves of the line that were stepped back over
	Explains  bool     // pieces are explained, not moved
	Explained string   // the square of the piece that is explained
	Pressed   string   // the button that led to this page
	Same      bool     // the squares are left out, since the script has them
	Stays     bool     // parts that are the same on all pages of the game are left out
	From      int      // the first move that is listed
	Rows      int      // how many rows of moves are left out
}

// gameWith shows a game together with the answers to what the visitor did there.
func (s *Site) gameWith(w http.ResponseWriter, r *http.Request, id storage.GameID, notes []message.Message) error {
	view, m, refused, err := s.boardView(r, id, viewOf(r))
	switch {
	case err != nil:
		return err
	case view == nil && s.hides(r, m):
		return bot.ErrNothing
	case view == nil:
		return s.startWith(w, r, http.StatusNotFound, append(notes, refused...))
	case r.Form.Has(plans) && (view.Thought == nil || view.Over && view.Thought.From != view.Ply): // nothing can be tried, any more or after mate
		r.Form.Del(plans)
		return s.gameWith(w, r, id, notes)
	}
	notes = append(notes, refused...)
	if _, known := s.visitor(r); known && r.Form.Get(how) != "" && r.Method == http.MethodGet {
		notes = append(notes, s.bot.Explain(r.Context(), m, id, viewOf(r).Ply, r.Form.Get(how))...)
	}
	view.Show(notes)
	p := s.gamePage(r, view, m, notes)
	if p.Preview, err = s.preview(r, id, view, p.Language); err != nil {
		return err
	}
	p.ID = id
	p.leaveOut(r)
	return show(w, http.StatusOK, "game", p)
}

func (s *Site) gamePage(r *http.Request, view *bot.BoardView, m message.Incoming, notes []message.Message) (p gamePage) {
	p = gamePage{
		page: page{addresses: s.addresses, Here: s.here != nil, Language: view.Note.Language, Path: r.URL.Path, Frame: s.frameOf(r), Look: look(r)}, Game: view,
		Lasting: queryOf(r, lasting...), View: queryOf(r, append([]string{atPly}, lasting...)...),
		Thinks: r.Form.Has(plans), Plan: queryOf(r, plans).Get(plans), Ahead: movesOf(r, ahead), Explains: r.Form.Has(how) && r.Method != http.MethodPost, Explained: r.Form.Get(how), Pressed: r.PostFormValue("press"),
	}
	p.Title, p.Notes = view.Title, slices.DeleteFunc(notes, func(n message.Message) bool { return n.Chart != nil }) // the page shows what is in it
	if !p.Thinks || view.Over {
		p.Shut = p.View.With(p.tried()...)
	}
	if _, known := s.visitor(r); p.Explains && known && len(notes) == 0 {
		p.Notes = []message.Message{{Text: words.Text{{Words: book.Say(words.Either(view.Choices == nil, "how-look", "how-tap")).Text(p.Language)}}}}
	}
	side := slices.Index([]string{"white", "black"}, view.Side)
	if s.here != nil && s.here.plays(view.Turn) {
		p.As = m.From.Address.ID
		for i, n := range p.Notes { // both see a question to one of them
			if len(n.Buttons) == 0 {
				continue
			}
			if verb := message.VerbOf(n.Buttons[0].Do); verb == "draw-yes" {
				p.Notes[i].Text = words.Text{{Words: book.Say("draw-both").Text(p.Language)}}
			} else if side >= 0 && strings.HasSuffix(verb, "-yes") {
				p.Notes[i].Text = words.Join(" – ", words.Text{{Words: view.Names[side], Style: words.Bold}}, n.Text)
			}
		}
	} else if side >= 0 { // the visitor plays
		p.Game.Names[side] = book.Say("you").Text(p.Language)
		if bars := view.Note.Board.Bars; bars != nil && s.here != nil {
			bars.Sides[side].Name = p.Game.Names[side]
		}
	}
	return p
}

// Players are the parts of the board's drawing with the bars of the players, as view boxes.
func (p gamePage) Players() []string {
	wide, high := p.Game.Plan.Width, p.Game.Plan.Height
	bar := high * 9 / 118 // a bar is 9 % as high as the squares together
	return []string{fmt.Sprint(0, 0, wide, bar), fmt.Sprint(0, high-bar, wide, bar)}
}

// Code is the game's code in addresses.
func (p gamePage) Code() string { return p.code(ofGames, uint64(p.ID)) }

// Next is the address, without its end, of the page after a move or about a piece; the script adds the move or square.
func (p gamePage) Next() string {
	switch {
	case p.Explains:
		return p.View.With(how, "") + "&how="
	case p.Thinks:
		return p.View.With(plans, p.Entered(), line, p.Game.Thought.Line) + "&line="
	}
	return ""
}

// Press is the press that plays a move; {move} stands for that.
func (p gamePage) Press() string { return fmt.Sprintf("play %d %d {move}", p.ID, p.Game.Last) }

// Told reports whether the last of three hints was just given.
func (p gamePage) Told() bool { return p.Game.Hinted == 3 && message.VerbOf(p.Pressed) == "hint" }

// Address is the path of the game.
func (p gamePage) Address() string { return p.GamePath(p.ID) }

// Entered is the value for plans in the address of a line: in an ended game, the ply at which the visitor began it.
func (p gamePage) Entered() string { return cmp.Or(p.Plan, strconv.Itoa(p.Game.Ply)) }

// tried are the parameters of the line that the visitor tries, if they do.
func (p gamePage) tried() []any {
	if !p.Thinks {
		return nil
	}
	return []any{plans, p.Entered(), line, p.Game.Thought.Line, ahead, p.Ahead}
}

// Toggle is the query with a way to see the board added, or removed if it is there.
func (p gamePage) Toggle(key string) string {
	return p.View.With(append(p.tried(), key, words.Either(p.View.Has(key), "", "on"))...)
}

// Before is the query of the line without its last move; of a line that has just begun, of the game a move earlier. What
// is stepped back over is kept.
func (p gamePage) Before() string {
	if l, last := p.Game.Thought.Line, len(p.Game.Thought.Line)-1; last >= 0 {
		return p.View.With(plans, p.Entered(), line, l[:last], ahead, slices.Concat(l[last:], p.Ahead))
	}
	var kept []string
	if len(p.Ahead) > 0 {
		kept = append([]string{p.Game.Score[p.Game.Ply-1].Text}, p.Ahead...)
	}
	return p.View.With(atPly, p.Game.Ply-1, plans, p.Entered(), ahead, kept)
}

// On is the query of the line with the next of the moves that were stepped back over.
func (p gamePage) On() string {
	return p.View.With(plans, p.Entered(), line, slices.Concat(p.Game.Thought.Line, p.Ahead[:1]), ahead, p.Ahead[1:])
}

// To is the query of the line up to a step of several. The others stay ahead.
func (p gamePage) To(ply int, to bot.Step, of []bot.Step) string {
	all := of[len(of)-1].Line
	return p.View.With(atPly, ply, plans, p.Entered(), line, to.Line, ahead, all[len(to.Line):])
}

// act carries out a move or a press.
func (s *Site) act(w http.ResponseWriter, r *http.Request, id storage.GameID) error {
	m, err := s.mover(r, id)
	if err != nil {
		return err
	}
	verb := message.VerbOf(r.PostFormValue("press"))
	other, beside := m, false
	if slices.Contains([]string{"takeback", "draw-yes", "rematch"}, verb) { // two at one screen agree with one press
		other, beside = s.other(r, id, m)
	}
	if beside && verb == "takeback" { // the player who has moved asks for it
		m, other = other, m
	}
	m.ID, m.ReplyTo, other.ReplyTo = once(r, m), id, id
	if m.Press = r.PostFormValue("press"); m.Press == "" {
		m.Text = r.PostFormValue("text")
	}
	if said := s.bot.Commands.Read(m.Text); said.Name == "resign" { // here, Yes alone confirms it
		m.Press, m.Text = fmt.Sprintf("resign %d -", cmp.Or(said.Game, id)), ""
	}
	notes, _ := s.bot.Handle(r.Context(), m) // an error has its note
	if beside {
		other.Text = strings.TrimSuffix(verb, "-yes") + " " + words.Hash(id)
		notes, _ = s.bot.Handle(r.Context(), other) // likewise
	}
	if !r.URL.Query().Has(asWhom) {
		r.Form.Del(asWhom) // the player to move sees the page next
	}
	if other := begun(notes); other != 0 && other != id { // they play on there
		return seeOther(w, r, s.GamePath(other))
	}
	if to := s.roomOf(r, id, notes); to != "" {
		return seeOther(w, r, to)
	}
	return s.gameWith(w, r, id, notes)
}

// roomOf is where the first answer is shown that does not belong on the page of a game as it is now; "" if all do.
func (s *Site) roomOf(r *http.Request, id storage.GameID, notes []message.Message) string {
	for _, n := range notes {
		switch {
		case n.Exercise != nil:
			return exercisePath(n.Exercise.Name)
		case n.Guide != "" && !strings.Contains(n.Guide, "/"):
			return "/rules/" + n.Guide
		case n.Board == nil || n.View == nil:
		case n.View.Game.ID != id:
			return s.GamePath(n.View.Game.ID)
		case n.View.Ply < len(n.View.Game.Moves) && !n.Step:
			return s.GamePath(id) + queryOf(r, lasting...).With(atPly, n.View.Ply)
		}
	}
	return ""
}

// after draws the position after a move, or a line of moves; for a square, it tells of its piece.
func (s *Site) after(w http.ResponseWriter, r *http.Request, id storage.GameID) error {
	if _, known := s.visitor(r); !known {
		return bot.ErrNothing
	}
	wanted := bot.BoardOptions{Ply: viewOf(r).Ply, Flip: r.FormValue(flipped) != "", Line: slices.Clone(r.Form[line]), Bare: true}
	if view, _, _, err := s.boardView(r, id, wanted); err == nil && view != nil {
		if met := s.bot.Met(view.Position, r.PathValue("move")); met != nil {
			return show(w, http.StatusOK, "met", metPiece{met, view.Note.Language})
		}
	}
	wanted.Line = append(wanted.Line, r.PathValue("move"))
	view, _, refused, err := s.boardView(r, id, wanted)
	if err != nil || view == nil || len(refused) > 0 {
		return bot.ErrNothing
	}
	return sendDrawing(w, "no-store", *view.Note.Board, render.DefaultSize, view.Note.Language)
}

// sendDrawing answers with a board.
func sendDrawing(w http.ResponseWriter, keep string, d diagram.Diagram, size int, l phrase.Language) error {
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", keep)
	var picture bytes.Buffer
	err := render.SVG(&picture, d, size, l)
	dark, err2 := assets.ReadFile("assets/walnut.css")
	_, _ = w.Write(bytes.Replace(picture.Bytes(), []byte("<defs>"), slices.Concat([]byte("<style>:root{color-scheme:light dark}"), dark, []byte("</style><defs>")), 1)) // an error means that the visitor has gone
	return errors.Join(err, err2)
}

// The parameters of an address that tell what is seen of a game.
const (
	atPly   = "ply"
	asWhom  = "as"
	flipped = "flip"
	zones   = "zones"
	threats = "threats"
	plans   = "plan"
	line    = "line"
	ahead   = "ahead"
	how     = "how"
)

// lasting are the parameters that stay when something is done.
var lasting = []string{asWhom, flipped, zones, threats} //nolint:gochecknoglobals // never written

// maxLine is how many moves of a line are read.
const maxLine = 40

// viewOf is what a request wants to see of a game.
func viewOf(r *http.Request) bot.BoardOptions {
	seen := queryOf(r, atPly, flipped, zones, threats)
	v := bot.BoardOptions{Ply: match.Latest, Flip: seen.Get(flipped) != "", Zones: seen.Get(zones) != "", Threats: seen.Get(threats) != ""}
	if n, err := strconv.Atoi(seen.Get(atPly)); err == nil && n >= 0 {
		v.Ply = n
	}
	if r.FormValue(plans) != "" {
		v.Line, v.Ahead = movesOf(r, line), movesOf(r, ahead)
	}
	return v
}

// movesOf are the moves that a parameter lists, not nil.
func movesOf(r *http.Request, key string) []string {
	return append([]string{}, r.Form[key][:min(len(r.Form[key]), maxLine)]...)
}

// query is the part of an address that describes a view.
type query struct{ url.Values }

// maxValue is the length of the longest valid value. Longer ones are dropped, since pages repeat values in all links.
const maxValue = 8

func queryOf(r *http.Request, keys ...string) query {
	q := query{url.Values{}}
	for key, values := range r.URL.Query() {
		if slices.Contains(keys, key) && len(values[0]) <= maxValue {
			q.Values[key] = values[:1]
		}
	}
	return q
}

// With is the query with other values. pairs are keys, each followed by its value; "" removes the key.
func (q query) With(pairs ...any) string {
	all := url.Values{}
	maps.Copy(all, q.Values)
	for pair := range slices.Chunk(pairs, 2) {
		key, _ := pair[0].(string)
		all.Del(key)
		if value, several := pair[1].([]string); several {
			all[key] = value
		} else if text := fmt.Sprint(pair[1]); text != "" {
			all.Set(key, text)
		}
	}
	return "?" + all.Encode()
}

// preview is what other sites show of a page when its address is passed on.
type preview struct{ Address, Title, About, Picture string }

// base is the web address of all pages, without a slash at its end.
func (s *Site) base(r *http.Request) string {
	if s.auth != nil {
		return s.auth.url
	}
	return "http://" + r.Host
}

// preview is the preview of a game that has ended and that everyone may see, nil for any other.
func (s *Site) preview(r *http.Request, id storage.GameID, view *bot.BoardView, l phrase.Language) (*preview, error) {
	if !view.Over {
		return nil, nil
	}
	switch _, err := s.bot.Card(r.Context(), id, l); {
	case errors.Is(err, bot.ErrNothing):
		return nil, nil
	case err != nil:
		return nil, err
	}
	address := s.base(r) + s.GamePath(id)
	text := strings.Join(phrase.Each(view.Note.Text, func(s words.Span) string { return s.Words }), "")
	title, about, _ := strings.Cut(text, "\n")
	const most = 200 // characters, in one line
	inLine := func(text string) string { return adapter.Clip(strings.Join(strings.Fields(text), " "), most) }
	return &preview{address, inLine(title), inLine(about), address + "/card.png?" + url.Values{"in": {string(l)}}.Encode()}, nil
}

// How many cards are painted each second, and how many at once: each takes about a tenth of a second.
const cardRate, cardBurst = 1, 20

// cardAge is how long a card may be shown before it is asked for again.
const cardAge = time.Hour

// card is the picture of a game that has ended, for everyone.
func (s *Site) card(w http.ResponseWriter, r *http.Request, id storage.GameID) error {
	l, spoken := phrase.Match(r.FormValue("in"))
	if !spoken && r.FormValue("in") != "" {
		return bot.ErrNothing
	}
	card, err := s.bot.Card(r.Context(), id, l)
	if err != nil {
		return err
	}
	return s.sendRecord(w, r, card, "board.png", "public, max-age="+strconv.Itoa(int(cardAge.Seconds())), "")
}

// prepared answers with the number of a message about a game that the visitor may pass on in Telegram.
func (s *Site) prepared(w http.ResponseWriter, r *http.Request, id storage.GameID) error {
	who := s.page(r).asker
	account, there := who.Me.On("telegram")
	view, _, _, err := s.boardView(r, id, bot.BoardOptions{Ply: match.Latest})
	if err != nil || view == nil || !there || s.Prepare == nil {
		return cmp.Or(err, bot.ErrNothing)
	}
	number, err := s.Prepare(r.Context(), account, view.Title, words.Label("open-board").Text(who.Language()), s.bot.Pages()+s.GamePath(id))
	if err == nil {
		_, err = io.WriteString(w, number)
	}
	return err
}

// form is a form in which people keep a game elsewhere.
type form struct {
	kind  string // of its file
	costs bool   // it takes long to paint
	make  func(*bot.Record, context.Context) ([]byte, error)
}

const plainType = "text/plain; charset=utf-8"

// forms are all of them, by what follows the address of a game.
var forms = map[string]form{ //nolint:gochecknoglobals // never written
	"board.png": {"image/png", true, (*bot.Record).PNG},
	"game.gif":  {"image/gif", true, (*bot.Record).GIF},
	"game.pgn":  {plainType, false, (*bot.Record).PGN},
	"game.txt":  {plainType, false, (*bot.Record).Score},
	"board.fen": {plainType, false, (*bot.Record).FEN},
}

// record answers with a game in one of its forms, for whoever may see it.
func (s *Site) record(name string) gameHandler {
	return func(w http.ResponseWriter, r *http.Request, id storage.GameID) error {
		m, _ := s.visitor(r)
		game, err := s.bot.Record(r.Context(), m, id, viewOf(r).Ply)
		if err != nil {
			return err
		}
		file := fmt.Sprintf(`attachment; filename="chimera-%d%s"`, id, path.Ext(name))
		return s.sendRecord(w, r, game, name, "private, no-cache", file)
	}
}

// sendRecord answers with a game in the form of a name, unless the browser has it already. keep is the Cache-Control
// header, file the Content-Disposition header, "" for none.
func (s *Site) sendRecord(w http.ResponseWriter, r *http.Request, game *bot.Record, name, keep, file string) (err error) {
	form, h, known := forms[name], w.Header(), strconv.Quote(game.Tag[:32]+name)
	var content []byte
	if r.Header.Get("If-None-Match") != known { // else the browser is told so below
		kept := name == "board.png" && game.Kept() // then it costs nothing
		if form.costs && !kept && s.auth != nil && !s.auth.may("cards", cardRate, cardBurst) {
			s.refuseForNow(w, r)
			return nil
		}
		switch content, err = form.make(game, r.Context()); {
		case errors.Is(err, bot.ErrTooMany):
			s.refuseForNow(w, r)
			return nil
		case err != nil:
			return err
		}
	}
	h.Set("Cache-Control", keep)
	h.Set("ETag", known)
	h.Set("Content-Type", form.kind)
	if file != "" {
		h.Set("Content-Disposition", file)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	return nil
}

// refuseForNow answers that a picture should be asked for later.
func (s *Site) refuseForNow(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Retry-After", strconv.Itoa(cardBurst/cardRate))
	s.refuse(w, r, http.StatusServiceUnavailable, "too-many")
}

// curve is the chances in a game as a drawing as wide as the game has moves, and 100 high; the area below the line is
// White's.
type curve struct {
	Area, Line string // as paths
	Points     []point
}

// point is how far down the curve is after a move that decided the game.
type point struct{ Ply, Y int }

// Curve is the curve of the review's chances.
func (p gamePage) Curve() (c curve) {
	found := p.Game.Review
	var line strings.Builder
	for ply, white := range found.Chances {
		fmt.Fprintf(&line, "L%d %d", ply, 100-white)
	}
	c.Line = "M" + line.String()[1:]
	c.Area = c.Line + "V100H0Z"
	for _, m := range found.Moments {
		c.Points = append(c.Points, point{m.Ply + 1, 100 - found.Chances[m.Ply+1]})
	}
	return c
}

// Result is the title of a game that has ended: its outcome as the visitor sees it.
func (p gamePage) Result() string {
	how, name := p.Game.Ended, p.Game.Names[storage.White]
	switch {
	case how == "":
		return p.Title
	case how == "drawn":
	case p.As != "" || p.Game.Side == "": // at one screen, or for others, the winner is named
		name = words.Either(how == "black", p.Game.Names[storage.Black], name)
	case how == p.Game.Side:
		how = "won"
	default:
		how = "lost"
	}
	return book.Say("end-"+how, "name", name).Text(p.Language)
}
