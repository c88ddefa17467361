package telegram

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"

	"chimera/rules/variants"
	"chimera/storage/kv/kvtest"
)

func TestTheMiniAppOpensFromItsButtonAndFromBoardsOfGroups(t *testing.T) {
	f := newFake(t)
	f.App = true
	l := live(t, f, &kvtest.Disk{})
	board := begins(l, variants.All()[0])
	l.requested("setChatMenuButton", `"type":"web_app"`, `"url":"https://chess.example/in"`)
	const link = `{"text":"Open board","url":"https://t.me/ChimeraBot?startapp=g1"}`
	l.posted("sendPhoto", link)
	h := &hand{l: l, who: alice, message: board}
	h.tap("Move")
	h.tap("Back")
	l.shown("editMessageReplyMarkup", "message_id:"+strconv.Itoa(board), link)
}

// reacts lets somebody write a move in private, and waits for the reaction to it.
func (l *life) reacts(who person, text, emoji string) {
	l.t.Helper()
	l.Lock()
	before := len(l.Calls)
	l.Unlock()
	l.Say(who.ID, who, text)
	l.Wait("a reaction to "+text, func() bool {
		for _, c := range l.Calls[before:] {
			if c.Has("setMessageReaction", "chat_id:"+strconv.FormatInt(who.ID, 10)) {
				if !c.Has(emoji) {
					l.t.Errorf("%s: %v, want %s", text, c, emoji)
				}
				return true
			}
		}
		return false
	})
}

func TestACardShowsItsGameToTheEndAndLetsOthersWatch(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.greeted(alice, bob, carol)
	l.joins(bob, "card", l.offered(alice, "chess white")[0].Markup.Rows[0][0].Data)
	l.shown("editMessageMedia", "inline_message_id:card", `"media":"file`, "bob accepts", "Watch", `watch 1`)
	if word := l.joins(carol, "another", "watch 1"); word == "" {
		t.Error("carol watches from a message that is no card")
	}
	if l.joins(carol, "card", "watch 1"); l.posted("sendPhoto", "chat_id:3 ", "Chess #1") == 0 {
		t.Error("carol sees nothing")
	}
	dave, eve := person{ID: 4, Name: "dave"}, person{ID: 5, Name: "eve"}
	l.joins(dave, "card", "watch 1")
	code := l.led()
	l.Say(4, dave, "/start "+code)
	l.posted("chat_id:4 ", "Hello!")
	l.posted("sendPhoto", "chat_id:4 ", "Chess #1")
	l.Say(5, eve, "/start "+code) // who has not seen the card
	l.posted("chat_id:5 ", "isn't a code")
	l.reacts(alice, "f3", "👌")
	l.shown("editMessageMedia", "inline_message_id:card", "f3", "Watch")
	l.posted("sendPhoto", "chat_id:3 ", "f3")
	l.posted("sendPhoto", "chat_id:4 ", "f3")
	l.reacts(bob, "e5", "👌")
	l.posted("sendPhoto", "chat_id:1 ", "e5")
	l.reacts(alice, "g4", "👌")
	l.posted("sendPhoto", "chat_id:2 ", "g4")
	l.reacts(bob, "Qh4#", "🏆")
	l.shown("editMessageMedia", "inline_message_id:card", "bob wins by checkmate", `{"inline_keyboard":[]}`)
	l.posted("sendPhoto", "chat_id:2 ", "caption:You win by checkmate", "message_effect_id:"+fireworks)
	l.never("it is fireworks for who has lost", "chat_id:1 ", "message_effect_id")
	if word := l.joins(carol, "card", "watch 1"); word == "" {
		t.Error("carol watches what is over")
	}
}

func TestWhatTelegramDoesNotKnowIsLeftOutFromThenOn(t *testing.T) {
	f := newFake(t)
	refusals := 0
	f.Look(func(c call) *refusal {
		switch {
		case c.Has("message_effect_id"):
			refusals++
			return refused(http.StatusBadRequest, "Bad Request: EFFECT_ID_INVALID")
		case c.Has("<tg-time"):
			refusals++
			return refused(http.StatusBadRequest, `Bad Request: can't parse entities: Unsupported start tag "tg-time" at byte offset 9`)
		}
		return nil
	})
	l := live(t, f, &kvtest.Disk{})
	l.greeted(alice, bob)
	for _, game := range []string{"#1", "#2"} {
		l.Say(alice.ID, alice, "/challenge @bob chess white")
		l.posted("chat_id:2 ", game, "challenges")
		l.Say(bob.ID, bob, "/accept")
		l.posted("sendPhoto", "chat_id:1 ", "Chess "+game)
		for i, move := range []string{"f3", "e5", "g4", "Qh4#"} {
			l.reacts([]person{alice, bob}[i%2], move, "")
			l.posted("sendPhoto", []string{"chat_id:2 ", "chat_id:1 "}[i%2], "Chess "+game, move)
		}
		l.shown("chat_id:2 ", "Chess "+game, "You win by checkmate")
	}
	if l.Lock(); refusals > 3 {
		t.Errorf("it was refused %d times", refusals)
	}
	l.Unlock()
}

func TestReactionsFitWhatWasDone(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.greeted(alice, bob)
	l.Say(alice.ID, alice, "/challenge @bob combine white")
	l.posted("chat_id:2 ", "challenges")
	l.Say(bob.ID, bob, "/accept")
	l.posted("sendPhoto", "chat_id:1 ", "Your move")
	l.reacts(alice, "b1~a1", "⚡")
	l.reacts(alice, "/draw", "👌")
	l.posted("chat_id:2 ", "agree-draw")
	for _, p := range []person{alice, bob} {
		l.Say(p.ID, p, "/chat on")
		l.posted(fmt.Sprintf("chat_id:%d ", p.ID), "Chat is on")
	}
	l.reacts(alice, "nice to meet you", "👌")
	l.posted("chat_id:2 ", "nice to meet you", "block 1 -")
	l.Say(alice.ID, alice, "/start")
	l.reacts(bob, "/accept", "🤝")
	l.never("Start was passed on", "(#1): hello")
	l.never("the offer became what was said", "editMessageText", "nice to meet you")
}

func TestMomentsAreInTheReadersClock(t *testing.T) {
	l, _ := inGame(t)
	l.posted("sendPhoto", `to move by <tg-time unix=`, `" format="wdt">`, `</tg-time> (in 3 days)`)
}

func TestAMessageIsPreparedForWhoeverPassesAGameOn(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	id, err := l.chat.Prepare(t.Context(), "1", "Chess #1: alice vs bob", "Open board", "https://chess.example/game/abc")
	if err != nil || id != "prepared" {
		t.Errorf("%q, %v", id, err)
	}
	l.requested("savePreparedInlineMessage", "user_id:1", "allow_group_chats:true", "Chess #1: alice vs bob", `"url":"https://chess.example/game/abc"`)
}
