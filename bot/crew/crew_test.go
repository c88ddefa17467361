package crew

import (
	"sync/atomic"
	"testing"
)

func TestAllIsDoneSideBySide(t *testing.T) {
	const many = 2 * most
	var c Crew
	var done atomic.Int64
	for range 3 {
		all := make(chan struct{})
		var begun atomic.Int64
		for range many {
			c.Go(func() {
				if begun.Add(1) == many {
					close(all)
				}
				<-all
				done.Add(1)
			})
		}
		<-all
	}
	c.Wait()
	if n := done.Load(); n != 3*many {
		t.Errorf("%d things are done, want %d", n, 3*many)
	}
	if len(c.idle) > 0 {
		t.Errorf("%d goroutines are still there", len(c.idle))
	}
}

func TestGoroutinesAreUsedAgain(t *testing.T) {
	var c Crew
	for range 100 {
		done := make(chan struct{})
		c.Go(func() { close(done) })
		<-done
		c.busy.Wait()
	}
	if n := len(c.idle); n != 1 {
		t.Errorf("what was done one after the other has left %d goroutines, want 1", n)
	}
	c.Wait()
}
