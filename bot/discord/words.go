package discord

import (
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

// permit is a permission, and the key of its name.
type permit struct {
	bit int64
	key string
}

// The permissions that the bot needs.
//
//nolint:gochecknoglobals // never written
var (
	mayView          = permit{discordgo.PermissionViewChannel, "view-channel"}
	maySend          = permit{discordgo.PermissionSendMessages, "send-messages"}
	maySendInThreads = permit{discordgo.PermissionSendMessagesInThreads, "send-in-threads"}
	mayOpenThreads   = permit{discordgo.PermissionCreatePublicThreads, "create-threads"}
	mayAttach        = permit{discordgo.PermissionAttachFiles, "attach-files"}
	mayManageThreads = permit{discordgo.PermissionManageThreads, "manage-threads"}
)

// without says what is impossible without some permissions.
func without(key string, needed []permit, parts ...any) words.Text {
	var names []phrase.Phrase
	for _, p := range needed {
		names = append(names, book.Say("permission."+p.key))
	}
	return say("without."+key, append(parts, "permissions", phrase.And(names))...)
}
