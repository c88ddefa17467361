package adapter

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"chimera/storage"
)

// holder may always speak for the bot.
type holder struct{ storage.Roles }

func (holder) Held(context.Context) error { return nil }

// roundTrip is what makes requests.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// silent is the body of an answer that never comes.
type silent struct{ ctx context.Context }

func (s silent) Read([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, context.Cause(s.ctx)
}

func (s silent) Close() error { return nil }

func TestARequestWithItsAnswerTakesSoLongAtMost(t *testing.T) {
	const most = time.Minute
	for name, ask := range map[string]roundTrip{
		"no answer": func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		},
		"an answer without end": func(r *http.Request) (*http.Response, error) {
			return &http.Response{Body: silent{r.Context()}}, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1", nil)
				if err != nil {
					t.Fatal(err)
				}
				answer, err := LeaseCheck{holder{}, ask, most}.RoundTrip(r)
				if err == nil {
					_, err = io.ReadAll(answer.Body)
					err = errors.Join(err, answer.Body.Close())
				}
				if took := time.Since(begun); took != most || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("after %v: %v", took, err)
				}
			})
		})
	}
}
