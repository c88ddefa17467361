//go:build unix

package processor

import (
	"syscall"
	"time"
)

// Time is how long processors have worked for this process so far.
func Time() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
