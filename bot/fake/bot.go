package fake

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"chimera/bot"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv"
)

// NewBot is a bot of all games on an engine, with its store.
func NewBot(t testing.TB, engine kv.DB, now func() time.Time, log *slog.Logger) (*storage.Store, *bot.Bot) {
	t.Helper()
	store, err := storage.Open(t.Context(), engine)
	if err != nil {
		t.Fatal(err)
	}
	services := bot.NewServices(store, OnePuzzle(variants.All()), now, func() bool { return true })
	return store, bot.New(services, log, "Chimera")
}

// Run runs the parts of a program until it is stopped, at the latest when the test ends. Then it closes the store.
// What the program logs must not contain the secret.
func Run(t testing.TB, store *storage.Store, log *Log, secret string, parts ...func(context.Context)) (stop func() error) {
	ctx, cancel := context.WithCancel(context.Background())
	var work sync.WaitGroup
	for _, part := range parts {
		work.Go(func() { part(ctx) })
	}
	stop = sync.OnceValue(func() error {
		cancel()
		work.Wait()
		return store.Close()
	})
	t.Cleanup(func() {
		_ = stop() // it was canceled, or has been looked at
		if t.Failed() {
			t.Log(log.String())
		}
		if strings.Contains(log.String(), secret) {
			t.Errorf("the token is in the log: %s", log.String())
		}
	})
	return stop
}

// Open is a bot of all games, with its store, in a process of its own, on an engine that may have failed to open. It
// logs nothing.
func Open(engine kv.DB, failed error) (*storage.Store, *bot.Bot, error) {
	if failed != nil {
		return nil, nil, failed
	}
	store, err := storage.Open(context.Background(), engine)
	if err != nil {
		return nil, nil, err
	}
	services := bot.NewServices(store, variants.All(), time.Now, func() bool { return true })
	return store, bot.New(services, slog.New(slog.DiscardHandler), "Chimera"), nil
}

// Says checks that a text has some parts, and lacks those that begin with "!".
func Says(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		part, no := strings.CutPrefix(part, "!")
		if strings.Contains(text, part) == no {
			t.Errorf("%q is wanted: %v, in\n%s", part, !no, text)
		}
	}
}
