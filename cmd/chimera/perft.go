package main

import (
	"fmt"
	"slices"

	"chimera/rules/perft"
)

type count struct {
	position `embed:""`
	Depth    int  `required:"" help:"Number of plies."`
	Divide   bool `help:"Count each first move separately."`
}

// Validate says what is wrong with the flags.
func (c *count) Validate() error {
	if c.Depth < 0 {
		return fmt.Errorf("the depth is a number of plies from 0, not %d", c.Depth)
	}
	return nil
}

// Run counts.
func (c *count) Run(std streams) error {
	pos, err := c.find()
	if err != nil {
		return err
	}
	if !c.Divide || c.Depth == 0 {
		fmt.Fprintln(std.out, perft.Nodes(pos, c.Depth))
		return nil
	}
	var lines []string
	var total uint64
	for m, nodes := range perft.Divide(pos, c.Depth) {
		lines = append(lines, fmt.Sprintf("%s %d", pos.Variant().Coordinate(m), nodes))
		total += nodes
	}
	slices.Sort(lines)
	for _, line := range lines {
		fmt.Fprintln(std.out, line)
	}
	fmt.Fprintln(std.out, total)
	return nil
}
