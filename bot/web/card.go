package web

import (
	"bytes"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/rules/phrase"
	"chimera/storage"
)

// preview is what other sites show of a page when its address is passed on.
type preview struct{ Address, Title, About, Picture string }

// base is the web address of all pages, without a slash at its end.
func (s *Site) base(r *http.Request) string {
	if s.auth != nil {
		return s.auth.url
	}
	return "http://" + r.Host
}

// preview is that of a game that has ended and that everyone may see, nil of any other.
func (s *Site) preview(r *http.Request, id storage.GameID, view *bot.BoardView, l phrase.Language) (*preview, error) {
	if !view.Over {
		return nil, nil
	}
	card, err := s.bot.Card(r.Context(), id, l)
	if card == nil || err != nil {
		return nil, err
	}
	address := s.base(r) + gamePath(id)
	var text strings.Builder
	for _, s := range view.Note.Text {
		text.WriteString(s.Words)
	}
	title, about, _ := strings.Cut(text.String(), "\n")
	const most = 200 // characters, in one line
	inLine := func(text string) string { return adapter.Clip(strings.Join(strings.Fields(text), " "), most) }
	return &preview{address, inLine(title), inLine(about), address + "/card.png?" + url.Values{"in": {string(l)}}.Encode()}, nil
}

// How many cards are painted in a second, and at once: each takes about a tenth of a second.
const cardRate, cardBurst = 1, 20

// cardAge is for how long a card may be shown without being asked for again.
const cardAge = time.Hour

// card is the picture of a game that has ended, for everyone.
func (s *Site) card(w http.ResponseWriter, r *http.Request) error {
	l, spoken := phrase.Match(r.FormValue("in"))
	id, ok := gameID(r)
	if !ok || !spoken && r.FormValue("in") != "" {
		return errNoFile
	}
	card, err := s.bot.Card(r.Context(), id, l)
	if err != nil {
		return err
	}
	if card == nil {
		return errNoFile
	}
	h, known := w.Header(), strconv.Quote(card.Tag)
	if r.Header.Get("If-None-Match") == known {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	if !card.Kept() && s.auth != nil && !s.auth.may("cards", cardRate, cardBurst) {
		h.Set("Retry-After", strconv.Itoa(cardBurst/cardRate))
		s.refuse(w, r, http.StatusServiceUnavailable, "too-many")
		return nil
	}
	picture, err := card.PNG(r.Context())
	if err != nil {
		return err
	}
	h.Set("Content-Type", "image/png")
	h.Set("ETag", known)
	h.Set("Cache-Control", "public, max-age="+strconv.Itoa(int(cardAge.Seconds())))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(picture))
	return nil
}
