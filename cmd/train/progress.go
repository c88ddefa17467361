package main

import (
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// show begins to show on a terminal how many of a number of games are done, and how long
// the rest will take; on anything else it shows nothing.
func show(what string, total int) *progressbar.ProgressBar {
	return progressbar.NewOptions(total,
		progressbar.OptionSetWriter(os.Stderr),
		progressbar.OptionSetVisibility(term.IsTerminal(int(os.Stderr.Fd()))),
		progressbar.OptionSetDescription(what),
		progressbar.OptionSetWidth(20),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
}

// counting shows each game of a match on a bar, and lets the match go on.
func counting(bar *progressbar.ProgressBar) func(*tally) bool {
	return func(*tally) bool {
		_ = bar.Add(1)
		return false
	}
}
