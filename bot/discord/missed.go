package discord

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"chimera/bot/discord/gateway"
	"chimera/bot/outbox"
)

// Discord keeps no events for a bot that is not connected. So the bot asks for what was written meanwhile
// in rooms with games, and handles that before anything new there.

// readersAtOnce leaves most of Discord's limits to what is said now.
const readersAtOnce = 8

// maxHandled is how many messages are known that were handled.
const maxHandled = 8192

// keySeen begins the names under which the last message of a channel that was handled is noted.
const keySeen = "seen/"

// catchUp is what is known of messages that were handled, and of those that are still to be.
type catchUp struct {
	handled *lru.Cache[string, bool] // messages, which Discord may tell of again
	talk    *lru.Cache[string, int]  // by channel, how much was said there to nobody
	behind  sync.Map                 // channels of which some messages are still to be read
	readers chan struct{}            // as many channels are read at once
}

// unread is a channel in which something may have been said that was not handled.
type unread struct {
	channel, server string
	after           string        // the last message that was handled
	page            []posted      // that follow it, the oldest first
	whole           bool          // there are none behind these
	apart           chan struct{} // closed once it is not read together with others any more
	read            func()        // is called when all of it was handled
}

// done reports whether all of it was handled.
func (u *unread) done() bool { return u.whole && len(u.page) == 0 }

// How often a page is asked for: a few times while other channels wait, and more often afterwards.
const (
	triesTogether = 3
	triesAlone    = 7
)

// readMissed reads what was missed in the servers of a shard whose session has just begun. Its event is
// handled once all of that was.
func (a *Adapter) readMissed(ctx context.Context, shard [2]uint64, e gateway.Event) {
	lively, err := a.bot.Users.Lively(ctx, Platform)
	if err != nil {
		a.log.ErrorContext(ctx, "discord: rooms not known", "err", err)
		return
	}
	var together []*unread
	var left atomic.Int64
	left.Store(1)
	read := func() {
		if left.Add(-1) == 0 {
			e.Done()
		}
	}
	defer read()
	for _, l := range lively {
		if !tells(shard, l.Server.Address.ID) {
			continue
		}
		place := l.Place.Address.ID
		rooms := []string{place}
		for _, game := range l.Games {
			rooms = append(rooms, a.threadOf(ctx, place, game))
		}
		for _, channel := range rooms {
			after := a.state.Get(ctx, keySeen+channel)
			if channel == "" || after == "" {
				continue
			}
			u := &unread{channel: channel, server: l.Server.Address.ID, after: after, apart: make(chan struct{}), read: read}
			left.Add(1)
			if _, before := a.behind.LoadOrStore(channel, true); before {
				close(u.apart) // it is read alone, when that is done which is under way
			} else {
				together = append(together, u)
			}
			a.incoming.Add(channel, func() { a.finish(ctx, u) })
		}
	}
	a.incoming.Add("missed", func() { a.read(ctx, together, triesTogether) })
}

// tells reports whether a shard, which is its number and how many there are, has the events of a server;
// those of private chats come to the first shard.
// https://docs.discord.com/developers/events/gateway#sharding
func tells(shard [2]uint64, server string) bool {
	const time = 22 // bits below those that count
	return shard[1] < 2 || snowflake(server)>>time%shard[1] == shard[0]
}

// finish reads the rest of a channel after the others were read. If that fails for long, what is said now
// is handled first.
func (a *Adapter) finish(ctx context.Context, u *unread) {
	select {
	case <-a.running.Done():
		return // it is read when the bot begins again
	case <-u.apart:
	}
	a.behind.Store(u.channel, true)
	if !u.done() {
		u.apart = make(chan struct{})
		a.read(ctx, []*unread{u}, triesAlone)
	}
	if u.done() {
		a.behind.Delete(u.channel)
		u.read()
		return
	}
	const later = time.Minute
	time.AfterFunc(later, func() { a.incoming.Add(u.channel, func() { a.finish(ctx, u) }) })
}

// read handles what was missed in channels. Each page is asked for a number of times.
func (a *Adapter) read(ctx context.Context, channels []*unread, tries int) {
	defer a.rescue(ctx, "missed messages")
	inOrder(channels, func(u *unread) { a.next(ctx, u, tries) }, func(u *unread, m *posted) bool {
		m.ChannelID, m.GuildID = u.channel, u.server
		if a.message(ctx, m, time.Now(), gateway.Event{Done: func() {}}); ctx.Err() != nil {
			return false
		}
		a.state.PutSoon(keySeen+u.channel, []byte(m.ID))
		return a.running.Err() == nil // or the rest is read when the bot begins again
	})
}

// inOrder handles what is unread in channels, the oldest message first. It leaves channels for which next
// finds no page, and all once handle reports false.
func inOrder(channels []*unread, next func(*unread), handle func(*unread, *posted) bool) {
	reading := slices.Clone(channels)
	defer func() {
		for _, u := range reading {
			close(u.apart)
		}
	}()
	for {
		var pages sync.WaitGroup
		for _, u := range reading {
			if !u.whole && len(u.page) == 0 {
				pages.Go(func() { next(u) })
			}
		}
		pages.Wait()
		reading = slices.DeleteFunc(reading, func(u *unread) bool {
			if len(u.page) > 0 {
				return false
			}
			close(u.apart)
			return true
		})
		if len(reading) == 0 {
			return
		}
		u := slices.MinFunc(reading, func(u, v *unread) int { return older(u.page[0], v.page[0]) })
		if !handle(u, &u.page[0]) {
			return
		}
		u.after, u.page = u.page[0].ID, u.page[1:]
	}
}

// next reads the next page of a channel.
func (a *Adapter) next(ctx context.Context, u *unread, tries int) {
	a.readers <- struct{}{}
	defer func() { <-a.readers }()
	asking := a.persist(ctx, "missed messages not read")
	asking.Most, asking.Tries, asking.Pause, asking.Verdict = 0, tries, a.await, unreadable
	const size = 100
	err := asking.Do(ctx, func() error {
		return a.call(ctx, http.MethodGet, fmt.Sprintf("channels/%s/messages?limit=%d&after=%s", u.channel, size, u.after), nil, &u.page)
	})
	if err != nil {
		u.page, u.whole = nil, status(err)/100 == 4 //nolint:mnd // the channel is gone, or may not be read
		a.log.WarnContext(ctx, "discord: missed messages not read", "err", a.clean(err))
		return
	}
	u.whole = len(u.page) < size
	slices.SortFunc(u.page, older)
	u.page = slices.DeleteFunc(u.page, func(m posted) bool { return !newer(m.ID, u.after) })
}

// unreadable makes [*outbox.Never] of an error after which it is no use to ask again soon.
func unreadable(err error) error {
	const soon = 10 * time.Second
	if wait := held(err); wait != nil && !wait.Everywhere && wait.After > soon {
		return &outbox.Never{Err: err}
	}
	return refusedForGood(err)
}

// older compares messages by their ids.
func older(m, n posted) int { return cmp.Compare(snowflake(m.ID), snowflake(n.ID)) }

// readFrom makes a channel one that is read after an outage, from a message on, unless it is already.
func (a *Adapter) readFrom(ctx context.Context, channel, message string) {
	if a.state.Get(ctx, keySeen+channel) == "" {
		a.state.Set(ctx, keySeen+channel, message)
	}
}

// noteTalk notes now and then how far the talk of a channel has gone that is read after an outage, so that
// it is not read again then, and taken for moves.
func (a *Adapter) noteTalk(ctx context.Context, channel, message string) {
	const page = 100
	said, _ := a.talk.Get(channel)
	a.talk.Add(channel, (said+1)%page)
	if said+1 == page && a.state.Get(ctx, keySeen+channel) != "" {
		a.noteHandled(ctx, channel, message)
	}
}

// noteHandled notes the newest handled message of a channel, unless some before it are still unread.
func (a *Adapter) noteHandled(ctx context.Context, channel, message string) {
	a.handled.Add(message, true)
	if _, behind := a.behind.Load(channel); !behind && newer(message, a.state.Get(ctx, keySeen+channel)) {
		a.state.PutSoon(keySeen+channel, []byte(message))
	}
}
