package web

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/storage"
)

// topPage is a leaderboard.
type topPage struct {
	page
	Leaders *bot.Leaders
	Games   []bot.Guide
	Periods []bot.Period
	Servers []option // those of the visitor
	Server  string   // whose leaderboard it is, as in addresses; "" for all
}

// To is the address of the same leaderboard, beginning at another place.
func (p *topPage) To(from int) string {
	return p.Of(p.Leaders.Game, p.Leaders.Period) + "&from=" + strconv.Itoa(from)
}

// Of is the address of another leaderboard of the same server, or of all servers.
func (p *topPage) Of(game, period string) string {
	return p.Path + "?" + url.Values{"game": {game}, "period": {period}}.Encode()
}

// top shows the leaderboard of all servers, or of one.
func (s *Site) top(w http.ResponseWriter, r *http.Request) error {
	p := topPage{page: s.page(r)}
	homes, err := s.bot.HomeServers(r.Context(), p.asker.Msg)
	if err != nil {
		return err
	}
	asked := bot.LeadersAsked{Game: r.FormValue("game")}
	asked.From, _ = strconv.Atoi(r.FormValue("from")) // 0 if that is no number: from the first place on
	p.Server = r.PathValue("server")
	n, _ := s.number(ofServers, p.Server)
	if asked.Server = storage.ServerID(n); n == 0 && p.Server != "" {
		return bot.ErrNothing
	}
	for _, home := range homes {
		if home.Address.Platform == platform {
			continue // it is this site, at one screen
		}
		name := p.Where(home)
		if p.Servers = append(p.Servers, option{s.ServerCode(home.ID), name}); home.ID == asked.Server {
			asked.Where = name
		}
	}
	p.Leaders, err = s.bot.Leaders(r.Context(), p.asker.Msg, asked, r.FormValue("period"))
	if err == nil && p.Here && !r.Form.Has("period") && len(p.Leaders.Rows) == 0 { // at one screen, no game is rated
		p.Leaders, err = s.bot.Leaders(r.Context(), p.asker.Msg, asked, "computer")
	}
	if err != nil {
		return err
	}
	p.Games, p.Periods = s.bot.Guides(p.Language), s.bot.Periods(p.Language)
	subject := p.Leaders.Title.Text(p.Language)
	for _, period := range p.Periods[1:] { // the title names all but ratings and past months
		if kind := book.Say("top-kind-" + period.Key).Text(p.Language); period.Key == p.Leaders.Period {
			subject = words.Either(p.Leaders.Game == "" || period.Key == "puzzles", kind, kind+", "+subject)
		}
	}
	p.Title = book.Say("top-title", "game", subject).Text(p.Language)
	return show(w, http.StatusOK, "top", &p)
}

// personPage is somebody's profile.
type personPage struct {
	page
	*bot.Profile
	Last *bot.Archive // their last games
	Mine bool         // it is the visitor's own
	Row  int          // days in a row on which they have solved the puzzle of the day
}

// person shows somebody's profile; "me" is the visitor's own.
func (s *Site) person(w http.ResponseWriter, r *http.Request) error {
	p := personPage{page: s.page(r)}
	if r.PathValue("id") == "me" {
		return s.forKnown(func(w http.ResponseWriter, r *http.Request) error { return seeOther(w, r, s.PersonPath(p.asker.Me.ID)) })(w, r)
	}
	n, _ := s.number(ofPeople, r.PathValue("id")) // 0 if that is no code: nobody
	id := storage.PersonID(n)
	var err, err2 error
	if p.Profile, err = s.bot.Profile(r.Context(), p.asker.Msg, id); err != nil {
		return err
	}
	p.Title, p.Mine = p.Person.Name, p.asker.Me.ID == id
	day := s.bot.Training.Today()
	found, err := s.bot.Training.OnDay(r.Context(), id, day)
	p.Row = found.Row(day)
	if p.Last, err2 = s.lastOf(r, p.asker, id); err != nil || err2 != nil {
		return cmp.Or(err, err2)
	}
	return show(w, http.StatusOK, "person", p)
}

// rulesPage lists the games, or has the rules of one.
type rulesPage struct {
	page
	Games []bot.Guide
	*bot.Guide
}

// rules lists the games that have rules.
func (s *Site) rules(w http.ResponseWriter, r *http.Request) error {
	p := rulesPage{page: s.titled(r, "rules")}
	p.Games = s.bot.Guides(p.Language)
	return show(w, http.StatusOK, "rules", p)
}

// rulesOf shows the rules of a game, or what a piece of it does.
func (s *Site) rulesOf(w http.ResponseWriter, r *http.Request) (err error) {
	game, piece := r.PathValue("game"), r.PathValue("piece")
	p := rulesPage{page: s.page(r)}
	key := fmt.Sprint(game, " ", piece, " ", p.Language, p.Look, p.Signed, p.Boards)
	if kept, ok := s.guides.Load(key); ok {
		send(w, http.StatusOK, kept.([]byte))
		return nil
	}
	if p.Guide, err = s.bot.Guide(game, piece, p.Language); err != nil {
		return err
	}
	message.SetLook(&p.Start, p.Boards)
	for i := range p.Pieces {
		message.SetLook(&p.Pieces[i].Card, p.Boards)
	}
	p.Title = p.Name
	name := "rules-of"
	if piece != "" {
		p.Title, name = p.Pieces[0].Name, "piece"
	}
	a := &answer{ResponseWriter: w}
	err = show(a, http.StatusOK, name, p)
	if err == nil {
		if p.Boards == (storage.Look{}) { // only the usual look is kept
			s.guides.Store(key, a.Bytes())
		}
		a.send()
	}
	return err
}

// leaguesPage lists leagues and ladders.
type leaguesPage struct {
	page
	Leagues []bot.League // and ladders
}

// Where is the name of a server.
func (p page) Where(s storage.Server) string {
	on := s.Address.Platform
	return book.Say("top-server", "platform", strings.ToUpper(on[:min(1, len(on))])+on[min(1, len(on)):], "n", int(s.ID)).Text(p.Language)
}

// leagues lists the leagues and ladders that the visitor may see, or those of one server.
func (s *Site) leagues(w http.ResponseWriter, r *http.Request) error {
	p := leaguesPage{page: s.titled(r, "leagues")}
	leagues, err := s.bot.Leagues(r.Context(), p.asker.Msg)
	ladders, err2 := s.bot.Ladders(r.Context(), p.asker.Msg)
	at := r.PathValue("server")
	p.Leagues = slices.DeleteFunc(append(leagues, ladders...), func(l bot.League) bool { return at != "" && at != s.ServerCode(l.Server.ID) })
	switch err := cmp.Or(err, err2); {
	case err != nil:
		return err
	case at != "" && len(p.Leagues) == 0:
		return bot.ErrNothing
	}
	return show(w, http.StatusOK, "leagues", p)
}

// leaguePage is the table of a division.
type leaguePage struct {
	page
	*bot.Division
}

// Of is the address of a division of a season.
func (p leaguePage) Of(season, division int) string {
	return fmt.Sprintf("%s?season=%d&division=%d", p.Path, season, division)
}

// Events is the address of the stream that tells of changes.
func (p leaguePage) Events() string {
	_, query, _ := strings.Cut(p.Of(p.Season, p.Number), "?")
	return p.Path + "/events?" + query
}

// divisionAt is the division at the address of a request, or bot.ErrNothing.
func (s *Site) divisionAt(r *http.Request) (*bot.Division, error) {
	m, _ := s.visitor(r)
	server, _ := s.number(ofServers, r.PathValue("server")) // 0 if that is no code: none
	season, _ := strconv.Atoi(r.FormValue("season"))        // 0 if that is no number: the current one
	division, _ := strconv.Atoi(r.FormValue("division"))
	d, err := s.bot.Division(r.Context(), m, storage.ServerID(server), r.PathValue("game"), season, division)
	if err == nil && d == nil {
		err = bot.ErrNothing
	}
	return d, err
}

func (s *Site) league(w http.ResponseWriter, r *http.Request) error {
	d, err := s.divisionAt(r)
	if err != nil {
		return err
	}
	return show(w, http.StatusOK, "league", leaguePage{s.titled(r, "league-title", "game", d.Name), d})
}

func (s *Site) leagueEvents(w http.ResponseWriter, r *http.Request) error {
	return s.stream(w, r, anyGame, time.Second, func() (string, error) {
		d, err := s.divisionAt(r)
		if err != nil {
			return "", err
		}
		return d.Mark(), nil
	})
}

// division redirects from a game to the division in which it counts.
func (s *Site) division(w http.ResponseWriter, r *http.Request, id storage.GameID) error {
	m, _ := s.visitor(r)
	l, season, division, err := s.bot.DivisionOf(r.Context(), m, id)
	if err != nil || l.ID == 0 {
		return bot.ErrNothing
	}
	p := leaguePage{page: page{Path: fmt.Sprintf("/league/%s/%s", s.ServerCode(l.Server), l.Variant)}}
	return seeOther(w, r, p.Of(season, division))
}
