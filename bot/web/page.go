package web

import (
	"archive/tar"
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/css"
	"github.com/tdewolff/minify/v2/js"

	"chimera/bot"
	"chimera/bot/event"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render"
	"chimera/render/diagram"
	"chimera/rules/phrase"
	"chimera/storage"
)

//go:embed words
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

//go:embed pages
var pages embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{ //nolint:gochecknoglobals // read once, never written
	"asset":     func(name string) string { return assetPath + name },
	"languages": phrase.Languages,
	"add":       func(a, b int) int { return a + b },
	"under":     func(path, part string) bool { return path == part || strings.HasPrefix(path, part+"/") },
	"say":       func(l phrase.Language, key string, parts ...any) string { return book.Say(key, parts...).Text(l) },
	"json":      func(value any) (string, error) { text, err := json.Marshal(value); return string(text), err },

	"dict":    dict,
	"words":   func(all ...string) []string { return all },
	"draw":    drawing,
	"bare":    bare,
	"either":  words.Either[string],
	"lacking": lacking,
	"mark": func(sign string) string {
		return map[string]string{"?!": "mark-doubtful", "?": "mark-mistake", "??": "mark-blunder"}[sign]
	},
	"verb":       message.VerbOf,
	"kind":       words.KindName,
	"after":      strings.TrimPrefix,
	"rating":     words.KindRating,
	"useful":     useful,
	"markup":     markup,
	"blocks":     blocks,
	"paragraphs": paragraphs,
	"tile":       tile,
	"unseen": func(notes []message.Message) []message.Message { // without acknowledgements, which the board shows, and ways back, which are below it
		return slices.DeleteFunc(slices.Clone(notes), func(n message.Message) bool { return n.Ack || n.Back })
	},
	"options": optionsOf,
	"about":   func(name string, l phrase.Language) string { return words.AboutSetting(name).Text(l) },
	"ticked":  func(all, one string) bool { return all == "all" || slices.Contains(strings.Split(all, ","), one) },
}).ParseFS(pages, "pages/*.html"))

// dict makes a map of names and their values, with which a template passes several values to another.
func dict(pairs ...any) map[string]any {
	all := map[string]any{}
	for pair := range slices.Chunk(pairs, 2) {
		all[pair[0].(string)] = pair[1]
	}
	return all
}

// page has what all pages show.
type page struct {
	addresses
	asker    bot.Request
	Signed   bool // the visitor is signed in, or at the one screen
	Here     bool // all sit at one screen
	Language phrase.Language
	Title    string
	Path     string       // of its address
	Frame    frame        // where it is shown
	Look     string       // "dark" or "light" where that was chosen, else ""
	Boards   storage.Look // how boards look
	Preview  *preview     // nil for none
	Notes    []message.Message
	Shut     string // the address without the notes; "" if they cannot be shut
}

// spoken is the language that this request chooses, or an earlier one of the browser; "" for none.
func spoken(r *http.Request) string {
	return strings.TrimPrefix(chosenIn(r, languageCookie), "auto") // "auto" means the browser's language
}

// chosenIn is what this request chooses, or else an earlier one of the browser, as a cookie tells; "" for nothing.
func chosenIn(r *http.Request, cookie string) string {
	chosen := r.PostFormValue(cookie)
	if c, err := r.Cookie(cookie); err == nil && chosen == "" {
		chosen = c.Value
	}
	return chosen
}

// language is the chosen language, or else the first that a request accepts; "" if it does not say.
func language(r *http.Request) string {
	if chosen := spoken(r); chosen != "" {
		return chosen
	}
	first, _, _ := strings.Cut(r.Header.Get("Accept-Language"), ",")
	first, _, _ = strings.Cut(first, ";")
	return strings.TrimSpace(first)
}

// look is "dark" or "light" if the visitor has chosen that, else "".
func look(r *http.Request) string {
	look := chosenIn(r, lookCookie)
	return words.Either(look == "dark" || look == "light", look, "")
}

// Night is the media query for dark pictures.
func (p page) Night() string {
	return map[string]string{"": "(prefers-color-scheme: dark)", "dark": "all", "light": "not all"}[p.Look]
}

// In is the end of the address of a board's picture, with the chosen theme or else the given one.
func (p page) In(theme string) string {
	return words.Either(p.Boards.Theme == "", theme, p.Boards.Theme) + words.Either(p.Boards.Pieces == "letters", "?pieces=letters", "")
}

// page is a page for the visitor.
func (s *Site) page(r *http.Request) page {
	m, known := s.visitor(r)
	asker, _ := s.bot.Asker(r.Context(), m)
	return page{addresses: s.addresses, asker: asker, Signed: known, Here: s.here != nil, Language: asker.Language(), Path: r.URL.Path, Frame: s.frameOf(r), Look: look(r), Boards: asker.Me.Settings.Look}
}

// titled is a page for the visitor with a sentence as its title.
func (s *Site) titled(r *http.Request, title string, parts ...any) page {
	p := s.page(r)
	p.Title = book.Say(title, parts...).Text(p.Language)
	return p
}

// handler answers a request or returns an error. bot.ErrNothing means that there is nothing for the visitor.
type handler func(http.ResponseWriter, *http.Request) error

// pageWith shows a page together with the answers to what the visitor did there.
type pageWith func(w http.ResponseWriter, r *http.Request, status int, notes []message.Message) error

// plain shows a page without answers.
func plain(page pageWith) handler {
	return func(w http.ResponseWriter, r *http.Request) error { return page(w, r, http.StatusOK, nil) }
}

// forKnown has a handler answer only people who are signed in. Strangers see the page on which games begin.
func (s *Site) forKnown(handle handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if _, known := s.visitor(r); !known {
			return s.startWith(w, r, http.StatusForbidden, nil)
		}
		return handle(w, r)
	}
}

// answer makes an http.HandlerFunc of a handler, and answers its errors: if there is nothing, with a page.
func (s *Site) answer(handle handler) http.HandlerFunc { return s.answerOr(s.missing, handle) }

// file is like answer, for what is no page.
func (s *Site) file(handle handler) http.HandlerFunc { return s.answerOr(notFound, handle) }

func notFound(w http.ResponseWriter, r *http.Request) error {
	http.NotFound(w, r)
	return nil
}

func (s *Site) answerOr(missing, handle handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		err := handle(w, r)
		if _, refused := errors.AsType[*event.Refusal](err); refused || errors.Is(err, bot.ErrNothing) {
			err = missing(w, r)
		}
		if err != nil {
			s.fail(w, r, err)
		}
	}
}

// missing shows that there is nothing for the visitor at an address, whatever the reason.
func (s *Site) missing(w http.ResponseWriter, r *http.Request) error {
	p := s.titled(r, "missing")
	p.Path = "" // it is the same for all addresses
	return show(w, http.StatusNotFound, "missing", p)
}

// seeOther leads on to another address.
func seeOther(w http.ResponseWriter, r *http.Request, to string) error {
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

const htmlType = "text/html; charset=utf-8"

// show sends a page; nothing if its template fails.
func show(w http.ResponseWriter, status int, name string, data any) error {
	var text bytes.Buffer
	err := templates.ExecuteTemplate(&text, name, data)
	if err == nil {
		send(w, status, text.Bytes())
	}
	return err
}

func send(w http.ResponseWriter, status int, text []byte) {
	w.Header().Set("Content-Type", htmlType)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(text) // an error means that the visitor has gone
}

// elsewhere are the verbs of buttons that pages leave out, since they have other ways to do the same.
var elsewhere = strings.Fields("flip unflip lesson board replay zones threats score fen back more rematch review share page") //nolint:gochecknoglobals // never written

// lacking are the buttons that pages do not leave out.
func lacking(buttons []message.Button) []message.Button {
	return slices.DeleteFunc(slices.Clone(buttons), func(b message.Button) bool { return slices.Contains(elsewhere, message.VerbOf(b.Do)) })
}

// useful are the buttons of More that pages show beside the board, or else below; rules have their own page.
func useful(buttons []message.Button, beside bool) []message.Button {
	return slices.DeleteFunc(lacking(buttons), func(b message.Button) bool {
		verb := message.VerbOf(b.Do)
		return verb == "rules-here" || slices.Contains([]string{"hint", "takeback", "claim"}, verb) != beside
	})
}

// typed are commands that pages do not tell people to write, since they have buttons.
var typed = strings.Fields("accept block board cancel draw help how if move moves resign takeback unblock") //nolint:gochecknoglobals // never written

var sentence = regexp.MustCompile(`(?s).*?([.!?]\s+|\n|$)`)

// pressed is a text without the sentences that tell people to write typed commands.
func pressed(t words.Text) (said words.Text) {
	first, told := 0, true // where the sentence begins in said, and whether it stays
	for _, s := range t {
		verb, _, _ := strings.Cut(s.Words, " ")
		told = told && (s.Style != words.Code || !slices.Contains(typed, verb))
		for _, part := range words.Either(s.Style == words.Plain, sentence.FindAllString(s.Words, -1), []string{s.Words}) {
			said = append(said, words.Span{Words: part, Style: s.Style})
			if end := strings.TrimRight(part, " "); s.Style == words.Plain && end != "" && strings.ContainsAny(end[len(end)-1:], ".!?\n") {
				said, told = said[:words.Either(told, len(said), first)], true
				first = len(said)
			}
		}
	}
	return said[:words.Either(told, len(said), first)]
}

// aStep matches a text that ends with the command for a step of a course, as a link.
var aStep = regexp.MustCompile(`([^<>]+?)\x{a0}?: (<a href="[^"]*">)<code>learn \S+ \d+</code></a>\.`)

// moveNumber matches the number of a move and the space after it, where no line ends.
var moveNumber = regexp.MustCompile(`\b(\d+[.…]) `)

// markup is a text as HTML.
func markup(t words.Text) template.HTML {
	var out strings.Builder
	for _, s := range pressed(t) {
		text := moveNumber.ReplaceAllString(strings.ReplaceAll(template.HTMLEscapeString(s.Words), "\n", "<br>"), "$1\u00a0")
		switch s.Style {
		case words.Bold:
			text = "<b>" + text + "</b>"
		case words.Code:
			text = "<code>" + text + "</code>"
			if path := pathOf(s.Words); path != "" {
				text = `<a href="` + template.HTMLEscapeString(path) + `">` + text + "</a>"
			}
		case words.Same:
			text = "<code>" + text + "</code>"
		case words.Plain, words.Named, words.Link: // an address stays text that can be copied
		}
		out.WriteString(text)
	}
	return template.HTML(aStep.ReplaceAllString(out.String(), "$2$1.</a>")) //nolint:gosec // what people wrote is escaped
}

// rooms are the paths of pages by the commands that they replace.
var rooms = map[string]string{ //nolint:gochecknoglobals // never written
	"challenge": "/", "games": "/games", "league": "/league", "learn": learnPath, "lobby": "/lobby", "play": "/", "puzzle": puzzlePath,
	"rules": "/rules", "settings": "/settings", "top": "/top", "vacation": "/settings",
}

// pathOf is the path of the page that replaces a command; "" if there is none.
func pathOf(command string) string {
	verb, rest, _ := strings.Cut(command, " ")
	kind, step, _ := strings.Cut(rest, " ")
	at := rooms[verb]
	switch {
	case verb == "learn" && kind != "":
		return path.Join(at, kind, cmp.Or(step, "1"))
	case verb == "rules", verb == "puzzle":
		return path.Join(at, kind)
	case kind == "here": // a server's settings are chosen in its chat
		return ""
	}
	return at
}

// paragraphs are the lines of a text as HTML.
func paragraphs(t words.Text) (all []template.HTML) {
	for _, b := range blocks(t) {
		all = append(append(all, b.Lines...), b.List...)
	}
	return all
}

// block is a part of a text: lines, and a list after them.
type block struct{ Lines, List []template.HTML }

// blocks are the parts of a text between empty lines. What begins with a dash is in a list.
func blocks(t words.Text) (all []block) {
	for part := range strings.SplitSeq(string(markup(t)), "<br><br>") {
		var b block
		for line := range strings.SplitSeq(part, "<br>") {
			if item, listed := strings.CutPrefix(line, "- "); listed {
				b.List = append(b.List, template.HTML(item)) //nolint:gosec // markup has escaped it
			} else if line != "" {
				b.Lines = append(b.Lines, template.HTML(line)) //nolint:gosec // likewise
			}
		}
		all = append(all, b)
	}
	return all
}

// tile draws a square with a sign, or with the piece that a lesson is about; it is empty if there is none.
func tile(d diagram.Diagram, of any, l phrase.Language) (template.HTML, error) {
	sign, ok := of.(diagram.Sign)
	if lesson, is := of.(diagram.Lesson); is {
		sign, ok = diagram.Sign{Piece: lesson.Piece}, lesson.Piece != (diagram.Sign{}).Piece
	}
	if !ok {
		return "", nil
	}
	return drawing(d.Alone(sign), l)
}

// drawing is a board as SVG.
func drawing(d diagram.Diagram, l phrase.Language) (template.HTML, error) {
	var out strings.Builder
	err := render.SVG(&out, d, render.DefaultSize, l)
	return template.HTML(strings.Replace(out.String(), `class="bars"`, `class="bars" id="bars"`, 1)), err //nolint:gosec // SVG escapes what people wrote
}

// fail answers that something went wrong, and logs it unless the visitor has gone or the site ends.
func (s *Site) fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() == nil {
		s.log.ErrorContext(r.Context(), "page failed", "path", r.URL.Path, "err", err)
	}
	s.refuse(w, r, http.StatusInternalServerError, "failed")
}

// refuse answers with a single sentence. It closes the connection of somebody who asks too often.
func (s *Site) refuse(w http.ResponseWriter, r *http.Request, status int, sentence string) {
	if status == http.StatusTooManyRequests {
		w.Header().Set("Connection", "close")
	}
	l, _ := phrase.Match(language(r))
	http.Error(w, book.Say(sentence).Text(l), status)
}

//go:embed assets
var assets embed.FS

// assetPath is the path of assets. It changes when they do, so browsers may keep them for ever.
var assetPath = "/assets/" + hashOf(assets) + "/" //nolint:gochecknoglobals // read once, never written

// hashOf is a short hash of files' names and contents.
func hashOf(files fs.FS) string {
	all := sha256.New()
	if err := tar.NewWriter(all).AddFS(files); err != nil {
		panic(err) // what is built in can be read
	}
	return hex.EncodeToString(all.Sum(nil))[:12]
}

// parts matches the names of scripts that all pages need, and own what they import of each other.
var parts, own = regexp.MustCompile(`"\./(board|motion)\.js"`), regexp.MustCompile(`import\{[^}]*\}from"\./page\.js";?`)

// minified are scripts and style sheets without what browsers do not need. There are two style sheets: games need only
// style.css, all other pages need pages.css, too. page.js contains the scripts that it imports, so that they come with
// one request.
var minified = sync.OnceValue(func() map[string][]byte { //nolint:gochecknoglobals // read once, never written
	m, texts := minify.New(), map[string][]byte{}
	m.AddFunc(".css", css.Minify)
	m.AddFunc(".js", js.Minify)
	names, err := fs.Glob(assets, "assets/*.*s")
	for _, name := range names {
		text, err2 := assets.ReadFile(name)
		text, err3 := m.Bytes(path.Ext(name), text)
		text = parts.ReplaceAll(text, []byte(`"./page.js"`))
		switch name = path.Base(name); {
		case path.Ext(name) == ".css":
			name = words.Either(strings.Contains("after.css base.css board.css head.css walnut.css", name), "style.css", "pages.css")
		case strings.Contains("board.js motion.js page.js", name):
			name, text = "page.js", append(own.ReplaceAll(text, nil), '\n')
		}
		texts[name], err = append(texts[name], text...), errors.Join(err, err2, err3)
	}
	if err != nil {
		panic(err) // what is built in can be read
	}
	return texts
})

// packed are those compressed by Brotli at its best, which takes too long for pages, made anew each time.
var packed = sync.OnceValue(func() map[string][]byte { //nolint:gochecknoglobals // read once, never written
	texts := map[string][]byte{}
	for name, text := range minified() {
		var b bytes.Buffer
		to := brotli.NewWriterLevel(&b, brotli.BestCompression)
		_, _ = to.Write(text) // a buffer takes everything
		_ = to.Close()
		texts[name] = b.Bytes()
	}
	return texts
})

// packs compresses texts and drawings by Brotli, or by gzip for browsers that do not take that.
func packs(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := &answer{ResponseWriter: w}
		next.ServeHTTP(a, r)
		h := w.Header()
		kind := h.Get("Content-Type")
		text := strings.HasPrefix(kind, "text/") || kind == "image/svg+xml"
		if text && a.Len() > 0 && a.status != http.StatusPartialContent && h.Get("Content-Encoding") == "" {
			h.Del("Content-Length")
			smaller := &answer{ResponseWriter: w, status: a.status}
			to := brotli.HTTPCompressorWithLevel(smaller, r, 5) // 4 makes pages a twentieth larger
			_, _ = a.WriteTo(to)                                // a buffer takes everything
			_ = to.Close()
			a = smaller
		}
		a.send()
	})
}

// serveAsset sends a file that never changes at its address, or the worker.
func serveAsset(w http.ResponseWriter, r *http.Request) {
	name, ok := strings.CutPrefix(r.URL.Path, assetPath)
	lasts := "public, max-age=31536000, immutable"
	if r.URL.Path == workerPath {
		name, ok, lasts = workerPath[1:], true, "no-cache"
	}
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", lasts)
	if strings.HasSuffix(name, ".webmanifest") {
		w.Header().Set("Content-Type", "application/manifest+json")
	}
	switch icon, text := icons[name], minified()[name]; {
	case icon != nil:
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(icon()))
	case text != nil:
		w.Header().Set("Vary", "Accept-Encoding")
		if offers := strings.Split(strings.ReplaceAll(r.Header.Get("Accept-Encoding"), " ", ""), ","); slices.Contains(offers, "br") {
			w.Header().Set("Content-Encoding", "br")
			text = packed()[name]
		}
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
	default:
		http.ServeFileFS(w, r, assets, "assets/"+name)
	}
}

// The pages are an app that people may install. A worker in the browser (worker.js) keeps the pages that were seen
// last, for when there is no network. It keeps pages of one person only: each answer says for whom it is, by a mark
// that means nothing elsewhere, and the first answer for somebody else removes what was kept. Answers to somebody who
// was signed out have the browser forget everything.

// workerPath is the worker's path, at the root so that it sees all pages. Browsers look there for a new one.
const workerPath = "/worker.js"

// markHeader is the header that says for whom an answer is.
const markHeader = "Chimera-Person"

// tellWhose marks for whom an answer is. If the visitor has been signed out, by this request or before, it has the
// browser forget what it keeps instead. The page on which people sign in does that itself.
func (s *Site) tellWhose(w http.ResponseWriter, r *http.Request) {
	switch g, _ := r.Context().Value(guestKey{}).(guest); {
	case s.auth == nil || r.URL.Path == signPath:
	case g.ended, g.known && r.Method == http.MethodPost && !s.lasts(r):
		forget(w)
		s.dropCookies(w, r)
	case g.known:
		const size = 8
		w.Header().Set(markHeader, hex.EncodeToString(s.sum("reader", g.who)[:size]))
	}
}

// forget has the browser remove all that it keeps of the pages.
func forget(w http.ResponseWriter) { w.Header().Set("Clear-Site-Data", `"cache", "storage"`) }

// icons are painted when they are first asked for.
var icons = map[string]func() []byte{ //nolint:gochecknoglobals // never written
	"icon-192.png": icon(192, 1),
	"icon-512.png": icon(512, 1),
	"touch.png":    icon(180, .94),
	"maskable.png": icon(512, .74), // platforms may cut off all but a circle of 80 %
}

// icon paints the emblem on a square of size pixels; share is how much of the square it fills.
func icon(size int, share float64) func() []byte {
	return sync.OnceValue(func() []byte {
		var file bytes.Buffer
		if err := render.Icon(&file, size, share); err != nil {
			panic(err) // a buffer never fails
		}
		return file.Bytes()
	})
}

// hasHeader is the header with which a script asks only for changes. It tells what the script has: a game, how many of
// its moves, the shape of its board, and the names of the pieces that it has drawn.
const hasHeader = "Chimera-Has"

// drawnPiece matches the drawing of a piece, with its name.
var drawnPiece = regexp.MustCompile(`(?s)<symbol id="([^"]*)".*?</symbol>\n`)

// changes answers scripts that send hasHeader with only the title and main element of a page, without the pieces that
// they have drawn already. Such an answer must not be kept as a page.
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
			main = drawnPiece.ReplaceAllFunc(main, func(piece []byte) []byte {
				name := string(drawnPiece.FindSubmatch(piece)[1])
				if slices.Contains(has, name) {
					return nil
				}
				has = append(has, name)
				return piece
			})
			a.Reset()
			_, _ = fmt.Fprintf(a, "<!doctype html><title>%s</title><main%s", title, main) // a buffer never fails
		}
		a.send()
	})
}

// Shape changes whenever the board's squares, their colors or their names do.
func (p gamePage) Shape() string {
	first, b := p.Game.Plan.Rows[0][0], p.Game.Note.Board
	return fmt.Sprintf("%s-%d-%d-%v-%v", first.Name, first.X, first.Y, b.Theme, b.Coords)
}

// lastingLayer matches a layer of a board's drawing that is the same after each move.
var lastingLayer = regexp.MustCompile(`(?s)(<g class="(?:board|names)">).*?</g>`)

// bare is a board as SVG without its squares and their names.
func bare(d diagram.Diagram, l phrase.Language) (template.HTML, error) {
	all, err := drawing(d, l)
	return template.HTML(lastingLayer.ReplaceAllString(string(all), "$1</g>")), err //nolint:gosec // SVG escapes what people wrote
}

// leaveOut leaves out of a page what a script that asks for changes of its game already has: the parts that stay, and
// all but the newest moves.
func (p *gamePage) leaveOut(r *http.Request) {
	has := strings.Fields(r.Header.Get(hasHeader))
	if len(has) < 3 || has[0] != p.Code() {
		return
	}
	p.Same = has[2] == p.Shape()
	last, _ := strconv.Atoi(has[1])
	p.Stays = !p.Game.Over || last > 0 && p.Game.Review == nil // it has just ended
	const unsure = 4                                           // moves that may have been taken back and replaced
	for i := 1; i < min(last, p.Game.Last, p.Game.Ply)-unsure; i++ {
		if !p.Game.Score[i].Black {
			p.From, p.Rows = i, p.Rows+1
		}
	}
}
