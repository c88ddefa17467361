package match

import (
	"chimera/bot/steps"
)

// The kinds of work that is done in steps, each for a person with many games.
const (
	setting = "clocks" // the clocks of their games are adjusted to their vacation and settings
	telling = "away"   // their opponents are told that they are on vacation, or back
)

// Bounds of what a step does, in one transaction.
const (
	fewClocks  = 16 // games whose clocks are set
	fewNotices = 64 // things that opponents are told
)

// Steps are those of all work on clocks that is done so.
func (s *Service) Steps() steps.Steps { return steps.Steps{setting: s.setMore, telling: s.tellMore} }
