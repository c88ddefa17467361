// Package telegram is the bot on Telegram, over github.com/go-telegram/bot, which it
// alone imports.
//
// # Design
//
// An update is confirmed only after it was handled. The library's own loop confirms updates as soon as it has
// read some, so they are asked for here (poller.go). Updates of one chat are handled in order, those of
// different chats side by side. An update that comes twice is known by its number, and neither carried out
// nor answered again. An answer that has to wait, for the limits of its group say, does not hold up other
// updates: its own is kept in adapter.State, and handled by the next program if this one ends before
// (answer.go).
//
// A board is a photo with a caption; the keyboard below it is the picker too, so that
// choosing a move takes three edits at most. Pictures that were uploaded before are sent
// by Telegram's name for them. What must outlive the process (which message shows which
// game, names of people, names of pictures) is in adapter.State.
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
	"slices"
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
	uploaded    *lru.Cache[[sha256.Size]byte, string]      // what Telegram calls the pictures that it has
	naming      sync.Mutex                                 // held while a topic is looked up or named
	undivided   *lru.Cache[int64, bool]                    // private chats that take no topics
	pause       func(context.Context, time.Duration) error // waits for Telegram
	grace       time.Duration                              // how long answers may take to their end once the program ends
	handling    adapter.Queues                             // what is to be handled, by chat
	answers     adapter.Queues                             // what is to be answered, likewise
	debts       sync.Map                                   // *debt by the number of its update
	asked       sync.Map                                   // *asked by its place, author, game and text
	whispers    atomic.Bool                                // Telegram lets one person alone see what is said in a group
	solemn      atomic.Bool                                // Telegram knows no effects of messages
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

// callTimeout is how long Telegram may take for an answer.
const callTimeout = 60 * time.Second

// New makes an Adapter, and talks to nobody yet.
func New(config Config, b *bot.Bot, log *slog.Logger) (*Adapter, error) {
	config.APIURL = strings.TrimSuffix(cmp.Or(config.APIURL, "https://api.telegram.org"), "/")
	a := &Adapter{config: config, bot: b, state: adapter.NewState(b.Store, Platform, log), log: log, pause: adapter.Pause, grace: grace, begun: make(chan struct{})}
	a.uploaded, a.edited = message.Recent[[sha256.Size]byte, string](adapter.Watched), message.Recent[messageAt, edited](adapter.Watched)
	a.undivided = message.Recent[int64, bool](adapter.Watched)
	a.connections = adapter.Transport()
	client := &http.Client{Transport: b.Metrics.Transport(Platform, adapter.LeaseCheck{Roles: b.Roles(), Inner: a.connections, Timeout: callTimeout})}
	a.poller = &poller{
		client: client, address: config.APIURL + "/bot" + config.Token + "/getUpdates", log: log, joined: func() { b.Metrics.Connect(Platform) },
	}
	a.poller.contact(errors.New("not reached yet"))
	var err error
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

// Run is in the chats until the context is done, until another program takes the bot's
// updates, or until Telegram refuses the token, which is for good.
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
	if a.config.WebhookURL == "" { // or all processes take updates
		if err := a.hold(ctx); err != nil {
			return err
		}
	}
	if err := a.resume(ctx); err != nil {
		return err
	}
	if a.config.WebhookURL != "" {
		return a.listen(ctx)
	}
	err := a.persist(ctx, "webhook not removed", asking(ctx, a.library.DeleteWebhook, &library.DeleteWebhookParams{}))
	a.failed(ctx, slog.LevelWarn, "the webhook was not removed", err)
	err = a.poller.run(ctx, func(u *models.Update, done func()) {
		if !a.receive(u, done) {
			done() // nothing is confirmed any more, since the program ends
		}
	})
	return cmp.Or(context.Cause(ctx), err)
}

// Connected says why the bot is not connected to Telegram, nil if it is.
func (a *Adapter) Connected() error {
	if why := a.poller.connected(); why != nil {
		return fmt.Errorf("telegram: %w", why)
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

// begin finds out who the bot is. It asks until Telegram answers.
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

// Limits are Telegram's: 30 messages a second in all, one a second in a chat, where a few may come at
// once, and 20 a minute in a group. At least half of each is left to games.
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

// rescue lets all else go on after a panic.
func (a *Adapter) rescue(ctx context.Context, doing string, id int64) {
	if p := recover(); p != nil {
		a.log.ErrorContext(ctx, "telegram: panic", "doing", doing, "id", id, "panic", fmt.Sprint(p))
	}
}

// isGone reports whether somebody is in a chat no more.
func isGone(m models.ChatMember) bool {
	return m.Type == models.ChatMemberTypeLeft || m.Type == models.ChatMemberTypeBanned
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
	said.Text, said.Picks, said.Public, said.Alone = hello, true, true, false // the message is no whisper, though it has no number
	return a.heard(ctx, added, &said)
}

// named is what a person is called.
func named(u *models.User) string {
	return cmp.Or(strings.TrimSpace(u.FirstName+" "+u.LastName), u.Username, fmt.Sprint(u.ID))
}

// address is a chat, or a topic of one, which is 0 for none.
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
		named := words.Either(l == phrase.English, "", string(l))
		all = append(all, profile{named, book.Say("profile.about").Text(l), book.Say("profile.description").Text(l), [...][]models.BotCommand{
			menu(l, (*bot.Command).About, "play learn challenge games board hint draw resign rules top settings help"),
			menu(l, (*bot.Command).About, group),
			menu(l, (*bot.Command).ToManage, group+" settings"),
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
