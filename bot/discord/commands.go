package discord

import (
	"context"
	"net/http"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/adapt"
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

// choice is something to fill in.
type choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// menuChallenge is the command in the menu of a person.
const menuChallenge = "Challenge to a game"

// maxField is how long a field is that the bot reads, in characters of four bytes.
const maxField = 240

// Where commands are: in servers, in chats with the bot and in those of others; for everyone in a
// server that has installed the bot, and for a person who has.
//
//nolint:gochecknoglobals // never written
var (
	everywhere = []int{0, 1, 2}
	forAll     = []int{0, 1}
)

// commands are all there are.
func (a *Adapter) commands() []command {
	var all []command
	for _, c := range bot.Commands() {
		all = append(all, command{
			Type: discordgo.ChatApplicationCommand, Name: c.Name, Description: c.About().String(), localized: localize(c.Spoken, c.About()),
			Options: a.fields(c.Args), Contexts: everywhere, Installed: forAll,
		})
	}
	menu := localize(book.Say("label.menu-challenge").Text, phrase.As(""))
	return append(all, command{Type: discordgo.UserApplicationCommand, Name: menuChallenge, localized: menu, Contexts: everywhere, Installed: forAll})
}

// register says which commands there are, where that has changed.
func (a *Adapter) register(ctx context.Context, application string) {
	all := a.commands()
	const tries = 5
	asking := adapt.Retry{First: a.pace.retry, Tries: tries, Pause: adapt.Pause, Verdict: refusedForGood}
	if !a.knowsIDs(ctx, application) {
		a.note(ctx, "commands/"+application, "") // they come with the answer
	}
	err := a.memory.Told(ctx, "commands/"+application, all, func() error {
		return asking.Do(ctx, func() error {
			var registered []struct{ ID, Name string }
			err := a.call(ctx, http.MethodPut, "applications/"+application+"/commands", all, &registered)
			a.learn(ctx, application, registered)
			return err
		})
	})
	if err != nil {
		a.log.WarnContext(ctx, "discord: commands were not set", "err", a.clean(err))
	}
}

// refusedForGood says of an error whether there is no sense in asking again.
func refusedForGood(err error) error {
	if status(err)/100 == 4 { //nolint:mnd // what Discord says is wrong with a request
		return &bot.Never{Err: err}
	}
	return err
}

// fields are what people can fill in for a command.
func (a *Adapter) fields(args []bot.Arg) (all []field) {
	for _, arg := range args {
		if !arg.Typed {
			all = append(all, a.field(arg))
		}
	}
	return all
}

// field is an argument as Discord lets people fill it in.
func (a *Adapter) field(arg bot.Arg) field {
	f := field{Type: discordgo.ApplicationCommandOptionString, Name: arg.Name, Description: arg.About().String(), Required: arg.Needed}
	f.localized = localize(arg.Spoken, arg.About())
	most := maxNumber
	switch arg.Kind {
	case bot.ArgForm:
		f.Type, f.Fields = discordgo.ApplicationCommandOptionSubCommand, a.fields(arg.Args)
	case bot.ArgFlag:
		f.Type = discordgo.ApplicationCommandOptionBoolean
	case bot.ArgPerson:
		f.Type = discordgo.ApplicationCommandOptionUser
	case bot.ArgDays, bot.ArgPace:
		most = maxDays
		fallthrough
	case bot.ArgNumber:
		f.Type, f.Least, f.Most = discordgo.ApplicationCommandOptionInteger, &arg.Least, &most
	case bot.ArgWord:
		for _, w := range arg.Words[:min(len(arg.Words), maxChoices)] {
			f.Choices = append(f.Choices, choice{w, w})
		}
	case bot.ArgVariant:
		if f.Choices = a.variants(); f.Choices == nil {
			f.Longest = maxField
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
	maxDays    = 14
)

// variants lets one of the games be chosen; where there are more than Discord can list, its
// name must be written.
func (a *Adapter) variants() (all []choice) {
	for _, v := range a.services.Games.Variants() {
		all = append(all, choice{v.Name, v.Key})
	}
	if len(all) > maxChoices {
		return nil
	}
	return all
}
