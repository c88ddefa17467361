package adapter

import "sync"

// Queues run the jobs of one key in order, and those of different keys side by side. The zero Queues
// are ready; they are safe for concurrent use.
type Queues struct {
	mu      sync.Mutex
	waiting map[string][]func() // by key; a key whose last job runs has an empty one
	running sync.WaitGroup
	closed  bool
}

// Add runs a job after those added to its key before. It reports false, and never runs it, once the
// Queues are closed.
func (q *Queues) Add(key string, job func()) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	if q.waiting == nil {
		q.waiting = map[string][]func(){}
	}
	waiting, busy := q.waiting[key]
	q.waiting[key] = append(waiting, job)
	if !busy {
		q.running.Go(func() { q.run(key) })
	}
	return true
}

func (q *Queues) run(key string) {
	for {
		q.mu.Lock()
		waiting := q.waiting[key]
		if len(waiting) == 0 {
			delete(q.waiting, key)
			q.mu.Unlock()
			return
		}
		q.waiting[key] = waiting[1:]
		q.mu.Unlock()
		waiting[0]()
	}
}

// Close takes no more jobs, and waits until all have run.
func (q *Queues) Close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.running.Wait()
}
