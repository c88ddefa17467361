package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/bot/people"
	"chimera/bot/words"
	"chimera/render"
	"chimera/rules"
	"chimera/storage"
)

// settings are a person's, or after the word "here" the server's.
func (b *Bot) settings(ctx context.Context, r request) ([]Note, error) {
	here := len(r.args) > 0 && strings.EqualFold(r.args[0], "here")
	if here {
		r.name, r.args = "settings here", r.args[1:]
	}
	if here && r.server.ID == 0 {
		return nil, &inbox.Refusal{Why: inbox.NoServer}
	}
	if len(r.args) > 0 {
		if manage := map[string]func(*Bot, context.Context, request) ([]Note, error){
			"hide": (*Bot).hide, "unhide": (*Bot).hide, "annul": (*Bot).annul,
		}[strings.ToLower(r.args[0])]; manage != nil {
			switch {
			case !here:
				return r.answer(words.OnlyForServer(strings.ToLower(r.args[0]), r.game)), nil
			case !r.msg.Manager:
				return nil, &errWords{text: words.ManagersOnly()}
			}
			return manage(b, ctx, r)
		}
	}
	if len(r.args) == 1 && strings.EqualFold(r.args[0], "help") {
		r.args = nil // it shows what each takes
	}
	if len(r.args) > 1 {
		r.args = settingWords(b.games.Variants(), r.args)
	}
	switch {
	case len(r.args) > 2:
		return r.answer(words.TooMany(r.args[2])), nil
	case here && r.msg.Group && len(r.args) > 0 && strings.EqualFold(r.args[0], people.SetThreads):
		return r.answer(words.NoServerSetting(people.SetThreads)), nil
	case len(r.args) == 1:
		return r.answer(b.settingAlone(strings.ToLower(r.args[0]), here)), nil
	case here && len(r.args) == 2 && !r.msg.Manager:
		return nil, &errWords{text: words.ManagersOnly()}
	case len(r.args) == 2:
		if err := b.choose(ctx, r, here); err != nil {
			return nil, b.settingFault(err, r.args[0], r.args[1], here)
		}
	}
	if here {
		return b.serverSettings(ctx, r)
	}
	person, err := b.people.Meet(ctx, r.msg.From.Address, r.msg.From.Name)
	return r.answer(words.Settings(people.Settings(person.Settings))), err
}

// settingAlone answers the name of a setting without a value.
func (b *Bot) settingAlone(name string, here bool) words.Text {
	switch {
	case here && !isServers(name):
		return words.NoServerSetting(name)
	case !here && !slices.ContainsFunc(people.Settings(storage.Settings{}), func(s people.Setting) bool { return s.Name == name }):
		return words.NoSetting(name, isServers(name))
	}
	return words.SettingNeedsValue(name, b.games.Variants())
}

// isServers reports whether a name is that of a server's setting.
func isServers(name string) bool {
	all := people.ServerSettings(storage.ServerSettings{}, storage.Address{})
	return slices.ContainsFunc(all, func(s people.Setting) bool { return s.Name == name })
}

// settingWords are a setting's name and its value, which people may write as several words
// or with other hyphens.
func settingWords(all []*rules.Variant, said []string) []string {
	name := strings.ToLower(said[0])
	value := []string{strings.NewReplacer("–", "-", "—", "-", "‐", "-", "−", "-").Replace(said[1])}
	value = append(value, said[2:]...)
	switch name {
	case people.SetGame:
		if v := calledBy(all, value...); v != nil {
			value = []string{v.Key}
		}
	case people.SetTimezone:
		value = []string{strings.Join(value, "_")}
	case people.SetQuiet, people.SetReminders:
		value = []string{strings.Join(value, "")}
	}
	return append([]string{name}, value...)
}

// settingFault says in words why a setting did not get a value, where that is for its name
// or the value.
func (b *Bot) settingFault(err error, name, value string, here bool) error {
	var no *inbox.Refusal
	switch {
	case !errors.As(err, &no):
	case no.Why == inbox.BadValue && name == people.SetTimezone:
		return &errWords{text: words.BadZone(value, zoneLike(value))}
	case no.Why == inbox.BadValue:
		return &errWords{text: words.BadValue(name, value, b.games.Variants())}
	case no.Why == inbox.NoSuchSetting && here:
		return &errWords{text: words.NoServerSetting(name)}
	case no.Why == inbox.NoSuchSetting:
		return &errWords{text: words.NoSetting(name, isServers(name))}
	}
	return err
}

// zoneLike is the time zone that somebody may have meant by the name of a city, "" if there
// is none.
func zoneLike(value string) string {
	_, city, cut := strings.Cut(value, "/")
	if !cut {
		city = value
	}
	said := strings.FieldsFunc(city, func(c rune) bool { return c == '_' || c == ' ' })
	for i, w := range said {
		first, size := utf8.DecodeRuneInString(w)
		said[i] = string(unicode.ToUpper(first)) + strings.ToLower(w[size:])
	}
	city = strings.Join(said, "_")
	for _, region := range []string{
		"Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic", "Indian",
		"America/Argentina", "America/Indiana", "America/Kentucky", "America/North_Dakota", "Antarctica", "Arctic",
	} {
		if _, err := time.LoadLocation(region + "/" + city); err == nil && city != "" {
			return region + "/" + city
		}
	}
	return ""
}

// choose gives a setting of the asker's, or of the server, the value that they want.
func (b *Bot) choose(ctx context.Context, r request, here bool) error {
	value, ok := looks(strings.ToLower(r.args[0]), r.args[1])
	if !ok {
		return &inbox.Refusal{Why: inbox.BadValue}
	}
	choose := b.people.Choose
	if here {
		choose = b.people.ChooseForServer
	}
	_, err := choose(ctx, r.by(), r.args[0], value)
	return err
}

// serverSettings shows those of the server, and to its managers who is hidden there.
func (b *Bot) serverSettings(ctx context.Context, r request) ([]Note, error) {
	_, server, err := b.places.Visit(ctx, r.msg.Place, r.msg.Server)
	if err != nil {
		return nil, err
	}
	var hidden []string
	for _, p := range server.Settings.Hidden {
		if !r.msg.Manager {
			break
		}
		name, err := b.people.Name(ctx, p)
		if err != nil {
			return nil, err
		}
		hidden = append(hidden, name)
	}
	all := slices.DeleteFunc(people.ServerSettings(server.Settings, r.here.Address), func(s people.Setting) bool {
		return r.msg.Group && s.Name == people.SetThreads
	})
	return r.answer(words.ServerSettings(all, hidden)), nil
}

// hide takes a person off the server's leaderboards, or puts him there again.
func (b *Bot) hide(ctx context.Context, r request) ([]Note, error) {
	if len(r.args) != 2 {
		return r.answer(words.HideWhom(strings.ToLower(r.args[0]))), nil
	}
	whom, err := b.named(ctx, r, r.args[1])
	if err != nil {
		return nil, err
	}
	hidden := strings.EqualFold(r.args[0], "hide")
	if _, err := b.people.Hide(ctx, r.by(), whom.ID, hidden); err != nil {
		return nil, err
	}
	return r.answer(words.Hidden(whom, hidden)), nil
}

// annul lets a game of the server change no ratings, at the second word.
func (b *Bot) annul(ctx context.Context, r request) ([]Note, error) {
	if len(r.args) == 2 && r.game == 0 {
		if n, err := strconv.ParseUint(r.args[1], 10, 63); err == nil {
			r.game, r.args = storage.GameID(n), r.args[:1]
		}
	}
	if len(r.args) != 1 || r.game == 0 {
		return r.answer(words.AnnulWhat()), nil
	}
	return b.annulSurely(ctx, r, false)
}

func (b *Bot) annulSurely(ctx context.Context, r request, sure bool) ([]Note, error) {
	d, err := b.league.Annul(ctx, r.by(), r.game, sure)
	if err == nil && d.What == inbox.Chose {
		return r.answer(words.Annulled(r.game)), nil
	}
	return b.done(r, d, err)
}

// looks reads the value of a setting about how boards look; "usual" is none. Other
// values are none of its business.
func looks(name, value string) (string, bool) {
	usual := strings.EqualFold(value, "usual")
	switch name {
	case people.SetTheme:
		if usual {
			return "", true
		}
		_, ok := render.ParseTheme(strings.ToLower(value))
		return value, ok
	case people.SetSize:
		if usual {
			return "", true
		}
		_, ok := sizes[strings.ToLower(value)]
		return value, ok
	}
	return value, true
}

func (b *Bot) block(ctx context.Context, r request) ([]Note, error) {
	return b.setBlock(ctx, r, true)
}

func (b *Bot) unblock(ctx context.Context, r request) ([]Note, error) {
	return b.setBlock(ctx, r, false)
}

func (b *Bot) setBlock(ctx context.Context, r request, blocked bool) ([]Note, error) {
	if no := r.only(1); no != nil {
		return no, nil
	}
	if len(r.args) == 0 {
		return r.answer(words.BlockWhom()), nil
	}
	whom, err := b.named(ctx, r, r.args[0])
	if err != nil {
		return nil, err
	}
	if _, err := b.people.Block(ctx, r.by(), whom.ID, blocked); err != nil {
		return nil, err
	}
	return r.answer(words.Blocked(whom, blocked)), nil
}

func (b *Bot) export(ctx context.Context, r request) ([]Note, error) {
	if no := r.only(0); no != nil {
		return no, nil
	}
	sight, err := b.look(ctx, r, match.Latest)
	if err != nil {
		return nil, err
	}
	text, err := b.archive.Export(ctx, sight.Game.ID)
	if err != nil {
		return nil, err
	}
	file := &File{Name: fmt.Sprintf("chimera-%d.pgn", sight.Game.ID), Content: text}
	return []Note{{To: r.me.ID, Text: words.Exported(sight.Game.ID), File: file}}, nil
}

func (b *Bot) myData(ctx context.Context, r request) ([]Note, error) {
	if no := r.only(0); no != nil {
		return no, nil
	}
	record, err := b.people.Record(ctx, r.me.ID)
	if err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(record, "", "  ")
	if err != nil {
		return nil, err
	}
	file := &File{Name: "mydata.json", Content: string(text) + "\n"}
	return []Note{{To: r.me.ID, Text: words.AllAboutYou(), File: file}}, nil
}

func (b *Bot) forgetMe(ctx context.Context, r request) ([]Note, error) {
	if no := r.only(0); no != nil {
		return no, nil
	}
	d, err := b.people.Forget(ctx, r.by(), false)
	return b.done(r, d, err)
}

func (b *Bot) privacy(_ context.Context, r request) ([]Note, error) {
	return r.answer(words.Privacy()), nil
}
