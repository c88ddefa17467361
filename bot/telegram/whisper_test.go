package telegram

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chimera/bot/fake"
	"chimera/rules/variants"
	"chimera/storage/kv/kvtest"
)

// whispers is a bot whose Telegram knows ephemeral messages.
func whispers(t *testing.T, change ...func(*double)) *life {
	t.Helper()
	f := newFake(t)
	f.Whispers = true
	for _, c := range change {
		c(f)
	}
	return live(t, f, &kvtest.Disk{})
}

// whispered waits for a whisper to somebody with these parts, and is its number.
func (l *life) whispered(to person, parts ...string) int {
	l.t.Helper()
	return l.posted(append(parts, fmt.Sprintf(`"receiver_user_id":%d`, to.ID), "ephemeral_message_parameters", fmt.Sprint("chat_id:", group))...)
}

// public are the requests that show all of the group something with one of these words.
func (l *life) public(words ...string) (all []call) {
	for _, c := range l.calls(0) {
		shows := c.Number > 0 || strings.HasPrefix(c.Method, "editMessage")
		if shows && c.Has(fmt.Sprint("chat_id:", group)) && slices.ContainsFunc(words, func(w string) bool { return c.Has(w) }) {
			all = append(all, c)
		}
	}
	return all
}

// secrets are words of pickers, lessons, puzzles, hints and settings.
var secrets = []string{"Which piece", "Where does", "Confirm", "step 1 of", "to move and win. ", "Your settings", "What else", "Hint"}

func TestAWholeGameAndACourseAreWhisperedInAGroup(t *testing.T) {
	for _, v := range variants.All() {
		t.Run(v.Key, func(t *testing.T) {
			t.Parallel()
			l := whispers(t)
			board := begins(l, v)
			way := ways()[3]
			for ply, p := range fake.WholeGame(t, v) {
				way(l, []person{alice, bob}[ply%2], p, ply, board, v)
				board = l.posted("sendPhoto", strings.ReplaceAll(p.Numbered, "&", "&amp;")+"</b>. ")
			}
			l.posted("sendPhoto", "Rematch")
			l.Say(group, alice, "/learn "+v.Key, l.Whisper)
			h := &hand{l: l, who: alice, message: l.whispered(alice, "sendPhoto", fmt.Sprint("step 1 of ", len(v.Course)))}
			for n := range v.Course {
				h.tap("Hint")
				h.tap("Hint")
				h.tap("Hint")
				h.push(h.find(func(b fake.Button) bool { return strings.HasPrefix(b.Data, "lesson-try ") }))
				if n < len(v.Course)-1 {
					h.tap("Next")
				}
			}
			l.Wait("the end of the course", func() bool { return count(l.Calls, "editEphemeralMessageMedia ", "Puzzle") > 0 })
			if shown := l.public(secrets...); shown != nil {
				t.Errorf("all see %v", shown[0])
			}
		})
	}
}

func TestAWhisperedPickerGoesOnceItsMoveIsPlayed(t *testing.T) {
	l := whispers(t)
	board := begins(l, variants.All()[6])
	h := &hand{l: l, who: alice, message: board}
	h.tap("Move")
	h.tap("e2")
	h.tap("e4")
	h.tap("Confirm")
	l.posted("sendPhoto", "<b>1. e4</b>")
	l.requested("deleteEphemeralMessage ", fmt.Sprint("ephemeral_message_id:", -h.message, " "), "receiver_user_id:1")
	l.Lock()
	defer l.Unlock()
	if edits := l.edits(board); len(edits) > 1 || len(edits) == 1 && edits[0] != "" {
		t.Errorf("the board's buttons became %q", edits)
	}
}

func TestWhatIsTypedSoThatNobodySeesItIsAnsweredSo(t *testing.T) {
	flood := flooded(time.Second)
	l := whispers(t, func(f *double) {
		f.Look(func(c call) (no *refusal) {
			if c.Method == "deleteEphemeralMessage" {
				no, flood = flood, nil // at the first try
			}
			return no
		})
	})
	l.requested("setMyCommands ", "all_group_chats", `{"is_ephemeral":true,"command":"learn"`, `{"is_ephemeral":true,"command":"settings"`)
	l.Say(group, alice, "/settings", l.Whisper)
	h := &hand{l: l, who: alice, message: l.whispered(alice, "sendMessage", "Your settings")}
	h.tap("Boards")
	h.tap("Board colours")
	h.tap("night")
	l.requested("phemeral", "chat_id:-500", "Board colours: night")
	l.Say(group, alice, "/puzzle chess", l.Whisper)
	l.whispered(alice, "sendPhoto", "to move")
	l.Say(group, alice, "/flurb", l.Whisper)
	l.whispered(alice, "sendMessage", "flurb")
	if shown := l.public("settings", "theme", "flurb", "to move"); shown != nil {
		t.Errorf("all see %v", shown[0])
	}
}

// TestNothingPrivateIsSaidForAllWhateverTelegramDoes presses and types what concerns one person alone, on
// servers of all kinds.
func TestNothingPrivateIsSaidForAllWhateverTelegramDoes(t *testing.T) {
	late := refused(400, "Bad Request: QUERY_ID_INVALID")
	for name, change := range map[string]func(*double){
		"old":     func(f *double) { f.Whispers = false },
		"leaking": func(f *double) { f.Leaks = true },
		"late":    func(f *double) { refuses(f, late, "ephemeral_message_parameters") },
		"busy":    func(f *double) { refuses(f, flooded(endless), "ephemeral_message_parameters") },
		"without edits": func(f *double) {
			refuses(f, refused(400, "Bad Request: message can't be edited"), "editEphemeralMessage")
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := whispers(t, change)
			board := begins(l, variants.All()[6])
			l.greeted(alice)
			h := &hand{l: l, who: alice, message: board}
			h.push(fake.Button{Data: "lesson 0 - chess 0"})
			l.Wait("a lesson", func() bool { return count(l.Calls, "sendPhoto ", "step 1 of") > 0 })
			l.Press(group, carol, board, "puzzle 0 - chess -")
			l.Wait("an answer to carol", func() bool { return count(l.Calls, "answerCallbackQuery ") > 1 })
			l.Say(group, alice, "/puzzle chess")
			l.Wait("a puzzle", func() bool { return count(l.Calls, "sendPhoto ", "chat_id:1 ") > 0 })
			if name != "old" {
				l.Say(group, alice, "/settings", l.Whisper)
				l.shown("Your settings")
			}
			l.Lock()
			defer l.Unlock()
			for i, c := range l.Calls {
				if c.Number > 0 && c.Has(fmt.Sprint("chat_id:", group)) && (c.Has("step 1 of") || c.Has("and win") || c.Has("Your settings")) {
					gone := count(l.Calls[i:], "deleteMessage ", fmt.Sprint("message_id:", c.Number)) > 0
					if name != "leaking" || !gone {
						t.Errorf("all see %v", c)
					}
				}
			}
			told := strings.Count(l.log.String(), "private answers go to private chats")
			if n := count(l.Calls, "deleteMessage "); name == "leaking" && n != 1 || (name == "leaking" || name == "old") != (told == 1) {
				t.Errorf("%d messages were taken back, and the log tells %d times that there are no whispers", n, told)
			}
			if name == "old" && count(l.Calls, "Ephemeral") > 0 || name == "old" && count(l.Calls, "ephemeral") > 0 {
				t.Error("an old server was asked again")
			}
		})
	}
}

// TestWhatIsWantedIsBroughtAlongIntoThePrivateChat types a command and presses a button, both by people whom the
// bot cannot write to.
func TestWhatIsWantedIsBroughtAlongIntoThePrivateChat(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	refuses(l.double, refused(403, "Forbidden: bot can't initiate conversation with a user"), "sendChatAction ")
	l.Say(group, bob, "/learn stealth")
	code := l.code("chat_id:-500 ", "Only you should see the answer")
	board := l.posted("Only you")
	l.Press(group, bob, board, "puzzle 0 - chess -")
	led := l.led()
	l.Look(nil)
	for wish, shows := range map[string]string{code: "step 1 of", led: "to move", "do-resign": "isn't a code", "do-move_e4": "“do-move_e4” isn't a code"} {
		l.Say(2, bob, "/start "+wish)
		l.posted("chat_id:2 ", shows)
	}
}
