package engine

import (
	"slices"

	"chimera/rules"
)

// The plies after which a draw can be claimed; a search counts on it being claimed.
const drawnPlies = 100

// terminal is the score of a position without moves.
func (s *search) terminal(ply int) int {
	v := &s.stack.frames[ply]
	switch status := s.stack.cursor.Status(0); {
	case status != rules.Checkmate && status != rules.KingTaken:
		return 0
	case s.missesMate(ply):
		return s.evaluate(ply)
	case status == rules.KingTaken && v.kings[v.setup.Turn] != 0:
		return mate - ply
	}
	return ply - mate
}

// drawn reports whether the game is drawn at ply, or as good as drawn.
func (s *search) drawn(ply int) bool {
	v := &s.stack.frames[ply]
	switch {
	case v.few && s.stack.cursor.Status(len(s.stack.cursor.Moves())) == rules.Insufficient:
		return true
	case v.setup.HalfMoves >= drawnPlies, v.since >= 4 && s.repeated(ply):
		return s.drawable(ply)
	}
	return false
}

// drawable reports whether the past can draw the position at ply: not where a king is
// lost, or can be taken at once.
func (s *search) drawable(ply int) bool {
	v := &s.stack.frames[ply]
	moves := s.stack.cursor.Moves()
	status, king := s.stack.cursor.Status(len(moves)), v.kings[v.setup.Turn&1^1]
	lost := status == rules.Checkmate || status == rules.KingTaken || status == rules.Mated
	return !lost && !slices.ContainsFunc(moves, func(m rules.Move) bool { return king.Has(m.To) })
}

// repeated reports whether the position at ply has stood before on the line below the
// root, or twice in the game.
func (s *search) repeated(ply int) bool {
	now := &s.stack.frames[ply]
	times := 0
	back := ply
	for i := 1; i <= min(ply, now.since); i++ {
		if s.stack.frames[ply-i+1].passed {
			return false
		}
		back = ply - i
		if i >= 4 && i%2 == 0 && s.stack.frames[back].key == now.key {
			if back > 0 {
				return true
			}
			times++
		}
	}
	if back == 0 && now.since > ply {
		times += s.inPast(now)
	}
	return times >= 2
}

// pastCount is how often a position has stood in the game before the root.
type pastCount struct {
	key   uint64
	times int
}

// inPast counts how often a position has stood in the game before the root. It writes the
// position as a FEN only once.
func (s *search) inPast(v *frame) int {
	slot := &s.pastCounts[v.key%uint64(len(s.pastCounts))]
	if slot.key == v.key {
		return slot.times
	}
	*slot = pastCount{key: v.key}
	fen := s.variant.KeyOf(&v.setup)
	for _, key := range s.past {
		if key == fen {
			slot.times++
		}
	}
	return slot.times
}
