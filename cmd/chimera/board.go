package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"chimera/render"
)

type board struct {
	position `embed:""`
	Out      string `short:"o" required:"" placeholder:"FILE" help:"Where to draw it: a .png or .gif picture, or a .txt board."`
}

// Run draws a position with the side to move at the bottom.
func (b *board) Run() error {
	pos, err := b.find()
	if err != nil {
		return err
	}
	d := render.Of(pos, nil, pos.Turn())
	var file bytes.Buffer
	switch ending := filepath.Ext(b.Out); ending {
	case ".png":
		err = render.PNG(&file, d, render.DefaultSize)
	case ".gif":
		err = render.GIF(&file, []render.Diagram{d}, render.DefaultSize, time.Second)
	case ".txt":
		_, err = file.WriteString(render.Text(d))
	default:
		err = fmt.Errorf("a board is drawn into a .png, .gif or .txt file, not %q", b.Out)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(b.Out, file.Bytes(), 0o644)
}
