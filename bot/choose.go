package bot

import (
	"context"
	"slices"

	"chimera/bot/ask"
	"chimera/bot/inbox"
	"chimera/bot/note"
	"chimera/bot/people"
	"chimera/bot/words"
	"chimera/rules/phrase"
)

// What buttons do with settings: "setting" and "set" with those of the asker, and with "-here"
// behind it with those of a server.

// listed is a list of settings, each of which can be chosen; here are those of a server.
func listed(r ask.Request, text words.Text, all []people.Setting, here string) []Note {
	notes := r.AnswerAtOnce(text)
	notes[0].Step = r.Msg.Press != ""
	for _, s := range all {
		notes[0].Buttons = append(notes[0].Buttons,
			note.NewButton(phrase.As(s.Name), "setting"+here, 0, note.None, s.Name).Choose(words.AboutSetting(s.Name)))
	}
	return notes
}

// pickSetting lets the value of a setting be chosen among the usual ones.
func pickSetting(here string) ask.Handler {
	return func(_ context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
		all := people.Settings(r.Me.Settings)
		if here != "" {
			all = people.ServerSettings(r.Server.Settings, r.Here.Address)
		}
		i := slices.IndexFunc(all, func(s people.Setting) bool { return s.Name == r.Args[0] })
		if i < 0 {
			return nil, &inbox.Refusal{Why: inbox.NoSuchSetting}
		}
		games := desk.Games.Variants()
		said := Note{To: r.Me.ID, Text: words.Setting(all[i], games), Step: true}
		for _, value := range words.SettingValues(r.Args[0], games) {
			said.Buttons = append(said.Buttons, note.NewButton(phrase.As(value), "set"+here, 0, note.None, r.Args[0], value).Choose(phrase.As("")))
		}
		said.Buttons = append(said.Buttons, note.NewButton(words.Label("back"), "settings"+here, 0, note.None))
		return []Note{said}, nil
	}
}

// setHere gives a setting of the server the value of a button, or shows all of them.
func setHere(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
	switch {
	case r.Server.ID == 0:
		return nil, &inbox.Refusal{Why: inbox.NoServer}
	case !r.Msg.Manager:
		return nil, &ask.Refused{Text: words.Say("settings.managers-only")}
	}
	return serverSettings(ctx, desk, r)
}
