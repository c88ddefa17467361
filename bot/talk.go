package bot

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/message"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/storage"
)

// Two players of a private game can send each other messages, if both want that. These are kept only in the outbox,
// until they are delivered.

// chat tells whether somebody wants messages of opponents, and lets them choose that.
func chat(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	wanted := readSetting(nil, append([]string{user.SetChat}, r.Args...))
	if len(wanted) > 1 && slices.Contains(words.SettingValues(user.SetChat, nil), wanted[1]) {
		if _, err := b.Users.Choose(ctx, r.by(), wanted[0], wanted[1]); err != nil {
			return nil, err
		}
		r.Me.Settings.Chat = wanted[1] == "on"
	}
	return r.answer(words.Say("chat.state", "on", r.Me.Settings.Chat, "most", limit.Talk)), nil
}

// address matches what chats make links of, and anything like it.
var address = regexp.MustCompile(`(?i)` + strings.Join([]string{
	`://`, `www\.`,
	`\b[a-z0-9-]+\.(com|org|net|info|io|gg|ly|tv|app|dev|xyz|link|shop|ru|de|fr|es|pt|br|co|uk|eu)\b`,
	`[\pL\d-]+\.\pL{2,}/`,       // any site's page
	`\b\d{1,3}(\.\d{1,3}){3}\b`, // an IP address
	`@[\pL\d_]`,                 // a person
	`(^|\s)/\pL`,                // a command
}, "|"))

// errNoTalk means that there is nobody who wants to hear what was said.
var errNoTalk = errors.New("bot: nobody is talked to")

// talk passes what somebody wrote, but for the number of a game, on to the opponent in the private game that is meant;
// nil if no opponent wants it.
func (b *Bot) talk(ctx context.Context, r Request) (*message.Message, error) {
	if !r.Me.Settings.Chat || !r.Msg.Private || r.Msg.Outside || r.Msg.Arrived || r.Msg.Press != "" {
		return nil, nil
	}
	text := strings.Join(slices.DeleteFunc(strings.Fields(r.Msg.Text), gameNumber.MatchString), " ")
	id, err := b.meant(ctx, r, func(g *storage.Game) bool {
		return !errors.Is(b.Store.View(ctx, func(s storage.Reader) error {
			_, _, err := b.listener(s, r.Me, g.ID)
			return err
		}), errNoTalk)
	})
	if errors.Is(err, errNoGame) {
		id, err = b.lastPlayed(ctx, r)
	}
	no, several := (*wordedRefusal)(nil), (*severalGames)(nil)
	switch {
	case errors.Is(err, errNoGame), errors.As(err, &no):
		return nil, nil
	case errors.As(err, &several):
		if which := b.whichGame(ctx, r, several); which != nil { // its buttons would play the text as a move
			err = &wordedRefusal{Text: which.Text}
		}
		return nil, err
	case err != nil:
		return nil, err
	}
	now := b.Events.Offer(r.by()).At
	last, _ := b.talked.Get(r.Me.ID)
	done, err := b.Events.Once(ctx, r.by(), func(w storage.Writer) (event.Done, error) {
		g, at, err := b.listener(w.Reader, r.Me, id)
		switch {
		case err != nil:
			return event.Done{}, err
		case utf8.RuneCountInString(text) > limit.Talk:
			return event.Done{}, &wordedRefusal{Text: words.Say("chat.too-long", "most", limit.Talk)}
		case address.MatchString(text):
			return event.Done{}, &wordedRefusal{Text: words.Say("chat.no-links")}
		case now.Sub(last) < limit.TalkEvery: // nobody is flooded
			return event.Done{}, &wordedRefusal{Text: words.Say("chat.too-fast")}
		}
		return event.Done{Kind: event.Said, Game: id}, w.Post(b.Events.Entry(&g, at, event.Event{Kind: event.Said, Ply: len(g.Moves), By: r.Me.ID, Payload: event.Talk{Text: text}}))
	})
	if errors.Is(err, errNoTalk) {
		return nil, nil
	}
	if err == nil {
		b.talked.Add(r.Me.ID, now)
	}
	return r.done(done, err)
}

// listener is the private chat of a player's opponent in a game who wants to hear them. The error is
// errNoTalk if there is none.
func (b *Bot) listener(r storage.Reader, me storage.Person, id storage.GameID) (g storage.Game, at storage.PlaceID, err error) {
	if g, err = event.Named(r, id); err != nil {
		return g, 0, err
	}
	side, plays := g.SideOf(me.ID)
	if !plays || g.Practice() {
		return g, 0, errNoTalk
	}
	them, err := r.PersonNow(g.Players[1-side])
	if err != nil {
		return g, 0, err
	}
	place, err := r.Places().Get(g.Seat(1 - side))
	switch {
	case err != nil:
	case place.Owner != them.ID, !wantsTalk(them, me.ID), slices.Contains(me.Blocked, them.ID):
		err = errNoTalk
	case !place.Gone.IsZero():
		err = &wordedRefusal{Text: words.Say("chat.unreachable", "player", them.Name)}
	}
	return g, place.ID, err
}

// wantsTalk reports whether somebody wants to hear another.
func wantsTalk(p storage.Person, other storage.PersonID) bool {
	return p.ID != 0 && p.ID != other && p.Settings.Chat && !slices.Contains(p.Blocked, other)
}

// talk tells what somebody's opponent says, unless they want to hear no more.
func (n *notice) talk() (message.Message, error) {
	if !wantsTalk(n.alone, n.by.ID) {
		return message.Message{}, nil
	}
	text := words.Span{Words: event.PayloadOf[event.Talk](&n.Entry).Text}
	block := message.NewButton(words.Label("block"), "block", n.Game, message.None)
	return say(words.Say("chat.said", "player", n.by.Name, "game", words.Hash(n.Game), "text", text), block)
}

// blockOpponent blocks the asker's opponent in a game.
func blockOpponent(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	side, _ := r.View.Game.SideOf(r.Me.ID)
	_, err := b.Users.Block(ctx, r.by(), r.View.Game.Players[1-side], true)
	return r.answer(words.Say("person.blocked", "player", r.View.Names[1-side])), err
}
