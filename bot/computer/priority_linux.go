package computer

import (
	"runtime"
	"syscall"
)

// priority is the nice value of searches. With it, a person's move gets a processor at once, and searches still get
// enough of the time that is left.
const priority = 15

// atLowPriority runs do on a thread of low priority and waits for it. At normal priority, a search would keep its
// processor and make people's moves take ten times as long. do has to call yield often: otherwise even this thread runs
// on until the scheduler's next tick, up to 4 ms later.
func atLowPriority(do func(yield func())) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()                                     // never unlocked, so the thread ends with the goroutine
		_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, priority) // of this thread; if that is forbidden, it stays normal
		do(func() { _, _, _ = syscall.Syscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) })
	}()
	<-done
}
