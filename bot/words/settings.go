package words

import (
	"strconv"

	"chimera/bot/match"
	"chimera/bot/user"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Settings are a person's.
func Settings(all []user.Setting, games []*rules.Variant) Text {
	return Say("settings.yours", "settings", settingLines(all, games))
}

func settingLines(all []user.Setting, games []*rules.Variant) phrase.List {
	return phrase.Lines(each(all, func(s user.Setting) Text { return Setting(s, games) }))
}

// Setting is one with its value, and what it takes.
func Setting(s user.Setting, games []*rules.Variant) Text {
	return Say("settings.line", "setting", s.Name, "value", s.Value, "others", s.Others,
		"about", AboutSetting(s.Name), "takes", settingTakes(s.Name, games))
}

// AboutSetting tells what a setting is about.
func AboutSetting(name string) phrase.Phrase { return book.Say("settings.about." + name) }

// SettingValues are values of a setting that can be chosen: all it takes, or some usual ones. There
// are none where it takes what only a text can tell.
func SettingValues(name string, games []*rules.Variant) (values []string) {
	switch name {
	case user.SetTheme:
		values = append([]string{"usual"}, each(diagram.Themes(), diagram.Theme.String)...)
	case user.SetLanguage:
		values = append([]string{"auto"}, each(phrase.Languages(), func(l phrase.Language) string { return string(l) })...)
	case user.SetGame:
		values = each(games, func(v *rules.Variant) string { return v.Key })
	case user.SetDays:
		for day := range int(match.MaxMove / match.Day) {
			values = append(values, strconv.Itoa(day+1))
		}
	default:
		values = map[string][]string{
			user.SetReminders: {"all", "off", "half", "24h", "4h", "1h"}, user.SetQuiet: {"off", "22-7", "23-8", "0-8"},
			user.SetClaim: {"auto", "ask"}, user.SetVacation: {"auto", "ask"},
			user.SetBoards: {"on", "off"}, user.SetWords: {"on", "off"}, user.SetThreads: {"on", "off"}, user.SetSeasons: {"on", "off"},
			user.SetBars: {"on", "off"}, user.SetTurning: {"on", "off"}, user.SetMotion: {"on", "off"}, user.SetCoords: {"inside", "outside", "off"},
			user.SetSize: {"usual", "small", "medium", "large"}, user.SetRooms: {"all", "here", "not-here"},
			user.SetLinks:  {"reset"},
			user.SetPuzzle: {"off", "8:00", "12:00", "18:00", "20:00"},
		}[name]
	}
	return values
}

// ServerSettings are a server's, and who is hidden there.
func ServerSettings(all []user.Setting, games []*rules.Variant, hidden []string) Text {
	t := Say("settings.servers", "settings", settingLines(all, games))
	if len(hidden) == 0 {
		return t
	}
	const most = 10
	var names []any
	for _, name := range hidden[:min(len(hidden), most)] {
		names = append(names, name)
	}
	if more := len(hidden) - most; more > 0 {
		names = append(names, book.Say("settings.hidden-more", "n", more))
	}
	return Of(t, "\n", Say("settings.hidden", "people", phrase.And(names)))
}

// NoSetting is said of a name that is none of a person's settings; it may be everyone's.
func NoSetting(name string, everyones bool) Text {
	if everyones {
		return Say("settings.not-yours", "setting", Clip(name))
	}
	return Say("settings.unknown", "setting", Clip(name))
}

// BadValue names the values that a setting takes.
func BadValue(name, value string, games []*rules.Variant) Text {
	return Say("settings.bad-value", "value", Clip(value), "setting", name, "takes", settingTakes(name, games))
}

// BadZone names the time zone that may have been meant, if there is one.
func BadZone(value, near string, here bool) Text {
	if near != "" {
		return Say("settings.bad-zone-near", "value", Clip(value), "near", near, "here", here)
	}
	return Say("settings.bad-zone", "value", Clip(value), "setting", user.SetTimezone, "takes", settingTakes(user.SetTimezone, nil))
}

// SettingNeedsValue names the values that a setting takes.
func SettingNeedsValue(name string, games []*rules.Variant) Text {
	return Say("settings.needs-value", "setting", name, "takes", settingTakes(name, games))
}

// settingTakes are the values that a setting may have.
func settingTakes(name string, games []*rules.Variant) phrase.Phrase {
	themes := each(diagram.Themes(), func(t diagram.Theme) Span { return same(t.String()) })
	languages := each(phrase.Languages(), func(l phrase.Language) Span { return same(string(l)) })
	return book.Say("settings.takes."+name, "themes", phrase.Commas(themes), "languages", phrase.Commas(languages),
		"games", keys(games), "days", int(match.MaxMove/match.Day))
}

// Hidden is said of somebody who was taken off the leaderboards, or put there again.
func Hidden(p storage.Person, hidden bool) Text {
	switch {
	case hidden:
		return Say("settings.hidden-here", "player", p.Name)
	case p.Settings.Unranked:
		return Say("settings.shown-but-unranked", "player", p.Name)
	}
	return Say("settings.shown-here", "player", p.Name)
}
