package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"chimera/bot"
	"chimera/bot/archive"
	"chimera/config"
	"chimera/rules/variants"
	"chimera/storage"
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
	if v.Ratings {
		return ask(ctx, std, v.Data, "ratings", "")
	}
	return ask(ctx, std, v.Data, "verify", "")
}

func (h holder) verify(ctx context.Context, _ string, say report) error {
	faults := 0
	n, err := h.service().Maintenance.Verify(ctx, func(id storage.GameID, fault error) {
		faults++
		if id == 0 {
			say.line("%s", legible(fault.Error()))
		} else {
			say.line("game %d: %s", id, legible(fault.Error()))
		}
	}, say.often)
	return verified(say, howMany(n, "game"), faults, err)
}

// ratings computes all ratings again.
func (h holder) ratings(ctx context.Context, _ string, say report) error {
	faults := 0
	n, err := h.service().Ratings.VerifyRatings(ctx, func(fault error) {
		faults++
		say.line("%s", legible(fault.Error()))
	}, say.often)
	return verified(say, howMany(n, "rating"), faults, err)
}

// verified says the last line, of what was looked through and how many faults there are.
func verified(say report, things string, faults int, err error) error {
	if err != nil {
		return err
	}
	say.line("%s, %s", things, howMany(faults, "fault"))
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
	say, _ := printed(std)
	return verified(say, howMany(len(v.Files), "game"), faults, nil)
}

// howMany is how many things there are of a kind.
func howMany(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
