package match

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"chimera/bot/event"
	"chimera/bot/rating"
	"chimera/rules"
	"chimera/storage"
)

// Illegal is a move that the rules do not allow.
type Illegal struct {
	*rules.Illegal
	Ply int // at which it was tried
}

// Unwrap is what the rules say.
func (e *Illegal) Unwrap() error { return e.Illegal }

// Move plays the move that a text means, and what conditions then ask for; seen is the game as
// it was read for the asker just now, or nil. It refuses what every change of a game in progress
// is refused for, and NotYourTurn; a move that the rules do not allow is a [*Illegal].
func (s *Service) Move(ctx context.Context, by event.By, id storage.GameID, text string, seen *storage.Game) (event.Done, error) {
	return s.update(ctx, by, id, seen, func(c *change) error { return s.move(c, text) })
}

func (s *Service) move(c *change, text string) error {
	now, err := s.Current(&c.Game)
	if err != nil {
		return err
	}
	if c.side != c.Turn {
		return c.refuse(event.NotYourTurn)
	}
	m, err := now.Position.Parse(text)
	if no := (*rules.Illegal)(nil); errors.As(err, &no) {
		return &Illegal{no, len(c.Moves)}
	}
	c.Moves, c.Plans[c.side] = slices.Clone(c.Moves), nil
	for planned := event.Flag(false); err == nil; planned = true {
		if now, err = s.play(c, now, m, planned); err != nil || c.Over() {
			break
		}
		answer := c.foreseen()
		if answer == "" {
			break
		}
		m, err = now.Position.ParseCoordinate(answer)
	}
	c.done = event.Moved
	return err
}

// play adds a legal move to a change.
func (s *Service) play(c *change, now rules.Game, m rules.Move, planned event.Flag) (rules.Game, error) {
	next, err := now.Play(m)
	if err != nil {
		return now, err
	}
	happened := event.Event{
		Kind: event.Moved, Ply: len(c.Moves) + 1, By: c.Players[c.Turn], Payload: event.Position{Move: now.Position.Chat(m), Planned: planned},
	}
	if c.Merged == len(c.Moves) {
		countMerge(&c.Game, now.Position, m)
	}
	c.Moves = append(c.Moves, now.Position.Variant().Coordinate(m))
	c.Before = c.FEN
	stand(&c.Game, next)
	s.positions.Add([2]string{c.Variant, c.FEN}, next.Position)
	if o := next.Outcome(); o.Over() {
		Conclude(&c.Game, o)
		happened.Kind = event.Ended
	}
	c.said = append(c.said, happened)
	return next, nil
}

// countMerges counts the pieces that each side of a game has made that are more than
// one was.
func (l *Replayed) countMerges(g *storage.Game) {
	g.Merges, g.Made, g.Merged = [2]int{}, [2]map[string]int{}, 0
	for i, m := range l.Moves {
		countMerge(g, l.Games[i].Position, m)
	}
}

// countMerge counts those of the next move.
func countMerge(g *storage.Game, pos *rules.Position, m rules.Move) {
	side := SideToMove(pos)
	for _, e := range rules.Made(m, pos.Effects(m)) {
		g.Merges[side]++
		if g.Made[side] = maps.Clone(g.Made[side]); g.Made[side] == nil {
			g.Made[side] = map[string]int{}
		}
		g.Made[side][rating.SignOf(pos.Variant().Table, e.Into)]++
	}
	g.Merged++
}

// Restore brings what is stored of a game for speed to what its moves say; no offer is open
// then.
func (l *Replayed) Restore(g *storage.Game) {
	g.Before = ""
	if last := len(l.Moves) - 1; last >= 0 {
		g.Before = l.Games[last].Position.FEN()
	}
	stand(g, l.End())
	l.countMerges(g)
}

// stand brings a stored game to a position, in which no offer is open.
func stand(g *storage.Game, now rules.Game) {
	g.Hinted = 0
	g.FEN, g.Past, g.Turn = now.Position.FEN(), now.Past, SideToMove(now.Position)
	closeOffers(g)
}

// closeOffers ends what the players have asked of each other, and of themselves.
func closeOffers(g *storage.Game) {
	g.Draw, g.Takeback, g.Resign, g.Abort, g.DrawAsk = nil, nil, nil, nil, nil
}

// Conclude ends a game.
func Conclude(g *storage.Game, o rules.Outcome) {
	g.Result, g.Ending = o.Result.String(), string(o.Ending)
	closeOffers(g)
	g.Plans = [2][]storage.Line{}
}

// Resign gives a game up at the second word; with sure, only then. It refuses what every
// change of a game in progress is refused for, and NotAsked.
func (s *Service) Resign(ctx context.Context, by event.By, id storage.GameID, sure bool) (event.Done, error) {
	return s.update(ctx, by, id, nil, func(c *change) error {
		if s.events.Second(c.Resign, by) {
			return c.end(lost(c.side), nil)
		}
		return s.firstWord(c, &c.Resign, event.ResignAsked, sure)
	})
}

// AskResign is the first word to give a game up, however often it is said. It refuses what every
// change of a game in progress is refused for.
func (s *Service) AskResign(ctx context.Context, by event.By, id storage.GameID) (event.Done, error) {
	return s.update(ctx, by, id, nil, func(c *change) error { return s.firstWord(c, &c.Resign, event.ResignAsked, false) })
}

// lost is how a game ends that a side gives up.
func lost(side storage.Side) rules.Outcome {
	return rules.Outcome{Result: rules.WinFor(rules.Color(1 - side)), Ending: rules.ByResignation}
}

// aborted is how a game ends that counts for nothing.
func aborted() rules.Outcome { return rules.Outcome{Result: rules.Aborted, Ending: rules.ByAbort} }

// firstWord keeps the first word for something that ends a game, in its place there, unless the
// second was said at once.
func (s *Service) firstWord(c *change, first **storage.Offer, asked event.Kind, sure bool) error {
	if sure {
		return c.refuse(event.NotAsked)
	}
	*first, c.done = s.events.Offer(c.by), asked
	return nil
}

// Abort ends a game in which not both have moved, at the second word; with sure, only then.
// It refuses what every change of a game in progress is refused for, and InSeason,
// TooLateToAbort, NotAsked.
func (s *Service) Abort(ctx context.Context, by event.By, id storage.GameID, sure bool) (event.Done, error) {
	return s.update(ctx, by, id, nil, func(c *change) error {
		switch {
		case c.Season != 0:
			return c.refuse(event.InSeason)
		case !CanAbort(&c.Game):
			return c.refuse(event.TooLateToAbort)
		case s.events.Second(c.Abort, by):
			return c.end(aborted(), nil)
		}
		return s.firstWord(c, &c.Abort, event.AbortAsked, sure)
	})
}

// CanAbort reports whether not both players of a game have moved, and it is of no season.
func CanAbort(g *storage.Game) bool { return len(g.Moves) < 2 && g.Season == 0 }

// PlayOn takes back the asker's first word to resign, to abort or to draw. It refuses what every
// change of a game in progress is refused for, and NotAsked.
func (s *Service) PlayOn(ctx context.Context, by event.By, id storage.GameID) (event.Done, error) {
	return s.update(ctx, by, id, nil, func(c *change) error {
		for _, first := range []**storage.Offer{&c.Resign, &c.Abort, &c.DrawAsk} {
			if *first != nil && (*first).By == by.Person {
				*first, c.done = nil, event.PlaysOn
			}
		}
		if c.done == "" {
			return c.refuse(event.NotAsked)
		}
		return nil
	})
}

// Claim ends a game as won by the asker, where the opponent's time is up, or else as
// the draw that its repetitions or its move count allow. Either player may claim a
// draw. It refuses what every change of a game in progress is refused for, and
// NothingToClaim.
func (s *Service) Claim(ctx context.Context, by event.By, id storage.GameID) (event.Done, error) {
	return s.update(ctx, by, id, nil, s.claim)
}

func (s *Service) claim(c *change) error {
	now, err := s.Current(&c.Game)
	if err != nil {
		return err
	}
	if o, ok := Claimable(&c.Game, now, c.by.Person); ok {
		return c.end(o, nil)
	}
	return c.refuse(event.NothingToClaim)
}

// Claimable is how a player may end a game that they have the right to end: as won, where the
// opponent's time is up, else as drawn; false if there is nothing to claim.
func Claimable(g *storage.Game, now rules.Game, by storage.PersonID) (rules.Outcome, bool) {
	if g.Clock.Up && g.Players[g.Turn] != by {
		return onTime(g, now.Position), true
	}
	return now.Claim()
}

// AddTime gives the opponent a number of days, for this move if it is their turn, else for
// a later one. It refuses what every change of a game in progress is refused for, and
// InSeason, NoLimit, TooLong.
func (s *Service) AddTime(ctx context.Context, by event.By, id storage.GameID, days int) (event.Done, error) {
	return s.update(ctx, by, id, nil, func(c *change) error {
		bank := &c.Clock.Bank[1-c.side]
		*bank += time.Duration(days) * Day
		switch {
		case c.Season != 0:
			return c.refuse(event.InSeason)
		case c.Pace.Unlimited():
			return c.refuse(event.NoLimit)
		case *bank > MaxBank:
			return c.refuse(event.TooLong)
		}
		return c.tell(event.TimeAdded, event.Time{Days: days})
	})
}
