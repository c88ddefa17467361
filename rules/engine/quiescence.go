package engine

import "chimera/rules"

const (
	deltaMargin = 120
	quietChecks = 6 // plies of quiescence in which all evasions of a check are searched
)

// quiescence evaluates a position once captures and other noisy moves have been played out, from
// alpha to beta. far is the number of plies since the main search ended.
func (s *search) quiescence(ply, far, alpha, beta int) int {
	s.pv.stop(ply)
	if s.over() {
		return 0
	}
	l := &s.stack
	v := &l.frames[ply]
	if ply > 0 && v.few && s.drawn(ply) {
		return 0
	}
	checked := v.checked && far < quietChecks && !s.bruteForce
	if !checked && !s.bruteForce && v.kings[v.setup.Turn&1] != 0 && beta < mateBound {
		if floor := s.lazyEvaluate(ply); floor >= beta {
			return floor
		}
	}
	e, hit := s.table.get(v.key, ply)
	if hit && beta-alpha == 1 && e.cuts(alpha, beta) && !s.bruteForce {
		return int(e.score)
	}
	moves := l.cursor.Moves()
	if len(moves) == 0 {
		return s.terminal(ply)
	}
	var picks picker
	if checked {
		picks = s.survey(ply, moves)
	} else {
		picks = s.surveyNoisy(ply, moves)
	}
	picks.first = int(e.move)
	top := -infinite
	if !checked {
		top = s.evaluate(ply)
		if top >= beta || ply >= maxPly-1 || s.bruteForce {
			return top
		}
	} else if ply >= maxPly-1 {
		return s.evaluate(ply)
	}
	return s.quiescenceMoves(ply, far, max(alpha, top), beta, top, checked, moves, &picks)
}

// quiescenceMoves tries the moves of a quiescence; top is the stand-pat score.
func (s *search) quiescenceMoves(ply, far, alpha, beta, top int, checked bool, moves []rules.Move, picks *picker) int {
	l := &s.stack
	stand, start, topMove := top, alpha, uint16(noMove)
	if !checked {
		need := alpha - stand - deltaMargin // that a capture be worth a try
		if alpha <= -mateBound {
			need = -infinite
		}
		if most := s.rateNoisy(ply, moves, picks, need); most > -infinite {
			top = max(top, stand+most+deltaMargin)
		}
	}
	for {
		fromTable := picks.stage == tableMove
		p, ok := s.next(ply, picks, moves)
		if !ok {
			break
		}
		m := moves[p.index]
		if !checked && (!fromTable || int(p.index) != picks.first) {
			gain := int(p.score-scoreNoisy) / 16
			if hope := stand + gain + deltaMargin; hope <= alpha && alpha > -mateBound {
				top = max(top, hope)
				break // the others gain less
			}
		}
		if s.overlooks(ply, &m) {
			continue
		}
		s.nodes++
		l.push(ply, m)
		score := -s.quiescence(ply+1, far+1, -beta, -alpha)
		l.pop(ply)
		if s.stopped {
			return 0
		}
		if score > top {
			top, topMove = score, p.index
			if score > alpha {
				alpha = score
				if beta-start > 1 {
					s.pv.put(ply, m)
				}
			}
			if score >= beta {
				break
			}
		}
	}
	if top == -infinite { // it has overlooked every way out
		return s.evaluate(ply)
	}
	s.table.put(l.frames[ply].key, ply, 0, top, topMove, boundOf(top, start, beta))
	return top
}
