package computer

import (
	"math"
	"slices"

	"chimera/rules"
)

// Accuracy is how well White and Black have played, in per cent, by the scores of all positions,
// in the first of which a side was to move. Who has made no move has played perfectly.
func Accuracy(scores []int, first rules.Color) (sides [2]float64) {
	white := make([]float64, len(scores))
	for i, score := range scores {
		white[i] = 100 * Chances(score)
	}
	weights := volatility(white)
	var of, weighing [2][]float64
	for i, weight := range weights {
		side := first ^ rules.Color(i%2)
		before, after := white[i], white[i+1]
		if side == rules.Black {
			before, after = 100-before, 100-after
		}
		of[side], weighing[side] = append(of[side], accuracy(before, after)), append(weighing[side], weight)
	}
	for side := range sides {
		sides[side] = 100
		if len(of[side]) > 0 {
			sides[side] = (mean(of[side], weighing[side]) + harmonic(of[side])) / 2
		}
	}
	return sides
}

// accuracy is how good a move is, by its side's chances before it and after.
func accuracy(before, after float64) float64 {
	if after >= before {
		return 100
	}
	const bonus = 1 // as no search is perfect
	is := 103.1668100711649*math.Exp(-0.04354415386753951*(before-after)) - 3.166924740191411 + bonus
	return max(0, min(is, 100))
}

// volatility is how much each move weighs: as much as the chances went up and down around it.
func volatility(white []float64) (weights []float64) {
	moves := len(white) - 1
	size := max(2, min(moves/10, 8))
	for i := range moves {
		from := max(0, i-(size-2))
		window := white[from:min(from+size, len(white))]
		weights = append(weights, max(0.5, min(deviation(window), 12)))
	}
	return weights
}

func deviation(all []float64) float64 {
	ones := slices.Repeat([]float64{1}, len(all))
	middle, sum := mean(all, ones), 0.0
	for _, x := range all {
		sum += (x - middle) * (x - middle)
	}
	return math.Sqrt(sum / float64(len(all)))
}

func mean(all, weights []float64) float64 {
	sum, weight := 0.0, 0.0
	for i, x := range all {
		sum += x * weights[i]
		weight += weights[i]
	}
	return sum / weight
}

// harmonic is the harmonic mean, by which one bad move counts for more than a good one.
func harmonic(all []float64) float64 {
	sum := 0.0
	for _, x := range all {
		sum += 1 / max(1, x)
	}
	return float64(len(all)) / sum
}
