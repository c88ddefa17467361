package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"time"

	"chimera/cmd/internal/progress"
	"chimera/rules"
	"chimera/rules/engine"
)

// player finds moves. It plays one game after another.
type player interface {
	// move is its move in a game that is not over.
	move(ctx context.Context, c *course) (rules.Move, error)
}

// course is a game so far.
type course struct {
	seed       uint64 // one for each opening
	start, now rules.Game
	moves      []rules.Move // from start to now
}

// searcher is a player that searches.
type searcher struct {
	engine *engine.Engine
	limits engine.Limits
	cost   cost
}

// cost is the effort spent on moves.
type cost struct {
	moves, nodes int
	spent        time.Duration // of the processor
}

func (c *cost) String() string {
	moves := max(c.moves, 1)
	return fmt.Sprintf("%d nodes and %.1f ms a move", c.nodes/moves, float64(c.spent.Microseconds())/1000/float64(moves))
}

func (s *searcher) move(ctx context.Context, c *course) (rules.Move, error) {
	limits := s.limits
	limits.Seed = c.seed
	limits.Keep = limits.Keep && len(c.moves) > 1 // its last search was in this game
	if n := len(c.moves); n > 1 {
		limits.Last = c.moves[n-2]
	}
	begun := progress.ProcessorTime()
	result, err := s.engine.Search(ctx, c.now, limits)
	if err != nil {
		return rules.Move{}, err
	}
	s.cost.spent += progress.ProcessorTime() - begun
	s.cost.moves++
	s.cost.nodes += result.Nodes
	return result.Move(), ctx.Err()
}

// random is a player that makes random moves.
type random struct{ source *rand.Rand }

func newRandom() *random { return &random{rand.New(rand.NewPCG(1, 2))} }

func (r *random) move(_ context.Context, c *course) (rules.Move, error) {
	moves := c.now.Position.Moves()
	return moves[r.source.IntN(len(moves))], nil
}

// newPlayer makes the player described by a text: words such as "level=3", "nodes=1000", "depth=2", "keep" to remember
// earlier searches of a game, "taste=30,0,0,0" (gain, attack, growth and exchange), and "guess" or "numbers=FILE" for
// numbers other than the game's own; or "random"; or "uci=COMMAND" for another program, where COMMAND is the rest of
// the text.
func newPlayer(v *rules.Variant, text string) (player, error) {
	if command, ok := strings.CutPrefix(text, "uci="); ok {
		return startProgram(v, command)
	}
	limits := engine.Limits{}
	var numbers *engine.Numbers
	for word := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(word, "=")
		var err error
		switch name {
		case "random":
			return newRandom(), nil
		case "level":
			var n int
			n, err = strconv.Atoi(value)
			limits.Level = engine.AtLevel(n)
		case "nodes":
			limits.Nodes, err = strconv.Atoi(value)
		case "keep":
			limits.Keep = true
		case "taste":
			_, err = fmt.Sscanf(value, "%d,%d,%d,%d", &limits.Taste.Gain, &limits.Taste.Attack, &limits.Taste.Growth, &limits.Taste.Exchange)
		case "depth":
			limits.Depth, err = strconv.Atoi(value)
		case "guess":
			numbers = engine.Guess(v)
		case "numbers":
			numbers, err = readNumbers(v, value)
		default:
			err = fmt.Errorf("a player is level=, nodes=, depth=, keep, taste=, guess, numbers=, random or uci=, not %q", word)
		}
		if err != nil {
			return nil, err
		}
	}
	if limits.Level == (engine.Level{}) && limits.Nodes == 0 && limits.Depth == 0 {
		limits.Nodes = 1000
	}
	if numbers != nil {
		return &searcher{engine: engine.WithNumbers(v, numbers), limits: limits}, nil
	}
	e, err := engine.New(v)
	return &searcher{engine: e, limits: limits}, err
}

func readNumbers(v *rules.Variant, file string) (*engine.Numbers, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return engine.ReadNumbers(v, string(text))
}
