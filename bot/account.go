package bot

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"chimera/bot/archive"
	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/storage"
)

// blocking keeps a person's challenges from the asker, or lets them through again.
func blocking(wanted bool) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		if len(r.Args) == 0 {
			return r.answer(words.Say("person.block-whom")), nil
		}
		whom, err := b.named(ctx, r, r.Args[0])
		if err != nil {
			return nil, err
		}
		_, err = b.Users.Block(ctx, r.by(), whom.ID, wanted)
		return r.answer(words.Blocked(whom, wanted)), err
	}
}

func myData(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	record, err := b.Users.Record(ctx, r.Me.ID)
	if err != nil {
		return nil, err
	}
	text, err := archive.Readable(record)
	if err != nil {
		return nil, err
	}
	file := &message.File{Name: "mydata.json", Content: text}
	return &message.Message{To: r.Me.ID, Text: words.Say("person.all-about-you"), File: file}, nil
}

// forgetting forgets the asker, once that is sure.
func forgetting(sure bool) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		return r.done(b.Users.Forget(ctx, r.by(), sure))
	}
}

func stay(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	_, err := b.Users.Stay(ctx, r.by())
	return r.answer(words.Say("person.stays")), err
}

// named is the person of a word such as "@bob"; that there is none is refused.
func (b *Bot) named(ctx context.Context, r Request, word string) (storage.Person, error) {
	person, ok := r.Msg.People[strings.ToLower(word)]
	if !ok || person.Bot || person.Unmet {
		return storage.Person{}, &wordedRefusal{Text: words.Nobody(word, r.retyped(word, "@name"))}
	}
	return b.Users.Meet(ctx, person.Address, person.Name)
}

// met is the person of a word such as "@bob", who must have been met before: others have
// done nothing yet that could be shown or answered.
func (b *Bot) met(ctx context.Context, r Request, word string) (storage.Person, error) {
	person, ok := r.Msg.People[strings.ToLower(word)]
	if ok && !person.Bot && !person.Unmet {
		switch met, err := b.Users.Met(ctx, person.Address); {
		case err != nil:
			return storage.Person{}, err
		case !met:
			return storage.Person{}, &wordedRefusal{Text: words.NotMet(person.Name)}
		}
	}
	return b.named(ctx, r, word)
}

// whose is the person a command is about: the one it names, else who writes it.
func (b *Bot) whose(ctx context.Context, r Request) (storage.Person, error) {
	if len(r.Args) == 0 {
		return r.Me, nil
	}
	return b.met(ctx, r, r.Args[0])
}

// Asker is a person who writes something, and where; zero where they or the place were
// never heard of, but for the language of their client. False is returned if that cannot be read. Nothing is written.
func (b *Bot) Asker(ctx context.Context, m message.Incoming) (Request, bool) {
	who, err := b.Users.Known(ctx, m.From.Address, m.Place)
	who.Person.Locale = cmp.Or(m.From.Locale, who.Person.Locale)
	return Request{Msg: m, Me: who.Person, Here: who.Place, Server: who.Server}, err == nil || errors.Is(err, storage.ErrNotFound)
}

// link gives a code, or asks whether one that another account's person was given is meant;
// "yes" behind it says so. Of a challenge it gives the code with which that is joined.
func link(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if len(r.Args) > 0 {
		return linkWith(ctx, b, r)
	}
	if r.Game != 0 {
		code, err := b.Match.JoinCode(ctx, r.by(), r.Game)
		if err != nil {
			return nil, err
		}
		return r.answer(words.Join(r.Game, code, b.Address(code, ""))), nil
	}
	merge, asked, err := b.Users.AgreedLink(ctx, r.Me.Link)
	switch {
	case err != nil:
		return nil, err
	case asked:
		return one(linkQuestion(merge), nil)
	case b.IsOnly(r.Msg.Place.Platform):
		return nil, &wordedRefusal{Text: words.Say("person.only-here")}
	}
	code, err := b.Users.NewLink(ctx, r.by())
	if err != nil {
		return nil, err
	}
	return r.answer(words.LinkTo(code, b.Address(LinkCode+code, r.Msg.Place.Platform))), nil
}

// linkWith is about a code of another account, or with "yes" and "no" alone about who has
// agreed to the asker's own.
func linkWith(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	code, word := r.Args[0], ""
	if len(r.Args) == 2 {
		word = strings.ToLower(r.Args[1])
	}
	switch own := strings.ToLower(code); {
	case len(r.Args) == 1 && (own == "yes" || own == "no"):
		merge, asked, err := b.Users.AgreedLink(ctx, r.Me.Link)
		if err != nil {
			return nil, err
		}
		if !asked {
			return nil, &event.Refusal{Why: event.NotAsked}
		}
		r.Args = []string{merge.Code}
		return giveLink(own == "yes")(ctx, b, r)
	case word == "yes" || word == "no":
		return agreeLink(word == "yes")(ctx, b, r)
	case word != "":
		return r.answer(words.Say("request.odd-word", "word", words.Clip(r.Args[1]))), nil
	case !match.IsCode(code):
		return r.answer(words.Say("challenge.no-code", "word", words.Clip(code), "length", match.CodeLength, "command", r.Name)), nil
	}
	merge, err := b.Users.LinkWith(ctx, r.by(), code)
	if err != nil {
		return nil, err
	}
	return &message.Message{To: r.Me.ID, Text: words.SureToLink(merge), Buttons: message.YesNo("link", 0, message.None, merge.Code)}, nil
}

// agreeLink is the word of who would become another.
func agreeLink(yes bool) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		if !yes {
			_, err := b.Users.RefuseLink(ctx, r.by(), r.Args[0])
			return r.answer(words.Say("person.link-refused")), err
		}
		_, err := b.Users.AgreeLink(ctx, r.by(), r.Args[0])
		return r.answer(words.Say("person.link-agreed")), err
	}
}

// giveLink is the word of whom another would become.
func giveLink(yes bool) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		if !yes {
			_, err := b.Users.KeepLink(ctx, r.by())
			return r.answer(words.Say("person.link-refused")), err
		}
		_, err := b.Users.GiveLink(ctx, r.by(), r.Args[0])
		return r.answer(words.Say("person.linked")), err
	}
}

func unlink(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if _, err := b.Users.Unlink(ctx, r.by(), r.Msg.From.Address); err != nil {
		return nil, err
	}
	return r.answer(words.Say("person.unlinked")), nil
}
