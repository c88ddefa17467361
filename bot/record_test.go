package bot_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"chimera/bot/message"
	"chimera/render"
	"chimera/render/chart"
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
		if now, err = now.Play(found.Move()); err != nil {
			o.t.Fatal(err)
		}
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
	text := p.said.Text.Plain()
	if lines := strings.Count(text, "\n") + 1; lines > 5 {
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

func TestARunningGameIsNotReviewed(t *testing.T) {
	o := newOffice(t)
	o.talks("alice challenge @bob chess white rated", "bob accept")
	o.talks("alice f3", "bob e5", "alice g4")
	p := &pupil{office: o, who: "bob"}
	for _, ask := range []func(){
		func() { p.writes("review #1") }, func() { p.presses("review 1 -") }, func() { p.presses("reviewed 1 -") }, func() { p.presses("moment 1 - 0") },
	} {
		if ask(); p.said.Text.Plain() != "I review games once they're over; #1 is still going." || p.said.Pictured() || len(p.said.Buttons) > 0 {
			t.Errorf("while it goes on, the answer is %q", p.said.Text.Plain())
		}
	}
}

func TestAReviewNamesNobodyWhoIsForgotten(t *testing.T) {
	o := newOffice(t)
	o.playsOut("room", variants.All()[0], 1, 6)
	p := &pupil{office: o, who: "bob"}
	p.writes("review #1")
	contains(t, p.said.Text.Plain(), "alice")
	o.says("alice", "alice", "forgetme")
	o.says("alice", "alice", "forgetme")
	p.writes("review #1")
	if strings.Contains(p.said.Text.Plain(), "alice") || strings.Contains(p.said.Chart.Words(), "alice") {
		t.Errorf("afterwards the review is %q, %s", p.said.Text.Plain(), p.said.Chart.Words())
	}
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

// TestACardShowsWhatAReviewHasFound expects that on the card as soon as there is a review.
func TestACardShowsWhatAReviewHasFound(t *testing.T) {
	o := newOffice(t)
	p := &pupil{office: o, who: "bob"}
	o.talks("alice challenge @bob chess white unrated", "bob accept")
	o.talks("alice f3", "bob e5", "alice g4")
	p.writes("share #1")
	if alt := p.said.Chart.Words(); strings.Contains(alt, "%") || !strings.Contains(alt, "Black to move.") || !strings.Contains(p.said.Text.Plain(), "Move 2, bob to move.") {
		t.Errorf("while it goes on, the card shows %q", alt)
	}
	o.says("room", "bob", "Qh4")
	p.presses("share 1 -")
	contains(t, p.said.Chart.Words(), "!Key moment", "Result: 0–1 · checkmate. White is alice")
	p.writes("review #1")
	p.writes("share #1")
	const found = "Key moment: 2. g4 (White's chances: 4"
	contains(t, p.said.Chart.Words(), found, "It allows mate in 1 by 2… Qh4#.")
}

// TestACardSaysWhatBoardsSay checks that ratings are shown, and that the date is in the same time zone as on boards.
func TestACardSaysWhatBoardsSay(t *testing.T) {
	o := newOffice(t)
	p := &pupil{office: o, who: "bob"}
	o.talks("alice challenge @bob chess white rated", "bob accept")
	for n, text := range strings.Fields("a3 a6 b3 b6 h3 h6 f3 e5 g4 Qh4") {
		o.says("room", []string{"alice", "bob"}[n%2], text)
	}
	o.says("alice", "alice", "settings leaderboard off")
	for _, zone := range []string{"UTC", "Pacific/Auckland"} {
		p.writes("settings timezone " + zone)
		p.writes("board #1")
		board := p.said.Alt()
		p.writes("share #1")
		card := p.said.Chart.Words()
		for _, who := range []string{"White is alice, rating 1259?", "Black is bob, rating 1741?"} {
			if !strings.Contains(card, who) || !strings.Contains(board, who) {
				t.Errorf("%q is not both on the card %q and the board %q", who, card, board)
			}
		}
		where, err := time.LoadLocation(zone)
		must(t, err)
		if day := chart.Date(o.now.In(where)).String(); !strings.Contains(card, day) {
			t.Errorf("in %s, %q is not on the card %q", zone, day, card)
		}
	}
}

// TestTheSheetOfGamesShowsWhoseTurnItIs expects games that wait for the person first, and no more than the text tells.
func TestTheSheetOfGamesShowsWhoseTurnItIs(t *testing.T) {
	o := newOffice(t)
	p := &pupil{office: o, who: "alice"}
	p.writes("games")
	if p.said.Chart != nil {
		t.Error("there is a sheet of no games")
	}
	for _, opponent := range []string{"bob", "bob", "bob", "bob", "bob", "bob", "bob"} {
		o.says("room", "alice", "challenge @"+opponent+" chess black unrated")
		o.says("room", opponent, "accept")
	}
	o.says("room", "bob", "e4 #7")
	p.writes("games")
	alt := p.said.Chart.Words()
	contains(t, alt, "and 1 more game", "Picture: Your games. 7 games in progress. #7 bob, Chess: your turn, ", "#5 bob, Chess: opponent's turn, ")
	if strings.Count(alt, "bob") != 6 {
		t.Errorf("there are not six games on the sheet: %q", alt)
	}
	if lines := strings.Count(p.said.Text.Plain(), "\n") + 1; lines != 7 {
		t.Errorf("%d games are listed below it", lines)
	}
	if _, _, err := p.said.Still(t.Context()); err != nil {
		t.Error(err)
	}
	p.writes("games @bob")
	if p.said.Chart != nil {
		t.Error("there is a sheet of somebody else's games")
	}
}

// TestTheSheetOfGamesShowsARoomNoPrivateGames expects no boards of private games where others see the sheet.
func TestTheSheetOfGamesShowsARoomNoPrivateGames(t *testing.T) {
	o := newOffice(t)
	o.says("alice", "alice", "challenge computer chess white")
	o.talks("alice challenge @bob chess white unrated", "bob accept")
	sheet := func(place string) string {
		notes := o.hear(place, "alice", message.Incoming{Text: "games"})
		if len(notes) != 1 || notes[0].Chart == nil {
			t.Fatalf("there is no sheet in %s", place)
		}
		return notes[0].Chart.Words()
	}
	contains(t, sheet("alice"), "#1 ", "#2 bob")
	contains(t, sheet("room"), "!#1 ", "#2 bob")
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
