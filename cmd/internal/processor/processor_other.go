//go:build !unix

package processor

import "time"

// Time is a clock: how long processors work for this process is not known here.
func Time() time.Duration { return time.Duration(time.Now().UnixNano()) }
