package web

import (
	"fmt"
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

func (s *Site) lobby(w http.ResponseWriter, r *http.Request) error {
	return s.lobbyWith(w, r, http.StatusOK, nil)
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

// offer opens a challenge, or presses the button of one: whoever takes one goes to its game.
func (s *Site) offer(w http.ResponseWriter, r *http.Request) error {
	m, _ := s.visitor(r)
	m.ID = once(r, m)
	word := func(name string) string { return strings.Join(strings.Fields(r.PostFormValue(name)), "") }
	if m.Press = r.PostFormValue("press"); m.Press == "" {
		m.Text = strings.Join(strings.Fields(strings.Join([]string{"challenge", word("game"), word("color"), word("days"), word("rated")}, " ")), " ")
	}
	notes, err := s.bot.Handle(r.Context(), m) // an error has its note
	if id := begun(notes); id != 0 && strings.HasPrefix(m.Press, "join ") {
		http.Redirect(w, r, s.GamePath(id), http.StatusSeeOther)
		return nil
	}
	status := http.StatusOK
	if err != nil {
		status = http.StatusUnprocessableEntity
	}
	return s.lobbyWith(w, r, status, notes)
}

// lobbyPause is how long the lobby's streams are silent after they have told something.
const lobbyPause = time.Second

// lobbyEvents is a stream of marks of what the visitor's lobby shows, beginning with the current one.
func (s *Site) lobbyEvents(w http.ResponseWriter, r *http.Request) error {
	g, _ := r.Context().Value(guestKey{}).(guest)
	m, known := s.visitor(r)
	heard, end := s.streams.watch(anyGame, g.who, !known)
	if heard == nil {
		s.refuse(w, r, http.StatusTooManyRequests, "too-many-boards")
		return nil
	}
	defer end()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	out := http.NewResponseController(w)
	timer := time.NewTicker(sign)
	defer timer.Stop()
	for {
		lobby, err := s.bot.Lobby(r.Context(), m)
		if err != nil || out.SetWriteDeadline(time.Now().Add(writeTime)) != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "data: %s\n\n", lobby.Mark); err != nil || out.Flush() != nil {
			return nil
		}
		select {
		case <-r.Context().Done():
			return nil
		case <-timer.C:
		case _, on := <-heard:
			if !on {
				return nil
			}
			select {
			case <-r.Context().Done():
				return nil
			case <-time.After(lobbyPause): // much may happen at once
			}
		}
		if !s.lasts(r) {
			return nil
		}
	}
}
