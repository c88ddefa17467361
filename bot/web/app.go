package web

import (
	"bytes"
	"encoding/hex"
	"net/http"
	"sync"

	"chimera/render"
)

// The pages are an app that people may install. A worker in the browser (worker.js) keeps the pages that were seen
// last, for when there is no network. What it keeps is of one person: each answer says for whom it is, by a mark
// that means nothing elsewhere, and the first for somebody else ends what was kept. Answers to whoever is
// signed out have the browser forget all of it.

// workerPath is where the worker is, so that it sees all pages. Browsers look for a new one.
const workerPath = "/worker.js"

// markHeader is the header that says for whom an answer is.
const markHeader = "Chimera-Person"

// tellWhose says for whom an answer is, or that all that was kept has to go: the visitor has been signed out,
// by this very request or before. The page on which people sign in does so itself.
func (s *Site) tellWhose(w http.ResponseWriter, r *http.Request) {
	g, _ := r.Context().Value(guestKey{}).(guest)
	switch {
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
	"maskable.png": icon(512, .74), // of which any circle of four fifths may be cut out
}

// icon paints the mark, at a share of what it could fill.
func icon(size int, share float64) func() []byte {
	return sync.OnceValue(func() []byte {
		var file bytes.Buffer
		if err := render.Icon(&file, size, share); err != nil {
			panic(err) // a buffer takes all
		}
		return file.Bytes()
	})
}
