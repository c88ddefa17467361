package bot_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"chimera/bot"
	"chimera/bot/console"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/engine"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// champion is a strong player against the computer.
type champion struct {
	t       *testing.T
	service bot.Services
	engine  *engine.Engine
	game    storage.GameID
}

// move is the champion's next move, "" once the game is over.
func (c *champion) move() string {
	g, err := storage.Read(c.t.Context(), c.service.Store, func(r storage.Reader) (storage.Game, error) { return r.Games().Get(c.game) })
	must(c.t, err)
	if side, _ := g.Computer(); g.Over() || g.Turn == side {
		return ""
	}
	now, err := c.service.Games.Current(&g)
	must(c.t, err)
	found, err := c.engine.Search(c.t.Context(), now, engine.Limits{Nodes: 1000})
	must(c.t, err)
	return now.Position.Chat(found.Move())
}

// TestAWholeGameAgainstTheComputer plays each game on the console from its first move to its end.
func TestAWholeGameAgainstTheComputer(t *testing.T) {
	for i, v := range variants.All() {
		t.Run(v.Key, func(t *testing.T) {
			t.Parallel()
			beats(t, v, []string{"white", "black"}[i%2], 1+i/2%2, i == 2)
		})
	}
}

// beats plays a game as a colour, with a hint or without, and checks what is told of its end.
func beats(t *testing.T, v *rules.Variant, colour string, level int, hint bool) {
	store, err := storage.Open(t.Context(), new(kvtest.Disk).Open("db"))
	must(t, err)
	defer store.Close()
	var out, log bytes.Buffer
	chat, service := newConsole(t, store, console.NewClock(noon), &out, slog.New(slog.NewTextHandler(&log, nil)))
	says := func(text string) { must(t, chat.Run(t.Context(), strings.NewReader("ann: "+text+"\n"))) }
	c := &champion{t: t, service: service, game: 1}
	c.engine, err = engine.New(v)
	must(t, err)
	says(fmt.Sprintf("play %s level %d %s", v.Key, level, colour))
	if hint {
		says("hint")
	}
	for move := c.move(); move != ""; move = c.move() {
		says(move)
	}
	g, err := storage.Read(t.Context(), store, func(r storage.Reader) (storage.Game, error) { return r.Games().Get(1) })
	if err != nil || !g.Over() {
		t.Fatalf("after %d plies the game is not over: %v\n%s\n%s", len(g.Moves), err, out.String(), log.String())
	}
	side, _ := g.Computer()
	won := g.Result == rules.WinFor(rules.Color(1-side)).String()
	if (won && !hint) != (g.Beaten == level) || g.Rated || g.Counted {
		t.Errorf("%s by %s: beaten is %d, rated %v", g.Result, g.Ending, g.Beaten, g.Rated || g.Counted)
	}
	if boards := strings.Count(out.String(), "→ all: "); boards > len(g.Moves)/2+3 {
		t.Errorf("%d messages tell of %d plies", boards, len(g.Moves))
	}
	next := "[Rematch] [A little easier] [A little harder] [Board]"
	if g.Result == rules.WinFor(rules.Color(side)).String() {
		next = "[Rematch] [A little easier] [Board]"
	}
	if !strings.Contains(out.String(), next) {
		t.Errorf("%q is not offered", next)
	}
	if stays := fmt.Sprintf("You had hints or takebacks, so you stay at level %d.", level); strings.Contains(out.String(), stays) != (won && hint) {
		t.Errorf("after a win with a hint it should be said that %q", stays)
	}
	if won && !hint {
		tellsFeat(t, chat, &out, v, level)
	}
	if log.Len() > 0 {
		t.Error(log.String())
	}
	_, err = service.Maintenance.Verify(t.Context(), func(id storage.GameID, fault error) { t.Errorf("game %d: %v", id, fault) }, func(int, int) {})
	must(t, err)
	must(t, store.Check(t.Context(), func(fault string) { t.Error(fault) }))
	t.Logf("%d plies, %s by %s", len(g.Moves), g.Result, g.Ending)
}

// tellsFeat checks that leaderboards and profile name who has beaten a level.
func tellsFeat(t *testing.T, chat *console.Console, out *bytes.Buffer, v *rules.Variant, level int) {
	t.Helper()
	out.Reset()
	asks := fmt.Sprintf("ann: top computer\nann: top %s computer world\nann: profile\nben: top computer\n", v.Key)
	must(t, chat.Run(t.Context(), strings.NewReader(asks)))
	said := out.String()
	if n := strings.Count(said, fmt.Sprintf("1. ann: level %d\n", level)); n != 3 {
		t.Errorf("the feat stands on %d of 3 leaderboards: %s", n, said)
	}
	contains(t, said, fmt.Sprintf("Computer beaten: %s level %d.", v.Name, level), "You aren't on this leaderboard yet: beat me without takebacks and hints.")
}

func TestWhoWaitsForTheComputerIsToldForHowLong(t *testing.T) {
	if got := words.Waits(14, 70*time.Second).Plain(); got != "I have 14 games to think about; you'll have my move in 1 minute." {
		t.Errorf("said is %q", got)
	}
	if got := words.Waits(14, time.Second); got != nil {
		t.Errorf("said is %q", got.Plain())
	}
}

func TestAHintTellsThePieceThenTheMoveThenWhy(t *testing.T) {
	for _, key := range []string{"combine", "brigade", "chess"} {
		v := rules.Find(variants.All(), key)
		o := newOffice(t)
		p := &pupil{office: o, who: "alice"}
		o.says("alice", "alice", "play "+v.Key+" 8 white")
		p.writes("hint")
		piece := p.said
		p.presses("hint-on 1 0 1")
		move := p.said
		play, ok := p.can("play 1 0 ")
		if !ok {
			t.Fatalf("%s: %q has no button that plays it", v.Key, move.Text.Plain())
		}
		p.presses("hint-on 1 0 2")
		why := p.said
		for range 2 { // everything has been told
			p.writes("hint #1")
			if again := p.said.Text.Plain(); again != why.Text.Plain() {
				t.Errorf("%s: the hint was %q, and now is %q", v.Key, why.Text.Plain(), again)
			}
		}
		chat := move.Buttons[0].Label
		if !strings.Contains(move.Text.Plain(), chat) || !strings.Contains(why.Text.Plain(), chat) || strings.Contains(piece.Text.Plain(), chat) {
			t.Errorf("%s: the hints for %s are\n%s\n%s\n%s", v.Key, chat, piece.Text.Plain(), move.Text.Plain(), why.Text.Plain())
		}
		p.presses(play)
		p.presses("hint-on 1 0 1")
		if got := p.said.Text.Plain(); len(p.said.Buttons) != 0 && p.said.Board != nil {
			t.Errorf("%s: an old hint goes on: %s", v.Key, got)
		}
		if g := o.game(1); len(g.Moves) != 1 || !g.Helped {
			t.Errorf("%s: after a hint and its move the game is %+v", v.Key, g)
		}
	}
}

func TestNoCommandAndNoButtonHelpsInAGameBetweenPeople(t *testing.T) {
	for _, rated := range []string{"rated", "unrated"} {
		o := newOffice(t)
		o.talks("alice challenge @bob chess white "+rated, "bob accept", "alice f3", "bob e5", "alice g4") // then Black mates
		hears := func(m message.Incoming) {
			for _, n := range o.hear("bob", "bob", m) {
				text := n.Text.Plain()
				if n.File != nil {
					text += n.File.Content
				}
				contains(t, text, "!Qh4", "!eval")
			}
		}
		for _, c := range bot.Commands() {
			switch c.Name {
			case "moves", "forgetme", "resign", "abort": // all legal moves, or the end of it
				continue
			}
			for _, text := range []string{c.Name, c.Name + " #1", c.Name + " 1"} {
				hears(message.Incoming{Text: text})
			}
		}
		for n := range 3 {
			hears(message.Incoming{Press: fmt.Sprintf("hint-on 1 3 %d", n)})
		}
	}
}
