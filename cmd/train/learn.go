package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"chimera/cmd/internal/progress"
	"chimera/rules"
	"chimera/rules/engine"
)

type learn struct {
	Games       []string `arg:"" optional:"" name:"game" help:"Games, by key (default: all)."`
	Rounds      int      `default:"2" help:"Rounds of self-play, each with the best numbers so far."`
	PerRound    int      `default:"350" help:"Games of self-play in a round."`
	Nodes       int      `default:"200" help:"Nodes for each of their moves."`
	Openings    int      `default:"40" help:"Openings of the match that decides, each played with both colors."`
	MatchNodes  int      `default:"400" help:"Nodes for each move of that match."`
	Steps       int      `default:"200" help:"Steps of the regression."`
	Lambda      float64  `default:"0.95" help:"How much of what a position is to be judged as is what comes later, ply by ply."`
	Trust       float64  `default:"0.5" help:"How much a position counts; those of one game are much alike."`
	Seed        uint64   `default:"1" help:"What all games follow from."`
	Work        string   `default:"train" help:"The folder that games and numbers are kept in; run again, learning goes on from what is there."`
	Out         string   `help:"The folder to write what has been learned to, as GAME.txt (default: the work folder)."`
	Patience    int      `help:"End after that many rounds that win nothing (default: play all)."`
	FromGuesses bool     `help:"Start from what players count pieces as, and not from the game's numbers."`
}

// Run trains one game after another.
func (l *learn) Run(ctx context.Context, out io.Writer) error {
	if err := os.MkdirAll(l.Work, 0o755); err != nil {
		return err
	}
	return eachGame(l.Games, func(v *rules.Variant) error { return l.game(ctx, out, v) })
}

// game trains one game.
func (l *learn) game(ctx context.Context, out io.Writer, v *rules.Variant) error {
	best, err := engine.NumbersOf(v)
	if err != nil {
		return err
	}
	if l.FromGuesses {
		ladder := best.Ladder
		best = engine.Guess(v)
		best.Ladder = ladder
	}
	start := best
	var samples []sample
	vain := 0 // unsuccessful rounds in a row
	for round := 1; round <= l.Rounds; round++ {
		games, err := l.selfPlay(ctx, v, best, round)
		if err != nil {
			return err
		}
		for _, r := range games {
			more, err := samplesOf(v, start, r, l.Lambda)
			if err != nil {
				return err
			}
			samples = append(samples, more...)
		}
		before := best.Text()
		if best, err = l.decide(ctx, out, v, start, best, samples, round); err != nil {
			return err
		}
		if vain++; best.Text() != before {
			vain = 0
		}
		if l.Patience > 0 && vain == l.Patience {
			break
		}
	}
	return write(filepath.Join(cmp.Or(l.Out, l.Work), v.Key+".txt"), v, best)
}

// selfPlay are a round's games, playing those still missing; the games of round 0 are played to their ends.
func (l *learn) selfPlay(ctx context.Context, v *rules.Variant, n *engine.Numbers, round int) ([]record, error) {
	file := l.file(v, round, "games.jsonl")
	games, err := readRecords[record](file)
	if err != nil {
		return nil, err
	}
	e := engine.WithNumbers(v, n)
	bar := progress.Count(os.Stderr, fmt.Sprintf("%s %d: self-play", v.Key, round), l.PerRound)
	bar.Set(len(games))
	for i := len(games); i < l.PerRound; i++ {
		r, err := selfPlay(ctx, v, e, l.Nodes, l.Seed+uint64(round)<<32+uint64(i), round == 0)
		if err != nil {
			return nil, err
		}
		if err := appendRecord(file, r); err != nil {
			return nil, err
		}
		games = append(games, r)
		bar.Add()
	}
	bar.End()
	return games, nil
}

// decide fits numbers to the samples, and plays a match to decide whether they are the new best.
func (l *learn) decide(ctx context.Context, out io.Writer, v *rules.Variant, start, best *engine.Numbers, samples []sample, round int) (*engine.Numbers, error) {
	file := l.file(v, round, "best.txt")
	if kept, err := readNumbers(v, file); !errors.Is(err, os.ErrNotExist) {
		return kept, err
	}
	bar := progress.Count(os.Stderr, fmt.Sprintf("%s %d: fit", v.Key, round), l.Steps)
	fitted := fit(start, samples, l.Trust, l.Steps, bar.Add)
	bar.End()
	limits := engine.Limits{Nodes: l.MatchNodes}
	one := &searcher{engine: engine.WithNumbers(v, fitted), limits: limits}
	other := &searcher{engine: engine.WithNumbers(v, best), limits: limits}
	t, err := duel(ctx, v, fmt.Sprintf("%s %d: match", v.Key, round), one, other, l.Openings, l.Seed+uint64(round)<<48, nil)
	if err != nil {
		return nil, err
	}
	verdict := "kept"
	if t.score() <= 0.5 {
		verdict, fitted = "dropped", best
	}
	fmt.Fprintf(out, "%s, round %d: %d positions, %s against the best before: %s\n", v.Key, round, len(samples), t, verdict)
	return fitted, write(file, v, fitted)
}

func (l *learn) file(v *rules.Variant, round int, what string) string {
	return filepath.Join(l.Work, fmt.Sprintf("%s-%d-%s", v.Key, round, what))
}

func write(file string, v *rules.Variant, n *engine.Numbers) error {
	text := fmt.Sprintf("# What the computer judges positions of %s by, in centipawns, opening and ending.\n# Learned by cmd/train.\n", v.Name)
	return os.WriteFile(file, []byte(text+n.Text()), 0o644)
}
