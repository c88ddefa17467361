package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

// saying makes a handler that does something and then tells that it is done.
func saying(text words.Text, do func(context.Context, *Bot, Request) (event.Done, error)) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		_, err := do(ctx, b, r)
		return r.answer(text), err
	}
}

// block blocks a person's challenges to the asker, or allows them again; without a name, it lists who is blocked.
func block(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if len(r.Args) == 0 {
		return blocked(ctx, b, r)
	}
	whom, err := b.named(ctx, r, r.Args[0])
	wanted := r.Name == "block"
	if err == nil {
		_, err = b.Users.Block(ctx, r.by(), whom.ID, wanted)
	}
	return r.answer(words.Say(words.Either(wanted, "person.blocked", "person.unblocked"), "player", whom.Name)), err
}

func blocked(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	names, err := b.names(ctx, r.Me.Blocked)
	said := r.answer(words.Say("person.blocking", "n", len(names), "people", phrase.And(names)))
	said.Step = r.Msg.Press != ""
	for i, name := range names[:min(len(names), limit.Listed)] {
		said.Buttons = append(said.Buttons, plainButton(words.Book().Say("label.unblock", "player", name), "unblock", fmt.Sprint(r.Me.Blocked[i])))
	}
	return said, err
}

// unblock allows the challenges of the person again whom a button names.
func unblock(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	n, _ := strconv.ParseUint(r.Args[0], 10, 64)
	_, err := b.Users.Block(ctx, r.by(), storage.PersonID(n), false)
	r.Me.Blocked = slices.DeleteFunc(slices.Clone(r.Me.Blocked), func(p storage.PersonID) bool { return p == storage.PersonID(n) })
	said, err2 := blocked(ctx, b, r)
	return said, cmp.Or(err, err2)
}

// names are what people are called.
func (b *Bot) names(ctx context.Context, people []storage.PersonID) (names []string, err error) {
	for _, p := range people {
		name, err2 := b.Users.Name(ctx, p)
		names, err = append(names, name), cmp.Or(err, err2)
	}
	return names, err
}

func myData(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	record, err := b.Users.Record(ctx, r.Me.ID)
	if err != nil {
		return nil, err
	}
	text, err := storage.Readable(record)
	return &message.Message{To: r.Me.ID, Text: words.Say("person.all-about-you"), File: &message.File{Name: "mydata.json", Content: text}}, err
}

// forgetting forgets the asker, once they have confirmed it.
func forgetting(sure bool) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		return r.done(b.Users.Forget(ctx, r.by(), sure))
	}
}

// addNamed adds to the people whom a message names those whom its command calls by a name, or the first part of one,
// that only one person has of those who play here or have played with the asker.
func (b *Bot) addNamed(ctx context.Context, r *Request) error {
	takes := func(a Arg) bool { return a.Kind == ArgPerson || a.Kind == ArgOffer || a.Kind == ArgOwnOffer }
	if r.Command == nil || r.Name != "play" && !slices.ContainsFunc(r.Command.Args, takes) {
		return nil
	}
	named := map[string]message.Account{}
	maps.Copy(named, r.Msg.People)
	around := sync.OnceValues(func() ([]storage.Person, error) { return b.Users.PeopleAt(ctx, r.Msg.Place, r.Me.ID) })
	for _, w := range r.Args {
		a, _, _ := b.argument(*r, []string{w})
		if _, known := named[strings.ToLower(w)]; known || w[0] != '@' && (a != nil || words.IsFiller(w) || words.IsComputer(w)) {
			continue
		}
		people, err := around()
		if err != nil {
			return err
		}
		called := slices.DeleteFunc(slices.Clone(people), func(p storage.Person) bool {
			first, _, _ := strings.Cut(p.Name, " ")
			gone := len(p.Identities) == 0 || p.Identities[0].Platform == storage.Computer
			return p.ID == r.Me.ID || gone || !words.Says(phrase.As(p.Name), w) && !words.Says(phrase.As(first), w)
		})
		if len(called) == 1 {
			named[strings.ToLower(w)] = message.Account{Address: called[0].Identities[0], Name: called[0].Name}
		}
	}
	r.Msg.People = named
	return nil
}

// named is the person that a word such as "@bob" names; an unknown name is refused.
func (b *Bot) named(ctx context.Context, r Request, word string) (storage.Person, error) {
	person, ok := r.Msg.People[strings.ToLower(word)]
	if !ok || person.Bot || person.Unmet {
		return storage.Person{}, &wordedRefusal{Text: words.Say("request.no-person", "name", words.NameOf(0, words.Clip(word)), "instead", r.retyped(word, words.Book().Say("request.at-name").Text(r.Language())))}
	}
	return b.Users.Meet(ctx, person.Address, person.Name)
}

// met is the person that a word such as "@bob" names. They must have been met before: others have done nothing that
// could be shown or answered.
func (b *Bot) met(ctx context.Context, r Request, word string) (storage.Person, error) {
	if person, ok := r.Msg.People[strings.ToLower(word)]; ok && !person.Bot && !person.Unmet {
		if met, err := b.Users.Met(ctx, person.Address); err != nil || !met {
			return storage.Person{}, cmp.Or(err, error(&wordedRefusal{Text: words.Say("request.not-met", "name", words.NameOf(0, words.Clip(person.Name)))}))
		}
	}
	return b.named(ctx, r, word)
}

// whose is the person a command is about: the one it names, else its author.
func (b *Bot) whose(ctx context.Context, r Request) (storage.Person, error) {
	name := r.Said["person"]
	if r.Said == nil && len(r.Args) > 0 {
		name = r.Args[0]
	}
	if name == "" {
		return r.Me, nil
	}
	return b.met(ctx, r, name)
}

// Asker is the author of a message, and where it was written. Apart from the language of their client, these are zero
// if never met. It stores nothing, and returns false if it cannot read the database.
func (b *Bot) Asker(ctx context.Context, m message.Incoming) (Request, bool) {
	r, err := storage.Read(ctx, b.Store, func(read storage.Reader) (Request, error) { return askerOf(read, m) })
	return r, err == nil || errors.Is(err, storage.ErrNotFound)
}

func askerOf(r storage.Reader, m message.Incoming) (Request, error) {
	who, err := user.VisitorIn(r, m.From.Address, m.Place)
	who.Person.Locale = cmp.Or(m.From.Locale, who.Person.Locale)
	return Request{Msg: m, Me: who.Person, Here: who.Place, Server: who.Server}, err
}

// link gives a code, or asks whether to use the code of another account's person; a "yes" after the
// code confirms. For a challenge, it gives the code to join it.
func link(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	switch {
	case len(r.Args) > 0:
		return linkWith(ctx, b, r)
	case r.Game != 0:
		code, err := b.Match.JoinCode(ctx, r.by(), r.Game)
		return r.answer(words.Join(" ", words.Say("challenge.code", "code", code, "challenge", r.Game), words.AsLink(b.Address(code, "")))), err
	}
	merge, asked, err := b.Users.AgreedLink(ctx, r.Me.Link)
	switch {
	case err != nil:
		return nil, err
	case asked:
		return new(linkQuestion(merge)), nil
	case b.IsOnly(r.Msg.Place.Platform):
		return nil, &wordedRefusal{Text: words.Say("person.only-here")}
	}
	code, err := b.Users.NewLink(ctx, r.by())
	return r.answer(words.LinkTo(code, b.Address(LinkCode+code, r.Msg.Place.Platform))), err
}

// linkWith handles a code of another account; "yes" or "no" alone answers the person who has agreed to
// the asker's own code.
func linkWith(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	code, word := r.Args[0], ""
	if len(r.Args) == 2 {
		word = strings.ToLower(r.Args[1])
	}
	switch own := strings.ToLower(code); {
	case len(r.Args) == 1 && (own == "yes" || own == "no"):
		merge, asked, err := b.Users.AgreedLink(ctx, r.Me.Link)
		if err != nil || !asked {
			return nil, cmp.Or(err, error(&event.Refusal{Why: event.NotAsked}))
		}
		r.Args = []string{merge.Code}
		return presses["give-"+own].run(ctx, b, r)
	case word == "yes" || word == "no":
		return presses["link-"+word].run(ctx, b, r)
	case word != "":
		return r.answer(words.Say("request.odd-word", "word", words.Clip(r.Args[1]))), nil
	case !match.IsCode(code):
		return r.answer(words.Say("challenge.no-code", "word", words.Clip(code), "length", match.CodeLength, "command", r.Name)), nil
	}
	merge, err := b.Users.LinkWith(ctx, r.by(), code)
	return &message.Message{To: r.Me.ID, Text: words.SureToLink(merge), Buttons: message.YesNo("link", 0, merge.Code)}, err
}

// linking makes a handler of an answer about the link with a code.
func linking(do func(*user.Users, context.Context, event.By, string) (event.Done, error)) func(context.Context, *Bot, Request) (event.Done, error) {
	return func(ctx context.Context, b *Bot, r Request) (event.Done, error) {
		return do(b.Users, ctx, r.by(), r.Args[0])
	}
}

// aboutThem makes a handler of something that is done to the asker themself.
func aboutThem(do func(*user.Users, context.Context, event.By) (event.Done, error)) func(context.Context, *Bot, Request) (event.Done, error) {
	return func(ctx context.Context, b *Bot, r Request) (event.Done, error) { return do(b.Users, ctx, r.by()) }
}

func unlink(ctx context.Context, b *Bot, r Request) (event.Done, error) {
	return b.Users.Unlink(ctx, r.by(), r.Msg.From.Address)
}

func playOn(ctx context.Context, b *Bot, r Request) (event.Done, error) {
	return b.Match.PlayOn(ctx, r.by(), r.Game)
}

func letCount(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	_, err := b.Ratings.LetCount(ctx, r.by(), r.Game)
	return r.answer(words.Say("settings.still-counts", "game", r.Game)), err
}

// signIn is the path of the page that signs people in, up to the number of the game that it leads to.
const signIn = "/in?game="

// openPage gives the asker a link that opens a game as a page and signs them in there.
func openPage(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if b.Pages() == "" {
		return r.answer(words.Say("request.old-button")), nil
	}
	if _, err := b.Games.LoadFor(ctx, r.by(), r.Game, match.Latest); err != nil {
		return nil, err
	}
	secret, err := b.Users.NewSession(ctx, r.Me.ID, limit.PassFor, storage.MessageID{})
	if err != nil {
		return nil, err
	}
	days := int(limit.PassFor / (24 * time.Hour))
	open := message.NewButton(words.Label("open-board"), message.OpenPage, r.Game, message.None)
	open.Opens = fmt.Sprint(b.Pages(), signIn, uint64(r.Game), "#", secret)
	return &message.Message{To: r.Me.ID, Text: words.Say("pages.link", "game", r.Game, "days", days), Buttons: []message.Button{open}}, nil
}

// inChat limits a handler to chats: anybody with a person's link may play for them until it expires, but must not take
// over anything for good.
func inChat(run handler) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		if r.Msg.Outside {
			return r.answer(words.Say("pages.not-here")), nil
		}
		return run(ctx, b, r)
	}
}

// PageOf is the address of the page that a button opens, which signs nobody in; "" if there is none.
func (b *Bot) PageOf(button message.Button) string {
	p, game, _, _, ok := pressed(button.Do)
	return words.Either(ok && p.verb == message.OpenPage && b.Pages() != "", fmt.Sprint(b.Pages(), signIn, uint64(game)), "")
}

// Visitor is the person signed in on pages with a secret, as a message without text; false if nobody
// is.
func (b *Bot) Visitor(ctx context.Context, secret string) (m message.Incoming, known bool, err error) {
	who, err := b.Users.SessionHolder(ctx, secret)
	if err != nil {
		return m, false, storage.UnlessMissing(err)
	}
	p := &who.Person
	m = message.Incoming{Place: who.Place.Address, Private: true, Alone: true, Outside: true, Picks: true}
	if who.Place.ID == 0 {
		m.Place, m.Private = user.OnPages(p.ID), false // nothing can be told to them there
	}
	m.From = message.Account{Address: p.Identities[0], Name: p.Name}
	if account, ok := p.On(m.Place.Platform); ok {
		m.From.Address.Platform, m.From.Address.ID = m.Place.Platform, account
	}
	return m, true, nil
}

// SignIn gives somebody who has proved who they are a secret that signs them in on pages for a while.
// It fails with [user.ErrShownBefore] if a proof with this mark was used before.
func (b *Bot) SignIn(ctx context.Context, p message.Account, mark string) (secret string, err error) {
	met, err := b.Users.Meet(ctx, p.Address, p.Name)
	if err != nil {
		return "", err
	}
	return b.Users.NewSession(ctx, met.ID, limit.AppFor, storage.MessageID{Platform: p.Address.Platform, ID: "word " + mark})
}

// Stranger is somebody who is not known except for their language, as a message without text.
func (*Bot) Stranger(locale string) message.Incoming {
	return message.Incoming{From: message.Account{Locale: locale}, Alone: true, Outside: true}
}

// settings shows or changes the asker's settings.
func settings(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	r.Args = settingFirst(r.Args)
	if len(r.Args) > 0 && r.Command.Subs[0].Subs.Find(r.Args[0]) != nil {
		return r.answer(words.Say("settings.only-for-server", "verb", strings.ToLower(r.Args[0]), "game", max(r.Game, 1))), nil
	}
	if len(r.Args) > 1 && r.Args[0] == user.SetLinks {
		if len(r.Args) != 2 || !strings.EqualFold(r.Args[1], "reset") {
			return r.answer(words.Say("settings.needs-value", "setting", user.SetLinks, "takes", words.SettingTakes(user.SetLinks, nil))), nil
		}
		_, err := b.Users.EndSessions(ctx, r.by())
		return r.answer(words.Say("settings.links-reset")), err
	}
	no, err := choose(ctx, b, r, b.Users.Choose, false)
	if no != nil || err != nil {
		return no, err
	}
	locale := r.Me.Locale // perhaps only heard
	r.Me, err = b.Users.Meet(ctx, r.Msg.From.Address, r.Msg.From.Name)
	r.Me.Locale = cmp.Or(r.Me.Locale, locale)
	all := settingsOf(b, r, false)
	if said := chosen(r, all, ""); said != nil {
		return said, err
	}
	return settingsList(r, words.Settings, all, ""), err
}

// chosen tells the new value of the setting that a request has changed; nil if it has changed none.
func chosen(r Request, all []user.Setting, here string) *message.Message {
	if len(r.Args) < 2 || strings.EqualFold(r.Args[0], "help") {
		return nil
	}
	i := find(all, r.Args[0])
	if i < 0 {
		return nil
	}
	said := r.answerAtOnce(words.SettingDone(all[i], all[find(all, user.SetTimezone)].Value))
	if said.Step = r.Msg.Press != ""; said.Step {
		said.Buttons = []message.Button{backToSettings(all[i].Name, here)}
	}
	return said
}

// settingsOf are the settings of the asker, or of the server where they are, that can be chosen there.
func settingsOf(b *Bot, r Request, here bool) []user.Setting {
	r.Server.Settings.Game = usualVariant(b, r) // otherwise it would say that the usual game is "usual"
	all := words.Either(here, user.ServerSettings(r.Server.Settings, r.Here.Address), user.Settings(r.Me.Settings))
	for i := range all {
		all[i].Said = words.SettingValue(all[i].Value, b.Games.Variants())
	}
	return slices.DeleteFunc(all, func(s user.Setting) bool {
		return s.Name == user.SetLinks && b.Pages() == "" || s.Name == user.SetThreads && r.Msg.Group || s.Name == user.SetWords && r.Msg.Fills
	})
}

// find is the index of a setting with a name, -1 if there is none.
func find(all []user.Setting, name string) int {
	return slices.IndexFunc(all, func(s user.Setting) bool { return s.Name == name })
}

// usualSettings are the settings of a person, or of a server, before anything is chosen.
func usualSettings(here bool) []user.Setting {
	return words.Either(here, user.ServerSettings(storage.ServerSettings{}, storage.Address{}), user.Settings(storage.Settings{}))
}

// noSetting answers a name that is no setting of the asker, or of the server here.
func noSetting(name string, here bool) words.Text {
	mine := words.Either(find(usualSettings(true), name) >= 0, "settings.not-yours", "settings.unknown")
	return words.Say(words.Either(here, "settings.unknown-here", mine), "setting", words.Clip(name))
}

// choose gives a setting the value that the asker wants, or asks what they may have meant.
func choose(ctx context.Context, b *Bot, r Request, choose func(context.Context, event.By, string, string) (event.Done, error), here bool) (*message.Message, error) {
	games := b.Games.Variants()
	switch help := len(r.Args) > 0 && strings.EqualFold(r.Args[0], "help"); {
	case len(r.Args) == 0, len(r.Args) == 1 && (help || r.Args[0] == ofBoards):
		return nil, nil // the list tells what each accepts
	case help || len(r.Args) == 1:
		name := settingFirst(r.Args[min(len(r.Args)-1, 1):])[0]
		if find(usualSettings(here), name) < 0 {
			return r.answer(noSetting(name, here)), nil
		}
		if !help && (!here || r.Msg.Manager) {
			return pickSetting(words.Either(here, "-here", ""))(ctx, b, r)
		}
		return r.answer(words.Say("settings.needs-value", "setting", name, "takes", words.SettingTakes(name, games))), nil
	}
	said := readSetting(games, r.Args)
	if len(said) > 2 {
		return r.answer(words.Say("request.odd-word", "word", words.Clip(said[2]))), nil
	}
	name, wanted := said[0], said[1]
	err, takes := error(&event.Refusal{Why: event.BadValue}), words.SettingTakes(name, games)
	ofLooks := name == user.SetTheme || name == user.SetSize
	if !ofLooks || slices.Contains(words.SettingValues(name, nil), strings.ToLower(wanted)) {
		_, err = choose(ctx, r.by(), name, words.Either(ofLooks && wanted == "usual", "", wanted))
	}
	switch {
	case event.IsRefused(err, event.NoSuchSetting):
		err = &wordedRefusal{Text: noSetting(name, here), Why: err}
	case event.IsRefused(err, event.BadValue) && name == user.SetTimezone:
		err = &wordedRefusal{Text: words.Say("settings.bad-zone", "value", words.Clip(strings.ReplaceAll(wanted, "_", " ")), "setting", name, "takes", takes), Why: err}
	case event.IsRefused(err, event.BadValue):
		err = &wordedRefusal{Text: words.Say("settings.bad-value", "value", words.Clip(wanted), "setting", name, "takes", takes), Why: err}
	}
	return nil, err
}

// serverSettings shows or changes the settings of the server, and shows its managers who is hidden
// there.
func serverSettings(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if r.Args = settingFirst(r.Args); r.Msg.Group && len(r.Args) > 0 && r.Args[0] == user.SetThreads {
		return r.answer(noSetting(user.SetThreads, true)), nil
	}
	if no, err := choose(ctx, b, r, b.Users.ChooseForServer, true); no != nil || err != nil {
		return no, err
	}
	known, err := b.Users.Known(ctx, r.Msg.From.Address, r.Msg.Place)
	if err != nil {
		return nil, err
	}
	r.Server = known.Server
	hidden, err := b.names(ctx, words.If(r.Msg.Manager, r.Server.Settings.Hidden...))
	if err != nil {
		return nil, err
	}
	all := settingsOf(b, r, true)
	if said := chosen(r, all, "-here"); said != nil {
		return said, nil
	}
	if !r.Msg.Manager {
		return listed(r, func(some []user.Setting) words.Text { return words.ServerSettings(some, hidden) }, all), nil
	}
	return settingsList(r, func(some []user.Setting) words.Text { return words.ServerSettings(some, hidden) }, all, "-here"), nil
}

// Buttons for settings: "setting" and "set" for those of the asker, and with the ending "-here" for
// those of a server.

// ofBoards asks for the settings about boards, which have a list of their own.
const ofBoards = "boards"

// settingsList is a list of settings, each with a button to choose it; here is the ending of verbs for
// a server. Settings about boards have a list of their own.
func settingsList(r Request, say func([]user.Setting) words.Text, all []user.Setting, here string) *message.Message {
	turn := plainButton(words.Label("settings-boards"), "settings-boards"+here, ofBoards)
	boards := slices.Contains(r.Args, ofBoards)
	if boards {
		turn = backToSettings("", here)
	}
	all = slices.DeleteFunc(all, func(s user.Setting) bool { return user.OfBoards(s.Name) != boards })
	said := listed(r, say, all)
	said.Step = r.Msg.Press != ""
	for i, s := range all {
		said.Buttons = append(said.Buttons,
			plainButton(words.SettingName(s.Name), "setting"+here, s.Name).Choose(words.AboutSetting(s.Name)).Beside(i+2))
	}
	said.Buttons = append(said.Buttons, turn)
	return said
}

// listed are settings, in words and as a table.
func listed(r Request, say func([]user.Setting) words.Text, all []user.Setting) *message.Message {
	said := r.answerAtOnce(say(all))
	said.Brief, said.Table = say(nil), words.SettingsTable(all)
	return said
}

// backToSettings leads back to the list that a setting is in.
func backToSettings(name, here string) message.Button {
	boards := words.If(user.OfBoards(name), ofBoards)
	return plainButton(words.Label("back"), words.Either(boards == nil, "settings", "settings-boards")+here, boards...)
}

// pickSetting offers the usual values of a setting to choose from.
func pickSetting(here string) handler {
	return func(_ context.Context, b *Bot, r Request) (*message.Message, error) {
		all := settingsOf(b, r, here != "")
		i := find(all, r.Args[0])
		if i < 0 {
			return nil, &event.Refusal{Why: event.NoSuchSetting}
		}
		games := b.Games.Variants()
		said := message.Message{To: r.Me.ID, Step: true, Text: words.Say("settings.line", "setting", all[i].Name, "value", all[i].Value,
			"others", all[i].Others, "about", words.AboutSetting(all[i].Name), "takes", words.SettingTakes(all[i].Name, games))}
		for _, value := range words.SettingValues(r.Args[0], games) {
			said.Buttons = append(said.Buttons, plainButton(words.SettingValue(value, games), "set"+here, r.Args[0], value).Choose(phrase.As("")))
		}
		said.Buttons = append(said.Buttons, backToSettings(r.Args[0], here))
		return &said, nil
	}
}

// hide takes a person off the server's leaderboards, or puts them there again.
func hide(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if len(r.Args) != 1 {
		return r.answer(words.Say("settings.hide-whom", "verb", r.Command.Name)), nil
	}
	hidden := r.Command.Name == "hide"
	whom, err := b.named(ctx, r, r.Args[0])
	if err == nil && hidden { // before they are hidden, since a ladder does not show who is
		err = b.Seasons.Bar(ctx, r.by(), whom.ID)
	}
	if err == nil {
		_, err = b.Users.Hide(ctx, r.by(), whom.ID, hidden)
	}
	shown := words.Either(whom.Settings.Unranked, "settings.shown-but-unranked", "settings.shown-here")
	return r.answer(words.Say(words.Either(hidden, "settings.hidden-here", shown), "player", whom.Name)), err
}

// annul takes a game of the server out of its leaderboards, once confirmed by a second request.
func annul(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if n, err := strconv.ParseUint(strings.Join(r.Args, " "), 10, 63); err == nil && r.Game == 0 {
		r.Game, r.Args = storage.GameID(n), nil
	}
	if len(r.Args) > 0 || r.Game == 0 {
		return r.answer(words.Say("settings.annul-what")), nil
	}
	return annulling(false)(ctx, b, r)
}

func annulling(sure bool) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		d, err := b.Ratings.LeaveOut(ctx, r.by(), r.Game, sure)
		if err == nil && d.Kind == event.Chose {
			return r.answer(words.Say("settings.annulled", "game", r.Game)), nil
		}
		return r.done(d, err)
	}
}

// Choosable is a setting that somebody may choose, in their language.
type Choosable struct {
	Name, Value string
	Title       string   // what it is called
	Takes       string   // which values there are
	Values      []string // all values, or the most common ones; nil if it takes any text
	OfBoards    bool     // it is about how boards are shown
}

// Settings are the settings of the author of a message, without that of links, which takes no value, or those of the
// server here.
func (b *Bot) Settings(ctx context.Context, m message.Incoming, here bool) (all []Choosable) {
	r, _ := b.Asker(ctx, m)
	games, l := b.Games.Variants(), r.Language()
	for _, s := range settingsOf(b, r, here) {
		if s.Name == user.SetLinks {
			continue
		}
		all = append(all, Choosable{
			s.Name, s.Value, words.SettingName(s.Name).Text(l), words.Of(words.SettingTakes(s.Name, games)).In(l).Plain(),
			words.SettingValues(s.Name, games), user.OfBoards(s.Name),
		})
	}
	return all
}

// Choose changes the settings of the author of a message, or of the server here, to the given values, as people write
// them, where they differ. It returns the answers that report no success.
func (b *Bot) Choose(ctx context.Context, m message.Incoming, here bool, wanted func(name string) string) (notes []message.Message, done bool) {
	for _, s := range b.Settings(ctx, m, here) {
		value := strings.Join(strings.Fields(wanted(s.Name)), "")
		if value == "" || strings.EqualFold(value, s.Value) {
			continue
		}
		m.Text = words.Either(here, "settings here ", "settings ") + s.Name + " " + value
		told, err := b.Handle(ctx, m)
		now := b.Settings(ctx, m, here)
		i := slices.IndexFunc(now, func(other Choosable) bool { return other.Name == s.Name })
		if err != nil || now[i].Value == s.Value {
			notes = append(notes, told...)
			continue
		}
		done = true
	}
	return notes, done
}
