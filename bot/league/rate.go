package league

import (
	"context"
	"time"

	"chimera/bot/rating"
	"chimera/rules"
	"chimera/storage"
)

// Bounds of what counts for ratings.
const (
	MinPlies = 4 // shorter games do not count
	MaxPairs = 3 // games a day between the same two people do
)

// Why a rated game with a result counts for no rating, as Game.Void has it.
const (
	TooShort = "too short" // fewer plies than MinPlies
	TooMany  = "too many"  // the same two had MaxPairs on that day
	Annulled = "annulled"
)

// Finish does what the end of a game asks for: if it counts, both ratings change with it,
// and the leaderboards will know of it before anybody sees them again.
func Finish(w storage.Writer, was, g *storage.Game) error {
	if was.Over() || !g.Over() {
		return nil
	}
	if _, decided := scores[g.Result]; !g.Rated || !decided {
		return nil
	}
	if len(g.Moves) < MinPlies {
		g.Void = TooShort
		return nil
	}
	var both [2]storage.Career
	for side, p := range g.Players {
		var err error
		if both[side], err = w.Career(p); err != nil {
			return err
		}
	}
	first, other := storage.White, storage.Black
	if g.Players[first] > g.Players[other] {
		first, other = other, first
	}
	if both[first].Meet(g.Players[other], g.Changed) > MaxPairs {
		g.Void = TooMany
		return nil
	}
	servers, err := homes(w.Reader, g)
	if err != nil {
		return err
	}
	g.Counted = true
	g.Figures = rate(&both, g)
	for side, p := range g.Players {
		if servers[side] != 0 {
			both[side].Join(servers[side])
		}
		if err := w.PutCareer(p, both[side]); err != nil {
			return err
		}
	}
	return w.AddRated(g.ID)
}

// Enough reports whether two people have played as many rated games today as count, so that
// another that ends today would not.
func (s *League) Enough(ctx context.Context, a, b storage.PersonID) (enough bool, err error) {
	err = s.store.View(ctx, func(r storage.Reader) error {
		career, err := r.Career(min(a, b))
		enough = career.MetOn(max(a, b), s.now()) >= MaxPairs
		return err
	})
	return enough, err
}

// scores are White's points by the result of a game.
var scores = map[string]float64{ //nolint:gochecknoglobals // never written
	rules.WhiteWins.String(): 1, rules.BlackWins.String(): 0, rules.Drawn.String(): 0.5,
}

// rate changes both players' standings by a game, in its kind and overall, and returns
// what it has made of both ratings in its kind.
func rate(both *[2]storage.Career, g *storage.Game) (f storage.Figures) {
	for _, kind := range []string{g.Variant, storage.Overall} {
		var now [2]storage.Standing
		for side := range both {
			now[side] = standing(&both[side], kind)
		}
		before := now
		apply(&now, g, scores[g.Result])
		for side := range both {
			both[side].Put(kind, now[side])
			if kind == g.Variant {
				f.Ratings[side] = [2]float64{before[side].Value, now[side].Value}
				f.Spreads[side] = now[side].Deviation
			}
		}
	}
	return f
}

// standing is what a career says of a kind of game.
func standing(c *storage.Career, kind string) storage.Standing {
	if now, ok := c.Standings[kind]; ok {
		return now
	}
	return unrated()
}

func unrated() storage.Standing {
	r := rating.New()
	return storage.Standing{Value: r.Value, Deviation: r.Deviation, Volatility: r.Volatility}
}

// apply changes the standings of White and Black by a game. It depends on nothing else,
// so that ratings can be computed again from the games.
func apply(both *[2]storage.Standing, g *storage.Game, score float64) {
	since := func(s *storage.Standing) time.Duration {
		if s.At.IsZero() {
			return 0
		}
		return g.Changed.Sub(s.At)
	}
	white, black := rating.Usual().Game(ratingOf(&both[0]), ratingOf(&both[1]), since(&both[0]), since(&both[1]), score)
	for side, r := range []rating.Rating{white, black} {
		s := &both[side]
		s.Value, s.Deviation, s.Volatility, s.At = r.Value, r.Deviation, r.Volatility, g.Changed
		points := score
		if side == storage.Black {
			points = 1 - score
		}
		switch points {
		case 1:
			s.Wins++
			s.Streak++
			s.Best = max(s.Best, s.Streak)
			s.Merges += g.Merges[side]
		case 0:
			s.Losses++
			s.Streak = 0
		default:
			s.Draws++
			s.Streak = 0
		}
	}
}

func ratingOf(s *storage.Standing) rating.Rating {
	return rating.Rating{Value: s.Value, Deviation: s.Deviation, Volatility: s.Volatility}
}
