package main

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chimera/rules"
	"chimera/rules/engine"
)

type whole struct {
	Games    []string `arg:"" optional:"" name:"game" help:"Games, by key (default: all)."`
	Rounds   int      `default:"6" help:"Rounds of self-play at most; they end with two that win nothing."`
	PerRound int      `default:"1200" help:"Games of self-play in a round."`
	Nodes    int      `default:"300" help:"Nodes for each of their moves."`
	Openings int      `default:"30" help:"Openings of each match of the report, each played with both colors."`
	Want     int      `default:"150" help:"Puzzles that the game shall have, with those that it has and that still are some."`
	Seed     uint64   `default:"1" help:"What all games follow from."`
	Work     string   `default:"train" help:"The folder that everything is kept in; run again, it goes on from what is there. What has been learned is GAME.txt there, and the puzzles are GAME-puzzles.txt."`
}

// Run learns numbers, fits levels to them, mines puzzles with them, and reports the gain.
func (c *whole) Run(ctx context.Context, out io.Writer) error {
	if err := os.MkdirAll(c.Work, 0o755); err != nil {
		return err
	}
	return eachGame(c.Games, func(v *rules.Variant) error {
		l := &learn{
			Rounds: c.Rounds, PerRound: c.PerRound, Nodes: c.Nodes, Openings: 40, MatchNodes: 400, Steps: 200, Lambda: 0.95, Trust: 0.5,
			Seed: c.Seed, Work: c.Work, Patience: 2,
		}
		if err := l.game(ctx, out, v); err != nil {
			return err
		}
		file := filepath.Join(c.Work, v.Key+".txt")
		n, err := readNumbers(v, file)
		if err != nil {
			return err
		}
		fair, err := (&odds{PerRound: 150, Nodes: c.Nodes, Seed: c.Seed, Work: c.Work}).games(ctx, v, n)
		if err != nil {
			return err
		}
		n.Scale = scaleOf(fair)
		if n, err = c.fitted(ctx, out, v, n); err != nil {
			return err
		}
		if err := write(file, v, n); err != nil {
			return err
		}
		learned := *v
		learned.Numbers = n.Text()
		if err := c.once(out, &learned, fmt.Sprintf("%d puzzles", c.Want), func(out io.Writer) error {
			return (&mine{Want: c.Want, Nodes: 200_000, Seed: c.Seed, Work: c.Work}).game(ctx, out, &learned)
		}); err != nil {
			return err
		}
		return c.report(ctx, out, v, &learned, file)
	})
}

// fitted are the numbers with levels fitted to them, unless that was done before.
func (c *whole) fitted(ctx context.Context, out io.Writer, v *rules.Variant, n *engine.Numbers) (*engine.Numbers, error) {
	file := filepath.Join(c.Work, v.Key+"-fitted.txt")
	if kept, err := readNumbers(v, file); err == nil {
		before := *kept
		if before.Ladder = n.Ladder; before.Text() == n.Text() {
			return kept, nil
		}
	} else if !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	learned := *v
	learned.Numbers = n.Text()
	ladder, err := (&levels{Openings: c.Openings, Seed: c.Seed, Rounds: 2, Top: 100_000, Work: c.Work}).ladder(ctx, out, &learned)
	if err != nil {
		return nil, err
	}
	n.Ladder = ladder
	return n, write(file, v, n)
}

// report prints how the new numbers play against the game's own, and how the new levels play against each other.
func (c *whole) report(ctx context.Context, out io.Writer, old, learned *rules.Variant, file string) error {
	for _, nodes := range []int{2_000, 20_000} {
		plays := fmt.Sprintf("nodes=%d", nodes)
		if err := c.once(out, learned, plays, func(out io.Writer) error {
			result, err := contest(ctx, old, old.Key+", new against old", "numbers="+file+" "+plays, plays, c.Openings, c.Seed+1<<40, nil)
			if err == nil {
				fmt.Fprintf(out, "%-13s new v old at %d nodes: %s\n", old.Key, nodes, result)
			}
			return err
		}); err != nil {
			return err
		}
	}
	steps := &levels{Openings: c.Openings, Seed: c.Seed}
	for level := range engine.Levels + 1 {
		if err := c.once(out, learned, fmt.Sprintf("level %d", level), func(out io.Writer) error {
			return steps.step(ctx, out, learned, level)
		}); err != nil {
			return err
		}
	}
	if err := c.once(out, learned, "manner", func(out io.Writer) error {
		return (&manner{To: 4, Each: 12, Judge: 4_000, Seed: c.Seed}).game(ctx, out, learned)
	}); err != nil {
		return err
	}
	return c.once(out, learned, "mates", func(out io.Writer) error {
		return (&mates{Player: fmt.Sprintf("level=%d", engine.Levels), Each: 20, Seed: 1_000}).row(ctx, out, learned)
	})
}

// part is a part of a report.
type part struct {
	Of   string `json:"of"`
	Text string `json:"text"`
}

// once prints a part of the report on a variant with new numbers: what do prints, or what it printed before for the same
// numbers, openings and seed.
func (c *whole) once(out io.Writer, learned *rules.Variant, of string, do func(io.Writer) error) error {
	file := filepath.Join(c.Work, learned.Key+"-report.jsonl")
	parts, err := readRecords[part](file)
	if err != nil {
		return err
	}
	of = fmt.Sprintf("%s, %d openings, seed %d, numbers %08x", of, c.Openings, c.Seed, crc32.ChecksumIEEE([]byte(learned.Numbers)))
	if i := slices.IndexFunc(parts, func(p part) bool { return p.Of == of }); i >= 0 {
		_, err := io.WriteString(out, parts[i].Text)
		return err
	}
	text := new(strings.Builder)
	if err := do(io.MultiWriter(out, text)); err != nil {
		return err
	}
	return appendRecord(file, part{of, text.String()})
}

// scaleOf is the number of centipawns by which the odds of winning grow by a factor of e: the value that makes the
// results of a round's games most likely.
func scaleOf(games []record) int32 {
	best, least := int32(engine.UsualScale), math.Inf(1)
	for by := int32(100); by <= 1_500; by += 10 {
		loss := 0.0
		for _, r := range games {
			for _, p := range r.Plies {
				if p.Score.Mate == 0 {
					is := 1 / (1 + math.Exp(-float64(p.Score.Centipawns)/float64(by)))
					loss -= (r.Points*math.Log(is) + (1-r.Points)*math.Log(1-is)) / float64(len(r.Plies))
				}
			}
		}
		if loss < least {
			best, least = by, loss
		}
	}
	return best
}

type odds struct {
	Games    []string `arg:"" optional:"" name:"game" help:"Games, by key (default: all)."`
	PerRound int      `default:"150" help:"Games of self-play."`
	Nodes    int      `default:"300" help:"Nodes for each of their moves."`
	Seed     uint64   `default:"1" help:"What all games follow from."`
	Work     string   `default:"train" help:"The folder that games are kept in."`
}

// Run prints, for each game, the number of centipawns by which the odds of winning grow by a factor of e.
func (c *odds) Run(ctx context.Context, out io.Writer) error {
	if err := os.MkdirAll(c.Work, 0o755); err != nil {
		return err
	}
	return eachGame(c.Games, func(v *rules.Variant) error {
		n, err := engine.NumbersOf(v)
		if err != nil {
			return err
		}
		games, err := c.games(ctx, v, n)
		if err == nil {
			fmt.Fprintf(out, "%-13s scale %d, by %d games\n", v.Key, scaleOf(games), len(games))
		}
		return err
	})
}

func (c *odds) games(ctx context.Context, v *rules.Variant, n *engine.Numbers) ([]record, error) {
	l := &learn{PerRound: c.PerRound, Nodes: c.Nodes, Seed: c.Seed, Work: c.Work}
	return l.selfPlay(ctx, v, n, 0)
}
