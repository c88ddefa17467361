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

// lobbyWith shows the lobby together with the answers to what the visitor did there.
func (s *Site) lobbyWith(w http.ResponseWriter, r *http.Request, status int, notes []message.Message) (err error) {
	p := lobbyPage{page: s.titled(r, "lobby"), Days: []int{1, 2, 3, 5, 7, 14}, Events: "/lobby/events"}
	p.Games, p.Notes = s.bot.Guides(p.Language), notes
	if p.Lobby, err = s.bot.Lobby(r.Context(), p.asker.Msg); err != nil {
		return err
	}
	return show(w, status, "lobby", p)
}

// offer opens a challenge, or presses a button of a challenge or game. Whoever takes a challenge is led to its game;
// any other answer is shown on the page.
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

// lobbyEvents is a stream of marks of what the visitor's lobby shows. Only a few lobbies of strangers are read at once,
// like their pages.
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

// archivePage is the games that were found.
type archivePage struct {
	page
	*bot.Archive
	Games []bot.Guide
	Asked url.Values
}

// lengths are the least and the greatest number of moves by the length that is searched for; 0 for no limit.
var lengths = map[string][2]int{"short": {0, 20}, "medium": {21, 40}, "long": {41, 0}} //nolint:gochecknoglobals // never written

// How many games a page of the archive has, and how many are searched for it: some thousands take a second.
const archiveLines, archiveSearched = 24, 2000

// Is reports whether a part of the search has a value.
func (p *archivePage) Is(key, value string) bool { return p.Asked.Get(key) == value }

// Later is the address of the next page of games.
func (p *archivePage) Later() string {
	return p.Path + query{p.Asked}.With("before", p.code(ofGames, uint64(p.Next)))
}

// Without is the address of the first page of the search without one of its parts.
func (p *archivePage) Without(key string) string {
	return p.Path + query{p.Asked}.With(key, "", "before", "")
}

// archive finds games that the visitor may see.
func (s *Site) archive(w http.ResponseWriter, r *http.Request) (err error) {
	p := archivePage{page: s.titled(r, "archive"), Asked: url.Values{}}
	p.Games = s.bot.Guides(p.Language)
	const longest = 60 // length of a value, since links repeat it
	for _, key := range []string{"who", "mine", "game", "result", "length", "from", "until", "before"} {
		if value := strings.TrimSpace(r.FormValue(key)); value != "" && len(value) <= longest {
			p.Asked.Set(key, value)
		}
	}
	asked := bot.ArchiveAsked{
		Game: p.Asked.Get("game"), Who: p.Asked.Get("who"), Result: p.Asked.Get("result"),
		HowMany: archiveLines, LookedThru: archiveSearched,
	}
	if p.Asked.Has("mine") {
		asked.Of = p.asker.Me.ID
	}
	before, _ := s.number(ofGames, p.Asked.Get("before")) // if it is no code, 0: from the newest on
	asked.Before = storage.GameID(before)
	moves := lengths[p.Asked.Get("length")]
	asked.Least, asked.Most = moves[0], moves[1]
	status := http.StatusOK
	for key, to := range map[string]*time.Time{"from": &asked.From, "until": &asked.To} {
		switch day, err := time.ParseInLocation(time.DateOnly, p.Asked.Get(key), p.asker.Location()); {
		case err == nil && key == "until":
			*to = day.AddDate(0, 0, 1) // includes that day
		case err == nil:
			*to = day
		case p.Asked.Has(key):
			status = http.StatusUnprocessableEntity
			p.Asked.Del(key)
			p.Notes = []message.Message{{Text: words.Text{{Words: book.Say("archive-bad-date").Text(p.Language)}}, Language: p.Language}}
		}
	}
	if p.Archive, err = s.bot.FindGames(r.Context(), p.asker.Msg, asked); err != nil {
		return err
	}
	return show(w, status, "archive", &p)
}
