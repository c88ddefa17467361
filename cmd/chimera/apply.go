package main

import "fmt"

type apply struct {
	position `embed:""`
	Moves    []string `arg:"" name:"move" help:"Moves, as coordinate or chat text."`
}

// Run plays the moves and prints the FEN after each, up to the first that is not
// legal.
func (a *apply) Run(std streams) error {
	pos, err := a.find()
	if err != nil {
		return err
	}
	for _, text := range a.Moves {
		m, err := pos.Parse(text)
		if err == nil {
			pos, err = pos.Play(m)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		fmt.Fprintln(std.out, pos.FEN())
	}
	return nil
}
