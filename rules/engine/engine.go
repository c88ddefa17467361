// Package engine is the computer player: a search for the best move that works for every game of package rules, without
// knowing any of them by name.
//
// # Design
//
// [Search] is an alpha-beta search of the usual kind: iterative deepening, aspiration windows,
// principal variation search, a transposition table, quiescence, null moves, late move reductions,
// razoring and futility pruning. Moves are ordered by the table's move, captures, killer moves, and
// the history heuristic, by the move alone and after each of the two moves before, and by the squares.
// The search walks the tree with a [rules.Cursor] and needs only a game's rules; what else a game may
// know, such as the position after a null move, is optional.
//
// [Numbers] evaluate a position: they give the value of a piece, of its square and its moves, and of what pawns and kings
// are to it and to each other, for the opening and the ending. A game embeds its own numbers, learned by cmd/train. For
// a game without any, [Guess] makes them from the accepted values of its pieces. So a new game can be played at once.
//
// A [Level] plays like people who see little. It overlooks moves, the opponent's more than its own, and some mates in
// one, and misjudges positions. Its habits, to castle, to bring out pieces, not to take back its last move, weigh as
// much as its errors. How much it errs is in the game's numbers.
//
// A search without a time limit is a pure function of the position, the game's past and the limits.
// Nothing is carried over from one search to the next, unless [Limits.Keep] asks for it.
//
// Rejected: evaluations that the games keep up to date themselves, since updating a [rules.Setup] move by move is cheap
// enough; and static exchange evaluation, which has to know how pieces capture, or else to play all of it.
//
// # What was tried
//
// By sequential tests of 0 against +10 Elo, with errors of 5 %, at 3,000 nodes a move: Elo with 95 %, games, and the
// log-likelihood ratio, which accepts at 2.94 and rejects at -2.94. Tests with a ratio in between were given up.
//
//	kept     the table of the last move  chess +48 ± 24, 614, 2.99; stealth +41 ± 22, 926, 2.96
//	kept     quiet moves ordered by      chess +45 ± 23, 620, 2.96; stealth +43 ± 22, 756, 3.00; of 200 games each
//	         their squares, too          knightmare +5 ± 42, combine +19 ± 45, brigade +35 ± 45, combination
//	                                     +40 ± 33, combine-free +17 ± 47; chess at 20,000 nodes +45 ± 58, 100,
//	                                     no gain against Fairy-Stockfish, 200 games each: at 5,000 25.0 % ± 5.1,
//	                                     before 29.2 % ± 5.6; at 2,500 54.0 % ± 6.8, before 49.0 % ± 7.0; in more
//	                                     games at 5,000 32.1 % ± 4.1, 400, at 2,500 59.4 % ± 3.3, 800
//	kept     the mobility of whoever is  chess +60 ± 27, 464, 2.95; of 200 games each or more stealth -13 ± 36,
//	         in check as it was before   combine -8 ± 34, knightmare +4 ± 18, combination +7 ± 24, brigade
//	                                     +22 ± 36, combine-free -1 ± 42: no gain but in chess, kept since checks
//	                                     in vain looked good by it; against Fairy-Stockfish at 5,000
//	                                     35.6 % ± 4.4, 400, at 2,500 57.5 % ± 6.6, 200
//	kept     terms for files, squares    chess +31 ± 18, 994, 2.98; stealth +58 ± 27, 584, 2.99: against numbers
//	         that pawns guard, kings     without these terms that were learned from the same games; no gain in
//	         and passed pawns            chess against Fairy-Stockfish at 5,000 36.2 % ± 3.9, 400
//	dropped  late moves pruned after     chess +14 ± 31, 300, and with these terms -21 ± 28, 400
//	         half as many
//	dropped  or half of those where the  chess -31 ± 36, 300
//	         position has not improved
//	open     null moves from depth 2     chess +12 ± 29, 300; from depth 1 -16 ± 32, 300: dropped
//	dropped  late moves reduced by half  chess -5 ± 33, 300; by one -33 ± 34, 300
//	         a ply more
//	dropped  king danger, by the square  chess +4 ± 13, 2000, -0.31; stealth -5 ± 19, 1000, -1.06;
//	         of the moves beside a king  combine +3 ± 20, 800, -0.18
//	dropped  quiet moves to guarded      chess -1 ± 40, 250, -0.16
//	         squares pruned to depth 4
//	open     or ordered later            chess +12 ± 16, 1300, 1.07; stealth +34 ± 29, 500, 1.38
//	dropped  captures weighed by what    chess +10 ± 31, 300, at half of the speed
//	         follows on their square
//	dropped  captures that are likely to chess -45 ± 40, 250, -1.23
//	         lose pruned at depths to 3
//	dropped  scores of the table for     chess -15 ± 36, 250, -0.59
//	         static evaluations
//	dropped  quiet checks at the first   chess -11 ± 42, 250, -0.36, and a third more time
//	         ply of quiescence
//	dropped  singular extensions from    chess -6 ± 12, 58, -3.06: few games differ
//	         depth 6
//	dropped  null moves verified from    chess -6 ± 12, 58, -3.06: few games differ
//	         depth 5
//	dropped  checks extended only beside chess -3 ± 19, 600, -0.91
//	         quiescence
//	open     captures ordered by their   chess +5 ± 13, 600, 0.05
//	         history, too
//	dropped  quiet moves with a bad      chess +1 ± 2, 386, -50.57: few games differ
//	         history pruned to depth 4
//	dropped  late moves reduced by 25 %  chess -36 ± 33, 300, -1.52
//	         more
//	open     or by 15 % less             chess +12 ± 34, 300, 0.22
//	dropped  or by a ply more where the  chess -6 ± 20, 300, -1.04
//	         position has not improved
//	dropped  or by history, ten times    chess +2 ± 15, 300, -0.47
//	         as much
//	dropped  or by a ply more to         chess -5 ± 22, 300, -0.74
//	         guarded squares
//	dropped  or by a ply more where a    chess -11 ± 18, 600, -1.90
//	         cut is expected
//	dropped  reverse futility easier by  chess -12 ± 37, 300, -0.47
//	         50 where it has improved
//	dropped  or by a score halfway to    chess +9 ± 7, 1468, 3.03; stealth -6 ± 12, 170, -2.96
//	         beta
//	dropped  moves of pieces that may be chess +0 ± 29, 300, -0.22
//	         captured first
//	dropped  evaluations corrected by    chess -33 ± 37, 150, -1.09; by 30 % of it +2 ± 14, 300, -0.55
//	         pawns and material
//	open     in check, one quiet move at chess +10 ± 26, 300, 0.31
//	         most in quiescence
//	dropped  a ply less where the table  chess, the same 300 games
//	         knows a shallow score only
//
// Numbers that thousands of games of each kind taught, at 3,000 nodes against those before: chess 56.3 % ± 5.4 (22,000
// games learned from, a match of 300), knightmare 63.0 % ± 6.5 (5,000, 200), and of 8,000 and 240 each combine
// 64.6 % ± 5.9, combine-free 71.0 % ± 4.9, stealth 57.9 % ± 5.7, brigade 61.5 % ± 5.3 and combination 56.9 % ± 4.5. These
// terms did not explain the games of chess any better and were left out: pieces that lesser ones attack, the first few
// moves of a piece, its distance from the enemy king, pawns guarded by pawns or beside them, blocked passed pawns, a side
// without pawns, the square of the moves beside a king, the number of pieces that make them, and squares of both wings
// apart.
//
// Sorting the root's moves by their nodes takes 5 to 7 % more nodes to depth 9. Asking Guarded only for the captures
// tried in quiescence gains no speed: -1 to +5 %. Evaluations divided by 32 bits, and moves listed where they are used,
// make BenchmarkSearch 2 to 3 % faster and the program not at all. Lazy evaluations that leave 20 centipawns for
// mobility instead of 40 save 2 % of the time, and at 3,000 nodes chess 49.9 % ± 3.8, brigade 48.2 % ± 3.8, combine
// 52.6 % ± 4.3 (400 each): not worth it.
//
// Not tried: the static evaluation in the table, which saves no nodes; an exchange evaluation that each game writes for
// itself.
package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"chimera/rules"
)

// ErrOver is returned for a game that has ended: there is no move to find.
var ErrOver = errors.New("the game is over")

// Limits say how long to search, and how well. The first limit reached ends the search; without any, it goes on until
// its context is done.
type Limits struct {
	Nodes int           // moves tried, 0 for any number
	Depth int           // plies, 0 for any number
	Time  time.Duration // by the clock, 0 for any; it makes results depend on the machine
	Level Level         // plays at that level; the zero Level at full strength
	Seed  uint64        // decides what a level overlooks and misjudges: one for each game
	Last  rules.Move    // the last move of the side to move, which a level avoids taking back
	Lines int           // how many of the best moves to find, 0 for one
	Taste Taste         // preferences beyond the evaluation
	// Keep has the Engine use what it remembers of its last search, which should be of the same game. The result then
	// depends on that search too. Levels remember nothing.
	Keep bool
	// Info, if not nil, is told the result after each depth, on the same goroutine.
	Info func(Result)
	// Yield, if not nil, is called some thousand times a second, on the same goroutine, so that a search in the background
	// can give way.
	Yield func()
}

// Score is how good a position is for the side to move: centipawns or, if Mate is not 0, the number of its own moves in
// which it mates, negative if it is mated. Taking a king counts as mate.
type Score struct{ Centipawns, Mate int }

// Line is a variation.
type Line struct {
	Moves []rules.Move // the best play of both sides, one move at least
	Score Score        // for the side to move
}

// Result is what a search has found.
type Result struct {
	Line
	Lines []Line // the best moves, the best first; the first is Line
	Depth int    // plies that were searched to their end
	Nodes int    // moves that were tried
}

// Move is the best move.
func (r Result) Move() rules.Move { return r.Moves[0] }

// Search finds the best move of a game. If ctx is done, it returns at once with the best found so far, always a legal
// move. The error is [ErrOver], or says what is wrong with the game's numbers. Without a time limit, and if ctx does
// not end, the same game and limits give the same result.
func Search(ctx context.Context, game rules.Game, limits Limits) (Result, error) {
	e, err := New(game.Position.Variant())
	if err != nil {
		return Result{}, err
	}
	return e.Search(ctx, game, limits)
}

// Engine searches games of one variant one after another, and reuses its memory, though none of its results without
// [Limits.Keep]. It is not safe for concurrent use.
type Engine struct{ search *search }

// New is an engine for a game, with the game's own numbers. It uses about four megabytes of memory, and up to 16 more
// after long searches. The error says what is wrong with the numbers.
func New(v *rules.Variant) (*Engine, error) {
	n, err := NumbersOf(v)
	if err != nil {
		return nil, err
	}
	return WithNumbers(v, n), nil
}

// WithNumbers is an engine for a game with the given numbers.
func WithNumbers(v *rules.Variant, n *Numbers) *Engine {
	s := &search{variant: v}
	s.stack.evaluator = newEvaluator(v, n)
	return &Engine{s}
}

// Search is [Search] for a game of the engine's variant.
func (e *Engine) Search(ctx context.Context, game rules.Game, limits Limits) (Result, error) {
	if game.Closed() {
		return Result{}, ErrOver
	}
	if n, ok := limits.Level.Number(); ok {
		limits = atLevel(limits, e.search.stack.Ladder[n], game)
	}
	s := e.search
	s.begin(ctx, game, limits)
	return s.deepenIteratively(limits), nil
}

// usualMoves is an ordinary number of legal moves.
const usualMoves = 50

// atLevel are the limits of a level, within the given ones.
func atLevel(l Limits, level Strength, game rules.Game) Limits {
	if level.Nodes > 0 {
		// With many moves, a node takes longer. But each move gets some nodes.
		moves := len(game.Position.Moves())
		l.Nodes = least0(l.Nodes, level.Nodes*usualMoves/max(moves, usualMoves)+5*moves)
	}
	l.Depth = least0(l.Depth, level.Depth)
	return l
}

// least0 is the lower of two limits; 0 is no limit.
func least0(a, b int) int {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// begin prepares a search.
func (s *search) begin(ctx context.Context, game rules.Game, limits Limits) {
	s.nodes, s.limit, s.stopped = 0, limits.Nodes, false
	s.done, s.yield = ctx.Done(), limits.Yield
	s.deadline = time.Time{}
	if limits.Time > 0 {
		s.deadline = time.Now().Add(limits.Time)
	}
	s.past = game.Past
	s.pastCounts = [len(s.pastCounts)]pastCount{}
	s.order.reset()
	nodes := limits.Nodes
	if limits.Depth > 0 && limits.Depth <= 2 {
		nodes = least0(nodes, 1000)
	}
	keep := limits.Keep && s.fault == (fault{}) && limits.Level == (Level{})
	s.table.resize(nodes, keep)
	s.stack.start(game)
	s.fault, s.taste = fault{}, limits.Taste
	if n, ok := limits.Level.Number(); ok {
		s.fault = fault{s.stack.Ladder[n], mix(limits.Seed ^ game.Position.Key()), limits.Last}
	}
}

// rootMove is a legal move of the root.
type rootMove struct {
	move  rules.Move
	score int // from the last search in which it was best, else -infinite
	moves []rules.Move
}

// deepenIteratively searches one depth after the other until a limit is reached.
func (s *search) deepenIteratively(limits Limits) Result {
	all := s.rootMoves()
	lines := min(max(limits.Lines, 1), len(all))
	first := Line{Moves: []rules.Move{all[0].move}}
	result := Result{Line: first, Lines: []Line{first}}
	for depth := 1; depth <= least0(maxPly/2, limits.Depth); depth++ {
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
		if mate := max(result.Score.Mate, -result.Score.Mate); 0 < mate && 2*mate <= depth && limits.Lines <= 1 { // a deeper search would find it again
			break
		}
	}
	return result
}

// mateInTwo brings a move that mates in two to the front, if there is one, by a search without pruning: pruning by
// evaluation overlooks such a move if it gives up much. It tries about as many moves as the square of the number of
// rootMoves.
func (s *search) mateInTwo(all []rootMove) {
	s.bruteForce = true
	if _, at := s.root(all, 3, mateBound, infinite); at >= 0 {
		front(all, at)
	}
	s.bruteForce = false
}

// report puts the best rootMoves into the result.
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

// rootMoves are the legal moves in their initial order.
func (s *search) rootMoves() []rootMove {
	moves := s.stack.cursor.Moves()
	picks := s.survey(0, moves)
	all := make([]rootMove, 0, len(moves))
	for {
		p, ok := s.next(0, &picks, moves)
		if !ok && len(all) == 0 { // the player has overlooked every move
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
		if !s.aspirationWindow(all[n:], depth, all[n].score) {
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

// less subtracts a move's bonus from its score, unless that is a mate.
func less(score, likes int) int {
	if score >= mateBound || score <= -mateBound {
		return score
	}
	return score - likes
}
