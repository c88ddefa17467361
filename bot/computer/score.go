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

// scoreOf is a score of the side to move.
func scoreOf(s engine.Score, turn rules.Color) int {
	score := s.Centipawns
	switch {
	case s.Mate > 0:
		score = won - s.Mate
	case s.Mate < 0:
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

// chances are those of a side.
func chances(score int, side rules.Color) float64 {
	if side == rules.Black {
		return 1 - Chances(score)
	}
	return Chances(score)
}
