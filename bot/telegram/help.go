package telegram

import (
	"context"
	"embed"
	"slices"
	"strings"

	"github.com/go-telegram/bot/models"

	"chimera/bot"
	"chimera/rules/phrase"
)

//go:embed words
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

// Words has what is said on Telegram alone.
func Words() *phrase.Book { return book }

// tell is a sentence of the book with its parts.
func tell(key string, parts ...any) bot.Text { return bot.Text{{Phrase: book.Say(key, parts...)}} }

// link is an address on the web.
func link(address string) bot.Span { return bot.Span{Words: address, Style: bot.Link} }

// explain adds to the help how games begin, and in a group how the bot is heard there.
func (a *Adapter) explain(ctx context.Context, m *models.Message, said *bot.Message, notes []bot.Note) {
	if !strings.EqualFold(said.Text, "help") || len(notes) == 0 {
		return
	}
	text := notes[0].Text
	if strings.HasPrefix(m.Text, "/start") {
		hello := tell("help.hello-group")
		if said.Private {
			hello = tell("help.hello-private", "link", link("https://t.me/"+a.me.Username+"?startgroup="+inGroup))
		}
		text = slices.Concat(hello, apart, text)
	}
	if !said.Private {
		all := a.me.CanReadAllGroupMessages
		if !all {
			all, _ = a.manages(ctx, m.Chat.ID, a.me.ID) // it has been logged
		}
		text = slices.Concat(text, apart, a.whatIsRead(all))
	}
	notes[0].Text = text.In(a.bot.Language(ctx, *said))
}

// apart stands between two texts of a message.
var apart = bot.Text{{Words: "\n\n"}} //nolint:gochecknoglobals // never written

// whatIsRead says what the bot hears in a group. Commands that do not name it are heard only
// while it was the last bot to speak.
func (a *Adapter) whatIsRead(all bool) bot.Text {
	if all {
		return tell("help.reads-all")
	}
	return tell("help.reads-commands", "bot", a.me.Username)
}

// forYouAlone asks somebody to press Start, who cannot be written to before.
func (a *Adapter) forYouAlone() bot.Text {
	return tell("refused.only-you", "link", link("https://t.me/"+a.me.Username))
}
