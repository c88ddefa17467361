package telegram

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chimera/bot/fake"
	"chimera/storage"
)

// hears lets a test hear what the bot says, with the time by the clock. Its fields are used under the
// fake's lock.
func (b *busy) hears(hear func(at time.Time, c call)) {
	b.Lock()
	defer b.Unlock()
	b.Refuse = func(c call) *refusal {
		hear(b.clock.Now(), c)
		return nil
	}
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
			board := b.Posted("sendPhoto", fmt.Sprintf("chat_id:%d ", chat), "to move")
			begun := b.clock.Now()
			press := func(label string, edits int) {
				h := &hand{l: &life{double: b.double, t: t}, who: alice, chat: chat, message: board}
				button := h.find(func(b fake.Button) bool { return b.Text == label })
				b.Press(chat, alice, board, button.Data)
				b.Wait("other buttons", func() bool {
					n := 0
					for _, c := range b.Calls {
						if c.Method == "editMessageReplyMarkup" && c.Fields["message_id"] == fmt.Sprint(board) {
							n++
						}
					}
					return n == edits
				})
				b.clock.mu.Lock()
				b.clock.now = b.clock.now.Add(150 * time.Millisecond)
				b.clock.tell()
				b.clock.mu.Unlock()
			}
			press("Move", 1)
			press("e2", 2)
			press("e4", 3)
			if took := b.clock.Now().Sub(begun); took > time.Second/2 {
				t.Errorf("three presses took %v", took)
			}
		})
	}
}

// TestMovesOfFiftyGamesAreToldAtOnce plays in private, each game a move every five and a half seconds.
func TestMovesOfFiftyGamesAreToldAtOnce(t *testing.T) {
	const (
		games = 50
		every = 5500 * time.Millisecond / games
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
