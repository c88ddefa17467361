package main

import (
	"fmt"
	"runtime/debug"
)

type version struct{}

// Run prints the version.
func (version) Run(std streams) error {
	_, err := fmt.Fprintln(std.out, about())
	return err
}

// about is the program's name and version: of its module, or of the commit it
// was built from.
func about() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "Chimera"
	}
	name := "Chimera " + info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			name += " " + s.Value
		}
	}
	return name
}
