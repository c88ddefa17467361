package discord

import (
	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/rules/phrase"
)

// command is one that people see when they write "/". The library's own type writes fields as
// null that Discord's description of its API does not let be null.
type command struct {
	Type        discordgo.ApplicationCommandType `json:"type"`
	Name        string                           `json:"name"`
	Description string                           `json:"description,omitempty"`
	localized
	Options   []field `json:"options,omitempty"`
	Contexts  []int   `json:"contexts"`
	Installed []int   `json:"integration_types"`
}

// field is something that people fill in.
type field struct {
	Type        discordgo.ApplicationCommandOptionType `json:"type"`
	Name        string                                 `json:"name"`
	Description string                                 `json:"description"`
	localized
	Required bool     `json:"required,omitempty"`
	Complete bool     `json:"autocomplete,omitempty"`
	Choices  []choice `json:"choices,omitempty"`
	Least    *int     `json:"min_value,omitempty"`
	Most     *int     `json:"max_value,omitempty"`
	Longest  int      `json:"max_length,omitempty"`
	Fields   []field  `json:"options,omitempty"`
}

// localized has translations of a name and a description, by Discord's locales.
type localized struct {
	Names        map[discordgo.Locale]string `json:"name_localizations,omitempty"`
	Descriptions map[discordgo.Locale]string `json:"description_localizations,omitempty"`
}

// locales are Discord's for the languages.
var locales = map[phrase.Language][]discordgo.Locale{ //nolint:gochecknoglobals // never written
	phrase.German: {discordgo.German}, phrase.French: {discordgo.French}, phrase.Spanish: {discordgo.SpanishES, discordgo.SpanishLATAM},
	phrase.Portuguese: {discordgo.PortugueseBR}, phrase.Russian: {discordgo.Russian},
}

// localize translates a name and a description, except where that is the English one.
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

// choice is something to fill in.
type choice struct {
	Name  string                      `json:"name"`
	Names map[discordgo.Locale]string `json:"name_localizations,omitempty"`
	Value string                      `json:"value"`
}

// menuChallenge is the command in the menu of a person.
const menuChallenge = "Challenge to a game"

// maxField is the longest field that the bot reads, even if each character has four bytes.
const maxField = 240

// Where commands are available: in servers, in private chats with the bot and among others; to everyone in
// a server that has installed the bot, and to a person who has.
//
//nolint:gochecknoglobals // never written
var (
	everywhere = []int{0, 1, 2}
	forAll     = []int{0, 1}
)

// commandList are all commands; games are those to choose from, and menu is the name of the command in a
// person's menu.
func commandList(games []choice, menu phrase.Phrase) []command {
	var all []command
	for _, c := range bot.Commands() {
		all = append(all, command{
			Type: discordgo.ChatApplicationCommand, Name: c.Name, Description: c.About().String(), localized: localize(c.Spoken, c.About()),
			Options: fields(c.Args, games), Contexts: everywhere, Installed: forAll,
		})
	}
	return append(all, command{Type: discordgo.UserApplicationCommand, Name: menuChallenge, localized: localize(menu.Text, phrase.As("")), Contexts: everywhere, Installed: forAll})
}

// fields are what people can fill in for a command.
func fields(args []bot.Arg, games []choice) (all []field) {
	for _, arg := range args {
		all = append(all, fieldOf(&arg, games))
	}
	return all
}

// fieldOf is an argument as Discord lets people fill it in.
func fieldOf(arg *bot.Arg, games []choice) field {
	f := field{Type: discordgo.ApplicationCommandOptionString, Name: arg.Name, Description: arg.About().String(), Required: arg.Needed}
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
			f.Choices, f.Longest = nil, maxField
		}
	case bot.ArgText, bot.ArgMonth:
		f.Longest = maxField
	default:
		f.Longest, f.Complete = maxField, true
	}
	return f
}

// Bounds of what can be filled in.
const (
	maxChoices = 25
	maxNumber  = 10000
)

// choices are the words among which one is chosen, with what they mean.
func choices(arg *bot.Arg) (all []choice) {
	for _, w := range arg.Words[:min(len(arg.Words), maxChoices)] {
		name := arg.Choice(w)
		all = append(all, choice{name.String(), localize(name.Text, phrase.As("")).Names, w})
	}
	return all
}
