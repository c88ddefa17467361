package telegram

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"chimera/bot/fake"
	"chimera/storage/bolt"
	"chimera/storage/kv/kvtest"
)

// crowd plays games in many groups. The double's lock is held where its fields are used.
type crowd struct {
	*life
	*fake.Load
	games []*table
	asked map[string]time.Time // what was written, by chat and message, until it is acknowledged
}

// table is one game of a crowd.
type table struct {
	game    int
	group   int64
	players [2]person
	ply     int
	asked   time.Time
}

// BenchmarkMoveOnLoopback plays 1,000 moves in 200 games in 50 groups, one after the other, and reports what
// each costs. One run says all: b.N is not looked at.
func BenchmarkMoveOnLoopback(b *testing.B) {
	file, err := bolt.Open(filepath.Join(b.TempDir(), "db"))
	kvtest.Must(b, err)
	engine := &fake.Counted{DB: file}
	c := &crowd{life: liveOn(b, newFake(b), engine), Load: fake.NewLoad(), asked: map[string]time.Time{}}
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
	c.Acks, c.Boards = nil, nil
	c.Unlock()
	c.Play(b, engine, func(game int) {
		t := c.games[game]
		text := fake.LoadLine[t.ply]
		t.ply++
		c.write(t, t.players[(t.ply-1)%2], fmt.Sprintf("/move #%d %s", t.game, text))
	})
	c.settle()
	c.stopped()
	c.Report(b)
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
func (c *crowd) hears(r fake.Call) *fake.Refusal {
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
		c.Boards = append(c.Boards, time.Since(c.games[n-1].asked))
		c.Turns <- n - 1
	}
	return nil
}
