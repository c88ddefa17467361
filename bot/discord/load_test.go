package discord

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot/fake"
	"chimera/storage/bolt"
)

// crowd plays games in many servers at once. A fake's lock is held where its fields are
// used.
type crowd struct {
	*life
	*fake.Load
	engine  *fake.Counted
	games   []*table
	by      map[string]int // which game a thread is of
	waiting map[string]int // by the path of the first answer to an interaction
}

// table is one game of a crowd.
type table struct {
	server, room, thread string
	players              [2]who
	ply                  int
	asked                time.Time
}

// gather lets the games of a crowd begin.
func gather(b *testing.B) *crowd {
	b.Helper()
	file, err := bolt.Open(filepath.Join(b.TempDir(), "db"))
	if err != nil {
		b.Fatal(err)
	}
	engine := &fake.Counted{DB: file}
	f := newFake(b)
	c := &crowd{life: liveOn(b, f, engine), engine: engine, by: map[string]int{}, waiting: map[string]int{}}
	c.Load = fake.NewLoad(c.move)
	c.Ready()
	c.Lock()
	c.Tap = c.hears
	c.Unlock()
	for n := range fake.LoadGames {
		id := func(kind int) string { return strconv.Itoa(kind*10_000 + n) }
		t := &table{
			server: strconv.Itoa(51_000 + n%fake.LoadRooms), room: strconv.Itoa(52_000 + n%fake.LoadRooms),
			players: [2]who{{ID: id(53), Name: "white" + id(0)}, {ID: id(54), Name: "black" + id(0)}},
		}
		c.games = append(c.games, t)
		c.act(n, t.players[0], isCommand, map[string]any{"name": "challenge", "type": 1, "options": []any{
			map[string]any{"name": "opponent", "type": discordgo.ApplicationCommandOptionUser, "value": t.players[1].ID},
			map[string]any{"name": "game", "type": 3, "value": "chess"},
			map[string]any{"name": "colour", "type": 3, "value": "white"},
		}, "resolved": map[string]any{"users": map[string]any{t.players[1].ID: t.players[1].Told()}}})
		<-c.Turns // the challenge
		c.act(n, t.players[1], isCommand, map[string]any{"name": "accept", "type": 1})
		<-c.Turns // the board
	}
	c.settle()
	c.Lock()
	defer c.Unlock()
	c.Acks, c.Boards = nil, nil
	return c
}

// settle waits until all is acknowledged.
func (c *crowd) settle() {
	c.Wait("all acknowledgements", func() bool { return len(c.waiting) == 0 })
}

// act lets somebody do something in a game's room.
func (c *crowd) act(game int, by who, kind int, data map[string]any) {
	t := c.games[game]
	room := t.room
	if t.thread != "" {
		room = t.thread
	}
	c.Lock()
	t.asked = time.Now()
	c.Unlock()
	c.Interact(room, by, kind, data, func(i map[string]any) {
		i["guild_id"] = t.server
		c.waiting[fmt.Sprint("interactions/", i["id"], "/", i["token"], "/callback")] = game
	})
}

// hears takes in what the bot asks Discord; the owner has locked.
func (c *crowd) hears(r call) {
	if game, ok := c.waiting[r.Path]; ok {
		delete(c.waiting, r.Path)
		c.Acks = append(c.Acks, time.Since(c.games[game].asked))
		return
	}
	room, messages := strings.CutSuffix(strings.TrimPrefix(r.Path, "channels/"), "/messages")
	newest := len(c.games) - 1
	switch game, known := c.by[room]; {
	case r.Method != http.MethodPost:
	case strings.HasSuffix(r.Path, "/threads"):
		c.games[newest].thread = r.ID
		c.by[r.ID] = newest
	case messages && known:
		c.Boards = append(c.Boards, time.Since(c.games[game].asked))
		c.Turns <- game
	case messages && strings.Contains(r.Text, "challenges"):
		c.Turns <- newest
	}
}

// move plays the next ply of a game.
func (c *crowd) move(game int) {
	t := c.games[game]
	by, text := t.players[t.ply%2], fake.LoadLine[t.ply]
	t.ply++
	c.act(game, by, isCommand, map[string]any{"name": "move", "type": 1, "options": []any{map[string]any{"name": "move", "type": 3, "value": text}}})
}

// BenchmarkLoad plays 1,000 moves in 200 games in 50 servers, and reports how long it
// takes from a move until it is acknowledged, and until the board is there: with many
// moves under way at once, and with moves that come at a steady pace.
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
	c.Report(b, took)
	meter.Report(b, len(c.Boards))
}

// BenchmarkMoveOnLoopback plays one move after the other, and reports what each costs.
func BenchmarkMoveOnLoopback(b *testing.B) {
	measure(b, func(l *fake.Load) { l.AtOnce(1) })
}
