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
func (s *Site) person(w http.ResponseWriter, r *http.Request) error {
	m, _ := s.visitor(r)
	p := personPage{page: s.page(r, m)}
	id, err := strconv.ParseUint(r.PathValue("id"), 10, 64)
	if err != nil {
		return errMissing
	}
	p.Profile, err = s.bot.Profile(r.Context(), m, storage.PersonID(id))
	if err != nil {
		return err
	}
	if p.Profile == nil {
		return errMissing
	}
	p.Title, p.Head = p.Name, markup(p.Profile.Head)
	for _, fact := range p.Profile.Facts {
		p.Facts = append(p.Facts, markup(fact))
	}
	return show(w, http.StatusOK, "person", p)
}
