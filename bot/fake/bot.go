package fake

import (
	"log/slog"
	"strings"
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
