package season

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/storage"
)

// Reach is how many rungs above their own somebody may challenge.
const Reach = 3

// Times of ladders.
const (
	apart  = 14 * match.Day // before the same two may play again
	idle   = 30 * match.Day // without a game, after which people go down,
	sinks  = 7 * match.Day  // and again after each further one of these
	inHand = 10 * match.Day // for each side, in a game
)

// OnLadder is a ladder as somebody looks at it.
type OnLadder struct {
	storage.Ladder
	Names   []string  // of the people on it, in order
	Ratings []float64 // likewise
	Open    []int     // the rungs, from 0, whose people they may challenge
}

// Ladder is a server's ladder in a kind of game, as somebody looks at it.
func (s *Service) Ladder(ctx context.Context, server storage.ServerID, variant string, who storage.PersonID) (*OnLadder, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (*OnLadder, error) {
		l, err := s.ladder(r, server, variant)
		if err != nil {
			return nil, err
		}
		seen := &OnLadder{Ladder: l}
		for _, rung := range l.Rungs {
			name, err := r.NameOf(rung.Person)
			rated, err2 := standingOf(r, rung.Person, variant)
			if err := cmp.Or(err, err2); err != nil {
				return nil, err
			}
			seen.Names, seen.Ratings = append(seen.Names, name), append(seen.Ratings, rated)
		}
		seen.Open, err = s.within(r, &l, who)
		return seen, err
	})
}

// Ladders are the kinds of games in which a server's ladder has somebody on it.
func (s *Service) Ladders(ctx context.Context, server storage.ServerID) (variants []string, err error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (variants []string, err error) {
		all, err := r.LaddersIn(server)
		for _, l := range all {
			if len(l.Rungs) > 0 {
				variants = append(variants, l.Variant)
			}
		}
		return variants, err
	})
}

// Stand puts the asker at the foot of a ladder of the server of their place, or takes them off it:
// those below move up. It refuses NoServer, BarredHere and NotOnLadder.
func (s *Service) Stand(ctx context.Context, by event.By, variant string, on bool) (event.Done, error) {
	return s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		server, err := event.ServerAt(w.Reader, by.Place)
		l, err2 := s.ladder(w.Reader, server.ID, variant)
		switch err = cmp.Or(err, err2); {
		case err != nil:
		case !on && l.Rung(by.Person) < 0:
			err = event.Refuse(event.NotOnLadder, 0)
		case !on:
			err = s.takeOff(w, server.ID, variant, by.Person)
		case server.Hides(by.Person):
			err = event.Refuse(event.BarredHere, 0)
		default:
			if top := holder(&l); l.Rung(by.Person) < 0 {
				l.Rungs = append(l.Rungs, storage.Rung{Person: by.Person, Joined: s.now(), Played: s.now()})
				crown(&l, top, s.now())
			}
			err = w.Ladders().Put(l)
		}
		return event.Done{Kind: event.Chose}, err
	})
}

// takeOff takes somebody off a ladder if they are on it, and cancels their challenges there; their
// games go on, but move nobody.
func (s *Service) takeOff(w storage.Writer, server storage.ServerID, variant string, p storage.PersonID) error {
	l, err := s.ladder(w.Reader, server, variant)
	i := l.Rung(p)
	if err != nil || i < 0 {
		return err
	}
	top := holder(&l)
	l.Rungs = slices.Delete(l.Rungs, i, i+1)
	crown(&l, top, s.now())
	by, err := challengesOn(w.Reader, &l, p, true)
	to, err2 := challengesOn(w.Reader, &l, p, false)
	for _, c := range append(by, to...) {
		err = errors.Join(err, w.Challenges().Delete(c.ID), match.TellChallenge(w, s.now(), p, c, event.Cancelled))
	}
	return errors.Join(err, err2, w.Ladders().Put(l))
}

// ladder is a ladder as it stands now: without people who are forgotten or hidden by the managers,
// each person once, and after people have gone down for not playing; games in ended count as played
// until now.
func (s *Service) ladder(r storage.Reader, id storage.ServerID, variant string, ended ...storage.Game) (storage.Ladder, error) {
	server, err := r.Servers().Find(id)
	l, err2 := r.LadderOf(server.ID, variant)
	if err := cmp.Or(err, err2); err != nil {
		return l, err
	}
	now := map[storage.PersonID]storage.PersonID{} // who they have become
	gone := map[storage.PersonID]bool{}
	for i := range l.Rungs {
		rung := &l.Rungs[i]
		p, err := r.PersonNow(rung.Person)
		if err != nil && !storage.Missing(err) {
			return l, err
		}
		now[rung.Person], rung.Person = p.ID, p.ID
		gone[p.ID] = len(p.Identities) == 0 || server.Hides(p.ID)
	}
	for i := range l.Met {
		for side, p := range l.Met[i].People {
			l.Met[i].People[side] = cmp.Or(now[p], p)
		}
	}
	l.Met = slices.DeleteFunc(l.Met, func(m storage.Met) bool { return s.now().Sub(m.At) >= apart })
	err = s.sink(r, &l, ended)
	top := holder(&l)
	l.Rungs = slices.DeleteFunc(l.Rungs, func(rung storage.Rung) bool {
		leaves := gone[rung.Person]
		gone[rung.Person] = true // so that they are dropped if they come again
		return leaves
	})
	crown(&l, top, s.now())
	return l, err
}

// sink moves people down who have not played for too long, each at the moment it was due.
func (s *Service) sink(r storage.Reader, l *storage.Ladder, ended []storage.Game) error {
	until := map[storage.PersonID]time.Time{} // when they began their games, or now
	for _, rung := range l.Rungs {
		until[rung.Person] = s.now()
		games, err := gamesOn(r, l, rung.Person)
		if err != nil {
			return err
		}
		for _, g := range append(games, ended...) {
			if _, plays := g.SideOf(rung.Person); plays && g.Began.Before(until[rung.Person]) {
				until[rung.Person] = g.Began
			}
		}
	}
	for {
		next, who := s.now(), -1
		for i := len(l.Rungs) - 1; i >= 0; i-- { // if several are due at once, the lower first
			at := l.Rungs[i].Played.Add(idle + time.Duration(l.Rungs[i].Sunk)*sinks)
			if at.Before(next) && at.Before(until[l.Rungs[i].Person]) {
				next, who = at, i
			}
		}
		if who < 0 {
			return nil
		}
		l.Rungs[who].Sunk++
		if top := holder(l); who < len(l.Rungs)-1 {
			l.Rungs[who], l.Rungs[who+1] = l.Rungs[who+1], l.Rungs[who]
			crown(l, top, next)
		}
	}
}

// holder is the person at the top; 0 for nobody.
func holder(l *storage.Ladder) storage.PersonID {
	if len(l.Rungs) == 0 {
		return 0
	}
	return l.Rungs[0].Person
}

// crown notes when the person at the top took it, if that was not before's already.
func crown(l *storage.Ladder, before storage.PersonID, at time.Time) {
	if holder(l) != before {
		l.Since, l.Defences = at, 0
	}
}

// gamesOn are a person's games in progress on a ladder.
func gamesOn(r storage.Reader, l *storage.Ladder, p storage.PersonID) ([]storage.Game, error) {
	games, err := r.Games().All(r.Playing(p))
	return slices.DeleteFunc(games, func(g storage.Game) bool { return g.Ladder != l.Server || g.Variant != l.Variant }), err
}

// challengesOn are the open challenges on a ladder by a person, or to them.
func challengesOn(r storage.Reader, l *storage.Ladder, p storage.PersonID, by bool) ([]storage.Challenge, error) {
	open := r.ChallengesTo
	if by {
		open = r.ChallengesBy
	}
	all, err := r.Challenges().All(open(p))
	return slices.DeleteFunc(all, func(c storage.Challenge) bool { return !c.Ladder || c.Server != l.Server || c.Variant != l.Variant }), err
}

// engaged reports whether somebody has an undecided challenge or game on a ladder: as the challenger
// if climbs, else as the one challenged.
func engaged(r storage.Reader, l *storage.Ladder, p storage.PersonID, climbs bool) (bool, error) {
	challenges, err := challengesOn(r, l, p, climbs)
	games, err2 := gamesOn(r, l, p)
	return len(challenges) > 0 || slices.ContainsFunc(games, func(g storage.Game) bool { return (g.Players[g.Climbs] == p) == climbs }), errors.Join(err, err2)
}

// within are the rungs, from 0, whose people somebody may challenge.
func (s *Service) within(r storage.Reader, l *storage.Ladder, who storage.PersonID) (open []int, err error) {
	from := l.Rung(who)
	for i := max(from-Reach, 0); i < from; i++ {
		no := refuse(r, l, who, l.Rungs[i].Person)
		if no == nil {
			open = append(open, i)
		} else if _, refused := errors.AsType[*event.Refusal](no); !refused {
			return nil, no
		}
	}
	return open, nil
}

// refuse says why somebody may not challenge another on a ladder.
func refuse(r storage.Reader, l *storage.Ladder, who, other storage.PersonID) error {
	climbs, err := engaged(r, l, who, true)
	busy, err2 := engaged(r, l, other, false)
	met := func(m storage.Met) bool {
		return m.People == [2]storage.PersonID{who, other} || m.People == [2]storage.PersonID{other, who}
	}
	switch from, to := l.Rung(who), l.Rung(other); {
	case err != nil || err2 != nil:
		return cmp.Or(err, err2)
	case from < 0:
		return event.Refuse(event.NotOnLadder, 0)
	case climbs:
		return event.Refuse(event.Climbs, 0)
	case to < 0 || to >= from || to < from-Reach:
		return event.Refuse(event.OutOfReach, 0)
	case busy:
		return event.Refuse(event.IsChallenged, 0)
	case slices.ContainsFunc(l.Met, met):
		return event.Refuse(event.MetLately, 0)
	}
	return match.Friendly(r, who, other)
}

// Rung is a challenge for a rung of the ladder of the server in which it is made.
func Rung(variant string, to storage.PersonID) storage.Challenge {
	return storage.Challenge{To: to, Variant: variant, Color: "random", Rated: true, Pace: storage.Pace{Bank: inHand}, Ladder: true}
}

// mayClimb refuses a challenge that its ladder does not allow.
func (s *Service) mayClimb(r storage.Reader, c *storage.Challenge) error {
	place, err := r.Places().Find(c.Place)
	l, err2 := s.ladder(r, place.Server, c.Variant)
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	return refuse(r, &l, c.From, c.To)
}

// climb applies the result of a challenge on a ladder: a challenger who has won takes the other's rung
// if they still stand below it, and everyone from there to the challenger's old rung moves down by
// one. If either has left meanwhile, nobody moves.
func (s *Service) climb(w storage.Writer, g *storage.Game) error {
	var ended []storage.Game
	if g.FEN != "" { // else the challenge was not played
		ended = append(ended, *g)
	}
	climber, err := w.PersonNow(g.Players[g.Climbs])
	other, err2 := w.PersonNow(g.Players[1-g.Climbs])
	l, err3 := s.ladder(w.Reader, g.Ladder, g.Variant, ended...)
	if err := cmp.Or(err, err2, err3); err != nil {
		return err
	}
	from, to, outcome := l.Rung(climber.ID), l.Rung(other.ID), outcomeOf(g)
	counts := outcome != Void
	for _, i := range []int{from, to} {
		if counts = counts && i >= 0 && !g.Began.Before(l.Rungs[i].Joined); i >= 0 && (i == from || ended != nil) {
			l.Rungs[i].Played, l.Rungs[i].Sunk = s.now(), 0
		}
	}
	if counts {
		l.Met = append(l.Met, storage.Met{People: [2]storage.PersonID{climber.ID, other.ID}, At: s.now()})
	}
	if won := outcome.halves()[g.Climbs] == 2; counts && won && to < from {
		top, rung := holder(&l), l.Rungs[from]
		l.Rungs = slices.Insert(slices.Delete(l.Rungs, from, from+1), to, rung)
		crown(&l, top, s.now())
		told := event.Event{Kind: event.Climbed, By: climber.ID, Payload: event.Rung{Game: g.Variant, Rung: to + 1}}.Entry(g.Place, s.now())
		told.Game = g.ID
		err = w.Post(told)
	} else if counts && !won && to == 0 {
		l.Defences++
	}
	return errors.Join(err, w.Ladders().Put(l))
}
