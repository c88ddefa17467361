package discord

import (
	"testing"

	"github.com/bwmarrin/discordgo"

	"chimera/bot/discord/gateway"
	"chimera/bot/fake"
)

type (
	call      = fake.Request
	refusal   = fake.Refusal
	packet    = fake.Packet
	who       = fake.User
	pressable = fake.Pressable
)

const (
	token  = fake.DiscordToken
	server = fake.Guild
	room0  = fake.Channel

	isComponent    = fake.IsComponent
	isCommand      = int(discordgo.InteractionApplicationCommand)
	isAutocomplete = int(discordgo.InteractionApplicationCommandAutocomplete)
)

var alice, bob, carol = fake.Users()[0], fake.Users()[1], fake.Users()[2]

// double is a fake Discord.
type double struct {
	*fake.Discord
	t       testing.TB
	refused int // requests, as a test has wished
}

func newFake(t testing.TB) *double {
	if t, ok := t.(*testing.T); ok {
		t.Parallel()
	}
	return &double{Discord: fake.NewDiscord(t), t: t}
}

// wantsTwoShards lets Discord refuse the first session, since there must be two.
func (f *double) wantsTwoShards() {
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
func replyTo(message string) func(map[string]any) { return fake.Answering(message) }

func object(v any) map[string]any { return fake.Object(v) }

// refused is an answer of Discord's that refuses.
func refused(status int, header map[string]string, body string) *refusal {
	return &refusal{Status: status, Header: header, Body: body}
}
