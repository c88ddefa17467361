package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"chimera/bot"
	"chimera/storage"
)

// form is one in which a game can be kept elsewhere.
type form struct {
	name, kind string // of its file
	costs      bool   // it is painted, which takes long
	make       func(*bot.Record, context.Context) ([]byte, error)
}

func textOf(verb string) func(*bot.Record, context.Context) ([]byte, error) {
	return func(game *bot.Record, ctx context.Context) ([]byte, error) {
		text, err := game.Text(ctx, verb)
		return []byte(text), err
	}
}

const plainType = "text/plain; charset=utf-8"

// forms are those there are, by what follows the address of a game.
var forms = map[string]form{ //nolint:gochecknoglobals // never written
	"board.png": {"png", "image/png", true, (*bot.Record).PNG},
	"game.gif":  {"gif", "image/gif", true, (*bot.Record).GIF},
	"game.txt":  {"txt", plainType, false, textOf("score")},
	"board.fen": {"fen", plainType, false, textOf("fen")},
}

// record answers with a game in one of its forms, for whoever may see it.
func (s *Site) record(name string) gameHandler {
	return func(w http.ResponseWriter, r *http.Request, id storage.GameID) error {
		m, _ := s.visitor(r)
		game, err := s.bot.Record(r.Context(), m, id, viewOf(r).Ply)
		if err != nil {
			return err
		}
		file := fmt.Sprintf(`attachment; filename="chimera-%d.%s"`, id, forms[name].name)
		return s.sendRecord(w, r, game, name, "private, no-cache", file)
	}
}

// sendRecord answers with a game in a form, unless there is none or the browser has it already: keep says for how long
// that may keep it, and file as what.
func (s *Site) sendRecord(w http.ResponseWriter, r *http.Request, game *bot.Record, name, keep, file string) error {
	if game == nil {
		return errNoFile
	}
	form, h, known := forms[name], w.Header(), strconv.Quote(game.Tag[:32]+name)
	if r.Header.Get("If-None-Match") == known {
		h.Set("Cache-Control", keep)
		h.Set("ETag", known)
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	kept := name == "board.png" && game.Kept() // which costs nothing
	if form.costs && !kept && s.auth != nil && !s.auth.may("cards", cardRate, cardBurst) {
		s.refuseForNow(w, r)
		return nil
	}
	content, err := form.make(game, r.Context())
	switch {
	case errors.Is(err, bot.ErrTooMany):
		s.refuseForNow(w, r)
		return nil
	case err != nil:
		return err
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

// refuseForNow says that a picture is to be asked for later.
func (s *Site) refuseForNow(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Retry-After", strconv.Itoa(cardBurst/cardRate))
	s.refuse(w, r, http.StatusServiceUnavailable, "too-many")
}

// curve is the chances in a game as a drawing of 100 by 100: below the line are White's.
type curve struct {
	Area, Line string // as paths
	Points     []curvePoint
}

// curvePoint is a move that decided the game, after it.
type curvePoint struct{ X, Y string }

func curveOf(found *bot.Reviewed) (c curve) {
	last := max(len(found.Chances)-1, 1)
	at := func(ply int) (x, y string) {
		return strconv.FormatFloat(100*float64(ply)/float64(last), 'f', 1, 64), strconv.Itoa(100 - found.Chances[ply])
	}
	var line strings.Builder
	for ply := range found.Chances {
		x, y := at(ply)
		fmt.Fprintf(&line, "L%s %s", x, y)
	}
	c.Line = "M" + line.String()[1:]
	c.Area = c.Line + "V100H0Z"
	for _, m := range found.Moments {
		x, y := at(m.Ply + 1)
		c.Points = append(c.Points, curvePoint{x, y})
	}
	return c
}

// Result is the title of a game that has ended: how, for whoever sees it.
func (p gamePage) Result() string {
	how := p.Game.Ended
	switch {
	case how == "":
		return p.Title
	case how == "drawn" || p.As != "" || p.Game.Side == "": // who plays at this screen has both won and lost
	case how == p.Game.Side:
		how = "won"
	default:
		how = "lost"
	}
	return book.Say("end-" + how).Text(p.Language)
}

// Curve is that of the review.
func (p gamePage) Curve() curve { return curveOf(p.Game.Review) }
