package engine

import (
	"slices"

	"chimera/rules"
)

// rootMove is a legal move of the root.
type rootMove struct {
	move  rules.Move
	score int // by the last search that found it to be the best, else -infinite
	moves []rules.Move
}

// deepenIteratively searches one depth after the other until a limit is reached.
func (s *search) deepenIteratively(limits Limits) Result {
	all := s.rootMoves()
	lines := min(max(limits.Lines, 1), len(all))
	result := Result{}
	result.Line = Line{Moves: []rules.Move{all[0].move}}
	result.Lines = []Line{result.Line}
	deepest := maxPly / 2
	if limits.Depth > 0 {
		deepest = min(deepest, limits.Depth)
	}
	for depth := 1; depth <= deepest; depth++ {
		s.stack.depth = depth
		if depth == 4 && !s.bruteForce && result.Score.Mate == 0 && (s.limit == 0 || s.limit > 16*len(all)*len(all)) {
			s.mateInTwo(all)
		}
		found := s.multiPV(all, depth, lines)
		if found > 0 {
			result.report(all[:max(found, min(lines, len(result.Lines)))])
		}
		result.Nodes = s.nodes
		if s.stopped {
			break
		}
		result.Depth = depth
		if limits.Info != nil {
			limits.Info(result)
		}
		if result.settled(depth) && limits.Lines <= 1 {
			break
		}
	}
	return result
}

// mateInTwo brings a move that mates in two to the front, if there is one, by a search that
// prunes nothing: one that prunes by what positions are worth overlooks such a move if it gives
// up much. It tries about as many moves as the square of the number of rootMoves.
func (s *search) mateInTwo(all []rootMove) {
	s.bruteForce = true
	if _, at := s.root(all, 3, mateBound, infinite); at >= 0 {
		front(all, at)
	}
	s.bruteForce = false
}

// settled reports whether a deeper search would change nothing: a mate is nearer than the
// search has looked.
func (r *Result) settled(depth int) bool {
	return r.Score.Mate != 0 && 2*max(r.Score.Mate, -r.Score.Mate) <= depth
}

// report makes the best rootMoves the result.
func (r *Result) report(best []rootMove) {
	r.Lines = r.Lines[:0:0]
	for _, c := range best {
		if c.score > -infinite {
			r.Lines = append(r.Lines, Line{slices.Clone(c.moves), scoreOf(c.score)})
		}
	}
	r.Line = r.Lines[0]
}

func scoreOf(score int) Score {
	switch {
	case score >= mateBound:
		return Score{Mate: (mate - score + 1) / 2}
	case score <= -mateBound:
		return Score{Mate: min(-(mate+score)/2, -1)}
	}
	return Score{Centipawns: score}
}

// rootMoves are the legal moves in the order of the first move ordering.
func (s *search) rootMoves() []rootMove {
	moves := s.stack.cursor.Moves()
	picks := s.survey(0, moves)
	all := make([]rootMove, 0, len(moves))
	for {
		p, ok := s.next(0, &picks, moves)
		if !ok && len(all) == 0 { // it has overlooked every move
			return []rootMove{{move: moves[0], score: -infinite}}
		}
		if !ok {
			return all
		}
		if m := moves[p.index]; !s.overlooks(0, &m) {
			all = append(all, rootMove{move: m, score: -infinite})
		}
	}
}

// multiPV finds the best lines of the root at a depth, moves them to the front, the best
// first, and returns how many it has found before it was stopped.
func (s *search) multiPV(all []rootMove, depth, lines int) int {
	for n := range lines {
		before := all[n].score
		if found := s.aspirationWindow(all[n:], depth, before); !found {
			return n
		}
		if s.stopped {
			return n + 1
		}
	}
	slices.SortStableFunc(all[:lines], func(a, b rootMove) int { return b.score - a.score })
	return lines
}

// aspirationWindow searches the root moves in a window around the score of the last depth, and in
// wider ones if the score falls outside. The best comes to the front. It reports whether one was found.
func (s *search) aspirationWindow(all []rootMove, depth, before int) bool {
	alpha, beta := -infinite, infinite
	width := 25
	if depth >= 4 && before > -mateBound && before < mateBound && !s.bruteForce {
		alpha, beta = before-width, before+width
	}
	for {
		score, at := s.root(all, depth, alpha, beta)
		if s.stopped && at < 0 {
			return false
		}
		if at >= 0 && (score > alpha || s.stopped) {
			front(all, at)
		}
		if s.stopped || score > alpha && score < beta {
			return true
		}
		width *= 4
		if score <= alpha {
			alpha = max(score-width, -infinite)
		} else {
			beta = min(score+width, infinite)
		}
		if width > 1000 {
			alpha, beta = -infinite, infinite
		}
	}
}

// front brings one rootMove to the front, and leaves the others in order.
func front(all []rootMove, at int) {
	first := all[at]
	copy(all[1:at+1], all[:at])
	all[0] = first
}

// root searches the rootMoves once. It returns the best score, and the index of the move
// that has it, -1 if there is none.
func (s *search) root(all []rootMove, depth, alpha, beta int) (score, at int) {
	l := &s.stack
	score, at = -infinite, -1
	for i := range all {
		s.nodes++
		l.push(0, all[i].move)
		likes := s.likes(&all[i].move)
		n := node{depth: depth, alpha: less(alpha, likes), beta: less(beta, likes), pvNode: true, eval: 0}
		got := s.searchMove(&n, i, pick{noisy: i < 4})
		got = less(got, -likes)
		l.pop(0)
		if s.stopped {
			break
		}
		if got > score {
			score = got
			if got > alpha {
				alpha, at = got, i
				s.pv.stop(0)
				s.pv.put(0, all[i].move)
				all[i].score = got
				all[i].moves = append(all[i].moves[:0], s.pv.moves[0][:s.pv.end[0]]...)
			}
			if got >= beta {
				break
			}
		}
	}
	return score, at
}

// less is a score less what a move is liked beyond it; a mate is one however it is liked.
func less(score, likes int) int {
	if score >= mateBound || score <= -mateBound {
		return score
	}
	return score - likes
}
