package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"chimera/rules"
)

// tally is how a match stands, seen from the first player.
type tally struct {
	wins, draws, losses int
	pairs               []float64 // the score of both games from one opening, 0 to 2
}

func (t *tally) games() int { return t.wins + t.draws + t.losses }

// score is the share of the points, 0 to 1.
func (t *tally) score() float64 {
	return (float64(t.wins) + float64(t.draws)/2) / float64(max(t.games(), 1))
}

// margin is by how much the score may be off, with a chance of 95 %: two games from one
// opening are one trial.
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

// longest is the number of plies after which a game is drawn.
const longest = 300

// opening is a game in which random moves have been played, and which goes on.
func opening(v *rules.Variant, seed uint64) (rules.Game, error) {
	source := rand.New(rand.NewPCG(seed, 3))
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

// over reports how a game has ended, a draw that can be claimed included.
func over(game rules.Game, plies int) (rules.Result, bool) {
	if outcome := game.Outcome(); outcome.Over() {
		return outcome.Result, true
	}
	if _, ok := game.Claim(); ok || plies >= longest {
		return rules.Drawn, true
	}
	return 0, false
}

// playOut plays a game to its end between white and black.
func playOut(ctx context.Context, start rules.Game, seed uint64, white, black player) (rules.Result, error) {
	c := &course{seed: seed, start: start, now: start}
	for {
		if result, ok := over(c.now, len(c.moves)); ok {
			return result, nil
		}
		mover := white
		if c.now.Position.Turn() == rules.Black {
			mover = black
		}
		m, err := mover.move(ctx, c)
		if err != nil {
			return 0, err
		}
		if c.now, err = c.now.Play(m); err != nil {
			return 0, err
		}
		c.moves = append(c.moves, m)
	}
}

// duel plays a match of so many openings, each with both colors. The openings follow from
// the seed; after is called after each game.
func duel(ctx context.Context, v *rules.Variant, one, other player, openings int, seed uint64, after func()) (*tally, error) {
	t := new(tally)
	for i := range uint64(openings) {
		start, err := opening(v, seed+i)
		if err != nil {
			return t, err
		}
		points := 0.0
		for _, color := range [...]rules.Color{rules.White, rules.Black} {
			white, black := one, other
			if color == rules.Black {
				white, black = other, one
			}
			result, err := playOut(ctx, start, seed+i, white, black)
			if err != nil {
				return t, err
			}
			points += t.count(result, color)
			after()
		}
		t.pairs = append(t.pairs, points)
	}
	return t, nil
}

// count notes a game in which the first player had a color, and returns its points.
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
