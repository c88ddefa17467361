package discord

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/bwmarrin/discordgo"

	"chimera/bot/message"
	"chimera/storage"
)

// The parts of Discord's messages that the bot needs.

type posted struct {
	ID        string
	Type      discordgo.MessageType
	ChannelID string `json:"channel_id"`
	GuildID   string `json:"guild_id"`
	WebhookID string `json:"webhook_id"`
	Author    *discordgo.User
	Member    *discordgo.Member
	Content   string
	Mentions  []*discordgo.User
	Flags     discordgo.MessageFlags
	Made      *struct{ ID string } `json:"interaction_metadata"` // the interaction that it answers
	Reference *struct {
		MessageID string `json:"message_id"`
		ChannelID string `json:"channel_id"`
	} `json:"message_reference"`
	Referenced *struct{ Author *discordgo.User } `json:"referenced_message"`
}

type interaction struct {
	ID            string
	ApplicationID string `json:"application_id"`
	Type          discordgo.InteractionType
	Token         string
	GuildID       string `json:"guild_id"`
	GuildLocale   string `json:"guild_locale"`
	ChannelID     string `json:"channel_id"`
	Locale        string // of the person's client
	Channel       *discordgo.Channel
	Context       int                        // 0 for a server, 1 for a chat with the bot, 2 for a chat of others
	Owners        map[string]json.RawMessage `json:"authorizing_integration_owners"` // for whom the bot was installed: "0" for a server, or a chat with the bot, "1" for a person
	Permissions   *int64                     `json:"app_permissions,string"`         // of the bot, where this was done
	Member        *discordgo.Member
	User          *discordgo.User
	Message       *posted
	Data          *struct {
		Name       string
		CustomID   string                                       `json:"custom_id"`
		Values     []string                                     // that were chosen from a menu
		Components []struct{ Component struct{ Value string } } // of a form that was filled in
		TargetID   string                                       `json:"target_id"`
		Options    []*discordgo.ApplicationCommandInteractionDataOption
		Resolved   struct{ Users map[string]*discordgo.User }
	}
}

// who is the person of an interaction, nil if Discord does not say.
func (i *interaction) who() *discordgo.User {
	if i.Member != nil && i.Member.User != nil {
		return i.Member.User
	}
	return i.User
}

// areIDs reports whether all of these are ids of Discord's: numbers of 64 bits.
func areIDs(ids ...string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool {
		_, err := strconv.ParseUint(id, 10, 64)
		return err != nil
	})
}

// address is a channel or a server.
func address(id string) storage.Address {
	if id == "" {
		return storage.Address{}
	}
	return storage.Address{Platform: Platform, ID: id}
}

// person is somebody as the bot knows them.
func person(u *discordgo.User) message.Account {
	return message.Account{Address: address(u.ID), Name: cmp.Or(u.GlobalName, u.Username, u.ID), Bot: u.Bot}
}

// newer reports whether an id is younger than another: ids are numbers that grow.
func newer(id, than string) bool { return snowflake(id) > snowflake(than) }
