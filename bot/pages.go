package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/storage"
)

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
