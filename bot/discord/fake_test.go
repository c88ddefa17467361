package discord

import (
	"testing"

	"github.com/bwmarrin/discordgo"

	"chimera/bot/discord/gateway"
	"chimera/bot/loopback"
)

type (
	call      = loopback.Request
	refusal   = loopback.Refusal
	packet    = loopback.Packet
	who       = loopback.User
	pressable = loopback.Pressable
)

const (
	token  = loopback.DiscordToken
	server = loopback.Guild
	room0  = loopback.Channel

	isComponent    = loopback.IsComponent
	isCommand      = int(discordgo.InteractionApplicationCommand)
	isAutocomplete = int(discordgo.InteractionApplicationCommandAutocomplete)
)

var alice, bob, carol = loopback.Users()[0], loopback.Users()[1], loopback.Users()[2]

// fake is Discord on loopback.
type fake struct {
	*loopback.Discord
	t       testing.TB
	refused int // requests, as a test has wished
}

func newFake(t testing.TB) *fake {
	if t, ok := t.(*testing.T); ok {
		t.Parallel()
	}
	return &fake{Discord: loopback.NewDiscord(t), t: t}
}

// wantsTwoShards lets Discord refuse the first session, since there must be two.
func (f *fake) wantsTwoShards() {
	f.First = func(bool) bool {
		if f.Shards == 0 {
			f.Shards = 2
			f.Shut(gateway.Sharding)
			return false
		}
		return true
	}
}

// replyTo lets a message answer one of the bot's.
func replyTo(message string) func(map[string]any) { return loopback.Answering(message) }

func object(v any) map[string]any { return loopback.Object(v) }

// refused is an answer of Discord's that refuses.
func refused(status int, header map[string]string, body string) *refusal {
	return &refusal{Status: status, Header: header, Body: body}
}
