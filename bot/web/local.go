package web

import (
	"context"
	"net/http"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/storage"
)

// local is who sits at one screen.
type local struct {
	host, guest message.Account
	ids         [2]storage.PersonID // of host and guest
}

func sitDown(ctx context.Context, b *bot.Bot) (*local, error) {
	person := func(id, name string) message.Account {
		return message.Account{Address: storage.Address{Platform: platform, ID: id}, Name: name}
	}
	l := &local{host: person("host", "Host"), guest: person("guest", "Guest")}
	for i, p := range []message.Account{l.host, l.guest} {
		met, err := b.Users.Meet(ctx, p.Address, p.Name)
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

// message is a message from somebody who sits here; nobody else sees the answer.
func (l *local) message(r *http.Request, from message.Account) message.Incoming {
	from.Locale = language(r)
	return message.Incoming{
		Place: storage.Address{Platform: platform, ID: "screen"}, Server: storage.Address{Platform: platform, ID: "screen"},
		From: from, Manager: true, Alone: true, Picks: true,
		People: map[string]message.Account{"@guest": l.guest},
	}
}

// visitor is whom a page says, else the host.
func (l *local) visitor(r *http.Request) message.Incoming {
	if r.FormValue("as") == l.guest.Address.ID {
		return l.message(r, l.guest)
	}
	return l.message(r, l.host)
}

// waits reports whether a game between both who sit here waits for the guest.
func (l *local) waits(t bot.Turn) bool { return t.Mover == l.ids[1] && l.plays(t) }
