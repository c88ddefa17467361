package engine

import (
	"math/rand/v2"

	"chimera/rules"
)

// Assumptions about a piece of which only its moves are known, in tenths of a centipawn.
const (
	average   = 2650 // what a piece of the start position is worth, its king aside
	most      = 40_000
	perCenter = 100  // each step that a king is nearer to the middle, in the ending
	perMoved  = 0.04 // of what a piece is worth for each move that it has: each that it has now, besides
	perPress  = 0.05 // the same of each beside the enemy king
)

// guesses is the number of random positions from which [Guess] takes its numbers.
const guesses = 60

// Guess is what the rules alone say of a game: each piece is worth the number of moves
// that it has on average when it is put on a random square of a position of a random game.
// The same game gives the same numbers. It takes some milliseconds.
func Guess(v *rules.Variant) *Numbers {
	n := newNumbers(v)
	random := rand.New(rand.NewPCG(1, 0))
	tried, moves := make([]int, len(v.Table)), make([]int, len(v.Table))
	for range guesses {
		pos := randomPosition(v, random)
		for role := 1; pos != nil && role < len(v.Table); role++ {
			if count, ok := movesOf(pos, rules.Role(role), random); ok && !v.Table[role].Royal {
				tried[role]++
				moves[role] += count
			}
		}
	}
	n.assume(v, tried, moves)
	return n
}

// assume makes each piece worth as much as it had moves, averaged over its trials. A pawn, which
// will promote, and what has no moves are worth one in any case.
func (n *Numbers) assume(v *rules.Variant, tried, moves []int) {
	mean := make([]float64, n.roles)
	for role := range mean {
		if tried[role] > 0 {
			mean[role] = max(float64(moves[role])/float64(tried[role]), 1)
		}
	}
	perMove := average / meanOf(v, mean)
	for kind := 1; kind < n.kinds; kind++ {
		role := kind % n.roles
		if role == 0 {
			continue
		}
		n.Worth[n.of(kind, mobility)] = both(perMoved * perMove)
		n.Worth[n.of(kind, press)] = both(perPress * perMove)
		worth := min(perMove*mean[role], most)
		if kind >= n.roles {
			worth /= 2 // the other side has a part of it, too
		}
		n.Worth[n.of(kind, value)] = both(worth)
		if !v.Table[role].Pawn {
			n.Weight[kind] = int32(worth / 1000)
		}
	}
	n.Worth[n.rest(tempo)] = both(100)
	n.center(v)
}

// center makes a king better off in the middle of the board, once there are few pieces: on
// its edge, it is easier to mate.
func (n *Numbers) center(v *rules.Variant) {
	for sq := range v.Shape.Squares.Squares() {
		file, rank := v.Shape.File(sq), v.Shape.Rank(sq)
		off := min(file, v.Shape.Files-1-file) + min(rank, v.Shape.Ranks-1-rank)
		for kind := 1; kind < n.roles; kind++ {
			if v.Table[kind].Royal {
				n.Worth[n.at(kind, rules.White, sq)].Ending = int32(perCenter * (off - 3))
			}
		}
	}
}

func both(worth float64) Pair { return Pair{int32(worth), int32(worth)} }

// meanOf is the mean of the pieces of the start position, those of mean 0 aside.
func meanOf(v *rules.Variant, mean []float64) float64 {
	total, pieces := 0.0, 0
	if start, err := v.Position(""); err == nil {
		for _, p := range start.Board() {
			if worth := mean[p.White] + mean[p.Black]; worth > 0 {
				total += worth
				pieces++
			}
		}
	}
	if pieces == 0 {
		return 1
	}
	return total / float64(pieces)
}

// randomPosition is one of a random game that can be played on, or nil.
func randomPosition(v *rules.Variant, random *rand.Rand) *rules.Position {
	pos, err := v.Position("")
	for range random.IntN(40) {
		if err != nil || len(pos.Moves()) == 0 {
			return nil
		}
		moves := pos.Moves()
		pos, err = pos.Play(moves[random.IntN(len(moves))])
	}
	if err != nil {
		return nil
	}
	return pos
}

// movesOf counts the moves that a piece of the mover has when it is put on a random empty
// square of pos, and reports whether it could be put there.
func movesOf(pos *rules.Position, role rules.Role, random *rand.Rand) (int, bool) {
	v := pos.Variant()
	setup := rules.Setup{Board: pos.Board(), Turn: pos.Turn(), EnPassant: rules.NoSquare, FullMove: 1}
	for range 4 {
		sq := rules.Square(random.IntN(int(rules.NoSquare)))
		if !v.Shape.Squares.Has(sq) || setup.Board[sq] != (rules.Piece{}) {
			continue
		}
		setup.Board[sq] = rules.PieceOf(setup.Turn, role)
		with, err := v.FromSetup(setup)
		setup.Board[sq] = rules.Piece{}
		if err != nil || with.Checked() != 0 {
			continue
		}
		count := 0
		for _, m := range with.Moves() {
			if m.From == sq && m.Act != rules.Split {
				count++
			}
		}
		return count, true
	}
	return 0, false
}
