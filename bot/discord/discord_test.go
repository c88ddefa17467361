package discord

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"chimera/bot"
	"chimera/bot/fake"
	"chimera/bot/outbox"
	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// life is a bot that runs against a fake Discord.
type life struct {
	*double
	store  *storage.Store
	chat   *Adapter
	stop   func() error
	ended  chan error // how Run ended
	looked int        // requests that buttons were looked for in
	log    bytes.Buffer
}

// quick is the pace at which tests go: nothing waits for a second but what must be late.
func quick() pace {
	const hour = time.Hour
	return pace{
		open: 2 * time.Second, silence: hour,
		apart: time.Millisecond, retry: time.Millisecond, ack: hour, answer: 10 * time.Second, told: 2 * time.Second, first: hour, refused: hour, grace: 5 * time.Second,
	}
}

func live(t *testing.T, f *double, disk *kvtest.Disk, change ...func(*Adapter)) *life {
	t.Helper()
	return liveOn(t, f, disk.Open("db"), change...)
}

// ready is a bot that is connected.
func ready(t *testing.T) *life {
	t.Helper()
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Ready()
	return l
}

// inGame is a bot with a game of alice as White and bob, and the thread of that.
func inGame(t *testing.T) (l *life, thread string) {
	t.Helper()
	l = live(t, newFake(t), &kvtest.Disk{})
	return l, l.begun()
}

func liveOn(t testing.TB, f *double, engine kv.DB, change ...func(*Adapter)) *life {
	t.Helper()
	l := &life{double: f, looked: len(f.Calls)}
	store, err := storage.Open(t.Context(), engine)
	if err != nil {
		t.Fatal(err)
	}
	l.store = store
	log := slog.New(slog.NewTextHandler(&locked{w: &l.log}, nil))
	service := bot.NewServices(store, fake.Games(), time.Now, func() bool { return true })
	b := bot.New(service, log, "Chimera")
	if l.chat, err = New(Config{Token: token, APIURL: f.URL}, b, log); err != nil {
		t.Fatal(err)
	}
	l.chat.pace = quick()
	for _, c := range change {
		c(l.chat)
	}
	post := bot.NewOutbox(b, time.Now, log, map[string]bot.Outlet{Platform: loose{l.chat}})
	ctx, cancel := context.WithCancel(context.Background())
	l.ended = make(chan error, 1)
	var work sync.WaitGroup
	work.Go(func() { l.ended <- l.chat.Run(ctx, post) })
	work.Go(func() {
		if _, err := store.Roles().Hold(ctx, "chat/discord"); err == nil {
			_ = post.Run(ctx) // ends with the context
		}
	})
	work.Go(func() { _ = service.Thinker.Run(ctx, log, 1) }) // ends with the context
	l.stop = sync.OnceValue(func() error {
		cancel()
		work.Wait()
		return store.Close()
	})
	t.Cleanup(func() {
		_ = l.stop() // it was canceled, or has been looked at
		if t.Failed() {
			t.Log(l.log.String())
		}
		if strings.Contains(l.log.String(), token) {
			t.Errorf("the token is in the log: %s", l.log.String())
		}
	})
	return l
}

// loose is an outlet without limits, so that tests need not wait.
type loose struct{ *Adapter }

func (loose) Limits(storage.Address) []outbox.Limit { return nil }

type locked struct {
	mu sync.Mutex
	w  *bytes.Buffer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

// posted waits for a request with these parts, and is the id of what it made.
func (l *life) posted(parts ...string) string {
	l.t.Helper()
	return l.Posted(parts...).ID
}

// answered waits for the first answer to an interaction.
func (l *life) answered(interaction string, parts ...string) {
	l.t.Helper()
	l.posted(append([]string{"POST interactions/" + interaction + "/"}, parts...)...)
}

// dismissed waits until nothing is left of the answer to an interaction.
func (l *life) dismissed(interaction string) {
	l.t.Helper()
	l.answered(interaction)
	l.posted("DELETE webhooks/" + fake.DiscordID + "/token" + interaction + "/messages/@original")
}

// count is how many requests have these parts.
func (l *life) count(parts ...string) (n int) {
	l.Lock()
	defer l.Unlock()
	for _, c := range l.Calls {
		if c.Has(parts...) {
			n++
		}
	}
	return n
}

// stopped ends the bot.
func (l *life) stopped() {
	l.t.Helper()
	if err := l.stop(); err != nil {
		l.t.Fatal(err)
	}
}

// none fails if there was a request with these parts.
func (l *life) none(fault string, parts ...string) {
	l.t.Helper()
	if n := l.count(parts...); n > 0 {
		l.t.Errorf("%s: %d", fault, n)
	}
}

// buttonOf is the newest button of a label that has come since it was asked last.
func (l *life) buttonOf(label string) (found pressable) {
	l.t.Helper()
	l.Wait("a button "+label, func() bool {
		for i := len(l.Calls) - 1; i >= l.looked; i-- {
			body, made := object(l.Calls[i].Body), ""
			if data := object(body["data"]); data != nil {
				body, made = data, strings.Split(l.Calls[i].Path, "/")[1]
			}
			for _, b := range buttonsOf(body) {
				if b.Label == label {
					found, l.looked = b, i+1
					found.Message, found.Made = l.Calls[i].ID, made
					return true
				}
			}
		}
		return false
	})
	return found
}

func TestAGameBySlashCommands(t *testing.T) {
	l := ready(t)
	l.answered(l.Slash(room0, alice, "challenge", "opponent=@bob", "game=chess", "colour=white", "days=2", "rated=false"), `"flags": 64`)
	challenge := l.posted("POST channels/"+room0+"/messages", "alice challenges <@12>", "Accept")
	l.Slash(room0, bob, "accept")
	thread := l.posted("POST channels/" + room0 + "/messages/" + challenge + "/threads")
	board := l.posted("POST channels/"+thread+"/messages", "board.png", "to move by", `"users": [`, alice.ID, "King e1")
	if board == "" {
		t.Error("the board has no id")
	}
	l.posted("PATCH channels/"+room0+"/messages/"+challenge, `"components": []`)
	for i, text := range []string{"f3", "e5", "g4"} {
		l.answered(l.Slash(thread, []who{alice, bob}[i%2], "move", "move="+text))
		l.posted("POST channels/"+thread+"/messages", "board.png", []string{"1. f3", "1… e5", "2. g4"}[i], ":R>")
	}
	l.answered(l.Slash(thread, alice, "move", "move=Qd2"), "bob is thinking")
	l.answered(l.Slash(thread, bob, "move", "move=Qh4"))
	l.posted("POST channels/"+thread+"/messages", "wins by checkmate, 0-1", "Rematch")
}

func TestAGameByText(t *testing.T) {
	l := ready(t)
	l.Say(room0, alice, "<@999> challenge <@12> chess white")
	challenge := l.posted("alice challenges <@12>", "Accept")
	l.Say(room0, bob, "accept", replyTo(challenge))
	thread := l.posted("POST channels/" + room0 + "/messages/" + challenge + "/threads")
	board := l.posted("channels/"+thread, "to move by")
	l.Say(thread, alice, "good luck!")
	l.Say(room0, carol, "f3")
	l.Say(thread, alice, "f3", replyTo(board))
	l.posted("1. f3")
	l.Say(thread, bob, "e5")
	l.posted("1… e5")
	l.Say(thread, alice, "<@999>, g4")
	l.posted("2. g4")
	l.Say(thread, bob, "<@999> Qh9")
	l.posted("channels/"+thread, `"message_reference"`, "h9")
	l.Say(thread, bob, "Qh4")
	l.posted("wins by checkmate")
	l.none("talk was answered", "good luck")
}

func TestTalkInAGamesThreadIsNotAnswered(t *testing.T) {
	l, thread := inGame(t)
	for _, text := range []string{
		"Nf3", "e4!", "d4 is better", "challenge accepted", "challenge", "how are you", "if you play e4 I will resign", "move over", "cancel that",
		"follow me", "board", "help", "I have 5 minutes", "the 1st of May",
	} {
		l.Say(thread, carol, text)
		l.Say(thread, bob, text)
	}
	for _, text := range []string{"Nf9", "d4 is better", "board", "resign", "draw"} {
		l.Say(thread, alice, text)
	}
	board := l.posted("channels/"+thread, "to move by")
	for _, text := range []string{"nice move", "lol"} {
		l.Say(thread, carol, text, replyTo(board))
	}
	l.Say(thread, alice, "e4")
	l.posted("channels/"+thread+"/messages", "1. e4")
	l.none("talk was answered", "message_reference")
	l.none("talk has opened a challenge", "looking for an opponent")
}

func TestAGameByButtons(t *testing.T) {
	l := ready(t)
	l.Say(room0, bob, "<@999> settings here game chess")
	l.posted("channels/"+room0, "manage")
	l.Say(room0, alice, "<@999> settings here game chess")
	l.posted("channels/"+room0, "game", "chess")
	l.Interact(room0, alice, isCommand, map[string]any{
		"name": menuChallenge, "type": 2, "target_id": bob.ID, "resolved": map[string]any{"users": map[string]any{bob.ID: bob.Told()}},
	})
	l.posted("alice challenges <@12>")
	accept := l.buttonOf("Accept")
	l.answered(l.Press(room0, carol, accept), "somebody else")
	l.Press(room0, bob, accept)
	thread := l.posted("/threads")
	mover := map[bool]who{true: bob, false: alice} // colours were drawn
	turn := true
	for _, labels := range [][]string{{"f2", "f3"}, {"e7", "e5"}, {"g2", "g4"}, {"Qd8", "Qh4"}} {
		by := mover[turn]
		move := l.buttonOf("Move")
		l.answered(l.Press(thread, mover[!turn], move), "turn")
		l.Press(thread, by, move)
		l.Press(thread, by, l.buttonOf(labels[0]))
		l.Press(thread, by, l.buttonOf(labels[1]))
		confirm := l.buttonOf("Confirm")
		l.Press(thread, by, confirm)
		l.posted("channels/"+thread+"/messages", labels[1])
		l.answered(l.Press(thread, by, confirm))
		turn = !turn
	}
	l.posted("wins by checkmate")
	l.Press(thread, alice, l.buttonOf("Rematch"))
	l.posted("alice challenges <@12>", "#2", "Accept")
}
