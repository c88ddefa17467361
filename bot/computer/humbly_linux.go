package computer

import (
	"runtime"
	"syscall"
)

// rank is how far the thinking stands behind all else that the machine has to do, on the scale of
// nice: whoever moves has a processor at once, and what is left is enough to think.
const rank = 15

// humbly does something on a thread that gives way to others, and waits for it: left to itself, a
// search holds on to its processor for so long that people's moves are ten times as late. It
// calls yield often: even a thread of that rank is else left alone until the next tick, which
// may be 4 ms away.
func humbly(do func(yield func())) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()                                 // for good: nobody else is to have a thread of that rank
		_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, rank) // of this thread; where that is forbidden, all have one rank
		do(func() { _, _, _ = syscall.Syscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) })
	}()
	<-done
}
