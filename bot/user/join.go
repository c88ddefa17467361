package user

import (
	"context"
	"errors"
	"slices"

	"chimera/bot/event"
	"chimera/bot/rating"
	"chimera/storage"
)

// Bounds of giving games away.
const (
	given   = 8  // games in one transaction, on as many pages as they come from
	promise = 64 // transactions while the asker waits
)

// joining reports whether games of some people are still to be given to others, or others'
// to them.
func joining(r storage.Reader, people ...storage.PersonID) (bool, error) {
	joins, err := r.Joins().List()
	return slices.ContainsFunc(joins, func(j storage.Join) bool {
		return slices.Contains(people, j.From) || slices.Contains(people, j.Into)
	}), err
}

// settled refuses somebody whose games are still being given to another, or another's to them.
func settled(r storage.Reader, p storage.PersonID) error {
	busy, err := joining(r, p)
	if err == nil && busy {
		err = event.Refuse(event.StillJoining, 0)
	}
	return err
}

// settleJoins does all joins until none concerns a person.
func (s *Users) settleJoins(ctx context.Context, p storage.PersonID) error {
	for {
		busy, err := storage.Read(ctx, s.store, func(r storage.Reader) (bool, error) { return joining(r, p) })
		if err != nil || !busy {
			return err
		}
		if _, err := s.joinMore(ctx); err != nil {
			return err
		}
	}
}

// joinSome does as much of all joins as it may while somebody waits, and then computes ratings again
// likewise.
func (s *Users) joinSome(ctx context.Context) error {
	for range promise {
		if more, err := s.joinMore(ctx); err != nil || !more {
			return errors.Join(err, s.ratings.Work(ctx))
		}
	}
	return nil
}

// joinMore does the next step of the first join, and reports whether there may be another. The
// program may end between any two.
func (s *Users) joinMore(ctx context.Context) (more bool, err error) {
	joins, err := storage.Read(ctx, s.store, func(r storage.Reader) ([]storage.Join, error) { return r.Joins().List() })
	if err != nil || len(joins) == 0 {
		return false, err
	}
	err = s.store.Update(ctx, func(w storage.Writer) error {
		if joins, err = w.Joins().List(); err != nil || len(joins) == 0 {
			return err
		}
		return s.join(w, joins[0])
	})
	if storage.Missing(err) { // one of the two is damaged: the others go on
		err = s.store.Update(ctx, func(w storage.Writer) error { return w.Joins().Delete(joins[0].Of) })
	}
	return true, err
}

// join gives some more games of one person to another, once all else is done. When there are no
// more, ratings are computed again if one of them counts.
func (s *Users) join(w storage.Writer, j storage.Join) error {
	if !j.Ready && j.Into != 0 {
		more, err := s.prepare(w, j)
		if j.Ready = !more; err != nil || more {
			return err
		}
		return w.Joins().Put(j)
	}
	ids, err := w.ToJoin(j, given)
	switch {
	case err != nil:
		return err
	case len(ids) == 0 && j.Of == j.From && !j.Played:
		j.Played, j.Next = true, 0
		return w.Joins().Put(j)
	case len(ids) == 0 && j.Counted:
		return errors.Join(w.Joins().Delete(j.Of), rating.Recount(w))
	case len(ids) == 0:
		return w.Joins().Delete(j.Of)
	}
	j.Next = ids[len(ids)-1]
	if j.Into == 0 { // of whoever was forgotten
		for _, id := range ids {
			if err := w.PutCame(j.Of, id, false); err != nil {
				return err
			}
		}
		return w.Joins().Put(j)
	}
	from, err := w.People().Get(j.From)
	if err != nil {
		return err
	}
	into, err := w.People().Get(j.Into)
	if err != nil {
		return err
	}
	err = w.ChangeGames(ids, func(g *storage.Game) (bool, error) { // the others stay where they are
		side, plays := g.SideOf(j.From)
		if err := keepCame(w, &j, &into, g.ID); err != nil || !plays {
			return false, err
		}
		j.Counted = j.Counted || g.Counted
		return true, s.hand(w.Reader, g, side, &from, &into)
	})
	if err != nil {
		return err
	}
	return w.Joins().Put(j)
}

// prepare does some of what comes before games are given away, and reports whether there may be more:
// those who block the one person block the other too, opponents are told of a vacation, and challenges
// are given away, so that no new games come of them.
func (s *Users) prepare(w storage.Writer, j storage.Join) (more bool, err error) {
	if j.Of == j.From {
		if more, err = replaceBlocked(w, j.From, j.Into); more || err != nil {
			return more, err
		}
		if more, err = s.match.TellMore(w, j.From); more || err != nil {
			return more, err
		}
		return s.giveChallenges(w, j.From, j.Into, "")
	}
	if more, err = replaceBlocked(w, j.From, j.From, j.Into); more || err != nil {
		return more, err
	}
	from, err := w.People().Get(j.From)
	if err != nil {
		return false, err
	}
	if more, err = leaveSeats(w, &from); more || err != nil {
		return more, err
	}
	goes, err := w.People().Get(j.Into)
	if err != nil || len(goes.Identities) == 0 {
		return false, err
	}
	return s.giveChallenges(w, j.From, j.Into, goes.Identities[0].Platform)
}

// leaveSeats takes some of a person's seats in rooms where they have no account, and reports whether
// there are more.
func leaveSeats(w storage.Writer, p *storage.Person) (more bool, err error) {
	left := fewGames
	return storage.Batch(w.Games().Each(w.Playing(p.ID)), &left, func(g storage.Game) (bool, error) {
		side, plays := g.SideOf(p.ID)
		leaves, err := leaveSeat(w.Reader, &g, side, p)
		if err != nil || !plays || !leaves {
			return false, err
		}
		return true, w.Games().Put(g)
	})
}

// hand gives a side of a game to a person, with what is offered in it, and its clock.
func (s *Users) hand(r storage.Reader, g *storage.Game, side storage.Side, from, into *storage.Person) error {
	g.Players[side] = into.ID
	for _, o := range []**storage.Offer{&g.Draw, &g.Takeback, &g.Resign, &g.Abort, &g.DrawAsk} {
		if *o != nil && (*o).By == from.ID {
			*o = &storage.Offer{By: into.ID, At: (*o).At}
		}
	}
	if g.Over() {
		return nil
	}
	if _, err := leaveSeat(r, g, side, into); err != nil {
		return err
	}
	return s.match.Seat(r, g, side, from, into)
}

// keepCame keeps which games came with whom. If others had joined the person who comes, the games that
// they had brought stay theirs.
func keepCame(w storage.Writer, j *storage.Join, into *storage.Person, id storage.GameID) error {
	if j.Of != j.From {
		return w.PutCame(j.Of, id, false)
	}
	for _, other := range into.Joined {
		if other.As == j.Of {
			continue
		}
		if came, err := w.HasCome(other.As, id); err != nil || came {
			return err
		}
	}
	return w.PutCame(j.Of, id, true)
}
