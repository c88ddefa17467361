package user

import (
	"context"
	"errors"
	"slices"
	"time"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/rating"
	"chimera/storage"
)

// NewLink is a one-time code with which the asker's account on another platform becomes
// the same person. An earlier one ends. The same message gets the same code, while that is
// good.
func (s *Users) NewLink(ctx context.Context, by event.By) (string, error) {
	code := match.NewCode()
	err := s.store.Update(ctx, func(w storage.Writer) error {
		p, err := w.People().Get(by.Person)
		again, _, err2 := event.Before(w.Reader, by.Message)
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		if link, err := w.Links().Get(p.Link); err == nil && again != nil && !s.now().After(link.Expires) {
			code = p.Link
			return nil
		}
		was := p.Link
		p.Link = code
		return errors.Join(
			w.Links().Delete(was), w.People().Put(p), w.Links().Set(code, storage.Link{Person: p.ID, Expires: s.now().Add(match.LinkFor)}),
			s.events.Remember(w, by.Message, event.Done{Kind: event.Chose}, ""),
		)
	})
	return code, err
}

// Merge is what a link would make of two people.
type Merge struct {
	Code            string
	From, Into      storage.Person // who becomes whom
	Playing, Played int            // games of From, which become those of Into
	Rated           bool           // From has a rating, and the games that made it will count for Into
}

// LinkWith is what the asker becomes by a code of another account's person. It changes nothing
// but how many wrong codes the asker has tried. It refuses BadCode, OtherCode and
// TooManyGuesses, and two people who cannot become one: SamePerson, SamePlatform,
// TooManyLinks, StillJoining, PlayEachOther.
func (s *Users) LinkWith(ctx context.Context, by event.By, code string) (Merge, error) {
	code = match.Tidy(code)
	merge, err := storage.Read(ctx, s.store, func(r storage.Reader) (Merge, error) {
		link, err := s.linkOf(r, by, code)
		if err != nil {
			return Merge{}, err
		}
		return s.mergeOf(r, code, by.Person, link.Person)
	})
	return merge, s.match.CountGuess(ctx, by, err)
}

// linkOf is the code of another account's person, with which the asker may be linked.
func (s *Users) linkOf(r storage.Reader, by event.By, code string) (storage.Link, error) {
	link, err := s.match.CodeOf(r, by, code)
	switch {
	case err != nil:
		return link, err
	case link.Person == 0:
		return link, event.Refuse(event.OtherCode, 0)
	case link.By != 0 && link.By != by.Person:
		return link, event.Refuse(event.BadCode, 0)
	}
	return link, nil
}

// mergeOf reads two people of whom one would become the other, or refuses.
func (s *Users) mergeOf(r storage.Reader, code string, from, into storage.PersonID) (Merge, error) {
	merge := Merge{Code: code}
	one, err := r.People().Get(from)
	other, err2 := r.People().Get(into)
	playing, err3 := r.Playing(from)
	played, err4 := r.Played(from)
	others, err5 := r.GamesOf(into)
	standings, err6 := r.Standings(from)
	busy, err7 := r.HasJob([]string{storage.JoinJob, storage.SplitJob, storage.ForgetJob}, from, into)
	if err := errors.Join(err, err2, err3, err4, err5, err6, err7); err != nil {
		return merge, err
	}
	merge.From, merge.Into = one, other
	merge.Playing, merge.Played, merge.Rated = len(playing), len(played), len(standings.Standings) > 0
	linkedOften := func(p *storage.Person) bool { return p.Links >= limit.LinksPerDay && s.now().Sub(p.Linked) < match.Day }
	slices.Sort(others)
	met := func(id storage.GameID) bool {
		_, found := slices.BinarySearch(others, id)
		return found
	}
	for _, no := range []struct {
		is  bool
		why event.Why
	}{
		{from == into, event.SamePerson},
		{slices.ContainsFunc(one.Identities, func(a storage.Address) bool { _, both := other.On(a.Platform); return both }), event.SamePlatform},
		{linkedOften(&one) || linkedOften(&other), event.TooManyLinks},
		{busy, event.StillJoining},
		{slices.ContainsFunc(playing, met) || slices.ContainsFunc(played, met), event.PlayEachOther},
	} {
		if no.is {
			return merge, event.Refuse(no.why, 0)
		}
	}
	return merge, nil
}

// AgreeLink is the asker's word that they want to become the person whose code it is. That
// person is asked too: nothing is linked before GiveLink. It refuses what LinkWith does, but
// NotAsked for BadCode: the asker has been told what the code is for.
func (s *Users) AgreeLink(ctx context.Context, by event.By, code string) (event.Done, error) {
	code = match.Tidy(code)
	done, err := s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		done := event.Done{Kind: event.LinkAgreed}
		link, err := s.linkOf(w.Reader, by, code)
		if err != nil {
			return done, err
		}
		merge, err := s.mergeOf(w.Reader, code, by.Person, link.Person)
		if err != nil || link.By == by.Person {
			return done, err
		}
		link.By = by.Person
		agreed := event.Event{Kind: event.LinkAgreed, By: by.Person, Payload: event.Link{Code: code}}
		return done, errors.Join(w.Links().Set(code, link), s.post(w, &merge.Into, agreed))
	})
	if event.IsRefused(err, event.BadCode) {
		err = event.Refuse(event.NotAsked, 0)
	}
	return done, err
}

// post tells a person something in private, if there is a place for that.
func (s *Users) post(w storage.Writer, p *storage.Person, what event.Event) error {
	if p.Home == 0 {
		return nil
	}
	return w.Post(what.Entry(p.Home, s.now()))
}

// RefuseLink is the asker's word that they do not want to become the person whose code it is.
func (s *Users) RefuseLink(ctx context.Context, by event.By, code string) (event.Done, error) {
	code = match.Tidy(code)
	return s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		link, err := w.Links().Get(code)
		if err == nil && link.By == by.Person {
			link.By = 0
			err = w.Links().Set(code, link)
		}
		return event.Done{Kind: event.LinkRefused}, unlessNew(err)
	})
}

// AgreedLink is how a code will link its owner with the person who has agreed to it; false if nobody
// has.
func (s *Users) AgreedLink(ctx context.Context, code string) (merge Merge, asked bool, err error) {
	merge, err = storage.Read(ctx, s.store, func(r storage.Reader) (Merge, error) { return s.agreedLink(r, code) })
	return merge, merge.Code != "", err
}

// agreedLink is the zero Merge where nobody has agreed.
func (s *Users) agreedLink(r storage.Reader, code string) (Merge, error) {
	link, err := r.Links().Get(code)
	if err != nil || link.By == 0 || s.now().After(link.Expires) {
		return Merge{}, unlessNew(err)
	}
	return s.mergeOf(r, code, link.By, link.Person)
}

// GiveLink is the asker's word that the person who has agreed to their code becomes them: that
// person's accounts, games, challenges and results become the asker's. The code is used up. It refuses
// NotAsked, and two people who cannot become one as LinkWith does.
func (s *Users) GiveLink(ctx context.Context, by event.By, code string) (event.Done, error) {
	code = match.Tidy(code)
	done, err := s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		done := event.Done{Kind: event.LinkGiven}
		merge, err := s.agreedLink(w.Reader, code)
		switch {
		case err != nil:
			return done, err
		case merge.Into.ID != by.Person:
			return done, event.Refuse(event.NotAsked, 0)
		}
		return done, errors.Join(
			s.post(w, &merge.From, event.Event{Kind: event.LinkGiven, By: by.Person}), w.Links().Delete(code), s.merge(w, merge.From, merge.Into),
		)
	})
	if err != nil {
		return done, err
	}
	return done, s.joinSome(ctx)
}

// KeepLink is the asker's word that nobody becomes them. Their code is good no more.
func (s *Users) KeepLink(ctx context.Context, by event.By) (event.Done, error) {
	return s.change(ctx, by, event.LinkRefused, func(w storage.Writer, p *storage.Person) error {
		was := p.Link
		p.Link = ""
		return w.Links().Delete(was)
	})
}

// merge makes one person of two. Challenges and games, and the lists of who blocks them, follow step by
// step. The vacation of the one who goes ends; that of the other counts for the games that come, too.
func (s *Users) merge(w storage.Writer, from, into storage.Person) error {
	career, err := w.Standings(from.ID)
	err2 := errors.Join(
		s.match.Become(w, &from, &into),
		rating.JoinServers(w, into.ID, career.Servers), w.Links().Delete(from.Link), w.DropSessions(from.ID), w.GiveSolver(from.ID, into.ID),
	)
	from, err3 := w.People().Get(from.ID) // whose vacation may have ended
	if err := errors.Join(err, err2, err3); err != nil {
		return err
	}
	// Identities leave the one before they come to the other, whose index stays.
	gone := from
	gone.Identities, gone.Joined, gone.Link, gone.Into, gone.Forget = nil, nil, "", into.ID, time.Time{}
	gone.Studies, gone.Training = storage.Studies{}, storage.Training{}
	s.countLink(&gone)
	s.countLink(&into)
	into.Identities = slices.Concat(into.Identities, from.Identities)
	into.Joined = slices.Concat(into.Joined, from.Joined)
	for _, a := range from.Identities {
		if !slices.ContainsFunc(from.Joined, func(j storage.Joined) bool { return j.Account == a }) {
			into.Joined = append(into.Joined, storage.Joined{Account: a, As: from.ID})
		}
	}
	into.Link = ""
	into.Blocked = including(Distinct(slices.Concat(into.Blocked, from.Blocked)), into.ID, false)
	into.Chats = Distinct(slices.Concat(into.Chats, from.AllChats()))
	if into.Home == 0 {
		into.Home = from.Home
	}
	for game, done := range from.Studies.Done {
		if into.Studies.Done == nil {
			into.Studies.Done = map[string]int{}
		}
		into.Studies.Done[game] = max(into.Studies.Done[game], done)
	}
	into.Training = into.Training.Join(from.Training)
	err = errors.Join(w.People().Put(gone), w.People().Put(into))
	for _, j := range from.Joined {
		err = errors.Join(err, w.People().Change(j.As, func(p *storage.Person) { p.Into = into.ID }))
	}
	return errors.Join(err, w.Jobs().Put(storage.Job{Kind: storage.JoinJob, Of: uint64(from.ID), Into: uint64(into.ID)}))
}

// countLink counts a link.
func (s *Users) countLink(p *storage.Person) {
	if s.now().Sub(p.Linked) >= match.Day {
		p.Links, p.Linked = 0, s.now()
	}
	p.Links++
}
