package bot

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"chimera/bot/ask"
	"chimera/bot/inbox"
	"chimera/bot/people"
	"chimera/bot/typed"
	"chimera/bot/words"
	"chimera/render"
	"chimera/render/palette"
	"chimera/storage"
)

// settings are those of the asker.
func settings(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
	if len(r.Args) > 0 && r.Command.Subs[0].Subs.Find(r.Args[0]) != nil {
		return r.Answer(words.Say("settings.only-for-server", "verb", strings.ToLower(r.Args[0]), "game", max(r.Game, 1))), nil
	}
	if len(r.Args) > 1 && strings.EqualFold(r.Args[0], people.SetLinks) {
		return resetLinks(ctx, desk, r)
	}
	if no, err := choose(ctx, desk, r, desk.People.Choose, false); no != nil || err != nil {
		return no, err
	}
	person, err := desk.People.Meet(ctx, r.Msg.From.Address, r.Msg.From.Name)
	r.Me = person
	all := slices.DeleteFunc(people.Settings(person.Settings), func(s people.Setting) bool {
		return s.Name == people.SetLinks && desk.Pages() == ""
	})
	return listed(r, words.Settings(all, desk.Games.Variants()), all, ""), err
}

// choose gives a setting the value that the asker wants; what else they may have meant is
// answered.
func choose(ctx context.Context, desk *ask.Desk, r ask.Request, choose func(context.Context, inbox.By, string, string) (inbox.Done, error), here bool) ([]Note, error) {
	switch len(r.Args) {
	case 0:
		return nil, nil
	case 1:
		if strings.EqualFold(r.Args[0], "help") {
			return nil, nil // what is shown says what each takes
		}
		return r.Answer(settingAlone(desk, strings.ToLower(r.Args[0]), here)), nil
	}
	if strings.EqualFold(r.Args[0], "help") {
		return r.Answer(settingAlone(desk, strings.ToLower(r.Args[1]), here)), nil
	}
	said := typed.Setting(desk.Games.Variants(), r.Args)
	if len(said) > 2 {
		return r.Answer(words.Say("request.odd-word", "word", words.Clip(said[2]))), nil
	}
	value, ok := looks(said[0], said[1])
	err := error(&inbox.Refusal{Why: inbox.BadValue})
	if ok {
		_, err = choose(ctx, r.By(), said[0], value)
	}
	return nil, settingFault(desk, err, said[0], said[1], here)
}

// settingAlone answers the name of a setting without a value.
func settingAlone(desk *ask.Desk, name string, here bool) words.Text {
	switch {
	case here && !isServers(name):
		return words.Say("settings.unknown-here", "setting", words.Clip(name))
	case !here && !slices.ContainsFunc(people.Settings(storage.Settings{}), func(s people.Setting) bool { return s.Name == name }):
		return words.NoSetting(name, isServers(name))
	}
	return words.SettingNeedsValue(name, desk.Games.Variants())
}

// isServers reports whether a name is that of a server's setting.
func isServers(name string) bool {
	all := people.ServerSettings(storage.ServerSettings{}, storage.Address{})
	return slices.ContainsFunc(all, func(s people.Setting) bool { return s.Name == name })
}

// settingFault says in words why a setting did not get a value, where that is for its name
// or the value.
func settingFault(desk *ask.Desk, err error, name, value string, here bool) error {
	var no *inbox.Refusal
	switch {
	case !errors.As(err, &no):
	case no.Why == inbox.BadValue && name == people.SetTimezone:
		return &ask.Refused{Text: words.BadZone(value, typed.Zone(value), here), Why: no}
	case no.Why == inbox.BadValue:
		return &ask.Refused{Text: words.BadValue(name, value, desk.Games.Variants()), Why: no}
	case no.Why == inbox.NoSuchSetting && here:
		return &ask.Refused{Text: words.Say("settings.unknown-here", "setting", words.Clip(name)), Why: no}
	case no.Why == inbox.NoSuchSetting:
		return &ask.Refused{Text: words.NoSetting(name, isServers(name)), Why: no}
	}
	return err
}

// serverSettings are those of the server, and for its managers who is hidden there.
func serverSettings(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
	if r.Msg.Group && len(r.Args) > 0 && strings.EqualFold(r.Args[0], people.SetThreads) {
		return r.Answer(words.Say("settings.unknown-here", "setting", people.SetThreads)), nil
	}
	if no, err := choose(ctx, desk, r, desk.People.ChooseForServer, true); no != nil || err != nil {
		return no, err
	}
	known, err := desk.People.Known(ctx, r.Msg.From.Address, r.Msg.Place)
	if err != nil {
		return nil, err
	}
	var hidden []string
	for _, p := range known.Server.Settings.Hidden {
		if !r.Msg.Manager {
			break
		}
		name, err := desk.People.Name(ctx, p)
		if err != nil {
			return nil, err
		}
		hidden = append(hidden, name)
	}
	all := slices.DeleteFunc(people.ServerSettings(known.Server.Settings, r.Here.Address), func(s people.Setting) bool {
		return s.Name == people.SetThreads && r.Msg.Group
	})
	r.Server = known.Server
	text := words.ServerSettings(all, desk.Games.Variants(), hidden)
	if !r.Msg.Manager || r.Msg.Group { // a group does not say with a press who manages it
		return r.AnswerAtOnce(text), nil
	}
	return listed(r, text, all, "-here"), nil
}

// hide takes a person off the server's leaderboards, or puts them there again.
func hide(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
	if len(r.Args) != 1 {
		return r.Answer(words.Say("settings.hide-whom", "verb", r.Command.Name)), nil
	}
	whom, err := desk.Named(ctx, r, r.Args[0])
	if err != nil {
		return nil, err
	}
	hidden := r.Command.Name == "hide"
	_, err = desk.People.Hide(ctx, r.By(), whom.ID, hidden)
	return r.Answer(words.Hidden(whom, hidden)), err
}

// annul lets a game of the server change no ratings, at the second word.
func annul(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
	if len(r.Args) == 1 && r.Game == 0 {
		if n, err := strconv.ParseUint(r.Args[0], 10, 63); err == nil {
			r.Game, r.Args = storage.GameID(n), nil
		}
	}
	if len(r.Args) > 0 || r.Game == 0 {
		return r.Answer(words.Say("settings.annul-what")), nil
	}
	return annulling(false)(ctx, desk, r)
}

func annulling(sure bool) ask.Handler {
	return func(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
		d, err := desk.League.Annul(ctx, r.By(), r.Game, sure)
		if err == nil && d.What == inbox.Chose {
			return r.Answer(words.Say("settings.annulled", "game", r.Game)), nil
		}
		return r.Done(d, err)
	}
}

func letCount(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
	_, err := desk.League.LetCount(ctx, r.By(), r.Game)
	return r.Answer(words.Say("settings.still-counts", "game", r.Game)), err
}

// looks reads the value of a setting about how boards look; "usual" is none. Other
// values are none of its business.
func looks(name, value string) (string, bool) {
	_, theme := palette.ParseTheme(strings.ToLower(value))
	_, size := render.ParseSize(strings.ToLower(value))
	switch {
	case name != people.SetTheme && name != people.SetSize:
		return value, true
	case strings.EqualFold(value, "usual"):
		return "", true
	}
	return value, name == people.SetTheme && theme || name == people.SetSize && size
}
