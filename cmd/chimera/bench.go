package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"chimera/cmd/internal/progress"
	"chimera/rules"
	"chimera/rules/engine"
	"chimera/rules/variants"
)

type bench struct {
	Variant   string `placeholder:"GAME" help:"One game, by its key (default: all)."`
	Nodes     int    `default:"100000" help:"Nodes for each position: as level 8 searches."`
	Positions int    `default:"12" help:"Positions of random games."`
}

// Validate says what is wrong with the flags.
func (b *bench) Validate() error {
	if b.Nodes < 1 || b.Positions < 1 {
		return fmt.Errorf("nodes and positions are 1 or more, not %d and %d", b.Nodes, b.Positions)
	}
	return nil
}

// Run searches positions of each game, always the same, and prints how fast that was by
// the time of the processor.
func (b *bench) Run(ctx context.Context, std streams) error {
	games := variants.All()
	if b.Variant != "" {
		pos, err := position{Variant: b.Variant}.find()
		if err != nil {
			return err
		}
		games = []*rules.Variant{pos.Variant()}
	}
	fmt.Fprintf(std.out, "%-13s %10s %10s %7s %10s\n", "game", "nodes", "nodes/s", "depth", "ms/move")
	shown := progress.Count(std.err, "searching", len(games)*b.Positions)
	defer shown.End()
	for i, v := range games {
		line, err := b.game(ctx, v, func(n int) { shown.Set(i*b.Positions + n) })
		if err != nil {
			return err
		}
		fmt.Fprintln(std.out, line)
	}
	return nil
}

func (b *bench) game(ctx context.Context, v *rules.Variant, done func(int)) (string, error) {
	e, err := engine.New(v)
	if err != nil {
		return "", err
	}
	var spent time.Duration
	nodes, depth, positions := 0, 0, 0
	for seed := uint64(1); positions < b.Positions; seed++ {
		game, err := beginning(v, seed)
		if err != nil {
			return "", err
		}
		before := progress.ProcessorTime()
		result, err := e.Search(ctx, game, engine.Limits{Nodes: b.Nodes})
		if err != nil || result.Score.Mate != 0 {
			continue // over, or as good as that
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		spent += progress.ProcessorTime() - before
		nodes, depth, positions = nodes+result.Nodes, depth+result.Depth, positions+1
		done(positions)
	}
	each := float64(positions)
	return fmt.Sprintf("%-13s %10d %10.0f %7.1f %10.1f", v.Key, nodes, float64(nodes)/spent.Seconds(),
		float64(depth)/each, spent.Seconds()*1000/each), nil
}

// beginning is a game after some random moves, which follow from the seed.
func beginning(v *rules.Variant, seed uint64) (rules.Game, error) {
	source := rand.New(rand.NewPCG(seed, 4))
	pos, err := v.Position("")
	game := rules.NewGame(pos)
	for plies := 6 + source.IntN(20); plies > 0 && err == nil && !game.Outcome().Over(); plies-- {
		moves := game.Position.Moves()
		game, err = game.Play(moves[source.IntN(len(moves))])
	}
	return game, err
}
