package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"chimera/bot"
	"chimera/bot/archive"
	"chimera/cmd/internal/progress"
	"chimera/config"
	"chimera/rules/variants"
)

type verify struct {
	config.Config `embed:""`
	Ratings       bool     `help:"Recalculate all ratings from the games instead."`
	Files         []string `arg:"" optional:"" name:"file" help:"Check these exported games instead of the database."`
}

// Run replays every stored game, or those in files, and reports those that do not
// hold.
func (v *verify) Run(ctx context.Context, std streams) error {
	if len(v.Files) > 0 {
		return v.files(std)
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	games, faults := 0, 0
	var shown *progress.Bar
	things := "game"
	run := verifying
	if v.Ratings {
		run, things = rerating, "rating"
	}
	err := ask(ctx, v.Data, run, "", func(f finding) error {
		if f.Fault == "" {
			if shown == nil {
				shown = progress.Count(std.err, "replaying", f.Of)
			}
			shown.Set(f.Done)
			games = f.Of
			return nil
		}
		faults++
		shown.End() // for a line; it comes again
		_, err := fmt.Fprintln(std.out, f)
		return err
	})
	shown.End()
	if err != nil {
		return cause(ctx, err)
	}
	if _, err := fmt.Fprintf(std.out, "%s, %s\n", howMany(games, things), howMany(faults, "fault")); err != nil {
		return err
	}
	if faults > 0 {
		return errFound
	}
	return nil
}

// reader is a service that reads exports, and has no games.
func reader() bot.Services { return bot.NewServices(nil, variants.All(), time.Now, coin) }

func (v *verify) files(std streams) error {
	service, faults := reader(), 0
	read := map[string]*archive.Exported{}
	for _, name := range v.Files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		game, err := service.Archive.ReadExport(string(text))
		for other, before := range read {
			if err == nil && game.Same(before) {
				err = fmt.Errorf("it is the same game as that in %s", other)
			}
		}
		if err != nil {
			faults++
			fmt.Fprintf(std.out, "%s: %s\n", name, legible(err.Error()))
			continue
		}
		read[name] = game
	}
	fmt.Fprintf(std.out, "%s, %s\n", howMany(len(v.Files), "game"), howMany(faults, "fault"))
	if faults > 0 {
		return errFound
	}
	return nil
}

// howMany is how many things there are of a kind.
func howMany(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
