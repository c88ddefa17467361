//go:build !linux

package think

// humbly does something; elsewhere than on Linux, all threads have one rank.
func humbly(do func()) { do() }
