package adapt

import (
	"net/http"
	"time"

	"chimera/bot/outbox"
	"chimera/storage"
)

// Fence lets requests to a platform through only while the process may speak for the bot: not when
// nobody knows whether another has taken its place. What is held back was not sent, and is
// [*outbox.Later].
func Fence(roles storage.Roles, inner http.RoundTripper) http.RoundTripper {
	return fence{roles, inner}
}

type fence struct {
	roles storage.Roles
	inner http.RoundTripper
}

// RoundTrip implements [http.RoundTripper].
func (f fence) RoundTrip(r *http.Request) (*http.Response, error) {
	err := f.roles.Held(r.Context())
	if err == nil {
		return f.inner.RoundTrip(r)
	}
	if r.Body != nil {
		_ = r.Body.Close() // nothing was read
	}
	if over := r.Context().Err(); over != nil {
		return nil, over
	}
	return nil, &outbox.Later{After: time.Second, Everywhere: true, Err: err}
}

// CloseIdleConnections is what [http.Client] looks for.
func (f fence) CloseIdleConnections() { (&http.Client{Transport: f.inner}).CloseIdleConnections() }
