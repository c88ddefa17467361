package computer

import (
	"runtime"
	"syscall"
)

// priority is how far a search stands behind everything else on the machine, on the scale of nice: a
// person's move gets a processor at once, and searches have enough of what is left.
const priority = 15

// atLowPriority does something on a thread that gives way to others, and waits for it: at the same
// priority, a search would hold on to its processor and make people's moves ten times as late. It has
// to call yield often: otherwise even such a thread runs on until the next tick, which may be 4 ms
// away.
func atLowPriority(do func(yield func())) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()                                     // for good: nothing else is to run on such a thread
		_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, priority) // of this thread; if that is forbidden, all have the same
		do(func() { _, _, _ = syscall.Syscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) })
	}()
	<-done
}
