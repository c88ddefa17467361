package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"chimera/bot/archive"
	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/storage"
)

// saying does something, and then says that it is done.
func saying(text words.Text, do func(context.Context, *Bot, Request) (event.Done, error)) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		_, err := do(ctx, b, r)
		return r.answer(text), err
	}
}

// blocking keeps a person's challenges from the asker, or lets them through again.
func blocking(wanted bool) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		if len(r.Args) == 0 {
			return r.answer(words.Say("person.block-whom")), nil
		}
		whom, err := b.named(ctx, r, r.Args[0])
		if err == nil {
			_, err = b.Users.Block(ctx, r.by(), whom.ID, wanted)
		}
		return r.answer(words.Blocked(whom, wanted)), err
	}
}

func myData(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	record, err := b.Users.Record(ctx, r.Me.ID)
	if err != nil {
		return nil, err
	}
	text, err := archive.Readable(record)
	return &message.Message{To: r.Me.ID, Text: words.Say("person.all-about-you"), File: &message.File{Name: "mydata.json", Content: text}}, err
}

// forgetting forgets the asker, once that is sure.
func forgetting(sure bool) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		return r.done(b.Users.Forget(ctx, r.by(), sure))
	}
}

// named is the person of a word such as "@bob"; that there is none is refused.
func (b *Bot) named(ctx context.Context, r Request, word string) (storage.Person, error) {
	person, ok := r.Msg.People[strings.ToLower(word)]
	if !ok || person.Bot || person.Unmet {
		return storage.Person{}, &wordedRefusal{Text: words.Nobody(word, r.retyped(word, "@name"))}
	}
	return b.Users.Meet(ctx, person.Address, person.Name)
}

// met is the person of a word such as "@bob", who must have been met before: others have
// done nothing yet that could be shown or answered.
func (b *Bot) met(ctx context.Context, r Request, word string) (storage.Person, error) {
	if person, ok := r.Msg.People[strings.ToLower(word)]; ok && !person.Bot && !person.Unmet {
		if met, err := b.Users.Met(ctx, person.Address); err != nil || !met {
			return storage.Person{}, cmp.Or(err, error(&wordedRefusal{Text: words.NotMet(person.Name)}))
		}
	}
	return b.named(ctx, r, word)
}

// whose is the person a command is about: the one it names, else who writes it.
func (b *Bot) whose(ctx context.Context, r Request) (storage.Person, error) {
	if len(r.Args) == 0 {
		return r.Me, nil
	}
	return b.met(ctx, r, r.Args[0])
}

// Asker is a person who writes something, and where; zero where they or the place were
// never heard of, but for the language of their client. False is returned if that cannot be read. Nothing is written.
func (b *Bot) Asker(ctx context.Context, m message.Incoming) (Request, bool) {
	who, err := b.Users.Known(ctx, m.From.Address, m.Place)
	who.Person.Locale = cmp.Or(m.From.Locale, who.Person.Locale)
	return Request{Msg: m, Me: who.Person, Here: who.Place, Server: who.Server}, err == nil || errors.Is(err, storage.ErrNotFound)
}

// link gives a code, or asks whether one that another account's person was given is meant;
// "yes" behind it says so. Of a challenge it gives the code with which that is joined.
func link(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	switch {
	case len(r.Args) > 0:
		return linkWith(ctx, b, r)
	case r.Game != 0:
		code, err := b.Match.JoinCode(ctx, r.by(), r.Game)
		return r.answer(words.Join(r.Game, code, b.Address(code, ""))), err
	}
	merge, asked, err := b.Users.AgreedLink(ctx, r.Me.Link)
	switch {
	case err != nil:
		return nil, err
	case asked:
		return one(linkQuestion(merge), nil)
	case b.IsOnly(r.Msg.Place.Platform):
		return nil, &wordedRefusal{Text: words.Say("person.only-here")}
	}
	code, err := b.Users.NewLink(ctx, r.by())
	return r.answer(words.LinkTo(code, b.Address(LinkCode+code, r.Msg.Place.Platform))), err
}

// linkWith is about a code of another account, or with "yes" and "no" alone about who has
// agreed to the asker's own.
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
		return linking(own == "yes", true)(ctx, b, r)
	case word == "yes" || word == "no":
		return linking(word == "yes", false)(ctx, b, r)
	case word != "":
		return r.answer(words.Say("request.odd-word", "word", words.Clip(r.Args[1]))), nil
	case !match.IsCode(code):
		return r.answer(words.Say("challenge.no-code", "word", words.Clip(code), "length", match.CodeLength, "command", r.Name)), nil
	}
	merge, err := b.Users.LinkWith(ctx, r.by(), code)
	return &message.Message{To: r.Me.ID, Text: words.SureToLink(merge), Buttons: message.YesNo("link", 0, message.None, merge.Code)}, err
}

// linking is the word on a link: of whom another would become, or of who would become another.
func linking(yes, given bool) handler {
	text := words.Say("person.link-refused")
	switch {
	case yes && given:
		text = words.Say("person.linked")
	case yes:
		text = words.Say("person.link-agreed")
	}
	return saying(text, func(ctx context.Context, b *Bot, r Request) (event.Done, error) {
		switch {
		case yes && given:
			return b.Users.GiveLink(ctx, r.by(), r.Args[0])
		case yes:
			return b.Users.AgreeLink(ctx, r.by(), r.Args[0])
		case given:
			return b.Users.KeepLink(ctx, r.by())
		}
		return b.Users.RefuseLink(ctx, r.by(), r.Args[0])
	})
}

func unlink(ctx context.Context, b *Bot, r Request) (event.Done, error) {
	return b.Users.Unlink(ctx, r.by(), r.Msg.From.Address)
}

func stay(ctx context.Context, b *Bot, r Request) (event.Done, error) {
	return b.Users.Stay(ctx, r.by())
}

func playOn(ctx context.Context, b *Bot, r Request) (event.Done, error) {
	return b.Match.PlayOn(ctx, r.by(), r.Game)
}

func letCount(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	_, err := b.Ratings.LetCount(ctx, r.by(), r.Game)
	return r.answer(words.Say("settings.still-counts", "game", r.Game)), err
}

// signIn is the page that signs people in: its path, and what stands before the game that it leads to.
const signIn = "/in?game="

// openPage gives the asker a link that opens a game as a page, on which it signs them in.
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
	open := message.LinkButton(words.Label("open-board"), r.Msg.Press, fmt.Sprint(b.Pages(), signIn, uint64(r.Game), "#", secret))
	return &message.Message{To: r.Me.ID, Text: words.Say("pages.link", "game", r.Game, "days", days), Buttons: []message.Button{open}}, nil
}

// inChat keeps something to chats: whoever came by somebody's link may play for them until it ends, and
// take nothing of theirs for good.
func inChat(run handler) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		if r.Msg.Outside {
			return r.answer(words.Say("pages.not-here")), nil
		}
		return run(ctx, b, r)
	}
}

// PageOf is the web address of the page that a button opens, on which nobody is signed in by it;
// "" if it opens none.
func (b *Bot) PageOf(button message.Button) string {
	p, game, _, _, ok := pressed(button.Do)
	if !ok || p.verb != message.OpenPage || b.Pages() == "" {
		return ""
	}
	return fmt.Sprint(b.Pages(), signIn, uint64(game))
}

// Visitor is whoever has a secret by which they are signed in on pages, as a message without words;
// false if nobody is signed in by it.
func (b *Bot) Visitor(ctx context.Context, secret string) (m message.Incoming, known bool, err error) {
	who, err := b.Users.SessionHolder(ctx, secret)
	switch {
	case storage.Missing(err):
		return m, false, nil
	case err != nil:
		return m, false, err
	}
	p := &who.Person
	m = message.Incoming{Place: who.Place.Address, Private: true, Alone: true, Outside: true, Picks: true}
	if who.Place.ID == 0 {
		m.Place, m.Private = user.OnPages(p.ID), false // where nothing can be told to them
	}
	m.From = message.Account{Address: p.Identities[0], Name: p.Name}
	if account, ok := p.On(m.Place.Platform); ok {
		m.From.Address.Platform, m.From.Address.ID = m.Place.Platform, account
	}
	return m, true, nil
}

// SignIn gives somebody who has shown who they are a secret by which they are signed in on pages for a
// while; false if what they have shown, which is known by a mark, was shown before.
func (b *Bot) SignIn(ctx context.Context, p message.Account, mark string) (secret string, fresh bool, err error) {
	met, err := b.Users.Meet(ctx, p.Address, p.Name)
	if err != nil {
		return "", false, err
	}
	secret, err = b.Users.NewSession(ctx, met.ID, limit.AppFor, storage.MessageID{Platform: p.Address.Platform, ID: "word " + mark})
	if errors.Is(err, user.ErrShownBefore) {
		return "", false, nil
	}
	return secret, err == nil, err
}

// SignInBy gives whoever has such a secret another one, for one browser; false if nobody is signed in by it.
func (b *Bot) SignInBy(ctx context.Context, secret string) (own string, known bool, err error) {
	own, err = b.Users.AnotherSession(ctx, secret)
	if storage.Missing(err) {
		return "", false, nil
	}
	return own, err == nil, err
}

// resetLinks ends all links that sign the asker in on pages.
func resetLinks(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if len(r.Args) != 2 || !strings.EqualFold(r.Args[1], "reset") {
		return r.answer(words.SettingNeedsValue(user.SetLinks, nil)), nil
	}
	_, err := b.Users.EndSessions(ctx, r.by())
	return r.answer(words.Say("settings.links-reset")), err
}

// Stranger is somebody of whom nothing is known but which language they read, as a message without
// words.
func (*Bot) Stranger(locale string) message.Incoming {
	return message.Incoming{From: message.Account{Locale: locale}, Alone: true, Outside: true}
}
