package discord

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"chimera/bot"
)

// catchUp lets what was said in rooms with games while nobody listened be read and
// handled, before what is said there from now on.
func (a *Adapter) catchUp(ctx context.Context, shard [2]uint64) {
	lively, err := a.services.Places.Lively(ctx, Platform)
	if err != nil {
		a.log.ErrorContext(ctx, "discord: rooms not known", "err", err)
		return
	}
	var behind []unread
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
				behind = append(behind, unread{channel, l.Server.Address.ID, after, a.turnOf(channel, after)})
			}
		}
	}
	for _, u := range behind {
		if !a.heard.Add(u.channel, func() { a.missed(ctx, u) }) {
			u.turn.leave()
		}
	}
}

// unread is a channel in which something may have been missed after a message.
type unread struct {
	channel, server, after string
	turn                   *turn
}

// turnOf lets what was missed in a channel be handled in turn with what was missed in
// others. A channel that is behind already has had its turn.
func (a *Adapter) turnOf(channel, after string) *turn {
	if a.caught.isBehind(channel) {
		return nil
	}
	a.caught.fallBehind(channel)
	return a.turns.join(after)
}

// readFrom lets what is said in a channel after a message be read when nobody has listened,
// if it is not read already.
func (a *Adapter) readFrom(ctx context.Context, channel, message string) {
	if a.recall(ctx, "seen/"+channel) == "" {
		a.note(ctx, "seen/"+channel, message)
	}
}

// before is an id right before one of a message.
func before(id string) string { return strconv.FormatUint(max(snowflake(id), 1)-1, 10) }

// tells reports whether a shard, the first of the two numbers of as many as the second,
// tells of a server; private chats are told of by the first shard.
// https://docs.discord.com/developers/events/gateway#sharding
func tells(shard [2]uint64, server string) bool {
	const time = 22 // bits below those that count
	return shard[1] < 2 || snowflake(server)>>time%shard[1] == shard[0]
}

// missed handles what was said in a channel after a message. Where that cannot be read it
// is tried again: for a while at once, so that what is said from now on comes after it, and
// then now and then. Other channels wait for the first tries, if these come soon.
func (a *Adapter) missed(ctx context.Context, u unread) {
	defer a.rescue(ctx, "missed messages")
	defer u.turn.leave()
	a.caught.fallBehind(u.channel)
	const tries, together, soon = 6, 2, 10 * time.Second
	for try := 0; ; try++ {
		var err error
		if u.after, err = a.read(ctx, u); err == nil {
			a.caught.catchUp(u.channel)
			return
		}
		a.log.WarnContext(ctx, "discord: missed messages not read", "err", a.clean(err))
		wait, alone := a.pace.retry<<try, false
		var no *held
		switch {
		case errors.As(err, &no):
			wait, alone = max(wait, no.after), !no.everywhere && no.after > soon
		case status(err)/100 == 4: //nolint:mnd // the channel is gone, or may not be read
			a.caught.catchUp(u.channel)
			return
		}
		if try == tries {
			break
		}
		if try == together || alone {
			u.turn.leave()
		}
		if a.await(wait) != nil {
			return // it is read when the bot begins again
		}
	}
	const later = time.Minute
	u.turn = nil
	time.AfterFunc(later, func() {
		a.heard.Add(u.channel, func() { a.missed(ctx, u) })
	})
}

// read handles what was said in a channel after a message, in turn with others, and returns
// the last that was handled.
func (a *Adapter) read(ctx context.Context, u unread) (after string, err error) {
	const page = 100
	for after = u.after; ; {
		found, err := a.page(ctx, u.channel, after, page)
		if err != nil {
			return after, err
		}
		for _, m := range found {
			if !newer(m.ID, after) {
				continue
			}
			if err := u.turn.wait(a.over, m.ID); err != nil {
				return after, err // it is read when the bot begins again
			}
			m.ChannelID, m.GuildID = u.channel, u.server
			if a.message(ctx, &m); ctx.Err() != nil {
				return after, ctx.Err() // likewise
			}
			after = m.ID
			a.memory.PutSoon("seen/"+u.channel, []byte(after))
		}
		if len(found) < page {
			return after, nil
		}
		select {
		case <-a.over:
			return after, context.Canceled // likewise
		default:
		}
	}
}

// page are so many messages of a channel after one, the oldest first.
func (a *Adapter) page(ctx context.Context, channel, after string, size int) ([]message, error) {
	a.readers <- struct{}{}
	defer func() { <-a.readers }()
	var found []message
	err := a.call(ctx, http.MethodGet, fmt.Sprintf("channels/%s/messages?limit=%d&after=%s", channel, size, after), nil, &found)
	slices.SortFunc(found, func(m, n message) int { return cmp.Compare(snowflake(m.ID), snowflake(n.ID)) })
	return found, err
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
		a.memory.PutSoon("seen/"+channel, []byte(message))
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
	if len(c.talk) >= bot.Watched {
		clear(c.talk)
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
