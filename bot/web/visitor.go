package web

import (
	"net/http"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/storage"
)

// visitor is the author of a request, as a message without text; false for a stranger, who sees only what is
// public.
func (s *Site) visitor(r *http.Request) (message.Incoming, bool) {
	if s.here != nil {
		return s.here.visitor(r), true
	}
	g, _ := r.Context().Value(guestKey{}).(guest)
	return g.message, g.known
}

// mover is the visitor or, at one screen, the guest beside them if a game waits for them.
func (s *Site) mover(r *http.Request, id storage.GameID) (message.Incoming, bool, error) {
	m, known := s.visitor(r)
	if s.here == nil || r.FormValue("as") != "" {
		return m, known, nil
	}
	turn, err := s.bot.Turn(r.Context(), id)
	if err == nil && s.here.waits(turn) {
		m = s.here.message(r, s.here.guest)
	}
	return m, known, err
}

// boardView is a game as the mover sees it.
func (s *Site) boardView(r *http.Request, id storage.GameID, wanted bot.BoardOptions) (*bot.BoardView, message.Incoming, []message.Message, error) {
	m, _, err := s.mover(r, id)
	if err != nil {
		return nil, m, nil, err
	}
	view, notes, err := s.bot.BoardView(r.Context(), m, id, wanted)
	return view, m, notes, err
}

// maxKey is how long the key of a form may be.
const maxKey = 64

// once is the message id by which a form is carried out only once, however often it is sent; "" for a form
// without a key. No message of anybody else, nor of the visitor's chats, has the same.
func once(r *http.Request, m message.Incoming) string {
	key := r.PostFormValue("key")
	if key == "" || len(key) > maxKey {
		return ""
	}
	return "page/" + m.From.Address.ID + "/" + key
}
