package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"chimera/bot/fake"
	"chimera/rules"
	"chimera/rules/variants"
)

// What a flood is held against: games in which a move is played at a steady pace, and how many
// moves are measured before the flood and during it.
const (
	floodGames = 20
	floodPace  = 4 * time.Second
	floodMoves = 100
)

// floodShare is how much smaller floods are in short runs, in which moves follow each other faster.
const floodShare = 20

// floodEvery is the pace of a game.
func floodEvery() time.Duration {
	if testing.Short() {
		return floodPace / floodShare
	}
	return floodPace
}

// flood is many people who want pages of a bot at once, while others play there.
type flood struct {
	b       *testing.B
	program *child
	chats   *fake.Telegram
	web     string // the address of the pages
	boards  map[string]chan time.Time
	refused int // pages that were told to come again later
}

// BenchmarkMovesDuringAFlood tells how long a move takes to reach its opponent before and during each
// flood, and how much memory the program has held at most.
func BenchmarkMovesDuringAFlood(b *testing.B) {
	for name, does := range map[string]func(f *flood, enough <-chan struct{}){
		"readers": (*flood).read, "unread": (*flood).neverRead, "streams": (*flood).stream,
	} {
		b.Run(name, func(b *testing.B) {
			f := newFlood(b)
			var games []floodGame
			for n := range f.size(floodGames) {
				games = append(games, f.begin(n))
			}
			f.measure(games, does)
		})
	}
}

// size is how many of something there are.
func (f *flood) size(whole int) int {
	if testing.Short() {
		return max(2, whole/floodShare)
	}
	return whole
}

// newFlood starts the program with a database that holds a long game, #1, which everybody may see.
func newFlood(b *testing.B) *flood {
	b.Helper()
	f := &flood{b: b, web: freeAddress(b), boards: map[string]chan time.Time{}}
	data, file := filepath.Join(b.TempDir(), "flood.db"), filepath.Join(b.TempDir(), "game")
	if err := os.WriteFile(file, []byte(longGame(b, 460)), 0o600); err != nil {
		b.Fatal(err)
	}
	c := start(b, "import", "--data", data, file)
	if status, out := c.end(); status != 0 {
		b.Fatalf("import: %d, %s%s", status, out, c.errs.String())
	}
	b.Setenv("CHIMERA_WEB_PROXIES", "127.0.0.1")
	f.chats = fake.NewTelegram(b)
	f.program = onChats(b, data, nil, f.chats, "--web-url", pagesURL, "--web-listen", f.web)
	f.chats.Wait("commands", func() bool { return len(f.chats.Calls) > 3 })
	f.chats.Lock()
	defer f.chats.Unlock()
	f.chats.Refuse = func(c fake.Call) *fake.Refusal {
		if c.Method == "sendPhoto" {
			f.arrived(c.Fields["chat_id"])
		}
		return nil
	}
	return f
}

// arrived notes that a board has come to a chat. The lock of the platform is held.
func (f *flood) arrived(chat string) {
	select {
	case f.boards[chat] <- time.Now(): // somebody waits for it, if it is the chat of a game
	default:
	}
}

// longGame is a random game as text, which has not ended after that many plies.
func longGame(t testing.TB, plies int) string {
	t.Helper()
	v := variants.All()[0]
	for try := uint64(0); ; try++ {
		random := rand.New(rand.NewPCG(0, try))
		pos, err := v.Position("")
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		fmt.Fprintf(&text, "[Variant %q]\n[White \"ann\"]\n[Black \"ben\"]\n[Result \"*\"]\n\n", v.Key)
		g := rules.NewGame(pos)
		for ply := range plies {
			moves := g.Position.Moves()
			m := moves[random.IntN(len(moves))]
			if ply%2 == 0 {
				fmt.Fprintf(&text, "%d. ", ply/2+1)
			}
			text.WriteString(g.Position.Chat(m) + "\n")
			if g, err = g.Play(m); err != nil {
				t.Fatal(err)
			}
			if g.Outcome().Over() {
				break
			}
			if ply == plies-1 {
				return text.String() + "*\n"
			}
		}
	}
}

// floodGame is a game that goes on meanwhile.
type floodGame struct {
	say    [2]func(move string)
	hear   [2]chan time.Time // boards that come to each
	script []string
}

func (f *flood) begin(n int) (game floodGame) {
	f.b.Helper()
	const first = 1000
	var who [2]fake.Person
	for side := range who {
		id := int64(first + 2*n + side)
		who[side] = fake.Person{ID: id, Name: fmt.Sprint("p", id)}
		game.say[side] = func(move string) { f.chats.Say(id, who[side], move) }
		game.hear[side] = make(chan time.Time, 1)
	}
	f.chats.Say(who[0].ID, who[0], "/challenge combine white")
	f.chats.Say(who[1].ID, who[1], "/start "+toldCode(f.chats, who[0].ID, "accept "))
	for _, p := range who {
		f.chats.Posted("sendPhoto", fmt.Sprint("chat_id:", p.ID))
	}
	f.chats.Lock()
	defer f.chats.Unlock()
	for side, p := range who {
		f.boards[fmt.Sprint(p.ID)] = game.hear[side]
	}
	game.script = randomGame(f.b, rand.New(rand.NewPCG(uint64(n), 1)))
	return game
}

// floodSample is how long a move took to reach its opponent.
type floodSample struct {
	at   time.Time
	took time.Duration
}

// measure plays, and begins the flood after some moves.
func (f *flood) measure(games []floodGame, does func(*flood, <-chan struct{})) {
	f.b.Helper()
	samples := make(chan floodSample, floodGames*floodMoves)
	ctx, stop := context.WithCancel(f.b.Context())
	var playing sync.WaitGroup
	for n, game := range games {
		playing.Go(func() {
			<-time.After(time.Duration(n) * floodEvery() / time.Duration(len(games)))
			game.play(ctx, samples)
		})
	}
	go func() {
		playing.Wait()
		close(samples)
	}()
	quiet, wanted := []time.Duration{}, f.size(floodMoves)
	for len(quiet) < wanted {
		quiet = append(quiet, (<-samples).took)
	}
	enough, over := make(chan struct{}), make(chan struct{})
	began := time.Now()
	go func() {
		defer close(over)
		does(f, enough)
	}()
	var flooded []time.Duration
	take := func(s floodSample) {
		if s.at.After(began) {
			flooded = append(flooded, s.took)
		}
	}
	for s := range samples {
		if take(s); len(flooded) >= wanted {
			break
		}
	}
	close(enough)
	for going := true; going; {
		select {
		case s, ok := <-samples:
			if going = ok; ok {
				take(s)
			}
		case <-over:
			going = false
		}
	}
	stop()
	for s := range samples {
		take(s)
	}
	for name, times := range map[string][]time.Duration{"quiet": quiet, "flood": flooded} {
		slices.Sort(times)
		at := func(part float64) float64 {
			return float64(times[int(part*float64(len(times)-1))].Microseconds()) / 1000
		}
		f.b.ReportMetric(at(0.5), "ms-"+name+"-median")
		f.b.ReportMetric(at(0.99), "ms-"+name+"-p99")
	}
	f.b.ReportMetric(float64(len(flooded)), "moves")
	f.b.ReportMetric(float64(f.refused), "refused")
	f.b.ReportMetric(0, "ns/op")
	if status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", f.program.cmd.Process.Pid)); err == nil { // where there is one
		if peak := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status); peak != nil {
			kb, _ := strconv.ParseFloat(string(peak[1]), 64)
			f.b.ReportMetric(kb/1024, "MB-peak")
		}
	}
}

// play plays a game until the context is done, and waits for the board of its last move.
func (game *floodGame) play(ctx context.Context, samples chan<- floodSample) {
	pace := time.NewTicker(floodEvery())
	defer pace.Stop()
	for ply, move := range game.script {
		began := time.Now()
		game.say[ply%2](move)
		const long = 2 * time.Minute
		select {
		case came := <-game.hear[1-ply%2]:
			samples <- floodSample{began, came.Sub(began)}
		case <-time.After(long):
			samples <- floodSample{began, long}
			return
		}
		select {
		case <-pace.C:
		case <-ctx.Done():
			return
		}
	}
}

// ask asks for a page, as the page of an address behind the proxy.
func (f *flood) ask(ctx context.Context, path, address string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+f.web+path, nil)
	if err != nil {
		return nil, err
	}
	r.Host = strings.TrimPrefix(pagesURL, "https://")
	r.Header.Set("X-Forwarded-For", address)
	return http.DefaultTransport.RoundTrip(r)
}

// read is 600 readers at one address, again and again.
func (f *flood) read(enough <-chan struct{}) {
	for {
		var readers sync.WaitGroup
		refused := make(chan struct{}, 600)
		for range f.size(600) {
			readers.Go(func() {
				answer, err := f.ask(f.b.Context(), "/game/1", "203.0.113.1")
				if err != nil {
					refused <- struct{}{}
					return
				}
				defer func() { _ = answer.Body.Close() }()
				if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK {
					refused <- struct{}{}
				}
			})
		}
		readers.Wait()
		f.refused += len(refused)
		select {
		case <-enough:
			return
		case <-time.After(time.Second):
		}
	}
}

// neverRead is 350 connections from one address, each of which asks for 30 pages and reads nothing.
func (f *flood) neverRead(enough <-chan struct{}) {
	for range f.size(350) {
		conn, err := new(net.Dialer).DialContext(f.b.Context(), "tcp", f.web)
		if err != nil {
			f.refused++
			continue
		}
		defer func() { _ = conn.Close() }()
		_ = conn.(*net.TCPConn).SetReadBuffer(4096) // otherwise the system reads for it
		go func() {
			for range 30 {
				_, err := fmt.Fprintf(conn, "GET /game/1 HTTP/1.1\r\nHost: %s\r\nX-Forwarded-For: 203.0.113.1\r\n\r\n", strings.TrimPrefix(pagesURL, "https://"))
				if err != nil {
					return // the program has closed it
				}
			}
		}()
	}
	<-enough
}

// stream is 2,000 strangers at 100 addresses who watch a game, and then somebody who plays.
func (f *flood) stream(enough <-chan struct{}) {
	var opened sync.WaitGroup
	ctx, end := context.WithCancel(f.b.Context())
	defer end()
	refused := make(chan struct{}, 2000)
	for n := range f.size(2000) {
		opened.Go(func() {
			answer, err := f.ask(ctx, "/game/1/events", fmt.Sprintf("203.0.%d.1", 1+n%100)) //nolint:bodyclose // below, when it ends
			if err != nil || answer.StatusCode != http.StatusOK {
				refused <- struct{}{}
				return
			}
			go func() {
				_, _ = io.Copy(io.Discard, answer.Body) // until the context is done
				_ = answer.Body.Close()
			}()
		})
	}
	opened.Wait()
	f.refused += len(refused)
	<-enough
}
