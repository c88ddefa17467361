package bot

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"unicode"
	"unicode/utf8"

	"chimera/bot/inbox"
	"chimera/bot/people"
	"chimera/bot/studio"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Bot answers messages. It is safe for concurrent use.
type Bot struct{ *Desk }

// New makes a Bot. about is its name and version, as people see it.
func New(s Services, log *slog.Logger, about string) *Bot {
	return &Bot{&Desk{Services: s, log: log, about: about, commands: commands, studio: studio.New()}}
}

// maxText is how long a message may be, in bytes; move text and commands are far
// shorter.
const maxText = 1000

// Handle carries a message out and returns what to say to the person it came
// from. What others must hear is in the outbox. The error is of the bot's own
// making, has been logged, and has its note.
func (b *Bot) Handle(ctx context.Context, m Message) ([]Note, error) {
	notes, err := b.handle(ctx, m)
	switch {
	case errors.Is(err, storage.ErrNotSaved):
		b.Upkeep.Stored(ctx, b.log, err)
		notes = []Note{{Text: words.Say("help.cannot-save")}}
	case err != nil:
		b.log.ErrorContext(ctx, "message failed", "platform", m.Place.Platform, "err", err)
		notes = []Note{{To: b.known(ctx, m.From), Text: words.Say("help.went-wrong")}}
	}
	heard, _ := phrase.Match(m.From.Locale)
	for i := range notes {
		notes[i].Speak(heard) // what is in no language yet: nothing is known of the author
	}
	return notes, err
}

// known is the number of somebody who has been met, else 0.
func (b *Bot) known(ctx context.Context, p Person) storage.PersonID {
	person, err := b.People.Meet(ctx, p.Address, p.Name)
	if err != nil {
		return 0
	}
	return person.ID
}

func (b *Bot) handle(ctx context.Context, m Message) ([]Note, error) {
	met := true
	if m.Arrived {
		met, _ = b.People.Met(ctx, m.From.Address) // what cannot be read is found out next
	}
	visit := people.Visit{Person: m.From.Address, Name: m.From.Name, Place: m.Place, Server: m.Server, Private: m.Private, Locale: m.From.Locale, Spoken: m.Spoken}
	seen, again, told, err := b.People.Receive(ctx, visit, m.key())
	switch {
	case err != nil:
		return nil, err
	case again != nil && again.What == inbox.Forgot:
		return []Note{{Text: words.Say("person.forgotten")}}, nil // they are not met again for that
	}
	r := request{msg: m, me: seen.Person, here: seen.Place, server: seen.Server, stranger: !met}
	notes, err := b.carryOut(ctx, r, again, told)
	for i := range notes {
		notes[i].Speak(r.language())
		notes[i].Zoned(r.zone())
		notes[i].SetLook(b.studio, seen.Person.Settings, seen.Server.Settings)
	}
	return notes, err
}

// carryOut answers a request, or if it was answered before, again.
func (b *Bot) carryOut(ctx context.Context, r request, again *inbox.Done, told string) ([]Note, error) {
	m := r.msg
	switch {
	case again == nil:
	case again.What == inbox.Refused:
		return b.refusedAgain(ctx, r, told)
	case again.Told():
		return r.done(*again, nil)
	}
	if m.Press != "" {
		notes, reads, err := b.press(ctx, r)
		return b.finish(ctx, r, reads, notes, err)
	}
	switch {
	case len(m.Text) > maxText:
		return r.answer(words.Say("request.too-long")), nil
	case !utf8.ValidString(m.Text), strings.ContainsFunc(m.Text, func(c rune) bool { return unicode.IsControl(c) && !unicode.IsSpace(c) }):
		return r.answer(words.Say("request.unreadable")), nil
	}
	if r.reading = r.msg.reading(b.commands); r.fault != nil {
		return r.answer(r.fault), nil
	}
	if g := m.HeardIn(); g != nil {
		r.game = g.ID
	}
	said, l := saidPlainly(r)
	switch {
	case said != "":
		notes, err := answerPlainly(ctx, b.Desk, r, said, l)
		return b.finish(ctx, r, said != words.GivingUp, notes, err)
	case r.command != nil:
		notes, err := obey(ctx, b.Desk, r)
		lost := m.Arrived && b.refuse(ctx, r, err) != nil
		notes, err = b.finish(ctx, r, r.reads(), notes, err)
		switch {
		case err != nil:
		case lost:
			notes = greetLost(r, notes)
		case r.stranger && len(notes) == 1 && notes[0].Ack:
			notes = append(notes, welcome(ctx, b.Desk, r, notes[0].About)...)
		}
		return notes, err
	case r.text == "" && r.game != 0:
		notes, err := board(ctx, b.Desk, r)
		return b.finish(ctx, r, true, notes, err)
	case r.text == "":
		return hello(r), nil
	}
	notes, err := bareMove(ctx, b.Desk, r)
	return b.finish(ctx, r, false, notes, err)
}
