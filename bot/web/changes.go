package web

import (
	"bytes"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"chimera/render/diagram"
	"chimera/rules/phrase"
)

// hasHeader is the header by which a script says what it has when it asks for what has changed: a game, how many
// moves of it, the shape of its board, and the names of the pieces that it has drawn.
const hasHeader = "Chimera-Has"

// changes answers scripts that say what they have with the title of a page and what is main on it, without the pieces
// that they have drawn already. Such an answer is no page to be kept.
func changes(pages http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		has := strings.Fields(r.Header.Get(hasHeader))
		if len(has) == 0 {
			pages.ServeHTTP(w, r)
			return
		}
		a := &answer{ResponseWriter: w}
		pages.ServeHTTP(a, r)
		text := slices.Clone(a.Bytes())
		_, title, _ := bytes.Cut(text, []byte("<title>"))
		title, _, _ = bytes.Cut(title, []byte("</title>"))
		if _, main, found := bytes.Cut(text, []byte("<main")); found {
			w.Header().Set("Cache-Control", "no-store")
			for _, of := range []string{"ETag", "Content-Length", "Content-Security-Policy", "Cross-Origin-Opener-Policy", "Referrer-Policy"} {
				w.Header().Del(of)
			}
			main, _, _ = bytes.Cut(main, []byte("<footer"))
			a.Reset()
			_, _ = a.WriteString("<!doctype html><title>" + string(title) + "</title><main") // a buffer takes all
			for part := range bytes.SplitSeq(main, []byte("<symbol ")) {
				id, _, _ := bytes.Cut(part, []byte(`" viewBox`))
				name := strings.TrimPrefix(string(id), `id="`)
				_, rest, drawn := bytes.Cut(part, []byte("</symbol>\n"))
				switch {
				case !drawn:
					_, _ = a.Write(part)
				case slices.Contains(has, name):
					_, _ = a.Write(rest)
				default:
					has = append(has, name)
					_, _ = a.WriteString("<symbol " + string(part))
				}
			}
		}
		a.send()
	})
}

// Shape is what squares and their colors depend on.
func (p gamePage) Shape() string {
	first := p.Game.Plan.Rows[0][0]
	return fmt.Sprintf("%s-%d-%d-%v", first.Name, first.X, first.Y, p.Game.Note.Board.Theme)
}

// bare is a board as a drawing without its squares.
func bare(d diagram.Diagram, l phrase.Language) (template.HTML, error) {
	all, err := drawing(d, l)
	before, rest, _ := strings.Cut(string(all), `<g class="board">`)
	_, after, _ := strings.Cut(rest, "</g>")
	return template.HTML(before + after), err //nolint:gosec // SVG escapes what people wrote
}

// leaveOut leaves out of a page what the script has that asks for changes of its game: what stays, and all but the
// newest moves.
func (p *gamePage) leaveOut(r *http.Request) {
	has := strings.Fields(r.Header.Get(hasHeader))
	if len(has) < 3 || has[0] != p.Code() {
		return
	}
	p.Same = has[2] == p.Shape()
	last, _ := strconv.Atoi(has[1])
	p.Stays = !p.Game.Over
	const unsure = 4 // as many may have been taken back
	for i := 1; i < min(last, p.Game.Last)-unsure; i++ {
		if !p.Game.Score[i].Black {
			p.From, p.Rows = i, p.Rows+1
		}
	}
}
