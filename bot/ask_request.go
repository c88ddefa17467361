package bot

import (
	"chimera/bot/course"
	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/bot/note"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
	"strings"
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

// reads reports whether a request changes nothing, so that there is no harm in carrying it
// out again.
func (r *request) reads() bool { return len(r.args) < r.command.reads }

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

// done answers a request that went well: with a question where a second word is
// wanted, else with what everyone will hear anyway.
func (r request) done(d inbox.Done, err error) ([]Note, error) {
	if err != nil {
		return nil, err
	}
	var text words.Text
	verb := "" // of the buttons that ask whether it is meant
	switch d.What {
	case inbox.ResignAsked:
		text, verb = words.Say("offer.resign-sure", "game", d.Game), "resign"
	case inbox.AbortAsked:
		text, verb = words.Say("offer.abort-sure", "game", d.Game), "abort"
	case inbox.AnnulAsked:
		text, verb = words.Say("settings.annul-sure", "game", d.Game), "annul"
	case inbox.ForgetAsked:
		text, verb = words.Say("person.forget-sure"), "forget"
	case inbox.Forgot:
		return r.answer(words.Say("person.forgotten")), nil
	default:
		return []Note{{To: r.me.ID, Text: words.Say("request.done"), Ack: true, About: d.Game}}, nil
	}
	return []Note{{To: r.me.ID, Text: text, Buttons: note.YesNo(verb, d.Game, note.None)}}, nil
}

// seat is the asker as somebody who learns.
func (r request) seat() course.Seat {
	return course.Seat{Person: r.me, Place: r.here.ID, Private: r.msg.Private}
}

// who may press a button.
type who uint8

const (
	anybody who = iota
	players
	mover
)

// may refuses somebody who is none of those in the game that the request sees.
func (r *request) may(be who) error {
	_, plays := r.sight.Game.SideOf(r.me.ID)
	switch {
	case be != anybody && !plays:
		return &inbox.Refusal{Why: inbox.NotPlaying, Game: r.sight.Game.ID}
	case be == mover && r.sight.Game.Over():
		return &inbox.Refusal{Why: inbox.Over, Game: r.sight.Game.ID}
	case be == mover && match.ToMove(&r.sight.Game) != r.me.ID:
		return &inbox.Refusal{Why: inbox.NotYourTurn, Game: r.sight.Game.ID}
	}
	return nil
}
