package web

import (
	"cmp"
	"context"
	"net/http"

	"chimera/bot"
)

// local is who sits at one screen.
type local struct {
	host, guest bot.Person
	ids         [2]bot.PersonID // of host and guest
}

func sitDown(ctx context.Context, b *bot.Bot) (*local, error) {
	person := func(id, name string) bot.Person {
		return bot.Person{Address: bot.Address{Platform: platform, ID: id}, Name: name}
	}
	l := &local{host: person("host", "You"), guest: person("guest", "Guest")}
	for i, p := range []bot.Person{l.host, l.guest} {
		met, err := b.People.Meet(ctx, p.Address, p.Name)
		if err != nil {
			return nil, err
		}
		l.ids[i] = met.ID
	}
	return l, nil
}

// plays reports whether both who sit here play a game.
func (l *local) plays(s *bot.Seat) bool {
	return s.Players == l.ids || s.Players == [2]bot.PersonID{l.ids[1], l.ids[0]}
}

// message is one of somebody who sits here; others see no answer to it.
func (l *local) message(r *http.Request, from bot.Person) bot.Message {
	from.Locale = language(r)
	return bot.Message{
		Place: bot.Address{Platform: platform, ID: "screen"}, Server: bot.Address{Platform: platform, ID: "screen"},
		From: from, Manager: true, Alone: true, Picks: true,
		People: map[string]bot.Person{"@guest": l.guest},
	}
}

// seat is a game as that one of those who sit here sees it whom a page says, else who is to move.
func (s *Site) seat(r *http.Request, id bot.GameID, ply int) (*bot.Seat, bot.Message, []bot.Note, error) {
	as := cmp.Or(r.FormValue("as"), "host")
	from := map[string]bot.Person{"guest": s.here.guest}[as]
	if from.Name == "" {
		from = s.here.host
	}
	m := s.here.message(r, from)
	seat, notes, err := s.bot.Seat(r.Context(), m, id, ply)
	if seat == nil || r.FormValue("as") != "" || seat.Over || seat.Mover != s.here.ids[1] || !s.here.plays(seat) {
		return seat, m, notes, err
	}
	m = s.here.message(r, s.here.guest)
	seat, notes, err = s.bot.Seat(r.Context(), m, id, ply)
	return seat, m, notes, err
}
