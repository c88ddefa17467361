package discord

import (
	"bytes"
	"fmt"
	"image/png"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// TestRatingsComeWithPictures looks for the pictures of leaderboards and profiles, and
// for what those are told of them who cannot see them.
func TestRatingsComeWithPictures(t *testing.T) {
	l := ready(t)
	l.answered(l.Slash(room0, alice, "top"), `"attachments": []`, "Nobody is on")
	l.Slash(room0, alice, "challenge", "opponent=@bob", "game=chess", "colour=white", "rated=true")
	challenge := l.posted("alice challenges <@12>")
	l.Slash(room0, bob, "accept")
	thread := l.posted("POST channels/" + room0 + "/messages/" + challenge + "/threads")
	l.posted("POST channels/"+thread+"/messages", "to move by")
	for i, text := range strings.Fields("a3 a6 b3 b6 h3 h6 f3 e5 g4 Qh4") {
		l.answered(l.Slash(thread, []who{alice, bob}[i%2], "move", "move="+text))
	}
	l.posted("wins by checkmate, 0-1")
	for _, c := range []struct{ command, option, words string }{
		{"top", "game=chess", "Picture: Leaderboard. Chess. "},
		{"top", "game=chess", "Ratings of 2, from 1. bob"},
		{"top", "period=month", "Points of 2, from 1. bob 1 point to 2. alice 0 points; yours: 2. alice 0 points."},
		{"top", "period=streak", "Longest winning streak of 1, from 1. bob 1 win to"},
		{"profile", "person=@bob", "Chess: from 1500 on"},
		{"compare", "person=@bob", "Chess, bob: from 1500 on"},
	} {
		id := l.Slash(room0, alice, c.command, c.option)
		l.answered(id, "picture.png", `"flags": 68`)
		const most = 1024 // of what Discord takes
		if alt := l.alt(id); !strings.Contains(alt, c.words) || utf8.RuneCountInString(alt) > most {
			t.Errorf("%s says of its picture %q, want %q", c.command, alt, c.words)
		}
	}
}

func TestBoardsAreAsWideAsMessagesUnlessAnotherSizeIsChosen(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	start, err := variants.All()[0].Position("")
	if err != nil {
		t.Fatal(err)
	}
	board := diagram.Of(start, nil, rules.White)
	for chosen, want := range map[int]int{0: render.DefaultSize, render.Small: render.Small} {
		made, err := l.chat.drafts(t.Context(), message.Message{Text: words.Text{{Words: "e4"}}, Board: &board, Size: chosen}, phrase.English)
		if err != nil {
			t.Fatal(err)
		}
		shown, err := png.DecodeConfig(bytes.NewReader(made[0].files[0].data))
		if err != nil || shown.Width != want {
			t.Errorf("where %d is chosen, it is %d wide: %v", chosen, shown.Width, err)
		}
	}
}

// TestPagesOfALeaderboardHavePicturesOfTheirOwn turns one, in its place.
func TestPagesOfALeaderboardHavePicturesOfTheirOwn(t *testing.T) {
	l := ready(t)
	err := l.store.Update(t.Context(), func(w storage.Writer) error {
		for i := range 12 {
			p, err := w.Meet(storage.Address{Platform: Platform, ID: fmt.Sprint(5000 + i)}, fmt.Sprint("player", i+1))
			if err != nil {
				return err
			}
			var career storage.Standings
			career.Put(storage.Overall, storage.Standing{Value: float64(1500 - i), Deviation: 50, Volatility: 0.06, At: time.Now(), Wins: 5})
			if err := w.PutStandings(p.ID, career); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	l.answered(l.Slash(room0, alice, "top", "scope=world"), "picture.png", "from 1. player1 ", "to 10. player10 ")
	l.answered(l.Press(room0, alice, l.buttonOf("▶")), `"type": 7`, "picture.png", "from 11. player11 ", "to 12. player12 ")
}

// alt is what is told of the picture in the answer to an interaction.
func (l *life) alt(interaction string) string {
	l.Lock()
	defer l.Unlock()
	for _, c := range l.Calls {
		if !strings.Contains(c.Path, "interactions/"+interaction+"/") {
			continue
		}
		attached, _ := object(object(c.Body)["data"])["attachments"].([]any)
		if len(attached) == 1 {
			alt, _ := object(attached[0])["description"].(string)
			return alt
		}
	}
	return ""
}
