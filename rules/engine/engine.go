package engine

import (
	"context"
	"errors"
	"time"

	"chimera/rules"
)

// ErrOver is returned for a game that has ended: there is no move to find.
var ErrOver = errors.New("the game is over")

// Limits say how long to search, and how well. Where there are several, the first that is
// reached counts; where there is none, the search goes on until its context is done.
type Limits struct {
	Nodes int           // moves tried, 0 for any number
	Depth int           // plies, 0 for any number
	Time  time.Duration // by the clock, 0 for any; it makes results depend on the machine
	Level Level         // plays as weakly as that; the zero Level as well as it can
	Seed  uint64        // decides what a level overlooks and misjudges: one for each game
	Last  rules.Move    // the last move of the side to move, which a level does not take back without need
	Lines int           // how many of the best moves to find, 0 for one
	Taste Taste         // what is liked beyond what it is worth
	// Info, if it is not nil, is told what has been found after each depth, by the same
	// goroutine.
	Info func(Result)
	// Yield, if it is not nil, is called some thousand times a second, likewise, so that a
	// search in the background can give way.
	Yield func()
}

// Score is how good a position is for the side to move: centipawns, or, where Mate is not
// 0, the number of its own moves in which it mates, negative if it is mated. A king that is
// taken counts as mate.
type Score struct{ Centipawns, Mate int }

// Line is one way to go on.
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

// Search finds the best move of a game. If ctx is done, it returns at once with what it has
// found so far; there is always a legal move. The error is [ErrOver], or says what is
// wrong with the game's numbers. Without a limit of time and with the same ctx left
// alone, the same game and limits give the same result.
func Search(ctx context.Context, game rules.Game, limits Limits) (Result, error) {
	e, err := New(game.Position.Variant())
	if err != nil {
		return Result{}, err
	}
	return e.Search(ctx, game, limits)
}

// Engine searches games of one variant one after another, and keeps its memory between
// them, though nothing of what it has found. It is not safe for concurrent use.
type Engine struct{ search *search }

// New is an engine for a game, which evaluates positions by the game's own numbers. It has
// about four megabytes of memory, and up to 16 more after long searches. The error says what is
// wrong with the numbers.
func New(v *rules.Variant) (*Engine, error) {
	n, err := NumbersOf(v)
	if err != nil {
		return nil, err
	}
	return WithNumbers(v, n), nil
}

// WithNumbers is an engine for a game that evaluates positions by the given numbers.
func WithNumbers(v *rules.Variant, n *Numbers) *Engine {
	s := &search{variant: v}
	s.stack.evaluator = newEvaluator(v, n)
	return &Engine{s}
}

// Search is [Search], of a game of the engine's variant.
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

// usualMoves is a number of legal moves that is nothing special.
const usualMoves = 50

// atLevel are the limits of a level, within those that were given.
func atLevel(l Limits, level Strength, game rules.Game) Limits {
	if level.Nodes > 0 {
		// With many moves, a node takes longer. But each move is looked at.
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

// begin makes everything ready for a search.
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
	s.table.resize(nodes)
	s.stack.start(game)
	s.fault, s.taste = fault{}, limits.Taste
	if n, ok := limits.Level.Number(); ok {
		s.fault = fault{s.stack.Ladder[n], mix(limits.Seed ^ game.Position.Key()), limits.Last}
	}
}
