package web

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/storage"
)

// lobbyPage is where people find opponents, and games to watch.
type lobbyPage struct {
	page
	*bot.Lobby
	Games  []bot.Guide
	Days   []int
	Events string // the address of the stream that tells of changes
}

// lobbyWith shows the lobby, and what was said to somebody who did something there.
func (s *Site) lobbyWith(w http.ResponseWriter, r *http.Request, status int, notes []message.Message) error {
	m, _ := s.visitor(r)
	p := lobbyPage{page: s.titled(r, "lobby"), Days: []int{1, 2, 3, 5, 7, 14}, Events: "/lobby/events"}
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
		return page(w, r, words.Either(err == nil, http.StatusOK, http.StatusUnprocessableEntity), notes)
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
			err = bot.ErrNothing
		}
		return mark, err
	})
}

// archivePage is what was found among games.
type archivePage struct {
	page
	*bot.Archive
	Games []bot.Guide
	Asked url.Values
}

// length is how many moves games have.
type length struct {
	Key         string
	least, most int
}

var lengths = []length{{"short", 0, 20}, {"medium", 21, 40}, {"long", 41, 0}} //nolint:gochecknoglobals // never written

// How many games a page of the archive has, and among how many it looks for them: some thousands in a second.
const archiveLines, archiveSearched = 24, 2000

// Is reports whether a part of what is looked for has a value.
func (p *archivePage) Is(key, value string) bool { return p.Asked.Get(key) == value }

// Later is the address of the games that follow.
func (p *archivePage) Later() string {
	return p.Path + query(p.Asked).With("before", p.code(ofGames, uint64(p.Next)))
}

// Newest is the address of those before all others.
func (p *archivePage) Newest() string { return p.Path + query(p.Asked).With("before", "") }

// archive finds games that the visitor may see.
func (s *Site) archive(w http.ResponseWriter, r *http.Request) error {
	m, _ := s.visitor(r)
	p := archivePage{page: s.titled(r, "archive"), Asked: url.Values{}}
	p.Games = s.bot.Guides(p.Language)
	const longest = 60 // of what is looked for, which links repeat
	for _, key := range []string{"who", "mine", "game", "result", "length", "from", "to", "before"} {
		if value := strings.TrimSpace(r.FormValue(key)); value != "" && len(value) <= longest {
			p.Asked.Set(key, value)
		}
	}
	asked := bot.ArchiveAsked{
		Game: p.Asked.Get("game"), Who: p.Asked.Get("who"), Result: p.Asked.Get("result"),
		HowMany: archiveLines, LookedThru: archiveSearched,
	}
	if asker, _ := s.bot.Asker(r.Context(), m); p.Asked.Has("mine") {
		asked.Of = asker.Me.ID
	}
	before, _ := s.number(ofGames, p.Asked.Get("before")) // the newest, if that is no code
	asked.Before = storage.GameID(before)
	for _, l := range lengths {
		if l.Key == p.Asked.Get("length") {
			asked.Least, asked.Most = l.least, l.most
		}
	}
	zone := s.bot.Zone(r.Context(), m)
	status := http.StatusOK
	for key, to := range map[string]*time.Time{"from": &asked.From, "to": &asked.To} {
		switch day, err := time.ParseInLocation(time.DateOnly, p.Asked.Get(key), zone); {
		case err == nil && key == "to":
			*to = day.AddDate(0, 0, 1) // that day too
		case err == nil:
			*to = day
		case p.Asked.Has(key):
			status = http.StatusUnprocessableEntity
			p.Asked.Del(key)
			p.Notes = []message.Message{{Text: words.Text{{Words: book.Say("archive-bad-date").Text(p.Language)}}, Language: p.Language}}
		}
	}
	var err error
	if p.Archive, err = s.bot.FindGames(r.Context(), m, asked); err != nil {
		return err
	}
	return show(w, status, "archive", &p)
}
