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

// archivePage is what was found among games.
type archivePage struct {
	page
	*bot.Archive
	Known   bool
	Games   []bot.Guide
	Asked   url.Values
	Results []option
	Lengths []length
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
	m, known := s.visitor(r)
	p := archivePage{page: s.titled(r, "archive"), Known: known, Asked: url.Values{}, Lengths: lengths}
	p.Games = s.bot.Guides(p.Language)
	const longest = 60 // of what is looked for, which links repeat
	for _, key := range []string{"who", "mine", "game", "result", "length", "from", "to", "before"} {
		if value := strings.TrimSpace(r.FormValue(key)); value != "" && len(value) <= longest {
			p.Asked.Set(key, value)
		}
	}
	asked := bot.ArchiveAsked{
		Mine: known && p.Asked.Has("mine"), Game: p.Asked.Get("game"), Who: p.Asked.Get("who"), Result: p.Asked.Get("result"),
		HowMany: archiveLines, LookedThru: archiveSearched,
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
		day, err := time.ParseInLocation(time.DateOnly, p.Asked.Get(key), zone)
		switch {
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
	results := []string{"won", "lost", "1-0", "0-1", "1/2-1/2", "*"}
	for i, key := range []string{"won", "lost", "white", "black", "draw", "running"} {
		if known || i > 1 {
			p.Results = append(p.Results, option{results[i], book.Say("archive-" + key).Text(p.Language)})
		}
	}
	var err error
	if p.Archive, err = s.bot.FindGames(r.Context(), m, asked); err != nil {
		return err
	}
	return show(w, status, "archive", &p)
}
