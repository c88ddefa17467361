package discord

import (
	"errors"
	"strings"
	"testing"
	"time"

	"chimera/bot/fake"
	"chimera/storage/kv/kvtest"
)

// untilConnected waits until the bot says of its connection what is wanted, or "" where it has one.
func (l *life) untilConnected(words string) {
	l.t.Helper()
	for late := time.Now().Add(30 * time.Second); ; {
		err := l.chat.Connected()
		switch {
		case words == "" && err == nil, words != "" && err != nil && strings.Contains(err.Error(), words):
			return
		case time.Now().After(late):
			l.t.Fatalf("of its connection it says %v, want %q", err, words)
		}
	}
}

func TestTheBotKnowsWhetherItIsConnected(t *testing.T) {
	f := newFake(t)
	away := true
	f.Refuse = func(c fake.Request) *fake.Refusal {
		if !away || !strings.HasPrefix(c.Path, "gateway") {
			return nil
		}
		return &fake.Refusal{Status: 502, Body: "{}"}
	}
	l := live(t, f, &kvtest.Disk{})
	l.untilConnected("discord: not reached yet")
	l.Lock()
	away = false
	l.Unlock()
	l.untilConnected("")
	l.Lock()
	away = true
	l.Unlock()
	l.End()
	l.untilConnected("discord: shard 0: ")
	l.Lock()
	away = false
	l.Unlock()
	l.untilConnected("")
}

func TestAllShardsHaveToBeConnected(t *testing.T) {
	a := &Adapter{}
	a.contact.begin()
	a.contact.cut(0, "not connected yet")
	a.contact.cut(1, "not connected yet")
	for i, c := range []struct {
		shard int
		cut   string
		again bool
		want  string
	}{
		{0, "", true, "discord: shard 1: not connected yet"},
		{0, "", false, "discord: shard 1: not connected yet"},
		{1, "", true, ""},
		{0, "the line is dead", false, "discord: shard 0: the line is dead"},
		{0, "", true, ""},
	} {
		if c.cut != "" {
			a.contact.cut(c.shard, c.cut)
		} else if again := a.contact.joined(c.shard); again != c.again {
			t.Errorf("step %d: it was joined anew: %v", i, again)
		}
		want := error(nil)
		if c.want != "" {
			want = errors.New(c.want)
		}
		if got := a.Connected(); (got == nil) != (want == nil) || got != nil && got.Error() != c.want {
			t.Errorf("step %d: %v, want %v", i, got, want)
		}
	}
}
