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
	return s.update(ctx, by, id, seen, s.moving(by, text))
}

// moving plays the move that a text means.
func (s *Service) moving(by event.By, text string) planner {
	return func(g storage.Game, _ storage.Side) (change, error) {
		now, err := s.Current(&g)
		if err != nil {
			return change{}, err
		}
		if g.Players[g.Turn] != by.Person {
			return change{}, event.Refuse(event.NotYourTurn, g.ID)
		}
		m, err := now.Position.Parse(text)
		if no := (*rules.Illegal)(nil); errors.As(err, &no) {
			return change{}, &Illegal{no, len(g.Moves)}
		}
		if err != nil {
			return change{}, err
		}
		c := change{game: g, done: event.Moved}
		c.game.Moves = slices.Clone(g.Moves)
		c.game.Plans[g.Turn] = nil
		if now, err = s.play(&c, now, m, by.Person, false); err != nil {
			return change{}, err
		}
		return c, s.follow(&c, now)
	}
}

// play adds a legal move to a change.
func (s *Service) play(c *change, now rules.Game, m rules.Move, by storage.PersonID, planned event.Flag) (rules.Game, error) {
	chat := now.Position.Chat(m)
	next, err := now.Play(m)
	if err != nil {
		return now, err
	}
	g := &c.game
	if g.Merged == len(g.Moves) {
		countMerge(g, now.Position, m)
	}
	g.Moves = append(g.Moves, now.Position.Variant().Coordinate(m))
	g.Before = g.FEN
	stand(g, next)
	s.positions.Add([2]string{g.Variant, g.FEN}, next.Position)
	happened := event.Event{Kind: event.Moved, Ply: len(g.Moves), By: by, Payload: event.Position{Move: chat, Planned: planned}}
	if o := next.Outcome(); o.Over() {
		Conclude(g, o)
		happened.Kind = event.Ended
	}
	c.said = append(c.said, happened)
	return next, nil
}

// countMergesAtEnd counts the merges of a game that has ended, where they were not counted with
// each move.
func (s *Games) countMergesAtEnd(g *storage.Game) error {
	if !g.Over() || g.Merged == len(g.Moves) || s.Variant(g.Variant) == nil {
		return nil
	}
	line, err := s.Replay(g)
	if err == nil {
		line.countMerges(g)
	}
	return err
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

// ends is the change that ends a game without a move.
func ends(g storage.Game, o rules.Outcome, by event.By) change {
	Conclude(&g, o)
	return tell(g, event.Ended, by, nil)
}

// Resign gives a game up at the second word; with sure, only then. It refuses what every
// change of a game in progress is refused for, and NotAsked.
func (s *Service) Resign(ctx context.Context, by event.By, id storage.GameID, sure bool) (event.Done, error) {
	return s.update(ctx, by, id, nil, func(g storage.Game, side storage.Side) (change, error) {
		if s.events.Second(g.Resign, by) {
			return ends(g, lost(side), by), nil
		}
		return s.firstWord(by, &g, &g.Resign, event.ResignAsked, sure)
	})
}

// AskResign is the first word to give a game up, however often it is said. It refuses what every
// change of a game in progress is refused for.
func (s *Service) AskResign(ctx context.Context, by event.By, id storage.GameID) (event.Done, error) {
	return s.update(ctx, by, id, nil, func(g storage.Game, _ storage.Side) (change, error) {
		return s.firstWord(by, &g, &g.Resign, event.ResignAsked, false)
	})
}

// lost is how a game ends that a side gives up.
func lost(side storage.Side) rules.Outcome {
	return rules.Outcome{Result: rules.WinFor(rules.Color(1 - side)), Ending: rules.ByResignation}
}

// aborted is how a game ends that counts for nothing.
func aborted() rules.Outcome { return rules.Outcome{Result: rules.Aborted, Ending: rules.ByAbort} }

// firstWord keeps the first word for something that ends a game, in its place there, unless the
// second was said at once.
func (s *Service) firstWord(by event.By, g *storage.Game, first **storage.Offer, asked event.Kind, sure bool) (change, error) {
	if sure {
		return change{}, event.Refuse(event.NotAsked, g.ID)
	}
	*first = s.events.Offer(by)
	return change{game: *g, done: asked}, nil
}

// Abort ends a game in which not both have moved, at the second word; with sure, only then.
// It refuses what every change of a game in progress is refused for, and TooLateToAbort,
// NotAsked.
func (s *Service) Abort(ctx context.Context, by event.By, id storage.GameID, sure bool) (event.Done, error) {
	return s.update(ctx, by, id, nil, func(g storage.Game, _ storage.Side) (change, error) {
		switch {
		case !CanAbort(&g):
			return change{}, event.Refuse(event.TooLateToAbort, id)
		case s.events.Second(g.Abort, by):
			return ends(g, aborted(), by), nil
		}
		return s.firstWord(by, &g, &g.Abort, event.AbortAsked, sure)
	})
}

// CanAbort reports whether not both players of a game have moved.
func CanAbort(g *storage.Game) bool { return len(g.Moves) < 2 }

// PlayOn takes back the asker's first word to resign, to abort or to draw. It refuses what every
// change of a game in progress is refused for, and NotAsked.
func (s *Service) PlayOn(ctx context.Context, by event.By, id storage.GameID) (event.Done, error) {
	return s.update(ctx, by, id, nil, func(g storage.Game, _ storage.Side) (change, error) {
		asked := false
		for _, first := range []**storage.Offer{&g.Resign, &g.Abort, &g.DrawAsk} {
			if *first != nil && (*first).By == by.Person {
				*first, asked = nil, true
			}
		}
		if !asked {
			return change{}, event.Refuse(event.NotAsked, g.ID)
		}
		return change{game: g, done: event.PlaysOn}, nil
	})
}

// Claim ends a game as won by the asker, where the opponent's time is up, or else as
// the draw that its repetitions or its move count allow. Either player may claim a
// draw. It refuses what every change of a game in progress is refused for, and
// NothingToClaim.
func (s *Service) Claim(ctx context.Context, by event.By, id storage.GameID) (event.Done, error) {
	return s.update(ctx, by, id, nil, s.claiming(by))
}

func (s *Service) claiming(by event.By) planner {
	return func(g storage.Game, _ storage.Side) (change, error) {
		now, err := s.Current(&g)
		if err != nil {
			return change{}, err
		}
		o, ok := Claimable(&g, now, by.Person)
		if !ok {
			return change{}, event.Refuse(event.NothingToClaim, g.ID)
		}
		return ends(g, o, by), nil
	}
}

// Claimable is how a player may end a game that they have the right to end: as won, where the
// opponent's time is up, else as drawn; false if there is nothing to claim.
func Claimable(g *storage.Game, now rules.Game, by storage.PersonID) (rules.Outcome, bool) {
	if g.Clock.Up && g.Players[g.Turn] != by {
		return onTime(g, now.Position), true
	}
	return now.Claim()
}

// AddTime gives the opponent so many days, for this move if it is their turn, else for
// a later one. It refuses what every change of a game in progress is refused for, and
// NoLimit, TooLong.
func (s *Service) AddTime(ctx context.Context, by event.By, id storage.GameID, days int) (event.Done, error) {
	return s.update(ctx, by, id, nil, func(g storage.Game, side storage.Side) (change, error) {
		bank := &g.Clock.Bank[1-side]
		*bank += time.Duration(days) * Day
		switch {
		case g.Pace.Move == 0:
			return change{}, event.Refuse(event.NoLimit, id)
		case *bank > MaxBank:
			return change{}, event.Refuse(event.TooLong, id)
		}
		return tell(g, event.TimeAdded, by, event.Time{Days: days}), nil
	})
}
