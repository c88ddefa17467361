package user

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/rating"
	"chimera/storage"
)

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

// settle does what has to be done before a person is settled.
func (s *Users) settle(ctx context.Context, p storage.PersonID) error {
	for {
		joining, err := storage.Read(ctx, s.store, func(r storage.Reader) (bool, error) { return r.Joining(p) })
		if err == nil && joining {
			_, err = s.joins().More(ctx, s.store)
		}
		if err != nil || !joining {
			return err
		}
	}
}

// joinSome gives as many games as it may while somebody waits, and computes ratings again if that is all.
func (s *Users) joinSome(ctx context.Context) error {
	for range patience {
		if more, err := s.joins().More(ctx, s.store); err != nil || !more {
			return errors.Join(err, s.ratings.Work(ctx))
		}
	}
	return nil
}

// inTurn does a step of the first of some parts of a job that has something to do, and reports whether
// there may be more.
func inTurn(parts ...func() (more bool, err error)) (more bool, err error) {
	for _, part := range parts {
		if more, err = part(); more || err != nil {
			return more, err
		}
	}
	return false, nil
}

// beforeGames is inTurn for what comes before the first game is given.
func beforeGames(j *storage.Job, parts ...func() (more bool, err error)) (more bool, err error) {
	if more, err = inTurn(parts...); !more {
		j.Part = 1
	}
	return true, err
}

// joinMore gives what is a person's to whom they have become. Before any game, who blocks the one
// blocks the other, opponents hear of a vacation, and challenges change hands, so that no new games
// come of them.
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
		for _, other := range into.Joined { // what others had brought before stays theirs
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

// splitMore gives back what came with an account, or was begun from it. Before any game, who blocks the
// one blocks both, games leave the rooms where the other has no account, and challenges made on the
// account's platform go with it.
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

// giveGames gives the next games from one person to another, and notes of each whether it came with an
// account. After the last, ratings are computed again if one of them counts.
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
	return true, w.ChangeGames(ids, func(g *storage.Game) (bool, error) {
		side, plays := g.SideOf(from)
		if err := note(&taker, g.ID); err != nil || !plays {
			return false, err
		}
		j.Counted = j.Counted || g.Counted
		return true, s.giveSide(w.Reader, g, side, &giver, &taker)
	})
}

// giveSide gives a side of a game to a person, with what is offered in it, and its clock.
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

// leaveSeats takes some of a person's seats in rooms where they have no account.
func leaveSeats(w storage.Writer, id storage.PersonID) (more bool, err error) {
	left := fewGames
	p, err := w.People().Get(id)
	playing, err2 := w.Playing(id)
	return storage.Batch(w.Games().Each(playing, err, err2), &left, func(g storage.Game) (leaves bool, err error) {
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

// giveChallenges gives some of a person's challenges to another, only those that were made on a
// platform if one is named. Those between the two are cancelled.
func (s *Users) giveChallenges(w storage.Writer, from, into storage.PersonID, platform string) (more bool, err error) {
	left := toldGames
	return storage.Batch(storage.Items(challengesOf(w.Reader, from)), &left, func(c storage.Challenge) (bool, error) {
		place, err := w.Places().Find(c.Place)
		if err != nil || platform != "" && place.Address.Platform != platform {
			return false, err
		}
		err = w.Challenges().Delete(c.ID)
		for _, p := range []*storage.PersonID{&c.From, &c.To} {
			if *p == from {
				*p = into
			}
		}
		if c.From == c.To {
			return true, errors.Join(err, match.TellChallenge(w, s.now(), into, c, event.Cancelled))
		}
		return true, errors.Join(err, w.Challenges().Put(c))
	})
}

// Unlink takes an account from the asker: it belongs again to its owner before the link, with the games
// that they brought or have played from it since. If it is the account that the others have joined, all
// of them leave. People and servers that block or hide the asker block or hide each. It refuses
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
		switch {
		case len(leave) == 0 && len(p.Joined) == 0: // linked when that was not kept
			leave = []storage.Joined{{Account: account}}
		case len(leave) == 0:
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

// split takes an account from a person and gives it to its owner before the link, or if that is not
// known to a new person. Blocks of others by the two, and by others of them, stay: else one would only
// have to unlink an account.
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
	err = errors.Join(w.People().Put(p), w.DropSessions(id)) // the other may have them
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
		err = errors.Join(rating.PutServers(w, id, career), rating.JoinServers(w, j.As, leaving))
	}
	return errors.Join(err, w.Jobs().Put(storage.Job{Kind: storage.SplitJob, Of: uint64(j.As), Into: uint64(id)}))
}
