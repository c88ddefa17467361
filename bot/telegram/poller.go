package telegram

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-telegram/bot/models"

	"chimera/bot/adapter"
	"chimera/bot/outbox"
)

// poller is the library's HTTP client. It holds each request for updates, which confirms those before, until
// those have been handled.
type poller struct {
	client  *http.Client
	now     func() time.Time
	log     *slog.Logger
	fatal   context.CancelCauseFunc // nil until the bot has begun
	contact contact

	mu      sync.Mutex
	last    time.Time     // when updates came
	pending int           // updates that were received and not yet handled
	full    bool          // the last answer was full: most likely more updates wait
	idle    chan struct{} // closed while there are none

	begun            time.Time
	contested, clash time.Time // since when, and when last, another program asked for updates too
}

func newPoller(client *http.Client, now func() time.Time, log *slog.Logger) *poller {
	idle := make(chan struct{})
	close(idle)
	return &poller{client: client, now: now, log: log, last: now(), idle: idle, begun: now()}
}

// quiet is for how long the numbers of updates can be relied on to rise: after a week without any, Telegram
// may begin anywhere.
const quiet = 6 * 24 * time.Hour

// anew makes the library, which asks for the number after the last one, ask for all there is.
const anew = `{"ok":true,"result":[{"update_id":-1}]}`

// errConflict is the end of a bot whose token another one uses.
var errConflict = errors.New("telegram: another program asks for this bot's updates, or a webhook is set: end the other one")

// errToken is the end of a bot whose token has been taken back.
var errToken error = &outbox.Never{Err: errors.New("telegram: the token is not good any more: ask BotFather for another")}

const (
	// contest is for how long a bot goes on asking for updates while another program does so too: most
	// likely that is its predecessor, about to end. The one that was there first waits twice as long.
	contest = time.Minute

	// calm is after how long without another program a contest is over.
	calm = contest / 2
)

// mostUpdates is how many Telegram gives out at once.
const mostUpdates = 100

// prompt is how long an update waits for its answer before it is kept and confirmed: it must not hold up
// other people's updates.
func (p *poller) prompt() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.full {
		return time.Second / 50
	}
	return time.Second / 4
}

// maxUpdates is how long an answer with updates can be.
const maxUpdates = 16 << 20

// Do carries a request out.
func (p *poller) Do(r *http.Request) (*http.Response, error) {
	if err := gather(r); err != nil {
		return nil, err
	}
	if path.Base(r.URL.Path) != "getUpdates" {
		answer, err := p.client.Do(r)
		if err == nil && answer.StatusCode == http.StatusUnauthorized && p.fatal != nil {
			p.fatal(errToken)
		}
		return answer, err
	}
	p.mu.Lock()
	idle := p.idle
	p.mu.Unlock()
	select {
	case <-idle:
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	if p.isQuiet() {
		p.received(1)
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(anew))}, r.Body.Close()
	}
	answer, body, err := p.ask(r)
	if err != nil {
		return nil, err
	}
	if body, err = p.look(r.Context(), answer, body); err != nil {
		return nil, err
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
	return answer, nil
}

// gather reads the body of a request before it is sent. The library writes forms in pieces, and each piece
// would be sent by itself.
func gather(r *http.Request) error {
	if r.Body == nil {
		return nil
	}
	body, err := io.ReadAll(r.Body)
	if err = errors.Join(err, r.Body.Close()); err != nil {
		return err
	}
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	r.ContentLength = int64(len(body))
	r.Body, err = r.GetBody()
	return err
}

// ask asks for updates, and finds out whether Telegram gives them out.
func (p *poller) ask(r *http.Request) (answer *http.Response, body []byte, err error) {
	defer func() {
		switch {
		case r.Context().Err() != nil: // the program ends
		case err != nil:
			p.contact.cut(err)
		case answer.StatusCode == http.StatusConflict:
			p.contact.cut(errors.New("another program asks for this bot's updates"))
		case answer.StatusCode != http.StatusOK:
			p.contact.cut(errors.New("it has answered " + answer.Status))
		default:
			p.contact.up()
		}
	}()
	answer, err = p.client.Do(p.contact.asking(r))
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err = io.ReadAll(io.LimitReader(answer.Body, maxUpdates))
	return answer, body, err
}

// look counts updates, and obeys a refusal. It returns the answer for the library.
func (p *poller) look(ctx context.Context, answer *http.Response, body []byte) ([]byte, error) {
	switch answer.StatusCode {
	case http.StatusConflict:
		if p.lost(ctx) {
			p.fatal(errConflict)
		}
		return nil, errConflict
	case http.StatusUnauthorized:
		p.fatal(errToken)
		return nil, errToken
	case http.StatusTooManyRequests:
		var said struct {
			Parameters struct {
				RetryAfter int `json:"retry_after"`
			}
		}
		_ = json.Unmarshal(body, &said) // then it is 0
		seconds := said.Parameters.RetryAfter
		if header, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil {
			seconds = max(seconds, header)
		}
		return body, adapter.Pause(ctx, time.Duration(seconds)*time.Second)
	case http.StatusOK:
		var updates []models.Update
		said := given{Result: &updates}
		if json.Unmarshal(body, &said) == nil && said.OK {
			p.received(len(updates))
			return body, nil
		}
		var parts []json.RawMessage
		said = given{Result: &parts}
		if json.Unmarshal(body, &said) != nil || !said.OK {
			return body, nil // the library says what is wrong with it
		}
		for i, update := range parts {
			parts[i] = readable(update)
		}
		p.received(len(parts))
		return json.Marshal(map[string]any{"ok": true, "result": parts})
	}
	return body, nil
}

// given is an answer with updates.
type given struct {
	OK     bool `json:"ok"`
	Result any  `json:"result"`
}

// lost notes that another program asks for updates too, and reports whether this one has to give way.
func (p *poller) lost(ctx context.Context) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if p.clash.IsZero() || now.Sub(p.clash) > calm {
		p.contested = now
		p.log.WarnContext(ctx, "telegram: another program asks for updates too; trying on for a while", "err", errConflict)
	}
	p.clash = now
	patience := contest
	if p.contested.Sub(p.begun) > contest {
		patience *= 2
	}
	return now.Sub(p.contested) >= patience
}

// readable is an update that the library can read: if it cannot, only its number. The library would discard
// all other updates with it.
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
func (p *poller) isQuiet() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now().Sub(p.last) > quiet
}

func (p *poller) received(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.full = n >= mostUpdates; n == 0 {
		return
	}
	if p.last = p.now(); p.pending == 0 {
		p.idle = make(chan struct{})
	}
	p.pending += n
}

// done says that an update has been handled.
func (p *poller) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pending == 0 {
		return // it came by webhook
	}
	if p.pending--; p.pending == 0 {
		close(p.idle)
	}
}
