// Package telegram is the bot on Telegram. It alone imports github.com/go-telegram/bot.
//
// # Design
//
// An update is confirmed only after it was handled. The library's own loop confirms updates as soon as it has read
// some, so poller.go asks for them instead. Updates of one chat are handled in order, different chats side by side. An
// update that comes twice is recognized by its number, and neither carried out nor answered again. An answer that has
// to wait, say for the limits of its group, does not hold up other updates: its update is kept in adapter.State, and if
// this program ends first, the next one handles it (answer.go).
//
// A board is a photo with a caption; the keyboard below it is the picker too, so that choosing a move takes at most
// three edits. Pictures that were uploaded before are sent by the name that Telegram gave them. Whatever must outlive
// the process (which message shows which game, names of people and of pictures) is in adapter.State.
package telegram

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	library "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
	lru "github.com/hashicorp/golang-lru/v2"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Platform is the name of the platform in addresses.
const Platform = "telegram"

// Config is what an Adapter needs to know.
type Config struct {
	Token  string
	APIURL string // "" for Telegram's own

	WebhookURL    string // "" for asking Telegram
	WebhookListen string
	WebhookSecret string
}

// Adapter is the bot on Telegram. It is safe for concurrent use.
type Adapter struct {
	config      Config
	bot         *bot.Bot
	state       *adapter.State
	log         *slog.Logger
	poller      *poller
	connections *http.Transport // to Telegram
	library     *library.Bot
	edited      *lru.Cache[messageAt, edited]              // how often messages were edited
	uploaded    *lru.Cache[[sha256.Size]byte, string]      // Telegram's names for uploaded pictures
	naming      sync.Mutex                                 // held while the topic of a game is chosen
	undivided   *lru.Cache[int64, bool]                    // private chats where topics cannot be made
	pause       func(context.Context, time.Duration) error // waits for Telegram
	grace       time.Duration                              // how long answers may go on once the program ends
	handling    adapter.Queues                             // updates to handle, by chat
	answers     adapter.Queues                             // answers to send, likewise
	debts       sync.Map                                   // *debt by the number of its update
	asked       sync.Map                                   // *asked by its place, author, game and text
	whispers    atomic.Bool                                // Telegram can show a message in a group to one person alone
	solemn      atomic.Bool                                // Telegram does not support message effects
	timeless    atomic.Bool                                // nor moments in texts
	tableless   atomic.Bool                                // nor tables
	app         bool                                       // links open the Mini App; from when Run has begun
	me          models.User                                // from when Run has begun
	post        *outbox.Outbox                             // likewise
	running     context.Context                            // likewise; ends with Run
	talking     context.Context                            // likewise; ends a little later
	end         context.CancelCauseFunc                    // likewise; ends Run
	begun       chan struct{}                              // closed when Run has begun
}

// callTimeout is how long a call to Telegram may take.
const callTimeout = 60 * time.Second

// New makes an Adapter, and talks to nobody yet.
func New(config Config, b *bot.Bot, log *slog.Logger) (a *Adapter, err error) {
	config.APIURL = strings.TrimSuffix(cmp.Or(config.APIURL, "https://api.telegram.org"), "/")
	a = &Adapter{config: config, bot: b, state: adapter.NewState(b.Store, Platform, log), log: log, pause: adapter.Pause, grace: grace, begun: make(chan struct{})}
	a.uploaded, a.edited = message.Recent[[sha256.Size]byte, string](adapter.Watched), message.Recent[messageAt, edited](adapter.Watched)
	a.undivided = message.Recent[int64, bool](adapter.Watched)
	a.connections = adapter.Transport()
	client := &http.Client{Transport: b.Metrics.Transport(Platform, adapter.LeaseCheck{Roles: b.Roles(), Inner: a.connections, Timeout: callTimeout})}
	a.poller = &poller{
		client: client, address: config.APIURL + "/bot" + config.Token + "/getUpdates", log: log, joined: func() { b.Metrics.Connect(Platform) },
	}
	a.poller.contact(errors.New("not reached yet"))
	a.library, err = library.New(
		config.Token, library.WithSkipGetMe(), library.WithServerURL(config.APIURL), library.WithHTTPClient(callTimeout, caller{client, a}),
		library.WithErrorsHandler(func(err error) { log.Warn("telegram", "err", a.clean(err)) }),
	)
	return a, err
}

// clean is an error without the token.
func (a *Adapter) clean(err error) string {
	return strings.ReplaceAll(err.Error(), a.config.Token, "•")
}

// failed logs that something has failed, unless the error is nil.
func (a *Adapter) failed(ctx context.Context, level slog.Level, what string, err error) {
	if err != nil {
		a.log.Log(ctx, level, "telegram: "+what, "err", a.clean(err))
	}
}

// Run connects to Telegram until the context is done, another program takes the bot's updates, or Telegram refuses the
// token for good.
func (a *Adapter) Run(ctx context.Context, post *outbox.Outbox) error {
	a.post = post
	if err := a.begin(ctx); err != nil {
		return err
	}
	ctx, end := context.WithCancelCause(ctx)
	talking, hush := context.WithCancel(adapter.Linger(ctx, a.grace, a.bot.Roles()))
	defer hush()
	a.running, a.talking, a.end = ctx, talking, end
	close(a.begun)
	defer a.connections.CloseIdleConnections()
	defer func() { a.failed(ctx, slog.LevelWarn, "memory not written", a.state.Flush(context.WithoutCancel(ctx))) }()
	defer a.answers.Close()
	defer a.handling.Close()
	defer end(nil)
	if a.config.WebhookURL == "" { // through a webhook, all processes take updates
		if err := a.hold(ctx); err != nil {
			return err
		}
	}
	if err := a.resume(ctx); err != nil {
		return err
	}
	a.later("roll", func(context.Context) {
		a.state.CallRoll(ctx, func() error { return a.bot.Seasons.Absent(ctx, Platform, a.has) })
	})
	if a.config.WebhookURL != "" {
		return a.listen(ctx)
	}
	err := a.persist(ctx, "webhook not removed", asking(ctx, a.library.DeleteWebhook, &library.DeleteWebhookParams{}))
	a.failed(ctx, slog.LevelWarn, "the webhook was not removed", err)
	err = a.poller.run(ctx, func(u *models.Update, done func()) {
		if !a.receive(u, done) {
			done() // from here on nothing is confirmed, since the program ends
		}
	})
	return cmp.Or(context.Cause(ctx), err)
}

// Connected says why the bot is not connected to Telegram, nil if it is.
func (a *Adapter) Connected() error {
	if why := a.poller.cut.Load(); why != nil {
		return fmt.Errorf("telegram: %w", *why)
	}
	return nil
}

// hold waits until no other process has the bot's role on Telegram, and then sets the bot's profile there.
func (a *Adapter) hold(ctx context.Context) error {
	if _, err := a.bot.Roles().Hold(ctx, "chat/"+Platform); err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	a.later("commands", func(context.Context) {
		if err := errors.Join(a.introduce(ctx), a.showApp(ctx)); err != nil && ctx.Err() == nil {
			a.failed(ctx, slog.LevelWarn, "what it shows of the bot was not set", err)
		}
	})
	return nil
}

// begin finds out who the bot is. It retries until Telegram answers.
func (a *Adapter) begin(ctx context.Context) error {
	err := a.persist(ctx, "not reached", func() error {
		me, err := a.library.GetMe(ctx)
		if err == nil {
			a.me = *me
		}
		return err
	})
	if isWrongToken(err) {
		return &outbox.Never{Err: errors.New("telegram: the token is wrong: ask BotFather for the right one")}
	}
	if err == nil {
		a.poller.contact(nil)
		a.log.InfoContext(ctx, "telegram: connected", "name", a.me.Username, "reads all", a.me.CanReadAllGroupMessages)
		a.bot.WebLink(Platform, a.start(""))
		a.probe(ctx)
		a.appears(ctx)
	}
	return err
}

// Limits are Telegram's: 30 messages a second in all; one a second in a chat, with short bursts; and 20 a minute in a
// group. At least half of each is left to games.
func (a *Adapter) Limits(place storage.Address) []outbox.Limit {
	chat, _ := chatOf(place)
	limits := []outbox.Limit{
		{Name: "all", Every: time.Second / 25, Burst: 5, Everywhere: true},
		{Name: "answers", Every: time.Second / 10, Burst: 5, Everywhere: true, Answers: true},
		{Name: fmt.Sprint("chat ", chat), Every: time.Second, Burst: 3},
	}
	if chat < 0 {
		limits = append(
			limits,
			outbox.Limit{Name: fmt.Sprint("group ", chat), Every: 4 * time.Second, Burst: 5},
			outbox.Limit{Name: fmt.Sprint("answers ", chat), Every: 8 * time.Second, Burst: 5, Answers: true},
		)
	}
	return limits
}

// update handles an update, and returns how to answer it, or nil.
func (a *Adapter) update(ctx context.Context, u *models.Update) answer {
	defer a.rescue(ctx, "update", u.ID)
	ctx = storage.AsOfNow(ctx)
	switch {
	case u.Message != nil:
		return a.message(ctx, u.ID, u.Message)
	case u.CallbackQuery != nil:
		return a.pressed(ctx, u.ID, u.CallbackQuery)
	case u.InlineQuery != nil && u.InlineQuery.From != nil:
		return a.propose(u.InlineQuery)
	case u.MyChatMember != nil:
		return a.member(ctx, u.ID, u.MyChatMember)
	}
	return nil
}

// rescue logs a panic, so that all else goes on.
func (a *Adapter) rescue(ctx context.Context, doing string, id int64) {
	if p := recover(); p != nil {
		a.log.ErrorContext(ctx, "telegram: panic", "doing", doing, "id", id, "panic", fmt.Sprint(p))
	}
}

// isGone reports whether somebody is no longer in a chat.
func isGone(m models.ChatMember) bool {
	return m.Type == models.ChatMemberTypeLeft || m.Type == models.ChatMemberTypeBanned || m.Restricted != nil && !m.Restricted.IsMember
}

// member notes that the bot was removed from a chat, or added to it, and greets a group.
func (a *Adapter) member(ctx context.Context, update int64, m *models.ChatMemberUpdated) answer {
	gone := isGone(m.NewChatMember)
	leave := words.Either(m.Chat.Type == models.ChatTypePrivate, a.bot.Users.Leave, a.bot.Users.LeaveServer)
	a.failed(ctx, slog.LevelError, "place not written", leave(ctx, address(m.Chat.ID, 0), gone))
	if gone || !isGone(m.OldChatMember) || m.Chat.Type != models.ChatTypeGroup && m.Chat.Type != models.ChatTypeSupergroup || m.From.IsBot || !a.greetsNow(ctx, m.Chat.ID) {
		return nil
	}
	added := &models.Message{From: &m.From, Chat: m.Chat, Date: m.Date, Text: "/start"}
	said := incoming(update, added, author(added))
	said.Text, said.Picks, said.Public, said.Alone = hello, true, true, false // this message is no whisper, though it has no number
	return a.heard(ctx, added, &said, 0)
}

// named is what a person is called.
func named(u *models.User) string {
	return cmp.Or(strings.TrimSpace(u.FirstName+" "+u.LastName), u.Username, fmt.Sprint(u.ID))
}

// address is a chat, or one of its topics; topic 0 is none.
func address(chat int64, topic int) storage.Address {
	id := strconv.FormatInt(chat, 10)
	if topic != 0 {
		id += "/" + strconv.Itoa(topic)
	}
	return storage.Address{Platform: Platform, ID: id}
}

// chatOf is the chat and the topic of an address.
func chatOf(a storage.Address) (chat int64, topic int) {
	one, other, _ := strings.Cut(a.ID, "/")
	chat, _ = strconv.ParseInt(one, 10, 64)
	topic, _ = strconv.Atoi(other)
	return chat, topic
}

// maxDescription is Telegram's limit for the description of a command.
const maxDescription = 256

// profile is how Telegram presents the bot in a language.
type profile struct {
	Language           string // Telegram's code for it; English is for everybody whose language is none of these
	About, Description string
	Menus              [3][]models.BotCommand // of private chats, of groups, and of those who manage groups
	Whispers           bool                   // only the author sees hiddenCommands in a group
}

// hiddenCommands are those whose answers concern only their author.
var hiddenCommands = []string{"learn", "puzzle", "hint", "games", "settings", "help"} //nolint:gochecknoglobals // never written

// hideCommands marks such commands as hidden in the request that sets a menu; the library does not know about this.
func hideCommands(_ *http.Request, body []byte) []byte {
	for _, name := range hiddenCommands {
		body = bytes.ReplaceAll(body, []byte(`{"command":"`+name+`"`), []byte(`{"is_ephemeral":true,"command":"`+name+`"`))
	}
	return body
}

// introduce sets the bot's profile in each language, if it has changed: what the bot is, and the commands in the menus
// of chats. All other commands are in the help.
func (a *Adapter) introduce(ctx context.Context) error {
	const group = "play learn puzzle challenge accept move board hint games draw resign top help settings"
	var all []profile
	for _, l := range phrase.Languages() {
		named := words.Either(l == phrase.English, "", string(l))
		all = append(all, profile{named, book.Say("profile.about").Text(l), book.Say("profile.description").Text(l), [...][]models.BotCommand{
			menu(l, (*bot.Command).About, "play learn challenge games board hint draw resign rules top settings help"),
			menu(l, (*bot.Command).About, group),
			menu(l, (*bot.Command).ToManage, group),
		}, a.whispers.Load()})
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

// menu is a list of commands with their descriptions.
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
			_, err = a.library.SetMyCommands(context.WithValue(ctx, hidden{}, hider(hideCommands)), params)
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

// say is a sentence of the book with its parts.
func say(key string, parts ...any) words.Text { return words.Text{{Phrase: book.Say(key, parts...)}} }

// explain adds to the help, and to the first greeting, which a button may show again, how the bot can be addressed in a
// group, or added to one.
func (a *Adapter) explain(ctx context.Context, m *models.Message, said *message.Incoming, notes []message.Message) {
	begins := strings.HasPrefix(m.Text, "/start") && said.Press == ""
	greets := begins && said.Text == hello || strings.HasPrefix(said.Press, hello+" ")
	var more words.Text
	switch {
	case len(notes) == 0:
		return
	case said.Private && greets:
		more = say("help.add-to-group", "link", words.Address("https://t.me/"+a.me.Username+"?startgroup="+inGroup))
	case !said.Private && (begins || strings.EqualFold(said.Text, "help")):
		more = say("help.reads-all")
		if !a.me.CanReadAllGroupMessages {
			if all, _ := a.manages(ctx, m.Chat.ID, a.me.ID); !all { // an error has been logged
				more = say("help.reads-commands", "bot", a.me.Username) // others reach it only while it was the last bot to speak
			}
		}
	default:
		return
	}
	notes[0].Text = words.Join("\n\n", notes[0].Text, more).In(a.bot.Language(ctx, *said))
}

// forYouAlone asks somebody to whom the bot cannot write yet to press Start, and brings along what they want.
func (a *Adapter) forYouAlone(said *message.Incoming) words.Text {
	code := bot.Wish(said)
	return say("refused.only-you", "link", words.Address(strings.TrimSuffix(a.start(code), "?start=")), "carried", code != "")
}
