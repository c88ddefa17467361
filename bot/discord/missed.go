package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

// catchUp lets what was said in rooms with games while nobody listened be read and
// handled, before what is said there from now on.
func (a *Adapter) catchUp(ctx context.Context, shard [2]uint64) {
	lively, err := a.match.Lively(ctx, Platform)
	if err != nil {
		a.log.ErrorContext(ctx, "discord: rooms not known", "err", err)
		return
	}
	for _, l := range lively {
		if !tells(shard, l.Server.Address.ID) {
			continue
		}
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

// tells reports whether a shard, the first of the two numbers of as many as the second,
// tells of a server; private chats are told of by the first shard.
// https://docs.discord.com/developers/events/gateway#sharding
func tells(shard [2]uint64, server string) bool {
	const time = 22 // bits below those that count
	id, _ := strconv.ParseUint(server, 10, 64)
	return shard[1] < 2 || id>>time%shard[1] == shard[0]
}

// missed handles what was said in a channel after a message. Where that cannot be read it
// is tried again: for a while at once, so that what is said from now on comes after it, and
// then now and then.
func (a *Adapter) missed(ctx context.Context, channel, server, after string) {
	defer a.rescue(ctx, "missed messages")
	a.caught.fallBehind(channel)
	const tries = 6
	for try := 0; ; try++ {
		var err error
		a.readers <- struct{}{}
		after, err = a.read(ctx, channel, server, after)
		<-a.readers
		if err == nil {
			a.caught.catchUp(channel)
			return
		}
		a.log.WarnContext(ctx, "discord: missed messages not read", "err", a.clean(err))
		wait := a.pace.retry << try
		var no *held
		switch {
		case errors.As(err, &no):
			wait = max(wait, no.after)
		case status(err)/100 == 4: //nolint:mnd // the channel is gone, or may not be read
			a.caught.catchUp(channel)
			return
		}
		if try == tries {
			break
		}
		if a.await(wait) != nil {
			return // it is read when the bot begins again
		}
	}
	const later = time.Minute
	time.AfterFunc(later, func() {
		a.heard.Add(channel, func() { a.missed(ctx, channel, server, after) })
	})
}

// read handles what was said in a channel after a message, and returns the last that was
// handled.
func (a *Adapter) read(ctx context.Context, channel, server, after string) (string, error) {
	const page = 100
	for {
		var found []message
		err := a.call(ctx, http.MethodGet, fmt.Sprintf("channels/%s/messages?limit=%d&after=%s", channel, page, after), nil, &found)
		if err != nil {
			return after, err
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
			m.ChannelID, m.GuildID = channel, server
			a.message(ctx, &m)
			after = m.ID
			a.note(ctx, "seen/"+channel, after)
		}
		if len(found) < page {
			return after, nil
		}
		select {
		case <-a.over:
			return after, context.Canceled // it is read when the bot begins again
		default:
		}
	}
}

// overheard notes how far the talk of a channel has gone, if that is read after an outage:
// it shall not be read again, and be no move then.
func (a *Adapter) overheard(ctx context.Context, channel, message string) {
	if a.recall(ctx, "seen/"+channel) != "" {
		a.saw(ctx, channel, message)
	}
}

// saw notes the newest message of a channel that was handled, unless some before it were
// not.
func (a *Adapter) saw(ctx context.Context, channel, message string) {
	a.caught.add(message)
	if !a.caught.isBehind(channel) && newer(message, a.recall(ctx, "seen/"+channel)) {
		a.note(ctx, "seen/"+channel, message)
	}
}

// caught are the last messages that were handled, which may be told of a second time, the
// channels of which some are still to be read, and how much was said in each to nobody.
type caught struct {
	mu     sync.Mutex
	ids    map[string]bool
	last   []string
	behind map[string]bool
	talk   map[string]int
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

// many reports each time that as many messages were said in a channel as are read at once.
func (c *caught) many(channel string) bool {
	const page = 100
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.talk == nil {
		c.talk = map[string]int{}
	}
	if c.talk[channel]++; c.talk[channel] < page {
		return false
	}
	delete(c.talk, channel)
	return true
}

func (c *caught) fallBehind(channel string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.behind == nil {
		c.behind = map[string]bool{}
	}
	c.behind[channel] = true
}

func (c *caught) catchUp(channel string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.behind, channel)
}

func (c *caught) isBehind(channel string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.behind[channel]
}
