package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"chimera/bot/fake"
	"chimera/storage"
	"chimera/storage/etcd/etcdtest"
)

var (
	chaosMoves = flag.Int("chaos.moves", 0, "how many moves are played on several machines while these fail; 0 for none")
	chaosSeed  = flag.Uint64("chaos.seed", 0, "what decides which of them fails when; 0 for another each time")
)

const (
	chaosLease = 2 * time.Second
	chaosBots  = 3

	// chaosPatience is how long nothing may be announced.
	chaosPatience = 90 * time.Second

	// chaosEnd is how long a bot without its cluster may go on until it ends with an error.
	chaosEnd = 20 * time.Second
)

// chaosGames is how many games are played.
func chaosGames() int {
	const kinds, longGame, fewest = 3, 40, 9
	return max(kinds*(*chaosMoves/(kinds*longGame)), fewest)
}

// TestChaos plays games on Telegram, on Discord and across both with three bots on three members
// of etcd, each a process of its own. They are killed, stand still for longer than a lease, are
// restarted, some with a clock that is wrong, and bots are cut off from the cluster but not from the
// chats. Each move is made once by its player, unless they are told that it went wrong. In the end each
// is in its game once and in order, and was announced wherever it had to be, in order, hardly any twice;
// and a bot whose lease was over has said nothing.
func TestChaos(t *testing.T) {
	if *chaosMoves == 0 {
		t.Skip("it takes long: .ci/nightly chaos plays it")
	}
	c := newChaos(t)
	for n := range chaosGames() {
		c.begin(n)
	}
	c.share()
	for _, g := range c.games {
		c.play(g)
	}
	c.rest()
	stalled := time.NewTimer(chaosPatience)
	defer stalled.Stop()
	said := 0
	for !c.done() {
		select {
		case happens := <-c.events:
			happens()
		case <-stalled.C:
			t.Fatalf("nothing more is announced\n%s", c.story())
		}
		if c.said != said {
			said = c.said
			stalled.Reset(chaosPatience)
		}
	}
	c.finish()
	c.compare()
	c.report()
}

// chaos is what goes on in the test. All of it happens in one goroutine, one event after the other.
type chaos struct {
	t        *testing.T
	random   *rand.Rand
	seed     uint64
	begun    time.Time
	events   chan func()
	data     string // without links
	members  *etcdtest.Processes
	telegram *fake.Telegram
	discord  *fake.Discord
	bots     []*chaosBot
	games    []*chaosGame
	places   map[string]*chaosPlace
	said     int           // announcements
	over     int           // games
	insisted int           // players
	longest  time.Duration // until a ply was told everywhere

	deck   []chaosFault
	dealt  int            // faults that have begun
	active int            // faults that go on
	all    bool           // are struck by what goes on
	made   map[string]int // faults, by their names
	down   int            // members
	whole  time.Time      // since when none is
	shaken time.Time      // when one was taken away last

	owed    map[*chaosGame]bool      // of which something has waited
	since   string                   // something was over,
	began   time.Time                // which was then
	caught  map[string]time.Duration // how long it took at most after that
	ending  bool
	settled func() // looks what a bot's end has changed, if anybody waits for that
}

func newChaos(t *testing.T) *chaos {
	t.Helper()
	c := &chaos{
		t: t, seed: *chaosSeed, begun: time.Now(), events: make(chan func(), 1<<16),
		places: map[string]*chaosPlace{}, made: map[string]int{}, owed: map[*chaosGame]bool{}, caught: map[string]time.Duration{},
	}
	if c.seed == 0 {
		c.seed = rand.Uint64()
	}
	t.Logf("seed: -chaos.seed=%d -chaos.moves=%d", c.seed, *chaosMoves)
	c.random = rand.New(rand.NewPCG(c.seed, 0))
	c.members = etcdtest.StartProcesses(t, 3)
	c.data = etcdtest.NewLink(t, c.members.Hosts()).Address("chimera", "lease=2s")
	c.telegram, c.discord = fake.NewTelegram(t), fake.NewDiscord(t)
	for n := range chaosBots {
		c.bots = append(c.bots, newChaosBot(c, n))
	}
	c.discord.Ready()
	c.telegram.Wait("commands", func() bool { return len(c.telegram.Calls) > 3 })
	return c
}

// later lets something happen after a while.
func (c *chaos) later(after time.Duration, happens func()) {
	time.AfterFunc(after, func() { c.events <- happens })
}

// between is some time between two.
func (c *chaos) between(least, most time.Duration) time.Duration {
	return least + time.Duration(c.random.Int64N(int64(most-least)))
}

// done reports whether all games have been played, and each kind of fault has been and is over.
func (c *chaos) done() bool {
	played := c.over == len(c.games)
	if played && c.dealt >= len(c.faults()) {
		c.ending = true
	}
	return c.ending && c.active == 0 && len(c.owed) == 0
}

// finish ends the bots as their operators do.
func (c *chaos) finish() {
	c.t.Helper()
	for _, b := range c.bots {
		b.interrupt()
	}
	late := time.After(chaosPatience)
	for _, b := range c.bots {
		for b.runs() {
			select {
			case happens := <-c.events:
				happens()
			case <-late:
				c.t.Fatalf("a bot does not end\n%s", c.story())
			}
		}
	}
}

// compare looks at what is stored, and at what was said.
func (c *chaos) compare() {
	c.t.Helper()
	verifies(c.t, c.data)
	looksInto(c.t, c.data, func(r storage.Reader) error {
		for _, g := range c.games {
			stored, err := r.Games().Get(g.id)
			if err != nil {
				return fmt.Errorf("game %d: %w", g.id, err)
			}
			if got, want := fmt.Sprint(stored.Moves), fmt.Sprint(g.script); got != want {
				c.t.Errorf("game %d has the moves %s\nand not %s", g.id, got, want)
			}
		}
		return nil
	})
}

// report tells what there was, and fails if too much was said twice.
func (c *chaos) report() {
	c.t.Helper()
	moves, due, twice := 0, 0, 0
	for _, g := range c.games {
		moves += len(g.script)
		for _, p := range g.places {
			due += p.due(len(g.script))
			twice += p.twice
		}
	}
	ends := 0
	late := []string{}
	for _, b := range c.bots {
		ends += b.ends
		late = append(late, b.late...)
	}
	c.t.Logf("%d moves in %d games, %d announcements, %d of them twice, the longest wait %v, all in %v", moves, len(c.games), due, twice,
		c.longest.Round(time.Millisecond), time.Since(c.begun).Round(time.Second))
	c.t.Logf("%d times somebody was told that something went wrong, and wrote again", c.insisted)
	c.t.Logf("how long it took at most until all was told that had waited: since %v", c.caught)
	c.telegram.Lock()
	conflicts := c.telegram.Conflicts
	c.telegram.Unlock()
	c.t.Logf("faults: %v; bots ended %d times, and asked Telegram %d times while another did", c.made, ends, conflicts)
	// One that is killed may just have said something at every place, and have noted none of that.
	if twice > max(due/100, len(c.places)) {
		c.t.Errorf("%d of %d announcements were said twice", twice, due)
	}
	// One that is stopped after it has looked whether its lease lasts, and before it sends, sends
	// when it goes on.
	const few = 3
	if len(late) > few {
		c.t.Errorf("%d requests were sent by bots whose lease was over: %v", len(late), late)
	}
}

// story is how things stand, for whoever looks for a fault.
func (c *chaos) story() string {
	all := fmt.Sprintf("faults: %v, %d go on, %d members are down\n", c.made, c.active, c.down)
	for _, g := range c.games {
		if g.sent < len(g.script) || g.waits() {
			all += fmt.Sprintf("game %d: ply %d of %d, sent %v ago", g.id, g.sent, len(g.script), time.Since(g.at).Round(time.Millisecond))
			for _, p := range g.places {
				all += fmt.Sprintf(", %s: %v", p.name, p.last)
			}
			all += "\n" + c.lastSaid(g)
		}
	}
	for _, b := range c.bots {
		all += b.story()
	}
	return all
}

// script is the moves of a game that is to last so long.
func (c *chaos) script(plies int) []string {
	for {
		if script := randomGame(c.t, c.random); len(script) >= plies {
			return script[:plies]
		}
	}
}

// mark notes in the log of the test that something has happened, and when.
func (c *chaos) mark(format string, args ...any) {
	c.t.Logf("%8.3f %s", time.Since(c.begun).Seconds(), fmt.Sprintf(format, args...))
}

// lastSaid is what the bots have said last where a game is played on Telegram.
func (c *chaos) lastSaid(g *chaosGame) (text string) {
	const few = 3
	c.telegram.Lock()
	defer c.telegram.Unlock()
	for _, p := range g.places {
		chat, ok := strings.CutPrefix(p.name, "telegram ")
		calls := slices.DeleteFunc(slices.Clone(c.telegram.Calls), func(said fake.Call) bool { return !ok || said.Fields["chat_id"] != chat })
		for _, said := range calls[max(0, len(calls)-few):] {
			text += fmt.Sprintf("\t%s %s%s\n", said.Method, said.Fields["text"], said.Fields["caption"])
		}
	}
	return text
}
