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
	"chimera/storage/kv/kvtest"
)

// crowd plays games in many servers. The double's lock is held where its fields are used.
type crowd struct {
	*life
	*fake.Load
	games   []*table
	by      map[string]int // which game a thread is of
	waiting map[string]int // games, by the path of the first answer to an interaction
}

// table is one game of a crowd.
type table struct {
	server, room string
	players      [2]who
	ply          int
	asked        time.Time
}

// BenchmarkMoveOnLoopback plays 1,000 moves in 200 games in 50 servers, one after the other, and reports
// what each costs. One run says all: b.N is not looked at.
func BenchmarkMoveOnLoopback(b *testing.B) {
	file, err := bolt.Open(filepath.Join(b.TempDir(), "db"))
	kvtest.Must(b, err)
	engine := &fake.Counted{DB: file}
	c := &crowd{life: liveOn(b, newFake(b), engine), Load: fake.NewLoad(), by: map[string]int{}, waiting: map[string]int{}}
	c.Ready()
	c.under(func() { c.Tap = c.hears })
	for n := range fake.LoadGames {
		c.begins(n)
	}
	c.settle()
	c.under(func() { c.Acks, c.Boards = nil, nil })
	c.Play(b, engine, func(game int) {
		t := c.games[game]
		text := fake.LoadLine[t.ply]
		t.ply++
		c.act(game, t.players[(t.ply-1)%2], fake.IsCommand, map[string]any{"name": "move", "type": 1, "options": []any{map[string]any{"name": "move", "type": 3, "value": text}}})
	})
	c.settle()
	c.stopped()
	c.Report(b)
}

// begins begins a game.
func (c *crowd) begins(n int) {
	id := func(kind int) string { return strconv.Itoa(kind*10_000 + n) }
	t := &table{
		server: strconv.Itoa(51_000 + n%fake.LoadRooms), room: strconv.Itoa(52_000 + n%fake.LoadRooms),
		players: [2]who{{ID: id(53), Name: "white" + id(0)}, {ID: id(54), Name: "black" + id(0)}},
	}
	c.games = append(c.games, t)
	c.act(n, t.players[0], fake.IsCommand, map[string]any{"name": "challenge", "type": 1, "options": []any{
		map[string]any{"name": "opponent", "type": discordgo.ApplicationCommandOptionUser, "value": t.players[1].ID},
		map[string]any{"name": "game", "type": 3, "value": "chess"},
		map[string]any{"name": "colour", "type": 3, "value": "white"},
	}, "resolved": map[string]any{"users": map[string]any{t.players[1].ID: t.players[1].Told()}}})
	<-c.Turns // the challenge
	c.act(n, t.players[1], fake.IsCommand, map[string]any{"name": "accept", "type": 1})
	<-c.Turns // the board
}

// settle waits until all is acknowledged.
func (c *crowd) settle() {
	c.Wait("all acknowledgements", func() bool { return len(c.waiting) == 0 })
}

// act lets somebody do something in a game's room.
func (c *crowd) act(game int, by who, kind int, data map[string]any) {
	t := c.games[game]
	c.under(func() { t.asked = time.Now() })
	c.Interact(t.room, by, kind, data, func(i map[string]any) {
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
		c.games[newest].room = r.ID
		c.by[r.ID] = newest
	case messages && known:
		c.Boards = append(c.Boards, time.Since(c.games[game].asked))
		c.Turns <- game
	case messages && strings.Contains(r.Text, "challenges"):
		c.Turns <- newest
	}
}
