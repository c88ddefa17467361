package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"chimera/bot/event"
	"chimera/bot/metrics"
	"chimera/bot/rating"
	"chimera/rules"
	"chimera/storage"
)

// Service carries out what people ask for in their games. It is safe for concurrent use.
type Service struct {
	*Games
	events   *event.Log
	coin     func() bool  // tossed for colours
	furthest atomic.Int64 // the latest moment of the running clock that was used, in Unix seconds

	Metrics *metrics.Metrics // is told of moves; set before anything is played, or nil
}

// New makes a Service over a store for the given games, whose results go to the ratings. now is
// the wall clock; coin is tossed for colours.
func New(store *storage.Store, in *event.Log, l *rating.Service, variants []*rules.Variant, now func() time.Time, coin func() bool) *Service {
	games := &Games{store: store, ratings: l, variants: variants, positions: newCache[[2]string, *rules.Position](keptPositions), scores: newCache[storage.GameID, score](keptScores), now: now}
	return &Service{Games: games, events: in, coin: coin}
}

// maxTries bounds how often a request is tried again after somebody else changed
// the game first.
const maxTries = 8

var errOvertaken = errors.New("match: the game has changed meanwhile")

// change is what a request does to a game: the game as it shall be, what the asker
// is answered, and what is said to everyone.
type change struct {
	game storage.Game
	done event.Kind
	said []event.Event
}

// tell makes a change that is answered with, and told as, one thing.
func tell(g storage.Game, what event.Kind, by event.By, payload any) change {
	return change{g, what, []event.Event{{Kind: what, Ply: len(g.Moves), By: by.Person, Payload: payload}}}
}

// planner is what a request wants done to a game as read, in which the asker plays that side.
type planner func(storage.Game, storage.Side) (change, error)

// update carries a request out on a game in progress, in three steps: it loads the game, unless
// that was seen just now, tries what is wanted, and commits what comes of it. It refuses
// NoSuchGame, Damaged, Aborted, NotPlaying and Over, as every change of a game in progress does.
func (s *Service) update(ctx context.Context, by event.By, id storage.GameID, seen *storage.Game, plan planner) (event.Done, error) {
	if seen != nil && seen.ID == id {
		if done, err := s.try(ctx, by, *seen, plan); err == nil || errors.Is(err, storage.ErrNotSaved) {
			return done, err
		}
	} // else as it is by now: the refusal may have been due to an old reading
	for range maxTries {
		var again *event.Done
		game, err := storage.Read(ctx, s.store, func(r storage.Reader) (g storage.Game, err error) {
			if again, _, err = event.Before(r, by.Message); again != nil || err != nil {
				return g, err
			}
			return event.Named(r, id)
		})
		switch {
		case err != nil:
			return event.Done{}, err
		case again != nil:
			return *again, nil
		}
		done, err := s.try(ctx, by, game, plan)
		if !errors.Is(err, errOvertaken) {
			return done, err
		}
	}
	return event.Done{}, fmt.Errorf("match: game %d changes too fast: %w", id, errOvertaken)
}

// try carries a request out on a game as read.
func (s *Service) try(ctx context.Context, by event.By, game storage.Game, plan planner) (event.Done, error) {
	side, plays := game.SideOf(by.Person)
	switch {
	case !plays:
		return event.Done{}, event.Refuse(event.NotPlaying, game.ID)
	case game.Over():
		return event.Done{}, event.Refuse(event.Over, game.ID)
	}
	c, err := plan(game, side)
	if err != nil {
		return event.Done{}, err
	}
	return s.commit(ctx, by, &game, c)
}

// commit stores what has become of a game as read, and returns it, unless it has changed since.
func (s *Service) commit(ctx context.Context, by event.By, was *storage.Game, c change) (event.Done, error) {
	c.game.Changed = s.now()
	if len(c.game.Moves) != len(was.Moves) {
		c.game.Turned = c.game.Changed
	}
	if err := s.countMergesAtEnd(&c.game); err != nil {
		return event.Done{}, err
	}
	done := event.Done{Kind: c.done, Game: was.ID}
	err := s.store.Update(ctx, func(w storage.Writer) error {
		switch now, err := w.Revision(was.ID); {
		case err != nil:
			return err
		case now != was.Revision:
			return errOvertaken
		}
		g := c.game
		if err := s.write(w, by, was, &g, c.said...); err != nil {
			return err
		}
		done.After = &g
		return s.events.Remember(w, by.Message, done, "")
	})
	if err == nil {
		s.count(was, &c.game)
	}
	return done, err
}

// write stores a game that has changed: with where it is played and its time, with what its end
// makes of ratings, and with what is told of it.
func (s *Service) write(w storage.Writer, by event.By, was, g *storage.Game, told ...event.Event) error {
	var mover storage.Person // who has played a move, if anybody has
	if len(g.Moves) > len(was.Moves) {
		var err error
		if mover, err = w.People().Get(by.Person); err == nil {
			err = playHere(w.Reader, g, by, &mover)
		}
		if err != nil {
			return err
		}
	}
	if err := s.keepTime(w.Reader, was, g, &mover); err != nil {
		return err
	}
	if err := s.ratings.Finish(w, was, g); err != nil {
		return err
	}
	if err := noteBeaten(w, was, g); err != nil {
		return err
	}
	if err := w.Games().Replace(was, g); err != nil {
		return err
	}
	for _, said := range told {
		if err := s.events.Post(w, g, said); err != nil {
			return err
		}
	}
	return s.backWithAMove(w, mover)
}

// playHere lets somebody play a game where they are, who has played it on another platform, if
// that is a place of the game or one that they alone see. Who plays on a page is told of the game
// where they were.
func playHere(r storage.Reader, g *storage.Game, by event.By, me *storage.Person) error {
	side, ok := g.SideOf(by.Person)
	if !ok || by.Outside || by.Place == g.Seat(side) || me.Home != by.Place && !slices.Contains(g.Places(), by.Place) {
		return nil
	}
	here, err := r.Places().Get(by.Place)
	if errors.Is(err, storage.ErrNotFound) {
		return nil
	}
	before, err2 := r.Places().Get(g.Seat(side))
	if err = cmp.Or(err, err2); err != nil || here.Address.Platform == before.Address.Platform {
		return err
	}
	if g.Seats[side] = here.ID; here.ID == g.Place {
		g.Seats[side] = 0
	}
	return nil
}

// count counts the moves by which a game has changed.
func (s *Service) count(was, now *storage.Game) {
	computer, level := now.Computer()
	side := was.Turn
	for range len(now.Moves) - len(was.Moves) {
		s.Metrics.Move(now.Variant, level > 0 && side == computer)
		side = 1 - side
	}
}
