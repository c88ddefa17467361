package web

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"sync/atomic"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

// local is who sits at one screen.
type local struct {
	seats [2]storage.Address  // of host and guest
	ids   [2]storage.PersonID // likewise
	names [2]atomic.Value     // likewise, as they were asked for; nil before they were
}

func sitDown(ctx context.Context, b *bot.Bot) (*local, error) {
	l := &local{}
	for i, seat := range []string{"host", "guest"} {
		l.seats[i] = storage.Address{Platform: platform, ID: seat}
		name := book.Say(seat).Text(phrase.English)
		known, _ := b.Asker(ctx, message.Incoming{From: message.Account{Address: l.seats[i]}})
		if known.Me.Name != "" {
			name = known.Me.Name
			l.names[i].Store(name)
		}
		met, err := b.Users.Meet(ctx, l.seats[i], name)
		if err != nil {
			return nil, err
		}
		l.ids[i] = met.ID
	}
	return l, nil
}

// plays reports whether both who sit here play a game.
func (l *local) plays(t bot.Turn) bool {
	return t.Players == l.ids || t.Players == [2]storage.PersonID{l.ids[1], l.ids[0]}
}

// The seats.
const (
	hostSeat = iota
	guestSeat
)

// account is who sits on a seat, as they see it who ask.
func (l *local) account(r *http.Request, seat int) message.Account {
	name, _ := l.names[seat].Load().(string)
	locale := language(r)
	if name == "" {
		spoken, _ := phrase.Match(locale)
		name = book.Say(l.seats[seat].ID).Text(spoken)
	}
	return message.Account{Address: l.seats[seat], Name: name, Locale: locale}
}

// message is a message from somebody who sits here; nobody else sees the answer.
func (l *local) message(r *http.Request, seat int) message.Incoming {
	return message.Incoming{
		Place: storage.Address{Platform: platform, ID: "screen"}, Server: storage.Address{Platform: platform, ID: "screen"},
		From: l.account(r, seat), Manager: true, Alone: true, Picks: true,
		People: map[string]message.Account{"@guest": l.account(r, guestSeat)},
	}
}

// visitor is whom a page says, else the host.
func (l *local) visitor(r *http.Request) message.Incoming {
	if r.FormValue(asWhom) == l.seats[guestSeat].ID {
		return l.message(r, guestSeat)
	}
	return l.message(r, hostSeat)
}

// waits reports whether a game between both who sit here waits for the guest.
func (l *local) waits(t bot.Turn) bool { return t.Mover == l.ids[1] && l.plays(t) }

// turns reports whether the board turns to whoever moves, where two sit at one screen.
func (s *Site) turns(r *http.Request) bool {
	asker, _ := s.bot.Asker(r.Context(), s.here.message(r, hostSeat))
	return asker.Server.Settings.Turning
}

// beginHere begins a game of the two who sit here. Who is called as before sits where they did.
func (s *Site) beginHere(r *http.Request, game, color string) []message.Message {
	called := func(side string) string { // "" for who has no name
		if strings.TrimSpace(r.PostFormValue(side)) == "" {
			return ""
		}
		return storage.SafeName(r.PostFormValue(side))
	}
	white, black := called("white"), called("black")
	now := func(seat int) string { return s.here.account(r, seat).Name }
	switch {
	case white == "" && black == "":
	case white == now(guestSeat) || black == now(hostSeat):
		color, white, black = "black", black, white
		fallthrough
	default:
		for seat, name := range []string{white, black} {
			if name != "" {
				s.here.names[seat].Store(name)
			}
		}
	}
	say := func(seat int, text ...string) []message.Message {
		m := s.here.message(r, seat)
		m.Text = strings.Join(text, " ")
		notes, _ := s.bot.Handle(r.Context(), m) // an error has its note
		return notes
	}
	if turn := r.PostFormValue("turn") != ""; turn != s.turns(r) {
		say(hostSeat, "settings here turning", map[bool]string{true: "on", false: "off"}[turn])
	}
	notes := say(hostSeat, "challenge @guest", game, cmp.Or(color, "white"), "0d unrated")
	if id := begun(notes); id != 0 {
		return say(guestSeat, "accept", words.Hash(id))
	}
	return notes
}
