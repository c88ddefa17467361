package discord

import (
	"slices"
	"strings"
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

// deny lets Discord refuse requests that have one of some parts, and no others from now on.
func (f *double) deny(no refusal, parts ...string) {
	f.Lock()
	defer f.Unlock()
	f.Refuse = func(c call) *refusal {
		if !slices.ContainsFunc(parts, func(part string) bool { return c.Has(part) }) {
			return nil
		}
		f.refused++
		return &no
	}
}

// subcommand is a form of a command with its options as name=value.
func subcommand(command, form string, options ...string) map[string]any {
	filled, users := []any{}, map[string]any{}
	for _, o := range options {
		name, value, _ := strings.Cut(o, "=")
		kind := discordgo.ApplicationCommandOptionString
		if value == "@bob" {
			value, kind, users[bob.ID] = bob.ID, discordgo.ApplicationCommandOptionUser, bob.Told()
		}
		filled = append(filled, map[string]any{"name": name, "type": kind, "value": value})
	}
	return map[string]any{
		"name": command, "type": 1, "options": []any{map[string]any{"name": form, "type": 1, "options": filled}}, "resolved": map[string]any{"users": users},
	}
}

// typing is a command whose option is being written.
func typing(command, option, text string) map[string]any {
	return map[string]any{"name": command, "type": 1, "options": []any{map[string]any{"name": option, "type": 3, "value": text, "focused": true}}}
}

// asManager lets an interaction come from somebody who may change the server's settings.
func asManager(i map[string]any) { i["member"].(map[string]any)["permissions"] = "32" }

func object(v any) map[string]any { return fake.Object(v) }

// refused is an answer of Discord's that refuses.
func refused(status int, header map[string]string, body string) *refusal {
	return &refusal{Status: status, Header: header, Body: body}
}
