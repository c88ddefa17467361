package telegram

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"chimera/bot/adapter"
	"chimera/bot/fake"
	"chimera/rules/phrase"
	"chimera/rules/phrase/phrasetest"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// update rewrites what is stored of this.
var update = os.Getenv("CHIMERA_UPDATE") != ""

// TestTheCommandsThatTelegramShows compares the lists of all kinds of chats with testdata:
// they are what people know.
func TestTheCommandsThatTelegramShows(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	var lists []call
	l.Wait("commands", func() bool {
		lists = nil
		for _, c := range l.Calls {
			if c.Method == "setMyCommands" {
				lists = append(lists, c)
			}
		}
		return len(lists) == 3*len(phrase.Languages())
	})
	var got bytes.Buffer
	for _, c := range lists {
		if c.Fields["language_code"] != "" {
			continue
		}
		got.WriteString(c.Fields["scope"] + "\n")
		kvtest.Must(t, json.Indent(&got, []byte(c.Fields["commands"]), "", "\t"))
		got.WriteString("\n")
	}
	const golden = "testdata/commands.txt"
	if update {
		kvtest.Must(t, os.WriteFile(golden, got.Bytes(), 0o644))
	}
	want, err := os.ReadFile(golden)
	kvtest.Must(t, err)
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("shown are\n%s", got.Bytes())
	}
}

func TestNothingIsMissingInWhatIsSaidOnTelegram(t *testing.T) {
	phrasetest.Same(t, book)
	phrasetest.Say(t, book, map[string][]any{"link": {"https://t.me/ChimeraBot"}, "bot": {"ChimeraBot"}, "player": {"ann"}, "n": {1, 2, 5}, "game": {12}, "outcome": {"agreed", "kept", "over"}, "carried": {true, false}}, "label.", "challenge.board-at")
}

// TestTelegramHasRoomForWhatItShowsOfTheBot compares lengths with its bounds.
func TestTelegramHasRoomForWhatItShowsOfTheBot(t *testing.T) {
	for _, l := range phrase.Languages() {
		for key, most := range map[string]int{"profile.about": 120, "profile.description": 512} {
			if n := adapter.Length(book.Say(key).Text(l)); n > most {
				t.Errorf("%s in %s is %d long, of %d", key, l, n, most)
			}
		}
	}
}

func TestHelpTellsWhatIsHeard(t *testing.T) {
	for _, c := range []struct {
		readAll bool
		admins  []int64
		want    string
	}{
		{false, nil, "In this group I see commands, replies to my messages, and buttons. To move, press Move, write <code>/move@ChimeraBot Nf3</code>"},
		{true, nil, "I read everything"},
		{false, []int64{fake.BotID}, "I read everything"},
	} {
		f := newFake(t)
		f.ReadAll, f.Admins = c.readAll, c.admins
		l := live(t, f, &kvtest.Disk{})
		l.Say(group, alice, "/help@ChimeraBot")
		l.posted("chat_id:-500", "Start a game", c.want)
		l.Say(1, alice, "/start")
		l.posted("chat_id:1", "Hello!", "<code>/challenge @friend</code>", "?startgroup=group")
	}
}

func TestGroupSettingsAreItsAdministrators(t *testing.T) {
	l := managed(t)
	l.Say(group, bob, "/settings here days 5")
	l.posted("manage")
	l.Say(group, alice, "/settings here days 5")
	l.posted("Days per move: 5")
	l.Say(group, bob, "/challenge chess")
	l.posted("5 days per move")
	press := func(command string, labels ...string) {
		l.Say(group, alice, command)
		manager := &hand{l: l, who: alice, message: l.posted(fmt.Sprintf(`"message_id":%d,`, l.lastSaid()))}
		for _, label := range labels {
			button := manager.find(func(b fake.Button) bool { return b.Text == label })
			refused := count(l.calls(0), "answerCallbackQuery", "Only managers")
			l.Press(group, bob, manager.message, button.Data)
			l.Wait("bob's press of "+label+" to be refused", func() bool { return count(l.Calls, "answerCallbackQuery", "Only managers") > refused })
			manager.push(button)
		}
	}
	press("/settings here", "Boards", "Back", "Days per move", "7")
	l.shown("editMessageText", "Days per move: 7")
	press("/settings here league", "Chess", "Yes", "2 weeks", "End after this season")
	l.requested("no season of the Chess league begins")
}

func TestWhoIsNamedIsFoundByTheEntity(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(group, alice, "/challenge 🙂 e chess", func(m map[string]any) {
		m["entities"] = append(m["entities"].([]map[string]any), map[string]any{
			"type": "text_mention", "offset": 11, "length": 4, "user": map[string]any{"id": 7, "first_name": "🙂 e"},
		})
	})
	l.posted("alice challenges", `<a href="tg://user?id=7">🙂 e</a>`, "Accept")
}

func TestAnUpdateThatCannotBeReadHoldsNobodyUp(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Lock()
	l.Add(map[string]any{"message": map[string]any{
		"message_id": 1, "date": 1, "chat": map[string]any{"id": 1, "type": "private"}, "from": map[string]any{"id": 1, "first_name": "x"},
		"forward_origin": map[string]any{"type": "a kind that is not known yet"},
	}})
	l.Unlock()
	l.Say(1, alice, "help")
	l.posted("Start a game")
	l.Say(1, alice, "version")
	l.posted("text:Chimera")
}

func TestATopicThatIsGoneLeavesTheGroup(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	topic := func(m map[string]any) { m["is_topic_message"], m["message_thread_id"] = true, 9 }
	l.Say(group, alice, "/challenge chess", topic)
	l.posted("alice is looking for an opponent", "message_thread_id:9")
	refuses(l.double, refused(400, "Bad Request: message thread not found"), "message_thread_id:")
	l.Say(group, bob, "/accept", topic)
	l.posted("sendPhoto", "to move by")
}

func TestBoardsAreInWordsWherePicturesAreForbidden(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	refuses(l.double, refused(400, "Bad Request: not enough rights to send photos to the chat"), "sendPhoto ")
	l.Say(group, alice, "/challenge chess white")
	l.posted("alice is looking for an opponent")
	l.Say(group, bob, "/accept")
	l.posted("sendMessage", "White: King e1", "Move")
}

func TestAQuestionIsAnsweredInSpiteOfPrivacyMode(t *testing.T) {
	l, _ := inGame(t)
	l.Say(group, alice, "/move")
	question := l.posted("Write the move too", `"force_reply":true`)
	l.Say(group, alice, "e4", replyTo(question))
	l.posted("sendPhoto", "1. e4")
	l.Say(group, alice, "/challenge @bob chess white")
	l.Say(group, bob, "/accept #2")
	l.posted("sendPhoto", "Chess #2", "to move by")
	l.Say(group, alice, "/challenge @bob chess white")
	l.Say(group, bob, "/accept #3")
	l.posted("sendPhoto", "Chess #3", "to move by")
	l.Say(1, alice, "/move #2")
	l.Say(1, alice, "d4", replyTo(l.posted("chat_id:1", "Write the move too")))
	l.posted("sendPhoto", "Chess #2", "1. d4")
}

// member is what the bot has become in a chat.
func (l *life) member(chat int64, status string) {
	kind := "private"
	if chat < 0 {
		kind = "supergroup"
	}
	was := map[string]string{"member": "left"}[status]
	me := map[string]any{"id": fake.BotID, "first_name": "Chimera"}
	l.Lock()
	l.Add(map[string]any{"my_chat_member": map[string]any{
		"chat": map[string]any{"id": chat, "type": kind}, "from": map[string]any{"id": 3, "first_name": "carol"}, "date": 1,
		"old_chat_member": map[string]any{"status": cmp.Or(was, "member"), "user": me}, "new_chat_member": map[string]any{"status": status, "user": me},
	}})
	l.Unlock()
	l.Wait("the news to be heard", func() bool { return l.Pending() == 0 })
}

func TestAGroupIsGreetedOnceHoweverTheBotIsAdded(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	const moved = -700
	l.member(group, "member")
	l.posted(fmt.Sprintf("chat_id:%d ", group), "challenge")
	l.Say(group, carol, "/start@ChimeraBot group")
	l.Say(group, carol, "upgraded", func(m map[string]any) { delete(m, "text"); m["migrate_to_chat_id"] = moved })
	l.member(moved, "member")
	l.Say(-701, carol, "/start@ChimeraBot group")
	l.posted("chat_id:-701 ", "challenge")
	l.member(-701, "member")
	l.Say(moved, carol, "/version@ChimeraBot")
	l.posted(fmt.Sprintf("chat_id:%d ", moved), "text:Chimera")
	if n := count(l.calls(0), "sendMessage"); n != 3 {
		t.Errorf("%d messages, want two greetings and the version", n)
	}
}

// command marks the command in a text.
func command(text, word string) func(map[string]any) {
	at := len(utf16.Encode([]rune(text[:strings.Index(text, word)])))
	return func(m map[string]any) {
		m["entities"] = []map[string]any{{"type": "bot_command", "offset": at, "length": len(word)}}
	}
}

func TestACommandMayComeAfterOtherWords(t *testing.T) {
	l, _ := inGame(t)
	for _, c := range []struct {
		chat             int64
		text, word, want string
	}{
		{group, "привет /version@ChimeraBot", "/version@ChimeraBot", "text:Chimera"},
		{group, "🙂 /fen", "/fen", "KQkq"},
		{1, "привет /draw", "/draw", "alice offers"},
	} {
		l.Say(c.chat, alice, c.text, command(c.text, c.word))
		l.posted(c.want)
	}
	other := "привет /help@OtherBot"
	l.Say(group, alice, other, command(other, "/help@OtherBot"))
	l.Say(group, alice, "/moves e2")
	l.posted("legal moves from e2")
	l.never("another bot's command was answered", "I see commands")
}

func TestWhoOnlyTalksIsNotKnownByName(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(group, carol, "what a nice day")
	l.Say(group, alice, "/challenge @carol chess")
	l.posted("alice challenges @carol: ")
	l.Say(group, bob, "/version")
	l.posted("text:Chimera")
	l.Say(group, alice, "/challenge @bob chess")
	l.posted("alice challenges", `<a href="tg://user?id=2">bob</a>`)
}

func TestWhoIsForgottenIsNotKnownByName(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	name := func(who person) string { return l.chat.state.Get(t.Context(), userKey("@"+who.Name)) }
	l.Say(3, carol, "help")
	l.posted("chat_id:3", "Start a game")
	kvtest.Must(t, l.store.Update(t.Context(), func(w storage.Writer) error {
		who, err := w.PersonAt(address(carol.ID, 0))
		if err != nil {
			return err
		}
		return w.People().Put(storage.Person{ID: who.ID, Name: "somebody"}) // as an operator may
	}))
	l.Say(group, alice, "/challenge @carol chess")
	l.posted("alice challenges @carol: ")
	if known := name(carol); known != "" {
		t.Errorf("carol is known as %q", known)
	}
}

// TestNothingStaysOfWhoIsForgottenUnderAnyName is of somebody with a game in private, who was
// called otherwise before.
func TestNothingStaysOfWhoIsForgottenUnderAnyName(t *testing.T) {
	var disk kvtest.Disk
	engine := disk.Open("db")
	l := liveOn(t, newFake(t), engine)
	zoe, zelda := person{ID: 770077, Name: "zoe"}, person{ID: 770077, Name: "zelda"}
	l.Say(zoe.ID, zoe, "/version")
	l.posted("chat_id:770077", "Chimera")
	l.Say(group, bob, "/challenge @zoe chess white")
	l.posted("bob challenges", "zoe")
	l.Say(group, zoe, "/accept")
	l.posted("bob", "to move", "Move")
	l.Say(zelda.ID, zelda, "/board")
	l.posted("chat_id:770077", "photo", "Flip")
	l.Say(group, bob, "/profile @zelda")
	l.posted("zelda")
	for _, word := range []string{"zoe", "zelda", "770077"} {
		if keys := kvtest.Found(t, engine, word); len(keys) == 0 {
			t.Errorf("%q is not stored", word)
		}
	}
	l.Say(zelda.ID, zelda, "forgetme")
	h := &hand{l: l, who: zelda, message: l.posted("chat_id:770077", "Yes", "No")}
	l.Press(zelda.ID, zelda, h.message, h.find(func(b fake.Button) bool { return b.Text == "Yes" }).Data)
	l.Wait("the press to be handled", func() bool { return l.Pending() == 0 })
	for _, word := range []string{"zoe", "zelda", "770077"} {
		if keys := kvtest.Found(t, engine, word); len(keys) > 0 {
			t.Errorf("%q is stored under %q", word, keys)
		}
	}
}

func TestASlowAnswerAboutAMemberHoldsNobodyUp(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	slow := make(chan struct{})
	defer close(slow)
	l.Look(func(c call) *refusal {
		if c.Method == "getChatMember" {
			l.Unlock()
			<-slow
			l.Lock()
		}
		return nil
	})
	l.Say(group, alice, "/help")
	l.Wait("it to be confirmed", func() bool { return l.Pending() == 0 })
	l.Say(1, alice, "/version")
	l.posted("chat_id:1", "text:Chimera")
	l.never("the help did not wait", "I see commands")
}

func TestSettingsOfAGroupAreNotChosenUnasked(t *testing.T) {
	f := newFake(t)
	f.Admins = []int64{alice.ID}
	asked := 0
	f.Refuse = func(c call) *refusal {
		if c.Method != "getChatMember" {
			return nil
		}
		if asked++; asked == 1 || asked > 3 {
			return refused(500, "Internal")
		}
		return nil
	}
	l := live(t, f, &kvtest.Disk{})
	for i, want := range []string{"Days per move: 5", "Days per move: 6", "didn't tell me whether you're an administrator"} {
		l.Say(group, alice, fmt.Sprint("/settings here days ", 5+i))
		l.posted(want)
	}
}

// TestWhoPlaysInALostGroupIsToldOnceInPrivate removes the bot from a group in which two
// games go on.
func TestWhoPlaysInALostGroupIsToldOnceInPrivate(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.greeted(alice, bob)
	topic := func(m map[string]any) { m["is_topic_message"], m["message_thread_id"] = true, 9 }
	for game, where := range []func(map[string]any){func(map[string]any) {}, topic} {
		l.Say(group, alice, "/challenge @bob chess white", where)
		l.Say(group, bob, "/accept", where)
		l.posted("sendPhoto", fmt.Sprint("Chess #", game+1), "to move by")
	}
	l.member(group, "kicked")
	for _, chat := range []string{"chat_id:1", "chat_id:2"} {
		l.posted(chat, "I can't write any more where you play games", "#1 and #2")
	}
	before := len(l.calls(0))
	for game := range 2 {
		l.Say(1, alice, fmt.Sprintf("#%d e4", game+1))
		l.posted("sendPhoto", fmt.Sprint("Chess #", game+1), "1. e4", "chat_id:2")
	}
	for _, c := range l.calls(before) {
		if strings.HasPrefix(c.Method, "send") && c.Fields["chat_id"] == fmt.Sprint(group) { // edits may have been under way
			t.Errorf("something was said in the group: %v", c)
		}
	}
	if told := count(l.calls(0), "any more"); told != 2 {
		t.Errorf("it was told %d times", told)
	}
	l.member(group, "member")
	l.posted("sendMessage", fmt.Sprint("chat_id:", group), "Hello! Let's play chess", "In this group I see", "Play me")
	l.posted("sendPhoto", "1. e4", fmt.Sprint("chat_id:", group))
}

func TestAnOpponentWhoCannotBeReachedIsToldOfAndSeesWhatTheyMissed(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	for n := range 2 {
		l.Say(1, alice, "/challenge chess white")
		l.Say(2, bob, "/start "+l.code("chat_id:1", fmt.Sprintf("#%d: alice is looking for an opponent", n+1)))
		l.posted("sendPhoto", "chat_id:2", fmt.Sprint("Chess #", n+1), "to move by")
		l.posted("sendPhoto", "chat_id:1", fmt.Sprint("Chess #", n+1), "Your move")
	}
	l.member(bob.ID, "kicked")
	l.posted("chat_id:1", "I can't reach bob any more", "#1 and #2")
	before := len(l.calls(0))
	l.Say(1, alice, "#1 e4")
	l.shown("editMessageMedia", "chat_id:1", "1. e4")
	l.Say(1, alice, "resign #2")
	l.Say(1, alice, "resign #2")
	l.shown("editMessageMedia", "chat_id:1", "wins by resignation")
	l.member(bob.ID, "member")
	l.posted("sendPhoto", "chat_id:2", "1. e4", "Your move")
	l.posted("sendPhoto", "chat_id:2", "You win by resignation")
	if boards := count(l.calls(before), "sendPhoto", "chat_id:2"); boards != 2 {
		t.Errorf("bob sees %d boards", boards)
	}
}

func TestAFileAndItsWordsAreOneMessage(t *testing.T) {
	l, _ := playing(t)
	l.Say(1, alice, "/export")
	l.posted("sendDocument", "chat_id:1 ", "caption:", "#1")
	l.Say(1, alice, "/mydata")
	last := l.posted("sendDocument", "chat_id:1 ", "mydata.json", "caption:")
	texts := 0
	for _, c := range l.calls(0) {
		if c.Number != 0 && c.Number <= last && c.Method == "sendMessage" {
			texts++
		}
	}
	if texts != 2 { // the challenge, and a welcome to who has joined it
		t.Errorf("there are %d texts", texts)
	}
}

func TestWhoJoinsALeagueByItsButtonLeavesThatToOthersAndIsInItUntilTheyLeaveTheGroup(t *testing.T) {
	f, disk := newFake(t), &kvtest.Disk{}
	f.Admins = []int64{alice.ID}
	l := live(t, f, disk)
	l.Say(group, alice, "/settings here league chess 2w 4")
	card := l.posted("sendMessage", "Chess league", `"text":"Join"`)
	for n, who := range []person{bob, carol} {
		l.Press(group, who, card, "league-join 0 - 1")
		l.Wait("that they are in", func() bool { return count(l.Calls, "answerCallbackQuery", "You're in.") > n })
	}
	l.Lock()
	if count(l.Calls, "editMessage", fmt.Sprint("message_id:", card)) > 0 {
		t.Error("the button is gone")
	}
	l.Unlock()
	l.Say(group, alice, "/league")
	l.posted("sendMessage", "2 people are in it")
	l.Say(group, bob, "", func(m map[string]any) {
		delete(m, "text")
		m["left_chat_member"] = m["from"]
	})
	l.Say(group, alice, "/league")
	l.posted("sendMessage", "1 person is in it")
	l.chat.state.Set(t.Context(), "roll", "2026-01-31") // on another day
	l.stopped()
	f.Left = []int64{carol.ID} // meanwhile
	l = live(t, f, disk)
	l.Wait("that the roll is called", func() bool { return l.chat.state.Get(t.Context(), "roll") != "2026-01-31" })
	l.Say(group, alice, "/league")
	l.posted("sendMessage", "Nobody is in it")
}
