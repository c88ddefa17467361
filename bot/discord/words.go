package discord

import (
	"context"
	"embed"

	"github.com/bwmarrin/discordgo"

	"chimera/bot/words"
	"chimera/rules/phrase"
)

//go:embed words
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

// Book is the book of what the bot says on Discord alone.
func Book() *phrase.Book { return book }

// say is a sentence of the book.
func say(key string, parts ...any) words.Text { return words.Text{{Phrase: book.Say(key, parts...)}} }

// below puts a text into a line of its own.
func below(t words.Text) words.Text { return append(words.Text{{Words: "\n"}}, t...) }

// channelNamed mentions a channel. Discord spells that as <#id>, like an address.
func channelNamed(id string) words.Span { return words.Span{Words: "#" + id, Style: words.Link} }

// permits are the permissions that the bot needs, with the keys of their names.
var permits = map[int64]string{ //nolint:gochecknoglobals // never written
	discordgo.PermissionViewChannel:           "view-channel",
	discordgo.PermissionSendMessages:          "send-messages",
	discordgo.PermissionSendMessagesInThreads: "send-in-threads",
	discordgo.PermissionCreatePublicThreads:   "create-threads",
	discordgo.PermissionAttachFiles:           "attach-files",
	discordgo.PermissionManageThreads:         "manage-threads",
}

// without says what is impossible without some permissions.
func without(key string, needed []int64, parts ...any) words.Text {
	var names []phrase.Phrase
	for _, p := range needed {
		names = append(names, book.Say("permission."+permits[p]))
	}
	return say("without."+key, append(parts, "permissions", phrase.And(names))...)
}

// shutOut says why nothing can be said in a channel.
func shutOut(channel string, why error) words.Text {
	switch code(why) {
	case discordgo.ErrCodeMissingAccess:
		return without("seeing", []int64{discordgo.PermissionViewChannel}, "channel", channelNamed(channel))
	case discordgo.ErrCodeMissingPermissions:
		return without("posting", []int64{discordgo.PermissionSendMessages, discordgo.PermissionSendMessagesInThreads, discordgo.PermissionAttachFiles}, "channel", channelNamed(channel))
	}
	return say("channel-gone")
}

// lacks are the wanted permissions that a set of permissions does not have.
func lacks(has int64, wanted ...int64) (missing []int64) {
	for _, p := range wanted {
		if has&(p|discordgo.PermissionAdministrator) == 0 {
			missing = append(missing, p)
		}
	}
	return missing
}

// manages reports whether permissions let somebody change the server's settings.
func manages(has int64) bool {
	return has&(discordgo.PermissionAdministrator|discordgo.PermissionManageGuild) != 0
}

// permitsIn are the permissions that somebody has in a channel of a server.
func (a *Adapter) permitsIn(ctx context.Context, channel, account string) (int64, error) {
	return a.rest.UserChannelPermissions(account, channel, discordgo.WithContext(ctx))
}
