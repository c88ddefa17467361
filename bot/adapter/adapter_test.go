package adapter_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"chimera/bot/adapter"
	"chimera/storage"
)

// losable are roles that can be lost.
type losable struct {
	storage.Roles
	lost chan struct{}
}

func (l losable) Lost() <-chan struct{} { return l.lost }

func TestWhatHasBegunIsFinishedUnlessAllRolesAreLost(t *testing.T) {
	const never, longer = time.Hour, time.Minute
	for _, c := range []struct {
		lost, want time.Duration // after the end
	}{{never, longer}, {longer / 2, longer / 2}, {0, 0}} {
		synctest.Test(t, func(t *testing.T) {
			roles := losable{lost: make(chan struct{})}
			ctx, end := context.WithCancel(t.Context())
			lingering := adapter.Linger(ctx, longer, roles)
			synctest.Wait()
			if lingering.Err() != nil {
				t.Error("it is done before the other")
			}
			ended := time.Now()
			if c.lost == 0 {
				close(roles.lost)
			} else {
				time.AfterFunc(c.lost, func() { close(roles.lost) })
			}
			end()
			<-lingering.Done()
			if got := time.Since(ended); got != c.want {
				t.Errorf("where roles are lost after %v it lasts %v longer, not %v", c.lost, got, c.want)
			}
		})
	}
}
