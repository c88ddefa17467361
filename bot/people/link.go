package people

import (
	"context"
	"errors"
	"slices"
	"time"

	"chimera/bot/inbox"
	"chimera/bot/league"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/storage"
)

// Links makes one person of several accounts, and parts them again. It is safe for
// concurrent use.
type Links struct {
	store      *storage.Store
	inbox      *inbox.Inbox
	clocks     *match.Clocks
	challenges *match.Challenges
	league     *league.League
	now        func() time.Time
}

// NewLink is a one-time code with which the asker's account on another platform becomes
// the same person. An earlier one ends. The same message gets the same code, while that is
// good.
func (s *Links) NewLink(ctx context.Context, by inbox.By) (string, error) {
	code := match.NewCode()
	err := s.store.Update(ctx, func(w storage.Writer) error {
		p, err := w.Person(by.Person)
		if err != nil {
			return err
		}
		again, err := inbox.Seen(w.Reader, by.Message)
		if err != nil {
			return err
		}
		if p.Link != "" {
			link, err := w.Link(p.Link)
			if err == nil && again != nil && !s.now().After(link.Expires) {
				code = p.Link
				return nil
			}
			if err := w.DropLink(p.Link); err != nil {
				return err
			}
		}
		p.Link = code
		return errors.Join(
			w.PutPerson(p), w.PutLink(code, storage.Link{Person: p.ID, Expires: s.now().Add(match.LinkFor)}),
			s.inbox.Remember(w, by.Message, inbox.Done{What: inbox.Chose}, ""),
		)
	})
	return code, err
}

// Union is what a link would make of two people.
type Union struct {
	Code            string
	From, Into      storage.Person // who becomes whom
	Playing, Played int            // games of From, which become those of Into
	Rated           bool           // From has a rating, and the games that made it will count for Into
}

// LinkWith is what the asker becomes by a code of another account's person. It refuses what
// AgreeLink would refuse, and changes nothing but how many wrong codes the asker has tried.
func (s *Links) LinkWith(ctx context.Context, by inbox.By, code string) (Union, error) {
	union := Union{Code: match.Tidy(code)}
	err := s.store.View(ctx, func(r storage.Reader) (err error) {
		link, err := s.linkOf(r, by, union.Code)
		if err != nil {
			return err
		}
		return s.readUnion(r, &union, by.Person, link.Person)
	})
	return union, s.challenges.CountGuess(ctx, by, err)
}

// linkOf is the code of another account's person, with which the asker may be linked.
func (s *Links) linkOf(r storage.Reader, by inbox.By, code string) (storage.Link, error) {
	link, err := s.challenges.CodeOf(r, by, code)
	switch {
	case err != nil:
		return link, err
	case link.Person == 0:
		return link, inbox.Refuse(inbox.OtherCode, 0)
	case link.By != 0 && link.By != by.Person:
		return link, inbox.Refuse(inbox.BadCode, 0)
	}
	return link, nil
}

// readUnion is what would become of one person who became another, or why that cannot be.
func (s *Links) readUnion(r storage.Reader, u *Union, from, into storage.PersonID) (err error) {
	if u.From, err = r.Person(from); err != nil {
		return err
	}
	if u.Into, err = r.Person(into); err != nil {
		return err
	}
	if err := s.mayUnite(r, &u.From, &u.Into, false); err != nil {
		return err
	}
	playing, err := r.Playing(from)
	if err != nil {
		return err
	}
	played, err := r.Played(from)
	if err != nil {
		return err
	}
	career, err := r.Career(from)
	u.Playing, u.Played, u.Rated = len(playing), len(played), len(career.Standings) > 0
	return err
}

// mayUnite refuses two people who cannot become one; with underway, their games that have
// ended have been looked at.
func (s *Links) mayUnite(r storage.Reader, from, into *storage.Person, underway bool) error {
	if from.ID == into.ID {
		return inbox.Refuse(inbox.SamePerson, 0)
	}
	for _, a := range from.Identities {
		if slices.ContainsFunc(into.Identities, func(b storage.Address) bool { return a.Platform == b.Platform }) {
			return inbox.Refuse(inbox.SamePlatform, 0)
		}
	}
	for _, p := range []*storage.Person{from, into} {
		if p.Links >= limit.LinksPerDay && s.now().Sub(p.Linked) < match.Day {
			return inbox.Refuse(inbox.TooManyLinks, 0)
		}
	}
	if busy, err := joining(r, from.ID, into.ID); err != nil || busy {
		return errors.Join(err, inbox.Refuse(inbox.StillJoining, 0))
	}
	met, err := r.Opponents(from.ID, into.ID, underway)
	if err == nil && met {
		err = inbox.Refuse(inbox.PlayEachOther, 0)
	}
	return err
}

// joining reports whether games of some people are still to be given to others, or others'
// to them.
func joining(r storage.Reader, people ...storage.PersonID) (bool, error) {
	joins, err := r.Joins()
	return slices.ContainsFunc(joins, func(j storage.Join) bool {
		return slices.Contains(people, j.From) || slices.Contains(people, j.Into)
	}), err
}

// settleJoins gives all games to whom they are to be given, step by step.
func (s *Links) settleJoins(ctx context.Context, people ...storage.PersonID) error {
	for {
		var busy bool
		err := s.store.View(ctx, func(r storage.Reader) (err error) {
			busy, err = joining(r, people...)
			return err
		})
		if err != nil || !busy {
			return err
		}
		if _, err := s.HandMore(ctx); err != nil {
			return err
		}
	}
}

// AgreeLink is the asker's word that he wants to become the person whose code it is. That
// person is asked too: nothing is linked before GiveLink.
func (s *Links) AgreeLink(ctx context.Context, by inbox.By, code string) (inbox.Done, error) {
	code = match.Tidy(code)
	if err := s.mayAgree(ctx, by, code); err != nil {
		return inbox.Done{}, err
	}
	return s.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		link, err := s.agreedLink(w.Reader, by, code)
		if err != nil {
			return inbox.Done{}, err
		}
		from, err := w.Person(by.Person)
		if err != nil {
			return inbox.Done{}, err
		}
		into, err := w.Person(link.Person)
		if err != nil {
			return inbox.Done{}, err
		}
		if err := s.mayUnite(w.Reader, &from, &into, true); err != nil {
			return inbox.Done{}, err
		}
		done := inbox.Done{What: inbox.LinkAgreed}
		if link.By == by.Person {
			return done, nil
		}
		link.By = by.Person
		if err := w.PutLink(code, link); err != nil || into.Home == 0 {
			return done, err
		}
		return done, w.Post(storage.Entry{
			Place: into.Home, At: s.now(), Kind: string(inbox.LinkAgreed), By: by.Person, Facts: map[string]string{inbox.FactCode: code},
		})
	})
}

// agreedLink is linkOf for a code that the asker has been told what it is for.
func (s *Links) agreedLink(r storage.Reader, by inbox.By, code string) (storage.Link, error) {
	link, err := s.linkOf(r, by, code)
	if no := (*inbox.Refusal)(nil); errors.As(err, &no) && no.Why == inbox.BadCode {
		err = inbox.Refuse(inbox.NotAsked, 0)
	}
	return link, err
}

// mayAgree refuses an asker who may not become the person of a code, unless the message has
// been before. It looks through all their games, and nobody waits for it.
func (s *Links) mayAgree(ctx context.Context, by inbox.By, code string) error {
	return s.store.View(ctx, func(r storage.Reader) error {
		again, err := inbox.Seen(r, by.Message)
		if again != nil || err != nil {
			return err
		}
		link, err := s.agreedLink(r, by, code)
		if err != nil {
			return err
		}
		return s.readUnion(r, &Union{}, by.Person, link.Person)
	})
}

// RefuseLink is the asker's word that he does not want to become the person whose code it is.
func (s *Links) RefuseLink(ctx context.Context, by inbox.By, code string) (inbox.Done, error) {
	code = match.Tidy(code)
	return s.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		done := inbox.Done{What: inbox.LinkRefused}
		link, err := w.Link(code)
		if errors.Is(err, storage.ErrNotFound) || err == nil && link.By != by.Person {
			return done, nil
		}
		link.By = 0
		return done, errors.Join(err, w.PutLink(code, link))
	})
}

// LinkAsked is what somebody's code is about to make of him and of who has agreed to it;
// false if nobody has.
func (s *Links) LinkAsked(ctx context.Context, giver storage.PersonID) (union Union, asked bool, err error) {
	err = s.store.View(ctx, func(r storage.Reader) error {
		asked = false
		p, err := r.Person(giver)
		if err != nil || p.Link == "" {
			return err
		}
		link, err := r.Link(p.Link)
		if errors.Is(err, storage.ErrNotFound) || err == nil && (link.By == 0 || s.now().After(link.Expires)) {
			return nil
		}
		union.Code, asked = p.Link, err == nil
		return errors.Join(err, s.readUnion(r, &union, link.By, giver))
	})
	return union, asked, err
}

// GiverOf is whose code one is, 0 if it is good no more.
func (s *Links) GiverOf(ctx context.Context, code string) (storage.PersonID, error) {
	var link storage.Link
	err := s.store.View(ctx, func(r storage.Reader) (err error) {
		if link, err = r.Link(code); errors.Is(err, storage.ErrNotFound) {
			err = nil
		}
		return err
	})
	return link.Person, err
}

// GiveLink is the asker's word that who has agreed to his code becomes him: that person's
// accounts, games, challenges and results become the asker's. The code is used up.
func (s *Links) GiveLink(ctx context.Context, by inbox.By, code string) (inbox.Done, error) {
	done, err := s.giveLink(ctx, by, match.Tidy(code))
	if err != nil {
		return done, err
	}
	return done, s.handSome(ctx)
}

func (s *Links) giveLink(ctx context.Context, by inbox.By, code string) (inbox.Done, error) {
	again, _, err := s.inbox.Again(ctx, by)
	if again != nil || err != nil {
		return inbox.Done{What: inbox.LinkGiven}, err
	}
	union, asked, err := s.LinkAsked(ctx, by.Person)
	switch {
	case err != nil:
		return inbox.Done{}, err
	case !asked || union.Code != code:
		return inbox.Done{}, inbox.Refuse(inbox.NotAsked, 0)
	}
	if err := s.settleJoins(ctx, union.From.ID, union.Into.ID); err != nil {
		return inbox.Done{}, err
	}
	return s.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		link, err := w.Link(code)
		if errors.Is(err, storage.ErrNotFound) || err == nil && (link.Person != by.Person || link.By != union.From.ID) {
			return inbox.Done{}, inbox.Refuse(inbox.NotAsked, 0)
		}
		if err != nil {
			return inbox.Done{}, err
		}
		from, err := w.Person(link.By)
		if err != nil {
			return inbox.Done{}, err
		}
		into, err := w.Person(by.Person)
		if err != nil {
			return inbox.Done{}, err
		}
		if err := s.mayUnite(w.Reader, &from, &into, true); err != nil {
			return inbox.Done{}, err
		}
		if from.Home != 0 {
			e := storage.Entry{Place: from.Home, At: s.now(), Kind: string(inbox.LinkGiven), By: into.ID}
			if err := w.Post(e); err != nil {
				return inbox.Done{}, err
			}
		}
		return inbox.Done{What: inbox.LinkGiven}, errors.Join(w.DropLink(code), s.unite(w, from, into))
	})
}

// KeepLink is the asker's word that nobody becomes him. His code is good no more.
func (s *Links) KeepLink(ctx context.Context, by inbox.By) (inbox.Done, error) {
	return s.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		p, err := w.Person(by.Person)
		if err != nil || p.Link == "" {
			return inbox.Done{What: inbox.LinkRefused}, err
		}
		was := p
		p.Link = ""
		return inbox.Done{What: inbox.LinkRefused}, errors.Join(w.DropLink(was.Link), w.PutPerson(p))
	})
}

// unite makes one person of two, whose games follow step by step. The vacation of the one
// who goes ends; that of the other is for the games that come too.
func (s *Links) unite(w storage.Writer, from, into storage.Person) error {
	if err := s.clocks.Become(w, &from, &into); err != nil {
		return err
	}
	if err := errors.Join(s.giveChallenges(w, from.ID, into.ID, ""), beWary(w, from.ID, into.ID)); err != nil {
		return err
	}
	from, err := w.Person(from.ID)
	if err != nil {
		return err
	}
	if into, err = w.Person(into.ID); err != nil { // who may have blocked himself
		return err
	}
	career, err := w.Career(from.ID)
	if err != nil {
		return err
	}
	if err := league.JoinServers(w, into.ID, career.Servers); err != nil {
		return err
	}
	if from.Link != "" {
		if err := w.DropLink(from.Link); err != nil {
			return err
		}
	}
	// Identities leave the one before they come to the other, whose index stays.
	gone := from
	gone.Identities, gone.Joined, gone.Link, gone.Into, gone.Forget = nil, nil, "", into.ID, time.Time{}
	s.linked(&gone)
	s.linked(&into)
	into.Identities = append(slices.Clone(into.Identities), from.Identities...)
	into.Joined = append(slices.Clone(into.Joined), from.Joined...)
	for _, a := range from.Identities {
		if !slices.ContainsFunc(from.Joined, func(j storage.Joined) bool { return j.Account == a }) {
			into.Joined = append(into.Joined, storage.Joined{Account: a, As: from.ID})
		}
	}
	into.Link = ""
	into.Blocked = slices.DeleteFunc(Distinct(slices.Concat(into.Blocked, from.Blocked)), func(id storage.PersonID) bool { return id == into.ID })
	into.Chats = Distinct(slices.Concat(into.Chats, from.AllChats()))
	if into.Home == 0 {
		into.Home = from.Home
	}
	if err := errors.Join(w.PutPerson(gone), w.PutPerson(into)); err != nil {
		return err
	}
	for _, j := range from.Joined {
		p, err := w.Person(j.As)
		if err != nil {
			return err
		}
		p.Into = into.ID
		if err := w.PutPerson(p); err != nil {
			return err
		}
	}
	return w.PutJoin(storage.Join{Of: from.ID, From: from.ID, Into: into.ID})
}

// linked counts a link.
func (s *Links) linked(p *storage.Person) {
	if s.now().Sub(p.Linked) >= match.Day {
		p.Links, p.Linked = 0, s.now()
	}
	p.Links++
}

// giveChallenges gives a person's challenges to another, those alone that were made on a
// platform if one is named; those between the two go.
func (s *Links) giveChallenges(w storage.Writer, from, into storage.PersonID, platform string) error {
	by, err := w.ChallengesBy(from)
	if err != nil {
		return err
	}
	to, err := w.ChallengesTo(from)
	if err != nil {
		return err
	}
	for c, err := range w.ReadChallenges(append(by, to...)) {
		if err != nil {
			return err
		}
		if platform != "" {
			place, err := w.Place(c.Place)
			if err != nil {
				return err
			}
			if place.Address.Platform != platform {
				continue
			}
		}
		if err := w.DeleteChallenge(c); err != nil {
			return err
		}
		if c.From == from {
			c.From = into
		}
		if c.To == from {
			c.To = into
		}
		if c.From == c.To {
			if err := match.Announce(w, s.now(), into, c, inbox.Cancelled); err != nil {
				return err
			}
			continue
		}
		if err := w.PutChallenge(c); err != nil {
			return err
		}
	}
	return nil
}

// Unlink lets an account be no longer the asker's: who uses it is who he was before, with
// the games that he brought or has played from it since. Where the asker's account is the
// one to which the others came, they all leave. Those who were wary of the asker are so of
// each.
func (s *Links) Unlink(ctx context.Context, by inbox.By, account storage.Address) (inbox.Done, error) {
	if err := s.settleJoins(ctx, by.Person); err != nil {
		return inbox.Done{}, err
	}
	done, err := s.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		p, err := w.Person(by.Person)
		if err != nil {
			return inbox.Done{}, err
		}
		if len(p.Identities) < 2 {
			return inbox.Done{}, inbox.Refuse(inbox.OneAccount, 0)
		}
		if busy, err := joining(w.Reader, p.ID); err != nil || busy {
			return inbox.Done{}, errors.Join(err, inbox.Refuse(inbox.StillJoining, 0))
		}
		leave := slices.DeleteFunc(slices.Clone(p.Joined), func(j storage.Joined) bool { return j.Account != account })
		if len(leave) == 0 {
			leave = p.Joined
		}
		if len(leave) == 0 {
			return inbox.Done{What: inbox.Chose}, s.part(w, p, storage.Joined{Account: account})
		}
		for _, j := range leave {
			if p, err = w.Person(p.ID); err != nil {
				return inbox.Done{}, err
			}
			if err := s.part(w, p, j); err != nil {
				return inbox.Done{}, err
			}
		}
		return inbox.Done{What: inbox.Chose}, nil
	})
	if err != nil {
		return done, err
	}
	return done, s.handSome(ctx)
}

// part takes an account from a person, whose it was before or, if that is not known, whoever
// uses it next.
func (s *Links) part(w storage.Writer, p storage.Person, j storage.Joined) error {
	platform := j.Account.Platform
	p.Identities = slices.DeleteFunc(slices.Clone(p.Identities), func(a storage.Address) bool { return a == j.Account })
	p.Joined = slices.DeleteFunc(slices.Clone(p.Joined), func(other storage.Joined) bool { return other == j })
	p.Home = 0
	var err error
	if p.Chats, err = chatsBut(w.Reader, p.Chats, platform); err != nil {
		return err
	}
	if err := errors.Join(w.PutPerson(p), leaveSeats(w, p.ID, platform)); err != nil {
		return err
	}
	if j.As != 0 {
		if err := s.comeAgain(w, p.ID, j); err != nil {
			return err
		}
	}
	return stayWary(w, p, j.Account)
}

// comeAgain lets somebody be who he was before a link, of whom an account has left.
func (s *Links) comeAgain(w storage.Writer, from storage.PersonID, j storage.Joined) error {
	was, err := w.Person(j.As)
	if err != nil {
		return err
	}
	now := was
	now.Identities, now.Into = []storage.Address{j.Account}, 0
	if err := errors.Join(w.PutPerson(now), s.giveChallenges(w, from, j.As, j.Account.Platform)); err != nil {
		return err
	}
	career, err := w.Career(from)
	if err != nil {
		return err
	}
	var stay, leaving []storage.ServerID
	for _, id := range career.Servers {
		server, err := w.Server(id)
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
		if err := errors.Join(league.PutServers(w, from, career), league.JoinServers(w, j.As, leaving)); err != nil {
			return err
		}
	}
	return w.PutJoin(storage.Join{Of: j.As, From: from, Into: j.As})
}

// chatsBut are those of some chats that are not on a platform.
func chatsBut(r storage.Reader, chats []storage.PlaceID, platform string) ([]storage.PlaceID, error) {
	var rest []storage.PlaceID
	for _, id := range chats {
		place, err := r.Place(id)
		if err != nil {
			return nil, err
		}
		if place.Address.Platform != platform {
			rest = append(rest, id)
		}
	}
	return rest, nil
}

// leaveSeats lets a person play games no more where he has no account, but where they
// began.
func leaveSeats(w storage.Writer, id storage.PersonID, platform string) error {
	playing, err := w.Playing(id)
	if err != nil {
		return err
	}
	for g, err := range w.Read(playing) {
		if err != nil {
			return err
		}
		side, ok := g.SideOf(id)
		if !ok {
			continue
		}
		if g.Seats[side] == 0 {
			continue
		}
		seat, err := w.Place(g.Seats[side])
		if err != nil {
			return err
		}
		if seat.Address.Platform != platform {
			continue
		}
		was := g
		g.Seats[side] = 0
		if err := w.PutGame(was, g); err != nil {
			return err
		}
	}
	return nil
}
