// Package progress shows the progress of long work on a terminal, and measures its cost.
package progress

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Bar shows progress on a terminal; on anything else, nothing. A nil Bar shows nothing.
type Bar struct{ bar *progressbar.ProgressBar }

// Bytes shows how many of total bytes were written.
func Bytes(to io.Writer, what string, total int64) *Bar {
	return show(to, what, total, progressbar.OptionShowBytes(true), progressbar.OptionUseIECUnits(true))
}

// Count shows how many of total things are done.
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

// Write counts bytes. Failing to show them is no error.
func (b *Bar) Write(p []byte) (int, error) {
	_ = b.bar.Add(len(p))
	return len(p), nil
}

// Add shows that one more thing is done.
func (b *Bar) Add() { _ = b.bar.Add(1) }

// Set shows how much is done.
func (b *Bar) Set(done int) { _ = b.bar.Set(done) }

// End removes the bar.
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
