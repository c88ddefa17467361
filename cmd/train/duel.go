package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"

	"chimera/cmd/internal/progress"
	"chimera/rules"
	"chimera/rules/engine"
)

// tally is the score of a match, from the first player's view.
type tally struct {
	wins, draws, losses int
	pairs               []float64 // the score of both games from one opening, 0 to 2
}

func (t *tally) games() int { return t.wins + t.draws + t.losses }

// score is the share of the points, 0 to 1.
func (t *tally) score() float64 {
	return (float64(t.wins) + float64(t.draws)/2) / float64(max(t.games(), 1))
}

// margin is the 95 % margin of error of the score: two games from one opening are one trial.
func (t *tally) margin() float64 {
	n := float64(len(t.pairs))
	if n < 2 {
		return 0.5
	}
	sum := 0.0
	for _, p := range t.pairs {
		sum += (p/2 - t.score()) * (p/2 - t.score())
	}
	return 1.96 * math.Sqrt(sum/(n-1)/n)
}

func (t *tally) String() string {
	return fmt.Sprintf("%.1f %% ± %.1f (+%d =%d -%d)", 100*t.score(), 100*t.margin(), t.wins, t.draws, t.losses)
}

// likelihood is the logarithm of the likelihood ratio of the scores between the first player being stronger by elo and
// not at all: N(s1-s0)(2s-s0-s1)/(2v), with the mean s and the variance v of N pairs of games, after M. Van den Bergh,
// A practical introduction to the GSPRT. While the scores do not vary it is 0.
func (t *tally) likelihood(elo float64) float64 {
	n, mean := float64(len(t.pairs)), t.score()
	variance := math.Pow(t.margin()/1.96, 2) * n
	if n < 2 || variance == 0 {
		return 0
	}
	none, some := 0.5, 1/(1+math.Pow(10, -elo/400))
	return n * (some - none) * (2*mean - none - some) / (2 * variance)
}

// sequentialTest describes the state of a test whether the first player is stronger by elo or not at all, and reports
// whether it is decided. It errs in 5 % of matches.
func (t *tally) sequentialTest(elo float64) (text string, ended bool) {
	beyondDoubt := math.Log(0.95 / 0.05)
	likelihood := t.likelihood(elo)
	eloOf := func(score float64) float64 {
		score = min(max(score, 0.001), 0.999)
		return 400 * math.Log10(score/(1-score))
	}
	margin := (eloOf(t.score()+t.margin()) - eloOf(t.score()-t.margin())) / 2
	return fmt.Sprintf("; %+.0f ± %.0f Elo, log-likelihood ratio %.2f of %.2f", eloOf(t.score()), margin, likelihood, beyondDoubt),
		math.Abs(likelihood) >= beyondDoubt
}

// A game of longest plies is won by the side ahead by ahead centipawns, or drawn: weak players would go on for ever.
const (
	longest = 300
	ahead   = 500
	judging = 2_000 // nodes
)

// opening is a game in progress after random moves.
func opening(v *rules.Variant, seed uint64) (rules.Game, error) {
	return randomOpening(v, rand.New(rand.NewPCG(seed, 3)))
}

// fairOpening is an opening in which neither side is ahead, so that it does not decide the game; any opening if none is
// found.
func fairOpening(ctx context.Context, v *rules.Variant, seed uint64) (rules.Game, error) {
	const fair, tries = 100, 200 // centipawns
	source := rand.New(rand.NewPCG(seed, 4))
	for try := 1; ; try++ {
		game, err := randomOpening(v, source)
		if err != nil {
			return game, err
		}
		found, err := engine.Search(ctx, game, engine.Limits{Nodes: judging})
		if err != nil {
			return game, err
		}
		if score := found.Score; try == tries || score.Mate == 0 && max(score.Centipawns, -score.Centipawns) <= fair {
			return game, ctx.Err()
		}
	}
}

func randomOpening(v *rules.Variant, source *rand.Rand) (rules.Game, error) {
	for {
		pos, err := v.Position("")
		if err != nil {
			return rules.Game{}, err
		}
		game := rules.NewGame(pos)
		for range 4 + source.IntN(5) {
			moves := game.Position.Moves()
			if len(moves) == 0 || game.Outcome().Over() {
				break
			}
			if game, err = game.Play(moves[source.IntN(len(moves))]); err != nil {
				return rules.Game{}, err
			}
		}
		if !game.Outcome().Over() && game.Position.Status() == rules.Ongoing {
			return game, nil
		}
	}
}

// over reports the result of an ended game; a draw that can be claimed counts.
func over(game rules.Game, plies int) (rules.Result, bool) {
	if outcome := game.Outcome(); outcome.Over() {
		return outcome.Result, true
	}
	if _, ok := game.Claim(); ok || plies >= longest {
		return rules.Drawn, true
	}
	return 0, false
}

// play plays a game between White and Black to its end or the maximum length.
func play(ctx context.Context, start rules.Game, seed uint64, players [2]player) (*course, rules.Result, error) {
	c := &course{seed: seed, start: start, now: start}
	for {
		if result, ok := over(c.now, len(c.moves)); ok {
			return c, result, nil
		}
		m, err := players[c.now.Position.Turn()].move(ctx, c)
		if err != nil {
			return nil, 0, err
		}
		if c.now, err = c.now.Play(m); err != nil {
			return nil, 0, err
		}
		c.moves = append(c.moves, m)
	}
}

// playOut plays a game, and decides it at the maximum length.
func playOut(ctx context.Context, start rules.Game, seed uint64, players [2]player) (rules.Result, error) {
	c, result, err := play(ctx, start, seed, players)
	if err == nil && result == rules.Drawn && len(c.moves) >= longest && !c.now.Closed() {
		return decide(ctx, c.now)
	}
	return result, err
}

// decide is the result of a game of the maximum length.
func decide(ctx context.Context, game rules.Game) (rules.Result, error) {
	found, err := engine.Search(ctx, game, engine.Limits{Nodes: judging})
	turn, score := game.Position.Turn(), found.Score
	switch {
	case err != nil:
		return rules.Drawn, err
	case score.Mate > 0 || score.Mate == 0 && score.Centipawns >= ahead:
		return rules.WinFor(turn), nil
	case score.Mate < 0 || score.Centipawns <= -ahead:
		return rules.WinFor(turn.Other()), nil
	default:
		return rules.Drawn, nil
	}
}

// clear reports whether the score is above or below a mark beyond the margin of error, which means little for few
// games.
func (t *tally) clear(mark float64) bool {
	const few = 10 // openings
	return len(t.pairs) >= few && max(t.score()-mark, mark-t.score()) > max(t.margin(), 0.05)
}

// duel plays a match of fair openings, each with both colors, and shows its progress, labelled what. The seed
// determines the openings. The match ends early if enough, unless nil, reports true after an opening.
func duel(ctx context.Context, v *rules.Variant, what string, one, other player, openings int, seed uint64, enough func(*tally) bool) (*tally, error) {
	bar := progress.Count(os.Stderr, what, 2*openings)
	defer bar.End()
	t := new(tally)
	for i := range uint64(openings) {
		start, err := fairOpening(ctx, v, seed+i)
		if err != nil {
			return t, err
		}
		points := 0.0
		for _, color := range [...]rules.Color{rules.White, rules.Black} {
			var players [2]player
			players[color], players[color.Other()] = one, other
			result, err := playOut(ctx, start, seed+i, players)
			if err != nil {
				return t, err
			}
			points += t.count(result, color)
			bar.Add()
		}
		if t.pairs = append(t.pairs, points); enough != nil && enough(t) {
			break
		}
	}
	return t, nil
}

// count adds a game in which the first player had a color, and returns their points.
func (t *tally) count(result rules.Result, color rules.Color) float64 {
	switch result {
	case rules.WinFor(color):
		t.wins++
		return 1
	case rules.WinFor(color.Other()):
		t.losses++
		return 0
	default:
		t.draws++
		return 0.5
	}
}
