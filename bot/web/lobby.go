package web

import (
	"net/http"
	"strings"
	"time"

	"chimera/bot"
	"chimera/bot/message"
)

// lobbyPage is where people find opponents, and games to watch.
type lobbyPage struct {
	page
	*bot.Lobby
	Known  bool
	Games  []bot.Guide
	Days   []int
	Events string // the address of the stream that tells of changes
}

// lobbyWith shows the lobby, and what was said to somebody who did something there.
func (s *Site) lobbyWith(w http.ResponseWriter, r *http.Request, status int, notes []message.Message) error {
	m, known := s.visitor(r)
	p := lobbyPage{page: s.titled(r, "lobby"), Known: known, Days: []int{1, 2, 3, 5, 7, 14}, Events: "/lobby/events"}
	if as := r.FormValue(asWhom); s.here != nil && as == s.here.seats[guestSeat].ID {
		p.Events += "?as=" + as
	}
	p.Games, p.Notes = s.bot.Guides(p.Language), notes
	var err error
	if p.Lobby, err = s.bot.Lobby(r.Context(), m); err != nil {
		return err
	}
	return show(w, status, "lobby", p)
}

// offer opens a challenge, or presses the button of one or of a game: whoever takes one goes to its game. What else
// was said is shown with the page.
func (s *Site) offer(page pageWith) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		m, _ := s.visitor(r)
		m.ID = once(r, m)
		word := func(name string) string { return strings.Join(strings.Fields(r.PostFormValue(name)), "") }
		if m.Press = r.PostFormValue("press"); m.Press == "" {
			m.Text = strings.Join(strings.Fields(strings.Join([]string{"challenge", word("game"), word("color"), word("days"), word("rated")}, " ")), " ")
		}
		notes, err := s.bot.Handle(r.Context(), m) // an error has its note
		if id := begun(notes); id != 0 && strings.HasPrefix(m.Press, "join ") {
			return seeOther(w, r, s.GamePath(id))
		}
		status := http.StatusOK
		if err != nil {
			status = http.StatusUnprocessableEntity
		}
		return page(w, r, status, notes)
	}
}

// lobbyEvents is a stream of marks of what the visitor's lobby shows. Strangers' lobbies are read as their pages
// are made: a few at once.
func (s *Site) lobbyEvents(w http.ResponseWriter, r *http.Request) error {
	m, known := s.visitor(r)
	return s.stream(w, r, anyGame, time.Second, func() (mark string, err error) {
		look := func() {
			var seen *bot.Lobby
			if seen, err = s.bot.Lobby(r.Context(), m); err == nil {
				mark = seen.Mark
			}
		}
		if known {
			look()
		} else if !s.strangers.serve(r.Context(), look) {
			err = errNoFile
		}
		return mark, err
	})
}
