package telegram

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chimera/storage/kv/kvtest"
)

// ranked is a bot on a Telegram that knows tables or not, with a group in which six people have beaten six others.
func ranked(t *testing.T, tables bool) *life {
	t.Helper()
	f := newFake(t)
	f.Tables, f.Admins = tables, []int64{alice.ID}
	l := live(t, f, &kvtest.Disk{})
	people := []person{alice, bob}
	for i := range int64(10) {
		people = append(people, person{ID: 100 + i, Name: fmt.Sprintf(`<i>%d</i> & "x`, i)})
	}
	for game := range len(people) / 2 {
		white, black := people[2*game], people[2*game+1]
		l.Say(group, white, "/challenge chess white")
		l.Say(group, black, fmt.Sprintf("/accept #%d", game+1))
		for ply, move := range []string{"f3", "e5", "a3", "a6", "b3", "b6", "c3", "c6", "g4", "Qh4"} {
			l.Say(group, []person{white, black}[ply%2], fmt.Sprintf("/move #%d %s", game+1, move))
		}
		l.posted("sendPhoto", "by checkmate", "0-1", fmt.Sprintf("#%d", game+1))
	}
	return l
}

// shows is the last table that a message of a kind shows, and its request.
func (l *life) shows(method string, parts ...string) (call, [][]string, string) {
	l.t.Helper()
	l.requested(append(parts, method+" ", "rich_message:")...)
	for _, c := range slices.Backward(l.calls(0)) {
		if c.Has(append(parts, method+" ")...) {
			table, ok, err := c.Table()
			if !ok || err != nil {
				l.t.Fatalf("%v: %v", c, err)
			}
			if plain := strings.Contains(strings.ToLower(table.Text), "settings") || strings.Contains(table.Text, "games"); table.Pictured == plain {
				l.t.Errorf("pictured: %t, below %s", table.Pictured, table.Text)
			}
			return c, table.Rows, table.Text
		}
	}
	panic("it was there")
}

func TestALeaderboardIsATableWithAPictureWhosePagesTurn(t *testing.T) {
	l := ranked(t, true)
	for _, chat := range []int64{group, alice.ID} {
		in := fmt.Sprintf("chat_id:%d ", chat)
		l.Say(chat, alice, "/top chess")
		sent, rows, above := l.shows("sendRichMessage", in)
		head := []string{`<th align="left" valign="middle" colspan="1">Name</th>`, `<th align="right" valign="middle" colspan="2">Ratings</th>`}
		if len(rows) != 12 || !slices.Equal(rows[0], head) || len(rows[1]) != 1 || !strings.Contains(rows[1][0], `align="left" valign="middle" colspan="3">Provisional`) {
			t.Errorf("the rows are %q", rows)
		}
		if got := fmt.Sprint(rows); len(rows[2]) != 3 || !strings.Contains(got, `&lt;i&gt;`) || !strings.Contains(got, "&amp;") || !strings.Contains(got, "±") || !strings.Contains(got, "1 game") {
			t.Errorf("the rows are %q", rows)
		}
		if !strings.Contains(above, "Chess") || strings.Contains(above, "±") || labelsOf(sent) != "▶" || sent.Fields["reply_parameters"] == "" {
			t.Errorf("above it stands %q, and below it %q", above, labelsOf(sent))
		}
		l.Press(chat, bob, sent.Number, sent.Buttons()[0].Data)
		turned, rows, _ := l.shows("editMessageText", in, "◀")
		if got := fmt.Sprint(rows); len(rows) != 7 || len(rows[4]) != 1 || !turned.Edits(sent.Number) || !strings.Contains(got, "1. <b>bob</b>") || !strings.Contains(got, ">12. ") {
			t.Errorf("the next page is %q of %d", rows, sent.Number)
		}
		l.Press(chat, alice, sent.Number, turned.Buttons()[0].Data)
		back, rows, _ := l.shows("editMessageText", in, "▶")
		if got := fmt.Sprint(rows); len(rows) != 12 || !back.Edits(sent.Number) || !strings.Contains(got, "<b>alice</b>") {
			t.Errorf("the first page is %q", rows)
		}
	}
	l.never("a leaderboard is a picture", "sendPhoto", "Leaderboard")
	if l.Probes > 0 || strings.Contains(l.log.String(), "no tables") {
		t.Error("tables are not known")
	}
}

func TestSettingsAreATable(t *testing.T) {
	l := ranked(t, true)
	l.Say(alice.ID, alice, "/settings")
	sent, rows, above := l.shows("sendRichMessage", "chat_id:1 ")
	if len(rows) < 5 || !strings.HasSuffix(rows[0][0], `align="left" valign="middle" colspan="1">Setting</th>`) || strings.Contains(above, "reminders") || !strings.Contains(fmt.Sprint(rows), "(<code>reminders</code>)") {
		t.Errorf("below %q there is %q", above, rows)
	}
	h := &hand{l: l, who: alice, chat: alice.ID, message: sent.Number}
	h.tap("Boards")
	if c, rows, _ := l.shows("editMessageText", "chat_id:1 ", "theme"); !c.Edits(sent.Number) || len(rows) < 5 || len(rows[1]) != 2 {
		t.Errorf("the boards' are %q", rows)
	}
	h.tap("Board colours")
	h.tap("Back")
	l.shows("editMessageText", "chat_id:1 ", "theme", "Boards")
	l.Say(group, alice, "/settings here")
	if _, rows, above := l.shows("sendRichMessage", fmt.Sprint("chat_id:", group)); len(rows) < 5 || !strings.Contains(above, "Managers can") {
		t.Errorf("the group's are %q below %q", rows, above)
	}
}

func TestAnAnswerThatOnePersonSeesIsATable(t *testing.T) {
	l := whispers(t, func(f *double) { f.Tables = true })
	l.Say(group, alice, "/settings", l.Whisper)
	h := &hand{l: l, who: alice, message: l.whispered(alice, "sendRichMessage", "Your settings")}
	h.tap("Boards")
	if c, rows, _ := l.shows("editEphemeralMessageText", "chat_id:-500 ", "theme"); !c.Edits(h.message) || len(rows) < 5 {
		t.Errorf("the boards' are %q", rows)
	}
	h.tap("Board colours")
	h.tap("night")
	l.requested("phemeral", "chat_id:-500", "Board colours: night")
}

func TestWithoutTablesAllIsSaidAsBefore(t *testing.T) {
	l := ranked(t, false)
	l.Say(group, alice, "/top chess")
	board := l.posted("sendPhoto", fmt.Sprint("chat_id:", group), "±", "▶")
	l.Press(group, bob, board, l.button(board, "▶"))
	l.posted("sendPhoto", fmt.Sprint("chat_id:", group), "±", "◀")
	l.Say(alice.ID, alice, "/top chess")
	l.posted("sendPhoto", "chat_id:1 ", "±", "▶")
	l.Say(alice.ID, alice, "/settings")
	h := &hand{l: l, who: alice, chat: alice.ID, message: l.posted("sendMessage", "chat_id:1 ", "Your settings", "<code>reminders</code>")}
	h.tap("Boards")
	l.shown("editMessageText", "chat_id:1 ", "<code>theme</code>")
	l.stopped()
	if n := strings.Count(l.log.String(), "no tables"); n != 1 || l.Probes != 1 || !strings.Contains(l.log.String(), "level=INFO msg=\"telegram: no tables\"") {
		t.Errorf("it was asked %d times, and told %d times", l.Probes, n)
	}
}

// TestATableThatIsRefusedForAnotherReasonIsNone has tables refused as anything would be, and then knows them.
func TestATableThatIsRefusedForAnotherReasonIsNone(t *testing.T) {
	l := ranked(t, true)
	tries := 0
	l.Look(func(c call) *refusal {
		if c.Has("rich_message:") {
			if tries++; tries == 1 {
				return flooded(1)
			}
		}
		return nil
	})
	l.Say(group, alice, "/top chess")
	l.shows("sendRichMessage", fmt.Sprint("chat_id:", group))
	l.Look(func(c call) *refusal {
		if c.Has("tg://photo") || c.Has("sendPhoto ") {
			return refused(400, "Bad Request: not enough rights to send photos to the chat")
		}
		return nil
	})
	l.Say(group, alice, "/top chess games")
	l.shows("sendRichMessage", fmt.Sprint("chat_id:", group), "1 game", "chess games 11") // without its picture
	l.Look(nil)
	l.Say(group, alice, "/top chess week")
	l.shows("sendRichMessage", fmt.Sprint("chat_id:", group), "week")
	if strings.Contains(l.log.String(), "no tables") {
		t.Error("tables are not known any more")
	}
}

// TestWhatWasATextBecomesATextWhereTablesAreUnknown turns settings over in a program that has asked for nothing yet.
func TestWhatWasATextBecomesATextWhereTablesAreUnknown(t *testing.T) {
	f, disk := newFake(t), &kvtest.Disk{}
	l := live(t, f, disk)
	l.Say(alice.ID, alice, "/settings")
	id := l.posted("sendMessage", "Your settings")
	boards := l.button(id, "Boards")
	l.stopped()
	l = live(t, f, disk)
	l.Press(alice.ID, alice, id, boards)
	l.shown("editMessageText", "chat_id:1 ", "<code>theme</code>")
	l.stopped()
	if l.Probes != 2 || strings.Count(l.log.String(), "no tables") != 1 {
		t.Errorf("%d were asked for: %s", l.Probes, l.log.String())
	}
}

// button is what the button of a label below a message carries.
func (l *life) button(message int, label string) string {
	l.t.Helper()
	for _, c := range l.calls(0) {
		for _, b := range c.Buttons() {
			if c.Number == message && b.Text == label {
				return b.Data
			}
		}
	}
	l.t.Fatalf("no button %s", label)
	return ""
}
