package telegram

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/rules"
	"chimera/rules/variants"
)

// longGame are the moves of a game at random, of so many plies.
func longGame(b *testing.B, seed uint64, plies int) (line []string) {
	b.Helper()
	start, err := rules.Find(variants.All(), "chess").Position("")
	if err != nil {
		b.Fatal(err)
	}
	for random := rand.New(rand.NewPCG(seed, 0)); len(line) < plies; {
		line = nil
		for now := rules.NewGame(start); len(line) < plies && !now.Outcome().Over(); {
			moves := now.Position.Moves()
			m := moves[random.IntN(len(moves))]
			line = append(line, now.Position.Chat(m))
			if now, err = now.Play(m); err != nil {
				b.Fatal(err)
			}
		}
	}
	return line
}

// BenchmarkMovesWhileManyWantReplays has a hundred people ask for eight replays of long games at once,
// and two play meanwhile, within Telegram's limits. It reports how long a move takes until the other has
// the board, and how much memory is in use. One run says all: b.N is not looked at.
func BenchmarkMovesWhileManyWantReplays(b *testing.B) {
	const games, plies, each, moves = 50, 120, 8, 30 // more moves, and the position has stood five times
	f := newPaced(b, time.Now, adapter.Pause)
	said := 0
	say := func(who person, text string) []message.Message {
		said++
		notes, err := f.chat.bot.Handle(b.Context(), message.Incoming{
			ID: fmt.Sprint("x", said), Place: address(who.ID, 0), Private: true, From: message.Account{Address: account(who.ID), Name: who.Name}, Text: text,
		})
		if err != nil {
			b.Fatal(err)
		}
		return notes
	}
	begin := func(game int, white, black person) {
		id := say(white, "challenge chess white 0d unrated")[0].About
		c, err := f.chat.bot.Match.ChallengeOf(b.Context(), id)
		if err != nil || int(id) != game {
			b.Fatal(id, err)
		}
		say(black, "accept "+c.Code)
	}
	players := func(game int) [2]person {
		return [2]person{{ID: int64(1000 + 2*game), Name: fmt.Sprint("white", game)}, {ID: int64(1001 + 2*game), Name: fmt.Sprint("black", game)}}
	}
	for g := range games {
		p := players(g)
		begin(g+1, p[0], p[1])
		for ply, move := range longGame(b, uint64(g), plies+1)[:plies] {
			say(p[ply%2], fmt.Sprintf("move #%d %s", g+1, move))
		}
	}
	begin(games+1, alice, bob)
	var work sync.WaitGroup
	ctx, cancel := context.WithCancel(b.Context())
	work.Go(func() { _ = f.post.Run(ctx) }) // ends with the context
	defer work.Wait()
	defer cancel()
	f.Wait("the boards", func() bool { n, _ := f.post.Waiting(); return n == 0 && len(f.Calls) > games })

	var asked time.Time
	var waits []time.Duration
	films := 0
	told := make(chan bool, moves)
	f.Lock()
	f.Refuse = func(c call) *refusal {
		switch chat := c.Fields["chat_id"]; {
		case c.Method == "sendAnimation":
			films++
		case c.Method == "sendPhoto" && (chat == "1" || chat == "2"):
			waits = append(waits, time.Since(asked))
			told <- true
		}
		return nil
	}
	f.Unlock()
	for n := range each {
		for g := range games {
			for _, who := range players(g) {
				f.Say(who.ID, who, []string{"/replay", fmt.Sprint("/replay ", g+1), fmt.Sprint("/replay #", g+1)}[n%3]) // the same again is answered once
			}
		}
	}
	line, most := []string{"Nf3", "Nf6", "Nc3", "Nc6", "Ng1", "Ng8", "Nb1", "Nb8"}, uint64(0)
	for ply := range moves {
		f.Lock()
		asked = time.Now()
		f.Unlock()
		who := []person{alice, bob}[ply%2]
		f.Say(who.ID, who, fmt.Sprintf("/move #%d %s", games+1, line[ply%len(line)]))
		<-told
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.Sys-m.HeapReleased)
		time.Sleep(1100 * time.Millisecond) // and no more than a chat may hear
	}
	f.Lock()
	defer f.Unlock()
	slices.Sort(waits)
	b.ReportMetric(float64(waits[len(waits)/2].Milliseconds()), "ms-board-median")
	b.ReportMetric(float64(waits[len(waits)-1].Milliseconds()), "ms-board-most")
	b.ReportMetric(float64(most)/(1<<20), "MiB")
	b.ReportMetric(float64(films), "replays")
	b.ReportMetric(0, "ns/op")
}
