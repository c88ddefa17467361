package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"chimera/bot/event"
	"chimera/bot/fake"
	"chimera/storage"
	"chimera/storage/kv"
)

// fillable is a database on a disk that may be full.
type fillable struct {
	kv.DB
	full   atomic.Bool
	commit chan struct{} // has something when something was kept
}

func (f *fillable) Update(ctx context.Context, fn func(kv.Writer) error) error {
	err := f.DB.Update(ctx, func(w kv.Writer) error {
		if err := fn(w); err != nil || !f.full.Load() {
			return err
		}
		return fmt.Errorf("commit: %w", syscall.ENOSPC)
	})
	select {
	case f.commit <- struct{}{}:
	default:
	}
	return err
}

// byHand is a clock that goes on by itself, and that a test puts forward: one step for
// each time that somebody sleeps.
type byHand struct {
	mu    sync.Mutex
	ahead time.Duration
	steps chan time.Duration
	asked []time.Duration // how long each sleep was to last
}

func (c *byHand) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.ahead)
}

func (c *byHand) sleep(ctx context.Context, wait time.Duration) error {
	c.mu.Lock()
	c.asked = append(c.asked, wait)
	c.mu.Unlock()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case step := <-c.steps:
		c.mu.Lock()
		defer c.mu.Unlock()
		c.ahead += step
		return nil
	}
}

// TestAFullDiskIsSaidAndLosesNothing plays on both platforms while nothing can be saved
// for an hour.
func TestAFullDiskIsSaidAndLosesNothing(t *testing.T) {
	t.Parallel()
	hand := &byHand{steps: make(chan time.Duration)}
	text := &fake.Log{}
	o := observe(t, clock{hand.now, hand.sleep}, slog.NewTextHandler(text, nil))
	d, g, store, disk := o.discord, o.chat, o.store, o.disk
	d.Ready()
	g.Wait("commands", func() bool { return len(g.Calls) > 3 })

	alice := fake.Users()[0]
	offer, _ := begun(d, g, "chess")
	g.Posted("sendPhoto", "chat_id:2", "alice</b> (White) to move")
	d.Posted("/messages", "Chess #1", "Move")
	d.Slash(offer.ID, alice, "move", "move=e4")
	g.Posted("sendPhoto", "chat_id:2", "1. e4")
	delivered := func() {
		t.Helper()
		for {
			waiting, err := storage.Read(t.Context(), store, storage.Reader.Outbox)
			must(t, err)
			if len(waiting) == 0 {
				return
			}
			select {
			case <-disk.commit:
			case <-time.After(30 * time.Second):
				t.Fatalf("there wait still %v", waiting)
			}
		}
	}
	delivered()

	// Something still has to be said when the disk gets full.
	err := store.Update(t.Context(), func(w storage.Writer) error {
		game, err := w.Games().Get(1)
		if err != nil {
			return err
		}
		for _, place := range game.Places() {
			if err := w.Post(storage.Entry{Place: place, Game: 1, Ply: 1, At: hand.now(), Kind: string(event.DrawDeclined), By: game.Players[0]}); err != nil {
				return err
			}
		}
		return nil
	})
	must(t, err)
	disk.full.Store(true)
	const cannot = "I can't save anything right now, so nothing has changed, and nothing is lost."
	for minute := range 60 {
		hand.steps <- time.Minute
		if minute%20 == 10 {
			g.Say(bob.ID, bob, "e5")
			g.Posted("chat_id:2", cannot)
			g.Say(bob.ID, bob, "/status")
			g.Posted("chat_id:2", about()+". "+cannot)
			d.Posted("/token"+d.Slash(offer.ID, alice, "status"), cannot)
			d.Posted("/token"+d.Slash(offer.ID, alice, "takeback"), cannot)
		}
		select {
		case err := <-o.done:
			t.Fatalf("after %d minutes it ended: %v", minute+1, err)
		default:
		}
	}
	disk.full.Store(false)
	hand.steps <- time.Minute
	hand.steps <- time.Minute
	g.Posted("chat_id:2", "I was offline for 1 hour")
	d.Posted("/messages", "I was offline for 1 hour")
	g.Say(bob.ID, bob, "e5")
	d.Posted("/messages", "1… e5")
	d.Slash(offer.ID, alice, "move", "move=Nf3")
	g.Posted("sendPhoto", "chat_id:2", "2. Nf3")
	hand.steps <- time.Minute
	delivered()
	d.Posted("/token"+d.Slash(offer.ID, alice, "status"), "all is well")

	if said := times(d, g, "declines the draw"); said != 2 {
		t.Errorf("what waited was said %d times, want once on Telegram and once on Discord", said)
	}
	for words, times := range map[string]int{"nothing can be saved": 1, "everything can be saved again": 1} {
		if n := strings.Count(text.String(), words); n != times {
			t.Errorf("the log tells %d times that %s", n, words)
		}
	}
	if n := strings.Count(text.String(), "level=ERROR"); n != 1 {
		t.Errorf("the log has %d errors:\n%s", n, text.String())
	}
	_, err = o.bot.Maintenance.Verify(t.Context(), func(id storage.GameID, fault error) { t.Errorf("game %d: %v", id, fault) }, func(int, int) {})
	must(t, err)
	hand.mu.Lock()
	defer hand.mu.Unlock()
	if longest := hand.asked[30]; longest <= hand.asked[0] || hand.asked[len(hand.asked)-1] != hand.asked[0] {
		t.Errorf("it looks every %v, and every %v while nothing can be saved", hand.asked[0], longest)
	}
}
