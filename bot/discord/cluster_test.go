package discord

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"chimera/bot/discord/gateway"
	"chimera/bot/fake"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// cluster is a database that several processes have open at once.
type cluster struct {
	db      kv.DB
	mu      sync.Mutex
	holders map[string]*handle // by role
	changed chan struct{}      // closed when a role is free again
}

func newCluster() *cluster {
	return &cluster{db: (&kvtest.Disk{}).Open("db"), holders: map[string]*handle{}, changed: make(chan struct{})}
}

// handle is what one process has open.
type handle struct {
	cluster *cluster
	over    chan struct{} // closed when its claim is over
	once    sync.Once
}

func (c *cluster) open() *handle { return &handle{cluster: c, over: make(chan struct{})} }

func (h *handle) View(ctx context.Context, fn func(kv.Reader) error) error {
	if h.Held(ctx) != nil {
		return kv.ErrLost
	}
	return h.cluster.db.View(ctx, fn)
}

func (h *handle) Update(ctx context.Context, fn func(kv.Writer) error) error {
	return h.cluster.db.Update(ctx, func(w kv.Writer) error {
		if h.Held(context.WithoutCancel(ctx)) != nil {
			return kv.ErrLost
		}
		return fn(w)
	})
}

// die ends the claim, as killing the process does; its roles are free when it is closed.
func (h *handle) die() { h.once.Do(func() { close(h.over) }) }

// Close ends the claim and lets others hold its roles.
func (h *handle) Close() error {
	h.die()
	h.free(func(_ string, by *handle) bool { return by == h })
	return nil
}

func (h *handle) Hold(ctx context.Context, role string) (leave func(context.Context) error, err error) {
	c := h.cluster
	for {
		c.mu.Lock()
		by, changed := c.holders[role], c.changed
		if by == nil && h.Held(ctx) == nil {
			c.holders[role], by = h, h
		}
		c.mu.Unlock()
		if by == h {
			return func(context.Context) error {
				h.free(func(r string, by *handle) bool { return r == role && by == h })
				return nil
			}, nil
		}
		select {
		case <-changed:
		case <-h.over:
			return nil, kv.ErrLost
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (h *handle) free(which func(string, *handle) bool) {
	h.cluster.mu.Lock()
	defer h.cluster.mu.Unlock()
	maps.DeleteFunc(h.cluster.holders, which)
	close(h.cluster.changed)
	h.cluster.changed = make(chan struct{})
}

func (h *handle) Held(ctx context.Context) error {
	select {
	case <-h.over:
		return kv.ErrLost
	default:
		return ctx.Err()
	}
}

func (h *handle) Lost() <-chan struct{} { return h.over }

// holds lets a handle hold a role.
func (h *handle) holds(t *testing.T, role string) (leave func()) {
	t.Helper()
	left, err := h.Hold(t.Context(), role)
	kvtest.Must(t, err)
	return func() { _ = left(t.Context()) }
}

func TestAShardIsOneProcesssAtATime(t *testing.T) {
	f, c := newFake(t), newCluster()
	f.Shards = 2
	leave := c.open().holds(t, "discord/shard/1/2")
	l := liveOn(t, f, c.open())
	l.Ready()
	l.untilConnected("")
	l.sessions(1)
	leave()
	l.Wait("the other shard", func() bool { return len(f.Identified) == 2 })
}

func TestAllProcessesHaveAsManyShardsAsOneWasToldToHave(t *testing.T) {
	f, c := newFake(t), newCluster()
	f.wantsTwoShards()
	waiting := liveOn(t, f, c.open())
	waiting.Wait("three sessions", func() bool { return len(f.Identified) == 3 })
	f.under(func() { f.Shards = 3 }) // more than before, and two are enough
	other := liveOn(t, f, c.open())
	_ = waiting.stop() // it was cut off
	other.Wait("its sessions", func() bool { return len(f.Identified)+f.Resumed == 5 })
	if n := other.chat.agreed(t.Context()); n != 2 {
		t.Errorf("%d shards are agreed", n)
	}
}

// kept waits until it is stored how far the first shard has come.
func (l *life) kept() {
	l.t.Helper()
	s := shard{a: l.chat, of: 1}
	l.Wait("a session that is stored", func() bool { return l.chat.state.Get(l.t.Context(), s.key()) != "" })
	kvtest.Must(l.t, l.chat.state.Flush(l.t.Context()))
}

func TestWhoeverIsTheShardNextMissesNothing(t *testing.T) {
	for name, how := range map[string]struct {
		killed, refused bool
		sessions        int
	}{
		"after an orderly end":                 {false, false, 1},
		"after a kill":                         {true, false, 1},
		"after a kill and the session's end":   {true, true, 2},
		"after an end and that of the session": {false, true, 2},
	} {
		t.Run(name, func(t *testing.T) {
			f, c := newFake(t), newCluster()
			h := c.open()
			first := liveOn(t, f, h)
			thread := first.begun()
			first.kept()
			f.Say(thread, alice, "f3")
			first.posted("1. f3")
			f.Say(room0, carol, "<@999> version")
			first.posted("channels/"+room0, "message_reference", "Chimera")
			second := liveOn(t, f, c.open())
			if how.killed {
				h.die()
			}
			f.under(func() { f.First = func(bool) bool { return false } }) // until all is said
			_ = first.stop()                                               // it was cut off
			f.Say(thread, bob, "e5")
			f.Say(thread, alice, "g4")
			f.Say(room0, carol, "<@999> help")
			if how.refused {
				f.End()
			}
			f.under(func() { f.First = nil })
			f.Drop()
			second.posted("2. g4")
			second.posted("channels/"+room0, "message_reference", "challenge")
			f.Say(thread, bob, "Qh4")
			second.posted("wins by checkmate")
			f.Lock()
			defer f.Unlock()
			for _, told := range []string{"1. f3**", "1… e5**", "2. g4**"} {
				if n := f.shown("POST channels/"+thread, "board.png", told+"."); n != 1 {
					t.Errorf("%s was told %d times", told, n)
				}
			}
			if n := f.shown("message_reference"); n != 2 {
				t.Errorf("%d answers to two questions", n)
			}
			if len(f.Identified) != how.sessions || f.Resumed == 0 {
				t.Errorf("%d sessions, gone on with %d times", len(f.Identified), f.Resumed)
			}
		})
	}
}

// shown is how many messages with these parts people see; the owner has locked.
func (f *double) shown(parts ...string) (n int) {
	for _, c := range f.Calls {
		if c.Has(parts...) && c.ID != "again" {
			n++
		}
	}
	return n
}

func TestTwoProcessesListenToAShardEach(t *testing.T) {
	f, c := newFake(t), newCluster()
	f.Shards = 2
	one, two := c.open(), c.open()
	one.holds(t, "discord/shard/0/2")
	two.holds(t, "discord/shard/1/2")
	first := liveOn(t, f, one)
	first.Wait("a session", func() bool { return f.Session == 1 })
	second := liveOn(t, f, two)
	second.Wait("another", func() bool { return f.Session == 2 })
	const far = "4194304" // the first server of the second shard
	inFar := func(m map[string]any) { m["guild_id"] = far }
	ask := func() {
		f.Say(room0, alice, "<@999> version")
		f.Say("502", bob, "<@999> version", inFar)
	}
	ask()
	first.posted("channels/"+room0, "message_reference", "Chimera")
	second.posted("channels/502", "message_reference", "Chimera")
	_ = first.stop() // it was cut off
	second.Wait("both shards in one process", func() bool { return f.Resumed == 1 && f.Listens() })
	second.untilConnected("")
	ask()
	second.Wait("two more answers", func() bool { return f.shown("message_reference") == 4 })
	f.sessions(2)
}

func TestWhatWasAnsweredBeforeAKillIsNotAnsweredAgain(t *testing.T) {
	f, c := newFake(t), newCluster()
	h := c.open()
	first := liveOn(t, f, h)
	first.begun()
	first.kept()
	made := snowflake(first.Slash(room0, alice, "version"))
	const minute = 60_000 << 22
	old := strconv.FormatUint(made-minute, 10)
	first.Interact(room0, alice, isCommand, map[string]any{"name": "challenge", "type": 1, "options": openChallenge}, func(i map[string]any) { i["id"] = old })
	first.posted("POST channels/"+room0, "looking for an opponent")
	first.answered(old)
	second := liveOn(t, f, c.open())
	f.under(func() { f.First = func(bool) bool { return false } }) // until the first is gone
	h.die()
	_ = first.stop() // it was cut off
	young := f.Slash(room0, bob, "version")
	again := 0
	f.Lock()
	f.First = nil
	f.Refuse = func(c call) *refusal {
		if c.Has("interactions/" + old + "/") {
			again++
		}
		return nil
	}
	f.Unlock()
	f.Drop()
	second.answered(young, "Chimera")
	second.answered(second.Slash(room0, carol, "version"), "Chimera")
	_ = second.stop() // it was cut off
	if log := second.log.String(); again > 0 || strings.Contains(log, "not answered") {
		t.Errorf("answered %d times again: %s", again, log)
	}
	f.Lock()
	defer f.Unlock()
	if n := f.shown("POST channels/"+room0, "looking for an opponent"); n != 1 {
		t.Errorf("challenged %d times", n)
	}
}

func TestASessionBeginsWhenNoOtherProcessBeginsOne(t *testing.T) {
	f, c := newFake(t), newCluster()
	leave := c.open().holds(t, "discord/identify")
	l := liveOn(t, f, c.open())
	l.untilConnected("discord: shard 0: not connected yet")
	l.sessions(0)
	leave()
	l.Ready()
}

func TestHowManySessionsHaveBegunIsKnownAfterARestart(t *testing.T) {
	began := time.Now()
	l := live(t, newFake(t), &kvtest.Disk{})
	for range 3 {
		l.Ready()
		n := 0
		l.under(func() { n = len(l.Identified) })
		full, err := time.Parse(time.RFC3339, l.chat.state.Get(t.Context(), l.chat.ofToken(keyStarts)))
		kvtest.Must(t, err)
		const each = day / startsADay
		if got, want := full.Sub(began), time.Duration(n)*each; got < want-5*time.Second { // more, if a connection ended before its session began
			t.Errorf("after %d sessions all may begin again after %v, want %v", n, got, want)
		}
		l.cutOff()
		l = l.again()
	}
}

func TestSessionsBeginApartAfterARestartToo(t *testing.T) {
	apart := func(a *Adapter) { a.pace.apart = time.Hour }
	l := live(t, newFake(t), &kvtest.Disk{}, apart)
	l.Ready()
	l.cutOff()
	l = l.again(apart)
	next, err := time.Parse(time.RFC3339, l.chat.state.Get(t.Context(), l.chat.ofToken(keyNext)))
	if left := time.Until(next); err != nil || left < 50*time.Minute || left > time.Hour {
		t.Errorf("the next session may begin in %v, %v", left, err)
	}
	l.untilConnected("discord: shard 0: ")
	_ = l.stop() // it was cut off
	l.sessions(1)
}

func TestNoSessionBeginsAfterTooMany(t *testing.T) {
	f, c := newFake(t), newCluster()
	before := liveOn(t, f, c.open())
	before.Ready()
	full := time.Now().Add(day / startsADay * startsAtOnce).UTC().Format(time.RFC3339)
	before.chat.state.Set(t.Context(), before.chat.ofToken(keyStarts), full)
	_ = before.stop() // it was cut off
	f.End()
	warned := make(warnings, 1)
	l := liveOn(t, f, c.open(), func(a *Adapter) { a.log = slog.New(slog.NewTextHandler(warned, nil)) })
	if said := <-warned; !strings.Contains(said, "too many sessions have begun today") {
		t.Error(said)
	}
	l.untilConnected("discord: shard 0: ")
	l.sessions(1)
}

func TestWhatWaitsWhereTheBotIsNotIsSaidByTheProcessThatSpeaks(t *testing.T) {
	f, c := newFake(t), newCluster()
	speaks := c.open()
	speaks.holds(t, "chat/discord")
	hears := liveOn(t, f, c.open())
	hears.Ready()
	asked := f.Slash(among, alice, "challenge", "opponent=@bob", "game=chess", "colour=white")
	hears.answered(asked, "Done.", `"flags": 68`)
	second := liveOn(t, f, speaks)
	second.toAll(asked, "POST webhooks/", "alice challenges <@12>", "Accept")
}

func TestABotThatIsRefusedEndsThoughAnotherProcessSpeaks(t *testing.T) {
	f, c := newFake(t), newCluster()
	c.open().holds(t, "chat/discord")
	f.First = func(bool) bool {
		f.Shut(gateway.BadToken)
		return false
	}
	l := liveOn(t, f, c.open())
	if err := <-l.ended; !errors.Is(err, errToken) {
		t.Error(err)
	}
	l.ended <- nil
}

func TestWhoSpeaksKnowsWhatOtherProcessesWereTold(t *testing.T) {
	f, c := newFake(t), newCluster()
	first := liveOn(t, f, c.open())
	first.Ready()
	first.posted("PUT applications/")
	first.Wait("ids of commands", func() bool { return first.chat.state.Get(t.Context(), "commands/"+fake.DiscordID) != "" })
	second := liveOn(t, f, c.open())
	if me := second.chat.self(t.Context()); me == nil || me.User != fake.DiscordID || me.Application != fake.DiscordID {
		t.Errorf("the bot is %v", me)
	}
	drafts, err := second.chat.drafts(t.Context(), message.Message{Text: words.Text{{Words: "challenge", Style: words.Code}}}, phrase.English, false)
	if err != nil || len(drafts) != 1 || !strings.Contains(drafts[0].Content, "</challenge:") {
		t.Errorf("commands are written as %v, %v", drafts, err)
	}
}

func TestTheLanguageOfAServerIsKnownAfterATakeover(t *testing.T) {
	f, c := newFake(t), newCluster()
	first := liveOn(t, f, c.open())
	first.Ready()
	first.kept()
	f.Look(func(c call) *refusal {
		if c.Path != "guilds/"+server {
			return nil
		}
		return refused(200, nil, `{"id":"500","preferred_locale":"de","roles":[]}`)
	})
	second := liveOn(t, f, c.open())
	_ = first.stop() // it was cut off
	second.Wait("a session that goes on", func() bool { return f.Resumed == 1 && f.Listens() })
	f.Say(room0, alice, "<@999>")
	second.posted("POST channels/"+room0+"/messages", "Hallo! ", "Neue Partie")
}

// warnings are what is logged that is no mere information; the first of them are kept.
type warnings chan string

func (w warnings) Write(line []byte) (int, error) {
	if strings.Contains(string(line), "level=WARN") {
		select {
		case w <- string(line):
		default:
		}
	}
	return len(line), nil
}
