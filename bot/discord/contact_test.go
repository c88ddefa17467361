package discord

import (
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
	a.cut(0, "not connected yet")
	a.cut(1, "the line is dead")
	for _, want := range []string{"discord: shard 0: not connected yet", "discord: shard 1: the line is dead"} {
		if err := a.Connected(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		a.down.Delete(0)
	}
	a.down.Delete(1)
	if err := a.Connected(); err != nil {
		t.Error(err)
	}
}
