package console

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"chimera/bot"
	"chimera/bot/fake"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

// room is a console whose clock shows noon.
func room(t *testing.T, out *bytes.Buffer) *Console {
	return roomOn(t, out, new(kvtest.Disk).Open("db"))
}

func roomOn(t *testing.T, out *bytes.Buffer, db kv.DB) *Console {
	t.Helper()
	clock, log := NewClock(noon), slog.New(slog.DiscardHandler)
	store, b := fake.NewBot(t, db, clock.Now, log)
	t.Cleanup(func() { _ = store.Close() })
	c, err := New(b, log, out, "", clock)
	kvtest.Must(t, err)
	return c
}

func TestWhatWasSentIsOut(t *testing.T) {
	var out bytes.Buffer
	_, err := room(t, &out).Send(t.Context(), bot.Delivery{Note: message.Message{Text: words.Text{{Words: "It is over."}}}})
	kvtest.Must(t, err)
	if got := out.String(); got != "→ all: It is over.\n" {
		t.Errorf("out is %q", got)
	}
}

func TestAMoveCostsTwoCommits(t *testing.T) {
	const game, moves = "ann: challenge @ben chess white\nben: accept\n", "ann: e4\nben: e5\nann: Nf3\nben: Nc6\n"
	played := func(text string) *fake.Counted {
		var out bytes.Buffer
		engine := &fake.Counted{DB: new(kvtest.Disk).Open("db")}
		kvtest.Must(t, roomOn(t, &out, engine).Run(t.Context(), strings.NewReader(text)))
		return engine
	}
	before := played(game)
	played(game+moves).Costs(t, strings.Count(moves, "\n"), before.Commits.Load(), before.Memories.Load())
}

func TestTheClockOnlyMovesForward(t *testing.T) {
	for line, want := range map[string]string{
		"@ 2020-01-01T00:00:00Z": "The clock only moves forward, and it is 2026-12-01T12:00:00Z already.",
		"@ 2026-12-01T11:59:59Z": "The clock only moves forward",
		"@ -1d":                  "Write how far to move the clock",
	} {
		var out bytes.Buffer
		c := room(t, &out)
		kvtest.Must(t, c.Run(t.Context(), strings.NewReader(line+"\n")))
		if got := out.String(); !strings.Contains(got, want) || !c.clock.Now().Equal(noon) {
			t.Errorf("%s: it is %v, and the answer is %q", line, c.clock.Now(), got)
		}
	}
}

func TestWhoTypesIsGreetedAndPrompted(t *testing.T) {
	var typed, piped bytes.Buffer
	for out, prompts := range map[*bytes.Buffer]bool{&typed: true, &piped: false} {
		c := room(t, out)
		if prompts {
			c.Prompt()
		}
		kvtest.Must(t, c.Run(t.Context(), strings.NewReader("ann: version\n\nann: version\n")))
	}
	const answer = "→ ann: Chimera\n"
	if got := piped.String(); got != answer+answer {
		t.Errorf("a pipe is answered %q", got)
	}
	greeting := book.Say("greeting").String() + "\n"
	want := greeting + "> " + answer + "> > " + answer + "> "
	if got := typed.String(); got != want || strings.Count(greeting, "\n") != 3 {
		t.Errorf("somebody who types reads\n%s\nwant\n%s", got, want)
	}
}

func TestWhoSpeaksGermanIsAnsweredInGerman(t *testing.T) {
	for line, want := range map[string]string{
		"ann: [Foo]": "→ ann: Den Knopf [Foo] kannst du gerade nicht drücken. Die Knöpfe einer Nachricht stehen in ihrer letzten Zeile, etwa [Annehmen].\n",
		"nobody":     "→ all: Schreib, wer spricht, dann einen Doppelpunkt, dann was: alice: challenge @bob\n",
		"@ -1d":      "→ all: Schreib, wie weit die Uhr vorgehen soll, etwa @ +2d3h, oder bis wann, etwa @ 2026-12-01T12:00:00Z\n",
	} {
		var out bytes.Buffer
		kvtest.Must(t, room(t, &out).Run(t.Context(), strings.NewReader("ann: settings language de\n"+line+"\n")))
		if got := out.String(); !strings.HasSuffix(got, want) {
			t.Errorf("%s is answered\n%s\nwant\n%s", line, got, want)
		}
	}
}
