package telegram

import (
	"context"
	"embed"
	"slices"
	"strings"

	"github.com/go-telegram/bot/models"

	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules/phrase"
)

//go:embed words
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

// Book is the book of what is said on Telegram alone.
func Book() *phrase.Book { return book }

// say is a sentence of the book with its parts.
func say(key string, parts ...any) words.Text { return words.Text{{Phrase: book.Say(key, parts...)}} }

// link is an address on the web.
func link(address string) words.Span { return words.Span{Words: address, Style: words.Link} }

// explain adds to the help and to the first hello how the bot is heard in a group, or gets into one.
func (a *Adapter) explain(ctx context.Context, m *models.Message, said *message.Incoming, notes []message.Message) {
	begins := strings.HasPrefix(m.Text, "/start")
	if len(notes) == 0 || !begins && !strings.EqualFold(said.Text, "help") {
		return
	}
	var more words.Text
	switch {
	case !said.Private:
		more = say("help.reads-all")
		if !a.me.CanReadAllGroupMessages {
			if all, _ := a.manages(ctx, m.Chat.ID, a.me.ID); !all { // an error has been logged
				more = say("help.reads-commands", "bot", a.me.Username) // and others only while it was the last bot to speak
			}
		}
	case said.Text == hello:
		more = a.toGroup()
	default:
		return
	}
	notes[0].Text = slices.Concat(notes[0].Text, apart, more).In(a.bot.Language(ctx, *said))
}

// inviteAgain is explain for a button that leads back to the first hello.
func (a *Adapter) inviteAgain(ctx context.Context, said *message.Incoming, notes []message.Message) {
	if said.Private && strings.HasPrefix(said.Press, hello+" ") && len(notes) > 0 {
		notes[0].Text = slices.Concat(notes[0].Text, apart, a.toGroup()).In(a.bot.Language(ctx, *said))
	}
}

// toGroup says how the bot gets into a group.
func (a *Adapter) toGroup() words.Text {
	return say("help.add-to-group", "link", link("https://t.me/"+a.me.Username+"?startgroup="+inGroup))
}

// apart stands between two texts of a message.
var apart = words.Text{{Words: "\n\n"}} //nolint:gochecknoglobals // never written

// forYouAlone asks somebody to press Start, who cannot be written to before.
func (a *Adapter) forYouAlone() words.Text {
	return say("refused.only-you", "link", link("https://t.me/"+a.me.Username))
}
