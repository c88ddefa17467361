package adapter

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

// Serve answers at a listener until the context is done, and then gives requests under way a while to
// finish. The error is nil where the context has ended it.
func Serve(ctx context.Context, server *http.Server, at net.Listener, grace time.Duration) error {
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		brief, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
		if server.Shutdown(brief) != nil {
			_ = server.Close()
		}
	})
	if err := server.Serve(at); !errors.Is(err, http.ErrServerClosed) {
		stop()
		return err
	}
	<-ended
	return nil
}
