package discord

import (
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"chimera/storage/bolt"
)

// crowd plays games in many servers at once. A fake's lock is held where its fields are
// used.
type crowd struct {
	*life
	games   []*table
	by      map[string]*table // by thread
	waiting map[string]*table // by the path of the first answer to an interaction
	acks    []time.Duration
	boards  []time.Duration
	turns   chan *table // whose board has come
}

// table is one game of a crowd.
type table struct {
	server, room, thread string
	players              [2]who
	ply                  int
	asked                time.Time
}

// What a crowd plays: so many games in so many servers, of so many plies.
const (
	crowdGames   = 200
	crowdServers = 50
	crowdPlies   = 5
)

var crowdLine = [crowdPlies]string{"Nf3", "Nf6", "Nc3", "Nc6", "e4"}

// gather lets the games of a crowd begin.
func gather(b *testing.B) *crowd {
	b.Helper()
	engine, err := bolt.Open(filepath.Join(b.TempDir(), "db"))
	if err != nil {
		b.Fatal(err)
	}
	f := newFake(b)
	c := &crowd{life: liveOn(b, f, engine), by: map[string]*table{}, waiting: map[string]*table{}, turns: make(chan *table, crowdGames)}
	c.Ready()
	c.Lock()
	c.Tap = c.hears
	c.Unlock()
	for n := range crowdGames {
		id := func(kind int) string { return strconv.Itoa(kind*10_000 + n) }
		t := &table{
			server: strconv.Itoa(51_000 + n%crowdServers), room: strconv.Itoa(52_000 + n%crowdServers),
			players: [2]who{{ID: id(53), Name: "white" + id(0)}, {ID: id(54), Name: "black" + id(0)}},
		}
		c.games = append(c.games, t)
		c.act(t, t.players[0], isCommand, map[string]any{"name": "challenge", "type": 1, "options": []any{
			map[string]any{"name": "opponent", "type": optionPerson, "value": t.players[1].ID},
			map[string]any{"name": "game", "type": 3, "value": "chess"},
			map[string]any{"name": "colour", "type": 3, "value": "white"},
		}, "resolved": map[string]any{"users": map[string]any{t.players[1].ID: t.players[1].Told()}}})
		<-c.turns // the challenge
		c.act(t, t.players[1], isCommand, map[string]any{"name": "accept", "type": 1})
		<-c.turns // the board
	}
	c.Lock()
	defer c.Unlock()
	c.acks, c.boards = nil, nil
	return c
}

// act lets somebody do something in a game's room.
func (c *crowd) act(t *table, by who, kind int, data map[string]any) {
	room := t.room
	if t.thread != "" {
		room = t.thread
	}
	c.Lock()
	t.asked = time.Now()
	c.Unlock()
	c.Interact(room, by, kind, data, func(i map[string]any) {
		i["guild_id"] = t.server
		c.waiting[fmt.Sprint("interactions/", i["id"], "/", i["token"], "/callback")] = t
	})
}

// hears takes in what the bot asks Discord; the owner has locked.
func (c *crowd) hears(r call) {
	if t := c.waiting[r.Path]; t != nil {
		delete(c.waiting, r.Path)
		c.acks = append(c.acks, time.Since(t.asked))
		return
	}
	room, messages := strings.CutSuffix(strings.TrimPrefix(r.Path, "channels/"), "/messages")
	switch t := c.by[room]; {
	case r.Method != http.MethodPost:
	case strings.HasSuffix(r.Path, "/threads"):
		t := c.games[len(c.games)-1]
		t.thread = r.ID
		c.by[r.ID] = t
	case messages && t != nil:
		c.boards = append(c.boards, time.Since(t.asked))
		c.turns <- t
	case messages && strings.Contains(r.Text, "challenges"):
		c.turns <- c.games[len(c.games)-1]
	}
}

// move plays the next ply of a game.
func (c *crowd) move(t *table) {
	by, text := t.players[t.ply%2], crowdLine[t.ply]
	t.ply++
	c.act(t, by, isCommand, map[string]any{"name": "move", "type": 1, "options": []any{map[string]any{"name": "move", "type": 3, "value": text}}})
}

// BenchmarkLoad plays 1,000 moves in 200 games in 50 servers, and reports how long it
// takes from a move until it is acknowledged, and until the board is there: where so many
// moves are under way at once, and where they come at a steady pace.
func BenchmarkLoad(b *testing.B) {
	for _, atOnce := range []int{1, 8, 200} {
		b.Run(fmt.Sprintf("at-once=%d", atOnce), func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				c := gather(b)
				b.StartTimer()
				begun := time.Now()
				c.playAtOnce(atOnce)
				b.StopTimer()
				c.report(b, time.Since(begun))
				if err := c.stop(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("a-second=100", func(b *testing.B) {
		for range b.N {
			b.StopTimer()
			c := gather(b)
			b.StartTimer()
			begun := time.Now()
			c.playSteadily(10 * time.Millisecond)
			b.StopTimer()
			c.report(b, time.Since(begun))
			if err := c.stop(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func (c *crowd) playAtOnce(atOnce int) {
	next := slices.Clone(c.games)
	for range min(atOnce, len(next)) {
		c.move(next[0])
		next = next[1:]
	}
	for range crowdGames * crowdPlies {
		if t := <-c.turns; t.ply < crowdPlies {
			next = append(next, t)
		}
		if len(next) > 0 {
			c.move(next[0])
			next = next[1:]
		}
	}
}

func (c *crowd) playSteadily(every time.Duration) {
	var done sync.WaitGroup
	done.Go(func() {
		for range crowdGames * crowdPlies {
			<-c.turns
		}
	})
	tick := time.NewTicker(every)
	defer tick.Stop()
	for range crowdPlies {
		for _, t := range c.games {
			<-tick.C
			c.move(t)
		}
	}
	done.Wait()
}

func (c *crowd) report(b *testing.B, took time.Duration) {
	b.Helper()
	c.Lock()
	defer c.Unlock()
	if len(c.waiting) > 0 || len(c.boards) != crowdGames*crowdPlies {
		b.Errorf("%d interactions were not answered, and %d boards have come", len(c.waiting), len(c.boards))
	}
	for name, times := range map[string][]time.Duration{"ack": c.acks, "board": c.boards} {
		slices.Sort(times)
		at := func(part float64) float64 {
			return float64(times[int(part*float64(len(times)-1))].Microseconds()) / 1000
		}
		b.ReportMetric(at(0.5), "ms-"+name+"-median")
		b.ReportMetric(at(0.99), "ms-"+name+"-p99")
	}
	b.ReportMetric(float64(len(c.boards))/took.Seconds(), "moves/s")
}
