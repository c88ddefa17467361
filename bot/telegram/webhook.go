package telegram

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	library "github.com/go-telegram/bot"

	"chimera/bot/adapter"
	"chimera/bot/outbox"
)

// maxHook is how long an update can be.
const maxHook = 1 << 20

// listen lets Telegram bring updates until the context is done. Every process takes them; one of them tells
// Telegram where to.
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

// ownWebhook tells Telegram where to bring updates, however long it is away, once no other process has the
// bot's role. It ends Run if that fails.
func (a *Adapter) ownWebhook(ctx context.Context) {
	err := a.hold(ctx)
	if err == nil {
		err = a.persist(ctx, "webhook not set", func() error {
			_, err := a.library.SetWebhook(ctx, &library.SetWebhookParams{
				URL: a.config.WebhookURL, SecretToken: a.config.WebhookSecret, AllowedUpdates: updates,
			})
			return err
		})
		if err != nil && ctx.Err() == nil {
			err = &outbox.Never{Err: errors.New("telegram: the webhook was refused: " + a.clean(err))}
		}
	}
	if err != nil {
		a.end(err)
	}
}

// at takes updates that are brought to a path, which may contain any characters, and confirms them once they
// were handled.
func (a *Adapter) at(path string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secret := r.Header.Get("X-Telegram-Bot-Api-Secret-Token")
		switch {
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
