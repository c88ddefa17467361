package discord

import (
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"chimera/bot/fake"
	"chimera/storage/kv/kvtest"
)

func TestPermissionsInAChannel(t *testing.T) {
	f := newFake(t)
	l := live(t, f, &kvtest.Disk{})
	l.posted("PUT applications/")
	for _, c := range []struct{ server, channel, want uint64 }{
		{discordgo.PermissionSendMessages, 0, discordgo.PermissionViewChannel | discordgo.PermissionSendMessages},
		{discordgo.PermissionSendMessages | discordgo.PermissionSendMessagesInThreads, discordgo.PermissionSendMessages | discordgo.PermissionViewChannel, discordgo.PermissionSendMessagesInThreads},
	} {
		l.Lock()
		l.May, l.Deny = c.server, c.channel
		l.Unlock()
		if has, err := l.chat.permitsIn(t.Context(), room0, fake.DiscordID); err != nil || has != int64(c.want) {
			t.Errorf("%b may in the server, %b denied in the channel: %b, %v", c.server, c.channel, has, err)
		}
	}
	if has, err := l.chat.permitsIn(t.Context(), room0, fake.Owner); err != nil || !manages(has) {
		t.Errorf("the owner of a server does not manage it: %b, %v", has, err)
	}
	if has, err := l.chat.permitsIn(t.Context(), room0, bob.ID); err != nil || manages(has) {
		t.Errorf("everybody manages the server: %b, %v", has, err)
	}
	if l := lacks(discordgo.PermissionAdministrator, discordgo.PermissionSendMessages); l != nil {
		t.Errorf("an administrator lacks %v", l)
	}
}

func TestNoEmptyThreadIsLeftWhereTheBotMayNotWriteInThreads(t *testing.T) {
	f := newFake(t)
	f.Deny = discordgo.PermissionSendMessagesInThreads
	l := live(t, f, &kvtest.Disk{})
	l.begins()
	l.posted("POST channels/"+room0+"/messages", "board.png", "no thread", "**Send Messages in Threads**")
	l.Say(room0, alice, "f3")
	l.posted("POST channels/"+room0+"/messages", "1. f3")
	l.none("threads were opened", "/threads ")
}

// TestAGameReturnsToItsThread takes a permission from the bot for a while.
func TestAGameReturnsToItsThreadWhenTheBotMayWriteThereAgain(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{}, func(a *Adapter) { a.pace.refused = 0 })
	thread := l.begun()
	deny := func(rooms ...string) {
		for i, r := range rooms {
			rooms[i] = "POST channels/" + r + "/"
		}
		l.deny(forbidden, rooms...)
	}
	deny(thread)
	l.answered(l.Slash(thread, alice, "move", "move=f3"))
	l.posted("POST channels/"+room0+"/messages", "1. f3", "board.png", "**Send Messages in Threads**")
	deny()
	l.answered(l.Slash(thread, bob, "move", "move=e5"))
	l.posted("POST channels/"+thread+"/messages", "1… e5", "board.png")
	deny(thread, room0)
	l.answered(l.Slash(thread, alice, "move", "move=a3"))
	l.posted("POST channels/7"+bob.ID, "2. a3", "board.png")
	deny()
	l.Say(thread, bob, "a6")
	l.posted("POST channels/"+thread+"/messages", "2… a6", "board.png")
	l.Say(thread, alice, "a4")
	l.posted("POST channels/"+thread+"/messages", "3. a4", "board.png")
	l.none("boards came privately too", "POST channels/7", "2… a6")
	l.none("boards came privately too", "POST channels/7", "3. a4")
}

func TestABoardInCharactersWhereFilesAreForbidden(t *testing.T) {
	f := newFake(t)
	f.refuseTimes(1000, forbidden, "board.png", "POST channels/")
	l := live(t, f, &kvtest.Disk{})
	thread := l.begins()
	l.posted("POST channels/"+thread, "```", "♜\ufe0e  ♞\ufe0e  ♝", "Attach Files")
	id := l.Interact(thread, alice, isCommand, map[string]any{"name": "move", "type": 1, "options": []any{map[string]any{"name": "move", "type": 3, "value": "f3"}}}, func(i map[string]any) {
		i["app_permissions"] = "274877910016" // View Channel, Send Messages, Send Messages in Threads
		i["channel"] = map[string]any{"id": thread, "type": discordgo.ChannelTypeGuildPublicThread}
	})
	l.dismissed(id)
	l.posted("POST channels/"+thread, "1. f3", "♙", "Attach Files")
	l.none("the board was shown, and it is said that it was not", "nobody else can see")
	l.Lock()
	defer l.Unlock()
	for _, c := range l.Calls {
		if strings.Contains(c.Path, thread+"/messages") && len([]rune(c.Text)) > 4000 {
			t.Errorf("%d characters", len(c.Text))
		}
	}
}
