package bot

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"
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
	if len(r.Args) > 0 && slices.Contains([]string{"on", "off"}, strings.ToLower(r.Args[0])) {
		if _, err := b.Users.Choose(ctx, r.by(), user.SetChat, r.Args[0]); err != nil {
			return nil, err
		}
		r.Me.Settings.Chat = strings.EqualFold(r.Args[0], "on")
	}
	return r.answer(words.Say("chat.state", "on", r.Me.Settings.Chat, "most", limit.Talk)), nil
}

// address matches links, and anything like them.
var address = regexp.MustCompile(`(?i)://|www\.|\b[a-z0-9-]+\.(com|org|net|info|io|gg|me|ly|tv|app|dev|xyz|link|shop|ru|de|fr|es|pt|br|co|uk|eu)\b`)

// errNoTalk means that there is nobody who wants to hear what was said.
var errNoTalk = errors.New("bot: nobody is talked to")

// talk passes a text on to the opponent in the private game that is meant; nil if no opponent wants
// it.
func (b *Bot) talk(ctx context.Context, r Request, text string) (*message.Message, error) {
	if !r.Me.Settings.Chat || !r.Msg.Private || r.Msg.Outside || r.Msg.Press != "" {
		return nil, nil
	}
	id, err := b.meant(ctx, r, func(g *storage.Game) bool { return !g.Practice() })
	if errors.Is(err, errNoGame) {
		id, err = b.lastPlayed(ctx, r)
	}
	if no := (*wordedRefusal)(nil); errors.Is(err, errNoGame) || errors.As(err, &no) {
		return nil, nil
	} else if err != nil {
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
	if err == nil && (place.Owner != them.ID || !wantsTalk(them, me.ID) || slices.Contains(me.Blocked, them.ID)) {
		err = errNoTalk
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
	block := message.NewButton(words.Label("block"), "block", 0, message.None, strconv.FormatUint(uint64(n.by.ID), 10))
	return say(words.Say("chat.said", "player", n.by.Name, "game", words.Hash(n.Game), "text", text), block)
}

// blockTalker blocks the person who has said something.
func blockTalker(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	id, err := strconv.ParseUint(r.Args[0], 10, 64)
	if err != nil {
		return r.answer(words.Say("request.old-button")), nil
	}
	who, err := storage.Read(ctx, b.Store, func(s storage.Reader) (storage.Person, error) { return s.PersonNow(storage.PersonID(id)) })
	if err == nil {
		_, err = b.Users.Block(ctx, r.by(), who.ID, true)
	}
	return r.answer(words.Say("person.blocked", "player", who.Name)), err
}
