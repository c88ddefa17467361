package telegram

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"net/http"
	"slices"
	"strings"

	library "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules/phrase"
)

// maxDescription is how long Telegram lets a command's description be.
const maxDescription = 256

// profile is what Telegram shows of the bot in a language.
type profile struct {
	Language           string // as Telegram names it; English is for everybody whose language is none of these
	About, Description string
	Menus              [3][]models.BotCommand // of private chats, of groups, and of those who manage groups
	Whispers           bool                   // nobody else in a group sees hiddenCommands
}

// hiddenCommands are those whose answers concern nobody but their author.
var hiddenCommands = []string{"learn", "puzzle", "hint", "games", "settings", "help"} //nolint:gochecknoglobals // never written

// hidden makes the request to set a menu one in which Telegram hides such commands, of which the library knows
// nothing.
type hidden struct{}

func (hidden) hide(_ *http.Request, body []byte) []byte {
	for _, name := range hiddenCommands {
		body = bytes.ReplaceAll(body, []byte(`{"command":"`+name+`"`), []byte(`{"is_ephemeral":true,"command":"`+name+`"`))
	}
	return body
}

// introduce sets what Telegram shows of the bot in each language, if any of that has changed: what it is,
// and the commands in the menus of chats. All others are in the help.
func (a *Adapter) introduce(ctx context.Context) error {
	const group = "play learn puzzle challenge accept move board hint games draw resign top help"
	var all []profile
	for _, l := range phrase.Languages() {
		p := profile{string(l), book.Say("profile.about").Text(l), book.Say("profile.description").Text(l), [...][]models.BotCommand{
			menu(l, (*bot.Command).About, "play learn challenge games board hint draw resign rules top settings help"),
			menu(l, (*bot.Command).About, group),
			menu(l, (*bot.Command).ToManage, group+" settings"),
		}, a.whispers.Load()}
		if l == phrase.English {
			p.Language = ""
		}
		all = append(all, p)
	}
	return a.state.Once(ctx, "profile", all, func() error {
		for _, p := range all {
			if err := a.persist(ctx, "profile not set", func() error { return a.show(ctx, p) }); err != nil {
				return err
			}
		}
		return nil
	})
}

// menu is commands with what they are about.
func menu(l phrase.Language, about func(*bot.Command) phrase.Phrase, names string) (commands []models.BotCommand) {
	for name := range strings.FieldsSeq(names) {
		c := bot.CommandNamed(name)
		commands = append(commands, models.BotCommand{Command: name, Description: adapter.Clip(about(&c).Text(l), maxDescription)})
	}
	return commands
}

// show sets a profile.
func (a *Adapter) show(ctx context.Context, p profile) error {
	_, err := a.library.SetMyShortDescription(ctx, &library.SetMyShortDescriptionParams{ShortDescription: p.About, LanguageCode: p.Language})
	if err == nil {
		_, err = a.library.SetMyDescription(ctx, &library.SetMyDescriptionParams{Description: p.Description, LanguageCode: p.Language})
	}
	for i, scope := range [...]models.BotCommandScope{
		&models.BotCommandScopeAllPrivateChats{}, &models.BotCommandScopeAllGroupChats{}, &models.BotCommandScopeAllChatAdministrators{},
	} {
		if err != nil {
			return err
		}
		params := &library.SetMyCommandsParams{Commands: p.Menus[i], Scope: scope, LanguageCode: p.Language}
		inGroups := p.Whispers && i > 0
		if inGroups {
			_, err = a.library.SetMyCommands(context.WithValue(ctx, whispering{}, hidden{}), params)
		}
		if !inGroups || errors.Is(err, library.ErrorBadRequest) {
			_, err = a.library.SetMyCommands(ctx, params)
		}
	}
	return err
}

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

// forYouAlone asks somebody to press Start, who cannot be written to before, and brings along what they want.
func (a *Adapter) forYouAlone(said *message.Incoming) words.Text {
	code := bot.Wish(said)
	return say("refused.only-you", "link", link(strings.TrimSuffix(a.start(code), "?start=")), "carried", code != "")
}
