package bot_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chimera/bot"
	"chimera/bot/console"
	"chimera/bot/message"
	"chimera/rules"
	"chimera/rules/engine"
	"chimera/rules/phrase"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// playsOut lets alice and bob play a game in a room for so many moves, and alice give it up.
func (o *office) playsOut(room string, v *rules.Variant, game storage.GameID, moves int) {
	o.t.Helper()
	o.says(room, "alice", "challenge @bob "+v.Key+" white unrated")
	o.says(room, "bob", "accept")
	e, err := engine.New(v)
	if err != nil {
		o.t.Fatal(err)
	}
	pos, err := v.Position("")
	if err != nil {
		o.t.Fatal(err)
	}
	now := rules.NewGame(pos)
	for n := range moves {
		found, err := e.Search(o.t.Context(), now, engine.Limits{Level: 2, Seed: 3})
		if err != nil {
			break // it is over
		}
		o.says(room, []string{"alice", "bob"}[n%2], fmt.Sprintf("move #%d %s", game, now.Position.Chat(found.Move())))
		if now, err = now.Play(found.Move()); err != nil {
			o.t.Fatal(err)
		}
	}
	o.says(room, "alice", fmt.Sprintf("resign #%d", game))
	o.says(room, "alice", fmt.Sprintf("resign #%d", game))
}

func TestAGameOfEachKindIsReviewedInEveryLanguage(t *testing.T) {
	for i, v := range variants.All() {
		o := newOffice(t)
		p := &pupil{office: o, who: "alice"}
		o.playsOut("room", v, 1, 16)
		for _, l := range phrase.Languages() {
			p.writes("settings language " + string(l))
			p.writes("review #1")
			review := p.said
			if review.Chart == nil || len(review.Buttons) == 0 {
				t.Fatalf("%s: the review is %q, %d buttons", v.Key, review.Text.Plain(), len(review.Buttons))
			}
			p.short(l)
			o.keepPicture(t, fmt.Sprintf("%s-%s.png", v.Key, l), review)
			p.presses("review 1 -")
			if p.said.Text.Plain() != review.Text.Plain() {
				t.Errorf("%s: the button says %q, and the command %q", v.Key, p.said.Text.Plain(), review.Text.Plain())
			}
			for _, b := range review.Buttons {
				p.presses(b.Do)
				if p.said.Board == nil || !strings.Contains(p.said.Text.Plain(), b.Label) || strings.Contains(p.said.Text.Plain(), "{") {
					t.Errorf("%s: the moment %s is told so: %s", v.Key, b.Label, p.said.Text.Plain())
				}
				p.short(l)
				o.keepPicture(t, fmt.Sprintf("%s-%s-%s.png", v.Key, l, strings.ReplaceAll(b.Do, " ", "")), p.said)
				if back, ok := p.can("reviewed 1 -"); !ok {
					t.Errorf("%s: there is no way back from a moment", v.Key)
				} else if p.presses(back); p.said.Text.Plain() != review.Text.Plain() || !p.said.Step {
					t.Errorf("%s: the way back leads to %q", v.Key, p.said.Text.Plain())
				}
			}
			if l == phrase.English && i == 0 {
				t.Logf("%s", review.Text.Plain())
			}
		}
	}
}

// short sees that what was said last fits a phone.
func (p *pupil) short(l phrase.Language) {
	p.t.Helper()
	text := p.said.Text.Plain()
	if lines := strings.Count(text, "\n") + 1; lines > 5 {
		p.t.Errorf("in %s, %d lines: %s", l, lines, text)
	}
}

// keepPicture writes a note and its picture to a folder for people to look at, if one is named.
func (o *office) keepPicture(t *testing.T, name string, n message.Message) {
	t.Helper()
	folder := os.Getenv("CHIMERA_TEST_PICTURES")
	if folder == "" {
		return
	}
	picture, _, err := n.Still(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text := n.Text.Plain() + "\n" + n.Alt() + "\n"
	for _, b := range n.Buttons {
		text += "[" + b.Label + "] "
	}
	for file, content := range map[string][]byte{name: picture, name + ".txt": []byte(text)} {
		if err := os.WriteFile(filepath.Join(folder, file), bytes.Clone(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestARunningGameIsNotReviewed(t *testing.T) {
	o := newOffice(t)
	o.says("room", "alice", "challenge @bob chess white rated")
	o.says("room", "bob", "accept")
	for n, text := range []string{"f3", "e5", "g4"} {
		o.says("room", []string{"alice", "bob"}[n%2], text)
	}
	p := &pupil{office: o, who: "bob"}
	for _, ask := range []func(){
		func() { p.writes("review #1") }, func() { p.presses("review 1 -") }, func() { p.presses("reviewed 1 -") }, func() { p.presses("moment 1 - 0") },
	} {
		if ask(); p.said.Text.Plain() != "I review games once they're over; #1 is still going." || p.said.Pictured() || len(p.said.Buttons) > 0 {
			t.Errorf("while it goes on, the answer is %q", p.said.Text.Plain())
		}
	}
	p.writes("export #1")
	if strings.Contains(p.said.File.Content, "%eval") {
		t.Errorf("while it goes on, it is exported so: %s", p.said.File.Content)
	}
	o.says("room", "bob", "Qh4")
	p.writes("review #1")
	if !strings.Contains(p.said.Text.Plain(), "2. g4 (alice)") {
		t.Errorf("after its end, the answer is %q", p.said.Text.Plain())
	}
	p.writes("export #1")
	if !strings.Contains(p.said.File.Content, "2. g4 { [%eval #-1] ") {
		t.Errorf("after a review, it is exported so: %s", p.said.File.Content)
	}
}

func TestAReviewNamesNobodyWhoIsForgotten(t *testing.T) {
	o := newOffice(t)
	o.playsOut("room", variants.All()[0], 1, 6)
	p := &pupil{office: o, who: "bob"}
	p.writes("review #1")
	if !strings.Contains(p.said.Text.Plain(), "alice") {
		t.Errorf("the review is %q", p.said.Text.Plain())
	}
	o.says("alice", "alice", "forgetme")
	o.says("alice", "alice", "forgetme")
	p.writes("review #1")
	if strings.Contains(p.said.Text.Plain(), "alice") || strings.Contains(p.said.Chart.Words(), "alice") {
		t.Errorf("afterwards the review is %q, %s", p.said.Text.Plain(), p.said.Chart.Words())
	}
}

func TestAReviewOnTheConsole(t *testing.T) {
	store, err := storage.Open(t.Context(), new(kvtest.Disk).Open("db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	clock := console.NewClock(time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC))
	service := bot.NewServices(store, variants.All(), clock.Now, func() bool { return false })
	var out bytes.Buffer
	log := slog.New(slog.DiscardHandler)
	chat, err := console.New(bot.New(service, log, "Chimera"), log, &out, "", clock)
	if err != nil {
		t.Fatal(err)
	}
	says := func(lines string, want ...string) {
		t.Helper()
		out.Reset()
		if err := chat.Run(t.Context(), strings.NewReader(lines)); err != nil {
			t.Fatal(err)
		}
		for _, part := range want {
			if !strings.Contains(out.String(), part) {
				t.Errorf("%q is not in:\n%s", part, out.String())
			}
		}
	}
	says("bob: challenge @alice chess white unrated\nalice: accept\nbob: e4\nalice: e5\nbob: Qh5\nalice: Ke7\nbob: Qxe5\n", "[Rematch] [Board] [Replay] [Review]")
	says("alice: [Review]\n", "→ alice: Chess #1: accuracy bob", "2… Ke7 (alice): ", "[2… Ke7]")
	says("alice: [2… Ke7]\n", "moment 1 of 1", "It allowed mate in 1.", "[Back]")
	says("alice: [Back]\n", "Chess #1: accuracy bob")
	says("carol: review #1\n", "→ carol: Chess #1: accuracy bob")
}
