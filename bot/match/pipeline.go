// Package match is the life of a match: challenge, moves, offers, and the end. It alone
// plays moves in games that are stored.
//
// # Design
//
// Each request becomes one transaction. The rules are tried before it, on what
// was read; inside it only the game's revision is compared, and the request is
// tried again if somebody else was faster. The transaction writes the game with
// its indexes, an outbox entry for each thing that must be said, and the answer
// that the message was given, so that a message that comes again changes nothing
// and gets the same answer.
//
// An entry holds facts (who, which game, which ply), no words.
package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

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

	// Contest is told of the end of each game that is played for something, in its transaction, and
	// MayClimb refuses challenges that a ladder does not allow; set before anything is played for something.
	Contest  func(storage.Writer, *storage.Game) error
	MayClimb func(storage.Reader, *storage.Challenge) error
}

// New makes a Service over a store for the given games, whose results go to the ratings. now is
// the wall clock; coin is tossed for colours.
func New(store *storage.Store, in *event.Log, l *rating.Service, variants []*rules.Variant, now func() time.Time, coin func() bool) *Service {
	positions, _ := lru.New[[2]string, *rules.Position](keptPositions) // no size is below one
	scores, _ := lru.New[storage.GameID, score](keptScores)
	return &Service{Games: &Games{store, l, variants, positions, scores, now}, events: in, coin: coin}
}

// maxTries bounds how often a request is tried again after somebody else changed
// the game first.
const maxTries = 8

var errOvertaken = errors.New("match: the game has changed meanwhile")

// change is a game that is being changed, as it shall be.
type change struct {
	storage.Game
	by   event.By      // who asks for it
	side storage.Side  // theirs
	done event.Kind    // what they are answered
	said []event.Event // what everyone is told
}

// tell answers the asker with one thing, which everyone is told.
func (c *change) tell(what event.Kind, payload any) error {
	c.done = what
	c.said = append(c.said, event.Event{Kind: what, Ply: len(c.Moves), By: c.by.Person, Payload: payload})
	return nil
}

// end ends the game without a move.
func (c *change) end(o rules.Outcome, payload any) error {
	Conclude(&c.Game, o)
	return c.tell(event.Ended, payload)
}

func (c *change) refuse(why event.Why) error { return event.Refuse(why, c.ID) }

// update carries a request out on a game in progress, in three steps: it loads the game, unless
// that was seen just now, tries what plan does to it, and commits what comes of that. It refuses
// NoSuchGame, Damaged, Aborted, NotPlaying and Over, as every change of a game in progress does.
func (s *Service) update(ctx context.Context, by event.By, id storage.GameID, seen *storage.Game, plan func(*change) error) (event.Done, error) {
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
		if done, err := s.try(ctx, by, game, plan); !errors.Is(err, errOvertaken) {
			return done, err
		}
	}
	return event.Done{}, fmt.Errorf("match: game %d changes too fast: %w", id, errOvertaken)
}

// try carries a request out on a game as read, unless it has changed since.
func (s *Service) try(ctx context.Context, by event.By, was storage.Game, plan func(*change) error) (event.Done, error) {
	c := &change{Game: was, by: by}
	var plays bool
	switch c.side, plays = was.SideOf(by.Person); {
	case !plays:
		return event.Done{}, c.refuse(event.NotPlaying)
	case was.Over():
		return event.Done{}, c.refuse(event.Over)
	}
	if err := plan(c); err != nil {
		return event.Done{}, err
	}
	c.Changed = s.now()
	if len(c.Moves) != len(was.Moves) {
		c.Turned = c.Changed
	}
	done := event.Done{Kind: c.done, Game: was.ID}
	err := s.store.Update(ctx, func(w storage.Writer) error {
		switch now, err := w.Revision(was.ID); {
		case err != nil:
			return err
		case now != was.Revision:
			return errOvertaken
		}
		g := c.Game
		if err := s.write(w, by, &was, &g, c.said...); err != nil {
			return err
		}
		done.After = &g
		return s.events.Remember(w, by.Message, done, "")
	})
	if err != nil {
		return done, err
	}
	mover := was.Turn
	computer, level := was.Computer()
	for range len(c.Moves) - len(was.Moves) {
		s.Metrics.Move(was.Variant, level > 0 && mover == computer)
		mover = 1 - mover
	}
	return done, nil
}

// write stores a game that has changed: with where it is played and its time, with what its end
// makes of ratings, and with what is told of it.
func (s *Service) write(w storage.Writer, by event.By, was, g *storage.Game, told ...event.Event) error {
	if g.Over() && g.Merged != len(g.Moves) && s.Variant(g.Variant) != nil { // not counted with each move
		line, err := s.Replay(g)
		if err != nil {
			return err
		}
		line.countMerges(g)
	}
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
	if !was.Over() {
		g.Listed = g.Over() && g.Gathers()
	}
	err := errors.Join(s.keepTime(w.Reader, was, g, &mover), s.ratings.Finish(w, was, g), noteBeaten(w, was, g), w.Games().Replace(was, g))
	for _, said := range told {
		err = errors.Join(err, s.events.Post(w, g, said))
	}
	if s.Contest != nil && g.Contested() && !was.Over() && g.Over() && err == nil {
		err = s.Contest(w, g)
	}
	return errors.Join(err, s.backWithAMove(w, mover))
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

// Forfeit ends a game in progress because a player leaves it for good.
func (s *Service) Forfeit(w storage.Writer, g storage.Game, p storage.PersonID) error {
	o := aborted()
	if side, ok := g.SideOf(p); ok && !CanAbort(&g) {
		o = lost(side)
	}
	return s.endNow(w, g, o, p)
}

// CutOff ends a game in progress because its season is over: it is lost by the side to move if they
// were reminded of their turn, else drawn and unrated.
func (s *Service) CutOff(w storage.Writer, g storage.Game) error {
	o := rules.Outcome{Result: rules.Drawn, Ending: rules.ByTime}
	if g.Clock.Reminded.IsZero() {
		g.Rated = false
	} else {
		now, err := s.Current(&g)
		if err != nil {
			return err
		}
		o = onTime(&g, now.Position)
	}
	return s.endNow(w, g, o, g.Players[1-g.Turn])
}

// endNow ends a game within a transaction.
func (s *Service) endNow(w storage.Writer, g storage.Game, o rules.Outcome, by storage.PersonID) error {
	was := g
	Conclude(&g, o)
	g.Changed = s.now()
	return s.write(w, event.By{}, &was, &g, event.Event{Kind: event.Ended, Ply: len(g.Moves), By: by})
}

// onTime is how a game ends in which the time of the player to move is up: lost, but
// drawn against a bare king, and aborted where they have never moved in a game that is played for nothing.
func onTime(g *storage.Game, pos *rules.Position) rules.Outcome {
	winner := pos.Turn().Other()
	switch {
	case CanAbort(g):
		return rules.Outcome{Result: rules.Aborted, Ending: rules.ByTime}
	case bare(pos, winner):
		return rules.Outcome{Result: rules.Drawn, Ending: rules.ByTime}
	}
	return rules.Outcome{Result: rules.WinFor(winner), Ending: rules.ByTime}
}

// bare reports whether a side has nothing but its king.
func bare(pos *rules.Position, c rules.Color) bool {
	board, v := pos.Board(), pos.Variant()
	for sq := range v.Shape.Squares.Squares() {
		if half := board[sq].Half(c); half != rules.NoRole && !v.Table[half].Royal {
			return false
		}
	}
	return true
}
