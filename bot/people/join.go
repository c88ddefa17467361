package people

import (
	"context"
	"errors"
	"slices"
	"time"

	"chimera/bot/league"
	"chimera/storage"
)

// HandMore does the next step of giving games of linked accounts away, and reports whether
// there may be another. The program may end between any two.
func (s *Links) HandMore(ctx context.Context) (more bool, err error) {
	err = s.store.View(ctx, func(r storage.Reader) error {
		joins, err := r.Joins()
		more = len(joins) > 0
		return err
	})
	if err != nil || !more {
		return false, err
	}
	return true, s.store.Update(ctx, func(w storage.Writer) error {
		if adopting, err := s.league.Adopt(w); err != nil || adopting {
			return err
		}
		joins, err := w.Joins()
		if err != nil || len(joins) == 0 {
			return err
		}
		return s.joinMore(w, joins[0])
	})
}

// handSome gives as many games away as it may while somebody waits, and then computes
// ratings again likewise.
func (s *Links) handSome(ctx context.Context) error {
	for range league.Promise {
		if more, err := s.HandMore(ctx); err != nil || !more {
			return errors.Join(err, s.league.Work(ctx))
		}
	}
	return nil
}

// joinMore gives some more games of one person to another. When there are no more, ratings
// are computed again if one of them counts.
func (s *Links) joinMore(w storage.Writer, j storage.Join) error {
	ids, err := w.ToJoin(j, league.Given)
	if err != nil {
		return err
	}
	if len(ids) == 0 && j.Of == j.From && !j.Played {
		j.Played, j.Next = true, 0
		return w.PutJoin(j)
	}
	if len(ids) == 0 {
		return s.joined(w, j)
	}
	j.Next = ids[len(ids)-1]
	if j.Into == 0 { // of whoever was forgotten
		for _, id := range ids {
			err = errors.Join(err, w.PutCame(j.Of, id, false))
		}
		return errors.Join(err, w.PutJoin(j))
	}
	h, err := s.newHandover(w, j)
	if err != nil {
		return err
	}
	for g, err := range w.Read(ids) { // the others stay where they are
		if err != nil {
			return err
		}
		if err := h.give(g); err != nil {
			return err
		}
	}
	if h.counted {
		err = errors.Join(s.league.List(w, j.From, h.undone...), s.league.List(w, j.Into, h.played...))
	}
	if h.counted && !j.Counted {
		j.Counted = true
		err = errors.Join(err, league.JoinServers(w, j.Into, nil)) // there may be no record yet that could be computed again
	}
	return errors.Join(err, w.PutJoin(j))
}

// joined ends the work of giving games away.
func (s *Links) joined(w storage.Writer, j storage.Join) error {
	if err := w.DropJoin(j); err != nil || !j.Counted {
		return err
	}
	return league.RecountWithout(w, j.From)
}

// handover is a step in which games are given from one person to another.
type handover struct {
	s          *Links
	w          storage.Writer
	join       storage.Join
	from, into storage.Person
	others     []storage.PersonID // who came to From by links of their own
	now        time.Time
	clocks     storage.Running
	counted    bool
	undone     []league.Played // of From, in tallies
	played     []league.Played // of Into
}

func (s *Links) newHandover(w storage.Writer, j storage.Join) (*handover, error) {
	h := &handover{s: s, w: w, join: j}
	var err error
	if h.now, h.clocks, err = s.clocks.Running(w.Reader); err != nil {
		return nil, err
	}
	if h.from, err = w.Person(j.From); err != nil {
		return nil, err
	}
	if h.into, err = w.Person(j.Into); err != nil {
		return nil, err
	}
	for _, other := range h.into.Joined {
		if j.Of == j.From && other.As != j.Of {
			h.others = append(h.others, other.As)
		}
	}
	return h, nil
}

// give gives a game, with what is offered in it, its clock, and its result.
func (h *handover) give(g storage.Game) error {
	if err := h.note(g.ID); err != nil {
		return err
	}
	side, plays := g.SideOf(h.join.From)
	if !plays {
		return nil
	}
	was := g
	g.Players[side] = h.into.ID
	for _, o := range []**storage.Offer{&g.Draw, &g.Takeback, &g.Resign, &g.Abort} {
		if *o != nil && (*o).By == h.join.From {
			*o = &storage.Offer{By: h.into.ID, At: (*o).At}
		}
	}
	if !g.Over() {
		if err := h.seat(&g, side); err != nil {
			return err
		}
		h.wind(&g, side)
	}
	if err := h.w.PutGame(was, g); err != nil || !g.Counted {
		return err
	}
	h.counted = true
	return h.result(&g)
}

// note keeps which games came with whom.
func (h *handover) note(id storage.GameID) error {
	if h.join.Of != h.join.From {
		return h.w.PutCame(h.join.Of, id, false)
	}
	for _, other := range h.others {
		if came, err := h.w.HasCome(other, id); err != nil || came {
			return err
		}
	}
	return h.w.PutCame(h.join.Of, id, true)
}

// seat lets nobody play a game where he has no account.
func (h *handover) seat(g *storage.Game, side storage.Side) error {
	if g.Seats[side] == 0 {
		return nil
	}
	seat, err := h.w.Place(g.Seats[side])
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(h.into.Identities, func(a storage.Address) bool { return a.Platform == seat.Address.Platform }) {
		g.Seats[side] = 0
	}
	return nil
}

// wind lets the clock of a game run, or stand still, as is right for its new player.
func (h *handover) wind(g *storage.Game, side storage.Side) {
	switch {
	case g.Pace.Move == 0 || g.Turn != side:
	case !h.into.Away():
		h.s.clocks.GoOn(g, &h.into, h.now, h.clocks)
	case g.Clock.Stopped.IsZero():
		g.Clock.Stopped = h.now
		h.s.clocks.SetWake(g, &h.into, h.now, h.clocks)
	}
}

// result writes a game's result again, if leaderboards know of it, and in whose tally it is.
func (h *handover) result(g *storage.Game) error {
	return league.EachServerOf(h.w.Reader, g, func(server storage.ServerID, result storage.Result) error {
		listed, err := h.w.HasResult(server, g.Changed, g.ID)
		if err != nil || !listed {
			return err
		}
		for _, one := range league.PlayedIn(g, server, result) {
			if one.Person == h.join.Into {
				h.played = append(h.played, one)
				h.undone = append(h.undone, one.Undo())
			}
		}
		return h.w.AddResult(server, g.Changed, result)
	})
}
