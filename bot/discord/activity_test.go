package discord

import (
	"net/http"
	"strings"
	"testing"

	"chimera/bot/fake"
	"chimera/storage/kv/kvtest"
)

// withActivity is a bot whose boards are opened inside Discord.
func withActivity(a *Adapter) {
	a.secret = fake.ClientSecret
	a.bot.ServePages("https://chess.example")
}

// launching is such a bot with a game in a thread, and the button that opens its board.
func launching(t *testing.T) (*life, string, pressable) {
	t.Helper()
	l := live(t, newFake(t), &kvtest.Disk{}, withActivity)
	thread := l.begun()
	return l, thread, l.buttonOf("Open board")
}

func TestAPressOnOpenBoardLaunchesTheActivityAtThatGame(t *testing.T) {
	l, thread, open := launching(t)
	in, other := fake.InstanceIn(thread), fake.InstanceIn("1")
	l.There = map[string][]string{in: {bob.ID, carol.ID}, other: {bob.ID}}
	l.answered(l.Press(thread, bob, open), `"type": 12`)
	for _, c := range []struct {
		by, instance, code, link string
		game                     uint64
		ok                       bool
	}{
		{by: bob.ID, instance: in, game: 1, ok: true},
		{by: carol.ID, instance: in, game: 1, ok: true}, // who follows bob, and whom the bot has never met
		{by: carol.ID, instance: in, link: "7", game: 7, ok: true},
		{by: bob.ID, instance: other, ok: true},    // where he has asked for no board
		{by: alice.ID, instance: in},               // who is not there
		{by: bob.ID, instance: "i-2-gc-1"},         // a forged one
		{by: bob.ID, instance: "../../users/@me"},  // which is none
		{by: bob.ID, instance: in, code: "forged"}, // which Discord has given nobody
	} {
		code := c.code
		if code == "" {
			code = "code of " + c.by
		}
		l.Wait("the instance to be noted", func() bool { return l.chat.state.Get(t.Context(), keyInstance+in) != "" })
		who, game, ok := l.chat.SignIn(t.Context(), code, c.instance, c.link)
		if ok != c.ok || ok && (who.Address != address(c.by) || uint64(game) != c.game) {
			t.Errorf("%+v: %+v comes for game %d: %t", c, who, game, ok)
		}
	}
	if met, err := l.chat.bot.Users.Met(t.Context(), address(carol.ID)); met || err != nil {
		t.Errorf("carol is stored, who has only looked: %v", err)
	}
}

func TestWhereTheActivityIsRefusedAPressGivesALink(t *testing.T) {
	l, thread, open := launching(t)
	l.Look(func(c fake.Request) *fake.Refusal {
		if !strings.HasSuffix(c.Path, "/callback") || !c.Has(`"type": 12`) {
			return nil
		}
		return &fake.Refusal{Status: http.StatusBadRequest, Body: `{"code":50035,"message":"Invalid Form Body"}`}
	})
	for range 2 {
		l.answered(l.Press(thread, bob, open), "chess.example/in?game=1#", `"flags": 68`)
	}
	if n := strings.Count(l.log.String(), "can't be launched"); n != 1 {
		t.Errorf("the log says so %d times", n)
	}
	l.none("it was tried again", `"type": 12`)
}

func TestWithoutAClientSecretBoardsOpenByLinks(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{}, func(a *Adapter) { a.bot.ServePages("https://chess.example") })
	l.begun()
	if l.count("Open board") > 0 {
		t.Error("a board that many see has a button for one")
	}
	if _, _, ok := l.chat.SignIn(t.Context(), "code of "+bob.ID, fake.InstanceIn("1"), ""); ok {
		t.Error("bob is signed in")
	}
}

func TestTheEntryPointOfTheActivityStaysAmongTheCommands(t *testing.T) {
	f := newFake(t)
	f.Entry = map[string]any{"id": "1", "application_id": fake.DiscordID, "version": "2", "type": 4, "name": "launch", "description": "", "handler": 2, "contexts": []int{0, 1, 2}, "integration_types": []int{0, 1}}
	l := live(t, f, &kvtest.Disk{})
	l.posted("PUT applications/", `"name": "launch"`, `"handler": 2`, `"name": "challenge"`)
}
