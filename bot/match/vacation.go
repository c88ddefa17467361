package match

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"chimera/bot/inbox"
	"chimera/storage"
)

// VacationDays is how many days of vacation a person has in a year.
const VacationDays = 14

// vacationLeft is how much vacation a person has left who is not away.
func vacationLeft(p *storage.Person, now time.Time) time.Duration {
	left := VacationDays * Day
	if p.Vacation.Year == now.Year() {
		left -= p.Vacation.Used
	}
	return max(left, 0)
}

// VacationLeft is how much vacation a person has left; who is on vacation, when that has
// gone on to its end.
func (s *Clocks) VacationLeft(ctx context.Context, id storage.PersonID) (left time.Duration, p storage.Person, err error) {
	err = s.store.View(ctx, func(r storage.Reader) error {
		m, err := s.Moment(r)
		if err != nil {
			return err
		}
		if p, err = r.Person(id); err != nil {
			return err
		}
		still := p
		stopVacation(&still, still.Vacation.Until)
		left = vacationLeft(&still, m.Now)
		p.Vacation.Until = m.wall(p.Vacation.Until)
		return nil
	})
	return left, p, err
}

// GoAway begins a vacation of so many days. It refuses Away and NoDaysLeft.
func (s *Clocks) GoAway(ctx context.Context, by inbox.By, days int) (inbox.Done, error) {
	return s.vacation(ctx, by, inbox.WentAway, func(w storage.Writer, p *storage.Person, m Moment) error {
		wanted := time.Duration(days) * Day
		switch {
		case p.Away():
			return inbox.Refuse(inbox.Away, 0)
		case vacationLeft(p, m.Now) < wanted:
			return inbox.Refuse(inbox.NoDaysLeft, 0)
		}
		return s.goAway(w, *p, m, wanted, alone(p, by), false)
	})
}

// ComeBack ends the asker's vacation. It refuses NotAway.
func (s *Clocks) ComeBack(ctx context.Context, by inbox.By) (inbox.Done, error) {
	return s.vacation(ctx, by, inbox.CameBack, func(w storage.Writer, p *storage.Person, m Moment) error {
		if !p.Away() {
			return inbox.Refuse(inbox.NotAway, 0)
		}
		return s.endVacation(w, *p, m, alone(p, by))
	})
}

// vacation does something about the asker's vacation.
func (s *Clocks) vacation(ctx context.Context, by inbox.By, what inbox.What, do func(storage.Writer, *storage.Person, Moment) error) (inbox.Done, error) {
	return s.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		m, err := s.Moment(w.Reader)
		if err != nil {
			return inbox.Done{}, err
		}
		p, err := w.Person(by.Person)
		if err != nil {
			return inbox.Done{}, err
		}
		return inbox.Done{What: what}, do(w, &p, m)
	})
}

// backWithAMove ends a vacation that began by itself: the person has moved.
func (s *Clocks) backWithAMove(w storage.Writer, id storage.PersonID) error {
	p, err := w.Person(id)
	if err != nil || !p.Away() || !p.Vacation.Auto {
		return err
	}
	m, err := s.Moment(w.Reader)
	if err != nil {
		return err
	}
	return s.endVacation(w, p, m, 0)
}

// alone is the place of a request if its asker alone sees that, else 0.
func alone(p *storage.Person, by inbox.By) storage.PlaceID {
	if by.Place != p.Home {
		return 0
	}
	return by.Place
}

// goAway stops a person's clocks, and tells where they play, but for where they have been
// answered alone.
func (s *Clocks) goAway(w storage.Writer, p storage.Person, m Moment, length time.Duration, answered storage.PlaceID, auto bool) error {
	if p.Vacation.Year != m.Now.Year() {
		p.Vacation.Used = 0
	}
	p.Vacation.Since, p.Vacation.Until, p.Vacation.Auto, p.Vacation.Year = m.Now, m.Now.Add(length), auto, m.Now.Year()
	if err := w.PutPerson(p); err != nil {
		return err
	}
	err := turns(w, p.ID, func(g *storage.Game) { g.Clock.Stopped, g.Clock.Wake = m.Now, time.Time{} })
	if err != nil {
		return err
	}
	return s.tellOpponents(w, p.ID, inbox.WentAway, awayFacts(&p, m), answered)
}

func awayFacts(p *storage.Person, m Moment) map[string]string {
	facts := map[string]string{inbox.FactUntil: m.wall(p.Vacation.Until).Format(time.RFC3339)}
	if p.Vacation.Auto {
		facts[inbox.FactAuto] = "yes"
	}
	return facts
}

// onReturn is how long somebody has at least for a move once a vacation has run out that began
// by itself, because their time was up. No other comes after it in that year.
const onReturn = Day

// vacationOver is for a person whose vacation has run out.
func (s *Clocks) vacationOver(w storage.Writer, p storage.Person, m Moment) error {
	if p.Vacation.Auto {
		err := turns(w, p.ID, func(g *storage.Game) {
			c := &g.Clock
			if short := c.Stopped.Add(onReturn).Sub(g.Due()); !c.Stopped.IsZero() && short > 0 {
				c.Since, c.Reminded = c.Since.Add(short), time.Time{}
			}
		})
		if err != nil {
			return err
		}
	}
	return s.endVacation(w, p, m, 0)
}

// endVacation lets a person's clocks run again, and tells where they play, but for where they
// have been answered alone. Where little time is left there is notice of it again.
func (s *Clocks) endVacation(w storage.Writer, p storage.Person, m Moment, answered storage.PlaceID) error {
	if err := resume(w, p, m); err != nil {
		return err
	}
	return s.tellOpponents(w, p.ID, inbox.CameBack, nil, answered)
}

// resume ends a vacation, and lets the person's clocks go on.
func resume(w storage.Writer, p storage.Person, m Moment) error {
	stopVacation(&p, m.Now)
	if err := w.PutPerson(p); err != nil {
		return err
	}
	return turns(w, p.ID, func(g *storage.Game) { goOn(g, &p, m) })
}

// Become is for a person whose games will be those of another: their vacation ends, and that
// of the other will be for these games too, which opponents are told.
func (s *Clocks) Become(w storage.Writer, from, into *storage.Person) error {
	m, err := s.Moment(w.Reader)
	switch {
	case err != nil:
		return err
	case from.Away() && into.Away():
		return resume(w, *from, m) // they stop again
	case from.Away():
		return s.endVacation(w, *from, m, 0)
	case into.Away():
		return s.tellOpponents(w, from.ID, inbox.WentAway, awayFacts(into, m), 0)
	}
	return nil
}

// Seat lets the clock of a game run, or stand still, as is right for the new player of a side.
func (s *Clocks) Seat(r storage.Reader, g *storage.Game, side storage.Side, p *storage.Person) error {
	if g.Pace.Move == 0 || g.Turn != side {
		return nil
	}
	m, err := s.Moment(r)
	switch {
	case err != nil:
		return err
	case !p.Away():
		goOn(g, p, m)
	case g.Clock.Stopped.IsZero():
		g.Clock.Stopped = m.Now
		setWake(g, p, m)
	}
	return nil
}

// Rewind sets the clocks of a person's games after their settings.
func (s *Clocks) Rewind(w storage.Writer, p *storage.Person) error {
	m, err := s.Moment(w.Reader)
	if err != nil {
		return err
	}
	return turns(w, p.ID, func(g *storage.Game) { setWake(g, p, m) })
}

// goOn lets the clock of a game run again, in which it is a person's turn.
func goOn(g *storage.Game, p *storage.Person, m Moment) {
	c := &g.Clock
	if !c.Stopped.IsZero() {
		c.Since = c.Since.Add(m.Now.Sub(c.Stopped))
		c.Stopped = time.Time{}
	}
	if g.Left(m.Now) <= Notice {
		c.Reminded, c.Told = time.Time{}, c.Told&^lastWord
	}
	setWake(g, p, m)
}

// stopVacation ends a vacation and counts what was used of it.
func stopVacation(p *storage.Person, now time.Time) {
	if !p.Away() {
		return
	}
	end := now
	if p.Vacation.Until.Before(end) {
		end = p.Vacation.Until
	}
	p.Vacation = storage.Vacation{Year: p.Vacation.Year, Used: p.Vacation.Used + end.Sub(p.Vacation.Since)}
}

// turns changes each game with a limit in which it is a person's turn.
func turns(w storage.Writer, p storage.PersonID, change func(*storage.Game)) error {
	ids, err := w.Playing(p)
	if err != nil {
		return err
	}
	return w.ChangeGames(ids, func(g *storage.Game) (bool, error) {
		mine := g.Pace.Move > 0 && g.Players[g.Turn] == p
		if mine {
			change(g)
		}
		return mine, nil
	})
}

// tellOpponents tells each opponent of a person in games with a limit, at each place of
// these but one: once for all games there, in the first of them.
func (s *Clocks) tellOpponents(w storage.Writer, p storage.PersonID, what inbox.What, facts map[string]string, but storage.PlaceID) error {
	type whom struct {
		place storage.PlaceID
		who   storage.PersonID
	}
	known := map[whom]*storage.Entry{}
	var entries []*storage.Entry
	for g, err := range w.Read(w.Playing(p)) {
		if err != nil {
			return err
		}
		side, ok := g.SideOf(p)
		if g.Pace.Move == 0 || !ok {
			continue
		}
		for _, place := range g.Places() {
			if place == but {
				continue
			}
			at := whom{place, g.Players[1-side]}
			e := known[at]
			if e == nil {
				e = &storage.Entry{Place: place, Game: g.ID, Ply: len(g.Moves), At: s.now(), Kind: string(what), By: p, Facts: map[string]string{}}
				maps.Copy(e.Facts, facts)
				known[at], entries = e, append(entries, e)
			}
			e.Facts[inbox.FactGames] = strings.TrimSpace(fmt.Sprint(e.Facts[inbox.FactGames], " ", uint64(g.ID)))
		}
	}
	for _, e := range entries {
		if err := w.Post(*e); err != nil {
			return err
		}
	}
	return nil
}
