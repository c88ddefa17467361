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
	One      string   `default:"nodes=1000" help:"The first player: level=N, nodes=N, depth=N, keep, taste=N,N,N,N, guess, numbers=FILE, in any mixture; random; uci=COMMAND."`
	Other    string   `default:"guess nodes=1000" help:"The second."`
	Openings int      `default:"50" help:"Random openings, each played with both colors."`
	Seed     uint64   `default:"1" help:"What the openings follow from."`
	SPRT     float64  `name:"sprt" placeholder:"ELO" help:"Stop when a sequential test tells, with an error of 5 %, whether the first is stronger by that much or not at all."`
}

// Run plays the matches.
func (m *match) Run(ctx context.Context, out io.Writer) error {
	return eachGame(m.Games, func(v *rules.Variant) error {
		test := ""
		result, err := contest(ctx, v, v.Key, m.One, m.Other, m.Openings, m.Seed, func(t *tally) (enough bool) {
			if m.SPRT != 0 {
				test, enough = t.sequentialTest(m.SPRT)
			}
			return enough
		})
		if err == nil {
			fmt.Fprintf(out, "%-13s %s v %s: %s%s\n", v.Key, m.One, m.Other, result, test)
		}
		return err
	})
}

// contest plays a duel between two described players, and returns its tally and what the first one's moves cost, if
// known.
func contest(ctx context.Context, v *rules.Variant, what, first, second string, openings int, seed uint64, enough func(*tally) bool) (string, error) {
	one, err := newPlayer(v, first)
	if err != nil {
		return "", err
	}
	other, err := newPlayer(v, second)
	if err != nil {
		return "", err
	}
	t, err := duel(ctx, v, what, one, other, openings, seed, enough)
	if s, ok := one.(*searcher); ok {
		return t.String() + "; the first takes " + s.cost.String(), err
	}
	return t.String(), err
}

type levels struct {
	Games    []string `arg:"" optional:"" name:"game" help:"Games, by key (default: all)."`
	From     int      `default:"0" help:"The lowest level to be tried."`
	To       int      `default:"8" help:"The highest."`
	Openings int      `default:"30" help:"Random openings, each played with both colors."`
	Seed     uint64   `default:"1" help:"What the openings follow from."`
	Mark     float64  `help:"Per cent: stop a match when it is clear, by 95 %, that its score is above or below (default: play all)."`
	Fit      bool     `help:"Find levels at even steps instead, and write them with the game's numbers to GAME.txt."`
	Rounds   int      `default:"2" help:"With --fit: rounds of matches of each level with the one below, besides those that the work folder has."`
	Top      int      `default:"100000" help:"With --fit: nodes of the highest level."`
	Work     string   `default:"train" help:"With --fit: the folder that matches are kept in and that GAME.txt is written to."`
}

// Run prints a line for each level of each game: its score against the level below, for level 0 against random moves,
// and what its moves cost.
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

// step plays a level against the one below, or random moves.
func (l *levels) step(ctx context.Context, out io.Writer, v *rules.Variant, level int) error {
	below := "random"
	if level > 0 {
		below = fmt.Sprintf("level=%d", level-1)
	}
	what := fmt.Sprintf("%s, level %d", v.Key, level)
	result, err := contest(ctx, v, what, fmt.Sprintf("level=%d", level), below, l.Openings, l.Seed, func(t *tally) bool {
		return l.Mark > 0 && t.clear(l.Mark/100)
	})
	if err == nil {
		fmt.Fprintf(out, "%-13s %d:%d %s\n", v.Key, level, level-1, result)
	}
	return err
}

// eachGame calls do for the named games, or all.
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
