package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"chimera/rules"
	"chimera/rules/variants"
)

type match struct {
	Games    []string `arg:"" optional:"" name:"game" help:"Games, by key (default: all)."`
	One      string   `default:"nodes=1000" help:"The first player: level=N, nodes=N, depth=N, guess, numbers=FILE, in any mixture; random; uci=COMMAND."`
	Other    string   `default:"guess nodes=1000" help:"The second."`
	Openings int      `default:"50" help:"Random openings, each played with both colors."`
	Seed     uint64   `default:"1" help:"What the openings follow from."`
}

// Run plays the matches.
func (m *match) Run(ctx context.Context, out io.Writer) error {
	return eachGame(m.Games, func(v *rules.Variant) error {
		one, err := newPlayer(v, m.One)
		if err != nil {
			return err
		}
		other, err := newPlayer(v, m.Other)
		if err != nil {
			return err
		}
		bar := show(v.Key, 2*m.Openings)
		t, err := duel(ctx, v, one, other, m.Openings, m.Seed, counting(bar))
		_ = bar.Clear()
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%-13s %s v %s: %s%s\n", v.Key, m.One, m.Other, t, costOf(one))
		return nil
	})
}

// costOf is what the moves of a player have cost, if it tells.
func costOf(p player) string {
	if s, ok := p.(*searcher); ok {
		return "; the first takes " + s.cost.String()
	}
	return ""
}

type levels struct {
	Games    []string `arg:"" optional:"" name:"game" help:"Games, by key (default: all)."`
	From     int      `default:"1" help:"The lowest level to be tried."`
	To       int      `default:"8" help:"The highest."`
	Openings int      `default:"30" help:"Random openings, each played with both colors."`
	Seed     uint64   `default:"1" help:"What the openings follow from."`
	Mark     float64  `help:"Per cent: stop a match when it is clear, by 95 %, that its score is above or below (default: play all)."`
	Fit      bool     `help:"Find levels at even steps instead, and write them with the game's numbers to GAME.txt."`
	Rounds   int      `default:"2" help:"With --fit: rounds of matches of each level with the one below, besides those that the work folder has."`
	Top      int      `default:"100000" help:"With --fit: nodes of the highest level."`
	Work     string   `default:"train" help:"With --fit: the folder that matches are kept in and that GAME.txt is written to."`
}

// Run prints a line for each level of each game: its score against the one below, or of level 1
// against random moves, and what its moves cost.
func (l *levels) Run(ctx context.Context, out io.Writer) error {
	if l.Fit {
		return l.fit(ctx, out)
	}
	return eachGame(l.Games, func(v *rules.Variant) error {
		for level := l.From; level <= l.To; level++ {
			if err := l.step(ctx, out, v, level); err != nil {
				return err
			}
		}
		return nil
	})
}

// step lets a level play the one below, or random moves.
func (l *levels) step(ctx context.Context, out io.Writer, v *rules.Variant, level int) error {
	one, err := newPlayer(v, fmt.Sprintf("level=%d", level))
	if err != nil {
		return err
	}
	below := "random"
	if level > 1 {
		below = fmt.Sprintf("level=%d", level-1)
	}
	other, err := newPlayer(v, below)
	if err != nil {
		return err
	}
	bar := show(fmt.Sprintf("%s, level %d", v.Key, level), 2*l.Openings)
	t, err := duel(ctx, v, one, other, l.Openings, l.Seed, func(t *tally) bool {
		_ = bar.Add(1)
		return l.Mark > 0 && t.clear(l.Mark/100)
	})
	_ = bar.Clear()
	if err == nil {
		fmt.Fprintf(out, "%-13s %d:%d %s%s\n", v.Key, level, level-1, t, costOf(one))
	}
	return err
}

// eachGame does something with the games that are named, or with all.
func eachGame(named []string, do func(*rules.Variant) error) error {
	games := variants.All()
	if len(named) > 0 {
		games = nil
		for key := range strings.SplitSeq(strings.Join(named, ","), ",") {
			v, err := variants.Named(key)
			if err != nil {
				return err
			}
			games = append(games, v)
		}
	}
	for _, v := range games {
		if err := do(v); err != nil {
			return fmt.Errorf("%s: %w", v.Key, err)
		}
	}
	return nil
}
