package telegram

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"chimera/storage/bolt"
)

// What a crowd plays: so many games in so many groups, of so many plies.
const (
	crowdGames  = 200
	crowdGroups = 50
	crowdPlies  = 5
)

var crowdLine = [crowdPlies]string{"Nf3", "Nf6", "Nc3", "Nc6", "e4"}

// crowd plays games in many groups at once. The fake's lock is held where its fields are
// used.
type crowd struct {
	*life
	games  []*table
	asked  map[string]time.Time // what was written, by chat and message, until it is acknowledged
	acks   []time.Duration
	boards []time.Duration
	turns  chan *table // whose board has come
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
	engine, err := bolt.Open(filepath.Join(b.TempDir(), "db"))
	if err != nil {
		b.Fatal(err)
	}
	c := &crowd{life: liveOn(b, newFake(b), engine), asked: map[string]time.Time{}, turns: make(chan *table, crowdGames)}
	c.Lock()
	c.Refuse = c.hears
	c.Unlock()
	for n := range crowdGames {
		id := int64(n)
		t := &table{
			game: n + 1, group: -51_000 - id%crowdGroups,
			players: [2]person{{ID: 10_000 + id, Name: fmt.Sprint("white", n)}, {ID: 20_000 + id, Name: fmt.Sprint("black", n)}},
		}
		c.games = append(c.games, t)
		c.write(t, t.players[0], "/challenge chess white")
		<-c.turns // the challenge
		c.write(t, t.players[1], "/accept #"+strconv.Itoa(t.game))
		<-c.turns // the board
	}
	c.settle()
	c.Lock()
	defer c.Unlock()
	c.acks, c.boards = nil, nil
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
			c.acks = append(c.acks, time.Since(asked))
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
		c.boards = append(c.boards, time.Since(t.asked))
		c.turns <- t
	}
	return nil
}

// move plays the next ply of a game.
func (c *crowd) move(t *table) {
	who, text := t.players[t.ply%2], crowdLine[t.ply]
	t.ply++
	c.write(t, who, fmt.Sprintf("/move #%d %s", t.game, text))
}

// BenchmarkLoad plays 1,000 moves in 200 games in 50 groups, and reports how long it takes
// from a move until it is acknowledged, and until the board is there: where so many moves
// are under way at once, and where they come at a steady pace.
func BenchmarkLoad(b *testing.B) {
	for _, atOnce := range []int{1, 8, 50, 200} {
		b.Run(fmt.Sprintf("at-once=%d", atOnce), func(b *testing.B) {
			c := gather(b)
			begun := time.Now()
			c.playAtOnce(atOnce)
			c.report(b, time.Since(begun))
		})
	}
	b.Run("a-second=100", func(b *testing.B) {
		c := gather(b)
		begun := time.Now()
		c.playSteadily(10 * time.Millisecond)
		c.report(b, time.Since(begun))
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

// report tells how long it took, and ends the bot. One run says all: b.N is not looked at.
func (c *crowd) report(b *testing.B, took time.Duration) {
	b.Helper()
	c.settle()
	c.Lock()
	acks, boards := slices.Clone(c.acks), slices.Clone(c.boards)
	c.Unlock()
	if len(acks) != crowdGames*crowdPlies || len(boards) != len(acks) {
		b.Errorf("%d acknowledgements and %d boards have come", len(acks), len(boards))
	}
	for name, times := range map[string][]time.Duration{"ack": acks, "board": boards} {
		slices.Sort(times)
		at := func(part float64) float64 {
			return float64(times[int(part*float64(len(times)-1))].Microseconds()) / 1000
		}
		b.ReportMetric(at(0.5), "ms-"+name+"-median")
		b.ReportMetric(at(0.99), "ms-"+name+"-p99")
	}
	b.ReportMetric(float64(len(boards))/took.Seconds(), "moves/s")
	b.ReportMetric(0, "ns/op")
	if strings.Contains(c.log.String(), "ERROR") {
		b.Error(c.log.String())
	}
	if err := c.stop(); err != nil {
		b.Error(err)
	}
}
