package discord

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/bot/words"
	"chimera/rules/phrase"
)

// command is a slash command. The library's own type writes null for fields that Discord's API does not allow to be
// null.
type command struct {
	Type        discordgo.ApplicationCommandType `json:"type"`
	Name        string                           `json:"name"`
	Description string                           `json:"description,omitempty"`
	localized
	Options   []field `json:"options,omitempty"`
	Handler   int     `json:"handler,omitempty"` // of an entry point
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

// choice is a value offered for a field.
type choice struct {
	Name  string                      `json:"name"`
	Names map[discordgo.Locale]string `json:"name_localizations,omitempty"`
	Value string                      `json:"value"`
	title phrase.Phrase               // the name in each language
}

// localized has translations of a name and a description, by Discord's locales.
type localized struct {
	Names        map[discordgo.Locale]string `json:"name_localizations,omitempty"`
	Descriptions map[discordgo.Locale]string `json:"description_localizations,omitempty"`
}

// locales are Discord's locales, and the languages spoken there.
var locales = map[discordgo.Locale]phrase.Language{ //nolint:gochecknoglobals // never written
	discordgo.German: phrase.German, discordgo.French: phrase.French, discordgo.SpanishES: phrase.Spanish, discordgo.SpanishLATAM: phrase.Spanish,
	discordgo.PortugueseBR: phrase.Portuguese, discordgo.Russian: phrase.Russian,
}

// translate translates a text, except where it is the English one.
func translate(text func(phrase.Language) string) map[discordgo.Locale]string {
	all := map[discordgo.Locale]string{}
	for locale, language := range locales {
		if said := text(language); said != text(phrase.English) {
			all[locale] = said
		}
	}
	return all
}

// menuChallenge is the command in a person's context menu.
const menuChallenge = "Challenge to a game"

// Bounds of fields.
const (
	maxField   = 240 // characters that the bot reads, even if each has four bytes
	maxChoices = 25
	maxChoice  = 100 // characters
	maxNumber  = 10000
)

// commands are all commands. They are available in servers, in private chats with the bot and among others, to everyone
// in a server that has installed the bot, and to a person who has.
func (a *Adapter) commands() (all []command) {
	add := func(c command) {
		c.Contexts, c.Installed = []int{0, 1, 2}, []int{0, 1}
		all = append(all, c)
	}
	games := a.games()
	for _, c := range bot.Commands() {
		add(command{
			Type: discordgo.ChatApplicationCommand, Name: c.Name, Description: c.About().String(),
			localized: localized{translate(c.Spoken), translate(c.About().Text)}, Options: fields(c.Args, games),
		})
	}
	add(command{Type: discordgo.UserApplicationCommand, Name: menuChallenge, localized: localized{Names: translate(book.Say("label.menu-challenge").Text)}})
	return all
}

// games are the kinds of games to choose among.
func (a *Adapter) games() (all []choice) {
	for _, v := range a.bot.Games.Variants() {
		all = append(all, choice{v.Name, translate(v.Title().Text), v.Key, v.Title()})
	}
	return all
}

// fields are what people can fill in for a command.
func fields(args []bot.Arg, games []choice) (all []field) {
	for _, arg := range args {
		f := field{Type: discordgo.ApplicationCommandOptionString, Name: arg.Name, Description: arg.About().String(), Required: arg.Needed}
		f.localized = localized{translate(arg.Title().Text), translate(arg.About().Text)}
		switch arg.Kind {
		case bot.ArgForm:
			f.Type, f.Fields = discordgo.ApplicationCommandOptionSubCommand, fields(arg.Args, games)
		case bot.ArgFlag:
			f.Type = discordgo.ApplicationCommandOptionBoolean
		case bot.ArgPerson:
			f.Type = discordgo.ApplicationCommandOptionUser
		case bot.ArgNumber:
			f.Type, f.Least, f.Most = discordgo.ApplicationCommandOptionInteger, &arg.Least, new(maxNumber)
		case bot.ArgWord:
			for _, w := range arg.Words[:min(len(arg.Words), maxChoices)] {
				name := arg.Choice(w)
				f.Choices = append(f.Choices, choice{name.String(), translate(name.Text), w, name})
			}
		case bot.ArgVariant:
			f.Choices = games
		case bot.ArgText, bot.ArgMonth:
			f.Longest = maxField
		default:
			f.Longest, f.Complete = maxField, true
		}
		all = append(all, f)
	}
	return all
}

// learnIDs learns the ids that Discord gave the commands; another process may have been told.
func (a *Adapter) learnIDs(ctx context.Context, application string) {
	var ids map[string]string
	if json.Unmarshal([]byte(a.state.Get(ctx, "commands/"+application)), &ids) == nil {
		a.ids.Store(&ids)
	}
}

// register tells Discord the commands if they have changed, and learns their ids.
func (a *Adapter) register(ctx context.Context, application string) {
	defer a.rescue(ctx, "commands")
	a.learnIDs(ctx, application)
	asking := adapter.Retry{First: a.pace.retry, Tries: 5, Pause: adapter.Pause, Verdict: refusedForGood}
	all := a.commands()
	err := a.state.Once(ctx, "registered/"+application, all, func() error {
		var known []struct{ ID, Name string }
		err := asking.Do(ctx, func() error {
			path, before := "applications/"+application+"/commands", []command(nil)
			if err := a.call(ctx, http.MethodGet, path, nil, &before); err != nil {
				return err
			}
			entries := slices.DeleteFunc(before, func(c command) bool { return c.Type != entryPoint }) // Discord refuses a list without these
			return a.call(ctx, http.MethodPut, path, append(entries, all...), &known)
		})
		if err != nil {
			return err
		}
		ids := map[string]string{}
		for _, c := range known {
			ids[c.Name] = c.ID
		}
		a.ids.Store(&ids)
		text, _ := json.Marshal(ids) // strings always marshal
		return a.state.Put(ctx, "commands/"+application, text)
	})
	a.failed(ctx, slog.LevelWarn, "commands were not set", err)
}

// refusedForGood makes [*outbox.Never] of a refusal if asking again is no use.
func refusedForGood(err error) error {
	return words.Either[error](status(err)/100 == 4, &outbox.Never{Err: err}, err) //nolint:mnd // what Discord says is wrong with a request
}

// complete suggests how to complete a command.
func (a *Adapter) complete(ctx context.Context, q *reply) {
	i := q.i
	defer a.rescue(ctx, "autocomplete")
	said := a.saidBy(ctx, i)
	said.ID = ""
	var typed, field, game string
	for _, o := range i.Data.Options {
		v, _ := o.Value.(string)
		if o.Focused {
			typed, field = v, o.Name
		} else if o.Name == fieldGame {
			game = numbered(v)
		}
	}
	choices := []choice{}
	for _, s := range a.bot.Suggest(ctx, said, i.Data.Name, field, game, typed) {
		if len(choices) < maxChoices && s.Value != "" && adapter.Length(s.Value) <= maxChoice {
			choices = append(choices, choice{Name: adapter.Clip(s.Label, maxChoice), Value: s.Value})
		}
	}
	q.first(ctx, replied, discordgo.InteractionApplicationCommandAutocompleteResult, map[string]any{"choices": choices}, &post{})
}

// option is the value filled in for an argument.
type option = discordgo.ApplicationCommandInteractionDataOption

// filledIn is a filled-in command, as people type it, with the people it names. A fault says what is wrong with it, nil
// if nothing is.
func (a *Adapter) filledIn(ctx context.Context, i *interaction) (typed string, named map[string]message.Account, fault words.Text) {
	named = map[string]message.Account{}
	for id, u := range i.Data.Resolved.Users {
		if u != nil && areIDs(u.ID) {
			named["<@"+id+">"] = a.person(u)
		}
	}
	if typed = "challenge <@" + i.Data.TargetID + ">"; i.Data.Name != menuChallenge {
		typed, fault = asTyped(i.Data.Name, i.Data.Options)
	}
	a.addNamed(ctx, typed, named)
	return typed, named, fault
}

// asTyped is a filled-in command, as people type it, and what is wrong with it.
func asTyped(name string, options []*option) (typed string, fault words.Text) {
	args, text := bot.CommandNamed(name).Args, []string{name}
	argument := func(o *option) bot.Arg {
		if i := slices.IndexFunc(args, func(a bot.Arg) bool { return a.Name == o.Name }); i >= 0 {
			return args[i]
		}
		return bot.Arg{Name: o.Name}
	}
	if len(options) > 0 && options[0].Type == discordgo.ApplicationCommandOptionSubCommand { // then it is the only one
		form := argument(options[0])
		args, options, text = form.Args, options[0].Options, append(text, form.Says)
	}
	filled := map[string]string{}
	for _, o := range options {
		a := argument(o)
		filled[o.Name], _ = o.Value.(string)
		if !namesGame(&a, filled[o.Name]) {
			fault = say("number-of-game")
		}
		text = append(text, word(&a, o))
	}
	_, value := filled["value"]
	if _, whom := filled["person"]; fault == nil && (value || whom && name == "settings") && filled["setting"] == "" {
		fault = say("name-of-setting")
	}
	return strings.Join(slices.DeleteFunc(text, func(w string) bool { return w == "" }), " "), fault
}

// fieldGame is the name of arguments that are games.
const fieldGame = "game"

// namesGame reports whether a text can be filled in for an argument. For a game, that is a number, the code of a
// challenge, or the name of the person who offers it.
func namesGame(a *bot.Arg, text string) bool {
	text = strings.TrimSpace(text)
	switch a.Kind {
	case bot.ArgGame, bot.ArgEnded:
		return isNumber(text)
	case bot.ArgOffer, bot.ArgOwnOffer:
		return isNumber(text) || a.Code && len(text) == match.CodeLength || strings.HasPrefix(text, "@") || strings.HasPrefix(text, "<@")
	default:
		return true
	}
}

// isNumber reports whether a text is the number of a game, with or without its #.
func isNumber(text string) bool {
	n := strings.TrimPrefix(strings.TrimSpace(text), "#")
	return n != "" && strings.Trim(n, "0123456789") == ""
}

// word is what an option says in the text of a command: days end in "d".
func word(a *bot.Arg, o *option) string {
	text := ""
	switch v := o.Value.(type) {
	case bool:
		return words.Either(v, a.Name, a.No)
	case float64:
		text = fmt.Sprint(int(v))
	case string:
		text = strings.TrimSpace(v)
	}
	switch {
	case o.Type == discordgo.ApplicationCommandOptionUser:
		return "<@" + text + ">"
	case o.Name == fieldGame:
		return numbered(text)
	case a.Kind != bot.ArgDays && a.Kind != bot.ArgPace:
		return text
	}
	text = strings.ToLower(strings.Join(strings.Fields(text), ""))
	switch days := strings.TrimSuffix(text, "d"); {
	case a.No != "" && days != "" && strings.Trim(days, "0") == "":
		return a.No
	case isNumber(text):
		return text + "d"
	}
	return text
}

// numbered is a game as it is typed: in fields, the # may be left out.
func numbered(game string) string {
	game = strings.TrimSpace(game)
	return words.Either(isNumber(game), "#"+strings.TrimPrefix(game, "#"), game)
}

// clickable makes the commands in a text clickable, or at least begin with a slash; their fields follow, named in the
// given language.
func (a *Adapter) clickable(t words.Text, l phrase.Language) (said words.Text) {
	ids := map[string]string{}
	if known := a.ids.Load(); known != nil {
		ids = *known
	}
	for _, s := range t {
		if s.Style != words.Code || s.Person != 0 || !s.Moment.IsZero() {
			said = append(said, s)
			continue
		}
		filler := filler{a.games(), l}
		if game, is := filler.ofGame(s.Words); is {
			said = append(said, words.Span{Words: game, Style: words.Code})
			continue
		}
		switch name, path, fields := filler.fill(s.Words); {
		case name == "":
			said = append(said, s)
		case ids[name] == "":
			said = append(said, words.Span{Words: strings.TrimSpace("/" + path + " " + fields), Style: words.Code})
		default:
			said = append(said, words.Span{Words: "/" + path + ":" + ids[name], Style: words.Link})
			said = append(said, words.If(fields != "", words.Span{Words: " "}, words.Span{Words: fields, Style: words.Code})...)
		}
	}
	return said
}

// filler turns typed commands into filled-in ones.
type filler struct {
	Games    []choice
	Language phrase.Language
}

// fill turns a typed command into a filled-in one: its name, its path, which includes the form, and its fields, such as
// "opponent:@bob days:3d"; all "" if it is no command. Words without a field stand as typed.
func (f *filler) fill(typed string) (name, path, fields string) {
	name, rest, _ := strings.Cut(typed, " ")
	c := bot.CommandNamed(name)
	if c.Name == "" || strings.Contains(name, "/") {
		return "", "", ""
	}
	args, path := c.Args, c.Name
	for _, form := range c.Args { // the most specific form comes last
		after, says := strings.CutPrefix(rest+" ", form.Says+" ")
		if form.Kind == bot.ArgForm && (says || form.Says == "") {
			args, path, rest = form.Args, c.Name+" "+form.Name, strings.TrimSpace(after)
		}
	}
	return c.Name, path, f.fields(args, rest)
}

// ofGame is the field of the game whose number begins a text; false if none does, or nothing follows.
func (f *filler) ofGame(typed string) (field string, is bool) {
	number, rest, _ := strings.Cut(typed, " ")
	if rest == "" || !strings.HasPrefix(number, "#") || !isNumber(number) {
		return "", false
	}
	return f.field(&bot.Arg{Name: fieldGame}, number), true
}

// fields are the words of a text as filled-in arguments, or as typed if some fit nowhere. Arguments of free text are
// tried last, and take in the words left over.
func (f *filler) fields(args []bot.Arg, typed string) string {
	var all []string
	free := slices.Clone(args)
	running := false // the last field is free text
	for words := strings.Fields(typed); len(words) > 0; {
		n, value := 0, ""
		i := slices.IndexFunc(free, func(a bot.Arg) bool {
			n, value = f.is(&a, words)
			return n > 0
		})
		if i < 0 {
			i, n, value = slices.IndexFunc(free, func(a bot.Arg) bool { return isText(a.Kind) }), 1, words[0]
		}
		switch {
		case i >= 0:
			running = isText(free[i].Kind)
			all = append(all, f.field(&free[i], value))
			free = slices.Delete(free, i, i+1)
		case running:
			all[len(all)-1] += " " + value
		default:
			return typed
		}
		words = words[n:]
	}
	return strings.Join(all, " ")
}

// field is a filled-in argument.
func (f *filler) field(a *bot.Arg, value string) string {
	return a.Title().Text(f.Language) + ":" + value
}

// isText reports whether an argument is free text.
func isText(kind bot.ArgKind) bool {
	return kind == bot.ArgText || kind == bot.ArgMove || kind == bot.ArgPiece || kind == bot.ArgCommand
}

// is returns how many of the next words make up an argument, which is not free text, and how it is filled in.
func (f *filler) is(a *bot.Arg, typed []string) (n int, value string) {
	word := typed[0]
	switch a.Kind {
	case bot.ArgGame, bot.ArgEnded, bot.ArgOffer, bot.ArgOwnOffer:
		if namesGame(a, word) {
			return 1, word
		}
	case bot.ArgVariant:
		return f.game(typed)
	case bot.ArgGameOrKind:
		if !isNumber(word) {
			return f.game(typed)
		}
		return 1, word
	case bot.ArgWord:
		if slices.Contains(a.Words, word) {
			return 1, words.Called(word).Text(f.Language)
		}
	case bot.ArgFlag:
		if value := a.Value(word); value != "" {
			return 1, book.Say(words.Either(value == a.Name, "label.true", "label.false")).Text(f.Language)
		}
	default:
		if a.Value(word) != "" {
			return 1, word
		}
		if pair := strings.Join(typed[:min(len(typed), 2)], " "); a.Kind == bot.ArgPace && a.Value(pair) != "" {
			return 2, pair
		}
	}
	return 0, ""
}

// game is the kind of game that the next words name, as listed, and how many words that takes.
func (f *filler) game(words []string) (n int, name string) {
	for _, g := range f.Games {
		if called := len(strings.Fields(g.Name)); called <= len(words) && strings.EqualFold(strings.Join(words[:called], " "), g.Name) {
			return called, g.title.Text(f.Language)
		}
		if words[0] == g.Value {
			return 1, g.title.Text(f.Language)
		}
	}
	return 0, ""
}
