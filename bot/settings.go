package bot

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"chimera/bot/command"
	"chimera/bot/event"
	"chimera/bot/message"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/render"
	"chimera/render/diagram"
	"chimera/rules/phrase"
	"chimera/storage"
)

// settings are those of the asker.
func settings(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if len(r.Args) > 0 && r.Command.Subs[0].Subs.Find(r.Args[0]) != nil {
		return r.answer(words.Say("settings.only-for-server", "verb", strings.ToLower(r.Args[0]), "game", max(r.Game, 1))), nil
	}
	if len(r.Args) > 1 && strings.EqualFold(r.Args[0], user.SetLinks) {
		return resetLinks(ctx, b, r)
	}
	no, err := choose(ctx, b, r, b.Users.Choose, false)
	if no != nil || err != nil {
		return no, err
	}
	r.Me, err = b.Users.Meet(ctx, r.Msg.From.Address, r.Msg.From.Name)
	all := settingsOf(b, r, false)
	return listed(r, words.Settings(all, b.Games.Variants()), all, ""), err
}

// settingsOf are the settings of the asker, or of the server where they are, that can be chosen there.
func settingsOf(b *Bot, r Request, here bool) []user.Setting {
	all := user.Settings(r.Me.Settings)
	if here {
		all = user.ServerSettings(r.Server.Settings, r.Here.Address)
	}
	return slices.DeleteFunc(all, func(s user.Setting) bool {
		return s.Name == user.SetLinks && b.Pages() == "" || s.Name == user.SetThreads && r.Msg.Group
	})
}

// find is the place of a setting among some, -1 if it is none of them.
func find(all []user.Setting, name string) int {
	return slices.IndexFunc(all, func(s user.Setting) bool { return s.Name == name })
}

// isServers reports whether a name is that of a server's setting.
func isServers(name string) bool {
	return find(user.ServerSettings(storage.ServerSettings{}, storage.Address{}), name) >= 0
}

// choose gives a setting the value that the asker wants; what else they may have meant is
// answered.
func choose(ctx context.Context, b *Bot, r Request, choose func(context.Context, event.By, string, string) (event.Done, error), here bool) (*message.Message, error) {
	if len(r.Args) == 0 {
		return nil, nil
	}
	help := strings.EqualFold(r.Args[0], "help")
	switch {
	case help && len(r.Args) == 1:
		return nil, nil // what is shown says what each takes
	case help || len(r.Args) == 1:
		return r.answer(settingAlone(b, strings.ToLower(r.Args[min(len(r.Args)-1, 1)]), here)), nil
	}
	said := command.Setting(b.Games.Variants(), r.Args)
	if len(said) > 2 {
		return r.answer(words.Say("request.odd-word", "word", words.Clip(said[2]))), nil
	}
	value, ok := looks(said[0], said[1])
	err := error(&event.Refusal{Why: event.BadValue})
	if ok {
		_, err = choose(ctx, r.by(), said[0], value)
	}
	return nil, settingFault(b, err, said[0], said[1], here)
}

// settingAlone answers the name of a setting without a value.
func settingAlone(b *Bot, name string, here bool) words.Text {
	switch {
	case here && !isServers(name):
		return words.Say("settings.unknown-here", "setting", words.Clip(name))
	case !here && find(user.Settings(storage.Settings{}), name) < 0:
		return words.NoSetting(name, isServers(name))
	}
	return words.SettingNeedsValue(name, b.Games.Variants())
}

// settingFault says in words why a setting did not get a value, where that is for its name
// or the value.
func settingFault(b *Bot, err error, name, value string, here bool) error {
	var no *event.Refusal
	switch {
	case !errors.As(err, &no):
	case no.Why == event.BadValue && name == user.SetTimezone:
		return &wordedRefusal{Text: words.BadZone(value, command.Zone(value), here), Why: no}
	case no.Why == event.BadValue:
		return &wordedRefusal{Text: words.BadValue(name, value, b.Games.Variants()), Why: no}
	case no.Why == event.NoSuchSetting && here:
		return &wordedRefusal{Text: words.Say("settings.unknown-here", "setting", words.Clip(name)), Why: no}
	case no.Why == event.NoSuchSetting:
		return &wordedRefusal{Text: words.NoSetting(name, isServers(name)), Why: no}
	}
	return err
}

// serverSettings are those of the server, and for its managers who is hidden there.
func serverSettings(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if r.Msg.Group && len(r.Args) > 0 && strings.EqualFold(r.Args[0], user.SetThreads) {
		return r.answer(words.Say("settings.unknown-here", "setting", user.SetThreads)), nil
	}
	if no, err := choose(ctx, b, r, b.Users.ChooseForServer, true); no != nil || err != nil {
		return no, err
	}
	known, err := b.Users.Known(ctx, r.Msg.From.Address, r.Msg.Place)
	if err != nil {
		return nil, err
	}
	r.Server = known.Server
	var hidden []string
	if r.Msg.Manager {
		for _, p := range r.Server.Settings.Hidden {
			name, err := b.Users.Name(ctx, p)
			if err != nil {
				return nil, err
			}
			hidden = append(hidden, name)
		}
	}
	all := settingsOf(b, r, true)
	text := words.ServerSettings(all, b.Games.Variants(), hidden)
	if !r.Msg.Manager || r.Msg.Group { // a group does not say with a press who manages it
		return r.answerAtOnce(text), nil
	}
	return listed(r, text, all, "-here"), nil
}

// looks reads the value of a setting about how boards look; "usual" is none. Other
// values are none of its business.
func looks(name, value string) (read string, ok bool) {
	switch {
	case name != user.SetTheme && name != user.SetSize:
		return value, true
	case strings.EqualFold(value, "usual"):
		return "", true
	case name == user.SetTheme:
		_, ok = diagram.ParseTheme(strings.ToLower(value))
	default:
		_, ok = render.ParseSize(strings.ToLower(value))
	}
	return value, ok
}

// What buttons do with settings: "setting" and "set" with those of the asker, and with "-here"
// behind it with those of a server.

// listed is a list of settings, each of which can be chosen; here are those of a server.
func listed(r Request, text words.Text, all []user.Setting, here string) *message.Message {
	said := r.answerAtOnce(text)
	said.Step = r.Msg.Press != ""
	for _, s := range all {
		said.Buttons = append(said.Buttons,
			message.NewButton(phrase.As(s.Name), "setting"+here, 0, message.None, s.Name).Choose(words.AboutSetting(s.Name)))
	}
	return said
}

// pickSetting lets the value of a setting be chosen among the usual ones.
func pickSetting(here string) handler {
	return func(_ context.Context, b *Bot, r Request) (*message.Message, error) {
		all := settingsOf(b, r, here != "")
		i := find(all, r.Args[0])
		if i < 0 {
			return nil, &event.Refusal{Why: event.NoSuchSetting}
		}
		games := b.Games.Variants()
		said := message.Message{To: r.Me.ID, Text: words.Setting(all[i], games), Step: true}
		for _, value := range words.SettingValues(r.Args[0], games) {
			said.Buttons = append(said.Buttons, message.NewButton(phrase.As(value), "set"+here, 0, message.None, r.Args[0], value).Choose(phrase.As("")))
		}
		said.Buttons = append(said.Buttons, message.NewButton(words.Label("back"), "settings"+here, 0, message.None))
		return &said, nil
	}
}

// setHere gives a setting of the server the value of a button, or shows all of them.
func setHere(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	switch {
	case r.Server.ID == 0:
		return nil, &event.Refusal{Why: event.NoServer}
	case !r.Msg.Manager:
		return nil, &wordedRefusal{Text: words.Say("settings.managers-only")}
	}
	return serverSettings(ctx, b, r)
}

// hide takes a person off the server's leaderboards, or puts them there again.
func hide(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if len(r.Args) != 1 {
		return r.answer(words.Say("settings.hide-whom", "verb", r.Command.Name)), nil
	}
	hidden := r.Command.Name == "hide"
	whom, err := b.named(ctx, r, r.Args[0])
	if err == nil {
		_, err = b.Users.Hide(ctx, r.by(), whom.ID, hidden)
	}
	return r.answer(words.Hidden(whom, hidden)), err
}

// annul takes a game of the server out of its leaderboards, at the second word.
func annul(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if len(r.Args) == 1 && r.Game == 0 {
		if n, err := strconv.ParseUint(r.Args[0], 10, 63); err == nil {
			r.Game, r.Args = storage.GameID(n), nil
		}
	}
	if len(r.Args) > 0 || r.Game == 0 {
		return r.answer(words.Say("settings.annul-what")), nil
	}
	return annulling(false)(ctx, b, r)
}

func annulling(sure bool) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		d, err := b.Ratings.LeaveOut(ctx, r.by(), r.Game, sure)
		if err == nil && d.Kind == event.Chose {
			return r.answer(words.Say("settings.annulled", "game", r.Game)), nil
		}
		return r.done(d, err)
	}
}
