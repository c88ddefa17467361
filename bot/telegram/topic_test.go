package telegram

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chimera/storage/kv/kvtest"
)

// divided is a bot whose private chats have topics.
func divided(t *testing.T) *life {
	f := newFake(t)
	f.Topics = true
	return live(t, f, &kvtest.Disk{})
}

// inTopic lets a message be in a topic.
func inTopic(topic int) func(map[string]any) {
	return func(m map[string]any) { m["is_topic_message"], m["message_thread_id"] = true, topic }
}

func TestAGameOfAPrivateChatHasATopicAndWhatIsWrittenThereIsAboutIt(t *testing.T) {
	l := divided(t)
	l.Say(1, alice, "/challenge chess white")
	l.Say(2, bob, "/start "+l.code("chat_id:1", "is looking for an opponent"))
	l.requested("createForumTopic", "chat_id:1", "name:#1 Chess: bob")
	l.posted("sendPhoto", "chat_id:1", "message_thread_id:", "Your move")
	topic := l.chat.topics(t.Context(), 1)[0].Topic
	l.Say(1, alice, "/play stealth") // there are two games now in which alice is to move
	l.requested("createForumTopic", "chat_id:1", "name:#2 Stealth Bomber Chess")
	l.Say(1, alice, "Nf3", inTopic(topic))
	l.posted("chat_id:2", "1. Nf3")
	l.Say(1, alice, "Nf3 please", inTopic(topic))
	l.posted("sendMessage", "chat_id:1", fmt.Sprint("message_thread_id:", topic)) // the answer is where it was asked
}

func TestTopicsAreRenamedForOtherGamesAndNeverMoreThanTwentyOrDeleted(t *testing.T) {
	l := divided(t)
	plays := func(game int, parts ...string) {
		t.Helper()
		l.Say(1, alice, fmt.Sprintf("/play chess %d white", game))
		l.posted(append([]string{"sendPhoto", "chat_id:1", fmt.Sprintf("#%d", game)}, parts...)...)
	}
	plays(1, "message_thread_id:1")
	plays(2, "message_thread_id:2")
	l.Say(1, alice, "/resign #1")
	l.Say(1, alice, "/resign #1")
	l.requested("editMessageMedia", `"callback_data":"rematch 1 -"`)
	plays(3, "message_thread_id:1")
	l.requested("editForumTopic", "message_thread_id:1", "name:#3 Chess")
	full := make([]gameTopic, mostTopics)
	for i := range full {
		full[i] = gameTopic{i + 1, 2}
	}
	l.chat.setTopics(t.Context(), 1, full)
	plays(4)
	l.Lock()
	defer l.Unlock()
	made := 0
	for _, c := range l.Calls {
		switch {
		case c.Method == "createForumTopic":
			made++
		case strings.HasPrefix(c.Method, "delete") && c.Method != "deleteWebhook":
			t.Errorf("%v", c)
		case c.Has("sendPhoto", "#4", "message_thread_id:"):
			t.Errorf("%v", c)
		}
	}
	if made != 2 {
		t.Errorf("%d topics were made", made)
	}
}

func TestWhereTelegramRefusesTopicsGamesAreToldOfWithoutThem(t *testing.T) {
	l := divided(t)
	refuses(l.double, refused(400, "Bad Request: the chat is not a forum"), "createForumTopic")
	l.Say(1, alice, "/play chess 0 white")
	l.posted("sendPhoto", "chat_id:1", "#1")
	l.Say(1, alice, "/play stealth 0 white")
	l.posted("sendPhoto", "chat_id:1", "#2")
	l.Lock()
	defer l.Unlock()
	for _, c := range l.Calls {
		if c.Has("message_thread_id:") || c.Method == "createForumTopic" {
			t.Errorf("%v", c)
		}
	}
}

func TestAGameWhoseTopicIsGoneGetsAnother(t *testing.T) {
	l := divided(t)
	l.Say(1, alice, "/challenge chess white")
	l.Say(2, bob, "/start "+l.code("chat_id:1", "is looking for an opponent"))
	l.posted("sendPhoto", "chat_id:1", "message_thread_id:")
	topic := l.chat.topics(t.Context(), 1)[0].Topic
	refuses(l.double, refused(400, "Bad Request: message thread not found"), "chat_id:1", fmt.Sprint("message_thread_id:", topic))
	l.Say(1, alice, "e4")
	l.posted("sendPhoto", "chat_id:2", "1. e4")
	l.Say(2, bob, "e5")
	l.posted("sendPhoto", "chat_id:1", "1… e5")
	l.Say(1, alice, "Nf3")
	l.posted("sendPhoto", "chat_id:2", "2. Nf3")
	l.Say(2, bob, "Nc6")
	l.posted("sendPhoto", "chat_id:1", "2… Nc6", "message_thread_id:3")
}

func TestATopicThatCannotBeRenamedIsUsedNoMore(t *testing.T) {
	l := divided(t)
	l.Say(1, alice, "/play chess 0 white")
	l.posted("sendPhoto", "#1", "message_thread_id:1")
	l.Say(1, alice, "/resign #1")
	l.Say(1, alice, "/resign #1")
	l.requested("editMessageMedia", `"callback_data":"rematch 1 -"`)
	refuses(l.double, flooded(time.Second), "editForumTopic")
	l.Say(1, alice, "/play chess 0 white")
	l.posted("sendPhoto", "#2")
	if all := l.chat.topics(t.Context(), 1); !slices.Equal(all, []gameTopic{{1, 1}}) {
		t.Errorf("after a refusal that may pass there are %v", all)
	}
	refuses(l.double, refused(400, "Bad Request: TOPIC_ID_INVALID"), "editForumTopic")
	l.Say(1, alice, "/play knightmare 0 white")
	l.posted("sendPhoto", "#3")
	l.Say(1, alice, "/play stealth 0 white")
	l.posted("sendPhoto", "#4", "message_thread_id:2")
}
