package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows on a terminal how far something has come, and on anything else
// nothing. A nil progress is one that never began.
type progress struct{ bar *progressbar.ProgressBar }

// showBytes begins to show how much of a number of bytes was written.
func showBytes(to io.Writer, what string, total int64) *progress {
	return show(to, what, total, progressbar.OptionShowBytes(true), progressbar.OptionUseIECUnits(true))
}

// showGames begins to show how many of a number of games are done.
func showGames(to io.Writer, what string, total int) *progress {
	return show(to, what, int64(total), progressbar.OptionShowCount())
}

func show(to io.Writer, what string, total int64, more ...progressbar.Option) *progress {
	return &progress{progressbar.NewOptions64(max(total, 1), append(more,
		progressbar.OptionSetWriter(to),
		progressbar.OptionSetVisibility(isTerminal(to)),
		progressbar.OptionSetDescription(what),
		progressbar.OptionSetWidth(20),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)...)}
}

// Write counts bytes. That they cannot be shown is no reason to stop.
func (p *progress) Write(b []byte) (int, error) {
	_ = p.bar.Add(len(b))
	return len(b), nil
}

// set shows how much is done.
func (p *progress) set(done int) { _ = p.bar.Set(done) }

// end takes what is shown away.
func (p *progress) end() {
	if p != nil {
		_ = p.bar.Clear()
	}
}

// isTerminal reports whether a stream is one.
func isTerminal(stream any) bool {
	if c, ok := stream.(*checked); ok {
		stream = c.Writer
	}
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
