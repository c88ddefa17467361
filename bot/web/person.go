package web

import (
	"html/template"
	"net/http"
	"strconv"

	"chimera/bot"
	"chimera/storage"
)

// personPage is what somebody has reached.
type personPage struct {
	page
	*bot.Profile
	Head  template.HTML
	Facts []template.HTML
}

// person shows what somebody has reached.
func (s *Site) person(w http.ResponseWriter, r *http.Request) {
	m, _ := s.visitor(r)
	p := personPage{page: s.page(r, m)}
	id, err := strconv.ParseUint(r.PathValue("id"), 10, 64)
	if err != nil {
		s.missing(w, r)
		return
	}
	p.Profile, err = s.bot.Profile(r.Context(), m, storage.PersonID(id))
	switch {
	case err != nil:
		s.fail(w, r, err)
		return
	case p.Profile == nil:
		s.missing(w, r)
		return
	}
	p.Title, p.Head = p.Name, markup(p.Profile.Head)
	for _, fact := range p.Profile.Facts {
		p.Facts = append(p.Facts, markup(fact))
	}
	s.show(w, r, http.StatusOK, "person", p)
}
