package discord

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// killedAt ends the bot while it waits for what becomes of a request with these parts,
// which was done.
func (l *life) killedAt(act func(), parts ...string) {
	l.t.Helper()
	l.under(func() { l.Stall = func(c call) bool { return c.Has(parts...) } })
	act()
	l.posted(parts...)
	if err := l.stop(); err != nil {
		l.t.Log(err)
	}
	l.under(func() { l.Stall = nil })
}

func TestAMoveWrittenAfterAKillAtTheFirstBoardIsPlayed(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	var thread string
	l.killedAt(func() { thread = l.begins() }, "channels/", "board.png")
	l.Say(thread, alice, "f3")
	l = l.again()
	l.posted("POST channels/"+thread+"/messages", "1. f3")
}

func TestAMoveWrittenPrivatelyAfterAKillAtTheFirstBoardIsPlayed(t *testing.T) {
	l := ready(t)
	l.Slash("601", alice, "challenge", "game=chess", "colour=black")
	l.posted("POST channels/601/messages", "alice is looking for an opponent")
	c, err := storage.Read(t.Context(), l.store, func(r storage.Reader) (storage.Challenge, error) { return r.Challenges().Get(1) })
	kvtest.Must(t, err)
	l.killedAt(func() { l.Slash("603", carol, "accept", "game="+c.Code) }, "POST channels/603/messages", "board.png")
	l.Say("603", carol, "f3")
	l = l.again()
	l.posted("POST channels/601/messages", "1. f3")
}

func TestWhatWasMissedInSeveralChannelsIsHandledInTheOrderInWhichItWasWritten(t *testing.T) {
	for name, cut := range map[string]func(*double){
		"as the session goes on": func(f *double) { f.Drop() },
		"as it has ended":        func(f *double) { f.End() },
	} {
		t.Run(name, func(t *testing.T) {
			l, bobs := inChats(t, "white")
			cut(l.double)
			for i, move := range []string{"f3", "e5", "g4", "Qh4"} {
				l.Say([]string{"601", bobs}[i%2], []who{alice, bob}[i%2], move)
			}
			l.refuseTimes(2, *refused(500, nil, `{"message":"500","code":0}`), "GET channels/601/messages")
			l = l.again()
			l.posted("POST channels/601", "wins by checkmate")
			if n := l.count("turn"); n > l.count("board.png") {
				t.Error("a move came before the one that it answers")
			}
		})
	}
}

// inChats is a game that alice, with a colour, and bob have begun in their private chats with a bot that was
// then cut off, and bob's chat.
func inChats(t *testing.T, colour string) (l *life, bobs string) {
	t.Helper()
	l, bobs = ready(t), "7"+bob.ID
	l.Slash("601", alice, "challenge", "opponent=@bob", "game=chess", "colour="+colour)
	l.posted("POST channels/"+bobs, "alice challenges")
	l.Press(bobs, bob, l.buttonOf("Accept"))
	l.posted("POST channels/"+bobs, "board.png")
	l.posted("POST channels/601", "board.png")
	_ = l.stop() // it was cut off
	return l, bobs
}

func TestAChannelThatMayNotBeReadForLongHoldsUpNoOther(t *testing.T) {
	l, bobs := inChats(t, "black")
	l.Say("601", alice, "flip")
	l.Say(bobs, bob, "f3")
	l.refuseTimes(1000, *refused(429, nil, `{"message":"429","retry_after":3000,"global":false}`), "GET channels/601/messages")
	l = l.again()
	l.posted("POST channels/"+bobs, "1. f3")
}

// TestWhatIsUnreadIsHandledInOrder reads many channels, page by page, some of which end early.
func TestWhatIsUnreadIsHandledInOrder(t *testing.T) {
	rnd := kvtest.Random(t)
	const channels, messages = 50, 2000
	said := map[*unread][]posted{}
	var all []*unread
	for range channels {
		all = append(all, &unread{apart: make(chan struct{})})
	}
	for id := 1; id <= messages; id++ {
		u := all[rnd.IntN(channels)]
		said[u] = append(said[u], posted{ID: strconv.Itoa(id)})
	}
	lost := 0
	for u, unsaid := range said {
		if rnd.IntN(10) == 0 {
			lost += len(unsaid)
			delete(said, u)
		}
	}
	var mu sync.Mutex
	next := func(u *unread) {
		mu.Lock()
		defer mu.Unlock()
		n := min(len(said[u]), 1+rnd.IntN(20))
		u.page, said[u] = said[u][:n], said[u][n:]
		u.whole = len(said[u]) == 0
	}
	var handled []uint64
	inOrder(all, next, func(u *unread, m *posted) bool {
		handled = append(handled, snowflake(m.ID))
		return true
	})
	if len(handled)+lost != messages || !slices.IsSorted(handled) {
		t.Errorf("%d were handled and %d lost: %v", len(handled), lost, handled)
	}
	for _, u := range all {
		<-u.apart
	}
}

func TestTheBotEndsThoughDiscordDoesNotAnswerAndTheNextDoesWhatWasAsked(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{}, func(a *Adapter) {
		a.pace.grace = time.Millisecond
		a.rest.Client.Timeout = 0
	})
	l.Ready()
	l.Lock()
	asked := false
	l.Stall = func(c call) bool {
		asked = asked || strings.HasPrefix(c.Path, "guilds/")
		return strings.HasPrefix(c.Path, "guilds/")
	}
	l.Unlock()
	l.Say(room0, alice, "<@999> settings here days 2") // asks who she is
	l.Wait("a question", func() bool { return asked })
	ended := make(chan error, 1)
	go func() { ended <- l.stop() }()
	select {
	case err := <-ended:
		t.Log("ended: ", err)
	case <-time.After(time.Minute):
		l.Drop()
		t.Fatal("it waits for ever")
	}
	l.under(func() { l.Stall = nil })
	l = l.again()
	l.posted("POST channels/"+room0+"/messages", "Days per move: 2")
}

func TestWhoJoinsALeagueHasAPrivateChatForItsGames(t *testing.T) {
	l := ready(t)
	l.Interact(room0, alice, isCommand, setting("server", "setting=league", "value=chess"), asManager)
	l.posted("POST channels/"+room0+"/messages", "Nobody is in it yet")
	l.answered(l.Press(room0, bob, l.buttonOf("Join")), `"You're in."`)
	l.answered(l.Slash(room0, carol, "league", "action=join"), "You're in.", "2 people are in it")
	l.Say("712", bob, "league join")
	l.posted("POST channels/712/messages", "You're in.")
	l.none("the bot can't write to them", "can't write to you in private")
	for _, by := range []who{bob, carol} { // who were never written to before
		l.posted("POST users/@me/channels", by.ID)
	}
}

func TestWhoPlaysInPrivateFindsAGameInTheirOwnChat(t *testing.T) {
	l := ready(t)
	l.Say("711", alice, "challenge <@12> chess white")
	l.posted("POST channels/712/messages", "challenges")
	l.Say("712", bob, "accept")
	l.posted("POST channels/712/messages", "board.png")
	l.Say("712", bob, "puzzle chess")
	puzzle := l.posted("POST channels/712/messages", "puzzle 1")
	l.Say("711", alice, "e4")
	l.posted("POST channels/712/messages", "1. e4")
	l.Say("712", bob, "e5", replyTo(puzzle))
	l.posted("POST channels/712/messages", "puzzle 1", "In #1 that move is possible")
	l.answered(l.Slash(room0, bob, "move", "move=e5", "game=#1"), "Done! You'll find it in <#712>.")
}
