//go:build !linux

package computer

import "runtime"

// atLowPriority runs do, which calls yield often. Only on Linux can one thread have a lower priority.
func atLowPriority(do func(yield func())) { do(runtime.Gosched) }
