package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chimera/bot"
	"chimera/bot/fake"
	"chimera/bot/outbox"
	"chimera/storage"
	"chimera/storage/kv"
)

// shortLived is an adapter that ends a while after it has begun.
type shortLived struct {
	after time.Duration
	why   error
	begun *[]time.Duration // when any of them has, since the first
	first time.Time
}

func (s shortLived) Send(context.Context, bot.Delivery) (outbox.Receipt, error) { return nil, nil }
func (s shortLived) Limits(storage.Address) []outbox.Limit                      { return nil }
func (s shortLived) Connected() error                                           { return nil }
func (s shortLived) Run(ctx context.Context, _ *outbox.Outbox) error {
	*s.begun = append(*s.begun, time.Since(s.first))
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(s.after):
		return s.why
	}
}

func TestAChatThatHasEndedIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var begun []time.Duration
		var told []bool
		lives := []time.Duration{0, 0, 0, 0, 0, 0, 0, time.Hour, 0}
		first := time.Now()
		st := &supervisor{
			platform: "chat", away: func(why error) { told = append(told, why != nil) },
			build: func() (platform, error) {
				life := time.Duration(0)
				if len(begun) < len(lives) {
					life = lives[len(begun)]
				}
				return shortLived{life, errors.New("somebody else is there"), &begun, first}, nil
			},
		}
		must(t, st.start())
		post := new(outbox.Outbox)
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Hour)
		defer cancel()
		done := make(chan error, 1)
		go func() { done <- st.keep(ctx, post, slog.New(slog.DiscardHandler)) }()
		time.Sleep(30 * time.Second)
		synctest.Wait()
		var later *outbox.Later
		if _, err := st.Send(ctx, bot.Delivery{}); !errors.As(err, &later) || later.After != 30*time.Second || !later.Everywhere {
			t.Errorf("what is said meanwhile is refused with %v", err)
		}
		if s := st.String(); !strings.Contains(s, "stopped: somebody else is there; tried again at ") {
			t.Error(s)
		}
		if err := <-done; !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		minutes := []time.Duration{0, 1, 3, 7, 15, 31, 47, 63, 124, 126}
		for i, m := range minutes {
			if i >= len(begun) || begun[i] != m*time.Minute {
				t.Fatalf("it began at %v, want minutes %v", begun, minutes)
			}
		}
		if !told[1] || told[2] {
			t.Errorf("people were told %v", told)
		}
	})
}

// TestAChatIsNotTriedAgainOnceTheDatabaseIsLost ends an adapter that has noticed before the program has.
func TestAChatIsNotTriedAgainOnceTheDatabaseIsLost(t *testing.T) {
	var begun []time.Duration
	lost := shortLived{why: fmt.Errorf("chat: %w", kv.ErrLost), begun: &begun, first: time.Now()}
	st := &supervisor{platform: "chat", away: func(error) {}, build: func() (platform, error) { return lost, nil }}
	must(t, st.start())
	if err := st.keep(t.Context(), new(outbox.Outbox), slog.New(slog.DiscardHandler)); !errors.Is(err, kv.ErrLost) || len(begun) != 1 {
		t.Errorf("it has begun %d times and ended with %v", len(begun), err)
	}
}

// TestAChatThatIsLostLeavesTheOther starts the program with a token that Telegram does
// not know.
func TestAChatThatIsLostLeavesTheOther(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "lost.db")
	d, g := fake.NewDiscord(t), fake.NewTelegram(t)
	program := start(t, "serve", "--data", data, "--discord-token", fake.DiscordToken, "--discord-api-url", d.URL,
		"--telegram-token", "1:other", "--telegram-api-url", g.URL)
	d.Ready()
	alice := fake.Users()[0]
	for { // until Telegram has answered, and Discord too
		_, out, errs := call(t, "", "status", "--data", data)
		if strings.Contains(out, "stopped") && !strings.Contains(out, "connecting") {
			if !regexp.MustCompile(`on discord: +on\non telegram: +stopped for good: telegram: the token is wrong`).MatchString(out) {
				t.Errorf("the status is %s%s", out, errs)
			}
			break
		}
		select {
		case <-t.Context().Done():
			t.Fatal(out)
		default:
		}
	}
	d.Slash(fake.Channel, alice, "status")
	d.Posted("I'm not on Telegram at the moment")
	d.Slash(fake.Channel, alice, "challenge", "game=chess")
	d.Posted("alice is looking for an opponent")
	program.kill()
}

func TestAProgramThatIsInNoChatEnds(t *testing.T) {
	t.Parallel()
	g := fake.NewTelegram(t)
	program := start(t, "serve", "--data", filepath.Join(t.TempDir(), "none.db"), "--telegram-token", "1:other", "--telegram-api-url", g.URL)
	status, _ := program.end()
	if said := program.errs.String(); status != failed || !strings.Contains(said, "chimera: telegram: the token is wrong: ask BotFather") {
		t.Errorf("it ended with %d and said %s", status, said)
	}
}
