package match

import (
	"math"
	"strconv"
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

// The kinds of boards.
const (
	byRating   = "rating"   // conservative score in hundredths, of those whose rating is not provisional
	byGuess    = "guess"    // the same of the others
	byGames    = "games"    // rated games
	byStreak   = "streak"   // wins in a row, at most
	byCombiner = "combiner" // merges in a won game, in thousandths
)

// board names the leaderboard of a server, 0 for the world, for a kind of game.
func board(server storage.ServerID, game, by string) storage.Board {
	return storage.Board(by + "/" + game + "/" + strconv.FormatUint(uint64(server), 10))
}

// finish does what the end of a game asks for: if it counts, both ratings and all
// leaderboards change with it.
func (s *Service) finish(w storage.Writer, was, g *storage.Game) error {
	if was.Over() || !g.Over() {
		return nil
	}
	if !counts(g) {
		return nil
	}
	score := scores[g.Result]
	n, err := w.CountPair(g.Players[0], g.Players[1], g.Changed)
	if err != nil || n > MaxPairs {
		return err
	}
	g.Counted = true
	if err := w.AddRated(g.ID); err != nil {
		return err
	}
	place, err := w.Place(g.Place)
	if err != nil {
		return err
	}
	result := storage.Result{Game: g.ID, Kind: g.Variant, Players: g.Players, Points: [2]int{int(2 * score), int(2 * (1 - score))}}
	servers := []storage.ServerID{0}
	if place.Server != 0 {
		servers = append(servers, place.Server)
		for _, p := range g.Players {
			if err := w.Join(p, place.Server); err != nil {
				return err
			}
		}
	}
	for _, server := range servers {
		if err := w.AddResult(server, g.Changed, result); err != nil {
			return err
		}
	}
	for _, kind := range []string{g.Variant, storage.Overall} {
		if err := s.rate(w, g, kind, score); err != nil {
			return err
		}
	}
	return nil
}

// counts reports whether a game has a result that changes ratings, unless its players
// have had enough of those on that day.
func counts(g *storage.Game) bool {
	_, decided := scores[g.Result]
	return g.Rated && g.Over() && decided && len(g.Moves) >= MinPlies
}

// scores are White's points by the result of a game.
var scores = map[string]float64{ //nolint:gochecknoglobals // never written
	rules.WhiteWins.String(): 1, rules.BlackWins.String(): 0, rules.Drawn.String(): 0.5,
}

// rate changes both players' standings in a kind of game by a result, and their places
// on the leaderboards.
func (s *Service) rate(w storage.Writer, g *storage.Game, kind string, score float64) error {
	var now [2]storage.Standing
	for side, p := range g.Players {
		var err error
		if now[side], err = w.StandingOr(p, kind, unrated()); err != nil {
			return err
		}
	}
	before := now
	apply(&now, g, score)
	for side, p := range g.Players {
		if kind == g.Variant {
			g.Ratings[side] = [2]float64{before[side].Value, now[side].Value}
		}
		if err := w.PutStanding(p, kind, now[side]); err != nil {
			return err
		}
		if err := s.rank(w, p, kind, &now[side]); err != nil {
			return err
		}
	}
	return nil
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

// rank puts a person where his standing belongs, on the boards of the world and of each
// server in which he has played; nowhere if he does not want to be there.
func (s *Service) rank(w storage.Writer, id storage.PersonID, kind string, now *storage.Standing) error {
	p, err := w.Person(id)
	if err != nil {
		return err
	}
	servers, err := w.Joined(id)
	if err != nil {
		return err
	}
	for _, server := range append(servers, 0) {
		hidden := p.Settings.Unranked
		if server != 0 && !hidden {
			in, err := w.Server(server)
			if err != nil {
				return err
			}
			hidden = in.Hides(id)
		}
		if err := place(w, server, id, kind, now, hidden); err != nil {
			return err
		}
	}
	return nil
}

func place(w storage.Writer, server storage.ServerID, id storage.PersonID, kind string, now *storage.Standing, hidden bool) error {
	r := ratingOf(now)
	score := int64(math.Round(100 * r.Conservative()))
	on, off := byRating, byGuess
	if r.Provisional() {
		on, off = off, on
	}
	if err := w.DropScore(board(server, kind, off), id); err != nil {
		return err
	}
	lines := map[string]int64{on: score}
	if kind == storage.Overall {
		lines[byGames] = int64(now.Games())
		if now.Best > 0 {
			lines[byStreak] = int64(now.Best)
		}
		if now.Merges > 0 {
			lines[byCombiner] = int64(1000 * now.Merges / now.Wins)
		}
	}
	for by, n := range lines {
		if hidden {
			if err := w.DropScore(board(server, kind, by), id); err != nil {
				return err
			}
			continue
		}
		if err := w.SetScore(board(server, kind, by), id, n); err != nil {
			return err
		}
	}
	return nil
}
