package main

import (
	"fmt"
	"slices"
)

type moves struct {
	position `embed:""`
}

// Run lists the legal moves in byte order, then the status and the check.
func (m *moves) Run(std streams) error {
	pos, err := m.find()
	if err != nil {
		return err
	}
	var texts []string
	for _, move := range pos.Moves() {
		texts = append(texts, pos.Variant().Coordinate(move))
	}
	slices.Sort(texts)
	for _, text := range texts {
		fmt.Fprintln(std.out, text)
	}
	check := "no"
	if pos.Checked() != 0 {
		check = "yes"
	}
	fmt.Fprintf(std.out, "status: %s\ncheck: %s\n", pos.Status(), check)
	return nil
}
