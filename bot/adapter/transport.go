package adapter

import (
	"context"
	"io"
	"net/http"
	"time"

	"chimera/bot/outbox"
	"chimera/storage"
)

// LeaseCheck lets requests to a platform through only while this process certainly holds its roles:
// another may have taken its place. A request that was held back was not sent; its error is
// [*outbox.Later]. It also bounds how long a request and the reading of its answer may take: the
// Timeout of an [http.Client] would cost two goroutines for each.
func LeaseCheck(roles storage.Roles, inner http.RoundTripper, timeout time.Duration) http.RoundTripper {
	return leaseCheck{roles, inner, timeout}
}

type leaseCheck struct {
	roles   storage.Roles
	inner   http.RoundTripper
	timeout time.Duration
}

// RoundTrip implements [http.RoundTripper].
func (l leaseCheck) RoundTrip(r *http.Request) (*http.Response, error) {
	err := l.roles.Held(r.Context())
	if err == nil {
		return l.within(r)
	}
	if r.Body != nil {
		_ = r.Body.Close() // nothing was read
	}
	if over := r.Context().Err(); over != nil {
		return nil, over
	}
	return nil, &outbox.Later{After: time.Second, Everywhere: true, Err: err}
}

func (l leaseCheck) within(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(r.Context(), l.timeout)
	answer, err := l.inner.RoundTrip(r.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	answer.Body = body{answer.Body, cancel}
	return answer, nil
}

// body is the body of an answer; closing it ends the time of its request.
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
func (l leaseCheck) CloseIdleConnections() { (&http.Client{Transport: l.inner}).CloseIdleConnections() }

// Transport makes requests to a platform. It keeps as many connections as are used at once, and writes a
// picture with its text in one piece.
func Transport() *http.Transport {
	const connections, piece = 64, 64 << 10
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = connections, connections
	t.WriteBufferSize = piece
	return t
}
