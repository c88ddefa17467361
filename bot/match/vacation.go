package match

import (
	"context"
	"errors"
	"time"

	"chimera/bot/event"
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
func (s *Service) VacationLeft(ctx context.Context, id storage.PersonID) (left time.Duration, p storage.Person, err error) {
	err = s.store.View(ctx, func(r storage.Reader) error {
		m, err := s.Moment(r)
		if err != nil {
			return err
		}
		if p, err = r.People().Get(id); err != nil {
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
func (s *Service) GoAway(ctx context.Context, by event.By, days int) (event.Done, error) {
	return s.vacation(ctx, by, event.WentAway, func(w storage.Writer, p *storage.Person, m Moment) error {
		wanted := time.Duration(days) * Day
		switch {
		case p.Away():
			return event.Refuse(event.Away, 0)
		case vacationLeft(p, m.Now) < wanted:
			return event.Refuse(event.NoDaysLeft, 0)
		}
		return s.goAway(w, *p, m, wanted, alone(p, by), false)
	})
}

// ComeBack ends the asker's vacation. It refuses NotAway.
func (s *Service) ComeBack(ctx context.Context, by event.By) (event.Done, error) {
	return s.vacation(ctx, by, event.CameBack, func(w storage.Writer, p *storage.Person, m Moment) error {
		if !p.Away() {
			return event.Refuse(event.NotAway, 0)
		}
		return s.endVacation(w, *p, m, alone(p, by))
	})
}

// vacation does something about the asker's vacation, once all is done that follows from the last.
func (s *Service) vacation(ctx context.Context, by event.By, what event.Kind, do func(storage.Writer, *storage.Person, Moment) error) (event.Done, error) {
	if err := s.Jobs().Finish(ctx, s.store); err != nil {
		return event.Done{}, err
	}
	done, err := s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		m, err := s.Moment(w.Reader)
		if err != nil {
			return event.Done{}, err
		}
		p, err := w.People().Get(by.Person)
		if err != nil {
			return event.Done{}, err
		}
		return event.Done{Kind: what}, do(w, &p, m)
	})
	if err != nil {
		return done, err
	}
	return done, s.Jobs().Finish(ctx, s.store)
}

// backWithAMove ends a vacation that began by itself: the person has moved.
func (s *Service) backWithAMove(w storage.Writer, p storage.Person) error {
	if !p.Away() || !p.Vacation.Auto {
		return nil
	}
	m, err := s.Moment(w.Reader)
	if err != nil {
		return err
	}
	return s.endVacation(w, p, m, 0)
}

// alone is the place of a request if its asker alone sees that, else 0.
func alone(p *storage.Person, by event.By) storage.PlaceID {
	if by.Place != p.Home {
		return 0
	}
	return by.Place
}

// goAway stops a person's clocks, and tells where they play, but for where they have been
// answered alone.
func (s *Service) goAway(w storage.Writer, p storage.Person, m Moment, length time.Duration, answered storage.PlaceID, auto bool) error {
	if p.Vacation.Year != m.Now.Year() {
		p.Vacation.Used = 0
	}
	p.Vacation.Since, p.Vacation.Until, p.Vacation.Auto, p.Vacation.Year = m.Now, m.Now.Add(length), auto, m.Now.Year()
	if err := w.People().Put(p); err != nil {
		return err
	}
	return errors.Join(
		storage.BeginJob(w, storage.Job{Kind: setting, Of: uint64(p.ID)}, s.setMore),
		storage.BeginJob(w, storage.Job{Kind: telling, Of: uint64(p.ID), Gone: true, Told: answered}, s.tellMore),
	)
}

// onReturn is how long somebody has at least for a move once a vacation has run out that began
// by itself, because their time was up. No other comes after it in that year.
const onReturn = Day

// vacationOver is for a person whose vacation has run out.
func (s *Service) vacationOver(w storage.Writer, p storage.Person, m Moment) error {
	ranOut := p.Vacation.Auto
	stopVacation(&p, m.Now)
	p.Vacation.RanOut = ranOut
	return s.comeBack(w, p, 0)
}

// endVacation lets a person's clocks run again, and tells where they play, but for where they
// have been answered alone. Where little time is left there is notice of it again.
func (s *Service) endVacation(w storage.Writer, p storage.Person, m Moment, answered storage.PlaceID) error {
	stopVacation(&p, m.Now)
	return s.comeBack(w, p, answered)
}

// comeBack is for a person whose vacation has ended.
func (s *Service) comeBack(w storage.Writer, p storage.Person, answered storage.PlaceID) error {
	if err := w.People().Put(p); err != nil {
		return err
	}
	return errors.Join(
		storage.BeginJob(w, storage.Job{Kind: setting, Of: uint64(p.ID)}, s.setMore),
		storage.BeginJob(w, storage.Job{Kind: telling, Of: uint64(p.ID), Told: answered}, s.tellMore),
	)
}

// Become is for a person whose games will be those of another: their vacation ends, and that
// of the other will be for these games too, which opponents are told. Their clocks are adjusted
// where they get another player, see Seat.
func (s *Service) Become(w storage.Writer, from, into *storage.Person) error {
	m, err := s.Moment(w.Reader)
	if err != nil || !from.Away() && !into.Away() {
		return err
	}
	t := storage.Job{Kind: telling, Of: uint64(from.ID), Into: uint64(into.ID), Gone: into.Away()}
	if !from.Away() {
		return storage.BeginJob(w, t, s.tellMore)
	}
	was := *from
	stopVacation(&was, m.Now)
	if err := w.People().Put(was); err != nil || into.Away() { // the clocks stop again
		return err
	}
	return storage.BeginJob(w, t, s.tellMore)
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
	p.Vacation = storage.Vacation{Year: p.Vacation.Year, Used: p.Vacation.Used + end.Sub(p.Vacation.Since), Ended: now}
}
