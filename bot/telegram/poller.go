package telegram

import (
	"bytes"
	"cmp"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	library "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"chimera/bot/adapter"
	"chimera/bot/outbox"
	"chimera/bot/words"
	"chimera/storage"
)

const (
	// pollTimeout is how long Telegram may hold a request open while there is nothing new.
	pollTimeout = 50 * time.Second

	// quiet is how long update numbers can be relied on to rise: after a week without updates, Telegram may start
	// anywhere.
	quiet = 6 * 24 * time.Hour

	// mostUpdates is how many Telegram sends at once, and maxUpdates their greatest size in bytes.
	mostUpdates = 100
	maxUpdates  = 16 << 20

	// contest is how long a bot keeps asking for updates while another program does too: most likely that is its
	// predecessor, about to end. The one that was there first waits twice as long.
	contest = time.Minute

	// calm is how long no other program must ask for a contest to be over.
	calm = contest / 2
)

var (
	errRival = errors.New("another program asks for this bot's updates")

	// errConflict ends a bot whose token another program uses.
	errConflict = fmt.Errorf("telegram: %w, or a webhook is set: end the other one", errRival)

	// errToken ends a bot whose token was revoked.
	errToken error = &outbox.Never{Err: errors.New("telegram: the token is not good any more: ask BotFather for another")}
)

// updates are the kinds of updates that are wanted.
var updates = library.AllowedUpdates{"message", "callback_query", "inline_query", "my_chat_member"} //nolint:gochecknoglobals // never written

// poller asks Telegram for updates. The library's own loop would confirm them before they were handled.
type poller struct {
	client  *http.Client
	address string // the URL that it asks
	log     *slog.Logger
	joined  func()      // called when the bot is connected again
	full    atomic.Bool // the last answer was full: probably more updates wait
	rivals  rivals
	cut     atomic.Pointer[error] // why the bot is not connected; nil if it is
}

// contact notes why the bot is not connected to Telegram, nil if it is.
func (p *poller) contact(why error) {
	if why != nil {
		p.cut.Store(&why)
	} else if p.cut.Swap(nil) != nil {
		p.joined()
	}
}

// run asks for updates until the context is done, or until Telegram gives them to another program or to nobody. Asking
// for more confirms those before, so it waits until done was called for each.
func (p *poller) run(ctx context.Context, receive func(u *models.Update, done func())) error {
	p.rivals.begun = time.Now()
	asking := adapter.Retry{First: time.Second / 10, Most: 5 * time.Second, Pause: adapter.Pause, Verdict: func(err error) error { return p.verdict(ctx, err) }, Log: func(err error, again time.Duration) {
		if !errors.Is(err, errRival) { // rivals are logged once, elsewhere
			p.log.WarnContext(ctx, "telegram: no updates", "err", err, "again in", again)
		}
	}}
	next, heard := int64(0), time.Now() // from 0 on, Telegram sends all it has
	for {
		if time.Since(heard) > quiet {
			next = 0
		}
		var given []json.RawMessage
		err := asking.Do(ctx, func() (err error) {
			given, err = p.ask(ctx, next)
			return err
		})
		if errors.Is(err, errRival) {
			return errConflict
		}
		if err != nil {
			return err
		}
		p.full.Store(len(given) == mostUpdates)
		handled := make(chan struct{}, len(given))
		for _, text := range given {
			u, _ := readable(text) // otherwise its number is 0, and it is asked for again
			next, heard = u.ID+1, time.Now()
			receive(u, func() { handled <- struct{}{} })
		}
		for range given {
			select {
			case <-handled:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
}

// verdict ends the polling once another program has taken the bot's updates.
func (p *poller) verdict(ctx context.Context, err error) error {
	if !errors.Is(err, errRival) {
		return err
	}
	lost, first := p.rivals.meet(time.Now())
	if first {
		p.log.WarnContext(ctx, "telegram: another program asks for updates too; trying on for a while", "err", errConflict)
	}
	return words.Either[error](lost, &outbox.Never{Err: err}, err)
}

// ask asks once for updates from a number on. While the bot is not connected, Telegram answers at once.
func (p *poller) ask(ctx context.Context, next int64) (given []json.RawMessage, err error) {
	wait := words.Either(p.cut.Load() == nil, pollTimeout, 0)
	kinds, _ := json.Marshal(updates) // strings always marshal
	form := url.Values{
		"offset": {strconv.FormatInt(next, 10)}, "timeout": {strconv.Itoa(int(wait.Seconds()))}, "allowed_updates": {string(kinds)},
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.address, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := p.client.Do(r)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for request := (*url.Error)(nil); errors.As(err, &request); {
		err = request.Err // without the URL, which contains the token
	}
	if err != nil {
		p.contact(err)
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	var said struct {
		OK         bool
		Result     []json.RawMessage
		Parameters struct {
			RetryAfter int `json:"retry_after"`
		}
	}
	err = json.NewDecoder(io.LimitReader(answer.Body, maxUpdates)).Decode(&said)
	fault := errors.New("it has answered " + answer.Status)
	switch answer.StatusCode {
	case http.StatusOK:
		if err == nil && !said.OK {
			err = fault
		}
		fault = err
	case http.StatusConflict:
		fault, err = errRival, errRival
	case http.StatusUnauthorized:
		err = errToken
	case http.StatusTooManyRequests:
		header, _ := strconv.Atoi(answer.Header.Get("Retry-After")) // else it is 0
		err = &outbox.Later{After: time.Duration(max(header, said.Parameters.RetryAfter)) * time.Second, Err: fault}
	default:
		err = fault
	}
	p.contact(fault)
	return said.Result, err
}

// rivals knows since when other programs have asked for the bot's updates.
type rivals struct{ begun, since, last time.Time }

// meet notes that another program has asked. It reports whether this one has to give way, and whether a contest has
// just begun.
func (r *rivals) meet(now time.Time) (lost, first bool) {
	if first = now.Sub(r.last) > calm; first {
		r.since = now
	}
	r.last = now
	patience := words.Either(r.since.Sub(r.begun) > contest, 2*contest, contest)
	return now.Sub(r.since) >= patience, first
}

// readable is an update, or only its number if the library cannot read the rest. The error is that of the number.
func readable(text []byte) (*models.Update, error) {
	if u := new(models.Update); json.Unmarshal(text, u) == nil {
		numberWhispers(u, text)
		return u, nil
	}
	var bare struct {
		ID int64 `json:"update_id"`
	}
	err := json.Unmarshal(text, &bare)
	return &models.Update{ID: bare.ID}, err
}

// caller is the library's HTTP client.
type caller struct {
	*http.Client
	a *Adapter
}

// Do sends a request. The library writes forms in pieces, which are gathered here to be sent together.
func (c caller) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err = errors.Join(err, r.Body.Close()); err != nil {
		return nil, err
	}
	if picture, ok := r.Context().Value(tabled{}).([]byte); ok {
		body = tabulate(r, body, picture)
	}
	hide, whispers := r.Context().Value(hidden{}).(hider)
	if whispers {
		body = hide(r, body)
	}
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	r.ContentLength = int64(len(body))
	r.Body, _ = r.GetBody()
	answer, err := c.Client.Do(r)
	if err == nil && answer.StatusCode == http.StatusUnauthorized && c.a.end != nil { // else begin tells
		c.a.end(errToken)
	}
	if err == nil && whispers {
		err = c.heard(answer)
	}
	return answer, err
}

// maxHook is the greatest size of an update in bytes.
const maxHook = 1 << 20

// listen receives updates from Telegram until the context is done. Every process takes them; one of them sets the
// webhook.
func (a *Adapter) listen(ctx context.Context) error {
	address, err := url.Parse(a.config.WebhookURL)
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", a.config.WebhookListen)
	if err != nil {
		return &outbox.Never{Err: fmt.Errorf("telegram: cannot listen for the webhook: %w", err)}
	}
	const patience = 10 * time.Second
	server := &http.Server{Handler: a.at(address.Path), ReadHeaderTimeout: patience, ReadTimeout: patience, MaxHeaderBytes: 16 << 10}
	a.later("webhook", func(context.Context) { a.ownWebhook(ctx) })
	return cmp.Or(adapter.Serve(ctx, server, listener, patience), context.Cause(ctx))
}

// ownWebhook sets the webhook, once no other process has the bot's role, and retries for as long as Telegram cannot be
// reached. A failure ends Run.
func (a *Adapter) ownWebhook(ctx context.Context) {
	err := a.hold(ctx)
	if err == nil {
		err = a.persist(ctx, "webhook not set", asking(ctx, a.library.SetWebhook, &library.SetWebhookParams{
			URL: a.config.WebhookURL, SecretToken: a.config.WebhookSecret, AllowedUpdates: updates,
		}))
		if err != nil && ctx.Err() == nil {
			err = &outbox.Never{Err: errors.New("telegram: the webhook was refused: " + a.clean(err))}
		}
	}
	if err != nil {
		a.end(err)
	}
}

// at takes updates sent to a path, which may contain any characters, and confirms them once they were handled.
func (a *Adapter) at(path string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch secret := r.Header.Get("X-Telegram-Bot-Api-Secret-Token"); {
		case r.URL.Path != cmp.Or(path, "/"):
			http.NotFound(w, r)
		case r.Method != http.MethodPost:
			w.Header().Set("Allow", http.MethodPost)
			http.Error(w, "updates are posted here", http.StatusMethodNotAllowed)
		case subtle.ConstantTimeCompare([]byte(secret), []byte(a.config.WebhookSecret)) != 1:
			http.Error(w, "who are you?", http.StatusUnauthorized)
		default:
			a.hook(w, r)
		}
	})
}

// hook takes an update from Telegram.
func (a *Adapter) hook(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxHook))
	u, err2 := readable(body)
	if err != nil || err2 != nil || u.ID == 0 {
		http.Error(w, "that is no update", http.StatusBadRequest)
		return
	}
	handled := make(chan struct{})
	if !a.receive(u, func() { close(handled) }) {
		http.Error(w, "not any more", http.StatusServiceUnavailable)
		return
	}
	select {
	case <-handled:
	case <-r.Context().Done():
		http.Error(w, "not yet", http.StatusServiceUnavailable)
	}
}

// verdict is what a refusal of Telegram's means to the outbox.
func (a *Adapter) verdict(err error) error {
	_, held := errors.AsType[*outbox.Later](err)
	_, never := errors.AsType[*outbox.Never](err)
	if err == nil || held || never {
		return err // it is a verdict already
	}
	said := errors.New(a.clean(err))
	if later, ok := errors.AsType[*library.TooManyRequestsError](err); ok {
		return &outbox.Later{After: time.Duration(later.RetryAfter) * time.Second, Err: said}
	}
	gone := errors.Is(err, library.ErrorForbidden) || refusedAs(err, "chat not found", "CHAT_WRITE_FORBIDDEN", "PEER_ID_INVALID", "rights to send")
	return words.Either[error](gone || errors.Is(err, library.ErrorBadRequest), &outbox.Never{Gone: gone, Err: said}, said)
}

// refusedAs reports whether an error is a refusal of Telegram's that contains one of these words.
func refusedAs(err error, words ...string) bool {
	return errors.Is(err, library.ErrorBadRequest) && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(err.Error(), w) })
}

// moved is the new address of a group, if an error says that it has moved.
func (a *Adapter) moved(ctx context.Context, place storage.Address, err error) (storage.Address, bool) {
	migrated, ok := errors.AsType[*library.MigrateError](err)
	if !ok {
		return place, false
	}
	chat, thread := chatOf(place)
	a.migrate(ctx, chat, int64(migrated.MigrateToChatID))
	return address(int64(migrated.MigrateToChatID), thread), true
}

// heed makes everything for a place wait, if there is an error that asks for that.
func (a *Adapter) heed(place storage.Address, err error) {
	if later, ok := errors.AsType[*outbox.Later](a.verdict(err)); ok {
		a.post.Hold(place, later)
	}
}

// persist retries a request to Telegram until it succeeds or is refused for good.
func (a *Adapter) persist(ctx context.Context, fault string, ask func() error) error {
	asking := adapter.Retry{First: time.Second, Most: time.Minute, Pause: a.pause, Verdict: func(err error) error {
		if isWrongToken(err) {
			return &outbox.Never{Err: err}
		}
		return a.verdict(err)
	}, Log: func(err error, again time.Duration) {
		a.log.WarnContext(ctx, "telegram: "+fault, "err", a.clean(err), "again in", again)
	}}
	return asking.Do(ctx, ask)
}

// asking is a request to the library whose answer says only that it succeeded.
func asking[P, A any](ctx context.Context, do func(context.Context, P) (A, error), params P) func() error {
	return func() error {
		_, err := do(ctx, params)
		return err
	}
}

// isWrongToken reports whether Telegram does not know the bot.
func isWrongToken(err error) bool {
	return errors.Is(err, library.ErrorUnauthorized) || errors.Is(err, library.ErrorNotFound)
}

// insist makes a request to Telegram, and retries a little later if that may help.
func (a *Adapter) insist(ctx context.Context, ask func() error) error {
	const most = 10 * time.Second
	asking := adapter.Retry{First: time.Second / 2, Tries: 4, Pause: a.pause, Verdict: func(err error) error {
		verdict := a.verdict(err)
		later, asks := errors.AsType[*outbox.Later](verdict)
		_, moved := errors.AsType[*library.MigrateError](err)
		return words.Either[error](moved || asks && later.After > most, &outbox.Never{Err: err}, verdict)
	}}
	return asking.Do(ctx, ask)
}

// ask makes a request to Telegram while somebody waits.
func (a *Adapter) ask(ctx context.Context, fault string, question func(context.Context) error) error {
	const soon = 2 * time.Second
	err := adapter.Retry{Tries: 2, Pause: a.pause}.Do(ctx, func() error {
		ctx, end := context.WithTimeout(ctx, soon)
		defer end()
		return question(ctx)
	})
	a.failed(ctx, slog.LevelWarn, fault, err)
	return err
}
