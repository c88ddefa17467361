package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chimera/bot/fake"
	"chimera/storage"
)

// TestNoUpdateIsLostOrHandledTwiceWhenTheProgramIsKilled lets updates of many groups wait
// at Telegram while the program is killed with SIGKILL, again and again, at random moments:
// in the end each challenge was made once, each move was played, and all was told.
func TestNoUpdateIsLostOrHandledTwiceWhenTheProgramIsKilled(t *testing.T) {
	t.Parallel()
	groups := max(30, killsOf()*9/10) // so that there are updates to the end
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	data := filepath.Join(t.TempDir(), "updates.db")
	g := fake.NewTelegram(t)
	white, black := fake.Person{ID: 1, Name: "white"}, fake.Person{ID: 2, Name: "black"}
	moves := []string{"e4", "e5", "Nf3"}
	var script []func()
	say := func(chat int64, who fake.Person, text string) {
		script = append(script, func() { g.Say(chat, who, text) })
	}
	for step := range 2 + len(moves) {
		for n := range int64(groups) {
			who := fake.Person{ID: 100 + n, Name: fmt.Sprint("white", n)}
			switch step {
			case 0:
				say(-1000-n, who, "/challenge chess white unrated")
			case 1:
				say(-1000-n, black, "/accept")
			default:
				say(-1000-n, []fake.Person{who, black}[step%2], "/move "+moves[step-2])
			}
		}
		for range 2 {
			say(-5, white, "/challenge stealth") // would be made twice
		}
	}
	serve := func() *child {
		return onChats(t, data, nil, g)
	}
	waited := 0
	for range killsOf() {
		few := min(1+rnd.IntN(8), len(script))
		for _, say := range script[:few] {
			say()
		}
		script = script[few:]
		g.Lock()
		until := len(g.Calls) + 3 + rnd.IntN(3*g.Pending()+1)
		g.Unlock()
		program := serve()
		g.Wait("some updates to be handled", func() bool { return len(g.Calls) >= until || g.Pending() == 0 })
		program.kill()
		g.Lock()
		if g.Pending() > 0 {
			waited++
		}
		g.Unlock()
	}
	t.Logf("updates waited at %d of %d kills", waited, killsOf())
	if waited == 0 {
		t.Error("the program was killed too late")
	}
	for _, say := range script {
		say()
	}
	program := serve()
	g.Wait("all to be told", func() bool {
		told := map[string]bool{}
		for _, c := range g.Calls {
			if c.Method == "sendPhoto" && c.Has("2. Nf3") {
				told[c.Fields["chat_id"]] = true
			}
		}
		return g.Pending() == 0 && len(told) == groups
	})
	program.kill()
	looksInto(t, data, func(r storage.Reader) error {
		ids, err := r.GameIDs()
		if err != nil {
			return err
		}
		if len(ids) != groups {
			t.Errorf("%d games were begun, want %d", len(ids), groups)
		}
		for _, id := range ids {
			game, err := r.Games().Get(id)
			if err != nil {
				return err
			}
			if got := strings.Join(game.Moves, " "); got != "e2e4 e7e5 g1f3" {
				t.Errorf("game %d has the moves %s", id, got)
			}
		}
		me, err := r.PersonAt(storage.Address{Platform: "telegram", ID: "1"})
		if err != nil {
			return err
		}
		made, err := r.ChallengesBy(me.ID)
		if len(made) != 10 {
			t.Errorf("%d challenges were made, want 10", len(made))
		}
		return err
	})
}
