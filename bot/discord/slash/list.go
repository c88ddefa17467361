package slash

import (
	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/rules/phrase"
)

// Command is one that people see when they write "/". The library's own type writes fields as
// null that Discord's description of its API does not let be null.
type Command struct {
	Type        discordgo.ApplicationCommandType `json:"type"`
	Name        string                           `json:"name"`
	Description string                           `json:"description,omitempty"`
	localized
	Options   []Field `json:"options,omitempty"`
	Contexts  []int   `json:"contexts"`
	Installed []int   `json:"integration_types"`
}

// Field is something that people fill in.
type Field struct {
	Type        discordgo.ApplicationCommandOptionType `json:"type"`
	Name        string                                 `json:"name"`
	Description string                                 `json:"description"`
	localized
	Required bool     `json:"required,omitempty"`
	Complete bool     `json:"autocomplete,omitempty"`
	Choices  []Choice `json:"choices,omitempty"`
	Least    *int     `json:"min_value,omitempty"`
	Most     *int     `json:"max_value,omitempty"`
	Longest  int      `json:"max_length,omitempty"`
	Fields   []Field  `json:"options,omitempty"`
}

// localized is what people see in the place of a name and a description, by Discord's locales.
type localized struct {
	Names        map[discordgo.Locale]string `json:"name_localizations,omitempty"`
	Descriptions map[discordgo.Locale]string `json:"description_localizations,omitempty"`
}

// locales are Discord's for the languages.
var locales = map[phrase.Language][]discordgo.Locale{ //nolint:gochecknoglobals // never written
	phrase.German: {discordgo.German}, phrase.French: {discordgo.French}, phrase.Spanish: {discordgo.SpanishES, discordgo.SpanishLATAM},
	phrase.Portuguese: {discordgo.PortugueseBR}, phrase.Russian: {discordgo.Russian},
}

// localize puts a name and a description into all languages that do not have the English.
func localize(name func(phrase.Language) string, about phrase.Phrase) (l localized) {
	add := func(all *map[discordgo.Locale]string, locale discordgo.Locale, text, english string) {
		if text == english {
			return
		}
		if *all == nil {
			*all = map[discordgo.Locale]string{}
		}
		(*all)[locale] = text
	}
	for language, spoken := range locales {
		for _, locale := range spoken {
			add(&l.Names, locale, name(language), name(phrase.English))
			add(&l.Descriptions, locale, about.Text(language), about.String())
		}
	}
	return l
}

// Choice is something to fill in.
type Choice struct {
	Name  string                      `json:"name"`
	Names map[discordgo.Locale]string `json:"name_localizations,omitempty"`
	Value string                      `json:"value"`
}

// MenuChallenge is the command in the menu of a person.
const MenuChallenge = "Challenge to a game"

// MaxField is how long a field is that the bot reads, in characters of four bytes.
const MaxField = 240

// Where commands are: in servers, in chats with the bot and in those of others; for everyone in a
// server that has installed the bot, and for a person who has.
//
//nolint:gochecknoglobals // never written
var (
	everywhere = []int{0, 1, 2}
	forAll     = []int{0, 1}
)

// List are all commands there are; games are those to choose among, and menu is what the command
// in the menu of a person is called.
func List(games []Choice, menu phrase.Phrase) []Command {
	var all []Command
	for _, c := range bot.Commands() {
		all = append(all, Command{
			Type: discordgo.ChatApplicationCommand, Name: c.Name, Description: c.About().String(), localized: localize(c.Spoken, c.About()),
			Options: fields(c.Args, games), Contexts: everywhere, Installed: forAll,
		})
	}
	return append(all, Command{Type: discordgo.UserApplicationCommand, Name: MenuChallenge, localized: localize(menu.Text, phrase.As("")), Contexts: everywhere, Installed: forAll})
}

// fields are what people can fill in for a command.
func fields(args []bot.Arg, games []Choice) (all []Field) {
	for _, arg := range args {
		all = append(all, fieldOf(&arg, games))
	}
	return all
}

// fieldOf is an argument as Discord lets people fill it in.
func fieldOf(arg *bot.Arg, games []Choice) Field {
	f := Field{Type: discordgo.ApplicationCommandOptionString, Name: arg.Name, Description: arg.About().String(), Required: arg.Needed}
	f.localized = localize(arg.Spoken, arg.About())
	switch arg.Kind {
	case bot.ArgForm:
		f.Type, f.Fields = discordgo.ApplicationCommandOptionSubCommand, fields(arg.Args, games)
	case bot.ArgFlag:
		f.Type = discordgo.ApplicationCommandOptionBoolean
	case bot.ArgPerson:
		f.Type = discordgo.ApplicationCommandOptionUser
	case bot.ArgNumber:
		most := maxNumber
		f.Type, f.Least, f.Most = discordgo.ApplicationCommandOptionInteger, &arg.Least, &most
	case bot.ArgWord:
		f.Choices = choices(arg)
	case bot.ArgVariant:
		if f.Choices = games; len(games) > maxChoices { // Discord cannot list them: its name must be written
			f.Choices, f.Longest = nil, MaxField
		}
	case bot.ArgText, bot.ArgMonth:
		f.Longest = MaxField
	default:
		f.Longest, f.Complete = MaxField, true
	}
	return f
}

// Bounds of what can be filled in.
const (
	maxChoices = 25
	maxNumber  = 10000
)

// choices are the words among which one is chosen, with what they mean.
func choices(arg *bot.Arg) (all []Choice) {
	for _, w := range arg.Words[:min(len(arg.Words), maxChoices)] {
		name := arg.Choice(w)
		all = append(all, Choice{name.String(), localize(name.Text, phrase.As("")).Names, w})
	}
	return all
}
