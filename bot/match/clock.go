package match

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"chimera/bot/event"
	"chimera/storage"
)

// Moment is a moment of the running clock, and how far that lags behind the wall clock.
type Moment struct {
	Now time.Time
	lag time.Duration
}

// wall converts a moment of the running clock to the wall clock.
func (m Moment) wall(at time.Time) time.Time {
	if at.IsZero() {
		return at
	}
	return at.Add(m.lag)
}

// Moment is now, to the second. It never runs backward, nor falls behind the last Beat, which may be
// another process's, nor runs far ahead of it, so that a jump of the wall clock is noticed before it
// can do harm.
func (s *Service) Moment(r storage.Reader) (Moment, error) {
	clocks, err := r.Running()
	wall := s.now().UnixNano()
	if alive := clocks.Alive; !alive.IsZero() {
		wall = min(max(wall, alive.UnixNano()), alive.Add(Outage).UnixNano())
	}
	now := time.Unix(0, wall).Add(-clocks.Lag).Unix()
	for {
		furthest := s.furthest.Load()
		now = max(now, furthest)
		if now == furthest || s.furthest.CompareAndSwap(furthest, now) {
			return Moment{time.Unix(now, 0).UTC(), clocks.Lag}, err
		}
	}
}

// keepTime updates the clock of a game after a change: a turn that ends uses up its time, and a turn
// that begins has its own. last is the player whose turn it was, if known.
func (s *Service) keepTime(r storage.Reader, was, g *storage.Game, last *storage.Person) error {
	switch {
	case g.Pace.Unlimited():
		return nil
	case g.Over():
		g.Clock = storage.Clock{Bank: g.Clock.Bank}
		return nil
	}
	m, err := s.Moment(r)
	next, err2 := r.People().Get(g.Players[g.Turn])
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	m.Now = slices.MaxFunc([]time.Time{m.Now, was.Clock.Since}, time.Time.Compare) // as another process may be ahead
	if was.ID == 0 {
		g.Clock = storage.Clock{Since: m.Now, Bank: [2]time.Duration{g.Pace.Bank, g.Pace.Bank}}
	} else if len(was.Moves) != len(g.Moves) {
		before, whose := *was, *last
		if p := before.Players[before.Turn]; p != whose.ID {
			if whose, err = r.People().Get(p); err != nil {
				return err
			}
		}
		adjust(&before, &whose, m)
		g.Clock = storage.Clock{Since: m.Now, Bank: g.Clock.Bank}
		g.Clock.Bank[was.Turn] -= max(was.Clock.Bank[was.Turn]-before.Left(m.Now), 0)
	}
	adjust(g, &next, m)
	return nil
}

// Seat runs or stops the clock of a game as is right for the new player of a side.
func (s *Service) Seat(r storage.Reader, g *storage.Game, side storage.Side, from, into *storage.Person) error {
	if g.Pace.Unlimited() || g.Turn != side {
		return nil
	}
	m, err := s.Moment(r)
	if err != nil {
		return err
	}
	adjust(g, from, m)
	if !stops(g, into) {
		goOn(g, m.Now, m)
	} else if g.Clock.Stopped.IsZero() {
		g.Clock.Stopped = m.Now
	}
	setWake(g, into, m)
	return nil
}

// Rewind adjusts the clocks of a person's games to their settings, some of them in later steps.
func (s *Service) Rewind(w storage.Writer, p *storage.Person) error {
	return storage.BeginJob(w, storage.Job{Kind: setting, Of: uint64(p.ID)}, s.setMore)
}

// adjust stops the clock of a game in which it is a person's turn while they are on vacation, and runs
// it otherwise: as of when the vacation began or ended, since many games' clocks are only adjusted
// later. Adjust a clock before relying on it.
func adjust(g *storage.Game, p *storage.Person, m Moment) {
	c, v := &g.Clock, &p.Vacation
	if !c.Stopped.IsZero() && (!p.Away() || c.Stopped.Before(v.Ended)) {
		if short := c.Stopped.Add(onReturn).Sub(g.Due()); v.RanOut && short > 0 {
			c.Since, c.Reminded = c.Since.Add(short), time.Time{}
		}
		goOn(g, v.Ended, m)
	}
	if stops(g, p) && c.Stopped.IsZero() {
		c.Stopped = slices.MaxFunc([]time.Time{v.Since, c.Since}, time.Time.Compare)
	}
	setWake(g, p, m)
}

// stops reports whether a game's clock is stopped while it is a person's turn: they are on vacation,
// and the game is not part of a season.
func stops(g *storage.Game, p *storage.Person) bool { return p.Away() && g.Season == 0 }

// goOn runs the clock of a game again as of a moment. If little time is left, its player is reminded
// again.
func goOn(g *storage.Game, since time.Time, m Moment) {
	c := &g.Clock
	if !c.Stopped.IsZero() {
		c.Since = c.Since.Add(max(since.Sub(c.Stopped), 0))
		c.Stopped = time.Time{}
	}
	if g.Left(m.Now) <= Notice {
		c.Reminded, c.Told = time.Time{}, c.Told&^lastWord
	}
}

// setMore adjusts the clocks of some more timed games in which it is a person's turn.
func (s *Service) setMore(w storage.Writer, t *storage.Job) (more bool, err error) {
	m, err := s.Moment(w.Reader)
	p, err2 := w.People().Get(storage.PersonID(t.Of))
	if err := cmp.Or(err, err2); err != nil {
		return false, err
	}
	return storage.Batch(w.Games().Each(t.After(w.Playing(p.ID))), new(fewClocks), func(g storage.Game) (bool, error) {
		if g.Pace.Unlimited() || g.Players[g.Turn] != p.ID {
			return false, nil
		}
		t.Game = g.ID
		adjust(&g, &p, m)
		return true, w.Games().Put(g)
	})
}

// HeardOf notes that an entry was said, in the transaction that crosses it off. If a room is gone and
// its players are told at home, a reminder counts once the player to move has it, or their opponent if
// there is no chat with that player.
func (s *Service) HeardOf(w storage.Writer, e storage.Entry) error {
	if event.Kind(e.Kind) != event.Reminded {
		return nil
	}
	m, err := s.Moment(w.Reader)
	for _, e := range event.Reminders(e) {
		g, err2 := w.Games().Get(e.Game)
		p, err3 := w.People().Get(g.Players[g.Turn])
		switch err2 = cmp.Or(err2, err3); {
		case err2 != nil:
			err = cmp.Or(err, storage.UnlessMissing(err2)) // the others still count
		case g.Over(), len(g.Moves) != e.Ply, !g.Clock.Reminded.IsZero():
		case bool(event.PayloadOf[event.AtHome](&e).Home) && p.Home != 0 && p.Home != e.Place:
		default:
			g.Clock.Reminded = m.Now
			adjust(&g, &p, m)
			err = cmp.Or(err, w.Games().Put(g))
		}
	}
	return err
}

// The kinds of jobs; all but the last are for a person with many games.
const (
	setting  = "clocks" // the clocks of their games are adjusted to their vacation and settings
	telling  = "away"   // their opponents are told that they are on vacation, or back
	recovery = "outage" // every lively place is told that deadlines have moved
)

// How much one step, which is a transaction, does at most.
const (
	fewClocks  = 16 // games whose clocks are set
	fewNotices = 64 // things that opponents are told
	fewPlaces  = 16 // that are told of an outage
)

// Jobs are the jobs on clocks.
func (s *Service) Jobs() storage.Jobs {
	return storage.Jobs{setting: s.setMore, telling: s.tellMore, recovery: s.tellOutage}
}

// VacationDays is how many days of vacation a person has in a year.
const VacationDays = 14

// vacationLeft is how much vacation a person who is not away has left.
func vacationLeft(p *storage.Person, now time.Time) time.Duration {
	left := VacationDays * Day
	if p.Vacation.Year == now.Year() {
		left -= p.Vacation.Used
	}
	return max(left, 0)
}

// VacationLeft is how much vacation a person has left; for a person on vacation, how much will be left
// if they stay until its end.
func (s *Service) VacationLeft(ctx context.Context, id storage.PersonID) (left time.Duration, p storage.Person, err error) {
	err = s.store.View(ctx, func(r storage.Reader) error {
		m, err := s.Moment(r)
		var err2 error
		p, err2 = r.People().Get(id)
		still := p
		stopVacation(&still, still.Vacation.Until)
		left, p.Vacation.Until = vacationLeft(&still, m.Now), m.wall(p.Vacation.Until)
		return cmp.Or(err, err2)
	})
	return left, p, err
}

// GoAway begins a vacation of a number of days. It refuses Away and NoDaysLeft.
func (s *Service) GoAway(ctx context.Context, by event.By, days int) (event.Done, error) {
	return s.vacation(ctx, by, event.WentAway, func(w storage.Writer, p storage.Person, m Moment, seen storage.PlaceID) error {
		wanted := time.Duration(days) * Day
		switch {
		case p.Away():
			return event.Refuse(event.Away, 0)
		case vacationLeft(&p, m.Now) < wanted:
			return event.Refuse(event.NoDaysLeft, 0)
		}
		return s.goAway(w, p, m, wanted, seen, false)
	})
}

// ComeBack ends the asker's vacation. It refuses NotAway.
func (s *Service) ComeBack(ctx context.Context, by event.By) (event.Done, error) {
	return s.vacation(ctx, by, event.CameBack, func(w storage.Writer, p storage.Person, m Moment, seen storage.PlaceID) error {
		if !p.Away() {
			return event.Refuse(event.NotAway, 0)
		}
		return s.comeBack(w, p, m, seen, false)
	})
}

// vacation begins or ends the asker's vacation, once the effects of the last have all been carried
// out. seen is the place of the answer if they alone see that, else 0.
func (s *Service) vacation(ctx context.Context, by event.By, what event.Kind, do func(w storage.Writer, p storage.Person, m Moment, seen storage.PlaceID) error) (event.Done, error) {
	if err := s.Jobs().Finish(ctx, s.store); err != nil {
		return event.Done{}, err
	}
	done, err := s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		m, err := s.Moment(w.Reader)
		p, err2 := w.People().Get(by.Person)
		if err := cmp.Or(err, err2); err != nil {
			return event.Done{}, err
		}
		seen := by.Place
		if seen != p.Home {
			seen = 0
		}
		return event.Done{Kind: what}, do(w, p, m, seen)
	})
	if err == nil {
		err = s.Jobs().Finish(ctx, s.store)
	}
	return done, err
}

// backWithAMove ends a vacation that began by itself, as the person has moved.
func (s *Service) backWithAMove(w storage.Writer, p storage.Person) error {
	if !p.Away() || !p.Vacation.Auto {
		return nil
	}
	m, err := s.Moment(w.Reader)
	return errors.Join(err, s.comeBack(w, p, m, 0, false))
}

// goAway stops a person's clocks and tells the places where they play, except seen, where they know
// already. auto means that the vacation began by itself.
func (s *Service) goAway(w storage.Writer, p storage.Person, m Moment, length time.Duration, seen storage.PlaceID, auto bool) error {
	if p.Vacation.Year != m.Now.Year() {
		p.Vacation.Used = 0
	}
	p.Vacation.Since, p.Vacation.Until, p.Vacation.Auto, p.Vacation.Year = m.Now, m.Now.Add(length), auto, m.Now.Year()
	return s.putVacation(w, p, seen)
}

// onReturn is the least time for a move after the end of a vacation that began by itself, when the
// person's time was up. It is their last vacation in that year.
const onReturn = Day

// comeBack runs a person's clocks again and tells the places where they play, except seen, where they
// know already. If little time is left, they are reminded again.
func (s *Service) comeBack(w storage.Writer, p storage.Person, m Moment, seen storage.PlaceID, ranOut bool) error {
	stopVacation(&p, m.Now)
	p.Vacation.RanOut = ranOut
	return s.putVacation(w, p, seen)
}

// putVacation stores that a person's vacation has begun or ended, and starts updating clocks and
// telling opponents.
func (s *Service) putVacation(w storage.Writer, p storage.Person, seen storage.PlaceID) error {
	return errors.Join(
		w.People().Put(p), s.Rewind(w, &p),
		storage.BeginJob(w, storage.Job{Kind: telling, Of: uint64(p.ID), Gone: p.Away(), Told: seen}, s.tellMore),
	)
}

// Become prepares for a person's games becoming another's: the person's vacation ends, the other's
// will apply to these games too, and opponents are told. Seat adjusts the clocks as each game changes
// hands.
func (s *Service) Become(w storage.Writer, from, into *storage.Person) error {
	m, err := s.Moment(w.Reader)
	if err != nil || !from.Away() && !into.Away() {
		return err
	}
	if was := *from; was.Away() {
		stopVacation(&was, m.Now)
		if err := w.People().Put(was); err != nil || into.Away() { // opponents need not be told: the clocks stop again
			return err
		}
	}
	return storage.BeginJob(w, storage.Job{Kind: telling, Of: uint64(from.ID), Into: uint64(into.ID), Gone: into.Away()}, s.tellMore)
}

// stopVacation ends a vacation and counts the days that were used.
func stopVacation(p *storage.Person, now time.Time) {
	if !p.Away() {
		return
	}
	end := slices.MinFunc([]time.Time{now, p.Vacation.Until}, time.Time.Compare)
	p.Vacation = storage.Vacation{Year: p.Vacation.Year, Used: p.Vacation.Used + end.Sub(p.Vacation.Since), Ended: now}
}

// TellMore tells some more opponents of a person about the beginning or end of a vacation, if telling
// them is not finished, and reports whether it was not.
func (s *Service) TellMore(w storage.Writer, p storage.PersonID) (some bool, err error) {
	t, err := w.Jobs().Get(storage.JobID{Kind: telling, Of: uint64(p)})
	if errors.Is(err, storage.ErrNotFound) {
		return false, nil
	}
	return true, errors.Join(err, storage.BeginJob(w, t, s.tellMore))
}

// tellMore tells some more opponents of a person, or of whoever they have become, that the person is
// on vacation or back, unless that has changed since.
func (s *Service) tellMore(w storage.Writer, t *storage.Job) (more bool, err error) {
	m, err := s.Moment(w.Reader)
	p := storage.PersonID(t.Of)
	who, err2 := w.People().Get(cmp.Or(storage.PersonID(t.Into), p))
	if err := cmp.Or(err, err2); err != nil || who.Away() != t.Gone {
		return false, err
	}
	what, payload := event.CameBack, event.Vacation{}
	if t.Gone {
		what, payload.Until, payload.Auto = event.WentAway, m.wall(who.Vacation.Until).Truncate(time.Second), event.Flag(who.Vacation.Auto)
	}
	return storage.Batch(storage.Items(noticesOf(w.Reader, p, t.Told)), new(fewNotices), func(n *notice) (bool, error) {
		if n.compare(&notice{place: t.Place, person: t.Person}) <= 0 {
			return false, nil
		}
		t.Place, t.Person = n.place, n.person
		payload.Games = n.games
		e := event.Event{Kind: what, Ply: n.ply, By: p, Payload: payload}.Entry(n.place, s.now())
		e.Game = n.games[0]
		return true, w.Post(e)
	})
}

// notice is what an opponent is told at a place: once for all their games there, with the first of
// them.
type notice struct {
	place  storage.PlaceID
	person storage.PersonID
	ply    int // of the first game
	games  event.Games
}

func (n *notice) compare(other *notice) int {
	return cmp.Or(cmp.Compare(n.place, other.place), cmp.Compare(n.person, other.person))
}

// noticesOf are the notices to a person's opponents in games whose clocks stop for vacations, one for
// each opponent and place, in order; none at the place but.
func noticesOf(r storage.Reader, p storage.PersonID, but storage.PlaceID) (all []*notice, err error) {
	games, err := r.Games().All(r.Playing(p))
	for _, g := range games {
		side, plays := g.SideOf(p)
		if g.Pace.Unlimited() || g.Season != 0 || !plays {
			continue
		}
		for _, place := range g.Places() {
			if place == but {
				continue
			}
			n := &notice{place: place, person: g.Players[1-side], ply: len(g.Moves)}
			i, known := slices.BinarySearchFunc(all, n, (*notice).compare)
			if !known {
				all = slices.Insert(all, i, n)
			}
			all[i].games = append(all[i].games, g.ID)
		}
	}
	return all, err
}
