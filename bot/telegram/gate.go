package telegram

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-telegram/bot/models"
)

// gate is the library's HTTP client: it lets no request for updates through, which
// confirms those before, until they have been handled.
type gate struct {
	client *http.Client
	now    func() time.Time
	fatal  context.CancelCauseFunc

	mu      sync.Mutex
	last    time.Time     // when updates came
	pending int           // updates that were received and not yet handled
	idle    chan struct{} // closed while there are none
}

func newGate(client *http.Client, now func() time.Time) *gate {
	idle := make(chan struct{})
	close(idle)
	return &gate{client: client, now: now, last: now(), idle: idle}
}

// quiet is for how long the numbers of updates are believed to rise: after a week without
// any, Telegram may begin anywhere.
const quiet = 6 * 24 * time.Hour

// anew lets the library, which asks for what comes after the last number, ask for whatever
// there is.
const anew = `{"ok":true,"result":[{"update_id":-1}]}`

// errConflict is the end of a bot whose token another one uses.
var errConflict = errors.New("telegram: another program asks for this bot's updates, or a webhook is set: end the other one")

// maxUpdates is how long an answer with updates can be.
const maxUpdates = 16 << 20

// Do carries a request out.
func (g *gate) Do(r *http.Request) (*http.Response, error) {
	if path.Base(r.URL.Path) != "getUpdates" {
		return g.client.Do(r)
	}
	g.mu.Lock()
	idle := g.idle
	g.mu.Unlock()
	select {
	case <-idle:
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	if g.isQuiet() {
		g.received(1)
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(anew))}, r.Body.Close()
	}
	answer, err := g.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxUpdates))
	if err != nil {
		return nil, err
	}
	if body, err = g.look(r.Context(), answer, body); err != nil {
		return nil, err
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
	return answer, nil
}

// look counts updates, and obeys a refusal. It returns the answer as the library shall
// have it.
func (g *gate) look(ctx context.Context, answer *http.Response, body []byte) ([]byte, error) {
	var said struct {
		OK         bool              `json:"ok"`
		Result     []json.RawMessage `json:"result"`
		Parameters struct {
			RetryAfter int `json:"retry_after"`
		} `json:"parameters"`
	}
	_ = json.Unmarshal(body, &said) // the library says what is wrong with it
	switch answer.StatusCode {
	case http.StatusConflict:
		g.fatal(errConflict)
		return nil, errConflict
	case http.StatusUnauthorized:
		err := errors.New("telegram: the token is not good any more: ask BotFather for another")
		g.fatal(err)
		return nil, err
	case http.StatusTooManyRequests:
		seconds := said.Parameters.RetryAfter
		if header, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil {
			seconds = max(seconds, header)
		}
		return body, pause(ctx, time.Duration(seconds)*time.Second)
	case http.StatusOK:
		if !said.OK {
			return body, nil
		}
		for i, update := range said.Result {
			said.Result[i] = readable(update)
		}
		g.received(len(said.Result))
		return json.Marshal(map[string]any{"ok": true, "result": said.Result})
	}
	return body, nil
}

// readable is an update that the library can read: of one that it cannot, and for which it
// would throw all others away, only the number.
func readable(update json.RawMessage) json.RawMessage {
	var known models.Update
	if json.Unmarshal(update, &known) == nil {
		return update
	}
	var bare struct {
		ID int64 `json:"update_id"`
	}
	_ = json.Unmarshal(update, &bare) // then it is 0, and asked for again
	number, err := json.Marshal(bare)
	if err != nil {
		return update
	}
	return number
}

// isQuiet reports whether no updates have come for long.
func (g *gate) isQuiet() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.now().Sub(g.last) > quiet
}

func (g *gate) received(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if n == 0 {
		return
	}
	if g.last = g.now(); g.pending == 0 {
		g.idle = make(chan struct{})
	}
	g.pending += n
}

// done says that an update has been handled.
func (g *gate) done() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.pending == 0 {
		return // it came by webhook
	}
	if g.pending--; g.pending == 0 {
		close(g.idle)
	}
}
