package engine

import (
	"math"
	"time"

	"chimera/rules"
)

// Scores, in centipawns. A mate in n plies from the root is mate-n.
const (
	mate      = 30_000
	mateBound = mate - 2*maxPly
	infinite  = mate + 1
	maxEval   = mateBound - 1_000
)

// search is one search, and the memory that searches use one after another.
type search struct {
	variant    *rules.Variant
	stack      stack
	order      order
	table      table
	pv         principalVariation
	past       []uint64
	pastCounts [1 << 12]pastCount
	fault      fault // the errors of a weak player
	taste      Taste
	bruteForce bool // without quiescence, table and any pruning that may change a score

	nodes, limit int
	deadline     time.Time
	done         <-chan struct{}
	yield        func()
	stopped      bool
}

// principalVariation is the best play found below each ply.
type principalVariation struct {
	moves [maxPly + 1][maxPly + 1]rules.Move
	end   [maxPly + 2]int
}

func (p *principalVariation) stop(ply int) { p.end[ply] = ply }

func (p *principalVariation) put(ply int, m rules.Move) {
	p.moves[ply][ply] = m
	end := max(p.end[ply+1], ply+1)
	copy(p.moves[ply][ply+1:end], p.moves[ply+1][ply+1:end])
	p.end[ply] = end
}

// over reports whether the search has to end.
func (s *search) over() bool {
	if s.stopped {
		return true
	}
	if s.limit > 0 && s.nodes >= s.limit {
		s.stopped = true
		return true
	}
	if s.nodes&255 == 255 && s.yield != nil {
		s.yield()
	}
	if s.nodes&1023 == 1023 {
		select {
		case <-s.done:
			s.stopped = true
		default:
			s.stopped = !s.deadline.IsZero() && !time.Now().Before(s.deadline)
		}
	}
	return s.stopped
}

// evaluate is the static evaluation at ply, with the errors of a weak player.
func (s *search) evaluate(ply int) int { return s.seen(ply, s.stack.evaluate(ply)) }

// lazyEvaluate is a lower bound of evaluate that seldom fails, and needs no survey of the moves.
func (s *search) lazyEvaluate(ply int) int { return s.seen(ply, s.stack.lazyEvaluate(ply)) }

// seen is a score of the position at ply as this player judges it: faded and with its errors.
func (s *search) seen(ply, score int) int {
	v := &s.stack.frames[ply]
	score = fade(score, v.setup.HalfMoves) + s.fault.error(v.key)
	return min(max(score, -maxEval), maxEval)
}

// fade makes a score smaller the longer nothing has been captured and no pawn has moved, so
// that who is winning gets on with it.
func fade(score, halfMoves int) int { return score * (200 - min(halfMoves, 100)) / 200 }

// negamax searches a position below the root to a depth in plies, from alpha to beta. The
// score is from the mover's side, and may lie outside of alpha and beta.
func (s *search) negamax(depth, ply, alpha, beta int) int {
	l := &s.stack
	v := &l.frames[ply]
	s.pv.stop(ply)
	if s.over() || s.drawn(ply) {
		return 0
	}
	if depth <= 0 || ply >= maxPly-1 {
		return s.quiescence(ply, 0, alpha, beta)
	}
	if alpha, beta = max(alpha, ply-mate), min(beta, mate-ply-1); alpha >= beta {
		return alpha
	}
	pvNode := beta-alpha > 1
	e, hit := s.table.get(v.key, ply)
	if hit && !pvNode && int(e.depth) >= depth && e.cuts(alpha, beta) && !s.bruteForce {
		return int(e.score)
	}
	if !pvNode && depth <= 6 && s.allowsStaticPruning(v, beta) {
		if score := s.lazyEvaluate(ply) - futilityMargin(depth); score >= beta {
			return score
		}
	}
	moves := l.cursor.Moves()
	if len(moves) == 0 {
		return s.terminal(ply)
	}
	n := node{ply: ply, depth: depth, alpha: alpha, beta: beta, pvNode: pvNode, moves: moves, picker: s.survey(ply, moves)}
	n.first = int(e.move)
	if n.eval = -infinite; !v.checked {
		n.eval = s.evaluate(ply)
		if !pvNode && !s.bruteForce {
			if score, ok := s.prune(&n); ok {
				return score
			}
		}
	}
	if depth >= 4 && !hit && !s.bruteForce {
		n.depth-- // nothing is known of it yet: internal iterative reduction
	}
	return s.try(&n)
}

// allowsStaticPruning reports whether the position may be cut off by its static evaluation alone:
// not in check, and not where a mate is searched for.
func (s *search) allowsStaticPruning(v *frame, beta int) bool {
	return !s.bruteForce && !v.checked && v.kings[v.setup.Turn&1] != 0 && beta < mateBound && beta > -mateBound
}

// cuts reports whether the score is enough for a search from alpha to beta.
func (e entry) cuts(alpha, beta int) bool {
	return e.bound == exact || e.bound == lower && int(e.score) >= beta || e.bound == upper && int(e.score) <= alpha
}

// node is a position of the tree as it is searched.
type node struct {
	ply, depth  int
	alpha, beta int
	pvNode      bool // there may be an exact score
	eval        int  // without a move; -infinite in check
	moves       []rules.Move
	picker
}

// prune ends a node without trying its moves: by razoring, by reverse futility, or by a null move,
// if the position is so good that passing the turn still fails high. Without pieces (phase 0), where
// zugzwang is common, no null move is tried.
func (s *search) prune(n *node) (int, bool) {
	if n.beta >= mateBound || n.beta <= -mateBound {
		return 0, false
	}
	if n.eval < n.beta {
		return s.razor(n)
	}
	if n.depth <= 6 && n.eval-futilityMargin(n.depth) >= n.beta {
		return n.eval, true
	}
	l := &s.stack
	v := &l.frames[n.ply]
	if n.depth < 3 || v.passed || v.phase == 0 || s.fault.Blind > 0 {
		return 0, false
	}
	l.pass(n.ply)
	s.nodes++
	less := 3 + n.depth/3 + min((n.eval-n.beta)/200, 3)
	score := -s.negamax(n.depth-less, n.ply+1, -n.beta, 1-n.beta)
	l.pop(n.ply)
	if s.stopped || score < n.beta {
		return 0, s.stopped
	}
	return min(score, mateBound), true
}

// razor ends a node whose position is so bad that only captures could save it, unless quiescence
// finds that they do.
func (s *search) razor(n *node) (int, bool) {
	if n.depth > 3 || n.eval+100+200*n.depth > n.alpha {
		return 0, false
	}
	if score := s.quiescence(n.ply, 0, n.alpha, n.beta); score <= n.alpha || s.stopped {
		return score, true
	}
	first := n.first // quiescence has used up the picks
	n.picker = s.survey(n.ply, n.moves)
	n.first = first
	return 0, false
}

// futilityMargin is by how much a search of a depth is not expected to change the evaluation.
func futilityMargin(depth int) int { return 90 * depth }

// try tries the moves of a node.
func (s *search) try(n *node) int {
	l := &s.stack
	top, topMove, start := -infinite, uint16(noMove), n.alpha
	for tried := 0; ; {
		p, ok := s.next(n.ply, &n.picker, n.moves)
		if !ok {
			break
		}
		m := n.moves[p.index]
		if s.overlooks(n.ply, &m) {
			continue
		}
		if top > -mateBound && !p.noisy && s.quietsFutile(n) {
			n.skipQuiets = true
			continue
		}
		s.nodes++
		l.push(n.ply, m)
		score := s.searchMove(n, tried, p)
		l.pop(n.ply)
		if s.stopped {
			return 0
		}
		tried++
		if score <= top {
			continue
		}
		top, topMove = score, p.index
		if score <= n.alpha {
			continue
		}
		n.alpha = score
		if n.pvNode {
			s.pv.put(n.ply, m)
		}
		if score >= n.beta {
			if !p.noisy {
				s.reward(n.ply, n.depth, m, n.moves, n.quiet[:n.quietDone-1])
			}
			break
		}
	}
	if top == -infinite { // it has overlooked every move
		return s.evaluate(n.ply)
	}
	if s.bruteForce {
		return top
	}
	s.table.put(l.frames[n.ply].key, n.ply, n.depth, top, topMove, boundOf(top, start, n.beta))
	return top
}

func boundOf(score, alpha, beta int) bound {
	switch {
	case score >= beta:
		return lower
	case score > alpha:
		return exact
	}
	return upper
}

// quietsFutile reports whether the quiet moves that are left can be skipped: by late move pruning
// after many of them, by futility pruning if the position is too bad for a quiet move.
func (s *search) quietsFutile(n *node) bool {
	if s.bruteForce || n.pvNode || n.eval == -infinite || n.depth > 6 || n.alpha >= mateBound {
		return false // a nearer mate may be a quiet move
	}
	return n.quietDone > 4+n.depth*n.depth*2 || n.depth <= 4 && n.eval+60+futilityMargin(n.depth) <= n.alpha
}

// searchMove searches the position after move number i of a node, which has been pushed: by principal
// variation search, with check extensions and late move reductions.
func (s *search) searchMove(n *node, i int, p pick) int {
	next := n.depth - 1
	if s.stack.frames[n.ply+1].checked && !s.bruteForce && n.ply < 2*s.stack.depth && (!p.noisy || p.score >= 0) {
		next++
	}
	if i == 0 || s.bruteForce {
		return -s.negamax(next, n.ply+1, -n.beta, -n.alpha)
	}
	reduced := next
	if n.depth >= 3 && (!p.noisy || p.score < 0) && i >= 3 && n.eval != -infinite && next < n.depth {
		reduced = next - s.reduction(n, i, p)
	}
	score := -s.negamax(reduced, n.ply+1, -n.alpha-1, -n.alpha)
	if score > n.alpha && reduced < next {
		score = -s.negamax(next, n.ply+1, -n.alpha-1, -n.alpha)
	}
	if score > n.alpha && score < n.beta {
		score = -s.negamax(next, n.ply+1, -n.beta, -n.alpha)
	}
	return score
}

// reductions are the factors, by depth and by the number of a move, of late move reductions.
var reductions = logarithms() //nolint:gochecknoglobals // built once, never written

func logarithms() (table [64]float64) {
	for i := 1; i < len(table); i++ {
		table[i] = math.Log(float64(i)) * 0.72
	}
	return table
}

// reduction is by how many plies a late quiet move is searched less deeply.
func (s *search) reduction(n *node, i int, p pick) int {
	by := int(reductions[min(n.depth, 63)] * reductions[min(i, 63)])
	if n.pvNode {
		by--
	}
	if !p.noisy {
		by -= int(p.score) / maxHistory
	}
	return min(max(by, 0), n.depth-2)
}
