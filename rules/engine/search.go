package engine

import (
	"math"
	"slices"
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

// search is one search, and the memory reused by the next.
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

// seen is a score of the position at ply as this player sees it: faded and with its errors.
func (s *search) seen(ply, score int) int {
	v := &s.stack.frames[ply]
	score = fade(score, v.setup.HalfMoves) + s.fault.error(v.key)
	return min(max(score, -maxEval), maxEval)
}

// fade reduces a score the longer nothing has been captured and no pawn has moved, so that the winning side makes
// progress.
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
		n.depth-- // internal iterative reduction: nothing is known of it yet
	}
	return s.try(&n)
}

// allowsStaticPruning reports whether static evaluation alone may cut the position off: not in check, and not when
// searching for a mate.
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

// razor ends a node whose position is so bad that only captures could save it, unless quiescence finds that they do.
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

// futilityMargin is the change of the evaluation that a search of a depth is not expected to exceed.
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

// quietsFutile reports whether the remaining quiet moves can be skipped: by late move pruning after many of them, by
// futility pruning if the position is too bad for a quiet move.
func (s *search) quietsFutile(n *node) bool {
	if s.bruteForce || n.pvNode || n.eval == -infinite || n.depth > 6 || n.alpha >= mateBound {
		return false // a nearer mate may be a quiet move
	}
	return n.quietDone > 4+n.depth*n.depth*2 || n.depth <= 4 && n.eval+60+futilityMargin(n.depth) <= n.alpha
}

// searchMove searches the position after move number i of a node, already pushed: by principal variation search, with
// check extensions and late move reductions.
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

// reduction is the number of plies by which a late quiet move is searched less deeply.
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
		picks.noisy = s.scan(ply, moves) // for rateNoisy
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
		need := alpha - stand - deltaMargin // the least gain for which a capture is worth trying
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

// drawable reports whether the past can draw the position at ply: not if a king is lost, or can be taken at once.
func (s *search) drawable(ply int) bool {
	v := &s.stack.frames[ply]
	moves := s.stack.cursor.Moves()
	status, king := s.stack.cursor.Status(len(moves)), v.kings[v.setup.Turn&1^1]
	lost := status == rules.Checkmate || status == rules.KingTaken || status == rules.Mated
	return !lost && !slices.ContainsFunc(moves, func(m rules.Move) bool { return king.Has(m.To) })
}

// repeated reports whether the position at ply has occurred before on the line below the root, or twice in the game.
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

// pastCount is how often a position occurred in the game before the root.
type pastCount struct {
	key   uint64
	times int
}

// inPast counts how often a position occurred in the game before the root. It computes the position's FEN key only once.
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

// entry is the transposition table's memory of a position. It keeps only a part of the key: two positions share it with
// a chance of one in 2^32 per lookup.
type entry struct {
	check uint32
	score int16
	move  uint16 // index among the legal moves, or noMove
	depth int8
	bound bound
}

// bound says what a score in the table means.
type bound uint8

const (
	unset bound = iota
	exact
	lower // the score is at least that
	upper // at most
)

const noMove = 1<<16 - 1

// table is a transposition table: two places for each key, a power of two in size.
type table struct {
	entries []entry
	mask    uint64
}

// resize makes the table large enough for a number of nodes, 0 meaning many. It empties the table or, to keep its
// entries if the size stays, lets them count less than new ones.
func (t *table) resize(nodes int, keep bool) {
	size := 1 << 10
	for size < 1<<20 && (nodes == 0 || size < nodes) {
		size *= 2
	}
	switch {
	case size > cap(t.entries):
		t.entries = make([]entry, size)
	case keep && size == len(t.entries):
		for i := range t.entries {
			t.entries[i].depth = max(t.entries[i].depth-3, 0)
		}
	default:
		t.entries = t.entries[:size]
		clear(t.entries)
	}
	t.mask = uint64(size - 1)
}

func (t *table) get(key uint64, ply int) (entry, bool) {
	for i := range uint64(2) {
		if e := t.entries[key&t.mask^i]; e.bound != unset && e.check == uint32(key>>32) {
			e.score = int16(mateFrom(int(e.score), -ply))
			return e, true
		}
	}
	return entry{move: noMove}, false
}

// put stores a score. Of the key's two places, it takes the one with the key or, if there is none, that of lesser
// depth.
func (t *table) put(key uint64, ply, depth, score int, move uint16, b bound) {
	e := &t.entries[key&t.mask]
	check := uint32(key >> 32)
	if e.bound != unset && e.check != check {
		if other := &t.entries[key&t.mask^1]; other.check == check || other.bound == unset || other.depth < e.depth {
			e = other
		}
	}
	if e.check == check && e.bound != unset {
		if move == noMove {
			move = e.move
		}
		if b != exact && int(e.depth) > depth+3 {
			return
		}
	}
	*e = entry{check, int16(mateFrom(score, ply)), move, int8(depth), b}
}

// mateFrom is a score with its mate, if it is one, counted from some plies further back. The table counts mates from
// the position itself, a search from the root.
func mateFrom(score, plies int) int {
	switch {
	case score >= mateBound:
		return score + plies
	case score <= -mateBound:
		return score - plies
	}
	return score
}
