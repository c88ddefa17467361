package discord

import (
	"testing"

	"chimera/bot"
	"chimera/storage/kv/kvtest"
)

func TestCommandsInTextsCanBePressed(t *testing.T) {
	a := &Adapter{}
	text := bot.Text{
		{Words: "games", Style: bot.Code},
		{Words: ", "},
		{Words: "accept ABC", Style: bot.Code},
		{Words: ", "},
		{Words: "settings here days 5", Style: bot.Code},
		{Words: ", "},
		{Words: "Nf3", Style: bot.Code},
		{Words: ", "},
		{Words: "draw", Style: bot.Same},
	}
	if got, want := format(a.clickable(text), nil), "`/games`, `/accept ABC`, `/settings server days 5`, `Nf3`, `draw`"; got != want {
		t.Errorf("without ids: %s, want %s", got, want)
	}
	a.ids.Store(&map[string]string{"games": "1", "accept": "2", "settings": "3"})
	if got, want := format(a.clickable(text), nil), "</games:1>, </accept:2> `ABC`, </settings server:3> `days 5`, `Nf3`, `draw`"; got != want {
		t.Errorf("with ids: %s, want %s", got, want)
	}
}

func TestIDsOfCommandsAreKnownAfterARestart(t *testing.T) {
	f, disk := newFake(t), &kvtest.Disk{}
	l := live(t, f, disk)
	l.posted("PUT applications/")
	if err := l.stop(); err != nil {
		t.Fatal(err)
	}
	f.End()
	l = live(t, f, disk)
	l.Wait("a second session", func() bool { return l.Session > 1000 && l.chat.ids.Load() != nil })
	l.answered(l.Slash(room0, carol, "resign"), "</challenge:800000>")
	if n := l.count("PUT applications/"); n != 1 {
		t.Errorf("commands were registered %d times", n)
	}
}

func TestWhichGameIsAskedWithButtons(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.begun()
	l.Slash("502", alice, "challenge", "opponent=@bob", "game=chess", "colour=white")
	l.posted("POST channels/502/messages", "challenges <@12>")
	l.Slash("502", bob, "accept", "game=#2")
	l.posted("#2", "board.png")
	l.answered(l.Slash("503", alice, "move", "move=e4"), "Which game", "#1 Chess")
	l.Press("503", alice, l.buttonOf("#2 Chess"))
	l.posted("POST channels/", "Chess #2", "1. e4")
}
