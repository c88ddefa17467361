package bot

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"chimera/bot/archive"
	"chimera/bot/computer"
	"chimera/bot/event"
	"chimera/bot/maintenance"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/metrics"
	"chimera/bot/rating"
	"chimera/bot/training"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Bot answers messages. It is safe for concurrent use.
type Bot struct {
	Services
	Platforms
	Log      *slog.Logger
	About    string // name and version
	Commands Table
	Pictures *message.Cache
}

// New makes a Bot. about is its name and version, as people see it.
func New(s Services, log *slog.Logger, about string) *Bot {
	return &Bot{Services: s, Log: log, About: about, Commands: commands, Pictures: message.NewCache(s.Metrics)}
}

// maxText is how long a message may be, in bytes; move text and commands are far
// shorter.
const maxText = 1000

// Handle carries a message out and returns what to say to the person it came
// from. What others must hear is in the outbox. The error is of the bot's own
// making, has been logged, and has its message.
func (b *Bot) Handle(ctx context.Context, m message.Incoming) ([]message.Message, error) {
	ctx = storage.AsOfNow(ctx)
	replies, err := b.receive(ctx, m)
	if err != nil {
		b.Metrics.Failure(m.Place.Platform)
	}
	switch {
	case errors.Is(err, storage.ErrNotSaved):
		b.Maintenance.Stored(ctx, b.Log, err)
		replies = []message.Message{{Text: words.Say("help.cannot-save")}}
	case err != nil:
		b.Log.ErrorContext(ctx, "message failed", "platform", m.Place.Platform, "err", err)
		replies = []message.Message{{To: b.known(ctx, m.From), Text: words.Say("help.went-wrong")}}
	}
	spoken, _ := phrase.Match(m.From.Locale)
	for i := range replies {
		replies[i].Speak(spoken) // what is in no language yet: nothing is known of the author
	}
	return replies, err
}

// known is the number of somebody who has been met, else 0.
func (b *Bot) known(ctx context.Context, p message.Account) storage.PersonID {
	person, err := b.Users.Meet(ctx, p.Address, p.Name)
	if err != nil {
		return 0
	}
	return person.ID
}

// receive finds out who has sent a message, and answers them in their language.
func (b *Bot) receive(ctx context.Context, m message.Incoming) ([]message.Message, error) {
	met := true
	if m.Arrived {
		met, _ = b.Users.Met(ctx, m.From.Address) // what cannot be read is found out next
	}
	visit := user.Visit{Person: m.From.Address, Name: m.From.Name, Place: m.Place, Server: m.Server, Private: m.Private, Locale: m.From.Locale, Spoken: m.Spoken}
	seen, err := b.Users.Receive(ctx, visit, m.Key(), m.Author)
	switch {
	case err != nil:
		return nil, err
	case seen.Again != nil && seen.Again.Kind == event.Forgot:
		return []message.Message{{Text: words.Say("person.forgotten")}}, nil // they are not met again for that
	}
	r := Request{Msg: m, Me: seen.Person, Here: seen.Place, Server: seen.Server, Stranger: !met}
	said, err := b.answer(ctx, r, seen.Again, seen.Told)
	all := replies(said)
	if err == nil && r.Stranger && said != nil && said.Ack {
		all = append(all, welcome(ctx, b, r, said.About)...)
	}
	for i := range all {
		if r.alone() != 0 && !m.Outside && b.Pages() != "" {
			all[i].AddPage()
		}
		all[i].For(b.audience(r))
	}
	return all, err
}

// answer does what a request asks for, and says what came of it; of what was done before it says that again.
func (b *Bot) answer(ctx context.Context, r Request, again *event.Done, told string) (*message.Message, error) {
	m := r.Msg
	switch {
	case again == nil:
	case again.Kind == event.Refused:
		return b.refusedAgain(ctx, r, told)
	case again.Told():
		return r.done(*again, nil)
	}
	b.Metrics.Message(m.Place.Platform, m.Press != "")
	if m.Press != "" {
		said, reads, refused := b.press(ctx, r)
		said, err := b.finish(ctx, r, reads, said, refused)
		if said != nil {
			said.Settles = b.settled(ctx, m, refused == nil)
		}
		return said, err
	}
	switch {
	case len(m.Text) > maxText:
		b.Metrics.Refusal(unread)
		return r.answer(words.Say("request.too-long")), nil
	case !utf8.ValidString(m.Text), strings.ContainsFunc(m.Text, func(c rune) bool { return unicode.IsControl(c) && !unicode.IsSpace(c) }):
		b.Metrics.Refusal(unread)
		return r.answer(words.Say("request.unreadable")), nil
	}
	if r.Reading = b.Commands.Read(r.Msg.Text); r.Fault != nil {
		b.Metrics.Refusal(unread)
		return r.answer(r.Fault), nil
	}
	if m.Heard != nil {
		r.Game = m.Heard.ID
	}
	plain, l := saidPlainly(r)
	switch {
	case plain != "":
		said, err := answerPlainly(ctx, b, r, plain, l)
		return b.finish(ctx, r, plain != words.GivingUp, said, err)
	case r.Command != nil:
		said, err := obey(ctx, b, r)
		no := err
		if said, err = b.finish(ctx, r, r.reads(), said, err); m.Arrived && no != nil && err == nil {
			said = greetLost(r, said)
		}
		return said, err
	case r.Text == "" && r.Game != 0:
		said, err := showBoard(ctx, b, r)
		return b.finish(ctx, r, true, said, err)
	case r.Text == "":
		return hello(r), nil
	}
	said, err := bareMove(ctx, b, r)
	return b.finish(ctx, r, false, said, err)
}

// obey carries out the command of a request.
func obey(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	c := r.Command
	switch {
	case c.Managers && r.Server.ID == 0:
		return nil, &event.Refusal{Why: event.NoServer}
	case c.Managers && !r.Msg.Manager && !r.reads():
		return nil, &wordedRefusal{Text: words.Say("settings.managers-only")}
	case len(r.Args) > c.Words:
		return r.answer(words.Say("request.odd-word", "word", words.Clip(r.Args[c.Words]))), nil
	case c.Odd != nil:
		var fault words.Text
		if r.Said, fault = b.arguments(r); fault != nil {
			return r.answer(fault), nil
		}
	}
	return c.Run(ctx, b, r)
}

// Services are what the bot asks to have something done, over one store.
type Services struct {
	Store       *storage.Store
	Events      *event.Log
	Match       *match.Service
	Games       *match.Games
	Ratings     *rating.Service
	Users       *user.Users
	Archive     *archive.Archive
	Maintenance *maintenance.Keeper
	Thinker     *computer.Thinker
	Training    *training.Service
	Metrics     *metrics.Metrics // nil where nothing is counted
}

// Roles are those of the store.
func (s *Services) Roles() storage.Roles { return s.Store.Roles() }

// Count lets what happens from now on be counted. It is called before anything happens.
func (s *Services) Count(m *metrics.Metrics) { s.Metrics, s.Match.Metrics = m, m }

// NewServices makes them for the given games. now is the wall clock; coin is tossed for
// colours.
func NewServices(store *storage.Store, variants []*rules.Variant, now func() time.Time, coin func() bool) Services {
	s := Services{Store: store, Events: event.New(store, now)}
	s.Ratings = rating.New(store, s.Events, variants, now)
	s.Match = match.New(store, s.Events, s.Ratings, variants, now, coin)
	s.Games = s.Match.Games
	s.Users = user.New(store, s.Events, s.Ratings, s.Match, now)
	s.Archive = archive.New(store, s.Games)
	s.Training = training.New(store, variants, now)
	s.Thinker = computer.New(store, s.Games, s.Match, now)
	s.Maintenance = maintenance.New(store, s.Events, s.Ratings, s.Match, s.Users, now, s.Training.TellDue, s.Users.SweepSessions)
	return s
}

// LinkCode stands in a web link before a code that is to link accounts; other codes are of
// challenges.
const LinkCode = "link-"

// Platforms are where people get to the bot, as adapters tell it. It is safe for concurrent use.
type Platforms struct {
	webLinks sync.Map     // by platform, what a code is put behind to be a web address that leads there
	away     sync.Map     // platforms on which the bot is not at the moment
	only     atomic.Value // the platform beside which there is no other; nil if there are several
	pages    atomic.Value // the web address of the pages on which people play too; nil if there are none
}

// WebLink tells the bot by which web address people get to it on a platform; with a code put
// behind it, they bring that along.
func (p *Platforms) WebLink(platform, address string) { p.webLinks.Store(platform, address) }

// Away tells the bot that it is not on a platform at the moment, or is there again.
func (p *Platforms) Away(platform string, away bool) {
	if away {
		p.away.Store(platform, nil)
	} else {
		p.away.Delete(platform)
	}
}

// Missing are the platforms on which the bot should be and is not.
func (p *Platforms) Missing() (platforms []string) {
	for platform := range p.away.Range {
		platforms = append(platforms, platform.(string))
	}
	slices.Sort(platforms)
	return platforms
}

// IsOnly reports whether people get to the bot on a platform alone.
func (p *Platforms) IsOnly(platform string) bool { return p.only.Load() == platform }

// Only tells the bot that people get to it on one platform alone.
func (p *Platforms) Only(platform string) { p.only.Store(platform) }

// ServePages tells the bot at which web address, without a slash at its end, people play on pages too.
func (p *Platforms) ServePages(address string) { p.pages.Store(address) }

// Pages is that address, "" if there are no pages.
func (p *Platforms) Pages() string {
	address, _ := p.pages.Load().(string)
	return address
}

// Address is a web address by which the bot is reached with a code on a platform other than
// one, "" if there is none.
func (p *Platforms) Address(code, other string) string {
	for platform, before := range p.webLinks.Range {
		if platform != other {
			return before.(string) + code
		}
	}
	return ""
}

// AsOfNow is that of storage, for an adapter that reads before it hands a message on.
func AsOfNow(ctx context.Context) context.Context { return storage.AsOfNow(ctx) }

// ErrNotSaved is about adapter state that cannot be kept now; it is logged once for all.
var ErrNotSaved = storage.ErrNotSaved
