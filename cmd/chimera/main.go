// Command chimera is a bot for chess games in which pieces combine.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"regexp"
	"runtime/debug"
	"strings"
	"syscall"
	_ "time/tzdata" // people name time zones, and machines may not know them

	"github.com/alecthomas/kong"

	botwords "chimera/bot/words"
	"chimera/cmd/internal/progress"
)

// The exit statuses.
const (
	allWell  = 0
	failed   = 1 // something was found wrong, for example by verify, or serve cannot go on
	badInput = 2
)

// errFound is returned by a command that has found and reported faults.
var errFound = errors.New("faults were found")

// failure is an error that the input did not cause.
type failure struct{ error }

// Unwrap returns the inner error.
func (f failure) Unwrap() error { return f.error }

type commands struct {
	Serve   serve   `cmd:"" help:"Connect to every platform with a token."`
	Play    play    `cmd:"" help:"Play in the terminal or, with --web, on pages."`
	Board   board   `cmd:"" help:"Draw a position."`
	Perft   count   `cmd:"" help:"Count the positions after a number of plies."`
	Moves   moves   `cmd:"" help:"List the legal moves of a position."`
	Apply   apply   `cmd:"" help:"Play moves and print the positions."`
	Analyse analyse `cmd:"" help:"Find the best move of a position."`
	Bench   bench   `cmd:"" help:"Measure how fast the computer thinks."`
	UCI     uci     `cmd:"" name:"uci" help:"Let other chess programs use the computer player, by UCI."`
	Verify  verify  `cmd:"" help:"Replay every stored game, or games in files."`
	Repair  inquiry `cmd:"" help:"Abort unreadable games, and drop messages that can't be read."`
	Backup  backup  `cmd:"" help:"Copy the database, even while the bot runs."`
	Salvage rescue  `cmd:"" help:"Take what can be read out of a damaged database file into a new one."`
	Restore restore `cmd:"" help:"Fill an empty database with a backup."`
	Copy    copies  `cmd:"" help:"Copy a database into an empty one, from a file to a cluster or back."`
	Status  inquiry `cmd:"" help:"Sum up the database."`
	Outbox  inquiry `cmd:"" help:"List messages that are waiting to be delivered, or can't be."`
	Forget  forget  `cmd:"" help:"Remove a person; their opponents keep the games."`
	Annul   annul   `cmd:"" help:"Let a rated game count no more."`
	Import  imports `cmd:"" help:"Store an exported game."`
	Version version `cmd:"" help:"Print the version."`
	Help    help    `cmd:"" help:"Show help for all commands, or for one."`
}

// help is --help, written as a word.
type help struct {
	Command string `arg:"" optional:"" help:"The command to show help for."`
}

// Run prints what --help prints.
func (h *help) Run(parser *kong.Kong) error {
	line, err := kong.Trace(parser, botwords.If(h.Command != "", h.Command))
	if err != nil {
		return err
	}
	if line.Error != nil && h.Command != "" && line.Selected() == nil {
		return line.Error
	}
	return line.PrintUsage(false)
}

// streams are what a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

func main() {
	os.Exit(run(context.Background(), os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}, wall()))
}

// run runs a command line and returns its exit status. It prints an error as one line.
func run(ctx context.Context, args []string, std streams, at clock) int {
	if len(args) == 0 {
		fmt.Fprintln(std.err, "chimera: a command is missing: chimera play --web 127.0.0.1:8080 plays in a browser, chimera serve is on Discord and Telegram, and chimera help shows all commands")
		return badInput
	}
	out := &checked{Writer: std.out}
	std.out = out
	stop := context.CancelFunc(func() {})
	defer func() { stop() }()
	parser, err := kong.New(&commands{},
		kong.Name("chimera"),
		kong.Description("A bot for chess games in which pieces combine."),
		kong.Writers(std.out, std.err),
		kong.BindToProvider(func() (context.Context, error) { // for commands that can be interrupted
			ctx, stop = signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM) // the first signal lets a command clean up
			context.AfterFunc(ctx, stop)                                         // the second one ends the process at once
			return ctx, nil
		}),
		kong.Bind(std, at),
	)
	if err != nil {
		panic(err) // a mistake in the commands above
	}
	line, err := parser.Parse(args)
	if err == nil {
		err = line.Run()
	}
	err = cmp.Or(err, out.err)
	switch {
	case err == nil:
		return allWell
	case errors.Is(err, errFound):
		return failed
	}
	fmt.Fprintln(std.err, "chimera:", strings.ReplaceAll(valueless.ReplaceAllString(err.Error(), " needs a value after it"), "\n", "; "))
	_, ok := errors.AsType[failure](err)
	return botwords.Either(ok, failed, badInput)
}

// valueless matches kong's message for a flag without its value.
var valueless = regexp.MustCompile(`: expected \S+ value but got "EOL" \(<EOL>\)`)

// checked is a writer that remembers why it failed.
type checked struct {
	io.Writer
	err error
}

func (c *checked) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	c.err = cmp.Or(c.err, err)
	return n, err
}

// isTerminal reports whether a stream is one.
func isTerminal(stream any) bool {
	if c, ok := stream.(*checked); ok {
		stream = c.Writer
	}
	return progress.IsTerminal(stream)
}

type version struct{}

// Run prints the version.
func (version) Run(std streams) error {
	_, err := fmt.Fprintln(std.out, about())
	return err
}

// about is the program's name and version: that of its module, or the commit it was built from.
func about() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "Chimera"
	}
	name := "Chimera " + info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			name += " " + s.Value
		}
	}
	return name
}

// ended is err, but if the context is done it logs that and returns nil.
func ended(ctx context.Context, log *slog.Logger, err error) error {
	if errors.Is(err, context.Canceled) {
		log.InfoContext(ctx, "ended", "cause", context.Cause(ctx))
		return nil
	}
	return err
}

// cause is err, or the context's cause if that is done.
func cause(ctx context.Context, err error) error {
	return botwords.Either(err != nil && ctx.Err() != nil, context.Cause(ctx), err)
}
