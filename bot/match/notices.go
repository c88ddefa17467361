package match

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"chimera/bot/event"
	"chimera/storage"
)

// TellMore tells some more opponents of a person that is on vacation, or back, if they are still
// being told, and reports whether they were.
func (s *Service) TellMore(w storage.Writer, p storage.PersonID) (some bool, err error) {
	t, err := w.Jobs().Get(storage.JobID{Kind: telling, Of: uint64(p)})
	if errors.Is(err, storage.ErrNotFound) {
		return false, nil
	}
	return true, errors.Join(err, storage.BeginJob(w, t, s.tellMore))
}

// tellMore tells some more opponents of a person, or of whoever they have become, that these are
// on vacation or back, unless that has changed since.
func (s *Service) tellMore(w storage.Writer, t *storage.Job) (more bool, err error) {
	m, err := s.Moment(w.Reader)
	if err != nil {
		return false, err
	}
	p := storage.PersonID(t.Of)
	who, err := w.People().Get(cmp.Or(storage.PersonID(t.Into), p))
	if err != nil || who.Away() != t.Gone {
		return false, err
	}
	what, payload := event.CameBack, event.Vacation{}
	if t.Gone {
		what, payload.Until, payload.Auto = event.WentAway, m.wall(who.Vacation.Until).Truncate(time.Second), event.Flag(who.Vacation.Auto)
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
		payload.Games = n.games
		e := event.Event{Kind: what, Ply: n.ply, By: p, Payload: payload}.Entry(n.at.place, s.now())
		e.Game = n.games[0]
		err = errors.Join(err, w.Post(e))
	}
	return false, err
}

// notice is what an opponent is told at a place: once for all games there, in the first of them.
type notice struct {
	at    whom
	ply   int // of the first game
	games event.Games
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
	games, err := r.Games().All(r.Playing(p))
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
				n = &notice{at: at, ply: len(g.Moves)}
				known[at] = n
			}
			n.games = append(n.games, g.ID)
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
