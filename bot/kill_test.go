package bot_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"chimera/bot"
	"chimera/bot/fake"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/rules"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/kv/kvtest"
)

// The environment of a process that the test below starts and kills.
const (
	childData = "CHIMERA_TEST_CHILD_DATA"
	childChat = "CHIMERA_TEST_CHILD_CHAT"
)

func TestMain(m *testing.M) {
	if data := os.Getenv(childData); data != "" {
		if err := child(data, os.Getenv(childChat)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// line is one message to the child: it has an id, so that it may come again.
type line struct {
	ID              int
	Room, Who, Text string
}

// child answers messages from standard input with their numbers, and delivers to a chat over HTTP. After the input has
// ended, it goes on until nothing waits.
func child(data, url string) error {
	ctx := context.Background()
	store, b, err := fake.Open(bolt.Open(data))
	if err != nil {
		return err
	}
	defer store.Close()
	post := bot.NewOutbox(b, time.Now, b.Log, map[string]bot.Outlet{"test": &remote{url, http.Client{Timeout: 50 * time.Millisecond}}})
	running, stop := context.WithCancel(ctx)
	defer stop()
	var work sync.WaitGroup
	work.Go(func() { _ = post.Run(running) }) // ends with the context
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var l line
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			return err
		}
		m := message.Incoming{
			ID: fmt.Sprint(l.ID), Place: storage.Address{Platform: "test", ID: l.Room}, From: someone(l.Who), Text: l.Text,
			People: map[string]message.Account{"@black": someone("black")},
		}
		if _, err := b.Handle(ctx, m); err != nil {
			return err
		}
		fmt.Println(l.ID)
	}
	stop()
	work.Wait()
	for {
		next, err := post.Drain(ctx)
		if err != nil || next.IsZero() {
			return err
		}
		<-time.After(time.Until(next))
	}
}

// remote is a chat behind HTTP.
type remote struct {
	url    string
	client http.Client
}

func (r *remote) Limits(storage.Address) []outbox.Limit {
	return []outbox.Limit{{Name: "all", Every: time.Millisecond, Burst: 20, Everywhere: true}}
}

func (r *remote) Send(ctx context.Context, p bot.Delivery) (outbox.Receipt, error) {
	body, err := json.Marshal(p.Entry)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	answer, err := r.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusOK:
		return nil, nil
	case http.StatusTooManyRequests:
		return nil, &outbox.Later{After: 5 * time.Millisecond, Err: errors.New(answer.Status)}
	}
	return nil, errors.New(answer.Status)
}

// faulty is a chat that fails one request in five: it returns an error, asks to wait, or takes the message without an
// answer.
type faulty struct {
	t     *testing.T
	known bool // it knows what it has heard before

	mu      sync.Mutex
	rnd     *rand.Rand
	heard   map[uint64]int
	entries []storage.Entry // as they were heard first
}

func (f *faulty) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var e storage.Entry
	if err != nil || json.Unmarshal(body, &e) != nil {
		return // the child was killed
	}
	f.mu.Lock()
	fault := f.rnd.IntN(15)
	if fault != 0 && fault != 1 {
		if f.heard[e.ID] == 0 {
			f.entries = append(f.entries, e)
		}
		if f.heard[e.ID] == 0 || !f.known {
			f.heard[e.ID]++
		}
	}
	f.mu.Unlock()
	switch fault {
	case 0:
		w.WriteHeader(http.StatusBadGateway)
	case 1:
		w.WriteHeader(http.StatusTooManyRequests)
	case 2:
		<-r.Context().Done()
	}
}

// TestEverythingArrivesThoughTheProgramIsKilled kills the program with SIGKILL at
// random moments of many games, and starts it again.
func TestEverythingArrivesThoughTheProgramIsKilled(t *testing.T) {
	for _, known := range []bool{true, false} {
		t.Run(fmt.Sprintf("a chat that knows what it has heard: %v", known), func(t *testing.T) {
			t.Parallel()
			killAndSee(t, known)
		})
	}
}

func killAndSee(t *testing.T, known bool) {
	kills := 50
	if testing.Short() {
		kills = 15
	}
	rnd := kvtest.Random(t)
	chat := &faulty{t: t, known: known, rnd: kvtest.Random(t), heard: map[uint64]int{}}
	server := httptest.NewServer(chat)
	defer server.Close()
	data := filepath.Join(t.TempDir(), "kill.db")
	lines := script(rnd, 24, 10)
	done := 0
	for range kills {
		done = feedChild(t, data, server.URL, lines[done:], 1+rnd.IntN(8))
	}
	if done = feedChild(t, data, server.URL, lines[done:], len(lines)+1); done != len(lines) {
		t.Fatalf("%d of %d lines were answered", done, len(lines))
	}
	chat.check(data, len(lines))
}

// feedChild starts a child, kills it once it has answered some lines, and returns
// the number of the last line that was answered.
func feedChild(t *testing.T, data, url string, lines []line, kill int) int {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childData+"="+data, childChat+"="+url)
	cmd.Stderr = os.Stderr
	var in bytes.Buffer
	for _, l := range lines {
		text, err := json.Marshal(l)
		must(t, err)
		in.Write(append(text, '\n'))
	}
	cmd.Stdin = &in
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	done := 0
	if len(lines) > 0 {
		done = lines[0].ID - 1
	}
	answers := bufio.NewScanner(out)
	for n := 0; n < kill && answers.Scan(); n++ {
		_, err := fmt.Sscan(answers.Text(), &done)
		must(t, err)
	}
	if kill <= len(lines) {
		must(t, cmd.Process.Kill())
		_ = cmd.Wait() // it was killed
		return done
	}
	must(t, cmd.Wait())
	return done
}

// script plays games of a number of plies at random, one ply of each in turn.
func script(rnd *rand.Rand, games, plies int) []line {
	var lines []line
	add := func(game int, who, text string) {
		lines = append(lines, line{len(lines) + 1, fmt.Sprint("room", game%8), who, text})
	}
	positions := make([]*rules.Position, games)
	for i := range positions {
		add(i, "white", "challenge @black white unrated")
		add(i, "black", fmt.Sprintf("accept #%d", i+1))
		positions[i], _ = variants.All()[0].Position("") // the start is valid
	}
	for ply := range plies {
		for i, pos := range positions {
			moves := pos.Moves()
			if len(moves) == 0 {
				continue
			}
			m := moves[rnd.IntN(len(moves))]
			add(i, []string{"white", "black"}[ply%2], fmt.Sprintf("#%d %s", i+1, pos.Variant().Coordinate(m)))
			positions[i], _ = pos.Play(m) // it is legal
		}
	}
	return lines
}

// check compares what was heard with what is stored, where each answered line
// has posted one entry.
func (f *faulty) check(data string, lines int) {
	engine, err := bolt.Open(data)
	must(f.t, err)
	store, err := storage.Open(f.t.Context(), engine)
	must(f.t, err)
	defer store.Close()
	heard := told{}
	last := map[storage.GameID]uint64{}
	for _, e := range f.entries {
		heard.add(e)
		if e.ID < last[e.Game] {
			f.t.Errorf("game %d: entry %d was heard after %d", e.Game, e.ID, last[e.Game])
		}
		last[e.Game] = e.ID
	}
	if len(heard) != lines {
		f.t.Errorf("%d things were told, %d lines answered", len(heard), lines)
	}
	moves := 0
	must(f.t, store.View(f.t.Context(), func(r storage.Reader) error {
		ids, err := r.GameIDs()
		if err != nil {
			return err
		}
		for _, id := range ids {
			g, err := r.Games().Get(id)
			if err != nil {
				return err
			}
			moves += len(g.Moves)
			for ply := range len(g.Moves) {
				if !heard[fmt.Sprintf("#%d %d", id, ply+1)] {
					f.t.Errorf("game %d: ply %d was not told", id, ply+1)
				}
			}
		}
		waiting, err := r.Outbox()
		if len(waiting) > 0 {
			f.t.Errorf("something waits still: %v", waiting)
		}
		return err
	}))
	twice := 0
	for _, n := range f.heard {
		if n > 1 {
			twice++
		}
	}
	f.t.Logf("%d moves, %d entries heard, %d of them more than once", moves, len(f.entries), twice)
	if f.known && twice > 0 {
		f.t.Error("a chat that knows what it has heard heard something twice")
	}
}
