//go:build !linux

package computer

import "runtime"

// humbly does something, which calls yield often; elsewhere than on Linux, all threads have one
// rank.
func humbly(do func(yield func())) { do(runtime.Gosched) }
