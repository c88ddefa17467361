//go:build unix

package progress

import (
	"syscall"
	"time"
)

// ProcessorTime is the processor time of this process so far.
func ProcessorTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
