package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"chimera/bot"
	"chimera/storage"
)

// topPage is a leaderboard.
type topPage struct {
	page
	Leaders *bot.Leaders
	Games   []bot.Guide
	Periods []bot.Period
	Servers []server // of the visitor, beside which there is that of all
	Server  storage.ServerID
}

// server is one in which the visitor has played.
type server struct {
	ID   storage.ServerID
	Name string
}

// To is the address of the same leaderboard from another place on.
func (p *topPage) To(from int) string {
	to := url.Values{"game": {p.Leaders.Game}, "period": {p.Leaders.Period}, "from": {strconv.Itoa(from)}}
	return p.Path + "?" + to.Encode()
}

// top shows the leaderboard of all servers, or of one.
func (s *Site) top(w http.ResponseWriter, r *http.Request) error {
	m, _ := s.visitor(r)
	p := topPage{page: s.page(r, m)}
	homes, err := s.bot.HomeServers(r.Context(), m)
	if err != nil {
		return err
	}
	asked := bot.LeadersAsked{Game: r.FormValue("game"), Period: r.FormValue("period")}
	asked.From, _ = strconv.Atoi(r.FormValue("from")) // from the first place, if that is no number
	if id := r.PathValue("server"); id != "" {
		n, err := strconv.ParseUint(id, 10, 64)
		if err != nil || n == 0 {
			return errMissing
		}
		asked.Server = storage.ServerID(n)
	}
	for _, home := range homes {
		if home.Platform == platform {
			continue // it is this site, on which all have one screen
		}
		name := book.Say("top-server", "platform", strings.ToUpper(home.Platform[:1])+home.Platform[1:], "n", int(home.ID)).Text(p.Language)
		if p.Servers = append(p.Servers, server{home.ID, name}); home.ID == asked.Server {
			asked.Where = name
		}
	}
	p.Leaders, err = s.bot.Leaders(r.Context(), m, asked)
	if err != nil {
		return err
	}
	if p.Leaders == nil {
		return errMissing
	}
	p.Title = book.Say("top-title", "game", p.Leaders.Title).Text(p.Language)
	p.Games, p.Periods, p.Server = s.bot.Guides(p.Language), s.bot.Periods(p.Language), asked.Server
	return show(w, http.StatusOK, "top", &p)
}
