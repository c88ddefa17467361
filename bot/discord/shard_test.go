package discord

import (
	"strings"
	"testing"
	"time"

	"chimera/bot/fake"
	"chimera/storage/kv/kvtest"
)

// begun is a game of chess that alice and bob have begun in a server, alice with White,
// and its thread.
func (l *life) begun() (thread string) {
	l.t.Helper()
	thread = l.begins()
	l.posted("board.png", "to move by")
	l.posted("PATCH channels/" + room0)
	return thread
}

// begins begins such a game, and does not wait for its board.
func (l *life) begins() (thread string) {
	l.t.Helper()
	l.Ready()
	l.Slash(room0, alice, "challenge", "opponent=@bob", "game=chess", "colour=white")
	challenge := l.posted("alice challenges <@12>")
	l.Press(room0, bob, pressable{Data: "join 1 -", Message: challenge})
	return challenge
}

func TestADroppedConnectionGoesOn(t *testing.T) {
	l, thread := inGame(t)
	l.Drop()
	l.Say(thread, alice, "f3")
	l.posted("1. f3")
	l.Lock()
	defer l.Unlock()
	if l.Resumed == 0 || l.Again != l.Resumed || len(l.Identified) != 1 {
		t.Errorf("%d resumed, %d of them where Discord wants it, %d identified", l.Resumed, l.Again, len(l.Identified))
	}
}

func TestWhatWasSaidWhileTheSessionWasGoneIsReadOnceAndInOrder(t *testing.T) {
	l, thread := inGame(t)
	l.End()
	l.under(func() { l.First = func(resume bool) bool { return !resume || l.invalid() } })
	l.Say(thread, alice, "f3")
	l.Say(thread, bob, "e5")
	l.Say(thread, alice, "g4")
	l.posted("2. g4")
	l.Say(thread, bob, "Qh4")
	l.posted("wins by checkmate")
	for _, answer := range []string{"turn in #", "illegal", "is over"} {
		if n := l.count("message_reference", answer); n > 0 {
			t.Errorf("%d answers with %q", n, answer)
		}
	}
}

// invalid says that the session is gone; the owner has locked.
func (f *double) invalid() bool {
	f.Send(packet{Op: 9, Data: []byte("false")})
	return false
}

func TestWhatWasMissedIsReadThoughThatFailsAtFirst(t *testing.T) {
	for name, no := range map[string]refusal{
		"500":         *refused(500, nil, `{"message":"500","code":0}`),
		"429":         *refused(429, nil, `{"message":"slow","retry_after":0.02,"global":false}`),
		"429, global": *refused(429, nil, `{"message":"slow","retry_after":0.02,"global":true}`),
		"502, a page": *refused(502, map[string]string{"Content-Type": "text/html"}, `<html>bad gateway</html>`),
	} {
		t.Run(name, func(t *testing.T) {
			l, thread := inGame(t)
			l.cutOff()
			l.Say(thread, alice, "f3")
			l.refuseTimes(3, no, "GET channels/"+thread+"/messages")
			l = l.again()
			l.Ready()
			l.Say(thread, bob, "e5")
			l.posted("1… e5")
			l.none("answers to moves", "message_reference")
		})
	}
}

func TestAllThatWasMissedIsReadInOrderHoweverMuchWasSaid(t *testing.T) {
	l, thread := inGame(t)
	l.cutOff()
	const much = 1200
	for range much {
		l.Say(thread, carol, "a nice game")
	}
	l.Say(thread, alice, "f3")
	for range much / 10 {
		l.Say(thread, carol, "well played")
	}
	l.Say(thread, bob, "e5")
	l = l.again()
	l.posted("1… e5")
}

func TestAShardReadsOfItsOwnServers(t *testing.T) {
	for _, c := range []struct {
		shard  [2]uint64
		server string
		want   bool
	}{
		{[2]uint64{0, 0}, "500", true},
		{[2]uint64{0, 1}, "197038439483310086", true},
		{[2]uint64{0, 2}, "", true},
		{[2]uint64{1, 2}, "", false},
		{[2]uint64{0, 4}, "197038439483310086", 197038439483310086>>22%4 == 0},
		{[2]uint64{1, 4}, "197038439483310086", 197038439483310086>>22%4 == 1},
		{[2]uint64{2, 4}, "197038439483310086", 197038439483310086>>22%4 == 2},
		{[2]uint64{3, 4}, "197038439483310086", 197038439483310086>>22%4 == 3},
	} {
		if got := tells(c.shard, c.server); got != c.want {
			t.Errorf("shard %v tells of %q: %v", c.shard, c.server, got)
		}
	}
}

func TestTalkIsNoMoveWhenItIsReadAgain(t *testing.T) {
	l, thread := inGame(t)
	l.Say(room0, bob, "e5") // it is not their turn
	l.Say(room0, carol, "<@999> version")
	l.posted("Chimera")
	l.Say(thread, alice, "f3")
	l.posted("1. f3")
	l.cutOff()
	l = l.again()
	l.Ready()
	l.Say(room0, carol, "<@999> help")
	l.posted("message_reference", "challenge")
	l.none("talk was played", "1… e5")
}

func TestReconnectAsFirstPacketDoesNotHangTheBot(t *testing.T) {
	for _, after := range []string{"IDENTIFY", "RESUME"} {
		t.Run(after, func(t *testing.T) {
			f, times := newFake(t), 0
			f.First = func(resume bool) bool {
				if resume != (after == "RESUME") || times > 0 {
					return true
				}
				times++
				f.Send(packet{Op: 7, Data: []byte("null")})
				return false
			}
			l := live(t, f, &kvtest.Disk{}, func(a *Adapter) { a.pace.open = 500 * time.Millisecond })
			thread := l.begun()
			l.Drop()
			l.Say(thread, alice, "f3")
			l.posted("1. f3")
			l.Lock()
			defer l.Unlock()
			if times != 1 {
				t.Errorf("Discord has asked %d times", times)
			}
		})
	}
}

func TestReconnectWhenItIsAsked(t *testing.T) {
	l, thread := inGame(t)
	l.under(func() { l.Send(packet{Op: 7, Data: []byte("null")}) })
	l.Wait("RESUME", func() bool { return l.Resumed > 0 })
	l.Say(thread, alice, "f3")
	l.posted("1. f3")
}

func TestASilentConnectionIsReplaced(t *testing.T) {
	f := newFake(t)
	f.Deaf = true
	l := live(t, f, &kvtest.Disk{}, func(a *Adapter) { a.pace.silence = 300 * time.Millisecond })
	l.Wait("another connection", func() bool {
		f.Deaf = f.Resumed == 0
		return f.Resumed > 0
	})
	l.begun()
}

func TestWithoutTheContentIntent(t *testing.T) {
	f := newFake(t)
	f.NoContent = true
	l := live(t, f, &kvtest.Disk{})
	l.Wait("two sessions", func() bool { return len(l.Identified) == 2 && l.Session == 1 })
	if l.Identified[0] != 37377 || l.Identified[1] != 4609 {
		t.Errorf("intents %v", l.Identified)
	}
	l.answered(l.Slash(room0, alice, "help"), "challenge", "only read what's meant for me")
	l.Say(room0, alice, "<@999> help")
	l.posted("channels/"+room0, "only read what's meant for me")
}

func TestAWrongTokenEndsTheBot(t *testing.T) {
	f := newFake(t)
	l := live(t, f, &kvtest.Disk{}, func(a *Adapter) {
		a.token = "other"
		a.rest.Token = "Bot other"
	})
	if err := <-l.ended; err == nil || !strings.Contains(err.Error(), "token") {
		t.Error(err)
	}
	l.ended <- nil
}

func TestNoSessionBeginsUntilThereAreEnoughForAllShards(t *testing.T) {
	f := newFake(t)
	f.Shards = 2
	asked := 0
	f.Refuse = func(c call) *refusal {
		if c.Path != "gateway/bot" {
			return nil
		}
		if asked++; asked > 2 {
			return nil
		}
		if len(f.Identified) > 0 {
			t.Error("a session has begun")
		}
		return refused(200, nil, `{"shards":2,"session_start_limit":{"remaining":1,"reset_after":5}}`)
	}
	l := live(t, f, &kvtest.Disk{})
	l.Wait("two sessions", func() bool { return asked == 3 && len(l.Identified) == 2 })
}

func TestEventsThatMakeNoSense(t *testing.T) {
	l, thread := inGame(t)
	l.Lock()
	for _, kind := range []string{"MESSAGE_CREATE", "INTERACTION_CREATE", "READY", "THREAD_DELETE", "CHANNEL_DELETE", "GUILD_CREATE", "NO_SUCH_THING"} {
		for _, data := range []string{
			`{}`, `[]`, `"x"`, `7`, `{"id":"1","channel_id":"501","token":"t","type":3}`, `{"id":"1","channel_id":"501","author":{"id":"11"},"content":"<@999>"}`,
			`{"id":"5","token":"t","type":2,"data":{"name":"nonsense","options":[{"name":"x","value":{"y":1}}]},"user":{"id":"11"}}`,
			`{"id":"6","token":"t","type":3,"channel_id":"501","data":{"custom_id":"pick 99999999999999999999 1"},"user":{"id":"11"},"message":{"components":[{"type":4711}]}}`,
		} {
			l.Dispatch(kind, rawJSON(data))
		}
	}
	l.Unlock()
	l.Say(thread, alice, "f3", func(m map[string]any) { m["components"] = []any{map[string]any{"type": 4711}} })
	l.posted("1. f3")
}

func TestFramesThatMakeNoSense(t *testing.T) {
	l, thread := inGame(t)
	l.Lock()
	l.Frame(1, "not json")
	l.Frame(2, "nor this")
	l.Frame(1, `{"op":0,"t":"INTERACTION_CREATE","s":null,"d":[1,2]}`)
	l.Unlock()
	l.Slash(thread, alice, "move", "move=f3")
	l.posted("1. f3")
}

// rawJSON is written as it stands.
type rawJSON string

func (r rawJSON) MarshalJSON() ([]byte, error) { return []byte(r), nil }

func TestAServerThatSaysNothing(t *testing.T) {
	f := newFake(t)
	f.Dumb = 2
	l := live(t, f, &kvtest.Disk{}, func(a *Adapter) { a.pace.open = 200 * time.Millisecond })
	l.begun()
	l.sessions(1)
}

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
	l.under(func() { away = false })
	l.untilConnected("")
	l.under(func() { away = true })
	l.End()
	l.untilConnected("discord: shard 0: ")
	l.under(func() { away = false })
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
