package bot

import (
	"context"
	"strings"

	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/bot/words"
	"chimera/storage"
)

// request is what somebody asks for by a text or a button.
type request struct {
	reading
	msg    Message
	me     storage.Person
	here   storage.Place
	server storage.Server // that it is in; zero for a private chat
	sight  *match.Sight   // the game of a button that was looked at already, or nil
}

// reads reports whether a request changes nothing, so that there is no harm in carrying it
// out again.
func (r *request) reads() bool { return len(r.args) < r.command.reads }

// run carries out the command of a request.
func (b *Bot) run(ctx context.Context, r request) ([]Note, error) {
	c := r.command
	switch {
	case c.Managers && r.server.ID == 0:
		return nil, &inbox.Refusal{Why: inbox.NoServer}
	case c.Managers && !r.msg.Manager && !r.reads():
		return nil, &errWords{text: words.ManagersOnly()}
	case len(r.args) > c.words:
		return r.answer(words.TooMany(r.args[c.words])), nil
	}
	return c.run(b, ctx, r)
}

// answer is a note to the person who asked.
func (r request) answer(t words.Text) []Note { return []Note{{To: r.me.ID, Text: t}} }

func (r request) by() inbox.By {
	return inbox.By{Person: r.me.ID, Place: r.here.ID, Message: r.msg.key()}
}

// names reports whether a word is meant for a person.
func (r request) names(word string) bool {
	_, ok := r.msg.People[strings.ToLower(word)]
	return ok || strings.HasPrefix(word, "@")
}

// with is the request with another word in the place of one.
func (r request) with(word, other string) string {
	said := []string{r.name}
	for _, arg := range r.args {
		if arg == word {
			arg = other
		}
		said = append(said, words.Clip(arg))
	}
	return strings.Join(said, " ")
}

// does is how something is done in a game.
type does = func(context.Context, inbox.By, storage.GameID) (inbox.Done, error)

// with gives what is done its last argument.
func with[T any](do func(context.Context, inbox.By, storage.GameID, T) (inbox.Done, error), last T) does {
	return func(ctx context.Context, by inbox.By, id storage.GameID) (inbox.Done, error) {
		return do(ctx, by, id, last)
	}
}

// inGame does something in the game in progress that is meant.
func inGame(what func(*Bot) does) handler {
	return func(b *Bot, ctx context.Context, r request) ([]Note, error) {
		id, err := b.meant(ctx, r, anyGame)
		if err != nil {
			return nil, err
		}
		d, err := what(b)(ctx, r.by(), id)
		return b.done(r, d, err)
	}
}
