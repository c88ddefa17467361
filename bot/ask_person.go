package bot

import (
	"chimera/bot/words"
	"chimera/storage"
	"context"
	"errors"
	"strings"
)

// named is the person of a word such as "@bob"; that there is none is refused.
func (desk *Desk) named(ctx context.Context, r request, word string) (storage.Person, error) {
	person, ok := r.msg.People[strings.ToLower(word)]
	if !ok || person.Bot || person.Unmet {
		return storage.Person{}, &errWords{text: words.Nobody(word, r.retyped(word, "@name"))}
	}
	return desk.People.Meet(ctx, person.Address, person.Name)
}

// met is the person of a word such as "@bob", who must have been met before: others have
// done nothing yet that could be shown or answered.
func (desk *Desk) met(ctx context.Context, r request, word string) (storage.Person, error) {
	person, ok := r.msg.People[strings.ToLower(word)]
	if ok && !person.Bot && !person.Unmet {
		switch met, err := desk.People.Met(ctx, person.Address); {
		case err != nil:
			return storage.Person{}, err
		case !met:
			return storage.Person{}, &errWords{text: words.NotMet(person.Name)}
		}
	}
	return desk.named(ctx, r, word)
}

// whose is the person a command is about: the one it names, else who writes it.
func (desk *Desk) whose(ctx context.Context, r request) (storage.Person, error) {
	if len(r.args) == 0 {
		return r.me, nil
	}
	return desk.met(ctx, r, r.args[0])
}

// asker is a person who writes something, and where; zero where they or the place were
// never heard of. False is returned if that cannot be read. Nothing is written.
func (desk *Desk) asker(ctx context.Context, m Message) (request, bool) {
	who, err := desk.People.Known(ctx, m.From.Address, m.Place)
	return request{msg: m, me: who.Person, here: who.Place, server: who.Server}, err == nil || errors.Is(err, storage.ErrNotFound)
}
