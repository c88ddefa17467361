package bot

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/training"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Request is what somebody asks for by a text or a button.
type Request struct {
	Reading
	Msg      message.Incoming
	Me       storage.Person
	Here     storage.Place
	Server   storage.Server    // that it is in; zero for a private chat
	Said     map[string]string // by the arguments of a command whose order is free, what they are
	Stranger bool              // the author brings a code along, and was never met before
	View     *match.GameView   // the game that it is about, where that was loaded already; else nil
}

// Language is the one in which a request is answered: the author's, unless others see it.
func (r Request) Language() phrase.Language {
	alone := r.Command != nil && r.Command.Whose == AskerAlone
	if r.Msg.Public && r.Server.ID != 0 && !alone {
		return words.LanguageAt(r.Server)
	}
	return words.LanguageOf(r.Me)
}

// zone is the time zone in which a request is answered: likewise.
func (r Request) zone() string {
	if r.Msg.Public && r.Server.ID != 0 {
		return r.Server.Settings.Zone
	}
	return r.Me.Settings.Zone
}

// audience is who sees the answer to a request.
func (b *Bot) audience(r Request) message.Audience {
	return message.Audience{Language: r.Language(), Zone: r.zone(), Look: r.Me.Settings.Look.Else(r.Server.Settings.Look), Pictures: b.Pictures}
}

// location is that time zone, UTC where none is chosen.
func (r Request) location() *time.Location {
	if zone, err := time.LoadLocation(r.zone()); err == nil {
		return zone
	}
	return time.UTC
}

// alone is the asker where nobody else sees the answer, else 0.
func (r Request) alone() storage.PersonID {
	if r.Msg.Private || r.Msg.Alone {
		return r.Me.ID
	}
	return 0
}

// playing are the games in progress of the author, in order of number.
func (b *Bot) playing(ctx context.Context, r Request) ([]storage.Game, error) {
	if r.Msg.Author != nil {
		return slices.Clone(r.Msg.Author.Playing), nil
	}
	return b.Games.Playing(ctx, r.Me.ID)
}

// reads reports whether a request changes nothing, so that there is no harm in carrying it
// out again.
func (r *Request) reads() bool { return len(r.Args) < r.Command.Reads }

// answer is a message to the person who asked.
func (r Request) answer(t words.Text) *message.Message {
	return &message.Message{To: r.Me.ID, Text: t}
}

// answerAtOnce is an answer in the language of those whom the request knows now, which may just
// have been chosen.
func (r Request) answerAtOnce(t words.Text) *message.Message { return r.answer(t.In(r.Language())) }

// by says who makes a request, where and with which message.
func (r Request) by() event.By {
	return event.By{Person: r.Me.ID, Place: r.Here.ID, Message: r.Msg.Key(), Called: r.Msg.From.Mention, Outside: r.Msg.Outside}
}

// names reports whether a word is meant for a person.
func (r Request) names(word string) bool {
	_, ok := r.Msg.People[strings.ToLower(word)]
	return ok || strings.HasPrefix(word, "@")
}

// retyped is the request with another word in the place of one.
func (r Request) retyped(word, other string) string {
	said := []string{r.Name}
	for _, arg := range r.Args {
		if arg == word {
			arg = other
		}
		said = append(said, words.Clip(arg))
	}
	return strings.Join(said, " ")
}

// done answers a request that went well: with a question where a second word is
// wanted, else with what everyone will hear anyway.
func (r Request) done(d event.Done, err error) (*message.Message, error) {
	if err != nil {
		return nil, err
	}
	var text words.Text
	verb := "" // of the buttons that ask whether it is meant
	switch d.Kind {
	case event.ResignAsked:
		text, verb = words.Say("offer.resign-sure", "game", d.Game), "resign"
	case event.AbortAsked:
		text, verb = words.Say("offer.abort-sure", "game", d.Game), "abort"
	case event.DrawAsked:
		text, verb = words.Say("offer.draw-sure", "game", d.Game), "draw"
	case event.AnnulAsked:
		text, verb = words.Say("settings.annul-sure", "game", d.Game), "annul"
	case event.ForgetAsked:
		text, verb = words.Say("person.forget-sure"), "forget"
	case event.Forgot:
		return r.answer(words.Say("person.forgotten")), nil
	default:
		text = words.Say("request.done")
		press, _, _ := strings.Cut(r.Msg.Press, " ")
		if what, sure := strings.CutSuffix(press, "-yes"); sure {
			if d.Kind == event.Ended && what == "draw" {
				what = "agreed"
			}
			text = words.Say("offer.settled", "game", d.Game, "what", what)
		}
		return &message.Message{To: r.Me.ID, Text: text, Ack: true, About: d.Game}, nil
	}
	return &message.Message{To: r.Me.ID, Text: text, Buttons: message.YesNo(verb, d.Game, message.None)}, nil
}

// learner is the asker as somebody who learns.
func (r Request) learner() training.Learner {
	return training.Learner{Person: r.Me, Place: r.Here.ID, Private: r.Msg.Private}
}

// pressers says who may press a button.
type pressers uint8

// Who may press a button.
const (
	anybody pressers = iota
	players          // of its game
	mover            // the player whose turn it is
)

// may refuses somebody who is none of those in the game that the request sees.
func (r *Request) may(be pressers) error {
	_, plays := r.View.Game.SideOf(r.Me.ID)
	switch {
	case be != anybody && !plays:
		return &event.Refusal{Why: event.NotPlaying, Game: r.View.Game.ID}
	case be == mover && r.View.Game.Over():
		return &event.Refusal{Why: event.Over, Game: r.View.Game.ID}
	case be == mover && match.ToMove(&r.View.Game) != r.Me.ID:
		return &event.Refusal{Why: event.NotYourTurn, Game: r.View.Game.ID}
	}
	return nil
}

// Language is the one in which a message is answered.
func (b *Bot) Language(ctx context.Context, m message.Incoming) phrase.Language {
	r, _ := b.Asker(ctx, m)
	return r.Language()
}

// LanguageOf is the one in which a person is told what they alone see.
func LanguageOf(p storage.Person) phrase.Language { return words.LanguageOf(p) }

func one(n message.Message, err error) (*message.Message, error) { return &n, err }

// refusal answers an error that people can do something about, and has the code of its reason, as operators
// see it; it is nil for any other.
func (b *Bot) refusal(ctx context.Context, r Request, err error) (said *message.Message, code string) {
	var illegal *rules.Illegal
	var refused *event.Refusal
	var several *severalGames
	var fault *match.PlanFault
	var with *wordedRefusal
	code = "other" // a sentence of its own
	switch {
	case errors.As(err, &illegal):
		said, code = r.answer(words.Of(illegal.Phrase())), string(illegal.Reason)
	case errors.As(err, &refused):
		said, code = r.answer(b.refused(ctx, r, refused)), string(refused.Why)
	case errors.As(err, &several):
		said, code = b.whichGame(ctx, r, several), "several games"
	case errors.Is(err, errNoGame):
		said, code = r.answer(words.Say("request.no-game")), "no game"
	}
	if errors.As(err, &fault) {
		said = r.answer(words.PlanFault(fault))
	}
	if errors.As(err, &with) {
		said = r.answer(with.Text)
		said.Buttons = with.Buttons
	}
	return said, code
}

// refused adds who is to move, or how the game ended, where that is the reason and the asker may
// see the game.
func (b *Bot) refused(ctx context.Context, r Request, no *event.Refusal) words.Text {
	if no.Why != event.NotYourTurn && no.Why != event.Over {
		return words.Refusal(no)
	}
	view, err := b.Games.LoadFor(ctx, r.by(), no.Game, match.Latest)
	switch {
	case err != nil:
		return words.Refusal(no)
	case no.Why == event.Over:
		return words.IsOver(view)
	}
	return words.NotYourTurn(view)
}

// whichGame asks which of several games is meant, the most urgent first; nil if they cannot be told.
func (b *Bot) whichGame(ctx context.Context, r Request, several *severalGames) *message.Message {
	agenda, _, err := b.Games.Agenda(ctx, event.By{Person: r.Me.ID}, r.Me.ID, limit.Games, nil)
	wanted := slices.DeleteFunc(agenda, func(it match.Item) bool {
		return !slices.ContainsFunc(several.Games, func(g storage.Game) bool { return g.ID == it.Game.ID })
	})
	if err != nil || len(wanted) == 0 {
		return nil
	}
	shown := wanted[:min(len(wanted), limit.Listed)]
	said := r.answer(words.WhichGame(shown, len(wanted)-len(shown), r.Me))
	said.Buttons = inEach(r, shown)
	return said
}

// wordedRefusal is a request that is refused in these words, with what can be done instead.
type wordedRefusal struct {
	Text    words.Text
	Buttons []message.Button
	Why     error // what was refused for a known reason, or nil
}

func (e *wordedRefusal) Error() string { return "bot: refused: " + e.Text.Plain() }

// Unwrap is the reason.
func (e *wordedRefusal) Unwrap() error { return e.Why }

// finish ends a request. What was refused, and might not be another time, is remembered
// first, so that it is not done when its message comes again. A command that was not
// understood never will be; a button may be stale, and not be so another time.
func (b *Bot) finish(ctx context.Context, r Request, reads bool, said *message.Message, err error) (*message.Message, error) {
	told, code := b.refusal(ctx, r, err)
	switch {
	case told != nil:
		b.Metrics.Refusal(code)
		said = told
	case err != nil || r.Msg.Press == "":
		return said, err
	}
	said.Speak(r.Language())
	if r.Msg.ID != "" && !reads {
		text, err := json.Marshal(kept{words.Nameless(said.Text), said.Buttons})
		if err != nil {
			return nil, err
		}
		if err := b.Events.Refused(ctx, r.by(), string(text)); err != nil {
			return nil, err
		}
	}
	said.Text = words.PlainNames(said.Text)
	return said, nil
}

// unread is the code of the reason for which a text is refused that is no command.
const unread = "not understood"

// kept is what is kept of the answer to a request that was refused.
type kept struct {
	Text    words.Text
	Buttons []message.Button `json:",omitempty"`
}

// refusedAgain answers a request that has been refused before, in the same words; there are
// none of what was only heard.
func (b *Bot) refusedAgain(ctx context.Context, r Request, told string) (*message.Message, error) {
	if told == "" {
		return nil, nil
	}
	var before kept
	if err := json.Unmarshal([]byte(told), &before); err != nil {
		return nil, err
	}
	t := before.Text
	for i := range t {
		s := &t[i]
		switch {
		case s.Person != 0:
			name, err := b.Users.Name(ctx, s.Person)
			if err != nil {
				return nil, err
			}
			s.Words = name
		case s.Style == words.Named:
			s.Words = storage.Nobody
		}
	}
	return &message.Message{To: r.Me.ID, Text: words.PlainNames(t), Buttons: before.Buttons}, nil
}

// inEach are buttons that do what is requested in one of some games, if a button can do that.
func inEach(r Request, games []match.Item) (buttons []message.Button) {
	command, args := "move", r.Args
	if r.Command != nil {
		command = r.Name
	}
	for _, p := range allPresses() {
		if p.command != command && p.verb != command || p.words != len(args) || len(p.args) > 0 {
			continue
		}
		for i := range games {
			label := phrase.As(words.Hash(games[i].Game.ID) + " " + games[i].Variant)
			buttons = append(buttons, message.NewButton(label, p.verb, games[i].Game.ID, message.None, args...))
		}
		break
	}
	return buttons
}
