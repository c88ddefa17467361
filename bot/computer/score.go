package computer

import (
	"fmt"
	"math"
	"slices"

	"chimera/rules"
	"chimera/rules/engine"
)

// Scores are White's, in centipawns. White's mate in n moves is won-n, Black's is n-won.
const (
	won      = 30_000
	farthest = 1_000 // moves until a mate at most
)

// Edge is the lowest score in centipawns at which a side is said to be better.
const Edge = 80

// scoreOf turns the engine's score for the side to move into White's.
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

// ended is the score of an outcome; 0 unless somebody has won.
func ended(o rules.Outcome) int {
	return map[rules.Result]int{rules.WhiteWins: won, rules.BlackWins: -won}[o.Result]
}

// mates is the number of moves in which White mates according to a score, negative if Black mates; false if nobody
// does.
func mates(score int) (moves int, ok bool) {
	switch {
	case score >= won-farthest:
		return won - score, true
	case score <= farthest-won:
		return -won - score, true
	}
	return 0, false
}

// Eval formats a score for comments in exported games: pawns, as in "0.35", or moves until mate, as in "#-3". It is ""
// if the game has been won.
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

// evened converts scores of a variant to the scale of chess, where the same score means the same chances.
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

// Chances is the probability that White wins at a score, from 0 to 1. The formula is Lichess'.
func Chances(score int) float64 {
	const most = 1000 // centipawns: higher scores do not raise it
	return 1 / (1 + math.Exp(-0.00368208*float64(max(-most, min(score, most)))))
}

// Swing is the move of a reviewed game that cost its side the most winning chances: ply is how many moves were played
// before it, lost is from 0 to 1. White must have begun the game.
func Swing(v *rules.Variant, scores []int) (ply int, lost float64) {
	even := evened(v, scores)
	for i := range max(len(even)-1, 0) {
		if here := taken(even, i, rules.Color(i%2)); here > lost {
			ply, lost = i, here
		}
	}
	return ply, lost
}

// taken is by how much a side's move at ply has lowered its chances; negative if it has raised them.
func taken(even []int, ply int, side rules.Color) float64 {
	return chances(even[ply], side) - chances(even[ply+1], side)
}

// chances is the probability that a side wins at a score, from 0 to 1.
func chances(score int, side rules.Color) float64 {
	if side == rules.Black {
		return 1 - Chances(score)
	}
	return Chances(score)
}

// Accuracy is how well White and Black have played, in per cent, given the scores of all positions and the side to move
// in the first. A side that has not moved has 100. The formula is Lichess' (https://lichess.org/page/accuracy): the
// average of two means of the moves' accuracies, one weighted by volatility, the other harmonic. So a few blunders
// count for much more than many good moves.
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

// accuracy is how good a move is, in per cent, given its side's chances before and after it, also in per cent.
func accuracy(before, after float64) float64 {
	if after >= before {
		return 100
	}
	const bonus = 1 // Lichess adds it since no search is perfect
	is := 103.1668100711649*math.Exp(-0.04354415386753951*(before-after)) - 3.166924740191411 + bonus
	return max(0, min(is, 100))
}

// volatility is each move's weight: the standard deviation of White's chances around it, kept between 0.5 and 12.
func volatility(white []float64) (weights []float64) {
	moves := len(white) - 1
	size := max(2, min(moves/10, 8))
	for i := range moves {
		from := max(0, i-(size-2))
		weights = append(weights, max(0.5, min(deviation(white[from:min(from+size, len(white))]), 12)))
	}
	return weights
}

func deviation(all []float64) float64 {
	middle, sum := mean(all, slices.Repeat([]float64{1}, len(all))), 0.0
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

// harmonic is the harmonic mean, in which bad moves count for more than good ones. Values below 1 count as 1.
func harmonic(all []float64) float64 {
	sum := 0.0
	for _, x := range all {
		sum += 1 / max(1, x)
	}
	return float64(len(all)) / sum
}
