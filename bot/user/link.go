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
		if err != nil {
			return err
		}
		again, _, err := event.Before(w.Reader, by.Message)
		if err != nil {
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
	found, err := s.mergeWith(ctx, by, match.Tidy(code))
	return found, s.match.CountGuess(ctx, by, err)
}

// mergeWith reads all games of a person, for which no other transaction is to wait.
func (s *Users) mergeWith(ctx context.Context, by event.By, code string) (Merge, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (Merge, error) {
		link, err := s.linkOf(r, by, code)
		if err != nil {
			return Merge{}, err
		}
		return s.mergeOf(r, code, by.Person, link.Person)
	})
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

// mergeOf is what would become of one person who became another, or why that cannot be.
func (s *Users) mergeOf(r storage.Reader, code string, from, into storage.PersonID) (u Merge, err error) {
	u.Code = code
	if u.From, u.Into, err = s.mergeable(r, from, into, false); err != nil {
		return u, err
	}
	playing, err := r.Playing(from)
	played, err2 := r.Played(from)
	career, err3 := r.Standings(from)
	u.Playing, u.Played, u.Rated = len(playing), len(played), len(career.Standings) > 0
	return u, errors.Join(err, err2, err3)
}

// mergeable reads two people, and refuses those who cannot become one. With underway, their games
// that have ended were looked at before.
func (s *Users) mergeable(r storage.Reader, from, into storage.PersonID, underway bool) (one, other storage.Person, err error) {
	if one, err = r.People().Get(from); err != nil {
		return one, other, err
	}
	if other, err = r.People().Get(into); err != nil {
		return one, other, err
	}
	busy, err := joining(r, from, into)
	if err == nil && !busy {
		busy, err = beingForgotten(r, from, into)
	}
	if err != nil {
		return one, other, err
	}
	met, err := r.Opponents(from, into, underway)
	if err != nil {
		return one, other, err
	}
	linkedOften := func(p *storage.Person) bool { return p.Links >= limit.LinksPerDay && s.now().Sub(p.Linked) < match.Day }
	for _, no := range []struct {
		is  bool
		why event.Why
	}{
		{from == into, event.SamePerson},
		{slices.ContainsFunc(one.Identities, func(a storage.Address) bool { _, both := other.On(a.Platform); return both }), event.SamePlatform},
		{linkedOften(&one) || linkedOften(&other), event.TooManyLinks},
		{busy, event.StillJoining},
		{met, event.PlayEachOther},
	} {
		if no.is {
			return one, other, event.Refuse(no.why, 0)
		}
	}
	return one, other, nil
}

// AgreeLink is the asker's word that they want to become the person whose code it is. That
// person is asked too: nothing is linked before GiveLink. It refuses what LinkWith does, but
// NotAsked for BadCode: the asker has been told what the code is for.
func (s *Users) AgreeLink(ctx context.Context, by event.By, code string) (event.Done, error) {
	code = match.Tidy(code)
	again, _, err := s.events.Again(ctx, by)
	if again == nil && err == nil {
		_, err = s.mergeWith(ctx, by, code)
	}
	done := event.Done{Kind: event.LinkAgreed}
	if err == nil {
		done, err = s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
			link, err := s.linkOf(w.Reader, by, code)
			if err != nil {
				return done, err
			}
			_, into, err := s.mergeable(w.Reader, by.Person, link.Person, true)
			if err != nil || link.By == by.Person {
				return done, err
			}
			link.By = by.Person
			agreed := event.Event{Kind: event.LinkAgreed, By: by.Person, Payload: event.Link{Code: code}}
			return done, errors.Join(w.Links().Set(code, link), s.post(w, &into, agreed))
		})
	}
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
		done := event.Done{Kind: event.LinkRefused}
		link, err := w.Links().Get(code)
		switch {
		case errors.Is(err, storage.ErrNotFound), err == nil && link.By != by.Person:
			return done, nil
		case err != nil:
			return done, err
		}
		link.By = 0
		return done, w.Links().Set(code, link)
	})
}

// AgreedLink is what a code is about to make of whose it is and of who has agreed to it; false if
// nobody has.
func (s *Users) AgreedLink(ctx context.Context, code string) (merge Merge, asked bool, err error) {
	err = s.store.View(ctx, func(r storage.Reader) error {
		link, err := r.Links().Get(code)
		asked = err == nil && link.By != 0 && !s.now().After(link.Expires)
		if errors.Is(err, storage.ErrNotFound) || err == nil && !asked {
			return nil
		}
		if err == nil {
			merge, err = s.mergeOf(r, code, link.By, link.Person)
		}
		return err
	})
	return merge, asked, err
}

// GiveLink is the asker's word that who has agreed to their code becomes them: that person's
// accounts, games, challenges and results become the asker's. The code is used up. It refuses
// NotAsked, and two people who cannot become one as LinkWith does.
func (s *Users) GiveLink(ctx context.Context, by event.By, code string) (event.Done, error) {
	code = match.Tidy(code)
	done := event.Done{Kind: event.LinkGiven}
	again, _, err := s.events.Again(ctx, by)
	if again == nil && err == nil {
		done, err = s.give(ctx, by, code)
	}
	if err != nil {
		return done, err
	}
	return done, s.joinSome(ctx)
}

func (s *Users) give(ctx context.Context, by event.By, code string) (event.Done, error) {
	found, asked, err := s.AgreedLink(ctx, code)
	switch {
	case err != nil:
		return event.Done{}, err
	case !asked || found.Into.ID != by.Person:
		return event.Done{}, event.Refuse(event.NotAsked, 0)
	}
	return s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		link, err := w.Links().Get(code)
		switch {
		case errors.Is(err, storage.ErrNotFound), err == nil && (link.Person != by.Person || link.By != found.From.ID):
			return event.Done{}, event.Refuse(event.NotAsked, 0)
		case err != nil:
			return event.Done{}, err
		}
		from, into, err := s.mergeable(w.Reader, link.By, by.Person, true)
		if err != nil {
			return event.Done{}, err
		}
		return event.Done{Kind: event.LinkGiven}, errors.Join(
			s.post(w, &from, event.Event{Kind: event.LinkGiven, By: into.ID}), w.Links().Delete(code), s.merge(w, from, into),
		)
	})
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
	if err != nil {
		return err
	}
	err = errors.Join(
		s.match.Become(w, &from, &into),
		rating.JoinServers(w, into.ID, career.Servers), w.Links().Delete(from.Link), w.DropSessions(from.ID), w.GiveSolver(from.ID, into.ID),
	)
	if err != nil {
		return err
	}
	if from, err = w.People().Get(from.ID); err != nil {
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
	if err := errors.Join(w.People().Put(gone), w.People().Put(into)); err != nil {
		return err
	}
	for _, j := range from.Joined {
		if err := w.People().Change(j.As, func(p *storage.Person) { p.Into = into.ID }); err != nil {
			return err
		}
	}
	return w.Joins().Put(storage.Join{Of: from.ID, From: from.ID, Into: into.ID})
}

// countLink counts a link.
func (s *Users) countLink(p *storage.Person) {
	if s.now().Sub(p.Linked) >= match.Day {
		p.Links, p.Linked = 0, s.now()
	}
	p.Links++
}

// challengesOf are the open challenges by a person and to them by name.
func challengesOf(r storage.Reader, p storage.PersonID) ([]storage.Challenge, error) {
	by, err := r.ChallengesBy(p)
	to, err2 := r.ChallengesTo(p)
	return r.Challenges().All(append(by, to...), err, err2)
}

// giveChallenges gives some of a person's challenges to another, only those that were made on a
// platform if one is named, and reports whether there are more; those between the two go.
func (s *Users) giveChallenges(w storage.Writer, from, into storage.PersonID, platform string) (more bool, err error) {
	left := toldGames
	return storage.Batch(storage.Items(challengesOf(w.Reader, from)), &left, func(c storage.Challenge) (bool, error) {
		place, err := w.Places().Get(c.Place)
		switch {
		case err != nil && !storage.Missing(err):
			return false, err
		case platform != "" && place.Address.Platform != platform:
			return false, nil
		}
		if err := w.Challenges().Delete(c.ID); err != nil {
			return false, err
		}
		for _, p := range []*storage.PersonID{&c.From, &c.To} {
			if *p == from {
				*p = into
			}
		}
		if c.From == c.To {
			return true, match.TellChallenge(w, s.now(), into, c, event.Cancelled)
		}
		return true, w.Challenges().Put(c)
	})
}

// Unlink takes an account from the asker: it belongs again to who had it before, with the games that
// they brought or have played from it since. If it is the account that the others have joined, all of
// them leave. People and servers that block or hide the asker block or hide each. It refuses OneAccount
// and StillJoining.
func (s *Users) Unlink(ctx context.Context, by event.By, account storage.Address) (event.Done, error) {
	if err := s.settleJoins(ctx, by.Person); err != nil {
		return event.Done{}, err
	}
	done, err := s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		p, err := w.People().Get(by.Person)
		if err != nil {
			return event.Done{}, err
		}
		if len(p.Identities) < 2 {
			return event.Done{}, event.Refuse(event.OneAccount, 0)
		}
		if err := settled(w.Reader, p.ID); err != nil {
			return event.Done{}, err
		}
		leave := slices.DeleteFunc(slices.Clone(p.Joined), func(j storage.Joined) bool { return j.Account != account })
		switch {
		case len(leave) == 0 && len(p.Joined) == 0: // linked when that was not kept
			leave = []storage.Joined{{Account: account}}
		case len(leave) == 0:
			leave = p.Joined
		}
		for _, j := range leave {
			if err := s.split(w, p.ID, j); err != nil {
				return event.Done{}, err
			}
		}
		return event.Done{Kind: event.Chose}, nil
	})
	if err != nil {
		return done, err
	}
	return done, s.joinSome(ctx)
}

// split takes an account from a person and gives it to who had it before, or if that is not known to
// whoever uses it next.
func (s *Users) split(w storage.Writer, id storage.PersonID, j storage.Joined) error {
	p, err := w.People().Get(id)
	if err != nil {
		return err
	}
	chats, err := w.Places().All(p.Chats)
	if err != nil {
		return err
	}
	p.Home, p.Chats = 0, nil
	for _, chat := range chats {
		if chat.Address.Platform != j.Account.Platform {
			p.Chats = append(p.Chats, chat.ID)
		}
	}
	p.Identities = slices.DeleteFunc(p.Identities, func(a storage.Address) bool { return a == j.Account })
	p.Joined = slices.DeleteFunc(p.Joined, func(other storage.Joined) bool { return other == j })
	if err := errors.Join(w.People().Put(p), w.DropSessions(p.ID)); err != nil { // who leaves may have them
		return err
	}
	if j.As == 0 {
		now, err := w.Meet(j.Account, p.Name)
		if err != nil {
			return err
		}
		j.As = now.ID
	}
	return s.restore(w, &p, j)
}

// leaveSeat lets a side be played where the game began, if the player has no account where they sat.
func leaveSeat(r storage.Reader, g *storage.Game, side storage.Side, p *storage.Person) (left bool, err error) {
	if g.Seats[side] == 0 {
		return false, nil
	}
	seat, err := r.Places().Get(g.Seats[side])
	if _, stays := p.On(seat.Address.Platform); err != nil || stays {
		return false, err
	}
	g.Seats[side] = 0
	return true, nil
}

// restore makes an account that was split off the person again who they were before the link. Blocks
// of others by the two, and by others of them, stay: else one would only have to unlink an account.
func (s *Users) restore(w storage.Writer, p *storage.Person, j storage.Joined) error {
	from := p.ID
	err := w.People().Change(j.As, func(as *storage.Person) {
		as.Identities, as.Into, as.Blocked = []storage.Address{j.Account}, 0, p.Blocked
	})
	if err != nil {
		return err
	}
	career, err := w.Standings(from)
	if err != nil {
		return err
	}
	var stay, leaving []storage.ServerID
	for _, id := range career.Servers {
		server, err := w.Servers().Get(id)
		if err != nil {
			return err
		}
		if server.Address.Platform == j.Account.Platform {
			leaving = append(leaving, id)
		} else {
			stay = append(stay, id)
		}
	}
	if len(leaving) > 0 {
		career.Servers = stay
		if err := errors.Join(rating.PutServers(w, from, career), rating.JoinServers(w, j.As, leaving)); err != nil {
			return err
		}
	}
	return w.Joins().Put(storage.Join{Of: j.As, From: from, Into: j.As})
}
