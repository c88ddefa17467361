package discord

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
)

// catchUp lets what was said in rooms with games while nobody listened be read and
// handled, before what is said there from now on.
func (a *Adapter) catchUp(ctx context.Context) {
	lively, err := a.match.Lively(ctx, Platform)
	if err != nil {
		a.log.ErrorContext(ctx, "discord: rooms not known", "err", err)
		return
	}
	for _, l := range lively {
		rooms := []string{l.Place.Address.ID}
		for _, game := range l.Games {
			if thread := a.recall(ctx, gameKey("thread", l.Place.Address.ID, game)); thread != "" && thread != noThread {
				rooms = append(rooms, thread)
			}
		}
		for _, channel := range rooms {
			if after := a.recall(ctx, "seen/"+channel); after != "" {
				a.heard.Add(channel, func() { a.missed(ctx, channel, l.Server.Address.ID, after) })
			}
		}
	}
}

// missed handles what was said in a channel after a message.
func (a *Adapter) missed(ctx context.Context, channel, server, after string) {
	defer a.rescue(ctx, "missed messages")
	const page, most = 100, 10
	for range most {
		var found []message
		err := a.call(ctx, http.MethodGet, fmt.Sprintf("channels/%s/messages?limit=%d&after=%s", channel, page, after), nil, &found)
		if err != nil {
			a.log.WarnContext(ctx, "discord: missed messages not read", "err", a.clean(err))
			return
		}
		slices.SortFunc(found, func(m, n message) int {
			if newer(m.ID, n.ID) {
				return 1
			}
			return -1
		})
		for _, m := range found {
			if !newer(m.ID, after) {
				continue
			}
			after = m.ID
			m.ChannelID, m.GuildID = channel, server
			a.message(ctx, &m)
			a.caught.add(m.ID)
		}
		if len(found) < page {
			return
		}
	}
}

// saw notes the newest message of a channel that was handled.
func (a *Adapter) saw(ctx context.Context, channel, message string) {
	if newer(message, a.recall(ctx, "seen/"+channel)) {
		a.note(ctx, "seen/"+channel, message)
	}
}

// caught are the last messages that were handled because they had been missed; they
// may be told of a second time.
type caught struct {
	mu   sync.Mutex
	ids  map[string]bool
	last []string
}

func (c *caught) add(id string) {
	const most = 8192
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ids == nil {
		c.ids = map[string]bool{}
	}
	c.ids[id] = true
	if c.last = append(c.last, id); len(c.last) > most {
		delete(c.ids, c.last[0])
		c.last = c.last[1:]
	}
}

func (c *caught) has(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ids[id]
}
