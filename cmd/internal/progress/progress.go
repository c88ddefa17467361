// Package progress shows on a terminal how far long work has come, and measures what it costs.
package progress

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Bar shows how far something has come, where it is shown on a terminal, and on anything else
// nothing. A nil Bar is one that never began.
type Bar struct{ bar *progressbar.ProgressBar }

// Bytes begins to show how much of a number of bytes was written.
func Bytes(to io.Writer, what string, total int64) *Bar {
	return show(to, what, total, progressbar.OptionShowBytes(true), progressbar.OptionUseIECUnits(true))
}

// Count begins to show how many of a number of things are done.
func Count(to io.Writer, what string, total int) *Bar {
	return show(to, what, int64(total), progressbar.OptionShowCount())
}

func show(to io.Writer, what string, total int64, more ...progressbar.Option) *Bar {
	return &Bar{progressbar.NewOptions64(max(total, 1), append(more,
		progressbar.OptionSetWriter(to),
		progressbar.OptionSetVisibility(IsTerminal(to)),
		progressbar.OptionSetDescription(what),
		progressbar.OptionSetWidth(20),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)...)}
}

// Write counts bytes. That they cannot be shown is no reason to stop.
func (b *Bar) Write(p []byte) (int, error) {
	_ = b.bar.Add(len(p))
	return len(p), nil
}

// Add shows that one more thing is done.
func (b *Bar) Add() { _ = b.bar.Add(1) }

// Set shows how much is done.
func (b *Bar) Set(done int) { _ = b.bar.Set(done) }

// End takes what is shown away.
func (b *Bar) End() {
	if b != nil {
		_ = b.bar.Clear()
	}
}

// IsTerminal reports whether a stream is one.
func IsTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
