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
	for _, key := range keys(m.Games) {
		v, err := find(key)
		if err != nil {
			return err
		}
		one, err := newPlayer(v, m.One)
		if err != nil {
			return err
		}
		other, err := newPlayer(v, m.Other)
		if err != nil {
			return err
		}
		bar := show(key, 2*m.Openings)
		t, err := duel(ctx, v, one, other, m.Openings, m.Seed, func() { _ = bar.Add(1) })
		_ = bar.Clear()
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%-13s %s v %s: %s\n", key, m.One, m.Other, t)
	}
	return nil
}

type levels struct {
	Games    []string `arg:"" optional:"" name:"game" help:"Games, by key (default: all)."`
	From     int      `default:"1" help:"The lowest level to be tried."`
	To       int      `default:"8" help:"The highest."`
	Openings int      `default:"30" help:"Random openings, each played with both colors."`
	Seed     uint64   `default:"1" help:"What the openings follow from."`
}

// Run prints a row for each game: the score of level 1 against random moves, and of each
// other level against the one below.
func (l *levels) Run(ctx context.Context, out io.Writer) error {
	fmt.Fprintf(out, "%-13s", "")
	for level := l.From; level <= l.To; level++ {
		fmt.Fprintf(out, " %6s", fmt.Sprintf("%d:%d", level, level-1))
	}
	fmt.Fprintln(out)
	for _, key := range keys(l.Games) {
		v, err := find(key)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%-13s", key)
		for level := l.From; level <= l.To; level++ {
			t, err := l.step(ctx, v, level)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, " %4.0f %%", 100*t.score())
		}
		fmt.Fprintln(out)
	}
	return nil
}

// step lets a level play the one below, or random moves.
func (l *levels) step(ctx context.Context, v *rules.Variant, level int) (*tally, error) {
	one, err := newPlayer(v, fmt.Sprintf("level=%d", level))
	if err != nil {
		return nil, err
	}
	below := "random"
	if level > 1 {
		below = fmt.Sprintf("level=%d", level-1)
	}
	other, err := newPlayer(v, below)
	if err != nil {
		return nil, err
	}
	bar := show(fmt.Sprintf("%s, level %d", v.Key, level), 2*l.Openings)
	defer func() { _ = bar.Clear() }()
	return duel(ctx, v, one, other, l.Openings, l.Seed, func() { _ = bar.Add(1) })
}

// keys are those of the games that are named, or of all.
func keys(named []string) []string {
	if len(named) > 0 {
		return strings.Split(strings.Join(named, ","), ",")
	}
	var all []string
	for _, v := range variants.All() {
		all = append(all, v.Key)
	}
	return all
}
