package bot

import (
	"cmp"
	"context"
	"strings"

	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

// request is what somebody asks for by a text or a button.
type request struct {
	reading
	msg      Message
	me       storage.Person
	here     storage.Place
	server   storage.Server    // that it is in; zero for a private chat
	said     map[string]string // by the arguments of a command whose order is free, what they are
	stranger bool              // the author brings a code along, and was never met before
	sight    *match.Sight      // the game of a button that was looked at already, or nil
}

// language is the one in which a request is answered: the author's, unless others see it.
func (r request) language() phrase.Language {
	alone := r.command != nil && r.command.Whose == AskerAlone
	if r.msg.Public && r.server.ID != 0 && !alone {
		return words.LanguageAt(r.server)
	}
	return words.LanguageOf(r.me)
}

// zone is the time zone in which a request is answered: likewise.
func (r request) zone() string {
	if r.msg.Public && r.server.ID != 0 {
		return r.server.Settings.Zone
	}
	return r.me.Settings.Zone
}

// alone is the asker where nobody else sees the answer, else 0.
func (r request) alone() storage.PersonID {
	if r.msg.Private || r.msg.Alone {
		return r.me.ID
	}
	return 0
}

// Language is the one in which a message is answered.
func (b *Bot) Language(ctx context.Context, m Message) phrase.Language {
	r, _ := b.asker(ctx, m) // where nobody is known, their client's is
	r.me.Locale = cmp.Or(m.From.Locale, r.me.Locale)
	return r.language()
}

// LanguageOf is the one in which a person is told what they alone see.
func LanguageOf(p Member) phrase.Language { return words.LanguageOf(p) }

// reads reports whether a request changes nothing, so that there is no harm in carrying it
// out again.
func (r *request) reads() bool { return len(r.args) < r.command.reads }

// obey carries out the command of a request.
func obey(ctx context.Context, desk *Desk, r request) ([]Note, error) {
	c := r.command
	switch {
	case c.Managers && r.server.ID == 0:
		return nil, &inbox.Refusal{Why: inbox.NoServer}
	case c.Managers && !r.msg.Manager && !r.reads():
		return nil, &errWords{text: words.Say("settings.managers-only")}
	case len(r.args) > c.words:
		return r.answer(words.Say("request.odd-word", "word", words.Clip(r.args[c.words]))), nil
	case c.odd != nil:
		var fault words.Text
		if r.said, fault = desk.arguments(r); fault != nil {
			return r.answer(fault), nil
		}
	}
	return c.run(ctx, desk, r)
}

// answer is a note to the person who asked.
func (r request) answer(t words.Text) []Note { return []Note{{To: r.me.ID, Text: t}} }

// answerAtOnce is an answer in the language of those whom the request knows now, which may just
// have been chosen.
func (r request) answerAtOnce(t words.Text) []Note { return r.answer(t.In(r.language())) }

func (r request) by() inbox.By {
	return inbox.By{Person: r.me.ID, Place: r.here.ID, Message: r.msg.key(), Called: r.msg.From.Mention}
}

// names reports whether a word is meant for a person.
func (r request) names(word string) bool {
	_, ok := r.msg.People[strings.ToLower(word)]
	return ok || strings.HasPrefix(word, "@")
}

// retyped is the request with another word in the place of one.
func (r request) retyped(word, other string) string {
	said := []string{r.name}
	for _, arg := range r.args {
		if arg == word {
			arg = other
		}
		said = append(said, words.Clip(arg))
	}
	return strings.Join(said, " ")
}

// inMatch does something in the game in progress that is meant.
func inMatch[T any](do func(*match.Service, context.Context, inbox.By, storage.GameID, T) (inbox.Done, error), how T) handler {
	return func(ctx context.Context, desk *Desk, r request) ([]Note, error) {
		id, err := desk.meant(ctx, r, anyGame)
		if err != nil {
			return nil, desk.orOver(ctx, r, err)
		}
		return r.done(do(desk.Match, ctx, r.by(), id, how))
	}
}

// toChallenge answers the challenge below which a button was pressed.
func toChallenge(how match.Answer) handler {
	return func(ctx context.Context, desk *Desk, r request) ([]Note, error) {
		return r.done(desk.Challenges.AnswerChallenge(ctx, r.by(), r.game, how))
	}
}
