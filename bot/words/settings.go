package words

import (
	"fmt"
	"strings"

	"chimera/bot/people"
	"chimera/render"
	"chimera/rules"
	"chimera/storage"
)

func Settings(all []people.Setting) Text {
	t := Say("Your settings:")
	for _, s := range all {
		t = append(t, Say("\n", same(s.Name+" "+s.Value), ": ", settingHelp(s.Name))...)
	}
	return append(t, Say("\nChange one as in ", code("settings quiet 22-7"), ".")...)
}

func ServerSettings(all []people.Setting, hidden []string) Text {
	t := Say("Settings for everyone here:")
	for _, s := range all {
		t = append(t, Say("\n", same(s.Name+" "+s.Value), ": ", settingHelp(s.Name))...)
	}
	t = append(t, Say("\nManagers can change one as in ", code("settings here days 5"),
		", take somebody off the leaderboards here with ", code("settings here hide @name"), ", undo that with ", code("settings here unhide @name"),
		", and let a game count for no rating with ", code("settings here annul #12"), ".")...)
	if len(hidden) == 0 {
		return t
	}
	const most = 10
	if more := len(hidden) - most; more > 0 {
		hidden = append(hidden[:most:most], fmt.Sprintf("%d more", more))
	}
	return append(t, Say("\nHidden: ", list(hidden), ".")...)
}

// OnlyForServer tells a word that is about the server how it is written.
func OnlyForServer(verb string, game storage.GameID) Text {
	what := verb + " @name"
	if verb == "annul" {
		what = verb + " " + Hash(max(game, 1))
	}
	return Say("That is for the managers of a server or group: write it there, as in ", code("settings here "+what), ".")
}

func NoSetting(name string, everyones bool) Text {
	if everyones {
		return Say("“", Clip(name), "” is set for everyone in a server or group, by its managers, as in ", code("settings here "+name+" …"), ".")
	}
	return Say("There's no setting “", Clip(name), "”. Write ", code("settings"), " for yours.")
}

func NoServerSetting(name string) Text {
	return Say("There's no setting “", Clip(name), "” for everyone here. Write ", code("settings here"), " for those there are.")
}

// BadValue names the values that a setting takes.
func BadValue(name, value string, games []*rules.Variant) Text {
	return Say("“", Clip(value), "” isn't a valid value: ", code(name), " takes ", settingTakes(name, games), ".")
}

// BadZone names the time zone that may have been meant, if there is one.
func BadZone(value, meant string) Text {
	if meant != "" {
		return Say("I don't know a time zone “", Clip(value), "”. Did you mean ", code("settings timezone "+meant), "?")
	}
	return Say("I don't know a time zone “", Clip(value), "”: ", code(people.SetTimezone), " takes ", settingTakes(people.SetTimezone, nil), ".")
}

// settingTakes are the values that a setting may have.
func settingTakes(name string, games []*rules.Variant) string {
	switch name {
	case people.SetReminders:
		return "all, off, or some of half,24h,4h,1h"
	case people.SetQuiet:
		return "hours such as 22-7, or off"
	case people.SetTimezone:
		return "a name such as Europe/Zurich, America/New_York or UTC"
	case people.SetClaim, people.SetVacation:
		return "auto or ask"
	case people.SetTheme:
		var names []string
		for _, t := range render.Themes() {
			names = append(names, t.String())
		}
		return "usual, " + strings.Join(names, ", ")
	case people.SetSize:
		return "usual, small, medium or large"
	case people.SetGame:
		return "a game by its name or key: " + keys(games)
	case people.SetDays:
		return "a number of days from 1 to 14"
	case people.SetRooms:
		return "all, here or not-here"
	case people.SetLanguage:
		return "auto, en, de, fr, es, pt or ru"
	default:
		return "on or off"
	}
}

func ManagersOnly() Text { return Say("Only managers can change the settings for everyone here.") }

func settingHelp(name string) string {
	switch name {
	case people.SetReminders:
		return "all, off, or some of half,24h,4h,1h before your time is up"
	case people.SetQuiet:
		return "hours of the day in which I do not remind you, such as 22-7, or off"
	case people.SetTimezone:
		return "for those hours, such as Europe/Zurich"
	case people.SetClaim:
		return "auto or ask: whether I claim your wins on time for you in unrated games"
	case people.SetVacation:
		return "auto or ask: whether a vacation begins where you would lose on time"
	case people.SetBoards:
		return "on or off: whether you are on leaderboards"
	case people.SetTheme:
		var names []string
		for _, t := range render.Themes() {
			names = append(names, t.String())
		}
		return "of boards: usual, " + strings.Join(names, ", ")
	case people.SetSize:
		return "of boards: usual, small, medium, large"
	case people.SetGame:
		return "that a challenge means which names none"
	case people.SetDays:
		return "for a move, from 1 to 14, where a challenge names none"
	case people.SetThreads:
		return "on or off: whether a game gets a thread of its own, where that can be"
	case people.SetSeasons:
		return "on or off: whether I tell the final table of each month, where this was turned on"
	case people.SetRooms:
		return "all, here or not-here: where games may be begun"
	case people.SetLanguage:
		return "in which I speak: auto, en, de, fr, es, pt or ru"
	}
	return ""
}

func SettingNeedsValue(name string, games []*rules.Variant) Text {
	return Say("Write the value too: ", code(name), " takes ", settingTakes(name, games), ".")
}

func HideWhom(verb string) Text {
	return Say("Name the person, as in ", code("settings here "+verb+" @name"), ".")
}

func Hidden(p storage.Person, hidden bool) Text {
	switch {
	case hidden:
		return Say("Done: ", p.Name, " is on no leaderboard here.")
	case p.Settings.Unranked:
		return Say("Done: ", p.Name, " is hidden here no more, but has chosen to be on no leaderboard.")
	}
	return Say("Done: ", p.Name, " is on the leaderboards again.")
}

func AnnulWhat() Text { return Say("Name the game, as in ", code("settings here annul #12"), ".") }

func SureToAnnul(id storage.GameID) Text {
	return Say("Really annul game ", Hash(id), "? It counts for no rating then, and there is no way back. Write ",
		code("settings here annul "+Hash(id)), " again within two minutes, or press a button.")
}

func Annulled(id storage.GameID) Text {
	return Say("Done: game ", Hash(id), " counts for no rating any more, as soon as all that hangs on it has been computed again.")
}

func StillCounts(id storage.GameID) Text { return Say("All right, game ", Hash(id), " counts.") }
