package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"

	"chimera/cmd/internal/progress"
	"chimera/rules"
	"chimera/rules/engine"
)

type manner struct {
	Games []string `arg:"" optional:"" name:"game" help:"Games, by key (default: all)."`
	From  int      `default:"0" help:"The lowest level."`
	To    int      `default:"4" help:"The highest."`
	Each  int      `default:"12" help:"Games of each level against itself, from the start."`
	Judge int      `default:"4000" help:"Nodes by which each move is judged."`
	Seed  uint64   `default:"1" help:"What the games follow from."`
	Show  bool     `help:"Print the moves of the first game of each level."`
}

// Run prints a row for each level: the loss of its moves, how many are blunders, the mates in one that it misses, how
// often it castles, and how often it takes back the move before.
func (c *manner) Run(ctx context.Context, out io.Writer) error {
	return eachGame(c.Games, func(v *rules.Variant) error { return c.game(ctx, out, v) })
}

// game prints the rows of a game.
func (c *manner) game(ctx context.Context, out io.Writer, v *rules.Variant) error {
	fmt.Fprintf(out, "%-13s %5s %8s %9s %8s %9s %7s %11s\n", "", "level", "cp/move", "blunders", "mates-", "castled", "undone", "plies 1-6")
	for level := c.From; level <= c.To; level++ {
		m, err := c.level(ctx, v, level)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%-13s %5d %8.0f %7.1f %% %4d/%-3d %3d/%-5d %5.1f %% %8.0f\n", v.Key, level, m.lost/float64(max(m.judged, 1)),
			100*float64(m.blunders)/float64(max(m.judged, 1)), m.missed, m.mates, m.castled, 2*c.Each,
			100*float64(m.undone)/float64(max(m.moves, 1)), m.worst)
		if c.Show {
			fmt.Fprintln(out, m.text)
		}
	}
	return nil
}

// errs are statistics of a level's play.
type errs struct {
	moves, judged int
	lost          float64 // centipawns
	blunders      int     // moves that lose 30 % of the chances or more
	mates, missed int     // mates in one
	castled       int     // sides that castled within 15 moves
	undone        int     // of the first moves, not in check
	worst         float64 // greatest loss of the first six plies, in centipawns
	text          string  // moves of the first game
}

// level plays a level against itself.
func (c *manner) level(ctx context.Context, v *rules.Variant, level int) (m errs, err error) {
	who, err := newPlayer(v, fmt.Sprintf("level=%d", level))
	if err != nil {
		return m, err
	}
	judge, err := engine.New(v)
	if err != nil {
		return m, err
	}
	bar := progress.Count(os.Stderr, fmt.Sprintf("%s, level %d", v.Key, level), c.Each)
	defer bar.End()
	for seed := range uint64(c.Each) {
		start, err := v.Position("")
		if err != nil {
			return m, err
		}
		played, _, err := play(ctx, rules.NewGame(start), c.Seed+seed, [2]player{who, who})
		if err != nil {
			return m, err
		}
		if err := m.add(ctx, judge, c.Judge, played); err != nil {
			return m, err
		}
		bar.Add()
	}
	return m, nil
}

// add judges the moves of a game.
func (e *errs) add(ctx context.Context, judge *engine.Engine, nodes int, played *course) error {
	const castling, opening, middle, early = 30, 6, 80, 1_000 // plies, and centipawns
	now, castled := played.start, [2]bool{}
	text := ""
	for i, m := range played.moves {
		if i < middle {
			e.moves++
		}
		pos := now.Position
		text += pos.Chat(m) + " "
		if pos.Checked() == 0 && i > 1 && i < middle && m.From == played.moves[i-2].To && m.To == played.moves[i-2].From {
			e.undone++
		}
		if m.Act == rules.Castle && i < castling && !castled[pos.Turn()] {
			castled[pos.Turn()] = true
			e.castled++
		}
		next, err := now.Play(m)
		if err != nil {
			return err
		}
		if one := (&prover{cursor: pos.Cursor()}); one.wins(1) {
			e.mates++
			if p := (&prover{cursor: next.Position.Cursor()}); !p.loses(0) {
				e.missed++
			}
		}
		could, err := value(ctx, judge, nodes, now)
		if err != nil {
			return err
		}
		became, err := value(ctx, judge, nodes, next)
		if err != nil {
			return err
		}
		if math.Abs(could) < early { // in decided positions nothing can be lost
			lost := max(0, could+became)
			e.judged++
			e.lost += min(lost, early)
			if expect(could)-expect(-became) >= 0.3 {
				e.blunders++
			}
			if i < opening {
				e.worst = max(e.worst, min(lost, early))
			}
		}
		now = next
	}
	if e.text == "" {
		e.text = text
	}
	return nil
}

// value is the value of a position for the side to move, in centipawns up to a thousand.
func value(ctx context.Context, judge *engine.Engine, nodes int, game rules.Game) (float64, error) {
	const most = 1_000
	if outcome := game.Outcome(); outcome.Over() {
		switch outcome.Result {
		case rules.WinFor(game.Position.Turn()):
			return most, nil
		case rules.Drawn:
			return 0, nil
		default:
			return -most, nil
		}
	}
	if game.Closed() {
		return 0, nil
	}
	found, err := judge.Search(ctx, game, engine.Limits{Nodes: nodes})
	switch {
	case err != nil:
		return 0, err
	case found.Score.Mate > 0:
		return most, nil
	case found.Score.Mate < 0:
		return -most, nil
	}
	return max(-most, min(float64(found.Score.Centipawns), most)), nil
}
