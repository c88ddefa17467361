package web

import (
	"net/http"
	"strconv"

	"chimera/bot"
	"chimera/storage"
)

// personPage is what somebody has reached.
type personPage struct {
	page
	*bot.Profile
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
	p.Title = p.Name
	return show(w, http.StatusOK, "person", p)
}
