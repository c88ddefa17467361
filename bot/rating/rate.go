package rating

import (
	"context"
	"errors"
	"runtime"
	"time"

	"chimera/rules"
	"chimera/storage"
)

// Bounds of what counts for ratings.
const (
	MinPlies = 10 // shorter games do not count
	MaxPairs = 3  // games a day between the same two people do
)

// Why a rated game with a result counts for no rating, as Game.Void has it.
const (
	TooShort = "too short" // fewer plies than MinPlies
	TooMany  = "too many"  // the same two had MaxPairs on that day
	Annulled = "annulled"
)

// Finish does what the end of a game asks for: if it counts, both ratings change with it,
// and the log of results gets it with the game. It ends a nanosecond after its players'
// last, at least.
func (l *Service) Finish(w storage.Writer, was, g *storage.Game) error {
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
	var both [2]storage.Standings
	for side, p := range g.Players {
		var err error
		if both[side], err = w.Standings(p); err != nil {
			return err
		}
		if last := both[side].Standings[storage.Overall].At; !g.Changed.After(last) {
			g.Changed = last.Add(1)
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
	servers, err := w.Homes(g)
	if err != nil {
		return err
	}
	g.Counted, g.Servers = true, servers
	g.Figures = rate(&both, storage.ResultOf(g))
	for side, p := range g.Players {
		if servers[side] != 0 {
			both[side].Join(servers[side])
		}
		err = errors.Join(err, w.PutStandings(p, both[side]))
	}
	return errors.Join(err, l.noticeLate(w, g.Changed))
}

// noticeLate lets all that was made of the log be made anew if a result comes before what was
// read long ago, because a clock was set back.
func (l *Service) noticeLate(w storage.Writer, at time.Time) error {
	if at.UnixNano() >= l.latest.Load()-int64(late) {
		return nil
	}
	job, wanted, err := w.Recount()
	if wanted && err == nil {
		job.Round++
		err = w.PutRecount(job)
	}
	return errors.Join(err, w.RemakeBoards())
}

// Enough reports whether two people have played as many rated games today as count, so that
// another that ends today would not.
func (l *Service) Enough(ctx context.Context, a, b storage.PersonID) (bool, error) {
	return storage.Read(ctx, l.store, func(r storage.Reader) (bool, error) {
		career, err := r.Standings(min(a, b))
		return career.MetOn(max(a, b), l.now()) >= MaxPairs, err
	})
}

// scores are White's points by the result of a game.
var scores = map[string]float64{ //nolint:gochecknoglobals // never written
	rules.WhiteWins.String(): 1, rules.BlackWins.String(): 0, rules.Drawn.String(): 0.5,
}

// pointsOf are a side's by the result of a game; false if it was not decided.
func pointsOf(result string, side storage.Side) (points float64, decided bool) {
	points, decided = scores[result]
	if side == storage.Black {
		points = 1 - points
	}
	return points, decided
}

// ledger is what results have made of people, one after the other.
type ledger map[storage.PersonID]storage.Standings

// add rates a game, and returns what it makes of both ratings.
func (l ledger) add(r storage.Result) storage.Figures {
	defer runtime.Gosched() // there may be many games, and only a core or two: writes come first
	both := [2]storage.Standings{l[r.Players[storage.White]], l[r.Players[storage.Black]]}
	f := rate(&both, r)
	for side, p := range r.Players {
		l[p] = both[side]
	}
	return f
}

// rate changes both players' standings by a game, in its kind and overall, and returns
// what it has made of both ratings in its kind.
func rate(both *[2]storage.Standings, r storage.Result) (f storage.Figures) {
	for _, kind := range []string{storage.Overall, r.Kind} {
		before := [2]storage.Standing{standing(&both[0], kind), standing(&both[1], kind)}
		now := before
		apply(&now, r)
		for side := range both {
			both[side].Put(kind, now[side])
			f.Ratings[side] = [2]float64{before[side].Value, now[side].Value}
			f.Spreads[side] = now[side].Deviation
		}
	}
	return f
}

// standing is what a career says of a kind of game.
func standing(c *storage.Standings, kind string) storage.Standing {
	if now, ok := c.Standings[kind]; ok {
		return now
	}
	return storage.Standing{Value: StartValue, Deviation: MaxDeviation, Volatility: StartVolatility}
}

// apply changes the standings of White and Black by a game. It depends on nothing else,
// so that ratings can be computed again from the games.
func apply(both *[2]storage.Standing, r storage.Result) {
	opponents := [2]Rating{At(&both[storage.Black], r.At), At(&both[storage.White], r.At)}
	for side := range both {
		s := &both[side]
		points, _ := pointsOf(r.Result, side)
		Rate(s, opponents[side], r.At, points)
		switch points {
		case 1:
			s.Wins++
			s.Streak++
			s.Best = max(s.Best, s.Streak)
			s.Merges += r.Merges[side]
		case 0:
			s.Losses++
			s.Streak = 0
		default:
			s.Draws++
			s.Streak = 0
		}
	}
}

func ratingOf(s *storage.Standing) Rating { return Rating{s.Value, s.Deviation, s.Volatility} }
