package match

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chimera/bot/event"
	"chimera/bot/steps"
	"chimera/storage"
)

// TellMore tells some more opponents of a person that is on vacation, or back, if they are still
// being told, and reports whether they were.
func (s *Service) TellMore(w storage.Writer, p storage.PersonID) (some bool, err error) {
	t, err := w.Job(telling, uint64(p))
	if errors.Is(err, storage.ErrNotFound) {
		return false, nil
	}
	return true, errors.Join(err, steps.Begin(w, t, s.tellMore))
}

// tellMore tells some more opponents of a person, or of whoever they have become, that these are
// on vacation or back, unless that has changed since.
func (s *Service) tellMore(w storage.Writer, t *storage.Job) (more bool, err error) {
	m, err := s.Moment(w.Reader)
	if err != nil {
		return false, err
	}
	p := storage.PersonID(t.Of)
	who, err := w.Person(cmp.Or(storage.PersonID(t.Into), p))
	if err != nil || who.Away() != t.Gone {
		return false, err
	}
	what, facts := event.CameBack, map[string]string{}
	if t.Gone {
		what, facts = event.WentAway, awayFacts(&who, m)
	}
	notices, err := noticesOf(w.Reader, p, t.Told)
	some := 0
	for _, n := range notices {
		if n.at.compare(whom{t.Place, t.Person}) <= 0 {
			continue
		}
		if some++; some > fewNotices {
			return true, err
		}
		t.Place, t.Person = n.at.place, n.at.who
		facts[event.FactGames] = strings.Join(n.games, " ")
		err = errors.Join(err, w.Post(storage.Entry{
			Place: n.at.place, Game: n.first, Ply: n.ply, At: s.now(), Kind: string(what), By: p, Facts: facts,
		}))
	}
	return false, err
}

// notice is what an opponent is told at a place: once for all games there, in the first of them.
type notice struct {
	at    whom
	first storage.GameID
	ply   int
	games []string
}

type whom struct {
	place storage.PlaceID
	who   storage.PersonID
}

func (a whom) compare(b whom) int {
	return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.who, b.who))
}

// noticesOf are those to each opponent of a person in games with a limit, at each place of these
// but one, in order.
func noticesOf(r storage.Reader, p storage.PersonID, but storage.PlaceID) (all []*notice, err error) {
	games, err := r.ReadAll(r.Playing(p))
	if err != nil {
		return nil, err
	}
	known := map[whom]*notice{}
	for _, g := range games {
		side, plays := g.SideOf(p)
		if g.Pace.Move == 0 || !plays {
			continue
		}
		for _, place := range g.Places() {
			at := whom{place, g.Players[1-side]}
			n := known[at]
			if n == nil {
				n = &notice{at: at, first: g.ID, ply: len(g.Moves)}
				known[at] = n
			}
			n.games = append(n.games, fmt.Sprint(uint64(g.ID)))
		}
	}
	for at, n := range known {
		if at.place != but {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b *notice) int { return a.at.compare(b.at) })
	return all, nil
}
