//go:build !linux

package computer

import "runtime"

// atLowPriority does something that calls yield often. Only Linux lets threads differ in priority.
func atLowPriority(do func(yield func())) { do(runtime.Gosched) }
