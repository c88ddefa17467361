// Package adapt is what adapters to platforms have in common: work done in lanes, tries that are
// repeated, requests that only one process may make, and texts cut to fit messages.
package adapt

import (
	"sync"

	"chimera/bot/crew"
)

// Lanes do what is given to one lane in order, and what is given to different lanes side
// by side. The zero Lanes are ready; they are safe for concurrent use.
type Lanes struct {
	mu     sync.Mutex
	lanes  map[string][]func()
	work   crew.Crew
	closed bool
}

// Add does something after what was given to the lane before. False means that it will
// not be done, since the Lanes are closed.
func (l *Lanes) Add(lane string, do func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	if l.lanes == nil {
		l.lanes = map[string][]func(){}
	}
	waiting, busy := l.lanes[lane]
	l.lanes[lane] = append(waiting, do)
	if !busy {
		l.work.Go(func() { l.run(lane) })
	}
	return true
}

func (l *Lanes) run(lane string) {
	for {
		l.mu.Lock()
		waiting := l.lanes[lane]
		if len(waiting) == 0 {
			delete(l.lanes, lane)
			l.mu.Unlock()
			return
		}
		l.lanes[lane] = waiting[1:]
		l.mu.Unlock()
		waiting[0]()
	}
}

// Close takes nothing more, and waits until all is done.
func (l *Lanes) Close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.work.Wait()
}
