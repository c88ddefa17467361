package match

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"chimera/bot/inbox"
	"chimera/bot/limit"
	"chimera/rules"
	"chimera/storage"
)

// Draw offers a draw, or agrees to the one that the opponent has offered.
func (s *Service) Draw(ctx context.Context, by inbox.By, id storage.GameID) (inbox.Done, error) {
	return s.ongoing(ctx, by, id, func(g storage.Game, side storage.Side) (change, error) {
		switch {
		case g.Draw == nil:
			if err := ask(&g, side, func(a *storage.Asked) *int { return &a.Draws }); err != nil {
				return change{}, err
			}
			g.Draw = s.inbox.Offer(by)
			return tell(g, inbox.DrawOffered, by, nil), nil
		case g.Draw.By == by.Person:
			return change{}, inbox.Refuse(inbox.AlreadyOffered, id)
		}
		return ends(g, rules.Outcome{Result: rules.Drawn, Ending: rules.ByAgreement}, by), nil
	})
}

// Takeback asks to take back the asker's last move and what was played since, or
// agrees to what the opponent has asked.
func (s *Service) Takeback(ctx context.Context, by inbox.By, id storage.GameID) (inbox.Done, error) {
	return s.ongoing(ctx, by, id, func(g storage.Game, side storage.Side) (change, error) {
		if g.Takeback == nil || g.Takeback.By == by.Person {
			if _, err := s.pliesBack(&g, by.Person); err != nil {
				return change{}, err
			}
		}
		switch {
		case g.Takeback == nil:
			if err := ask(&g, side, func(a *storage.Asked) *int { return &a.Takebacks }); err != nil {
				return change{}, err
			}
			g.Takeback = s.inbox.Offer(by)
			return tell(g, inbox.TakebackAsked, by, nil), nil
		case g.Takeback.By == by.Person:
			return change{}, inbox.Refuse(inbox.AlreadyOffered, id)
		}
		return s.takeBack(g, by)
	})
}

// ask counts what a side offers, and refuses it where it has offered as much as it
// may between two moves.
func ask(g *storage.Game, side storage.Side, count func(*storage.Asked) *int) error {
	asked := &g.Asked[side]
	if asked.Ply != len(g.Moves) {
		*asked = storage.Asked{Ply: len(g.Moves)}
	}
	offers := count(asked)
	if *offers >= limit.OffersPerMove {
		return inbox.Refuse(inbox.OfferedBefore, g.ID)
	}
	*offers++
	return nil
}

// pliesBack is how many plies go until the person is to move again where he
// moved last.
func (s *Service) pliesBack(g *storage.Game, p storage.PersonID) (int, error) {
	now, err := s.games.Load(g)
	if err != nil {
		return 0, err
	}
	plies := 1
	if g.Players[SideToMove(now.Position)] == p {
		plies = 2
	}
	if plies > len(g.Moves) {
		return 0, inbox.Refuse(inbox.NothingToTakeBack, g.ID)
	}
	return plies, nil
}

// takeBack carries out the takeback that g holds.
func (s *Service) takeBack(g storage.Game, by inbox.By) (change, error) {
	plies, err := s.pliesBack(&g, g.Takeback.By)
	if err != nil {
		return change{}, err
	}
	g.Moves = slices.Clone(g.Moves[:len(g.Moves)-plies])
	line, err := s.games.Replay(&g)
	if err != nil {
		return change{}, err
	}
	g.Before = ""
	if len(line) > 1 {
		g.Before = line[len(line)-2].Position.FEN()
	}
	Stand(&g, line[len(line)-1])
	if err := CountMerges(&g, line); err != nil {
		return change{}, err
	}
	g.Plans = [2][]storage.Line{}
	return tell(g, inbox.TookBack, by, map[string]string{inbox.FactPlies: strconv.Itoa(plies)}), nil
}

// Offered is what one player asks of the other.
type Offered string

// What can be offered.
const (
	ADraw     Offered = "draw"
	ATakeback Offered = "takeback"
)

// Agree says yes to what the opponent has offered, which must stand.
func (s *Service) Agree(ctx context.Context, by inbox.By, id storage.GameID, what Offered) (inbox.Done, error) {
	return s.ongoing(ctx, by, id, func(g storage.Game, _ storage.Side) (change, error) {
		o := g.Takeback
		if what == ADraw {
			o = g.Draw
		}
		switch {
		case o == nil || o.By == by.Person:
			return change{}, inbox.Refuse(inbox.NoOffer, id)
		case what == ADraw:
			return ends(g, rules.Outcome{Result: rules.Drawn, Ending: rules.ByAgreement}, by), nil
		}
		return s.takeBack(g, by)
	})
}

// Refuse says no to what the opponent has offered, or takes back what the asker has.
func (s *Service) Refuse(ctx context.Context, by inbox.By, id storage.GameID, what Offered) (inbox.Done, error) {
	return s.withdraw(ctx, by, id, what == ADraw)
}

// pending is an open offer to or by a person.
type pending struct {
	at     time.Time
	with   storage.PersonID // who has made it, or to whom; 0 for anyone
	open   bool             // a challenge to anyone, which comes after all others
	accept func() (inbox.Done, error)
	refuse func() (inbox.Done, error) // decline, or cancel
}

// meant is which open offer an answer is about: the newest of all if it is zero.
type meant struct {
	game storage.GameID   // it is a challenge of this number, or stands in this game
	with storage.PersonID // it is from this person, or to them
}

// Accept answers yes to the newest open offer to the asker, or to the one in or
// about game id if that is not 0.
func (s *Service) Accept(ctx context.Context, by inbox.By, id storage.GameID) (inbox.Done, error) {
	return s.accept(ctx, by, meant{game: id})
}

// AcceptFrom answers yes to the newest open offer of a person's to the asker.
func (s *Service) AcceptFrom(ctx context.Context, by inbox.By, from storage.PersonID) (inbox.Done, error) {
	return s.accept(ctx, by, meant{with: from})
}

func (s *Service) accept(ctx context.Context, by inbox.By, what meant) (inbox.Done, error) {
	p, err := s.newest(ctx, by, what, s.offersTo)
	if err != nil {
		return inbox.Done{}, err
	}
	return p.accept()
}

// Decline answers no to the newest open offer to the asker, or to the one in or about
// game id if that is not 0.
func (s *Service) Decline(ctx context.Context, by inbox.By, id storage.GameID) (inbox.Done, error) {
	return s.refuse(ctx, by, meant{game: id}, s.offersTo)
}

// DeclineFrom answers no to the newest open offer of a person's to the asker.
func (s *Service) DeclineFrom(ctx context.Context, by inbox.By, from storage.PersonID) (inbox.Done, error) {
	return s.refuse(ctx, by, meant{with: from}, s.offersTo)
}

// Cancel takes back the newest open offer of the asker's own, or the one in or
// about game id if that is not 0.
func (s *Service) Cancel(ctx context.Context, by inbox.By, id storage.GameID) (inbox.Done, error) {
	return s.refuse(ctx, by, meant{game: id}, s.offersBy)
}

// CancelTo takes back the newest open offer of the asker's to a person.
func (s *Service) CancelTo(ctx context.Context, by inbox.By, to storage.PersonID) (inbox.Done, error) {
	return s.refuse(ctx, by, meant{with: to}, s.offersBy)
}

func (s *Service) refuse(ctx context.Context, by inbox.By, what meant, find finder) (inbox.Done, error) {
	p, err := s.newest(ctx, by, what, find)
	if err != nil {
		return inbox.Done{}, err
	}
	return p.refuse()
}

// finder finds the offers that the asker may answer, in or about a game if that is not 0.
type finder func(context.Context, storage.Reader, inbox.By, storage.GameID) ([]pending, error)

// newest finds the offer meant, after looking whether the message has been
// before: then the offer is gone, and the answer is what is wanted.
func (s *Service) newest(ctx context.Context, by inbox.By, what meant, find finder) (pending, error) {
	var offers []pending
	err := s.store.View(ctx, func(r storage.Reader) error {
		again, err := inbox.Seen(r, by.Message)
		if again != nil {
			answer := func() (inbox.Done, error) { return *again, nil }
			offers = []pending{{accept: answer, refuse: answer}}
		}
		if again != nil || err != nil {
			return err
		}
		offers, err = find(ctx, r, by, what.game)
		if what.with != 0 {
			offers = slices.DeleteFunc(offers, func(p pending) bool { return p.with != what.with })
		}
		return err
	})
	if err != nil {
		return pending{}, err
	}
	if len(offers) == 0 {
		return pending{}, inbox.Refuse(inbox.NoOffer, what.game)
	}
	return slices.MaxFunc(offers, func(a, b pending) int {
		if a.open != b.open {
			return map[bool]int{true: -1, false: 1}[a.open]
		}
		return cmp.Compare(a.at.UnixNano(), b.at.UnixNano())
	}), nil
}

// offersTo are the offers that the asker may accept.
func (s *Service) offersTo(ctx context.Context, r storage.Reader, by inbox.By, id storage.GameID) ([]pending, error) {
	named, err := r.ChallengesTo(by.Person)
	if err != nil {
		return nil, err
	}
	anyone, err := r.ChallengesAt(by.Place)
	if err != nil {
		return nil, err
	}
	if id != 0 { // a challenge that is not for the asker is refused with that word
		named = []storage.GameID{id}
		anyone = nil
	}
	offers, err := s.openChallenges(ctx, r, by, named)
	if err != nil {
		return nil, err
	}
	open, err := s.openChallenges(ctx, r, by, anyone)
	if err != nil {
		return nil, err
	}
	for _, p := range open {
		p.open = true
		offers = append(offers, p)
	}
	inGames, err := s.inGames(ctx, r, by, id, func(o *storage.Offer) bool { return o.By != by.Person })
	return append(offers, inGames...), err
}

// openChallenges are those of the given numbers that are open; the asker's own only
// if it is the one he named.
func (s *Service) openChallenges(ctx context.Context, r storage.Reader, by inbox.By, ids []storage.GameID) ([]pending, error) {
	var offers []pending
	for c, err := range r.ReadChallenges(ids) {
		switch {
		case err != nil:
			return nil, err
		case c.From == by.Person && len(ids) > 1:
			continue
		}
		id := c.ID
		offers = append(offers, pending{
			at: c.At, with: c.From,
			accept: func() (inbox.Done, error) { return s.challenges.AcceptChallenge(ctx, by, id) },
			refuse: func() (inbox.Done, error) { return s.challenges.DeclineChallenge(ctx, by, id) },
		})
	}
	return offers, nil
}

// inGames are the draws and takebacks that stand in the asker's games, or in one
// of them.
func (s *Service) inGames(ctx context.Context, r storage.Reader, by inbox.By, only storage.GameID, wanted func(*storage.Offer) bool) ([]pending, error) {
	ids, err := r.Playing(by.Person)
	if err != nil {
		return nil, err
	}
	var offers []pending
	for g, err := range r.Read(ids) {
		if err != nil {
			return nil, err
		}
		id, other := g.ID, g.Players[0]
		if only != 0 && id != only {
			continue
		}
		if other == by.Person {
			other = g.Players[1]
		}
		if g.Draw != nil && wanted(g.Draw) {
			offers = append(offers, pending{
				at: g.Draw.At, with: other,
				accept: func() (inbox.Done, error) { return s.Draw(ctx, by, id) },
				refuse: func() (inbox.Done, error) { return s.withdraw(ctx, by, id, true) },
			})
		}
		if g.Takeback != nil && wanted(g.Takeback) {
			offers = append(offers, pending{
				at: g.Takeback.At, with: other,
				accept: func() (inbox.Done, error) { return s.Takeback(ctx, by, id) },
				refuse: func() (inbox.Done, error) { return s.withdraw(ctx, by, id, false) },
			})
		}
	}
	return offers, nil
}

// withdraw ends a draw offer or a request to take back: declined by the one it
// was made to, or cancelled by the one who made it.
func (s *Service) withdraw(ctx context.Context, by inbox.By, id storage.GameID, draw bool) (inbox.Done, error) {
	return s.ongoing(ctx, by, id, func(g storage.Game, _ storage.Side) (change, error) {
		o, declined, cancelled := g.Takeback, inbox.TakebackDeclined, inbox.TakebackCancelled
		if draw {
			o, declined, cancelled = g.Draw, inbox.DrawDeclined, inbox.DrawCancelled
		}
		if o == nil {
			return change{}, inbox.Refuse(inbox.NoOffer, id)
		}
		what := declined
		if o.By == by.Person {
			what = cancelled
		}
		if draw {
			g.Draw = nil
		} else {
			g.Takeback = nil
		}
		return tell(g, what, by, nil), nil
	})
}

// offersBy are the offers that the asker may cancel.
func (s *Service) offersBy(ctx context.Context, r storage.Reader, by inbox.By, id storage.GameID) ([]pending, error) {
	own, err := r.ChallengesBy(by.Person)
	if err != nil {
		return nil, err
	}
	if id != 0 {
		own = []storage.GameID{id}
	}
	var offers []pending
	for c, err := range r.ReadChallenges(own) {
		if err != nil {
			return nil, err
		}
		id := c.ID
		offers = append(offers, pending{at: c.At, with: c.To, refuse: func() (inbox.Done, error) { return s.challenges.CancelChallenge(ctx, by, id) }})
	}
	inGames, err := s.inGames(ctx, r, by, id, func(o *storage.Offer) bool { return o.By == by.Person })
	return append(offers, inGames...), err
}
