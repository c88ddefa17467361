package adapt

import (
	"context"
	"io"
	"net/http"
	"time"

	"chimera/bot/outbox"
	"chimera/storage"
)

// Fence lets requests to a platform through only while the process may speak for the bot: not when
// nobody knows whether another has taken its place. What is held back was not sent, and is
// [*outbox.Later]. A request with its answer takes so long at most: the Timeout of an [http.Client]
// would take two goroutines for each.
func Fence(roles storage.Roles, inner http.RoundTripper, most time.Duration) http.RoundTripper {
	return fence{roles, inner, most}
}

type fence struct {
	roles storage.Roles
	inner http.RoundTripper
	most  time.Duration
}

// RoundTrip implements [http.RoundTripper].
func (f fence) RoundTrip(r *http.Request) (*http.Response, error) {
	err := f.roles.Held(r.Context())
	if err == nil {
		return f.within(r)
	}
	if r.Body != nil {
		_ = r.Body.Close() // nothing was read
	}
	if over := r.Context().Err(); over != nil {
		return nil, over
	}
	return nil, &outbox.Later{After: time.Second, Everywhere: true, Err: err}
}

func (f fence) within(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(r.Context(), f.most)
	answer, err := f.inner.RoundTrip(r.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	answer.Body = body{answer.Body, cancel}
	return answer, nil
}

// body is that of an answer, whose time ends with it.
type body struct {
	io.ReadCloser
	end context.CancelFunc
}

// Close implements [io.Closer].
func (b body) Close() error {
	defer b.end()
	return b.ReadCloser.Close()
}

// CloseIdleConnections is what [http.Client] looks for.
func (f fence) CloseIdleConnections() { (&http.Client{Transport: f.inner}).CloseIdleConnections() }
