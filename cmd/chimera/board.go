package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"chimera/render"
	"chimera/rules/variants"
)

type board struct {
	Variant string  `placeholder:"GAME" help:"The game, by its key."`
	FEN     *string `name:"fen" help:"The position (default: the start of the game)."`
	Theme   string  `default:"wood" help:"Colors: wood, night, contrast or print."`
	Size    int     `default:"480" help:"Width of the board in pixels."`
	Sheet   string  `placeholder:"DIR" help:"Draw every piece of every game into this directory instead."`
	Out     string  `short:"o" placeholder:"FILE" help:"File to draw into: .png, .gif or .txt."`
}

// Run draws a position with the side to move at the bottom, or sheets.
func (b *board) Run() error {
	theme, ok := render.ParseTheme(b.Theme)
	switch {
	case !ok:
		return fmt.Errorf("there is no theme %q: choose from wood, night, contrast, print", b.Theme)
	case b.Sheet != "":
		return sheets(b.Sheet)
	case b.Variant == "" || b.Out == "":
		return errors.New("name a game and a file, as in --variant combine -o board.png, or --sheet DIR")
	}
	pos, err := position{b.Variant, b.FEN}.find()
	if err != nil {
		return err
	}
	d := render.Of(pos, nil, pos.Turn())
	d.Theme = theme
	var file bytes.Buffer
	switch ending := filepath.Ext(b.Out); ending {
	case ".png":
		err = render.PNG(&file, d, b.Size)
	case ".gif":
		err = render.GIF(&file, []render.Diagram{d}, b.Size, time.Second)
	case ".txt":
		_, err = file.WriteString(render.Text(d))
	default:
		err = fmt.Errorf("a board needs a .png, .gif or .txt file, not %q", b.Out)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(b.Out, file.Bytes(), 0o644)
}

// sheets draws every piece of every game in each theme, on squares of 45, 60 and 90
// pixels.
func sheets(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, v := range variants.All() {
		for page, d := range render.Sheets(v) {
			for _, theme := range render.Themes() {
				for _, square := range []int{45, 60, 90} {
					d.Theme = theme
					var file bytes.Buffer
					if err := render.PNG(&file, d, square*d.Shape.Files); err != nil {
						return err
					}
					name := fmt.Sprintf("%s-%d-%s-%d.png", v.Key, page+1, theme, square)
					if err := os.WriteFile(filepath.Join(dir, name), file.Bytes(), 0o644); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}
