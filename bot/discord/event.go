package discord

import (
	"cmp"
	"strconv"

	"chimera/bot"
)

// What Discord says, as far as the bot needs it.

type user struct {
	ID         string
	Username   string
	GlobalName string `json:"global_name"`
	Bot        bool
}

type member struct {
	User        *user
	Roles       []string
	Permissions string // only in interactions
}

type channel struct {
	ID       string
	Type     int
	ParentID string `json:"parent_id"`
	GuildID  string `json:"guild_id"`
	Last     string `json:"last_message_id"`

	Overwrites []overwrite `json:"permission_overwrites"`
}

type message struct {
	ID        string
	Type      int
	ChannelID string `json:"channel_id"`
	GuildID   string `json:"guild_id"`
	WebhookID string `json:"webhook_id"`
	Author    *user
	Member    *member
	Content   string
	Mentions  []user
	Flags     int
	Reference *struct {
		MessageID string `json:"message_id"`
		ChannelID string `json:"channel_id"`
	} `json:"message_reference"`
	Referenced *struct{ Author *user } `json:"referenced_message"`
}

// Kinds of messages that people write.
const (
	messagePlain = 0
	messageReply = 19
)

type interaction struct {
	ID            string
	ApplicationID string `json:"application_id"`
	Type          int
	Token         string
	GuildID       string `json:"guild_id"`
	ChannelID     string `json:"channel_id"`
	Channel       *channel
	Permissions   string `json:"app_permissions"` // of the bot, where this was done
	Member        *member
	User          *user
	Message       *message
	Data          *struct {
		Name     string
		Type     int
		CustomID string `json:"custom_id"`
		TargetID string `json:"target_id"`
		Options  []option
		Resolved struct{ Users map[string]user }
	}
}

// Kinds of interactions.
const (
	isCommand      = 2
	isComponent    = 3
	isAutocomplete = 4
)

// option is what somebody filled in.
type option struct {
	Name    string
	Type    int
	Value   any
	Options []option
	Focused bool
}

// who is the person of an interaction, nil if Discord does not say.
func (i *interaction) who() *user {
	if i.Member != nil && i.Member.User != nil {
		return i.Member.User
	}
	return i.User
}

// isThread reports whether channels of a kind are threads.
func isThread(kind int) bool { return kind >= threadNews && kind <= threadPrivate }

// address is a channel or a server.
func address(id string) bot.Address {
	if id == "" {
		return bot.Address{}
	}
	return bot.Address{Platform: Platform, ID: id}
}

// person is somebody as the bot knows him.
func person(u *user) bot.Person {
	return bot.Person{Address: address(u.ID), Name: cmp.Or(u.GlobalName, u.Username, u.ID), Bot: u.Bot}
}

// newer reports whether one id is younger than another: they are numbers that grow.
func newer(id, than string) bool {
	a, err := strconv.ParseUint(id, 10, 64)
	b, err2 := strconv.ParseUint(than, 10, 64)
	return err == nil && (err2 != nil || a > b)
}

// Kinds of channels that are threads.
const (
	threadNews    = 10
	threadPublic  = 11
	threadPrivate = 12
)
