package match

import (
	"cmp"
	"context"
	"slices"
	"time"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/rules"
	"chimera/storage"
)

// Offered is what one player asks of the other.
type Offered string

// What can be offered in a game.
const (
	ADraw     Offered = "draw"
	ATakeback Offered = "takeback"
)

// In is the field of a game that holds such an offer while it is open.
func (o Offered) In(g *storage.Game) **storage.Offer {
	if o == ADraw {
		return &g.Draw
	}
	return &g.Takeback
}

// news are the events when such an offer is made, declined and cancelled.
func (o Offered) news() (made, declined, cancelled event.Kind) {
	if o == ADraw {
		return event.DrawOffered, event.DrawDeclined, event.DrawCancelled
	}
	return event.TakebackAsked, event.TakebackDeclined, event.TakebackCancelled
}

// OpenOffer is an offer that waits for an answer in a game.
type OpenOffer struct {
	storage.Offer
	What Offered
}

// Open are the offers that wait for an answer in a game seen at its latest ply, the newest last.
func Open(s *GameView) (open []OpenOffer) {
	if s.Ply != len(s.Game.Moves) || s.Game.Over() {
		return nil
	}
	for _, what := range []Offered{ADraw, ATakeback} {
		if o := *what.In(&s.Game); o != nil {
			open = append(open, OpenOffer{*o, what})
		}
	}
	slices.SortStableFunc(open, func(a, b OpenOffer) int { return a.At.Compare(b.At) })
	return open
}

// Offer offers a draw, or asks to take back the asker's last move and what was played since; if the
// opponent has offered the same, it agrees. It refuses what every change of a game in progress is
// refused for, and NothingToTakeBack, AlreadyOffered, OfferedBefore. The computer grants every
// takeback at once.
func (s *Service) Offer(ctx context.Context, by event.By, id storage.GameID, what Offered) (event.Done, error) {
	return s.update(ctx, by, id, nil, func(c *change) error { return s.offer(c, what) })
}

// Draw offers a draw at the second word: without sure, the first call only asks to confirm. It also
// refuses NotAsked.
func (s *Service) Draw(ctx context.Context, by event.By, id storage.GameID, sure bool) (event.Done, error) {
	return s.update(ctx, by, id, nil, func(c *change) error {
		if !sure || !s.events.Second(c.DrawAsk, by) {
			return s.firstWord(c, &c.DrawAsk, event.DrawAsked, sure)
		}
		return s.offer(c, ADraw)
	})
}

func (s *Service) offer(c *change, what Offered) error {
	c.playOn()
	open, computer := what.In(&c.Game), c.Levels[1-c.side] != 0
	switch {
	case *open != nil && (*open).By != c.by.Person:
		return s.agree(c, what)
	case what == ATakeback && !HasMoved(&c.Game, c.side):
		return c.refuse(event.NothingToTakeBack)
	case *open != nil:
		return c.refuse(event.AlreadyOffered)
	case computer && what == ATakeback:
		c.Helped, *open = true, s.events.Offer(c.by)
		return s.agree(c, what)
	}
	asked := &c.Asked[c.side]
	if asked.Ply != len(c.Moves) {
		*asked = storage.Asked{Ply: len(c.Moves)}
	}
	offers := &asked.Takebacks
	if what == ADraw {
		offers = &asked.Draws
	}
	if *offers >= limit.OffersPerMove {
		return c.refuse(event.OfferedBefore)
	}
	*offers++
	*open = s.events.Offer(c.by)
	made, _, _ := what.news()
	if c.done = made; computer {
		return nil // its answer tells all
	}
	return c.tell(made, nil)
}

// Agree accepts the opponent's open offer, or refuses NoOffer.
func (s *Service) Agree(ctx context.Context, by event.By, id storage.GameID, what Offered) (event.Done, error) {
	return s.update(ctx, by, id, nil, func(c *change) error {
		if o := *what.In(&c.Game); o == nil || o.By == by.Person {
			return c.refuse(event.NoOffer)
		}
		return s.agree(c, what)
	})
}

// agree carries out an offer that is open.
func (s *Service) agree(c *change, what Offered) error {
	if what == ADraw {
		return c.end(rules.Outcome{Result: rules.Drawn, Ending: rules.ByAgreement}, event.Position{Agreed: true})
	}
	side, _ := c.SideOf(c.Takeback.By)
	plies := pliesBack(&c.Game, side)
	if plies > len(c.Moves) {
		return c.refuse(event.NothingToTakeBack)
	}
	c.Moves = slices.Clone(c.Moves[:len(c.Moves)-plies])
	line, err := s.Replay(&c.Game)
	if err != nil {
		return err
	}
	line.Restore(&c.Game)
	c.Plans, c.Asked = [2][]storage.Line{}, [2]storage.Asked{}
	return c.tell(event.TookBack, event.Position{Plies: plies})
}

// HasMoved reports whether a side has a move that it could take back.
func HasMoved(g *storage.Game, side storage.Side) bool { return pliesBack(g, side) <= len(g.Moves) }

// pliesBack is how many plies to take back until it is a side's turn again where it moved last.
func pliesBack(g *storage.Game, side storage.Side) int {
	if g.Turn == side {
		return 2
	}
	return 1
}

// Refuse declines the opponent's open offer, or cancels the asker's own. It refuses NoOffer if none is
// open.
func (s *Service) Refuse(ctx context.Context, by event.By, id storage.GameID, what Offered) (event.Done, error) {
	return s.update(ctx, by, id, nil, func(c *change) error { return c.decline(what) })
}

func (c *change) decline(what Offered) error {
	c.playOn()
	open := what.In(&c.Game)
	_, said, cancelled := what.news()
	switch {
	case *open == nil:
		return c.refuse(event.NoOffer)
	case (*open).By == c.by.Person:
		said = cancelled
	}
	*open = nil
	return c.tell(said, nil)
}

// Answer is how somebody ends an open offer.
type Answer uint8

// The answers: people accept or decline others' offers, and cancel their own.
const (
	Accept Answer = iota
	Decline
	Cancel
)

// Meant says which open offer an answer is about; the zero value is the newest of all.
type Meant struct {
	Game storage.GameID   // it is the challenge of this number, or is open in this game
	With storage.PersonID // it is from this person, or to them
}

// Answer answers the newest open offer that is meant: a draw, a takeback or a challenge,
// to the asker or, to cancel it, by them. It refuses NoOffer, and what Agree, Refuse and
// AnswerChallenge do.
func (s *Service) Answer(ctx context.Context, by event.By, how Answer, m Meant) (event.Done, error) {
	again, err := s.events.Again(ctx, by)
	switch {
	case err != nil:
		return event.Done{}, err
	case again != nil: // the offer is gone, and the answer is what is wanted
		return *again, nil
	}
	offers, err := storage.Read(ctx, s.store, func(r storage.Reader) ([]open, error) { return openOffers(r, by, how, m) })
	switch {
	case err != nil:
		return event.Done{}, err
	case len(offers) == 0:
		return event.Done{}, event.Refuse(event.NoOffer, m.Game)
	}
	newest := slices.MaxFunc(offers, func(a, b open) int {
		return cmp.Or(First(a.toAnyone, b.toAnyone), a.at.Compare(b.at))
	})
	switch {
	case newest.what == "":
		return s.AnswerChallenge(ctx, by, newest.id, how)
	case how == Accept:
		return s.Agree(ctx, by, newest.id, newest.what)
	}
	return s.Refuse(ctx, by, newest.id, newest.what)
}

// HasOffer reports whether Answer would find an offer to answer: one made to the asker since a moment
// or, if that is the zero time, any, even one to anyone.
func (s *Service) HasOffer(ctx context.Context, by event.By, how Answer, m Meant, since time.Time) (bool, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (bool, error) {
		offers, err := openOffers(r, by, how, m)
		return slices.ContainsFunc(offers, func(o open) bool { return since.IsZero() || !o.toAnyone && !o.at.Before(since) }), err
	})
}

// open is an offer that waits for an answer.
type open struct {
	id       storage.GameID
	what     Offered // "" for a challenge
	at       time.Time
	with     storage.PersonID // its maker, or the person it is to; 0 for anyone
	toAnyone bool             // a challenge that comes after all other offers
}

// openOffers are the offers that the asker may answer in this way.
func openOffers(r storage.Reader, by event.By, how Answer, m Meant) ([]open, error) {
	offers, err := openChallenges(r, by, how, m.Game)
	playing, err2 := r.Playing(by.Person)
	games, err := r.Games().All(playing, err, err2)
	for _, g := range games {
		if side, ok := g.SideOf(by.Person); ok && (m.Game == 0 || m.Game == g.ID) {
			for _, what := range []Offered{ADraw, ATakeback} {
				if o := *what.In(&g); o != nil && (o.By == by.Person) == (how == Cancel) {
					offers = append(offers, open{id: g.ID, what: what, at: o.At, with: g.Players[1-side]})
				}
			}
		}
	}
	return slices.DeleteFunc(offers, func(o open) bool { return m.With != 0 && o.with != m.With }), err
}

// openChallenges are the challenges that the asker may answer in this way; if one is named, only that
// one, even if it will be refused.
func openChallenges(r storage.Reader, by event.By, how Answer, id storage.GameID) (offers []open, err error) {
	ids := []storage.GameID{id}
	switch {
	case id != 0:
	case how == Cancel:
		ids, err = r.ChallengesBy(by.Person)
	default:
		to, err1 := r.ChallengesTo(by.Person)
		here, err2 := r.ChallengesAt(by.Place)
		ids, err = append(to, here...), cmp.Or(err1, err2)
	}
	challenges, err := r.Challenges().All(ids, err)
	for _, c := range challenges {
		o := open{id: c.ID, at: c.At, with: c.From, toAnyone: c.To == 0 && !c.Waits}
		switch {
		case how == Cancel:
			o.with, o.toAnyone = c.To, false
		case len(ids) > 1 && (c.From == by.Person || c.Waits && !isFor(&c, by)):
			continue // as the only one, it says why it cannot be accepted
		}
		offers = append(offers, o)
	}
	return offers, err
}
