package bot_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"chimera/bot/message"
	"chimera/render"
	"chimera/rules"
	"chimera/rules/engine"
	"chimera/rules/phrase"
	"chimera/rules/variants"
	"chimera/storage"
)

// playsOut has alice and bob play a number of moves of a game in a room, and alice resign.
func (o *office) playsOut(room string, v *rules.Variant, game storage.GameID, moves int) {
	o.t.Helper()
	o.says(room, "alice", "challenge @bob "+v.Key+" white unrated")
	o.says(room, "bob", "accept")
	e, err := engine.New(v)
	must(o.t, err)
	pos, err := v.Position("")
	must(o.t, err)
	now := rules.NewGame(pos)
	for n := range moves {
		found, err := e.Search(o.t.Context(), now, engine.Limits{Level: engine.AtLevel(2), Seed: 3})
		if err != nil {
			break // it is over
		}
		o.says(room, []string{"alice", "bob"}[n%2], fmt.Sprintf("move #%d %s", game, now.Position.Chat(found.Move())))
		now, err = now.Play(found.Move())
		must(o.t, err)
	}
	o.says(room, "alice", fmt.Sprintf("resign #%d", game))
	o.says(room, "alice", fmt.Sprintf("resign #%d", game))
}

func TestAGameOfEachKindIsReviewedInEveryLanguage(t *testing.T) {
	moments := 0
	for i, v := range variants.All() {
		o := newOffice(t)
		p := &pupil{office: o, who: "alice"}
		o.playsOut("room", v, 1, 16)
		for _, l := range phrase.Languages() {
			p.writes("settings language " + string(l))
			p.writes("review #1")
			review := p.said
			if moments += len(review.Buttons) - 1; review.Chart == nil {
				t.Fatalf("%s: the review is %q, %d buttons", v.Key, review.Text.Plain(), len(review.Buttons))
			}
			p.short(l)
			p.presses("review 1 -")
			if p.said.Text.Plain() != review.Text.Plain() {
				t.Errorf("%s: the button says %q, and the command %q", v.Key, p.said.Text.Plain(), review.Text.Plain())
			}
			for _, b := range review.Buttons {
				p.presses(b.Do)
				if strings.HasPrefix(b.Do, "marked ") {
					if text := p.said.Text.Plain(); !strings.Contains(text, " 2. ") {
						t.Errorf("%s: the moves are told so: %s", v.Key, text)
					}
					continue
				}
				if p.said.Board == nil || !strings.Contains(p.said.Text.Plain(), b.Label) || strings.Contains(p.said.Text.Plain(), "{") {
					t.Errorf("%s: the moment %s is told so: %s", v.Key, b.Label, p.said.Text.Plain())
				}
				p.short(l)
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
	if moments == 0 {
		t.Error("no game has a moment")
	}
}

// short checks that the last message fits a phone.
func (p *pupil) short(l phrase.Language) {
	p.t.Helper()
	const most = 7 // accuracy, how it ended, and the five turning points of a game with as many blunders
	text := p.said.Text.Plain()
	if lines := strings.Count(text, "\n") + 1; lines > most {
		p.t.Errorf("in %s, %d lines: %s", l, lines, text)
	}
}

func TestWhoAwaitsAReviewIsShownItWhereItWasPromised(t *testing.T) {
	o := newOffice(t)
	o.talks("alice challenge @bob chess white rated", "bob accept", "alice f3", "bob e5", "alice g4", "bob Qh4")
	ctx, end := context.WithCancel(t.Context())
	var work sync.WaitGroup
	defer work.Wait()
	defer end()
	runs := make(chan struct{})
	o.bot.Thinker.StandBy(func(context.Context) error {
		close(runs)
		return nil
	})
	work.Go(func() { _ = o.bot.Thinker.Run(ctx, slog.New(slog.DiscardHandler), 1) }) // ends with the context
	<-runs
	notes, err := o.bot.Handle(ctx, message.Incoming{Place: storage.Address{Platform: "test", ID: "room"}, From: someone("alice"), Text: "review #1", Awaits: true})
	must(t, err)
	if notes[0].Soon == nil {
		t.Fatalf("at once, the answer is %q", notes[0].Text.Plain())
	}
	contains(t, notes[0].Text.Plain(), "I'll show it here")
	then, err := notes[0].Soon(ctx)
	must(t, err)
	contains(t, then.Text.Plain(), "2. g4 (alice)")
}

// TestAGameOfEachKindIsSharedInEveryLanguage checks that a card tells who has played, how it ended and what to
// remember, and that its text for people who cannot see it agrees.
func TestAGameOfEachKindIsSharedInEveryLanguage(t *testing.T) {
	for _, v := range variants.All() {
		o := newOffice(t)
		p := &pupil{office: o, who: "alice"}
		o.playsOut("room", v, 1, 16)
		for _, l := range phrase.Languages() {
			p.writes("settings language " + string(l))
			p.writes("share #1")
			if p.said.Chart == nil || len(p.said.Buttons) > 0 {
				t.Fatalf("%s: the card is %q", v.Key, p.said.Text.Plain())
			}
			p.short(l)
			text, alt := p.said.Text.Plain(), p.said.Chart.Words()
			if strings.ContainsAny(text+alt, "{}") || strings.Count(alt, "Chimera") != 1 {
				t.Errorf("%s, %s: it is told so: %s\n%s", v.Key, l, text, alt)
			}
			for _, part := range []string{v.Title().Text(l), "#1", "bob"} {
				if !strings.Contains(text, part) || !strings.Contains(alt, part) {
					t.Errorf("%s, %s: %q is not in both %q and %q", v.Key, l, part, text, alt)
				}
			}
		}
	}
}

// TestACardOfAPieceHasTheSizeThatIsChosen expects the size that was chosen for boards.
func TestACardOfAPieceHasTheSizeThatIsChosen(t *testing.T) {
	o := newOffice(t)
	p := &pupil{office: o, who: "alice"}
	for setting, want := range map[string]int{"usual": render.Medium, "small": render.Small, "large": render.Large} {
		p.writes("settings size " + setting)
		if p.writes("how knight"); p.said.Board == nil || p.said.Size != want {
			t.Errorf("with size %s, the card has %d pixels, want %d", setting, p.said.Size, want)
		}
	}
}
