package main

import (
	"context"
	"flag"
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

var otherProgram = flag.String("program", "", "another build of the program, to which floods are done instead of this one")

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

// flood is many people who want something of a bot at once, while others play there.
type flood struct {
	b       *testing.B
	program *child
	discord *fake.Discord
	chats   *fake.Telegram
	web     string // the address of the pages
	boards  map[string]chan time.Time
	waits   map[string]bool // interactions that have had no answer
	refused int             // pages that were told to come again later

	unanswered int // replays
}

// BenchmarkMovesDuringAFlood tells how long a move takes to reach its opponent before and during each
// flood, how much memory the program has held at most, and whose interactions went unanswered. To
// compare it with another build, name that with -program.
func BenchmarkMovesDuringAFlood(b *testing.B) {
	for _, kind := range []struct {
		name  string
		plies []int
		does  func(f *flood, enough <-chan struct{})
	}{
		{"readers", []int{460}, (*flood).read},
		{"unread", []int{460}, (*flood).neverRead},
		{"streams", []int{460}, (*flood).stream},
		{"replays", slices.Repeat([]int{80}, floodReplays), (*flood).replay},
	} {
		b.Run(kind.name, func(b *testing.B) {
			f := newFlood(b, kind.plies...)
			var games []floodGame
			for n := range f.size(floodGames) {
				games = append(games, f.beginOnTelegram(n))
			}
			f.measure(games, kind.does)
		})
	}
	b.Run("mentions", func(b *testing.B) {
		f := newFlood(b)
		var games []floodGame
		for n := range f.size(floodGames) {
			games = append(games, f.beginOnDiscord(n+1))
		}
		f.measure(games, (*flood).mention)
	})
}

// size is how many of something there are.
func (f *flood) size(whole int) int {
	if testing.Short() {
		return max(2, whole/floodShare)
	}
	return whole
}

// newFlood starts the program with a database that holds a game of each number of plies, from #1 on, which
// everybody may see.
func newFlood(b *testing.B, plies ...int) *flood {
	b.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	f := &flood{b: b, web: free.Addr().String(), boards: map[string]chan time.Time{}, waits: map[string]bool{}}
	if err := free.Close(); err != nil {
		b.Fatal(err)
	}
	data := filepath.Join(b.TempDir(), "flood.db")
	for n, plies := range plies {
		file := filepath.Join(b.TempDir(), fmt.Sprint(n))
		if err := os.WriteFile(file, []byte(longGame(b, n, plies)), 0o600); err != nil {
			b.Fatal(err)
		}
		c := start(b, "import", "--data", data, file)
		if status, out := c.end(); status != 0 {
			b.Fatalf("import: %d, %s%s", status, out, c.errs.String())
		}
	}
	b.Setenv("CHIMERA_WEB_PROXIES", "127.0.0.1")
	f.program, f.discord, f.chats = serves(b, data, "--web-url", pagesURL, "--web-listen", f.web)
	f.chats.Refuse = func(c fake.Call) *fake.Refusal {
		if c.Method == "sendPhoto" {
			f.arrived(c.Fields["chat_id"])
		}
		return nil
	}
	f.discord.Refuse = func(c fake.Request) *fake.Refusal {
		words := strings.Split(c.Path, "/")
		switch {
		case words[0] == "interactions":
			delete(f.waits, words[1])
		case c.Method != http.MethodPost || words[0] != "channels" || words[len(words)-1] != "messages":
		case words[1] == quietChannel:
			return &fake.Refusal{Status: http.StatusForbidden, Body: `{"code":50013,"message":"Missing Permissions"}`}
		case strings.HasPrefix(words[1], "7"):
			return &fake.Refusal{Status: http.StatusForbidden, Body: `{"code":50007,"message":"Cannot send messages to this user"}`}
		default:
			f.arrived(words[1])
		}
		return nil
	}
	return f
}

// quietChannel is where the bot may not write.
const quietChannel = "502"

// arrived notes that a board has come to a chat. The lock of the platform is held.
func (f *flood) arrived(chat string) {
	select {
	case f.boards[chat] <- time.Now(): // somebody waits for it, if it is the chat of a game
	default:
	}
}

// longGame is a random game as text, which has not ended after that many plies: another one for each n.
func longGame(t testing.TB, n, plies int) string {
	t.Helper()
	v := variants.All()[0]
	for try := uint64(0); ; try++ {
		random := rand.New(rand.NewPCG(uint64(n), try))
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

func (f *flood) beginOnTelegram(n int) (game floodGame) {
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
	number := f.chats.Posted(fmt.Sprint("chat_id:", who[0].ID), "accept ")
	f.chats.Lock()
	at := slices.IndexFunc(f.chats.Calls, func(c fake.Call) bool { return c.Number == number })
	code := codeInText.FindStringSubmatch(f.chats.Calls[at].Fields["text"])[1]
	f.chats.Unlock()
	f.chats.Say(who[1].ID, who[1], "/start "+code)
	for _, p := range who {
		f.chats.Posted("sendPhoto", fmt.Sprint("chat_id:", p.ID))
	}
	f.chats.Lock()
	defer f.chats.Unlock()
	for side, p := range who {
		f.boards[fmt.Sprint(p.ID)] = game.hear[side]
	}
	game.script = f.line(n)
	return game
}

func (f *flood) beginOnDiscord(n int) (game floodGame) {
	f.b.Helper()
	who := fake.Users()[:2]
	f.discord.Slash(fake.Channel, who[0], "challenge", "game=combine", "colour=white")
	offer := f.discord.Posted("POST channels/501/messages", "alice is looking for an opponent", fmt.Sprintf("#%d", n))
	f.discord.Slash(fake.Channel, who[1], "accept", fmt.Sprintf("game=#%d", n))
	f.discord.Posted("POST channels/"+offer.ID+"/messages", fmt.Sprintf("Chess #%d", n))
	thread := make(chan time.Time, 1)
	game.hear = [2]chan time.Time{thread, thread}
	for side := range who {
		game.say[side] = func(move string) {
			q := f.discord.Slash(offer.ID, who[side], "move", "move="+move)
			f.discord.Lock()
			defer f.discord.Unlock()
			if !slices.ContainsFunc(f.discord.Calls, func(c fake.Request) bool { return strings.HasPrefix(c.Path, "interactions/"+q+"/") }) {
				f.waits[q] = true
			}
		}
	}
	f.discord.Lock()
	defer f.discord.Unlock()
	f.boards[offer.ID] = thread
	game.script = f.line(n)
	return game
}

// line are the moves of a game.
func (f *flood) line(n int) []string {
	return randomGame(f.b, rand.New(rand.NewPCG(uint64(n), 1)))
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
	f.discord.Lock()
	f.b.ReportMetric(float64(len(f.waits)+f.unanswered), "unanswered")
	f.discord.Unlock()
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

// floodReplays is of how many games replays are wanted: more than are remembered.
const floodReplays = 100

// replay is 100 people, each of whom wants the replays of eight games.
func (f *flood) replay(<-chan struct{}) {
	const first, times = 5000, 8
	people := f.size(100)
	for i := range times {
		for n := range people {
			id := int64(first + n)
			f.chats.Say(id, fake.Person{ID: id, Name: fmt.Sprint("r", id)}, fmt.Sprintf("/replay #%d", 1+(13*i+n)%floodReplays))
		}
	}
	answers := func() (n int) {
		f.chats.Lock()
		defer f.chats.Unlock()
		for _, c := range f.chats.Calls {
			if id, err := strconv.ParseInt(c.Fields["chat_id"], 10, 64); err == nil && id >= first && c.Number != 0 {
				n++
			}
		}
		return n
	}
	look := time.NewTicker(time.Second)
	defer look.Stop()
	for range 300 {
		<-look.C
		if answers() >= times*people {
			return
		}
	}
	f.unanswered = times*people - answers()
}

// mention is three people who speak to the bot 600 times where it may not answer, and do not want to
// hear from it in private.
func (f *flood) mention(enough <-chan struct{}) {
	pace := time.NewTicker(20 * time.Millisecond)
	defer pace.Stop()
	for n := range f.size(600) {
		<-pace.C
		id := fmt.Sprint(31 + n%3)
		f.discord.Say(quietChannel, fake.User{ID: id, Name: "m" + id}, "<@"+fake.DiscordID+"> help")
	}
	<-enough
}
