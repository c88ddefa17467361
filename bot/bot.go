package bot

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"unicode"
	"unicode/utf8"

	"chimera/bot/event"
	"chimera/bot/message"
	"chimera/bot/user"
	"chimera/bot/words"
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
		lost := m.Arrived && b.refusal(ctx, r, err) != nil
		if said, err = b.finish(ctx, r, r.reads(), said, err); err == nil && lost {
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
