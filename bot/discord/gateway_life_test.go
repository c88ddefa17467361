package discord

import (
	"strings"
	"testing"
	"time"

	"chimera/storage/kv/kvtest"
)

// begun is a game of chess that alice and bob have begun in a server, alice with White,
// and its thread.
func (l *life) begun() (thread string) {
	l.t.Helper()
	thread = l.begunIn(room0)
	l.posted("board.png", "is to move")
	l.posted("PATCH channels/" + room0)
	return thread
}

// begunIn begins such a game in a channel, and does not wait for its board.
func (l *life) begunIn(room string) (thread string) {
	l.t.Helper()
	l.ready()
	l.slash(room, alice, "challenge", "opponent=@bob", "game=chess", "colour=white")
	challenge := l.posted("alice challenges <@12>")
	l.press(room, bob, pressable{data: "join 1 -", message: challenge})
	return challenge
}

func TestADroppedConnectionGoesOn(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	thread := l.begun()
	l.drop()
	l.say(thread, alice, "f3")
	l.posted("1. f3")
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.resumed == 0 || len(l.identified) != 1 {
		t.Errorf("%d resumed, %d identified", l.resumed, len(l.identified))
	}
}

func TestWhatWasSaidWhileTheSessionWasGoneIsReadOnceAndInOrder(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	thread := l.begun()
	l.end()
	l.mu.Lock()
	l.first = func(resume bool) bool { return !resume || l.invalid() }
	l.mu.Unlock()
	l.say(thread, alice, "f3")
	l.say(thread, bob, "e5")
	l.say(thread, alice, "g4")
	l.posted("2. g4")
	l.say(thread, bob, "Qh4")
	l.posted("wins by checkmate")
	for _, answer := range []string{"turn in game", "illegal", "is over"} {
		if n := l.count("message_reference", answer); n > 0 {
			t.Errorf("%d answers with %q", n, answer)
		}
	}
}

// invalid says that the session is gone; the owner has locked.
func (f *fake) invalid() bool {
	f.send(packet{Op: 9, Data: []byte("false")})
	return false
}

func TestWhatWasSaidWhileTheProgramWasGoneIsRead(t *testing.T) {
	f, disk := newFake(t), &kvtest.Disk{}
	l := live(t, f, disk)
	thread := l.begun()
	l.say(thread, alice, "f3")
	l.posted("1. f3")
	if err := l.stop(); err != nil {
		t.Log(err)
	}
	f.say(thread, bob, "e5")
	f.say(thread, alice, "<@999> g4")
	l = live(t, f, disk)
	l.posted("2. g4")
	if n := l.count("PUT applications/"); n != 1 {
		t.Errorf("commands were registered %d times", n)
	}
}

func TestReconnectAsFirstPacketAfterResumeDoesNotHangTheBot(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{}, func(a *Adapter) { a.pace.open = 500 * time.Millisecond })
	thread := l.begun()
	l.mu.Lock()
	l.first = func(resume bool) bool {
		if resume {
			l.send(packet{Op: 7, Data: []byte("null")})
			return false
		}
		return true
	}
	l.mu.Unlock()
	begun := time.Now()
	l.drop()
	l.wait("another session", func() bool { return len(l.identified) == 2 })
	l.say(thread, alice, "f3")
	l.posted("1. f3")
	t.Logf("back after %v", time.Since(begun).Round(time.Millisecond))
}

func TestReconnectAsFirstPacketAfterIdentify(t *testing.T) {
	f := newFake(t)
	times := 0
	f.first = func(bool) bool {
		times++
		if times == 1 {
			f.send(packet{Op: 7, Data: []byte("null")})
			return false
		}
		return true
	}
	l := live(t, f, &kvtest.Disk{}, func(a *Adapter) { a.pace.open = 500 * time.Millisecond })
	l.begun()
}

func TestReconnectWhenItIsAsked(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	thread := l.begun()
	l.mu.Lock()
	l.send(packet{Op: 7, Data: []byte("null")})
	l.mu.Unlock()
	l.wait("RESUME", func() bool { return l.resumed > 0 })
	l.say(thread, alice, "f3")
	l.posted("1. f3")
}

func TestASilentConnectionIsReplaced(t *testing.T) {
	f := newFake(t)
	f.deaf = true
	l := live(t, f, &kvtest.Disk{}, func(a *Adapter) { a.pace.silence = 300 * time.Millisecond })
	l.wait("another connection", func() bool {
		f.deaf = f.resumed == 0
		return f.resumed > 0
	})
	l.begun()
}

func TestWithoutTheContentIntent(t *testing.T) {
	f := newFake(t)
	f.noContent = true
	l := live(t, f, &kvtest.Disk{})
	l.wait("two sessions", func() bool { return len(l.identified) == 2 && l.session == 1 })
	if l.identified[0] != 37377 || l.identified[1] != 4609 {
		t.Errorf("intents %v", l.identified)
	}
	l.answered(l.slash(room0, alice, "help"), "challenge", "only what is addressed to me")
	l.say(room0, alice, "<@999> help")
	l.posted("channels/"+room0, "only what is addressed to me")
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

func TestATokenThatIsTakenBackEndsTheBot(t *testing.T) {
	f := newFake(t)
	f.first = func(bool) bool {
		f.shut(closeToken)
		return false
	}
	l := live(t, f, &kvtest.Disk{})
	if err := <-l.ended; err == nil || !strings.Contains(err.Error(), "token") {
		t.Error(err)
	}
	l.ended <- nil
}

func TestShards(t *testing.T) {
	f := newFake(t)
	f.shards = 2
	l := live(t, f, &kvtest.Disk{})
	l.wait("two sessions", func() bool { return len(l.identified) == 2 && l.session == 2 })
}

func TestEventsThatMakeNoSense(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	thread := l.begun()
	l.mu.Lock()
	for _, kind := range []string{"MESSAGE_CREATE", "INTERACTION_CREATE", "READY", "THREAD_DELETE", "CHANNEL_DELETE", "GUILD_CREATE", "NO_SUCH_THING"} {
		for _, data := range []string{
			`{}`, `[]`, `"x"`, `7`, `{"id":"1","channel_id":"501","token":"t","type":3}`, `{"id":"1","channel_id":"501","author":{"id":"11"},"content":"<@999>"}`,
			`{"id":"5","token":"t","type":2,"data":{"name":"nonsense","options":[{"name":"x","value":{"y":1}}]},"user":{"id":"11"}}`,
			`{"id":"6","token":"t","type":3,"channel_id":"501","data":{"custom_id":"pick 99999999999999999999 1"},"user":{"id":"11"},"message":{"components":[{"type":4711}]}}`,
		} {
			l.dispatch(kind, rawJSON(data))
		}
	}
	l.mu.Unlock()
	l.say(thread, alice, "f3", func(m map[string]any) { m["components"] = []any{map[string]any{"type": 4711}} })
	l.posted("1. f3")
}

// rawJSON is written as it stands.
type rawJSON string

func (r rawJSON) MarshalJSON() ([]byte, error) { return []byte(r), nil }

func TestAServerThatSaysNothing(t *testing.T) {
	f := newFake(t)
	f.dumb = 2
	l := live(t, f, &kvtest.Disk{}, func(a *Adapter) { a.pace.open = 200 * time.Millisecond })
	l.begun()
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.identified) != 1 {
		t.Errorf("%d identified", len(l.identified))
	}
}
