package bot

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/storage"
)

// Named is the person of a word such as "@bob"; that there is none is refused.
func (b *Bot) Named(ctx context.Context, r Request, word string) (storage.Person, error) {
	person, ok := r.Msg.People[strings.ToLower(word)]
	if !ok || person.Bot || person.Unmet {
		return storage.Person{}, &Refused{Text: words.Nobody(word, r.retyped(word, "@name"))}
	}
	return b.Users.Meet(ctx, person.Address, person.Name)
}

// Met is the person of a word such as "@bob", who must have been met before: others have
// done nothing yet that could be shown or answered.
func (b *Bot) Met(ctx context.Context, r Request, word string) (storage.Person, error) {
	person, ok := r.Msg.People[strings.ToLower(word)]
	if ok && !person.Bot && !person.Unmet {
		switch met, err := b.Users.Met(ctx, person.Address); {
		case err != nil:
			return storage.Person{}, err
		case !met:
			return storage.Person{}, &Refused{Text: words.NotMet(person.Name)}
		}
	}
	return b.Named(ctx, r, word)
}

// Whose is the person a command is about: the one it names, else who writes it.
func (b *Bot) Whose(ctx context.Context, r Request) (storage.Person, error) {
	if len(r.Args) == 0 {
		return r.Me, nil
	}
	return b.Met(ctx, r, r.Args[0])
}

// Asker is a person who writes something, and where; zero where they or the place were
// never heard of, but for the language of their client. False is returned if that cannot be read. Nothing is written.
func (b *Bot) Asker(ctx context.Context, m message.Incoming) (Request, bool) {
	who, err := b.Users.Known(ctx, m.From.Address, m.Place)
	who.Person.Locale = cmp.Or(m.From.Locale, who.Person.Locale)
	return Request{Msg: m, Me: who.Person, Here: who.Place, Server: who.Server}, err == nil || errors.Is(err, storage.ErrNotFound)
}
