package telegram

import (
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"chimera/bot"
	"chimera/bot/fake"
	"chimera/bot/outbox"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// clock is a time that goes on only when a test lets it.
type clock struct {
	mu       sync.Mutex
	now      time.Time
	changed  chan struct{} // closed when the time or the number of those who wait changes
	sleepers map[*time.Time]bool
}

func newClock() *clock {
	return &clock{now: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC), changed: make(chan struct{}), sleepers: map[*time.Time]bool{}}
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// reach lets the time go on to a moment, unless that has been.
func (c *clock) reach(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at.After(c.now) {
		c.now = at
		c.tell()
	}
}

// tell says that something has changed. The lock is held.
func (c *clock) tell() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// pause waits until the time has come.
func (c *clock) pause(ctx context.Context, wait time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	until := c.now.Add(wait)
	c.sleepers[&until] = true
	defer delete(c.sleepers, &until)
	c.tell()
	for until.After(c.now) {
		changed := c.changed
		c.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
		}
		if c.mu.Lock(); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// asleep is when the first of those who wait goes on; zero if nobody does.
func (c *clock) asleep() (first time.Time) {
	for until := range c.sleepers {
		if first.IsZero() || until.Before(first) {
			first = *until
		}
	}
	return first
}

// busy is a group whose bot keeps Telegram's limits, by a clock of the test's.
type busy struct {
	*double
	clock *clock
	chat  *Adapter
	post  *outbox.Outbox
	asked int // answers that are to come

	mu       sync.Mutex
	answered int
	said     []spoken // to the group
}

// spoken is a message to the group.
type spoken struct {
	at   time.Time
	call call
}

func newBusy(t *testing.T) *busy {
	b := &busy{double: newFake(t), clock: newClock()}
	log := slog.New(slog.DiscardHandler)
	store, core := fake.NewBot(t, new(kvtest.Disk).Open("db"), b.clock.Now, log)
	chat, err := New(Config{Token: token, APIURL: b.URL}, core, log)
	kvtest.Must(t, err)
	chat.pause, b.chat = b.clock.pause, chat
	b.post = bot.NewOutbox(core, b.clock.Now, log, map[string]bot.Outlet{Platform: chat})
	ctx, cancel := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() { _ = chat.Run(ctx, b.post) }) // ends with the context
	t.Cleanup(func() {
		cancel()
		work.Wait()
		kvtest.Must(t, store.Close())
	})
	b.Look(func(c call) *refusal {
		if c.Fields["chat_id"] == fmt.Sprint(group) && (c.Method == "sendMessage" || c.Method == "sendPhoto" || c.Method == "editMessageReplyMarkup") {
			b.heard(c)
		}
		return nil
	})
	return b
}

func (b *busy) heard(c call) {
	now := b.clock.Now()
	b.mu.Lock()
	b.said = append(b.said, spoken{now, c})
	if c.Fields["reply_parameters"] != "" {
		b.answered++
	}
	b.mu.Unlock()
	b.clock.mu.Lock()
	defer b.clock.mu.Unlock()
	b.clock.tell()
}

// rest lets the time go on until all has been said.
func (b *busy) rest(t *testing.T) {
	t.Helper()
	b.Wait("all updates to be handled", func() bool { return b.Pending() == 0 })
	for {
		next, err := b.post.Drain(t.Context())
		kvtest.Must(t, err)
		at, owed := b.sleeper()
		if !owed && next.IsZero() {
			return
		}
		if owed && (next.IsZero() || at.Before(next)) {
			next = at
		}
		b.clock.reach(next)
	}
}

// sleeper is when the next answer goes on that waits; owed is false if none is to come.
func (b *busy) sleeper() (at time.Time, owed bool) {
	for {
		b.mu.Lock()
		owed := b.answered < b.asked
		b.mu.Unlock()
		b.clock.mu.Lock()
		at, changed := b.clock.asleep(), b.clock.changed
		late := !at.After(b.clock.now)
		b.clock.mu.Unlock()
		switch {
		case !owed:
			return time.Time{}, false
		case !at.IsZero() && !late:
			return at, true
		}
		<-changed // it is about to wait, or to be said
	}
}

var told = regexp.MustCompile(`#(\d+)`)

func TestAGroupOfBusyGamesHearsTwentyMessagesAMinute(t *testing.T) {
	const games = 20
	b := newBusy(t)
	b.Say(2, bob, "/start")
	b.Wait("bob", func() bool { return b.Pending() == 0 })
	days := func(game int) int { return 1 + (game*7)%14 }
	for game := 1; game <= games; game++ {
		b.Say(group, alice, fmt.Sprintf("/challenge @bob chess white %dd", days(game)))
		b.Say(group, bob, fmt.Sprintf("/accept #%d", game))
	}
	b.rest(t)
	begun := len(b.said)
	// Two moves in each game, and words in between that want answers.
	for ply, move := range []string{"e4", "e5", "Nf3"} {
		for game := 1; game <= games; game++ {
			b.Say(group, []person{alice, bob}[ply%2], fmt.Sprintf("/move #%d %s", game, move))
			if (game+ply)%3 == 0 {
				b.Say(group, bob, fmt.Sprintf("/fen #%d", game))
				b.asked++
			}
		}
	}
	b.rest(t)
	if b.answered != b.asked || b.asked < 15 {
		t.Errorf("%d of %d answers came", b.answered, b.asked)
	}
	b.checkRate(t)
	b.checkOrder(t, b.said[begun:], games, days)
	first, last := b.said[begun].at, b.said[len(b.said)-1].at
	t.Logf("%d messages, %d of them answers, in %v", len(b.said)-begun, b.asked, last.Sub(first))
}

// checkRate looks whether Telegram allows as much in a group as it was asked for.
func (b *busy) checkRate(t *testing.T) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, s := range b.said {
		n := 0
		for _, later := range b.said[i:] {
			if later.at.Sub(s.at) < time.Minute {
				n++
			}
		}
		if n > 20 {
			t.Fatalf("%d messages and edits in the minute from %v", n, s.at)
		}
	}
}

// checkOrder looks whether each game was told to its last ply, in order, and those first
// in which less time is left.
func (b *busy) checkOrder(t *testing.T, said []spoken, games int, days func(int) int) {
	t.Helper()
	plies := []string{"e4", "e5", "Nf3"}
	heard := make([]int, games+1)
	hurry := 0
	for _, s := range said {
		if s.call.Fields["reply_parameters"] != "" || s.call.Method == "editMessageReplyMarkup" {
			continue
		}
		text := s.call.Fields["text"] + s.call.Fields["caption"]
		found := told.FindStringSubmatch(text)
		if found == nil {
			t.Fatalf("of no game: %s", text)
		}
		game, _ := strconv.Atoi(found[1])
		if heard[game] == len(plies) || !s.call.Has(plies[heard[game]]) {
			t.Fatalf("game %d: after %d plies was told %s", game, heard[game], text)
		}
		if heard[game] == 0 {
			if days(game) < hurry {
				t.Errorf("game %d of %d days comes after one of %d", game, days(game), hurry)
			}
			hurry = days(game)
		}
		for heard[game] < len(plies) && s.call.Has(plies[heard[game]]) {
			heard[game]++ // what was overtaken is told with the next
		}
	}
	for game := 1; game <= games; game++ {
		if heard[game] != len(plies) {
			t.Errorf("game %d was told to ply %d", game, heard[game])
		}
	}
}

// A thousand groups cannot hear more than all of them together may: what they share is
// divided among games, and not among moves.
func TestANewChallengeDoesNotWaitBehindTheMovesOfManyBusyGames(t *testing.T) {
	const (
		games   = 50
		seconds = 10
		longest = 8 * time.Second // and not the 20 that this many messages need, one for each move
	)
	b := newBusy(t)
	begun := b.clock.Now()
	made, heard := map[string]time.Time{}, map[string]time.Time{}
	plies := map[string]int{} // the last that was told, by chat
	messages := 0
	b.Look(func(c call) *refusal {
		if c.Method != "sendMessage" && c.Method != "sendPhoto" {
			return nil
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		messages++
		switch chat := c.Fields["chat_id"]; {
		case c.Has("looking for an opponent"):
			heard[chat] = b.clock.Now()
		case c.Has("plays") || c.Has("played"):
			plies[chat]++
		}
		return nil
	})
	busyGroup := func(i int) int64 { return -60_000 - int64(i) }
	quietGroup := func(i int) int64 { return -70_000 - int64(i) }
	for i := range games {
		b.Say(busyGroup(i), alice, "/challenge chess white")
		b.Wait("the challenge", func() bool { return b.Pending() == 0 })
		b.Say(busyGroup(i), bob, fmt.Sprintf("/accept #%d", i+1))
		b.Wait("the game", func() bool { return b.Pending() == 0 })
	}
	b.rest(t)
	b.mu.Lock()
	clear(heard)
	messages = 0
	b.mu.Unlock()
	line := []string{"Nf3", "Nf6", "Ng1", "Ng8"}
	for second := range seconds {
		for i := range games {
			b.Say(busyGroup(i), []person{alice, bob}[second%2], "/move "+line[second%len(line)])
		}
		b.Wait("the moves", func() bool { return b.Pending() == 0 })
		newcomer := person{ID: int64(1000 + second), Name: fmt.Sprint("newcomer", second)}
		b.Say(quietGroup(second), newcomer, "/challenge chess")
		b.Wait("the challenge", func() bool { return b.Pending() == 0 })
		made[fmt.Sprint(quietGroup(second))] = b.clock.Now()
		b.pass(t, time.Second)
	}
	b.rest(t)
	b.mu.Lock()
	defer b.mu.Unlock()
	for chat, at := range made {
		if wait := heard[chat].Sub(at); heard[chat].IsZero() || wait > longest {
			t.Errorf("the challenge of %v in %s was said after %v", at.Sub(begun), chat, wait)
		}
	}
	t.Logf("%d moves and %d challenges in %d messages", games*seconds, seconds, messages)
}

// pass lets so much time go on, and what may be said in it be said.
func (b *busy) pass(t *testing.T, while time.Duration) {
	t.Helper()
	for end := b.clock.Now().Add(while); ; {
		next, err := b.post.Drain(t.Context())
		kvtest.Must(t, err)
		if next.IsZero() || next.After(end) {
			next = end
		}
		b.clock.reach(next)
		if !next.Before(end) {
			return
		}
	}
}

// TestTheSameCommandAgainAndAgainIsAnsweredOnce lets somebody write one ten times while the group
// has heard enough, and somebody else too.
func TestTheSameCommandAgainAndAgainIsAnsweredOnce(t *testing.T) {
	b := newBusy(t)
	b.Say(group, bob, "/version@ChimeraBot")
	b.Posted("sendMessage", "text:Chimera")
	for range 10 {
		b.Say(group, alice, "/version@ChimeraBot")
	}
	b.Say(group, bob, "/version@ChimeraBot")
	b.asked = 3
	b.rest(t)
	b.Say(group, alice, "/version@ChimeraBot")
	b.asked = 4
	b.rest(t)
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.said) != 4 {
		t.Errorf("there are %d answers", len(b.said))
	}
}

// hears lets a test hear what the bot says, with the time by the clock. Its fields are used under the
// fake's lock.
func (b *busy) hears(hear func(at time.Time, c call)) {
	b.Look(func(c call) *refusal {
		hear(b.clock.Now(), c)
		return nil
	})
}

// writes lets somebody write something in private, and waits until it was handled.
func (b *busy) writes(who person, text string) {
	b.Say(who.ID, who, text)
	b.Wait(text, func() bool { return b.Pending() == 0 })
}

// plays lets two people begin a game in private.
func (b *busy) plays(t *testing.T, white, black person) {
	t.Helper()
	b.writes(white, "/challenge chess white")
	b.pass(t, time.Minute)
	code := ""
	b.Wait("a code", func() bool {
		for _, c := range slices.Backward(b.Calls) {
			_, after, ok := strings.Cut(c.Fields["text"], "start=")
			if ok && c.Fields["chat_id"] == fmt.Sprint(white.ID) {
				code = after[:strings.IndexAny(after+"\n", ". \"<\n")]
				return true
			}
		}
		return false
	})
	b.writes(black, "/start "+code)
	b.pass(t, time.Minute)
}

func TestAMoveByButtonsDoesNotWaitForThePaceOfMessages(t *testing.T) {
	for name, chat := range map[string]int64{"in private": alice.ID, "in a group": group} {
		t.Run(name, func(t *testing.T) {
			b := newBusy(t)
			if chat == group {
				b.Say(group, alice, "/challenge chess white")
				b.Say(group, bob, "/accept #1")
				b.rest(t)
			} else {
				b.plays(t, alice, bob)
			}
			board := b.Posted("sendPhoto", fmt.Sprintf("chat_id:%d ", chat), "move")
			begun := b.clock.Now()
			press := func(label string, edits int) {
				h := &hand{l: &life{double: b.double, t: t}, who: alice, chat: chat, message: board}
				button := h.find(func(b fake.Button) bool { return b.Text == label })
				b.Press(chat, alice, board, button.Data)
				b.Wait("other buttons", func() bool {
					return count(b.Calls, "editMessageReplyMarkup ", fmt.Sprint("message_id:", board, " ")) == edits
				})
				b.clock.reach(b.clock.Now().Add(150 * time.Millisecond))
			}
			edits := 0
			if chat == group {
				press("Move", 1)
				edits = 1
			}
			press("e2", edits+1)
			press("e4", edits+2)
			if took := b.clock.Now().Sub(begun); took > time.Second/2 {
				t.Errorf("three presses took %v", took)
			}
		})
	}
}

// TestMovesOfFiftyGamesAreToldAtOnce plays in private, each game a move every five seconds.
func TestMovesOfFiftyGamesAreToldAtOnce(t *testing.T) {
	const (
		games = 50
		every = 5 * time.Second / games
		moves = 8
	)
	b := newBusy(t)
	var players [games][2]person
	ofChat := map[string]int{}
	for g := range players {
		for side := range players[g] {
			players[g][side] = person{ID: int64(1000 + 2*g + side), Name: fmt.Sprint("player", 2*g+side)}
			ofChat[fmt.Sprint(players[g][side].ID)] = g
		}
		b.plays(t, players[g][0], players[g][1])
	}
	b.pass(t, 10*time.Minute)
	var asked [games]time.Time
	var waits []time.Duration
	b.hears(func(at time.Time, c call) {
		if c.Method == "sendPhoto" {
			waits = append(waits, at.Sub(asked[ofChat[c.Fields["chat_id"]]]))
		}
	})
	line := []string{"Nf3", "Nf6", "Ng1", "Ng8"}
	for ply := range moves {
		for g := range players {
			b.Lock()
			asked[g] = b.clock.Now()
			b.Unlock()
			b.writes(players[g][ply%2], "/move "+line[ply%len(line)])
			b.pass(t, every)
		}
	}
	b.pass(t, time.Minute)
	b.Lock()
	defer b.Unlock()
	if len(waits) != games*moves {
		t.Fatalf("%d boards for %d moves", len(waits), games*moves)
	}
	slices.Sort(waits)
	median, last := waits[len(waits)/2], waits[len(waits)-1]
	t.Logf("boards came after %v in the middle, after %v at most", median, last)
	if median > 50*time.Millisecond || last > time.Second {
		t.Errorf("boards came after %v in the middle, after %v at most", median, last)
	}
}

// asker is somebody who wants one answer after the other.
type asker struct {
	place storage.Address
	left  int
	turn  bool      // the next answer has its turn
	next  time.Time // when it goes on
}

// goesOn is what an adapter does for an answer at its time.
func (a *asker) goesOn(b *busy) {
	switch {
	case a.turn:
		a.left--
		a.next = a.next.Add(b.post.Take(a.place))
	case a.left > 0:
		a.next = a.next.Add(b.post.Line(a.place))
	}
	a.turn = !a.turn
}

// TestAFloodOfAnswersDelaysNoBoard has many people ask for much at once, and two play meanwhile.
func TestAFloodOfAnswersDelaysNoBoard(t *testing.T) {
	const people, each, moves = 100, 8, 14
	b := newBusy(t)
	b.plays(t, alice, bob)
	b.pass(t, time.Minute)
	var asked time.Time
	var waits []time.Duration
	b.hears(func(at time.Time, c call) {
		if c.Method == "sendPhoto" {
			waits = append(waits, at.Sub(asked))
		}
	})
	var askers []*asker
	for n := range people {
		askers = append(askers, &asker{place: address(int64(1000+n), 0), left: each, next: b.clock.Now()})
	}
	line := []string{"Nf3", "Nf6", "Ng1", "Ng8"}
	for ply := range moves {
		b.Lock()
		asked = b.clock.Now()
		b.Unlock()
		b.writes([]person{alice, bob}[ply%2], "/move "+line[ply%len(line)])
		for end := b.clock.Now().Add(1300 * time.Millisecond); b.clock.Now().Before(end); {
			first := slices.MinFunc(askers, func(a, b *asker) int { return a.next.Compare(b.next) })
			if first.next.After(end) {
				b.pass(t, end.Sub(b.clock.Now()))
				break
			}
			b.pass(t, first.next.Sub(b.clock.Now()))
			first.goesOn(b)
			if first.left == 0 && !first.turn {
				first.next = end.Add(time.Hour)
			}
		}
	}
	b.Lock()
	defer b.Unlock()
	left := 0
	for _, a := range askers {
		left += a.left
	}
	if len(waits) != moves || left == 0 {
		t.Fatalf("%d boards for %d moves, while %d answers were left", len(waits), moves, left)
	}
	last := slices.Max(waits)
	t.Logf("%d answers meanwhile; a board came after %v at most", people*each-left, last)
	if last > 300*time.Millisecond {
		t.Errorf("a board came after %v", last)
	}
}
