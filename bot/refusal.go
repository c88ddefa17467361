package bot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// refusal is the sentence for an error that people can do something about, nil
// for any other.
func (b *Bot) refusal(ctx context.Context, r Request, err error) words.Text {
	var illegal *rules.Illegal
	var refused *event.Refusal
	var several *severalGames
	var fault *match.PlanFault
	var with *wordedRefusal
	switch {
	case errors.As(err, &with):
		return with.Text
	case errors.As(err, &fault):
		return words.PlanFault(fault)
	case errors.As(err, &illegal):
		return words.Of(illegal.Phrase())
	case errors.As(err, &refused):
		return b.refused(ctx, r, refused)
	case errors.As(err, &several):
		return b.whichGame(ctx, several)
	case errors.Is(err, errNoGame):
		return words.Say("request.no-game")
	}
	return nil
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

// candidates are the games that could be meant, the most urgent first; none if they cannot be told.
func (b *Bot) candidates(ctx context.Context, several *severalGames) []match.Item {
	agenda, _, err := b.Games.Agenda(ctx, event.By{Person: several.Me.ID}, several.Me.ID, limit.Games, nil)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(agenda, func(it match.Item) bool {
		return !slices.ContainsFunc(several.Games, func(g storage.Game) bool { return g.ID == it.Game.ID })
	})
}

// whichGame asks which of several games is meant; nil if they cannot be told.
func (b *Bot) whichGame(ctx context.Context, several *severalGames) words.Text {
	wanted := b.candidates(ctx, several)
	if len(wanted) == 0 {
		return nil
	}
	shown := wanted[:min(len(wanted), limit.Listed)]
	return words.WhichGame(shown, len(wanted)-len(shown), several.Me)
}

// wordedRefusal is a request that is refused in these words, with what can be done instead.
type wordedRefusal struct {
	Text    words.Text
	Buttons []message.Button
	Why     error // what was refused for a known reason, or nil
}

func (e *wordedRefusal) Error() string { return "ask: refused: " + e.Text.Plain() }

// Unwrap is the reason.
func (e *wordedRefusal) Unwrap() error { return e.Why }

// finish ends a request. What was refused, and might not be another time, is remembered
// first, so that it is not done when its message comes again. A command that was not
// understood never will be; a button may be stale, and not be so another time.
func (b *Bot) finish(ctx context.Context, r Request, reads bool, said *message.Message, err error) (*message.Message, error) {
	told := b.refusal(ctx, r, err)
	switch {
	case told != nil:
		b.Metrics.Refusal(reasonOf(err))
		said = r.answer(told)
		if with := (*wordedRefusal)(nil); errors.As(err, &with) {
			said.Buttons = with.Buttons
		}
		if several := (*severalGames)(nil); errors.As(err, &several) {
			said.Buttons = inEach(r, b.candidates(ctx, several))
		}
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

// reasonOf is the code of the reason for which a request is refused, as operators see it.
func reasonOf(err error) string {
	var illegal *rules.Illegal
	var refused *event.Refusal
	var several *severalGames
	switch {
	case errors.As(err, &illegal):
		return string(illegal.Reason)
	case errors.As(err, &refused):
		return string(refused.Why)
	case errors.As(err, &several):
		return "several games"
	case errors.Is(err, errNoGame):
		return "no game"
	}
	return "other" // a sentence of its own
}

// kept is what is kept of the answer to a request that was refused.
type kept struct {
	Text    words.Text
	Buttons []message.Button `json:",omitempty"`
}

// UnmarshalJSON reads what was kept; it was the text alone before there were buttons.
func (k *kept) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte("[")) {
		return json.Unmarshal(data, &k.Text)
	}
	type plain kept
	return json.Unmarshal(data, (*plain)(k))
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
		for i := range games[:min(len(games), limit.Listed)] {
			label := phrase.As(words.Hash(games[i].Game.ID) + " " + games[i].Variant)
			buttons = append(buttons, message.NewButton(label, p.verb, games[i].Game.ID, message.None, args...))
		}
		break
	}
	return buttons
}
