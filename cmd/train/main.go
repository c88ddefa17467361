// Command train learns the numbers by which the computer evaluates positions of a game, and plays matches that measure
// its strength.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"

	"github.com/alecthomas/kong"
)

type commands struct {
	Whole  whole  `cmd:"" help:"Learn a game's numbers until rounds stop winning, fit its levels to them, mine puzzles, and report what was won."`
	Odds   odds   `cmd:"" help:"Tell by how many centipawns the odds of winning grow in games of self-play."`
	Learn  learn  `cmd:"" help:"Learn a game's numbers by self-play, and keep those that win."`
	Match  match  `cmd:"" help:"Let two players play each other."`
	Levels levels `cmd:"" help:"Let each level play the one below it, and print a table."`
	Mine   mine   `cmd:"" help:"Find puzzles in games of self-play: positions in which one move alone wins."`
	Mates  mates  `cmd:"" help:"Count the near mates that a player finds, of those that trying all moves proves."`
	Manner manner `cmd:"" help:"Tell how each of the weak levels errs in games against itself."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	parser, err := kong.New(&commands{},
		kong.Name("train"),
		kong.Description("Learns by what numbers the computer judges positions, and plays matches."),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.BindTo(io.Writer(os.Stdout), (*io.Writer)(nil)),
	)
	if err != nil {
		panic(err) // a mistake in the commands above
	}
	line, err := parser.Parse(os.Args[1:])
	parser.FatalIfErrorf(err)
	parser.FatalIfErrorf(line.Run())
}
