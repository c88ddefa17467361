package words

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/user"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Refusal says why a request was refused.
func Refusal(no *event.Refusal) Text {
	return Say("refused."+Kebab(string(no.Why)), "game", no.Game,
		"challenges", limit.Challenges, "room-challenges", limit.RoomChallenges, "games", limit.Games, "practices", limit.Practices, "follows", limit.Follows, "blocks", limit.Blocks, "hidden", limit.Hidden,
		"guesses", limit.Guesses, "links", limit.LinksPerDay, "days", int(match.MaxMove/match.Day), "bank", int(match.MaxBank/match.Day))
}

// Unknown is said of a text that is no move and no command; near is what may have been meant.
func Unknown(text, near string) Text {
	if strings.HasPrefix(text, "/") {
		text, _, _ = strings.Cut(text, " ")
	}
	return Say(Either(near == "", "request.unknown", "request.unknown-near"), "word", Clip(text), "command", near)
}

// CommandCalled is the command that is called so in any language, "" if none or several are.
func CommandCalled(word string) string { return commandNames()[strings.ToLower(word)] }

// commandNames are the commands by what they are called in all languages.
var commandNames = sync.OnceValue(func() map[string]string { //nolint:gochecknoglobals // read once, never written
	names := map[string]string{}
	for _, l := range phrase.Languages() {
		for key, called := range book.All(l) {
			name, ok := strings.CutPrefix(strings.TrimSuffix(key, "-also"), "command-name.")
			if !ok {
				continue
			}
			for word := range strings.SplitSeq(called.String(), ", ") {
				if other, taken := names[word]; !taken {
					names[word] = name
				} else if other != name {
					names[word] = "" // it could mean both
				}
			}
		}
	}
	return names
})

// Called is what a word is called that can be chosen for an argument.
func Called(word string) phrase.Phrase {
	key := "choice." + word
	return Either(book.Has(key), book.Say(key), phrase.As(word))
}

// Level is one of the computer's, where one is chosen: it plays about as well as some people do.
func Level(level int) phrase.Phrase {
	return book.Say("computer.choice", "level", level, "player", book.Say("computer.players", "level", level))
}

// Levels are all of them.
func Levels() (all []phrase.Phrase) {
	for level := range match.Levels + 1 {
		all = append(all, Level(level))
	}
	return all
}

// Waits says in how many games the computer thinks, and in what time it has a move in the one that is
// looked at; nothing where that is hardly worth a word.
func Waits(games int, in time.Duration) Text {
	return If(in >= 3*time.Second, Say("computer.waits", "n", games, "span", Length(in))...)
}

// Topic is something that one wants to do.
type Topic struct {
	Name     string // start, game, look, people or account
	Commands []string
}

// HelpTopic lists the commands of a topic, each with what it is called in a language besides.
func HelpTopic(t Topic, l phrase.Language) Text {
	commands := Each(t.Commands, func(name string) Text {
		called := book.Say("command-name." + name).Text(l)
		return Say("help.line", "command", name, "called", Either(called == name, nil, Of(" (", same(called), ")")), "about", book.Say("command."+name))
	})
	return Say("help.topic", "topic", TopicName(t), "commands", phrase.Lines(commands))
}

// TopicName is what a topic is about.
func TopicName(t Topic) phrase.Phrase { return book.Say("help.topic-name", "topic", t.Name) }

// Status tells how the bot is: on which platforms it is not, and which records are in quarantine.
func Status(about string, missing []string, quarantined []storage.Quarantined) Text {
	var trouble []Text
	if len(quarantined) > 0 {
		first := quarantined[:min(len(quarantined), limit.Listed)]
		names := Each(first, func(q storage.Quarantined) phrase.Phrase { return recordName(q.Ref) })
		if more := len(quarantined) - len(first); more > 0 {
			names = append(names, book.Say("help.more-records", "n", more))
		}
		trouble = append(trouble, Say("help.status-damaged", "records", phrase.Commas(names)))
	}
	trouble = append(trouble, If(len(missing) > 0, Say("help.status-away", "platforms", phrase.Or(Each(missing, platformName))))...)
	return Say(Either(trouble == nil, "help.status-well", "help.status-trouble"), "about", about, "trouble", phrase.Spaced(trouble))
}

// recordName is what people call a record.
func recordName(ref storage.Ref) phrase.Phrase {
	key := "help.record-" + ref.Kind
	return Either(book.Has(key), book.Say(key, "id", ref.ID), phrase.As(fmt.Sprint(ref.Kind, " ", ref.ID)))
}

func platformName(key string) string {
	return cmp.Or(map[string]string{"discord": "Discord", "telegram": "Telegram"}[key], key)
}

// LinkTo is a code that links another account.
func LinkTo(secret, address string) Text {
	opens := If(address != "", Say("person.link-open", "address", Address(address))...)
	return Join(" ", Say("person.link-to", "code", secret, "time", Length(match.LinkFor)), opens, Say("person.link-care"))
}

// SureToLink asks who would become another.
func SureToLink(u user.Merge) Text {
	return Say("person.link-sure", "player", u.Into.Name, "platforms", platformsOf(u.Into), "joins", joins(u), "code", u.Code)
}

// SureToGive asks whom another would become.
func SureToGive(u user.Merge) Text {
	return Say("person.give-sure", "player", u.From.Name, "platforms", platformsOf(u.From), "joins", joins(u))
}

// joins tells what a link joins.
func joins(u user.Merge) phrase.Phrase {
	some := Either(u.Played == 0, "person.link-playing", Either(u.Playing == 0, "person.link-played", "person.link-games"))
	return book.Say(Either(u.Playing+u.Played == 0, "person.link-no-games", some), "playing", u.Playing, "played", u.Played, "rated", u.Rated)
}

// platformsOf is where a person has accounts.
func platformsOf(p storage.Person) phrase.List {
	return phrase.And(Each(p.Identities, func(a storage.Address) string { return platformName(a.Platform) }))
}

// Settings are a person's.
func Settings(all []user.Setting) Text { return Say("settings.yours", "settings", settingLines(all)) }

// SettingsTable has settings in rows below heads.
func SettingsTable(all []user.Setting) [][]Text {
	return append([][]Text{{Say("table.setting"), Say("table.value")}}, Each(all, func(s user.Setting) []Text {
		return []Text{Of(SettingName(s.Name), " (", same(s.Name), ")"), Of(SettingValue(s.Value), Either(s.Others > 0, fmt.Sprint(" +", s.Others), ""))}
	})...)
}

func settingLines(all []user.Setting) phrase.List {
	return phrase.Lines(Each(all, func(s user.Setting) Text {
		return Say("settings.short", "name", SettingName(s.Name), "setting", s.Name, "value", SettingValue(s.Value), "others", s.Others)
	}))
}

// SettingName is what a setting is called where nobody types it.
func SettingName(name string) phrase.Phrase { return book.Say("settings.name." + name) }

// SettingCalled reports whether a word is a setting's name, or what it is called in any language.
func SettingCalled(name, word string) bool {
	return strings.EqualFold(name, word) || Says(SettingName(name), word)
}

// Says reports whether a word says something in any language.
func Says(p phrase.Phrase, word string) bool {
	return slices.ContainsFunc(phrase.Languages(), func(l phrase.Language) bool { return phrase.Fold(p.Text(l)) == phrase.Fold(word) })
}

// SettingValue is what a value of a setting is called there.
func SettingValue(value string) phrase.Phrase {
	key := "settings.value." + value
	return Either(book.Has(key), book.Say(key), phrase.As(value))
}

// IsValue reports whether a word says a value of a setting in any language.
func IsValue(value, word string) bool {
	also := "value-also." + value
	return Says(SettingValue(value), word) || book.Has(also) && slices.Contains(saidIn(book.Say(also))(), bare(word))
}

// SettingDone tells what a setting is that was just chosen, a time of day in its time zone.
func SettingDone(s user.Setting, zone string) Text {
	timed := (s.Name == user.SetPuzzle || s.Name == user.SetQuiet) && s.Value != "off"
	return Say("settings.done", "name", SettingName(s.Name), "value", SettingValue(s.Value), "zone", Either(timed, " ("+zone+")", ""), "others", s.Others)
}

// AboutSetting tells what a setting is about.
func AboutSetting(name string) phrase.Phrase { return book.Say("settings.about." + name) }

// ServerSettings are a server's, and who is hidden there.
func ServerSettings(all []user.Setting, hidden []string) Text {
	t := Say("settings.servers", "settings", settingLines(all))
	if len(hidden) == 0 {
		return t
	}
	const most = 10
	names := Each(hidden[:min(len(hidden), most)], func(name string) any { return name })
	if more := len(hidden) - most; more > 0 {
		names = append(names, book.Say("settings.hidden-more", "n", more))
	}
	return Of(t, "\n", Say("settings.hidden", "people", phrase.And(names)))
}

// SettingTakes are the values that a setting may have.
func SettingTakes(name string, games []*rules.Variant) phrase.Phrase {
	themes := Each(diagram.Themes(), func(t diagram.Theme) Span { return same(t.String()) })
	languages := Each(phrase.Languages(), func(l phrase.Language) Span { return same(string(l)) })
	return book.Say("settings.takes."+name, "themes", phrase.Commas(themes), "languages", phrase.Commas(languages),
		"games", Keys(games), "days", int(match.MaxMove/match.Day))
}

// SettingValues are values of a setting that can be chosen: all it takes, or some usual ones. There
// are none where it takes what only a text can tell.
func SettingValues(name string, games []*rules.Variant) (values []string) {
	switch name {
	case user.SetTheme:
		return append([]string{"usual"}, Each(diagram.Themes(), diagram.Theme.String)...)
	case user.SetLanguage:
		return append([]string{"auto"}, Each(phrase.Languages(), func(l phrase.Language) string { return string(l) })...)
	case user.SetGame:
		return Each(games, func(v *rules.Variant) string { return v.Key })
	case user.SetDays:
		for day := range int(match.MaxMove / match.Day) {
			values = append(values, strconv.Itoa(day+1))
		}
		return values
	}
	return strings.Fields(map[string]string{
		user.SetReminders: "all off half 24h 4h 1h", user.SetQuiet: "off 22-7 23-8 0-8", user.SetPuzzle: "off 8:00 12:00 18:00 20:00",
		user.SetCoords: "inside outside off", user.SetSize: "usual small medium large", user.SetRooms: "all here not-here", user.SetLinks: "reset",
		user.SetPieces: "figures letters", user.SetClaim: "auto ask", user.SetVacation: "auto ask", user.SetBoards: "on off", user.SetChat: "on off", user.SetWords: "on off", user.SetThreads: "on off",
		user.SetSeasons: "on off", user.SetBars: "on off", user.SetConfirm: "on off", user.SetBanter: "on off", user.SetTurning: "on off", user.SetMotion: "on off", user.SetPublic: "on off",
	}[name])
}

// Saying is something that people say to the bot in plain words.
type Saying string

// What people say so.
const (
	Greeting   Saying = "greeting"
	HowToBegin Saying = "begin"
	HowToMove  Saying = "move"
	TheRules   Saying = "rules"
	WhoseTurn  Saying = "turn"
	Thanks     Saying = "thanks"
	Farewell   Saying = "bye"
	GoodGame   Saying = "good-game"
)

// wishes are what is said for a command, its words with hyphens.
var wishes = []Saying{"resign", "takeback", "moves", "hint", "review", "profile", "forgetme", "settings-reminders-off", "settings-theme-night"} //nolint:gochecknoglobals // never written

// plain is something that is said in a language.
type plain struct {
	saying   Saying
	language phrase.Language
}

// heard is what is said by which words. Those of two languages are the first one's.
var heard = sync.OnceValue(func() map[string]plain { //nolint:gochecknoglobals // made once, never written
	said := map[string]plain{}
	for _, saying := range append([]Saying{Greeting, HowToBegin, HowToMove, TheRules, WhoseTurn, Thanks, Farewell, GoodGame}, wishes...) {
		for _, l := range phrase.Languages() {
			for words := range strings.SplitSeq(book.Say("heard."+string(saying)).Text(l), ",") {
				if _, known := said[bare(words)]; !known {
					said[bare(words)] = plain{saying, l}
				}
			}
		}
	}
	return said
})

// bare is a text without capitals, accents and signs. Figures stay: Na4 is a move, and "na" a greeting.
func bare(text string) string {
	text = strings.ReplaceAll(phrase.Fold(text), "’", "'")
	return strings.Join(strings.FieldsFunc(text, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsNumber(c) && c != '\'' && c != '-' }), " ")
}

// Heard is what all of a text says in plain words, and in which language; "" if it says something
// else.
func Heard(text string) (Saying, phrase.Language) {
	said := heard()[bare(text)]
	return said.saying, said.language
}

//nolint:gochecknoglobals // made once, never written
var (
	polite    = saidIn(book.Say("heard.please")) // what people add to what they want
	fillers   = saidIn(book.Say("heard.filler")) // what only leads from one thing to the next
	computers = saidIn(book.Say("heard.computer"))
)

// saidIn is what a list with commas says in all languages, without capitals, accents and signs.
func saidIn(list phrase.Phrase) func() []string {
	return sync.OnceValue(func() (all []string) {
		for _, l := range phrase.Languages() {
			for said := range strings.SplitSeq(list.Text(l), ",") {
				all = append(all, bare(said))
			}
		}
		return all
	})
}

// IsComputer reports whether a word names the computer as an opponent.
func IsComputer(word string) bool { return slices.Contains(computers(), bare(word)) }

// IsFiller reports whether a word only leads from one thing to the next, as "the" does.
func IsFiller(word string) bool { return slices.Contains(fillers(), bare(word)) }

// Blunt is the words that somebody has said without signs that stand alone at their end, and without "please".
func Blunt(said []string) []string {
	for n := 1; n <= min(len(said), 3); n++ {
		end := said[len(said)-n:]
		if text := bare(strings.Join(end, " ")); end[0][0] != '@' && (text == "" || slices.Contains(polite(), text)) { // else it names somebody
			return Blunt(said[:len(said)-n])
		}
	}
	return said
}

// Command is the command that is meant, "" if none is.
func (s Saying) Command() string {
	return Either(slices.Contains(wishes, s), strings.ReplaceAll(string(s), "-", " "), "")
}

// IsTalk reports whether that can be said to other people.
func (s Saying) IsTalk() bool { return s == Greeting || s == Thanks || s == Farewell || s == GoodGame }

// IsQuestion reports whether that asks how something is done, and is not for other people.
func (s Saying) IsQuestion() bool {
	return s == HowToBegin || s == HowToMove || s == TheRules || s == WhoseTurn
}
