package discord

import (
	"context"
	flags "flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/fake"
	"chimera/rules"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/kv/kvtest"
)

var kills = flags.Int("kills", 30, "kill the program so often while games go on")

// killsOf is how often that is, a third of it in short runs.
func killsOf() int {
	if testing.Short() {
		return *kills / 3
	}
	return *kills
}

// The environment of a process that the test below starts and kills.
const (
	childData = "CHIMERA_TEST_CHILD_DATA"
	childURL  = "CHIMERA_TEST_CHILD_URL"
)

func TestMain(m *testing.M) {
	if data := os.Getenv(childData); data != "" {
		fmt.Fprintln(os.Stderr, child(data, os.Getenv(childURL)))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// child is the bot on a database, until it is killed.
func child(data, url string) error {
	ctx := context.Background()
	_, b, err := fake.Open(bolt.Open(data))
	if err != nil {
		return err
	}
	chat, err := New(Config{Token: token, APIURL: url}, b, b.Log)
	if err != nil {
		return err
	}
	chat.pace = quick()
	post := bot.NewOutbox(b, time.Now, b.Log, map[string]bot.Outlet{Platform: loose{chat}})
	var work sync.WaitGroup
	work.Go(func() { err = chat.Run(ctx, post) })
	work.Go(func() { _ = post.Run(ctx) })                // ends with the context
	work.Go(func() { _ = b.Thinker.Run(ctx, b.Log, 1) }) // likewise
	work.Wait()
	return err
}

// killing is games that are played while the program is killed again and again. The
// fake's lock is held where its fields are used.
type killing struct {
	*double
	games   []*script
	threads map[string]*script
	acks    map[string]ack // by the token of an interaction
	left    int            // requests until the program is killed; 0 for never
	turns   chan *script   // that can go on
	enough  chan struct{}  // the program shall be killed
	again   int            // things that were said twice, and shown once
}

// ack is what an answer acknowledges: the number of moves of a game.
type ack struct {
	game  *script
	moves int
}

// script is a game whose moves are known.
type script struct {
	thread string
	byText bool // its moves are written, else they are commands
	moves  []string
	told   int // how many moves were shown
	acked  int // how many were acknowledged
}

// hears takes in what the program asks Discord; the owner has locked.
func (k *killing) hears(c call) {
	if k.left > 0 {
		if k.left--; k.left == 0 {
			k.enough <- struct{}{}
		}
	}
	words := strings.Split(c.Path, "/")
	if a := k.acks[words[min(2, len(words)-1)]]; a.game != nil && c.Method == http.MethodDelete {
		a.game.acked = max(a.game.acked, a.moves)
	}
	g := k.threads[words[min(1, len(words)-1)]]
	if g == nil || c.Method != http.MethodPost || words[len(words)-1] != "messages" {
		return
	}
	switch {
	case c.ID == "again":
		k.again++
	case strings.Contains(c.Text, "message_reference"):
		k.t.Errorf("an answer to a move of game %s: %s", g.thread, c.Text)
	case g.told < len(g.moves) && strings.Contains(strings.ReplaceAll(c.Text, `\\`, ""), " "+g.moves[g.told]+"**"):
		g.told++
		k.turns <- g
	default:
		k.t.Errorf("after %d moves was said in game %s: %s", g.told, g.thread, c.Text)
	}
}

// act plays the next move of a game.
func (k *killing) act(g *script) {
	k.Lock()
	ply := g.told
	k.Unlock()
	if ply == len(g.moves) {
		return
	}
	by := []who{alice, bob}[ply%2]
	if g.byText {
		k.Say(g.thread, by, g.moves[ply])
		return
	}
	id := k.Slash(g.thread, by, "move", "move="+g.moves[ply])
	k.under(func() { k.acks["token"+id] = ack{g, ply + 1} })
}

func (k *killing) over() bool {
	k.Lock()
	defer k.Unlock()
	for _, g := range k.games {
		if g.told < len(g.moves) {
			return false
		}
	}
	return true
}

// TestEveryMoveIsKeptAndToldThoughTheProgramIsKilled kills the program with SIGKILL after
// a random number of requests, and starts it again, while games go on.
func TestEveryMoveIsKeptAndToldThoughTheProgramIsKilled(t *testing.T) {
	const games, least = 12, 10
	plies := max(least, killsOf()/4) // so that there is enough to do between two kills
	rnd := kvtest.Random(t)
	f := newFake(t)
	k := &killing{double: f, threads: map[string]*script{}, acks: map[string]ack{}, turns: make(chan *script, 1000), enough: make(chan struct{}, 1)}
	data := filepath.Join(t.TempDir(), "kill.db")
	first := k.start(data)
	for n := range games {
		room := strconv.Itoa(501 + n%3)
		k.Slash(room, alice, "challenge", "opponent=@bob", "game=combine", "colour=white")
		challenge := k.Posted("POST channels/"+room+"/messages", "alice challenges <@12>", fmt.Sprint("#", n+1)).ID
		k.Slash(room, bob, "accept", fmt.Sprint("game=#", n+1))
		k.Posted("POST channels/"+challenge+"/messages", "board.png")
		g := &script{thread: challenge, byText: n%2 == 0, moves: randomMoves(t, rnd, plies)}
		k.games, k.threads[challenge] = append(k.games, g), g
	}
	k.kill(first)
	k.under(func() { k.Tap = k.hears })
	for _, g := range k.games {
		if g.byText {
			k.act(g)
		}
	}
	killed := 0
	for ; !k.over(); killed++ {
		k.round(data, rnd, killed < killsOf())
	}
	t.Logf("%d times killed, %d things said again and shown once", killed, k.again)
}

// round starts the program, lets the games go on, and kills it after a while or at the
// end.
func (k *killing) round(data string, rnd *rand.Rand, soon bool) {
	p := k.start(data)
	for _, g := range k.games {
		if !g.byText {
			k.act(g) // who has seen nothing tries again
		}
	}
	if soon {
		k.under(func() { k.left = 1 + rnd.IntN(12) })
	}
	for !k.over() {
		select {
		case g := <-k.turns:
			k.act(g)
			continue
		case <-k.enough:
		}
		break
	}
	k.kill(p)
	k.under(func() { k.left = 0 })
	select {
	case <-k.enough:
	default:
	}
	k.look(data)
}

// start starts the program, and waits until it listens.
func (k *killing) start(data string) *exec.Cmd {
	k.t.Helper()
	k.Lock()
	before := k.Session + k.Resumed
	k.Unlock()
	p := exec.Command(os.Args[0])
	p.Env = append(os.Environ(), childData+"="+data, childURL+"="+k.URL)
	p.Stderr = os.Stderr
	kvtest.Must(k.t, p.Start())
	k.t.Cleanup(func() { _ = p.Process.Kill() }) // unless it was
	k.Wait("READY or RESUMED", func() bool { return k.Session+k.Resumed > before && k.Listens() })
	return p
}

func (k *killing) kill(p *exec.Cmd) {
	k.t.Helper()
	kvtest.Must(k.t, p.Process.Kill())
	_ = p.Wait() // it was killed
	k.Drop()
}

// look compares what is stored with what was acknowledged and shown.
func (k *killing) look(data string) {
	k.t.Helper()
	engine, err := bolt.Open(data)
	kvtest.Must(k.t, err)
	store, err := storage.Open(k.t.Context(), engine)
	kvtest.Must(k.t, err)
	defer func() { _ = store.Close() }()
	m := adapter.NewState(store, Platform, slog.New(slog.DiscardHandler)) // which forgets the sessions: more begin here than may on one day
	kvtest.Must(k.t, m.Put(k.t.Context(), (&Adapter{token: token, state: m}).ofToken(keyStarts), nil))
	kvtest.Must(k.t, store.View(k.t.Context(), func(r storage.Reader) error {
		k.Lock()
		defer k.Unlock()
		for i, s := range k.games {
			g, err := r.Games().Get(storage.GameID(i + 1))
			if err != nil {
				return err
			}
			if n := len(g.Moves); n < s.acked || n < s.told || n > s.told+1 {
				k.t.Errorf("game %d: %d moves are stored, %d were acknowledged and %d shown", i+1, n, s.acked, s.told)
			}
		}
		return nil
	}))
}

// randomMoves are legal moves that end no game.
func randomMoves(t *testing.T, rnd *rand.Rand, plies int) []string {
	t.Helper()
	pos, err := variants.All()[0].Position("")
	kvtest.Must(t, err)
	g := rules.NewGame(pos)
	var moves []string
	for len(moves) < plies {
		all := g.Position.Moves()
		m := all[rnd.IntN(len(all))]
		next, err := g.Play(m)
		kvtest.Must(t, err)
		if next.Outcome().Over() {
			continue
		}
		moves, g = append(moves, g.Position.Chat(m)), next
	}
	return moves
}
