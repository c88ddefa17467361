package main

import (
	"math"

	"chimera/rules"
	"chimera/rules/engine"
)

// sample is a position as evaluation terms, with White's expected points.
type sample struct {
	terms  []engine.Term // White's
	phase  float64
	target float64
}

// scale is the number of centipawns by which the odds grow by a factor of e.
const scale = 250.0

// expect is the expected points for a score in centipawns.
func expect(score float64) float64 { return 1 / (1 + math.Exp(-score/scale)) }

func expectScore(s engine.Score) float64 {
	switch {
	case s.Mate > 0:
		return 1
	case s.Mate < 0:
		return 0
	}
	return expect(float64(s.Centipawns))
}

// samplesOf are the samples of a game: the target of each position comes from the scores after it and the result, by
// TD(lambda). Positions with a mate score are left out.
func samplesOf(v *rules.Variant, n *engine.Numbers, r record, lambda float64) ([]sample, error) {
	var samples []sample
	target := r.Points
	for i := len(r.Plies) - 1; i >= 0; i-- {
		p := r.Plies[i]
		if p.Score.Mate == 0 {
			s, err := sampleOf(v, n, p)
			if err != nil {
				return nil, err
			}
			s.target = target
			samples = append(samples, s)
		}
		target = lambda*target + (1-lambda)*expectScore(p.Score)
	}
	return samples, nil
}

func sampleOf(v *rules.Variant, n *engine.Numbers, p ply) (sample, error) {
	leaf, err := v.Position(p.Leaf)
	if err != nil {
		return sample{}, err
	}
	line := []*rules.Position{leaf}
	if p.Leaf != p.Parent {
		parent, err := v.Position(p.Parent)
		if err != nil {
			return sample{}, err
		}
		line = []*rules.Position{parent, leaf}
	}
	terms := engine.Terms(n, line...)
	if leaf.Turn() == rules.Black {
		for i := range terms {
			terms[i].Times = -terms[i].Times
		}
	}
	board := leaf.Board()
	return sample{terms: terms, phase: n.Phase(v, &board)}, nil
}

// freedom is the expected distance of a term from its start, in centipawns, as a standard deviation.
func freedom(n *engine.Numbers, term int, start float64) float64 {
	switch n.GroupOf(term) {
	case engine.Value:
		return 60 + 0.3*start
	case engine.Mobility:
		return 3
	case engine.Press:
		return 5
	case engine.Another:
		return 20
	case engine.Place, engine.Open, engine.Clear, engine.Held, engine.Safe, engine.Home:
		return 15
	case engine.General:
	}
	return 20
}

// fit finds the numbers that explain the samples best, close to the start: logistic regression with a Gaussian prior,
// by Adam over all samples at once.
func fit(start *engine.Numbers, samples []sample, trust float64, steps int, after func()) *engine.Numbers {
	f := newFitter(start)
	f.trust = trust
	for step := 1; step <= steps; step++ {
		clear(f.slope)
		for i := range samples {
			f.learn(&samples[i])
		}
		f.step(step, steps)
		after()
	}
	fitted := *start
	fitted.Worth = make([]engine.Pair, len(start.Worth))
	for i := range fitted.Worth {
		fitted.Worth[i] = engine.Pair{Opening: tenths(f.worth[2*i]), Ending: tenths(f.worth[2*i+1])}
	}
	return &fitted
}

func tenths(centipawns float64) int32 { return int32(math.Round(10 * centipawns)) }

// fitter has two numbers for each term, for the opening and the ending.
type fitter struct {
	trust                float64   // how much a sample counts against the prior
	first, worth, free   []float64 // centipawns
	slope, mean, squares []float64
}

func newFitter(start *engine.Numbers) *fitter {
	n := 2 * len(start.Worth)
	f := &fitter{
		first: make([]float64, n), worth: make([]float64, n), free: make([]float64, n),
		slope: make([]float64, n), mean: make([]float64, n), squares: make([]float64, n),
	}
	for i, p := range start.Worth {
		f.first[2*i], f.first[2*i+1] = float64(p.Opening)/10, float64(p.Ending)/10
		f.free[2*i], f.free[2*i+1] = freedom(start, i, f.first[2*i]), freedom(start, i, f.first[2*i+1])
	}
	copy(f.worth, f.first)
	return f
}

// learn adds a sample's gradient to the slope.
func (f *fitter) learn(s *sample) {
	score := 0.0
	for _, t := range s.terms {
		score += float64(t.Times) * (s.phase*f.worth[2*t.Index] + (1-s.phase)*f.worth[2*t.Index+1])
	}
	miss := (expect(score) - s.target) / scale
	for _, t := range s.terms {
		f.slope[2*t.Index] += miss * s.phase * float64(t.Times)
		f.slope[2*t.Index+1] += miss * (1 - s.phase) * float64(t.Times)
	}
}

// step follows the slope downwards, by Adam; steps get shorter towards the last one. A number moves in units of its
// freedom.
func (f *fitter) step(step, steps int) {
	const keepMean, keepSquares = 0.9, 0.98
	rate := 0.1 * (1 - float64(step-1)/float64(steps))
	for i := range f.worth {
		slope := f.trust*f.slope[i]*f.free[i] + (f.worth[i]-f.first[i])/f.free[i]
		f.mean[i] = keepMean*f.mean[i] + (1-keepMean)*slope
		f.squares[i] = keepSquares*f.squares[i] + (1-keepSquares)*slope*slope
		mean := f.mean[i] / (1 - math.Pow(keepMean, float64(step)))
		squares := f.squares[i] / (1 - math.Pow(keepSquares, float64(step)))
		f.worth[i] -= f.free[i] * rate * mean / (math.Sqrt(squares) + 1e-9)
	}
}
