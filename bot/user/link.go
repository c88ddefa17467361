package user

import (
	"cmp"
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

// NewLink is a one-time code with which the asker's account on another platform becomes the same
// person. It replaces an earlier one. The same message gets the same code, as long as that is valid.
func (s *Users) NewLink(ctx context.Context, by event.By) (string, error) {
	code := match.NewCode()
	err := s.store.Update(ctx, func(w storage.Writer) error {
		p, err := w.People().Get(by.Person)
		again, err2 := event.Before(w.Reader, by.Message)
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
			s.events.Remember(w, by.Message, event.Done{Kind: event.Chose}),
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

// LinkWith is what the code of another account's person would make of the asker. It changes nothing
// but the number of wrong codes that the asker has tried. It refuses BadCode, OtherCode and
// TooManyGuesses, and people who cannot be merged: SamePerson, SamePlatform, TooManyLinks,
// StillJoining, PlayEachOther.
func (s *Users) LinkWith(ctx context.Context, by event.By, code string) (Merge, error) {
	code = match.Tidy(code)
	merge, err := storage.Read(ctx, s.store, func(r storage.Reader) (Merge, error) {
		link, err := s.linkOf(r, by, code)
		merge, err2 := s.mergeOf(r, code, by.Person, link.Person)
		return merge, cmp.Or(err, err2)
	})
	return merge, s.match.CountGuess(ctx, by, err)
}

// linkOf is the code of another account's person, which the asker may use to link.
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

// mergeOf reads two people to be merged, or refuses.
func (s *Users) mergeOf(r storage.Reader, code string, from, into storage.PersonID) (Merge, error) {
	one, err := r.People().Get(from)
	other, err2 := r.People().Get(into)
	playing, err3 := r.Playing(from)
	played, err4 := r.Played(from)
	others, err5 := r.GamesOf(into)
	standings, err6 := r.Standings(from)
	busy, err7 := r.HasJob([]string{storage.JoinJob, storage.SplitJob, storage.ForgetJob}, from, into)
	if err := errors.Join(err, err2, err3, err4, err5, err6, err7); err != nil {
		return Merge{}, err
	}
	merge := Merge{Code: code, From: one, Into: other, Playing: len(playing), Played: len(played), Rated: len(standings.Standings) > 0}
	linkedOften := func(p *storage.Person) bool { return p.Links >= limit.LinksPerDay && s.now().Sub(p.Linked) < match.Day }
	slices.Sort(others)
	met := func(id storage.GameID) bool {
		_, found := slices.BinarySearch(others, id)
		return found
	}
	switch {
	case from == into:
		return merge, event.Refuse(event.SamePerson, 0)
	case slices.ContainsFunc(one.Identities, func(a storage.Address) bool { _, both := other.On(a.Platform); return both }):
		return merge, event.Refuse(event.SamePlatform, 0)
	case linkedOften(&one) || linkedOften(&other):
		return merge, event.Refuse(event.TooManyLinks, 0)
	case busy:
		return merge, event.Refuse(event.StillJoining, 0)
	case slices.ContainsFunc(playing, met) || slices.ContainsFunc(played, met):
		return merge, event.Refuse(event.PlayEachOther, 0)
	}
	return merge, nil
}

// AgreeLink notes that the asker wants to become the person with a code, and asks that person too:
// nothing is linked before GiveLink. It refuses what LinkWith does, but NotAsked instead of BadCode:
// the asker was told what the code is for.
func (s *Users) AgreeLink(ctx context.Context, by event.By, code string) (event.Done, error) {
	code = match.Tidy(code)
	done, err := s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		done := event.Done{Kind: event.LinkAgreed}
		link, err := s.linkOf(w.Reader, by, code)
		merge, err2 := s.mergeOf(w.Reader, code, by.Person, link.Person)
		if err := cmp.Or(err, err2); err != nil || link.By == by.Person {
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

// post tells a person something in their private chat, if they have one.
func (s *Users) post(w storage.Writer, p *storage.Person, what event.Event) error {
	if p.Home == 0 {
		return nil
	}
	return w.Post(what.Entry(p.Home, s.now()))
}

// RefuseLink notes that the asker does not want to become the person with a code.
func (s *Users) RefuseLink(ctx context.Context, by event.By, code string) (event.Done, error) {
	code = match.Tidy(code)
	return s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		link, err := w.Links().Get(code)
		if err == nil && link.By == by.Person {
			link.By = 0
			err = w.Links().Set(code, link)
		}
		return event.Done{Kind: event.LinkRefused}, storage.UnlessNew(err)
	})
}

// AgreedLink is the merge that a code's owner is asked to confirm; false if nobody has agreed to it.
func (s *Users) AgreedLink(ctx context.Context, code string) (merge Merge, asked bool, err error) {
	merge, err = storage.Read(ctx, s.store, func(r storage.Reader) (Merge, error) { return s.agreedLink(r, code) })
	return merge, merge.Code != "", err
}

// agreedLink is the zero Merge if nobody has agreed.
func (s *Users) agreedLink(r storage.Reader, code string) (Merge, error) {
	link, err := r.Links().Get(code)
	if err != nil || link.By == 0 || s.now().After(link.Expires) {
		return Merge{}, storage.UnlessNew(err)
	}
	return s.mergeOf(r, code, link.By, link.Person)
}

// GiveLink lets the person who has agreed to the asker's code become the asker: that person's
// accounts, games, challenges and results become the asker's. The code is used up. It refuses
// NotAsked, and people who cannot be merged, as LinkWith does.
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

// KeepLink refuses to let anybody become the asker. Their code is no longer valid.
func (s *Users) KeepLink(ctx context.Context, by event.By) (event.Done, error) {
	return s.change(ctx, by, event.LinkRefused, func(w storage.Writer, p *storage.Person) error {
		was := p.Link
		p.Link = ""
		return w.Links().Delete(was)
	})
}

// merge makes one person of two. Challenges, games, and the lists of people who block them follow step
// by step. The vacation of from ends; a vacation of into also stops the games that they get.
func (s *Users) merge(w storage.Writer, from, into storage.Person) error {
	career, err := w.Standings(from.ID)
	err2 := errors.Join(
		s.match.Become(w, &from, &into),
		rating.JoinServers(w, into.ID, career.Servers), w.Links().Delete(from.Link), w.DropSessions(from.ID), w.GiveSolver(from.ID, into.ID),
	)
	from, err3 := w.People().Get(from.ID) // their vacation may have ended
	if err := errors.Join(err, err2, err3); err != nil {
		return err
	}
	// Identities have to leave one person before the other gets them, or the index would lose them.
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
	into.Home = cmp.Or(into.Home, from.Home)
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

// patience is how many steps of joining or splitting are done while the asker waits.
const patience = 64

// joins are the jobs that give games from one person to another.
func (s *Users) joins() storage.Jobs {
	return storage.Jobs{storage.JoinJob: s.joinMore, storage.SplitJob: s.splitMore}
}

// settled refuses StillJoining while games are being given to or by a person.
func settled(r storage.Reader, p storage.PersonID) error {
	joining, err := r.Joining(p)
	if err == nil && joining {
		err = event.Refuse(event.StillJoining, 0)
	}
	return err
}

// settle finishes what must be done before a person is settled.
func (s *Users) settle(ctx context.Context, p storage.PersonID) error {
	joining, err := storage.Read(ctx, s.store, func(r storage.Reader) (bool, error) { return r.Joining(p) })
	if err != nil || !joining {
		return err
	}
	return s.joins().Finish(ctx, s.store)
}

// joinSome gives games for as many steps as somebody may wait for, and then computes ratings again if
// all were given.
func (s *Users) joinSome(ctx context.Context) error {
	for range patience {
		if more, err := s.joins().More(ctx, s.store); err != nil || !more {
			return errors.Join(err, s.ratings.Work(ctx))
		}
	}
	return nil
}

// inTurn runs one step of the first part of a job that is not done, and reports whether there may be
// more.
func inTurn(parts ...func() (more bool, err error)) (more bool, err error) {
	for _, part := range parts {
		if more, err = part(); more || err != nil {
			return more, err
		}
	}
	return false, nil
}

// beforeGames is inTurn for the parts before the first game is given.
func beforeGames(j *storage.Job, parts ...func() (more bool, err error)) (more bool, err error) {
	if more, err = inTurn(parts...); !more {
		j.Part = 1
	}
	return true, err
}

// joinMore gives a person's games to the person that they have become. Before any game, people who
// block the one come to block the other, opponents are told of a vacation, and challenges change
// hands, so that they lead to no new games of the old person.
func (s *Users) joinMore(w storage.Writer, j *storage.Job) (more bool, err error) {
	of, into := storage.PersonID(j.Of), storage.PersonID(j.Into)
	if j.Part == 0 {
		return beforeGames(
			j,
			func() (bool, error) { return replaceBlocked(w, of, into) },
			func() (bool, error) { return s.match.TellMore(w, of) },
			func() (bool, error) { return s.giveChallenges(w, of, into, "") },
		)
	}
	more, err = s.giveGames(w, j, of, into, func(into *storage.Person, id storage.GameID) error {
		for _, other := range into.Joined { // games that another account brought earlier stay its own
			if other.As == of {
				continue
			}
			if came, err := w.HasCome(other.As, id); err != nil || came {
				return err
			}
		}
		return w.PutCame(of, id, true)
	})
	if !more && err == nil && j.Part == 1 {
		j.Part, j.Game, more = 2, 0, true
	}
	return more, err
}

// splitMore gives back what came with an account, or was begun from it. Before any game, people who
// block the one come to block both, games leave rooms where the other has no account, and challenges
// made on the account's platform go with it.
func (s *Users) splitMore(w storage.Writer, j *storage.Job) (more bool, err error) {
	of, from := storage.PersonID(j.Of), storage.PersonID(j.Into)
	if j.Part == 0 {
		return beforeGames(
			j,
			func() (bool, error) { return replaceBlocked(w, from, from, of) },
			func() (bool, error) { return leaveSeats(w, from) },
			func() (bool, error) {
				leaves, err := w.People().Get(of)
				if err != nil || len(leaves.Identities) == 0 {
					return false, err
				}
				return s.giveChallenges(w, from, of, leaves.Identities[0].Platform)
			},
		)
	}
	return s.giveGames(w, j, from, of, func(_ *storage.Person, id storage.GameID) error { return w.PutCame(of, id, false) })
}

// giveGames gives the next games from one person to another, and calls note for each. After the last,
// ratings are computed again if one of the games counts.
func (s *Users) giveGames(w storage.Writer, j *storage.Job, from, into storage.PersonID, note func(into *storage.Person, id storage.GameID) error) (more bool, err error) {
	ids, err := w.ToGive(*j, fewGames)
	if len(ids) == 0 {
		if err == nil && j.Counted && (j.Kind == storage.SplitJob || j.Part > 1) {
			err = rating.Recount(w)
		}
		return false, err
	}
	j.Game = ids[len(ids)-1]
	giver, err2 := w.People().Get(from)
	taker, err3 := w.People().Get(into)
	if err := errors.Join(err, err2, err3); err != nil {
		return false, err
	}
	for g, err := range w.Games().Each(ids) {
		side, plays := g.SideOf(from)
		if err = cmp.Or(err, note(&taker, g.ID)); err == nil && plays {
			j.Counted = j.Counted || g.Counted
			if err = s.giveSide(w.Reader, &g, side, &giver, &taker); err == nil {
				err = w.Games().Put(g)
			}
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// giveSide gives one side of a game to a person, with its open offers and its clock.
func (s *Users) giveSide(r storage.Reader, g *storage.Game, side storage.Side, from, into *storage.Person) error {
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

// leaveSeat moves a side's seat to where the game began, if the player has no account where it was.
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

// leaveSeats moves some of a person's seats out of rooms where they have no account.
func leaveSeats(w storage.Writer, id storage.PersonID) (more bool, err error) {
	p, err := w.People().Get(id)
	playing, err2 := w.Playing(id)
	return storage.Batch(w.Games().Each(playing, err, err2), new(fewGames), func(g storage.Game) (leaves bool, err error) {
		if side, plays := g.SideOf(id); plays {
			leaves, err = leaveSeat(w.Reader, &g, side, &p)
		}
		if leaves && err == nil {
			err = w.Games().Put(g)
		}
		return leaves, err
	})
}

// challengesOf are the open challenges by a person and to them by name.
func challengesOf(r storage.Reader, p storage.PersonID) ([]storage.Challenge, error) {
	by, err := r.ChallengesBy(p)
	to, err2 := r.ChallengesTo(p)
	return r.Challenges().All(append(by, to...), err, err2)
}

// giveChallenges gives some of a person's challenges to another; if a platform is named, only those
// made on it. Challenges between the two are cancelled.
func (s *Users) giveChallenges(w storage.Writer, from, into storage.PersonID, platform string) (more bool, err error) {
	return storage.Batch(storage.Items(challengesOf(w.Reader, from)), new(toldGames), func(c storage.Challenge) (bool, error) {
		place, err := w.Places().Find(c.Place)
		if err != nil || platform != "" && place.Address.Platform != platform {
			return false, err
		}
		for _, p := range []*storage.PersonID{&c.From, &c.To} {
			if *p == from {
				*p = into
			}
		}
		if c.From == c.To {
			return true, errors.Join(w.Challenges().Delete(c.ID), match.TellChallenge(w, s.now(), into, c, event.Cancelled))
		}
		return true, w.Challenges().Put(c)
	})
}

// Unlink takes an account from the asker: it belongs to its previous owner again, with the games that
// they brought or have played from it since. If it is the account that the others have joined, all of
// those leave. People and servers that block or hide the asker then block or hide each. It refuses
// OneAccount and StillJoining.
func (s *Users) Unlink(ctx context.Context, by event.By, account storage.Address) (event.Done, error) {
	if err := s.settle(ctx, by.Person); err != nil {
		return event.Done{}, err
	}
	done, err := s.events.Once(ctx, by, func(w storage.Writer) (done event.Done, err error) {
		p, err := w.People().Get(by.Person)
		if err == nil && len(p.Identities) < 2 {
			err = event.Refuse(event.OneAccount, 0)
		}
		if err := cmp.Or(err, settled(w.Reader, p.ID)); err != nil {
			return done, err
		}
		leave := slices.DeleteFunc(slices.Clone(p.Joined), func(j storage.Joined) bool { return j.Account != account })
		if len(leave) == 0 && len(p.Joined) == 0 { // it was linked before that was recorded
			leave = []storage.Joined{{Account: account}}
		} else if len(leave) == 0 {
			leave = p.Joined
		}
		for _, j := range leave {
			err = cmp.Or(err, s.split(w, p.ID, j))
		}
		return event.Done{Kind: event.Chose}, err
	})
	if err != nil {
		return done, err
	}
	return done, s.joinSome(ctx)
}

// split takes an account from a person and gives it to its previous owner, or to a new person if that
// one is not known. Blocks by either person, and of either, stay: otherwise unlinking an account would
// get around them.
func (s *Users) split(w storage.Writer, id storage.PersonID, j storage.Joined) error {
	p, err := w.People().Get(id)
	chats, err := w.Places().All(p.Chats, err)
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
	err = errors.Join(w.People().Put(p), w.DropSessions(id)) // the sessions may be the other's
	if j.As == 0 {
		leaves, err2 := w.Meet(j.Account, p.Name)
		j.As, err = leaves.ID, errors.Join(err, err2)
	}
	err2 := w.People().Change(j.As, func(as *storage.Person) {
		as.Identities, as.Into, as.Blocked = []storage.Address{j.Account}, 0, p.Blocked
	})
	career, err3 := w.Standings(id)
	servers, err4 := w.Servers().All(career.Servers)
	if err := errors.Join(err, err2, err3, err4); err != nil {
		return err
	}
	var leaving []storage.ServerID
	for _, server := range servers {
		if server.Address.Platform == j.Account.Platform {
			leaving = append(leaving, server.ID)
		}
	}
	if len(leaving) > 0 {
		career.Servers = slices.DeleteFunc(career.Servers, func(id storage.ServerID) bool { return slices.Contains(leaving, id) })
		err = errors.Join(w.PutStandings(id, career), rating.JoinServers(w, j.As, leaving))
	}
	return errors.Join(err, w.Jobs().Put(storage.Job{Kind: storage.SplitJob, Of: uint64(j.As), Into: uint64(id)}))
}
