package web

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"chimera/bot"
	"chimera/storage"
)

// leaguesPage lists what is played for.
type leaguesPage struct {
	page
	Leagues []bot.League // and ladders
}

// Where is what a server is called.
func (p page) Where(s storage.Server) string {
	on := s.Address.Platform
	return book.Say("top-server", "platform", strings.ToUpper(on[:min(1, len(on))])+on[min(1, len(on)):], "n", int(s.ID)).Text(p.Language)
}

// leagues lists those of the visitor, or of one server.
func (s *Site) leagues(w http.ResponseWriter, r *http.Request) error {
	m, _ := s.visitor(r)
	p := leaguesPage{page: s.titled(r, "leagues")}
	leagues, err := s.bot.Leagues(r.Context(), m)
	ladders, err2 := s.bot.Ladders(r.Context(), m)
	at := r.PathValue("server")
	p.Leagues = slices.DeleteFunc(append(leagues, ladders...), func(l bot.League) bool { return at != "" && at != fmt.Sprint(l.Server.ID) })
	switch err := cmp.Or(err, err2); {
	case err != nil:
		return err
	case at != "" && len(p.Leagues) == 0:
		return bot.ErrNothing
	}
	return show(w, http.StatusOK, "leagues", p)
}

// leaguePage is how a division stands.
type leaguePage struct {
	page
	*bot.Division
}

// Of is the address of a division of a season.
func (p leaguePage) Of(season, division int) string {
	return fmt.Sprintf("%s?season=%d&division=%d", p.Path, season, division)
}

// Events is where a change of what is shown is heard of.
func (p leaguePage) Events() string {
	_, query, _ := strings.Cut(p.Of(p.Season, p.Number), "?")
	return p.Path + "/events?" + query
}

// divisionAt is the division at the address of a request; it fails with bot.ErrNothing.
func (s *Site) divisionAt(r *http.Request) (*bot.Division, error) {
	m, _ := s.visitor(r)
	server, err := strconv.ParseUint(r.PathValue("server"), 10, 64)
	if err != nil {
		return nil, bot.ErrNothing
	}
	season, _ := strconv.Atoi(r.FormValue("season")) // the one that goes on, if that is no number
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

// division leads from a game to the division in which it counts.
func (s *Site) division(w http.ResponseWriter, r *http.Request, id storage.GameID) error {
	m, _ := s.visitor(r)
	l, season, division, err := s.bot.DivisionOf(r.Context(), m, id)
	if err != nil || l.ID == 0 {
		return bot.ErrNothing
	}
	p := leaguePage{page: page{Path: fmt.Sprintf("/league/%d/%s", l.Server, l.Variant)}}
	http.Redirect(w, r, p.Of(season, division), http.StatusSeeOther)
	return nil
}
