package discord

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/discord/gateway"
	"chimera/bot/fake"
	"chimera/bot/outbox"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/rules/phrase/phrasetest"
	"chimera/rules/variants"
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
	log    fake.Log
	disk   *kvtest.Disk // for another bot after this one
}

// quick is the pace at which tests go: nothing waits for a second but what must be late.
func quick() pace {
	const hour = time.Hour
	return pace{
		open: 2 * time.Second, silence: hour,
		apart: time.Millisecond, retry: time.Millisecond, ack: hour, answer: 10 * time.Second, told: 2 * time.Second, first: hour, refused: hour, grace: 5 * time.Second,
	}
}

func live(t testing.TB, f *double, disk *kvtest.Disk, change ...func(*Adapter)) *life {
	t.Helper()
	l := liveOn(t, f, disk.Open("db"), change...)
	l.disk = disk
	return l
}

// again is another bot on the same database and the same Discord.
func (l *life) again(change ...func(*Adapter)) *life {
	l.t.Helper()
	return live(l.t, l.double, l.disk, change...)
}

// cutOff ends the bot, which may not have stored all, and its session.
func (l *life) cutOff() {
	_ = l.stop() // that it could not store
	l.End()
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
	f.Lock()
	l := &life{double: f, looked: len(f.Calls)}
	f.Unlock()
	log := slog.New(slog.NewTextHandler(&l.log, nil))
	store, b := fake.NewBot(t, engine, f.Now, log)
	l.store = store
	var err error
	l.chat, err = New(Config{Token: token, APIURL: f.URL}, b, log)
	kvtest.Must(t, err)
	l.chat.pace = quick()
	for _, c := range change {
		c(l.chat)
	}
	post := bot.NewOutbox(b, f.Now, log, map[string]bot.Outlet{Platform: loose{l.chat}})
	l.ended = make(chan error, 1)
	l.stop = fake.Run(t, store, &l.log, token, func(ctx context.Context) { l.ended <- l.chat.Run(ctx, post) }, func(ctx context.Context) {
		if _, err := store.Roles().Hold(ctx, "chat/discord"); err == nil {
			_ = post.Run(ctx) // ends with the context
		}
	}, func(ctx context.Context) { _ = b.Thinker.Run(ctx, log, 1) }) // likewise
	return l
}

// loose is an outlet without limits, so that tests need not wait.
type loose struct{ *Adapter }

func (loose) Limits(storage.Address) []outbox.Limit { return nil }

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
	kvtest.Must(l.t, l.stop())
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
		"follow me", "board", "draw?", "I have 5 minutes", "the 1st of May",
	} {
		l.Say(thread, carol, text)
		l.Say(thread, bob, text)
	}
	for _, text := range []string{"d4 is better", "board", "resign?", "no draw"} {
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

func TestAPlayerIsAnsweredInTheThreadOfTheirGame(t *testing.T) {
	l, thread := inGame(t)
	for _, c := range []struct {
		by           who
		text, answer string
	}{
		{alice, "Nf9", "no square f9"}, {alice, "e2e5", "e5"}, {bob, "help", "Start a game"}, {bob, "resign", "Resign game #1"}, {alice, "draw", "offers <@12> a draw"},
	} {
		l.Say(thread, c.by, c.text)
		l.posted("POST channels/"+thread+"/messages", c.answer)
	}
	l.Say(thread, bob, "Nf9")
	l.Say(thread, alice, "e4")
	l.posted("1. e4")
	if n := l.count("message_reference"); n != 4 {
		t.Errorf("%d answers", n)
	}
}

func TestAGameByButtons(t *testing.T) {
	l := ready(t)
	l.Say(room0, bob, "<@999> settings here game chess")
	l.posted("channels/"+room0, "manage")
	l.Say(room0, alice, "<@999> settings here game chess")
	l.posted("channels/"+room0, "game", "Chess")
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

// begin begins a game between alice, with White, and bob, and returns its thread.
func (l *life) begin(v *rules.Variant) (thread string) {
	l.t.Helper()
	l.Ready()
	l.Slash(room0, alice, "challenge", "opponent=@bob", "game="+v.Key, "colour=white")
	challenge := l.posted("POST channels/"+room0+"/messages", "alice challenges <@12>")
	l.Press(room0, bob, l.buttonOf("Accept"))
	l.board(challenge, 0)
	return challenge
}

// board waits for the board after a number of plies.
func (l *life) board(thread string, ply int) {
	l.t.Helper()
	l.Wait(fmt.Sprint("board ", ply), func() bool {
		n := 0
		for _, c := range l.Calls {
			if c.Method == http.MethodPost && c.Path == "channels/"+thread+"/messages" && len(c.Files) == 1 {
				n++
			}
		}
		return n > ply
	})
}

// ends looks whether a game was stored with its end, and that told.
func (l *life) ends(thread string, plies int) {
	l.t.Helper()
	l.posted("POST channels/"+thread+"/messages", "Rematch", "board.png")
	g, err := storage.Read(l.t.Context(), l.store, func(r storage.Reader) (storage.Game, error) { return r.Games().Get(1) })
	if err != nil || !g.Over() || len(g.Moves) != plies {
		l.t.Errorf("after %d of %d plies the result is %s: %v", len(g.Moves), plies, g.Result, err)
	}
}

// ways are those by which people move in a game's thread.
func ways() []func(l *life, thread string, by who, p fake.Ply, ply int, v *rules.Variant) {
	return []func(l *life, thread string, by who, p fake.Ply, ply int, v *rules.Variant){
		func(l *life, thread string, by who, p fake.Ply, _ int, _ *rules.Variant) { // by the slash command
			l.dismissed(l.Slash(thread, by, "move", "move="+p.Text))
		},
		func(l *life, thread string, by who, p fake.Ply, _ int, _ *rules.Variant) { // as a text
			l.Say(thread, by, p.Text)
		},
		func(l *life, thread string, by who, p fake.Ply, ply int, _ *rules.Variant) { // in a form
			l.Press(thread, by, pressable{Data: fmt.Sprintf("pick 1 %d - - 0", ply)})
			l.dismissed(l.Submit(thread, by, l.buttonOf("Type a move"), p.Text))
		},
		func(l *life, thread string, by who, p fake.Ply, ply int, v *rules.Variant) { // by the buttons and menus of the picker
			at := fmt.Sprintf("1 %d ", ply)
			from, to := v.Shape.Name(p.From), v.Shape.Name(p.To)
			sure, play := "sure "+at+v.Coordinate(p.Move), "play "+at+v.Coordinate(p.Move)
			shown := l.Press(thread, by, l.buttonOf("Move"))
			shown, _ = l.follow(thread, by, shown, "pick "+at+from+" - ")
			shown, done := l.follow(thread, by, shown, sure, "pick "+at+from+" "+to+" ")
			if done != sure {
				shown, _ = l.follow(thread, by, shown, sure)
			}
			l.follow(thread, by, shown, play)
		},
	}
}

// TestWholeGamesByEachWayToMove plays each game to its end.
func TestWholeGamesByEachWayToMove(t *testing.T) {
	for _, v := range variants.All() {
		t.Run(v.Key, func(t *testing.T) {
			l := live(t, newFake(t), &kvtest.Disk{})
			game := fake.WholeGame(t, v)
			thread := l.begin(v)
			for ply, p := range game {
				ways()[ply/2%len(ways())](l, thread, []who{alice, bob}[ply%2], p, ply, v)
				l.board(thread, ply+1)
			}
			l.ends(thread, len(game))
			if n := l.count("POST", "went wrong"); n > 0 || strings.Contains(l.log.String(), "level=ERROR") {
				t.Errorf("something went wrong, or %d answers say so", n)
			}
		})
	}
}

// follow presses a button of what answered a press, perhaps on a later page: one that
// does one of some things, and returns the press and which it was.
func (l *life) follow(thread string, by who, shown string, presses ...string) (next, done string) {
	l.t.Helper()
	for {
		buttons := l.buttons(shown)
		for _, done := range presses {
			for _, b := range buttons {
				if strings.HasPrefix(b.Data, done) {
					return l.Press(thread, by, b), done
				}
			}
		}
		i := slices.IndexFunc(buttons, func(b pressable) bool { return b.Label == "▶" })
		if i < 0 {
			l.t.Fatalf("nothing does one of %q", presses)
		}
		shown = l.Press(thread, by, buttons[i])
	}
}

// buttons are those of what answered a press.
func (l *life) buttons(shown string) []pressable {
	l.t.Helper()
	var found []pressable
	l.Wait("an answer", func() bool {
		for _, c := range slices.Backward(l.Calls) {
			if strings.HasPrefix(c.Path, "interactions/"+shown+"/") {
				found = buttonsOf(object(object(c.Body)["data"]))
				return true
			}
		}
		return false
	})
	return found
}

// buttonsOf are those of a message, and what can be chosen from its menus.
func buttonsOf(message map[string]any) []pressable {
	var found []pressable
	flags, _ := message["flags"].(float64)
	add := func(made any, data string, chosen bool) {
		b := pressable{Flags: int(flags), Chosen: chosen}
		b.Label, _ = object(made)["label"].(string)
		b.Data, _ = object(made)[data].(string)
		found = append(found, b)
	}
	for _, b := range fake.Parts(message) {
		options, menu := b["options"].([]any)
		for _, o := range options {
			add(o, "value", true)
		}
		if !menu && b["custom_id"] != nil {
			add(b, "custom_id", false)
		}
	}
	return found
}

func TestAMoveThatWasMeantIsPlayedByItsButton(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	thread := l.begin(variants.All()[1])
	shown := l.Slash(thread, alice, "move", "move=Rb1")
	l.answered(shown, "Did you mean")
	i := slices.IndexFunc(l.buttons(shown), func(b pressable) bool { return b.Label == "R~Nb1" })
	if i < 0 {
		t.Fatalf("there are the buttons %v", l.buttons(shown))
	}
	meant := l.buttons(shown)[i]
	l.Press(thread, alice, meant)
	l.board(thread, 1)
	l.Slash(thread, bob, "move", "move=**１… ａ６**")
	l.board(thread, 2)
	l.answered(l.Press(thread, alice, meant), "has been played")
}

// TestAMoveCostsTwoCommits plays by words in a thread: that a move was played is
// stored, and that it was said.
func TestAMoveCostsTwoCommits(t *testing.T) {
	f := newFake(t)
	engine := &fake.Counted{DB: new(kvtest.Disk).Open("db"), Stays: true}
	l := liveOn(t, f, engine)
	thread := l.begin(variants.All()[0])
	l.stopped()
	l = liveOn(t, f, engine)
	l.Ready()
	commits, memories := engine.Commits.Load(), engine.Memories.Load()
	moves := []string{"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"}
	for ply, move := range moves {
		l.Say(thread, []who{alice, bob}[ply%2], move) // which is read if nobody listens yet
		l.board(thread, ply+1)
	}
	l.stopped()
	engine.Costs(t, len(moves), commits, memories)
}

func TestWhoeverChallengesTheBotPlaysIt(t *testing.T) {
	l := ready(t)
	me := fake.User{ID: fake.DiscordID, Name: "Chimera"}
	mention := "<@" + me.ID + ">"
	named := func(m map[string]any) { m["mentions"] = []any{me.Told()} }
	l.Say(room0, alice, "challenge "+mention+" chess white", named)
	l.posted("POST channels/", "Chess #1", "alice (White) vs Chimera 3 (Black)")
	l.Say(room0, alice, mention+" challenge "+mention+" stealth white rated", named)
	l.posted("POST channels/"+room0+"/messages", "Games against me are unrated and have no time limit")
	data := map[string]any{
		"id": "1", "name": menuChallenge, "type": 2, "target_id": me.ID, "resolved": map[string]any{"users": map[string]any{me.ID: me.Told()}},
	}
	l.Interact(room0, bob, isCommand, data)
	l.posted("POST channels/", "Combine Chess #2", "Chimera 3 (White) vs bob (Black)")
}

func TestAChallengeThatNobodyJoinsForAnHourOffersTheBotOnItsMessage(t *testing.T) {
	l := ready(t)
	l.Slash(room0, alice, "challenge", "game=stealth", "colour=black")
	challenge := l.posted("POST channels/"+room0+"/messages", "looking for an opponent", "Join")
	l.stopped()
	l = l.again()
	l.Ready()
	fake.Forsaken(t, l.store, l.chat.bot.Maintenance.Tick)
	l.posted("PATCH channels/"+room0+"/messages/"+challenge, "Join", "Cancel", "Play me")
	instead := l.buttonOf("Play me")
	l.answered(l.Press(room0, bob, instead), "Challenge #1 isn't yours")
	l.answered(l.Press(room0, alice, instead), `"type": 6`)
	thread := l.posted("POST channels/"+room0+"/messages/"+challenge+"/threads", "Stealth Bomber Chess #1")
	l.posted("POST channels/"+thread+"/messages", "Chimera 3 (White) vs alice (Black)", "no time limit")
	l.posted("PATCH channels/"+room0+"/messages/"+challenge, `"components": []`, "played in")
	l.answered(l.Slash(room0, bob, "accept", "game=#1"), "There's nothing for you to answer or withdraw in #1")
	if n := l.count("POST channels/" + room0 + "/messages "); n != 1 {
		t.Errorf("%d messages stand in the channel", n)
	}
}

func TestWordsCanBeSaid(t *testing.T) {
	phrasetest.Say(t, book, map[string][]any{
		"channel":     {"#chess"},
		"thread":      {"#chess"},
		"permissions": {phrase.And([]phrase.Phrase{book.Say("permission.view-channel"), book.Say("permission.send-messages")})},
	}, "permission.", "label.")
}

type (
	call      = fake.Request
	refusal   = fake.Refusal
	packet    = fake.Packet
	who       = fake.User
	pressable = fake.Pressable
)

const (
	token  = fake.DiscordToken
	server = fake.Guild
	room0  = fake.Channel

	isComponent    = fake.IsComponent
	isCommand      = int(discordgo.InteractionApplicationCommand)
	isAutocomplete = int(discordgo.InteractionApplicationCommandAutocomplete)
)

var alice, bob, carol = fake.Users()[0], fake.Users()[1], fake.Users()[2]

// double is a fake Discord.
type double struct {
	*fake.Discord
	t       testing.TB
	refused int // requests, as a test has wished
}

func newFake(t testing.TB) *double {
	if t, ok := t.(*testing.T); ok {
		t.Parallel()
	}
	return &double{Discord: fake.NewDiscord(t), t: t}
}

// wantsTwoShards lets Discord refuse the first session, since there must be two.
func (f *double) wantsTwoShards() {
	f.First = func(bool) bool {
		if f.Shards == 0 {
			f.Shards = 2
			f.Shut(gateway.Sharding)
			return false
		}
		return true
	}
}

// replyTo lets a message answer one of the bot's.
func replyTo(message string) func(map[string]any) { return fake.Answering(message) }

// under does something that wants the lock.
func (f *double) under(do func()) {
	f.Lock()
	defer f.Unlock()
	do()
}

// sessions fails unless as many sessions have begun.
func (f *double) sessions(want int) {
	f.t.Helper()
	f.Lock()
	defer f.Unlock()
	if n := len(f.Identified); n != want {
		f.t.Errorf("%d sessions have begun, want %d", n, want)
	}
}

// deny lets Discord refuse requests that have one of some parts, and no others from now on.
func (f *double) deny(no refusal, parts ...string) {
	f.Look(func(c call) *refusal {
		if !slices.ContainsFunc(parts, func(part string) bool { return c.Has(part) }) {
			return nil
		}
		f.refused++
		return &no
	})
}

// setting is a form of the command settings with its options as name=value.
func setting(form string, options ...string) map[string]any {
	filled, users := []any{}, map[string]any{}
	for _, o := range options {
		name, value, _ := strings.Cut(o, "=")
		kind := discordgo.ApplicationCommandOptionString
		if value == "@bob" {
			value, kind, users[bob.ID] = bob.ID, discordgo.ApplicationCommandOptionUser, bob.Told()
		}
		filled = append(filled, map[string]any{"name": name, "type": kind, "value": value})
	}
	return map[string]any{
		"name": "settings", "type": 1, "options": []any{map[string]any{"name": form, "type": 1, "options": filled}}, "resolved": map[string]any{"users": users},
	}
}

// typing is a command whose option is being written.
func typing(command, option, text string) map[string]any {
	return map[string]any{"name": command, "type": 1, "options": []any{map[string]any{"name": option, "type": 3, "value": text, "focused": true}}}
}

// asManager lets an interaction come from somebody who may change the server's settings.
func asManager(i map[string]any) { i["member"].(map[string]any)["permissions"] = "32" }

// managerPresses has alice press a button as somebody who may change the server's settings.
func (l *life) managerPresses(b pressable) string {
	return l.Interact("502", alice, isComponent, map[string]any{"custom_id": b.Data, "component_type": 2}, asManager)
}

func object(v any) map[string]any { return fake.Object(v) }

// refused is an answer of Discord's that refuses.
func refused(status int, header map[string]string, body string) *refusal {
	return &refusal{Status: status, Header: header, Body: body}
}
