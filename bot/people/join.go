package people

import (
	"context"
	"errors"
	"slices"

	"chimera/bot/league"
	"chimera/storage"
)

// Bounds of giving games away.
const (
	given   = 8  // games in one transaction, on as many pages as they come from
	promise = 64 // transactions while the asker waits
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
	for range promise {
		if more, err := s.HandMore(ctx); err != nil || !more {
			return errors.Join(err, s.league.Work(ctx))
		}
	}
	return nil
}

// joinMore gives some more games of one person to another. When there are no more, ratings
// are computed again if one of them counts.
func (s *Links) joinMore(w storage.Writer, j storage.Join) error {
	ids, err := w.ToJoin(j, given)
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
	j.Counted = j.Counted || h.counted
	return w.PutJoin(j)
}

// joined ends the work of giving games away.
func (s *Links) joined(w storage.Writer, j storage.Join) error {
	if err := w.DropJoin(j); err != nil || !j.Counted {
		return err
	}
	return league.Recount(w)
}

// handover is a step in which games are given from one person to another.
type handover struct {
	s          *Links
	w          storage.Writer
	join       storage.Join
	from, into storage.Person
	others     []storage.PersonID // who came to From by links of their own
	counted    bool
}

func (s *Links) newHandover(w storage.Writer, j storage.Join) (*handover, error) {
	h := &handover{s: s, w: w, join: j}
	var err error
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
		if err := h.s.clocks.Seat(h.w.Reader, &g, side, &h.into); err != nil {
			return err
		}
	}
	h.counted = h.counted || g.Counted
	return h.w.PutGame(was, g)
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
