package match

import (
	"context"
	"errors"

	"chimera/rules"
	"chimera/storage"
)

// MaxChallenges is how many challenges a person may have open.
const MaxChallenges = 20

// Terms are what a challenge proposes.
type Terms struct {
	To      storage.PersonID // 0: whoever comes first
	Variant string
	Color   string // of the challenger: "white", "black" or "random"
	Rated   bool
}

// Challenge offers a game.
func (s *Service) Challenge(ctx context.Context, by By, terms Terms) (Done, error) {
	switch {
	case s.Variant(terms.Variant) == nil:
		return Done{}, &Refusal{Why: NoSuchVariant}
	case terms.To == by.Person:
		return Done{}, &Refusal{Why: WithYourself}
	}
	return s.once(ctx, by, func(w storage.Writer) (Done, error) {
		open, err := w.ChallengesBy(by.Person)
		if err != nil {
			return Done{}, err
		}
		if len(open) >= MaxChallenges {
			return Done{}, &Refusal{Why: TooManyChallenges}
		}
		id, err := w.NewGameID()
		if err != nil {
			return Done{}, err
		}
		c := storage.Challenge{
			ID: id, From: by.Person, To: terms.To, Variant: terms.Variant,
			Color: terms.Color, Rated: terms.Rated, Place: by.Place, At: s.now(),
		}
		if err := w.PutChallenge(c); err != nil {
			return Done{}, err
		}
		return Done{Challenged, id}, w.Post(s.said(by, c, Challenged))
	})
}

// said is the outbox entry about a challenge.
func (s *Service) said(by By, c storage.Challenge, what What) storage.Entry {
	return storage.Entry{Place: c.Place, Game: c.ID, At: s.now(), Kind: string(what), By: by.Person}
}

// AcceptChallenge makes a game of a challenge to the asker, or to anyone.
func (s *Service) AcceptChallenge(ctx context.Context, by By, id storage.GameID) (Done, error) {
	heads := s.coin()
	return s.answerChallenge(ctx, by, id, func(w storage.Writer, c storage.Challenge) (Done, error) {
		switch {
		case c.From == by.Person:
			return Done{}, &Refusal{OwnChallenge, id}
		case c.To != 0 && c.To != by.Person:
			return Done{}, &Refusal{NotForYou, id}
		}
		g, err := s.begin(c, by.Person, heads)
		if err != nil {
			return Done{}, err
		}
		if err := w.PutGame(g); err != nil {
			return Done{}, err
		}
		return Done{Began, id}, w.Post(s.said(by, c, Began))
	})
}

// begin is the game that a challenge becomes.
func (s *Service) begin(c storage.Challenge, opponent storage.PersonID, heads bool) (storage.Game, error) {
	v := s.Variant(c.Variant)
	if v == nil {
		return storage.Game{}, &Refusal{NoSuchVariant, c.ID}
	}
	pos, err := v.Position("")
	if err != nil {
		return storage.Game{}, err
	}
	g := storage.Game{
		ID: c.ID, Variant: c.Variant, Players: [2]storage.PersonID{c.From, opponent}, Rated: c.Rated,
		Place: c.Place, Began: s.now(), Changed: s.now(), FEN: pos.FEN(), Result: rules.Unfinished.String(),
	}
	if c.Color == "black" || c.Color == "random" && heads {
		g.Players[storage.White], g.Players[storage.Black] = opponent, c.From
	}
	return g, nil
}

// DeclineChallenge ends a challenge to the asker.
func (s *Service) DeclineChallenge(ctx context.Context, by By, id storage.GameID) (Done, error) {
	return s.answerChallenge(ctx, by, id, func(w storage.Writer, c storage.Challenge) (Done, error) {
		if c.To != by.Person {
			return Done{}, &Refusal{NotForYou, id}
		}
		return Done{Declined, id}, w.Post(s.said(by, c, Declined))
	})
}

// CancelChallenge takes the asker's own challenge back.
func (s *Service) CancelChallenge(ctx context.Context, by By, id storage.GameID) (Done, error) {
	return s.answerChallenge(ctx, by, id, func(w storage.Writer, c storage.Challenge) (Done, error) {
		if c.From != by.Person {
			return Done{}, &Refusal{NotYourChallenge, id}
		}
		return Done{Cancelled, id}, w.Post(s.said(by, c, Cancelled))
	})
}

// answerChallenge carries an answer out and removes the challenge.
func (s *Service) answerChallenge(ctx context.Context, by By, id storage.GameID,
	answer func(storage.Writer, storage.Challenge) (Done, error),
) (Done, error) {
	return s.once(ctx, by, func(w storage.Writer) (Done, error) {
		c, err := w.Challenge(id)
		switch {
		case errors.Is(err, storage.ErrNotFound):
			return Done{}, &Refusal{NoSuchChallenge, id}
		case err != nil:
			return Done{}, err
		}
		done, err := answer(w, c)
		if err != nil {
			return Done{}, err
		}
		return done, w.DeleteChallenge(c)
	})
}
