// Package perft counts the positions that a number of plies can lead to, the
// field's standard proof of a move generator.
package perft

import "chimera/rules"

// Nodes is the number of ways to play depth plies from pos: 1 at depth 0. The
// last ply is counted in bulk, without being played.
func Nodes(pos *rules.Position, depth int) uint64 {
	return nodes(pos.Cursor(), depth)
}

func nodes(c rules.Cursor, depth int) (sum uint64) {
	if depth <= 0 {
		return 1
	}
	moves := c.Moves()
	if depth == 1 {
		return uint64(len(moves))
	}
	for _, m := range moves {
		c.Push(m)
		sum += nodes(c, depth-1)
		c.Pop()
	}
	return sum
}

// Divide is Nodes for each legal move of pos: those of depth-1 below it.
// It is empty at depth 0.
func Divide(pos *rules.Position, depth int) map[rules.Move]uint64 {
	split := map[rules.Move]uint64{}
	if depth <= 0 {
		return split
	}
	c := pos.Cursor()
	for _, m := range pos.Moves() {
		c.Push(m)
		split[m] = nodes(c, depth-1)
		c.Pop()
	}
	return split
}
