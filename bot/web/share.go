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
)

// form is one in which a game can be kept elsewhere.
type form struct {
	name, kind string // of its file
	costs      bool   // it is painted, which takes long
	make       func(context.Context, *bot.Record) ([]byte, error)
}

func textOf(verb string) func(context.Context, *bot.Record) ([]byte, error) {
	return func(ctx context.Context, game *bot.Record) ([]byte, error) {
		text, err := game.Text(ctx, verb)
		return []byte(text), err
	}
}

const plainType = "text/plain; charset=utf-8"

// forms are those there are, by what follows the address of a game.
var forms = map[string]form{ //nolint:gochecknoglobals // never written
	"board.png": {"png", "image/png", true, func(ctx context.Context, game *bot.Record) ([]byte, error) { return game.PNG(ctx) }},
	"game.gif":  {"gif", "image/gif", true, func(ctx context.Context, game *bot.Record) ([]byte, error) { return game.GIF(ctx) }},
	"game.txt":  {"txt", plainType, false, textOf("score")},
	"board.fen": {"fen", plainType, false, textOf("fen")},
}

// record answers with a game in one of its forms, for whoever may see it.
func (s *Site) record(name string) handler {
	form := forms[name]
	return func(w http.ResponseWriter, r *http.Request) error {
		id, ok := s.gameID(r)
		if !ok {
			return errNoFile
		}
		m, _ := s.visitor(r)
		game, err := s.bot.Record(r.Context(), m, id, viewOf(r).Ply)
		if err != nil {
			return err
		}
		if game == nil {
			return errNoFile
		}
		h, known := w.Header(), strconv.Quote(game.Tag[:32]+name)
		h.Set("Cache-Control", "private, no-cache")
		h.Set("ETag", known)
		if r.Header.Get("If-None-Match") == known {
			w.WriteHeader(http.StatusNotModified)
			return nil
		}
		if form.costs && !s.mayPaint(w, r, name == "board.png" && game.Kept()) {
			return nil
		}
		file, err := form.make(r.Context(), game)
		switch {
		case errors.Is(err, bot.ErrTooMany):
			s.refuseForNow(w, r)
			return nil
		case err != nil:
			return err
		}
		h.Set("Content-Type", form.kind)
		h.Set("Content-Disposition", fmt.Sprintf(`attachment; filename="chimera-%d.%s"`, id, form.name))
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(file))
		return nil
	}
}

// mayPaint reports whether a picture may be painted now, and refuses it if not: kept ones cost nothing.
func (s *Site) mayPaint(w http.ResponseWriter, r *http.Request, kept bool) bool {
	if kept || s.auth == nil || s.auth.may("cards", cardRate, cardBurst) {
		return true
	}
	s.refuseForNow(w, r)
	return false
}

// refuseForNow says that a picture is to be asked for later.
func (s *Site) refuseForNow(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Del("ETag")
	h.Set("Retry-After", strconv.Itoa(cardBurst/cardRate))
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
