package words

import (
	"cmp"
	"fmt"
	"regexp"
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

// Unknown says that a text is no move and no command; near is what may have been meant, "" if unknown.
func Unknown(text, near string) Text {
	if strings.HasPrefix(text, "/") {
		text, _, _ = strings.Cut(text, " ")
	}
	return Say(Either(near == "", "request.unknown", "request.unknown-near"), "word", Clip(text), "command", near)
}

// CommandCalled is the command that a word names in any language, with or without accents; "" if none or several.
func CommandCalled(word string) string { return commandNames()[phrase.Fold(word)] }

var commandNames, settingNames, labels = keysOf("command-name."), keysOf("settings.name."), keysOf("label.") //nolint:gochecknoglobals // read once, never written

// keysOf maps what the book says below a prefix, in all languages, to what follows the prefix in its key, or to "" if it
// could mean several.
func keysOf(prefix string) func() map[string]string {
	return sync.OnceValue(func() map[string]string {
		keys := map[string]string{}
		for _, l := range phrase.Languages() {
			for key, said := range book.All(l) {
				name, ok := strings.CutPrefix(strings.TrimSuffix(key, "-also"), prefix)
				if !ok {
					continue
				}
				for text := range strings.SplitSeq(spelt(said.String()), ", ") {
					text = cmp.Or(bare(text), text)
					other, taken := keys[text]
					keys[text] = Either(taken && other != name, "", name)
				}
			}
		}
		return keys
	})
}

// Called is the name of a word that can be chosen for an argument; the word itself if it has none.
func Called(word string) phrase.Phrase {
	key := "choice." + word
	return Either(book.Has(key), book.Say(key), phrase.As(word))
}

// Level describes a level of the computer by who plays about as well.
func Level(level int) phrase.Phrase {
	return book.Say("computer.choice", "level", level, "player", book.Say("computer.players", "level", level))
}

// Levels lists all levels of the computer, from 0.
func Levels() (all []phrase.Phrase) {
	for level := range match.Levels + 1 {
		all = append(all, Level(level))
	}
	return all
}

// Waits says in how many games the computer is thinking, and how soon it will move in the one that is
// shown; nothing if that is under three seconds.
func Waits(games int, in time.Duration) Text {
	return If(in >= 3*time.Second, Say("computer.waits", "n", games, "span", Length(in))...)
}

var placeholder = regexp.MustCompile(`#?\pL+`)

// Usage is what can follow a command, in which what stands for something else is called as in a language.
func Usage(text string, l phrase.Language) string {
	return placeholder.ReplaceAllStringFunc(text, func(word string) string {
		key := "usage." + word
		return Either(book.Has(key), book.Say(key).Text(l), word)
	})
}

// Topic is something that people want to do, with the commands for it.
type Topic struct {
	Name     string // start, game, look, people or account
	Commands []string
}

// HelpTopic lists the commands of a topic, with their names in a language where those differ.
func HelpTopic(t Topic, l phrase.Language) Text {
	commands := phrase.Each(t.Commands, func(name string) Text {
		called := book.Say("command-name." + name).Text(l)
		return Say("help.line", "command", name, "called", Either(called == name, nil, Of(" (", same(called), ")")), "about", book.Say("command."+name))
	})
	return Say("help.topic", "topic", TopicName(t), "commands", phrase.Lines(commands))
}

// TopicName is the name of a topic.
func TopicName(t Topic) phrase.Phrase { return book.Say("help.topic-name", "topic", t.Name) }

// Status tells how the bot is: which platforms it is away from, and which records are in quarantine.
func Status(about string, missing []string, quarantined []storage.Quarantined) Text {
	var trouble []Text
	if len(quarantined) > 0 {
		first := quarantined[:min(len(quarantined), limit.Listed)]
		names := phrase.Each(first, func(q storage.Quarantined) phrase.Phrase {
			key := "help.record-" + q.Kind
			return Either(book.Has(key), book.Say(key, "id", q.ID), phrase.As(fmt.Sprint(q.Kind, " ", q.ID)))
		})
		if more := len(quarantined) - len(first); more > 0 {
			names = append(names, book.Say("help.more-records", "n", more))
		}
		trouble = append(trouble, Say("help.status-damaged", "records", phrase.Commas(names)))
	}
	trouble = append(trouble, If(len(missing) > 0, Say("help.status-away", "platforms", phrase.Or(phrase.Each(missing, platformName))))...)
	return Say(Either(trouble == nil, "help.status-well", "help.status-trouble"), "about", about, "trouble", phrase.Spaced(trouble))
}

func platformName(key string) string {
	return cmp.Or(map[string]string{"discord": "Discord", "telegram": "Telegram"}[key], key)
}

// LinkTo tells the secret code that links another account, and the address that opens it, "" if there is none.
func LinkTo(secret, address string) Text {
	opens := If(address != "", Say("person.link-open", "address", Address(address))...)
	return Join(" ", Say("person.link-to", "code", secret, "time", Length(match.LinkFor)), opens, Say("person.link-care"))
}

// SureToLink asks a person for confirmation that they become another.
func SureToLink(u user.Merge) Text {
	return Say("person.link-sure", "player", u.Into.Name, "platforms", platformsOf(u.Into), "joins", joins(u), "code", u.Code)
}

// SureToGive asks a person for confirmation that another becomes them.
func SureToGive(u user.Merge) Text {
	return Say("person.give-sure", "player", u.From.Name, "platforms", platformsOf(u.From), "joins", joins(u))
}

// joins tells which games and ratings a link would carry over.
func joins(u user.Merge) phrase.Phrase {
	some := Either(u.Played == 0, "person.link-playing", Either(u.Playing == 0, "person.link-played", "person.link-games"))
	return book.Say(Either(u.Playing+u.Played == 0, "person.link-no-games", some), "playing", u.Playing, "played", u.Played, "rated", u.Rated)
}

// platformsOf lists the platforms on which a person has accounts.
func platformsOf(p storage.Person) phrase.List {
	return phrase.And(phrase.Each(p.Identities, func(a storage.Address) string { return platformName(a.Platform) }))
}

// Settings lists a person's settings.
func Settings(all []user.Setting) Text { return Say("settings.yours", "settings", settingLines(all)) }

// SettingsTable lists settings in rows below a row of headings.
func SettingsTable(all []user.Setting) [][]Text {
	return append([][]Text{{Say("table.setting"), Say("table.value")}}, phrase.Each(all, func(s user.Setting) []Text {
		return []Text{Of(SettingName(s.Name), " (", same(s.Name), ")"), Of(s.Said, Either(s.Others > 0, fmt.Sprint(" +", s.Others), ""))}
	})...)
}

func settingLines(all []user.Setting) phrase.List {
	return phrase.Lines(phrase.Each(all, func(s user.Setting) Text {
		return Say("settings.short", "name", SettingName(s.Name), "setting", s.Name, "value", s.Said, "others", s.Others)
	}))
}

// SettingName is a setting's name to be read rather than typed.
func SettingName(name string) phrase.Phrase { return book.Say("settings.name." + name) }

// SettingNamed is the key of the setting that a text calls so, or by its name in any language; "" if none.
func SettingNamed(text string) string {
	return Either(book.Has("settings.name."+bare(text)), bare(text), settingNames()[bare(text)])
}

// LabelCalled is the key of the label that a text, or an emoji like it, is in any language; "" if none.
func LabelCalled(text string) string {
	return labels()[cmp.Or(bare(text), strings.TrimSuffix(text, "\uFE0F"))]
}

// Says reports whether a text says something in any language.
func Says(p phrase.Phrase, text string) bool { return slices.Contains(bareIn(p), bare(text)) }

// bareIn is a phrase in each language, bare.
func bareIn(p phrase.Phrase) []string {
	return phrase.Each(phrase.Languages(), func(l phrase.Language) string { return bare(p.Text(l)) })
}

// SettingValue is a setting's value, which may be one of some games, to be read rather than typed.
func SettingValue(value string, games []*rules.Variant) phrase.Phrase {
	if v := rules.Find(games, value); v != nil {
		return v.Title()
	}
	key := "settings.value." + value
	return Either(book.Has(key), book.Say(key), phrase.As(value))
}

// Means reports whether a text says a value of a setting, or a word that can be chosen for an argument, such as a level of
// the computer, in any language.
func Means(value, text string) bool {
	known, _ := meanings.Load(value)
	all, _ := known.([]string)
	if all == nil {
		said := []phrase.Phrase{phrase.As(value), Called(value), SettingValue(value, nil)}
		if n, err := strconv.Atoi(value); err == nil {
			said = append(said, Level(n), book.Say("computer.players", "level", n))
		}
		for _, p := range said {
			all = append(all, bareIn(p)...)
		}
		if also := book.Say("value-also." + value); book.Has(also.Key()) {
			all = append(all, saidIn(also)()...)
		}
		meanings.Store(value, all)
	}
	return slices.Contains(all, bare(text))
}

var meanings sync.Map //nolint:gochecknoglobals // what says a value, filled as it is asked for

// SettingDone tells the new value of a setting, with the time zone if it is a time of day.
func SettingDone(s user.Setting, zone string) Text {
	timed := (s.Name == user.SetPuzzle || s.Name == user.SetQuiet) && s.Value != "off"
	return Say("settings.done", "name", SettingName(s.Name), "value", s.Said, "zone", Either(timed, " ("+zone+")", ""), "others", s.Others)
}

// AboutSetting tells what a setting is about.
func AboutSetting(name string) phrase.Phrase { return book.Say("settings.about." + name) }

// ServerSettings lists a server's settings, and who is hidden there.
func ServerSettings(all []user.Setting, hidden []string) Text {
	t := Say("settings.servers", "settings", settingLines(all))
	if len(hidden) == 0 {
		return t
	}
	const most = 10
	names := phrase.Each(hidden[:min(len(hidden), most)], func(name string) any { return name })
	if more := len(hidden) - most; more > 0 {
		names = append(names, book.Say("settings.hidden-more", "n", more))
	}
	return Of(t, "\n", Say("settings.hidden", "people", phrase.And(names)))
}

// SettingTakes describes the values that a setting may have.
func SettingTakes(name string, games []*rules.Variant) phrase.Phrase {
	themes := phrase.Each(diagram.Themes(), func(t diagram.Theme) Span { return same(t.String()) })
	languages := phrase.Each(phrase.Languages(), func(l phrase.Language) Span { return same(string(l)) })
	return book.Say("settings.takes."+name, "themes", phrase.Commas(themes), "languages", phrase.Commas(languages),
		"games", Keys(games), "days", int(match.MaxMove/match.Day))
}

// SettingValues lists values of a setting to choose from: all it takes, or some usual ones. There
// are none if values have to be typed.
func SettingValues(name string, games []*rules.Variant) (values []string) {
	switch name {
	case user.SetTheme:
		return append([]string{"usual"}, phrase.Each(diagram.Themes(), diagram.Theme.String)...)
	case user.SetLanguage:
		return append([]string{"auto"}, phrase.Each(phrase.Languages(), func(l phrase.Language) string { return string(l) })...)
	case user.SetGame:
		return phrase.Each(games, func(v *rules.Variant) string { return v.Key })
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

// What people say in plain words.
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

// wishes are sayings that mean a command: its words, joined by hyphens.
var wishes = []Saying{"resign", "takeback", "moves", "hint", "review", "profile", "forgetme", "mydata", "privacy", "settings-reminders-off", "settings-theme-night", "puzzle-daily", "play", "play-easier", "play-harder", "challenge", "vacation", "vacation-off", "ladder-join", "ladder-leave", "league-leave", "cancel", "abort", "learn", "settings-quiet", "claim", "addtime", "threats", "fen", "replay", "settings-boards", "board", "board-flip", "board-zones", "draw", "score", "export", "puzzle", "rematch", "lobby", "league-join", "league-table", "league-history", "top", "games"} //nolint:gochecknoglobals // never written

// plain is a saying in a language.
type plain struct {
	saying   Saying
	language phrase.Language
}

// heard maps words to what they say. Words that two languages share count for the first.
var heard = sync.OnceValue(func() map[string]plain { //nolint:gochecknoglobals // made once, never written
	said := map[string]plain{}
	for _, saying := range append([]Saying{Greeting, HowToBegin, HowToMove, TheRules, WhoseTurn, Thanks, Farewell, GoodGame}, wishes...) {
		for _, l := range phrase.Languages() {
			listed := book.Say("heard." + string(saying)).Text(l)
			if button := Label(Either(book.Has("label."+string(saying)), "", "more-") + string(saying)); saying.Command() != "" && book.Has(button.Key()) && CommandCalled(button.Text(l)) == "" {
				listed += "," + button.Text(l)
			}
			for words := range strings.SplitSeq(spelt(listed), ",") {
				if _, known := said[bare(words)]; !known {
					said[bare(words)] = plain{saying, l}
				}
			}
		}
	}
	return said
})

// bare is a text in lower case, without accents and punctuation. Digits stay: Na4 is a move, and "na" a greeting.
func bare(text string) string {
	text = strings.ReplaceAll(phrase.Fold(text), "’", "'")
	return strings.Join(strings.FieldsFunc(text, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsNumber(c) && c != '\'' && c != '-' }), " ")
}

// Heard is what all of a text says in plain words, and in which language; "" if it says something
// else.
func Heard(text string) (Saying, phrase.Language) {
	said := cmp.Or(heard()[bare(text)], heard()[bare(strings.Join(Blunt(strings.Fields(text)), " "))])
	return said.saying, said.language
}

//nolint:gochecknoglobals // made once, never written
var (
	polite    = saidIn(book.Say("heard.please")) // what people add to what they want
	fillers   = saidIn(book.Say("heard.filler")) // what only leads from one thing to the next
	linking   = saidIn(book.Say("heard.is"))     // what leads from a setting to its value
	computers = saidIn(book.Say("heard.computer"))
	yeses     = saidIn(book.Say("heard.yes"))
	noes      = saidIn(book.Say("heard.no"))

	weeks = sync.OnceValue(func() (all [2]*regexp.Regexp) { // one, and two
		for i, said := range []phrase.Phrase{book.Say("heard.week"), book.Say("heard.fortnight")} {
			all[i] = regexp.MustCompile(`(?i)(^| )(?:` + strings.Join(items(said), "|") + `)([ ,]|$)`)
		}
		return all
	})
	days = sync.OnceValue(func() *regexp.Regexp { // with words before and after them that may be left out
		one := func(key string) string { return "(?:" + strings.Join(items(book.Say("heard.days"+key)), "|") + ")" }
		return regexp.MustCompile(`(?i)(?:(^| )` + one("-for") + ` )?([0-9]+) ?` + one("") + `(?: ` + one("-each") + `)?([ +,]|$)`)
	})
)

var germanLetters = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "ß", "ss") //nolint:gochecknoglobals // never written

// spelt is a list with commas, followed by the same as people write German on keyboards without its letters.
func spelt(list string) string { return list + ", " + germanLetters.Replace(list) }

// items are those of a comma-separated phrase in all languages.
func items(list phrase.Phrase) (all []string) {
	for _, l := range phrase.Languages() {
		all = append(all, strings.Split(spelt(list.Text(l)), ", ")...)
	}
	return all
}

// saidIn are the same, each bare.
func saidIn(list phrase.Phrase) func() []string {
	return sync.OnceValue(func() []string { return phrase.Each(items(list), bare) })
}

// ShortDays writes days in a text, or one or two weeks, as "3d", in whichever language they are written, and without "for"
// or "per move".
func ShortDays(text string) string {
	for i, said := range weeks() {
		text = said.ReplaceAllString(text, fmt.Sprintf("${1}%dd$2", 7*(i+1)))
	}
	return days().ReplaceAllString(text, "${1}${2}d$3")
}

// YesOrNo reports whether a text says nothing but yes; ok is false if it says neither that nor no.
func YesOrNo(text string) (yes, ok bool) {
	yes = slices.Contains(yeses(), bare(text))
	return yes, yes || slices.Contains(noes(), bare(text))
}

// IsComputer reports whether a word names the computer as an opponent.
func IsComputer(word string) bool { return slices.Contains(computers(), bare(word)) }

// IsFiller reports whether a word only leads from one thing to the next, as "the" does.
func IsFiller(word string) bool { return slices.Contains(fillers(), bare(word)) }

// IsLinking reports whether a word links a setting to its value, as "is" does.
func IsLinking(word string) bool { return slices.Contains(linking(), bare(word)) }

// Blunt is what somebody said without words such as "please" at either end, or bare punctuation at its end.
func Blunt(said []string) []string {
	for n := 1; n <= min(len(said), 3); n++ {
		first, last := said[:n], said[len(said)-n:]
		switch start, end := bare(strings.Join(first, " ")), bare(strings.Join(last, " ")); {
		case last[0][0] != '@' && (end == "" || slices.Contains(polite(), end)): // else it names somebody
			return Blunt(strings.Fields(strings.TrimRight(strings.Join(said[:len(said)-n], " "), " ,;:")))
		case first[0][0] != '@' && slices.Contains(polite(), start):
			return Blunt(said[n:])
		}
	}
	return said
}

// Command is the command that a saying means, "" if none.
func (s Saying) Command() string {
	return Either(slices.Contains(wishes, s), strings.ReplaceAll(string(s), "-", " "), "")
}

// IsTalk reports whether a saying may be meant for other people.
func (s Saying) IsTalk() bool { return s == Greeting || s == Thanks || s == Farewell || s == GoodGame }

// IsQuestion reports whether a saying asks the bot how something is done.
func (s Saying) IsQuestion() bool {
	return s == HowToBegin || s == HowToMove || s == TheRules || s == WhoseTurn
}
