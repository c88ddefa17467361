package match

import "chimera/storage"

// The kinds of jobs, each for a person with many games.
const (
	setting = "clocks" // the clocks of their games are adjusted to their vacation and settings
	telling = "away"   // their opponents are told that they are on vacation, or back
)

// Bounds of what a step does, in one transaction.
const (
	fewClocks  = 16 // games whose clocks are set
	fewNotices = 64 // things that opponents are told
)

// Jobs are the jobs on clocks.
func (s *Service) Jobs() storage.Jobs { return storage.Jobs{setting: s.setMore, telling: s.tellMore} }
