package match

import (
	"context"
	"errors"
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
		now, clocks, err := s.Running(r)
		if err != nil {
			return err
		}
		if p, err = r.Person(id); err != nil {
			return err
		}
		still := p
		settle(&still, still.Vacation.Until)
		left = vacationLeft(&still, now)
		p.Vacation.Until = wallTime(p.Vacation.Until, clocks)
		return nil
	})
	return left, p, err
}

// wallTime is a moment of the running clock as the wall clock will show it.
func wallTime(at time.Time, clocks storage.Running) time.Time {
	if at.IsZero() {
		return at
	}
	return at.Add(clocks.Lag)
}

// GoAway begins a vacation of so many days.
func (s *Clocks) GoAway(ctx context.Context, by inbox.By, days int) (inbox.Done, error) {
	return s.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		now, _, err := s.Running(w.Reader)
		if err != nil {
			return inbox.Done{}, err
		}
		p, err := w.Person(by.Person)
		if err != nil {
			return inbox.Done{}, err
		}
		wanted := time.Duration(days) * Day
		switch {
		case p.Away():
			return inbox.Done{}, inbox.Refuse(inbox.Away, 0)
		case vacationLeft(&p, now) < wanted:
			return inbox.Done{}, inbox.Refuse(inbox.NoDaysLeft, 0)
		}
		return inbox.Done{What: inbox.WentAway}, s.goAway(w, p, now, wanted, alone(&p, by), false)
	})
}

// ComeBack ends the asker's vacation.
func (s *Clocks) ComeBack(ctx context.Context, by inbox.By) (inbox.Done, error) {
	return s.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		now, clocks, err := s.Running(w.Reader)
		if err != nil {
			return inbox.Done{}, err
		}
		p, err := w.Person(by.Person)
		if err != nil {
			return inbox.Done{}, err
		}
		if !p.Away() {
			return inbox.Done{}, inbox.Refuse(inbox.NotAway, 0)
		}
		return inbox.Done{What: inbox.CameBack}, s.EndVacation(w, p, now, clocks, alone(&p, by))
	})
}

// backWithAMove ends a vacation that began by itself: the person has moved.
func (s *Clocks) backWithAMove(w storage.Writer, id storage.PersonID) error {
	p, err := w.Person(id)
	if err != nil || !p.Away() || !p.Vacation.Auto {
		return err
	}
	now, clocks, err := s.Running(w.Reader)
	if err != nil {
		return err
	}
	return s.EndVacation(w, p, now, clocks, 0)
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
func (s *Clocks) goAway(w storage.Writer, p storage.Person, now time.Time, length time.Duration, answered storage.PlaceID, auto bool) error {
	was := p
	if p.Vacation.Year != now.Year() {
		p.Vacation.Used = 0
	}
	p.Vacation.Since, p.Vacation.Until, p.Vacation.Auto, p.Vacation.Year = now, now.Add(length), auto, now.Year()
	if err := w.PutPerson(was, p); err != nil {
		return err
	}
	err := s.Turns(w, p.ID, func(g *storage.Game) {
		g.Clock.Stopped, g.Clock.Wake = now, time.Time{}
	})
	if err != nil {
		return err
	}
	_, clocks, err := s.Running(w.Reader)
	if err != nil {
		return err
	}
	return s.TellOpponents(w, p.ID, inbox.WentAway, AwayFacts(&p, clocks), answered)
}

func AwayFacts(p *storage.Person, clocks storage.Running) map[string]string {
	facts := map[string]string{inbox.FactUntil: wallTime(p.Vacation.Until, clocks).Format(time.RFC3339)}
	if p.Vacation.Auto {
		facts[inbox.FactAuto] = "yes"
	}
	return facts
}

// EndVacation lets a person's clocks run again, and tells where they play, but for where they
// have been answered alone. Where little time is left there is notice of it again.
func (s *Clocks) EndVacation(w storage.Writer, p storage.Person, now time.Time, clocks storage.Running, answered storage.PlaceID) error {
	return errors.Join(s.Resume(w, p, now, clocks), s.TellOpponents(w, p.ID, inbox.CameBack, nil, answered))
}

// Resume ends a vacation, and lets the person's clocks go on.
func (s *Clocks) Resume(w storage.Writer, p storage.Person, now time.Time, clocks storage.Running) error {
	was := p
	settle(&p, now)
	if err := w.PutPerson(was, p); err != nil {
		return err
	}
	return s.Turns(w, p.ID, func(g *storage.Game) { s.GoOn(g, &p, now, clocks) })
}

// GoOn lets the clock of a game run again, in which it is a person's turn.
func (s *Clocks) GoOn(g *storage.Game, p *storage.Person, now time.Time, clocks storage.Running) {
	c := &g.Clock
	if !c.Stopped.IsZero() {
		c.Since = c.Since.Add(now.Sub(c.Stopped))
		c.Stopped = time.Time{}
	}
	if g.Left(now) <= Notice {
		c.Reminded, c.Told = time.Time{}, c.Told&^lastWord
	}
	s.SetWake(g, p, now, clocks)
}

// settle ends a vacation and counts what was used of it.
func settle(p *storage.Person, now time.Time) {
	if !p.Away() {
		return
	}
	end := now
	if p.Vacation.Until.Before(end) {
		end = p.Vacation.Until
	}
	p.Vacation = storage.Vacation{Year: p.Vacation.Year, Used: p.Vacation.Used + end.Sub(p.Vacation.Since)}
}

// Turns changes each game with a limit in which it is a person's turn.
func (s *Clocks) Turns(w storage.Writer, p storage.PersonID, change func(*storage.Game)) error {
	ids, err := w.Playing(p)
	if err != nil {
		return err
	}
	for g, err := range w.Read(ids) {
		if err != nil {
			return err
		}
		if g.Pace.Move == 0 || g.Players[g.Turn] != p {
			continue
		}
		was := g
		change(&g)
		if err := w.PutGame(was, g); err != nil {
			return err
		}
	}
	return nil
}

// TellOpponents tells each opponent of a person in games with a limit, at each place of
// these but one: once for all games there, in the first of them.
func (s *Clocks) TellOpponents(w storage.Writer, p storage.PersonID, what inbox.What, facts map[string]string, but storage.PlaceID) error {
	ids, err := w.Playing(p)
	if err != nil {
		return err
	}
	type whom struct {
		place storage.PlaceID
		who   storage.PersonID
	}
	known := map[whom]*storage.Entry{}
	var entries []*storage.Entry
	for g, err := range w.Read(ids) {
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
