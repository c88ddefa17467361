package telegram

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chimera/bot"
	"chimera/bot/loopback"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// TestRatingsComeWithPictures looks for the pictures of leaderboards and profiles, and
// for what those are told of them who cannot see them.
func TestRatingsComeWithPictures(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(2, bob, "/start")
	l.posted("challenge")
	l.Say(group, alice, "/challenge @bob chess white rated")
	l.posted("alice challenges", "Accept")
	l.Say(group, bob, "/accept")
	l.posted("sendPhoto", "to move by")
	for i, text := range []string{"f3", "e5", "g4", "Qh4"} {
		l.Say(group, []person{alice, bob}[i%2], "/move "+text)
		l.posted("sendPhoto", []string{"1. f3", "1… e5", "2. g4", "2… Qh4#"}[i])
	}
	for _, c := range []struct{ command, words string }{
		{"/top chess", "Ratings of 2, from 1. bob"},
		{"/top month", "Points of 2, from 1. bob 1 point to 2. alice 0 points; yours: 2. alice 0 points."},
		{"/profile @bob", "Chess: from 1500 on"},
		{"/compare @bob", "Chess, bob: from 1500 on"},
	} {
		l.Say(group, alice, c.command)
		l.posted("sendPhoto", "picture.png", c.words)
	}
	l.Lock()
	defer l.Unlock()
	for _, c := range l.Calls {
		if words := plainOf(c.Fields["caption"]); bot.Length(words) > maxCaption {
			t.Errorf("a caption of %d: %s", bot.Length(words), words)
		}
	}
	if !slices.ContainsFunc(l.Calls, func(c call) bool { return strings.Contains(c.Fields["caption"], "<blockquote expandable>") }) {
		t.Error("nothing is told of the pictures")
	}
}

// TestPagesOfALeaderboardHavePicturesOfTheirOwn turns one.
func TestPagesOfALeaderboardHavePicturesOfTheirOwn(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	err := l.store.Update(t.Context(), func(w storage.Writer) error {
		for i := range 12 {
			p, err := w.Meet(storage.Address{Platform: Platform, ID: fmt.Sprint(5000 + i)}, fmt.Sprint("player", i+1))
			if err != nil {
				return err
			}
			var career storage.Career
			career.Put(storage.Overall, storage.Standing{Value: float64(1500 - i), Deviation: 50, Volatility: 0.06, At: time.Now(), Wins: 5})
			if err := w.PutCareer(p.ID, career); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	l.Say(group, alice, "/top world")
	h := &hand{l: l, who: alice, message: l.posted("sendPhoto", "1. player1 ", "10. player10 ")}
	h.push(h.find(func(b loopback.Button) bool { return b.Text == "▶" }))
	l.posted("sendPhoto", "11. player11 ", "12. player12 ")
}

// plainOf is a caption without its marks.
func plainOf(html string) string {
	var plain strings.Builder
	mark := false
	for _, r := range html {
		switch {
		case r == '<':
			mark = true
		case r == '>':
			mark = false
		case !mark:
			plain.WriteRune(r)
		}
	}
	return plain.String()
}
