package computer

import (
	"fmt"
	"math"
	"slices"

	"chimera/rules"
	"chimera/rules/engine"
)

// A score is White's, in centipawns; a mate is won less the number of moves until it, or as
// much below 0 where Black mates.
const (
	won      = 30_000
	farthest = 1_000 // moves until a mate
)

// Edge is a score from which on a side is said to be better.
const Edge = 80

// scoreOf is a score of the side to move.
func scoreOf(s engine.Score, turn rules.Color) int {
	score := s.Centipawns
	if s.Mate > 0 {
		score = won - s.Mate
	} else if s.Mate < 0 {
		score = -won - s.Mate
	}
	if turn == rules.Black {
		return -score
	}
	return score
}

// ended is the score of a game that has an outcome.
func ended(o rules.Outcome) int {
	return map[rules.Result]int{rules.WhiteWins: won, rules.BlackWins: -won}[o.Result]
}

// mates is the number of moves in which White mates by a score, or less than 0 in which Black does;
// false if nobody does.
func mates(score int) (moves int, ok bool) {
	switch {
	case score >= won-farthest:
		return won - score, true
	case score <= farthest-won:
		return -won - score, true
	}
	return 0, false
}

// Eval is a score as comments in exported games have it: pawns, as in "0.35", or moves until a mate, as
// in "#-3"; "" after the mate, of which there is nothing to say.
func Eval(score int) string {
	moves, ok := mates(score)
	switch {
	case !ok:
		return fmt.Sprintf("%.2f", float64(score)/100)
	case moves == 0:
		return ""
	}
	return fmt.Sprintf("#%d", moves)
}

// evened are scores of a game as those of chess that let expect as much.
func evened(v *rules.Variant, scores []int) []int {
	even := slices.Clone(scores)
	n, err := engine.NumbersOf(v)
	for i, score := range even {
		if _, ok := mates(score); !ok && err == nil {
			even[i] = score * engine.UsualScale / max(1, int(n.Scale))
		}
	}
	return even
}

// Chances are how likely White is to win by a score, from 0 to 1.
func Chances(score int) float64 {
	const most = 1000 // centipawns, beyond which nothing changes
	return 1 / (1 + math.Exp(-0.00368208*float64(max(-most, min(score, most)))))
}

// Swing is the move of a reviewed game, which White has begun, that has taken most of its side's chances, by how many
// were played before it, and how much that was, from 0 to 1.
func Swing(v *rules.Variant, scores []int) (ply int, lost float64) {
	even := evened(v, scores)
	for i := range max(len(even)-1, 0) {
		if here := taken(even, i, rules.Color(i%2)); here > lost {
			ply, lost = i, here
		}
	}
	return ply, lost
}

// taken is how much of a side's chances a move of its has taken.
func taken(even []int, ply int, side rules.Color) float64 {
	return chances(even[ply], side) - chances(even[ply+1], side)
}

// chances are those of a side.
func chances(score int, side rules.Color) float64 {
	if side == rules.Black {
		return 1 - Chances(score)
	}
	return Chances(score)
}

// Accuracy is how well White and Black have played, in per cent, by the scores of all positions,
// in the first of which a side was to move. Who has made no move has played perfectly. It is Lichess' formula
// (https://lichess.org/page/accuracy): the mean of the moves' accuracies, weighed by volatility, and their harmonic mean,
// averaged. A few blunders count for much more than good moves do.
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
