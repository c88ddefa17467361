package telegram

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"chimera/bot/fake"
	"chimera/storage/bolt"
)

// crowd plays games in many groups at once. The fake's lock is held where its fields are
// used.
type crowd struct {
	*life
	*fake.Load
	engine *fake.Counted
	games  []*table
	asked  map[string]time.Time // what was written, by chat and message, until it is acknowledged
}

// table is one game of a crowd.
type table struct {
	game    int
	group   int64
	players [2]person
	ply     int
	asked   time.Time
}

// gather lets the games of a crowd begin.
func gather(b *testing.B) *crowd {
	b.Helper()
	file, err := bolt.Open(filepath.Join(b.TempDir(), "db"))
	if err != nil {
		b.Fatal(err)
	}
	engine := &fake.Counted{DB: file}
	c := &crowd{life: liveOn(b, newFake(b), engine), engine: engine, asked: map[string]time.Time{}}
	c.Load = fake.NewLoad(c.move)
	c.Lock()
	c.Refuse = c.hears
	c.Unlock()
	for n := range fake.LoadGames {
		id := int64(n)
		t := &table{
			game: n + 1, group: -51_000 - id%fake.LoadRooms,
			players: [2]person{{ID: 10_000 + id, Name: fmt.Sprint("white", n)}, {ID: 20_000 + id, Name: fmt.Sprint("black", n)}},
		}
		c.games = append(c.games, t)
		c.write(t, t.players[0], "/challenge chess white")
		<-c.Turns // the challenge
		c.write(t, t.players[1], "/accept #"+strconv.Itoa(t.game))
		<-c.Turns // the board
	}
	c.settle()
	c.Lock()
	defer c.Unlock()
	c.Acks, c.Boards = nil, nil
	return c
}

// settle waits until all is acknowledged.
func (c *crowd) settle() { c.Wait("all acknowledgements", func() bool { return len(c.asked) == 0 }) }

// write lets somebody write something about a game.
func (c *crowd) write(t *table, who person, text string) {
	c.Say(t.group, who, text, func(m map[string]any) {
		t.asked = time.Now()
		c.asked[fmt.Sprint(t.group, " ", m["message_id"])] = t.asked
	})
}

var ofGame = regexp.MustCompile(`#(\d+)(</b>)?: `)

// hears takes in what the bot asks Telegram.
func (c *crowd) hears(r call) *refusal {
	switch r.Method {
	case "setMessageReaction":
		message := r.Fields["chat_id"] + " " + r.Fields["message_id"]
		if asked, ok := c.asked[message]; ok {
			c.Acks = append(c.Acks, time.Since(asked))
			delete(c.asked, message)
		}
	case "sendPhoto", "sendMessage":
		found := ofGame.FindStringSubmatch(r.Fields["caption"] + r.Fields["text"])
		if found == nil {
			c.t.Errorf("of no game: %v", r.Fields)
			return nil
		}
		n, _ := strconv.Atoi(found[1])
		t := c.games[n-1]
		c.Boards = append(c.Boards, time.Since(t.asked))
		c.Turns <- n - 1
	}
	return nil
}

// move plays the next ply of a game.
func (c *crowd) move(game int) {
	t := c.games[game]
	who, text := t.players[t.ply%2], fake.LoadLine[t.ply]
	t.ply++
	c.write(t, who, fmt.Sprintf("/move #%d %s", t.game, text))
}

// BenchmarkLoad plays 1,000 moves in 200 games in 50 groups, and reports how long it takes
// from a move until it is acknowledged, and until the board is there: where so many moves
// are under way at once, and where they come at a steady pace.
func BenchmarkLoad(b *testing.B) {
	for _, moves := range []int{1, 8, 50, 200} {
		b.Run(fmt.Sprintf("at-once=%d", moves), func(b *testing.B) {
			measure(b, func(l *fake.Load) { l.AtOnce(moves) })
		})
	}
	b.Run("a-second=100", func(b *testing.B) {
		measure(b, func(l *fake.Load) { l.Steadily(10 * time.Millisecond) })
	})
}

// measure lets a crowd play. One run says all: b.N is not looked at.
func measure(b *testing.B, play func(*fake.Load)) {
	b.Helper()
	c := gather(b)
	begun, meter := time.Now(), fake.NewMeter(c.engine)
	play(c.Load)
	took := time.Since(begun)
	c.settle()
	if err := c.stop(); err != nil {
		b.Fatal(err)
	}
	if strings.Contains(c.log.String(), "ERROR") {
		b.Error(c.log.String())
	}
	c.Report(b, took)
	meter.Report(b, len(c.Boards))
}

// BenchmarkMoveOnLoopback plays one move after the other, and reports what each costs.
func BenchmarkMoveOnLoopback(b *testing.B) {
	measure(b, func(l *fake.Load) { l.AtOnce(1) })
}
