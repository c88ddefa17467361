package match

import (
	"context"
	"slices"
	"time"

	"chimera/rules"
	"chimera/storage"
)

// SecondWord is how long the first of two words (to resign, to abort) counts.
const SecondWord = 2 * time.Minute

// load is a stored game as the rules know it.
func (s *Service) load(g *storage.Game) (rules.Game, error) {
	v := s.Variant(g.Variant)
	if v == nil {
		return rules.Game{}, &Refusal{NoSuchVariant, g.ID}
	}
	pos, err := v.Position(g.FEN)
	return rules.Game{Position: pos, Past: g.Past}, err
}

// toMove is the side to move: games may begin with Black.
func toMove(pos *rules.Position) storage.Side { return storage.Side(pos.Turn()) }

// Move plays the move that a text means. A move that is refused by the rules is
// an [*rules.Illegal].
func (s *Service) Move(ctx context.Context, by By, id storage.GameID, text string) (Done, error) {
	return s.inGame(ctx, by, id, func(g storage.Game) (change, error) {
		if g.Over() {
			return change{}, &Refusal{Over, id}
		}
		now, err := s.load(&g)
		if err != nil {
			return change{}, err
		}
		if g.Players[toMove(now.Position)] != by.Person {
			return change{}, &Refusal{NotYourTurn, id}
		}
		m, err := now.Position.Parse(text)
		if err != nil {
			return change{}, err
		}
		chat := now.Position.Chat(m)
		next, err := now.Play(m)
		if err != nil {
			return change{}, err
		}
		g.Moves = append(slices.Clone(g.Moves), now.Position.Variant().Coordinate(m))
		g.Before = g.FEN
		stand(&g, next)
		c := change{game: g, what: Moved, facts: map[string]string{FactMove: chat}}
		if o := next.Outcome(); o.Over() {
			end(&c, o)
		}
		return c, nil
	})
}

// stand brings a stored game to a position, in which no offer is open.
func stand(g *storage.Game, now rules.Game) {
	g.FEN, g.Past = now.Position.FEN(), now.Past
	g.Draw, g.Takeback, g.Resign, g.Abort = nil, nil, nil, nil
}

func end(c *change, o rules.Outcome) {
	c.what = Ended
	c.game.Result, c.game.Ending = o.Result.String(), string(o.Ending)
	c.game.Draw, c.game.Takeback, c.game.Resign, c.game.Abort = nil, nil, nil, nil
}

// ongoing is inGame for a game that has not ended.
func (s *Service) ongoing(ctx context.Context, by By, id storage.GameID, plan func(storage.Game) (change, error)) (Done, error) {
	return s.inGame(ctx, by, id, func(g storage.Game) (change, error) {
		if g.Over() {
			return change{}, &Refusal{Over, id}
		}
		return plan(g)
	})
}

// Resign gives a game up: at the second word, or at once if sure.
func (s *Service) Resign(ctx context.Context, by By, id storage.GameID, sure bool) (Done, error) {
	return s.ongoing(ctx, by, id, func(g storage.Game) (change, error) {
		c := change{game: g}
		if !sure && !s.second(g.Resign, by) {
			c.game.Resign, c.what, c.quiet = s.offer(by), ResignAsked, true
			return c, nil
		}
		side, _ := g.SideOf(by.Person)
		end(&c, rules.Outcome{Result: rules.WinFor(rules.Color(1 - side)), Ending: rules.ByResignation})
		return c, nil
	})
}

// Abort ends a game in which not both have moved: at the second word, or at once
// if sure.
func (s *Service) Abort(ctx context.Context, by By, id storage.GameID, sure bool) (Done, error) {
	return s.ongoing(ctx, by, id, func(g storage.Game) (change, error) {
		if len(g.Moves) >= 2 {
			return change{}, &Refusal{TooLateToAbort, id}
		}
		c := change{game: g}
		if !sure && !s.second(g.Abort, by) {
			c.game.Abort, c.what, c.quiet = s.offer(by), AbortAsked, true
			return c, nil
		}
		end(&c, rules.Outcome{Result: rules.Aborted, Ending: rules.ByAbort})
		return c, nil
	})
}

func (s *Service) offer(by By) *storage.Offer { return &storage.Offer{By: by.Person, At: s.now()} }

// second reports whether the first word was this person's, and not long ago.
func (s *Service) second(first *storage.Offer, by By) bool {
	return first != nil && first.By == by.Person && s.now().Sub(first.At) <= SecondWord
}

// Claim ends a game as the draw that its repetitions or its move count allow.
// Either player may claim.
func (s *Service) Claim(ctx context.Context, by By, id storage.GameID) (Done, error) {
	return s.ongoing(ctx, by, id, func(g storage.Game) (change, error) {
		now, err := s.load(&g)
		if err != nil {
			return change{}, err
		}
		o, ok := now.Claim()
		if !ok {
			return change{}, &Refusal{NothingToClaim, id}
		}
		c := change{game: g}
		end(&c, o)
		return c, nil
	})
}
