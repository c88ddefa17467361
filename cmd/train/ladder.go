package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"chimera/rules"
	"chimera/rules/engine"
)

// way is a scale of strengths, from hardly any upwards: a point on it is a number from 0 to the number of the last
// mark, and interpolates between two marks.
var way = [...]engine.Strength{ //nolint:gochecknoglobals // never written
	{Depth: 1, Blind: 95, Noise: 180},
	{Depth: 1, Blind: 90, Noise: 90},
	{Depth: 1, Blind: 60, Noise: 75},
	{Nodes: 120, Blind: 27, Noise: 64},
	{Nodes: 380, Blind: 12, Noise: 40},
	{Nodes: 1_000, Blind: 6, Noise: 30},
	{Nodes: 3_200, Blind: 2, Noise: 14},
	{Nodes: 10_300, Noise: 4},
	{Nodes: 32_000},
	{Nodes: 100_000},
}

const (
	wayEnd = float64(len(way) - 1)
	// glances is the point of the way up to which a player searches one ply, whatever the number of moves.
	glances = 3.5
)

// strengthAt is the strength at a point of the way, limited to top nodes.
func strengthAt(point float64, top int) engine.Strength {
	mark := min(int(point), len(way)-2)
	part := point - float64(mark)
	a, b := way[mark], way[mark+1]
	between := func(a, b int) int { return int(math.Round(float64(a) + part*float64(b-a))) }
	s := engine.Strength{Blind: between(a.Blind, b.Blind), Noise: between(a.Noise, b.Noise)}
	if point < glances {
		s.Depth = 1
		return s
	}
	nodes := float64(a.Nodes) * math.Pow(float64(b.Nodes)/float64(a.Nodes), part)
	s.Nodes = min(int(nodes/10)*10, top)
	return s
}

// trial is a match between players at two points of the way.
type trial struct {
	High  float64 `json:"high"`
	Low   float64 `json:"low"`
	Games float64 `json:"games"`
	Score float64 `json:"score"` // of the first, 0 to 1
}

// climb is the Elo difference from each mark of the way to the next: the values that make the trials most likely, with
// little change between neighbors. It uses Newton's method.
func climb(trials []trial) []float64 {
	const usual, least, perElo = 200, 20, math.Ln10 / 400
	const smooth = 1.0 / (60 * 60)
	slopes := make([]float64, len(way)-1)
	for k := range slopes {
		slopes[k] = usual
	}
	for range 500 {
		for k := range slopes {
			slope, curve := 0.0, 0.0
			for _, t := range trials {
				elo := 0.0
				for j, s := range slopes {
					elo += t.share(j) * s
				}
				p, change := 1/(1+math.Exp(-elo*perElo)), t.share(k)*perElo
				slope += t.Games * (t.Score - p) * change
				curve += t.Games * p * (1 - p) * change * change
			}
			for _, next := range [...]int{k - 1, k + 1} {
				if next >= 0 && next < len(slopes) {
					slope += smooth * (slopes[next] - slopes[k])
					curve += smooth
				}
			}
			slopes[k] = max(slopes[k]+slope/curve/2, least)
		}
	}
	return slopes
}

// share is how much of the way from mark k to the next lies between the trial's two points.
func (t *trial) share(k int) float64 {
	return max(min(t.High, float64(k+1))-max(t.Low, float64(k)), 0)
}

// divide finds the points that divide the way between two points into steps of equal Elo, including these two, and
// returns the Elo of a step.
func divide(slopes []float64, from, to float64, steps int) (points []float64, elo float64) {
	height := func(point float64) (h float64) {
		whole := trial{High: point}
		for k, s := range slopes {
			h += whole.share(k) * s
		}
		return h
	}
	elo = (height(to) - height(from)) / float64(steps)
	for i := range steps + 1 {
		low, high := from, to
		for range 40 {
			if mid := (low + high) / 2; height(mid) < height(from)+elo*float64(i) {
				low = mid
			} else {
				high = mid
			}
		}
		points = append(points, high)
	}
	return points, elo
}

// fit finds a ladder of equal steps for each game.
func (l *levels) fit(ctx context.Context, out io.Writer) error {
	if err := os.MkdirAll(l.Work, 0o755); err != nil {
		return err
	}
	return eachGame(l.Games, func(v *rules.Variant) error {
		n, err := engine.NumbersOf(v)
		if err != nil {
			return err
		}
		if n.Ladder, err = l.ladder(ctx, out, v); err != nil {
			return err
		}
		return write(filepath.Join(l.Work, v.Key+".txt"), v, n)
	})
}

// ladder is a game's: level 1 as weak as possible, the highest as strong as its nodes allow, and those between at equal
// steps, found by matches of each with the one below. The highest plays no matches, which would take longer than all
// others. Matches are kept in a file, and count when the command runs again.
func (l *levels) ladder(ctx context.Context, out io.Writer, v *rules.Variant) (engine.Ladder, error) {
	file := filepath.Join(l.Work, v.Key+"-levels.jsonl")
	trials, err := readRecords[trial](file)
	if err != nil {
		return engine.Ladder{}, err
	}
	first, err := l.weakest(ctx, v)
	if err != nil {
		return engine.Ladder{}, err
	}
	last := wayEnd
	for last > glances && strengthAt(last-0.01, math.MaxInt).Nodes > l.Top {
		last -= 0.01
	}
	points, elo := divide(climb(trials), first, last, engine.Levels-1)
	for range l.Rounds {
		for i := 1; i < len(points)-1; i++ {
			t, err := l.between(ctx, v, points[i], points[i-1])
			if err != nil {
				return engine.Ladder{}, err
			}
			fmt.Fprintf(out, "%s: %.2f v %.2f: %s\n", v.Key, points[i], points[i-1], t)
			trials = append(trials, trial{points[i], points[i-1], float64(t.games()), t.score()})
			if err := appendRecord(file, trials[len(trials)-1]); err != nil {
				return engine.Ladder{}, err
			}
		}
		points, elo = divide(climb(trials), first, last, engine.Levels-1)
	}
	fmt.Fprintf(out, "%s: levels at %.2f; each beats the one below by %.0f Elo\n", v.Key, points, elo)
	ladder := engine.Ladder{0: {Depth: 1, Blind: 160, Noise: 200}} // for children; not fitted
	for i, point := range points {
		ladder[i+1] = strengthAt(point, l.Top)
	}
	return ladder, nil
}

// weakest is the first point of the way that nearly always beats random moves.
func (l *levels) weakest(ctx context.Context, v *rules.Variant) (float64, error) {
	const enough, step = 0.97, 0.25
	for point := 0.0; ; point += step {
		t, err := l.between(ctx, v, point, -1)
		if err != nil || t.score() >= enough || point >= glances {
			return point, err
		}
	}
}

// between plays a match of the players at two points of the way; a point below it is a player of random moves.
func (l *levels) between(ctx context.Context, v *rules.Variant, high, low float64) (*tally, error) {
	var players [2]player
	for i, point := range [...]float64{high, low} {
		if point < 0 {
			players[i] = newRandom()
			continue
		}
		n, err := engine.NumbersOf(v)
		if err != nil {
			return nil, err
		}
		n.Ladder[1] = strengthAt(point, l.Top)
		players[i] = &searcher{engine: engine.WithNumbers(v, n), limits: engine.Limits{Level: engine.AtLevel(1)}}
	}
	return duel(ctx, v, fmt.Sprintf("%s, %.2f v %.2f", v.Key, high, low), players[0], players[1], l.Openings, l.Seed, nil)
}
