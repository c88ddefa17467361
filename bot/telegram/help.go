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

// explain adds to the help and to the first hello, to which a button may lead back, how the bot is heard in a
// group, or gets into one.
func (a *Adapter) explain(ctx context.Context, m *models.Message, said *message.Incoming, notes []message.Message) {
	begins := strings.HasPrefix(m.Text, "/start") && said.Press == ""
	greets := begins && said.Text == hello || strings.HasPrefix(said.Press, hello+" ")
	var more words.Text
	switch {
	case len(notes) == 0:
		return
	case said.Private && greets:
		more = say("help.add-to-group", "link", link("https://t.me/"+a.me.Username+"?startgroup="+inGroup))
	case !said.Private && (begins || strings.EqualFold(said.Text, "help")):
		more = say("help.reads-all")
		if !a.me.CanReadAllGroupMessages {
			if all, _ := a.manages(ctx, m.Chat.ID, a.me.ID); !all { // an error has been logged
				more = say("help.reads-commands", "bot", a.me.Username) // and others only while it was the last bot to speak
			}
		}
	default:
		return
	}
	notes[0].Text = slices.Concat(notes[0].Text, words.Text{{Words: "\n\n"}}, more).In(a.bot.Language(ctx, *said))
}

// forYouAlone asks somebody to press Start, who cannot be written to before.
func (a *Adapter) forYouAlone() words.Text {
	return say("refused.only-you", "link", link("https://t.me/"+a.me.Username))
}
