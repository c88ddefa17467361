package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chimera/bot/fake"
)

// serves starts the program on both platforms, and returns it with those who play there.
func serves(t testing.TB, data string, more ...string) (program *child, d *fake.Discord, g *fake.Telegram) {
	t.Helper()
	d, g = fake.NewDiscord(t), fake.NewTelegram(t)
	program = onChats(t, data, d, g, more...)
	d.Ready()
	g.Wait("commands", func() bool { return len(g.Calls) > 3 })
	return program, d, g
}

var codeInText = regexp.MustCompile(`accept ([A-Z2-7]{12})`)

// bob plays on Telegram.
var bob = fake.Person{ID: 2, Name: "bob"}

// begun begins a game of alice as White, who challenges on Discord, and bob, who takes that up on Telegram by its code.
func begun(d *fake.Discord, g *fake.Telegram, game string) (offer fake.Request, code string) {
	d.Slash(fake.Channel, fake.Users()[0], "challenge", "game="+game, "colour=white")
	offer = d.Posted("POST channels/501/messages", "alice is looking for an opponent", "t.me/ChimeraBot?start=")
	code = codeInText.FindStringSubmatch(fmt.Sprint(offer.Body))[1]
	g.Say(bob.ID, bob, "/start "+code)
	return offer, code
}

// TestWhitePlaysOnDiscordAndBlackOnTelegram plays a game in one process, from a challenge
// that is joined by its code to mate: each player sees each board where they play, and is
// mentioned there alone.
func TestWhitePlaysOnDiscordAndBlackOnTelegram(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "both.db")
	program, d, g := serves(t, data)
	alice := fake.Users()[0]
	onDiscord, onTelegram := "<@11>", `href="tg://user?id=2"`

	offer, code := begun(d, g, "chess")
	g.Posted("sendPhoto", "chat_id:2", "alice</b> (White) to move", "Flip")
	board := d.Posted("/messages", "Chess #1", onDiscord, "Move")
	if !strings.HasPrefix(board.Path, "channels/"+offer.ID+"/") {
		t.Errorf("the board is in %s, and not in the thread of its challenge", board.Path)
	}
	g.Say(3, fake.Person{ID: 3, Name: "carol"}, "/start "+code)
	g.Posted("chat_id:3", "or its code is wrong")

	for i, text := range []string{"f3", "e5", "g4"} {
		last := []string{"1. f3", "1… e5", "2. g4"}[i]
		if i%2 == 0 {
			d.Slash(offer.ID, alice, "move", "move="+text)
			g.Posted("sendPhoto", "chat_id:2", last, "Your move (Black)")
			if q := d.Posted("/messages", last); q.Has(onDiscord) || q.Has("<@2>") {
				t.Errorf("somebody is mentioned who has nothing to do there: %v", q.Body)
			}
			continue
		}
		g.Say(bob.ID, bob, text)
		d.Posted("/messages", last, onDiscord)
		edited(g, last)
	}
	g.Say(bob.ID, bob, "Qh4")
	d.Posted("/messages", "bob wins by checkmate")
	g.Posted("sendPhoto", "chat_id:2", "You win by checkmate")
	d.Slash(offer.ID, alice, "rematch")
	g.Posted("chat_id:2", "alice challenges", onTelegram, "Accept")
	g.Say(bob.ID, bob, "/accept")
	d.Posted("/messages", "Chess #2")
	g.Posted("sendPhoto", "chat_id:2", "Chess #2", "Your move (White)")

	program.kill()
	verifies(t, data)
}

// edited waits until the board of whoever has moved shows what their move did.
func edited(g *fake.Telegram, words string) {
	g.Wait("the board with "+words, func() bool {
		return slices.ContainsFunc(g.Calls, func(c fake.Call) bool { return c.Method == "editMessageMedia" && c.Has("chat_id:2", words) })
	})
}

// TestAChallengeOnTelegramIsJoinedOnDiscord is the other way round, in a group and in a
// room of a server.
func TestAChallengeOnTelegramIsJoinedOnDiscord(t *testing.T) {
	t.Parallel()
	_, d, g := serves(t, filepath.Join(t.TempDir(), "back.db"))
	alice, bob := fake.Person{ID: 1, Name: "alice"}, fake.User{ID: "12", Name: "bob"}
	g.Say(-5, alice, "/challenge@ChimeraBot @bob stealth white unrated")
	g.Posted("chat_id:-5", "alice challenges @bob. I don't know them yet", "Join")
	g.Say(-5, alice, "/link #1")
	code := toldCode(g, 1, "joins challenge #1")
	q := d.Slash(fake.Channel, bob, "accept", "game=#1")
	d.Posted("/token"+q, "was made in another chat")
	q = d.Slash(fake.Channel, bob, "accept", "game=WRONGWRONG22")
	d.Posted("/token"+q, "or its code is wrong")
	d.Slash(fake.Channel, bob, "accept", "game="+strings.ToLower(code))
	g.Posted("sendPhoto", "chat_id:-5", `href="tg://user?id=1"`, "Move")
	d.Posted("channels/501/messages", "Stealth Bomber Chess #1", "**alice** (White) to move", "Move")
	g.Say(-5, alice, "/move e4")
	d.Posted("channels/501/messages", "1. e4", "<@12>")
	d.Slash(fake.Channel, bob, "move", "move=e5")
	g.Posted("sendPhoto", "chat_id:-5", "1… e5", `href="tg://user?id=1"`)
	d.Slash(fake.Channel, bob, "draw")
	g.Posted("sendMessage", "chat_id:-5", "bob offers", "a draw", "Accept")
	g.Say(-5, alice, "/accept")
	d.Posted("channels/501/messages", "Draw by agreement")
}

// TestAnAccountThatIsLinkedPlaysFromBothPlatforms moves a game along with its player.
func TestAnAccountThatIsLinkedPlaysFromBothPlatforms(t *testing.T) {
	t.Parallel()
	_, d, g := serves(t, filepath.Join(t.TempDir(), "linked.db"))
	alice, bob := fake.Users()[0], fake.Users()[1]
	alsoAlice := fake.Person{ID: 1, Name: "alice"}

	d.Slash(fake.Channel, alice, "challenge", "game=chess", "colour=white")
	offer := d.Posted("POST channels/501/messages", "alice is looking for an opponent")
	d.Slash(fake.Channel, bob, "accept", "game=#1")
	d.Posted("/messages", "<@11>", "to move by")
	q := d.Slash(fake.Channel, alice, "link")
	code := regexp.MustCompile(`start=(link-[A-Z2-7]{12})`).FindStringSubmatch(fmt.Sprint(d.Posted("/token"+q, "your other account").Body))
	if code == nil {
		t.Fatal("no code was given")
	}
	g.Say(alsoAlice.ID, alsoAlice, "/start "+code[1])
	g.Posted("chat_id:1", "Link this account to", "Yes")
	g.Say(alsoAlice.ID, alsoAlice, "/start "+code[1]) // which is still no yes
	g.Say(alsoAlice.ID, alsoAlice, "/games")
	g.Posted("chat_id:1", "You have no games and no challenges")
	g.Say(alsoAlice.ID, alsoAlice, "/link "+strings.TrimPrefix(code[1], "link-")+" yes")
	g.Posted("chat_id:1", "Now confirm from the other account")
	q = d.Slash(fake.Channel, alice, "link")
	d.Posted("/token"+q, "used your code")
	q = d.Slash(fake.Channel, alice, "link", "code=yes")
	d.Posted("/token"+q, "Your accounts are linked")
	g.Posted("chat_id:1", "Your accounts are linked")
	g.Say(alsoAlice.ID, alsoAlice, "e4")
	d.Posted("channels/"+offer.ID+"/messages", "1. e4", "<@12>")
	g.Posted("sendPhoto", "chat_id:1", "1. e4")
	d.Slash(offer.ID, bob, "move", "move=e5")
	g.Posted("sendPhoto", "chat_id:1", "1… e5", "Your move (White)")
	d.Slash(offer.ID, alice, "move", "move=Nf3")
	d.Posted("channels/"+offer.ID+"/messages", "2. Nf3", "<@12>")
	d.Slash(offer.ID, bob, "move", "move=Nc6")
	d.Posted("channels/"+offer.ID+"/messages", "2… Nc6", "<@11>")
}
