package discord

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	lru "github.com/hashicorp/golang-lru/v2"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/discord/gateway"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

// posted are the parts of a message that the bot needs.
type posted struct {
	ID        string
	Type      discordgo.MessageType
	ChannelID string `json:"channel_id"`
	GuildID   string `json:"guild_id"`
	WebhookID string `json:"webhook_id"`
	Author    *discordgo.User
	Content   string
	Mentions  []*discordgo.User
	Flags     discordgo.MessageFlags
	Made      *struct{ ID string } `json:"interaction_metadata"` // the interaction that it answers
	Reference *struct {
		MessageID string `json:"message_id"`
	} `json:"message_reference"`
	Referenced *struct{ Author *discordgo.User } `json:"referenced_message"`
}

// areIDs reports whether all of these are ids of Discord's: numbers of 64 bits.
func areIDs(ids ...string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool {
		_, err := strconv.ParseUint(id, 10, 64)
		return err != nil
	})
}

// snowflake is the number of an id, always above 0; 0 if it is not one.
func snowflake(id string) uint64 {
	n, _ := strconv.ParseUint(id, 10, 64)
	return n
}

// newer reports whether an id is more recent than another: their numbers grow.
func newer(id, than string) bool { return snowflake(id) > snowflake(than) }

// before is the id right before that of a message.
func before(id string) string { return strconv.FormatUint(max(snowflake(id), 1)-1, 10) }

// address is a channel, a server or an account.
func address(id string) storage.Address {
	return words.Either(id == "", storage.Address{}, storage.Address{Platform: Platform, ID: id})
}

// person is somebody as the bot knows them.
func (a *Adapter) person(u *discordgo.User) message.Account {
	me := a.me.Load()
	self := me != nil && u.ID == me.User
	return message.Account{Address: address(u.ID), Name: cmp.Or(u.GlobalName, u.Username, u.ID), Bot: u.Bot || self, Self: self}
}

// event takes an event, and returns at once. After the end of Run it is left unhandled, and Discord sends it again to
// the next process that is the shard.
func (a *Adapter) event(ctx context.Context, e gateway.Event) {
	read := func(into any) bool {
		err := json.Unmarshal(e.Data, into)
		a.failed(ctx, slog.LevelWarn, "event not read", err)
		return err == nil
	}
	handled := e.Done
	e.Done = func() {
		if ctx.Err() == nil { // else it may have been cut short
			handled()
		}
	}
	switch e.Kind {
	case gateway.Ready:
		var r struct {
			User        *discordgo.User
			Application struct{ ID string }
			Shard       [2]uint64
		}
		if read(&r) && r.User != nil {
			me := self{User: r.User.ID, Application: cmp.Or(r.Application.ID, r.User.ID)} // the same for all but very old bots
			a.me.Store(&me)
			text, _ := json.Marshal(me) // strings always marshal
			a.state.Set(ctx, a.ofToken(keySelf), string(text))
			a.log.InfoContext(ctx, "discord: connected", "name", r.User.Username, "reads all", a.readsAll.Load())
			a.readMissed(ctx, r.Shard, e)
		}
		return
	case "MESSAGE_CREATE":
		var m posted
		if read(&m) && areIDs(m.ID, m.ChannelID, cmp.Or(m.GuildID, "1")) {
			at := time.Now()
			a.take(m.ChannelID, e, func() { a.message(ctx, &m, at, e) })
			return
		}
	case "INTERACTION_CREATE":
		var i interaction
		if read(&i) && i.Token != "" {
			a.interaction(ctx, &i, e)
			return
		}
	case "GUILD_CREATE", "GUILD_UPDATE":
		var g joined
		if read(&g) && areIDs(g.ID) {
			a.languages.Add(g.ID, g.Locale)
			a.work.Add("hello "+g.ID, func() { a.greetServer(ctx, &g) })
		}
	case "CHANNEL_UPDATE", "GUILD_ROLE_UPDATE", "GUILD_MEMBER_UPDATE":
		a.forgive()
	case "CHANNEL_DELETE", "THREAD_DELETE":
		var c struct{ ID string }
		if read(&c) && areIDs(c.ID) {
			a.incoming.Add(c.ID, func() { a.gone(ctx, c.ID, e) })
			return
		}
	}
	e.Done()
}

// take handles events of one channel in order. Late events, which Discord sends again after an outage,
// also wait for all late ones before them, in every channel.
func (a *Adapter) take(channel string, e gateway.Event, handle func()) {
	if !e.Late {
		a.incoming.Add(channel, handle)
		return
	}
	turn, over := make(chan struct{}), make(chan struct{})
	a.incoming.Add(channel, func() {
		close(turn)
		<-over
	})
	a.incoming.Add("late", func() {
		defer close(over)
		<-turn
		handle()
	})
}

// gone notes that a channel or thread was deleted, as an event tells.
func (a *Adapter) gone(ctx context.Context, channel string, e gateway.Event) {
	defer e.Done()
	defer a.rescue(ctx, "channel")
	if r := a.roomOf(ctx, channel); r.game != 0 {
		a.closeThread(ctx, r)
		return
	}
	people, err := a.bot.Users.PeopleAt(ctx, address(channel), 0)
	const digits = 10 // of the channel, so that the nonce is short
	telling := adapter.Retry{First: a.pace.retry, Tries: 6, Pause: a.await}
	_ = telling.Do(ctx, func() error { // who cannot be told is not
		return a.tellPrivately(ctx, people, "g"+channel[max(0, len(channel)-digits):], say("channel-gone"))
	})
	a.failed(ctx, slog.LevelError, "place not written", errors.Join(err, a.bot.Users.Leave(ctx, address(channel), true)))
}

// message answers a message, received at the given time with an event.
func (a *Adapter) message(ctx context.Context, m *posted, at time.Time, e gateway.Event) {
	answering := false
	defer func() {
		if !answering {
			e.Done()
		}
	}()
	defer a.rescue(ctx, "message")
	ctx = storage.AsOfNow(ctx)
	me := a.me.Load()
	switch {
	case ctx.Err() != nil, me == nil, m.Author == nil, !areIDs(m.Author.ID), m.Author.Bot, m.WebhookID != "", a.handled.Contains(m.ID):
		return
	case e.Again && !newer(m.ID, cmp.Or(a.state.Get(ctx, keySeen+m.ChannelID), before(m.ID))):
		return // it was handled, or was talk
	case m.Type != discordgo.MessageTypeDefault && m.Type != discordgo.MessageTypeReply, strings.TrimSpace(m.Content) == "":
		return
	}
	where := a.roomOf(ctx, m.ChannelID)
	text, to := addressed(m, me.User)
	private := m.GuildID == ""
	said := message.Incoming{
		ID: "m" + m.ID, Place: address(where.place), Server: address(m.GuildID), Private: private, Public: !private, Fills: true,
		From: a.person(m.Author), Text: text, ReplyTo: where.game, People: map[string]message.Account{},
	}
	for _, u := range m.Mentions {
		if u != nil && areIDs(u.ID) {
			said.People["<@"+u.ID+">"], said.People["<@!"+u.ID+">"] = a.person(u), a.person(u)
		}
	}
	if m.Reference != nil {
		game, study := a.state.GameOf(ctx, m.ChannelID, m.Reference.MessageID)
		said.ReplyTo, said.ToStudy = words.Either(study, 0, cmp.Or(game, said.ReplyTo)), study
	}
	if !a.bot.IsMeant(ctx, &said, to) {
		a.noteTalk(ctx, m.ChannelID, m.ID)
		return
	}
	said.Spoken = a.spokenIn(ctx, m.GuildID)
	if !private && bot.ForManagers(&said) { // messages do not carry permissions
		has, err := a.rest.UserChannelPermissions(m.Author.ID, m.ChannelID, discordgo.WithContext(ctx))
		a.failed(ctx, slog.LevelWarn, "permissions not known", err)
		said.Manager = manages(has)
	}
	a.readFrom(ctx, m.ChannelID, before(m.ID))
	answered := a.post.Answering()
	notes := a.handle(ctx, said)
	a.noteHandled(ctx, m.ChannelID, m.ID)
	answering = a.outgoing.Add(m.ChannelID, func() {
		defer e.Done()
		defer answered()
		a.answer(ctx, m, said, notes)
		a.bot.Metrics.Answer(Platform, at)
	})
}

// addressed is the text of a message without the bot's name, and whom it is for.
func addressed(m *posted, me string) (text string, to message.Addressee) {
	text = m.Content
	if m.GuildID == "" {
		to = message.TheBot
	} else if m.Referenced != nil && m.Referenced.Author != nil && m.Referenced.Author.ID == me {
		to = message.WhatWasSaid
	}
	for _, name := range []string{"<@" + me + ">", "<@!" + me + ">"} {
		if !strings.Contains(text, name) {
			continue
		}
		to = message.TheBot
		if first, _, _ := strings.Cut(text, " "); strings.TrimPrefix(first, "/") != "challenge" { // that one may be for the bot
			text = strings.Replace(text, name, " ", 1)
		}
	}
	return strings.TrimSpace(strings.TrimLeft(text, " ,:;")), to
}

// spokenIn is the language that a server has set on Discord, "" if not known. Sessions tell it only when they begin.
func (a *Adapter) spokenIn(ctx context.Context, server string) string {
	if spoken, known := a.languages.Get(server); known || server == "" {
		return spoken
	}
	const short = 2 * time.Second
	ctx, cancel := context.WithTimeout(ctx, short)
	defer cancel()
	g, err := a.rest.Guild(server, discordgo.WithContext(ctx))
	if a.failed(ctx, slog.LevelInfo, "server not known", err); err != nil {
		return ""
	}
	a.languages.Add(server, g.PreferredLocale)
	return g.PreferredLocale
}

// handle carries a message out, and returns the answers.
func (a *Adapter) handle(ctx context.Context, said message.Incoming) (notes []message.Message) {
	defer func() {
		if p := recover(); p != nil {
			a.log.ErrorContext(ctx, "discord: panic", "doing", "what was said", "panic", fmt.Sprint(p))
			l, _ := phrase.Match(cmp.Or(said.From.Locale, said.Spoken))
			notes = []message.Message{{Text: say("went-wrong").In(l)}}
		}
	}()
	command := bot.CommandIn(&said).Name
	if command == "challenge" {
		a.prepare(ctx, &said)
	} else if command == "league" || strings.HasPrefix(said.Press, "league") { // a league is played in private chats
		a.acquaint(ctx, said.From)
	}
	notes, _ = a.bot.Handle(ctx, said) // an error has been logged, and has its note
	switch {
	case command == "games":
		for i := range notes {
			notes[i].Text = a.withThreads(ctx, notes[i].Text)
		}
	case command != "help", said.Private, len(notes) == 0:
	case a.newest.Contains(said.Place.ID):
		notes[0] = also(notes[0], say("only-answers"))
	case !a.readsAll.Load():
		notes[0] = also(notes[0], say("only-addressed"))
	}
	return notes
}

// prepare finds out what a challenge needs: the channel of a thread in which it is made, or how the
// opponent of a private one can be told.
func (a *Adapter) prepare(ctx context.Context, said *message.Incoming) {
	if said.Private {
		for _, p := range said.People {
			a.acquaint(ctx, p)
		}
	} else if said.Within.ID == "" && said.ReplyTo == 0 && !a.newest.Contains(said.Place.ID) {
		c, err := a.rest.Channel(said.Place.ID, discordgo.WithContext(ctx))
		a.failed(ctx, slog.LevelInfo, "channel not known", err)
		if err == nil && c.IsThread() {
			said.Within = address(c.ParentID)
		}
	}
}

// Discord keeps no events for a bot that is not connected. So the bot asks for the messages that it missed in rooms
// with games, and handles them before anything new there.

// readersAtOnce is how many channels are read at once; it leaves most of Discord's limits to new messages.
const readersAtOnce = 8

// maxHandled is how many handled messages are remembered.
const maxHandled = 8192

// keySeen begins the keys under which the last handled message of a channel is stored.
const keySeen = "seen/"

// catchUp keeps track of messages that were handled, and of those still to be.
type catchUp struct {
	handled *lru.Cache[string, bool] // messages, which Discord may send again
	talk    *lru.Cache[string, int]  // by channel, the number of messages to nobody in particular
	behind  sync.Map                 // channels with messages still to be read
	readers chan struct{}            // as many channels are read at once
}

// unread is a channel that may have unhandled messages.
type unread struct {
	channel, server string
	after           string        // the last message that was handled
	page            []posted      // the messages after it, oldest first
	whole           bool          // there are no more after these
	apart           chan struct{} // closed once it is no longer read together with others
	read            func()        // called once all of it was handled
}

// done reports whether all of the channel was handled.
func (u *unread) done() bool { return u.whole && len(u.page) == 0 }

// How often a page is asked for: a few times while other channels wait, and more often afterwards.
const (
	triesTogether = 3
	triesAlone    = 7
)

// readMissed reads the missed messages in the servers of a shard whose session has just begun. The event counts as
// handled once all of them were.
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
		threads := phrase.Each(l.Games, func(game storage.GameID) string { return a.threadOf(ctx, place, game) })
		for _, channel := range append([]string{place}, threads...) {
			after := a.state.Get(ctx, keySeen+channel)
			if channel == "" || after == "" {
				continue
			}
			u := &unread{channel: channel, server: l.Server.Address.ID, after: after, apart: make(chan struct{}), read: read}
			left.Add(1)
			if _, before := a.behind.LoadOrStore(channel, true); before {
				close(u.apart) // it is read alone, after the read under way
			} else {
				together = append(together, u)
			}
			a.incoming.Add(channel, func() { a.finish(ctx, u) })
		}
	}
	a.incoming.Add("missed", func() { a.read(ctx, together, triesTogether) })
}

// tells reports whether a shard, given as its number and the number of shards, gets the events of a server; those of
// private chats go to the first shard.
// https://docs.discord.com/developers/events/gateway#sharding
func tells(shard [2]uint64, server string) bool {
	const time = 22 // the bits above these choose the shard
	return shard[1] < 2 || snowflake(server)>>time%shard[1] == shard[0]
}

// finish reads the rest of a channel after the joint read. If that keeps failing, new messages are handled first.
func (a *Adapter) finish(ctx context.Context, u *unread) {
	select {
	case <-a.running.Done():
		return // the next start reads it
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

// read handles the missed messages of channels. Each page is tried a number of times.
func (a *Adapter) read(ctx context.Context, channels []*unread, tries int) {
	defer a.rescue(ctx, "missed messages")
	inOrder(channels, func(u *unread) { a.next(ctx, u, tries) }, func(u *unread, m *posted) bool {
		m.ChannelID, m.GuildID = u.channel, u.server
		if a.message(ctx, m, time.Now(), gateway.Event{Done: func() {}}); ctx.Err() != nil {
			return false
		}
		a.state.PutSoon(keySeen+u.channel, []byte(m.ID))
		return a.running.Err() == nil // or the next start reads the rest
	})
}

// inOrder handles the unread messages of channels, oldest first. It drops channels for which next finds no page, and
// stops once handle reports false.
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

// unreadable makes [*outbox.Never] of an error if asking again soon is no use.
func unreadable(err error) error {
	const soon = 10 * time.Second
	if wait := held(err); wait != nil && !wait.Everywhere && wait.After > soon {
		return &outbox.Never{Err: err}
	}
	return refusedForGood(err)
}

// older compares messages by their ids.
func older(m, n posted) int { return cmp.Compare(snowflake(m.ID), snowflake(n.ID)) }

// readFrom has a channel read after an outage from the given message on, unless it already is.
func (a *Adapter) readFrom(ctx context.Context, channel, message string) {
	if a.state.Get(ctx, keySeen+channel) == "" {
		a.state.Set(ctx, keySeen+channel, message)
	}
}

// noteTalk stores now and then how far a channel's talk has been read, so that after an outage it is not read again and
// taken for moves.
func (a *Adapter) noteTalk(ctx context.Context, channel, message string) {
	const page = 100
	said, _ := a.talk.Get(channel)
	a.talk.Add(channel, (said+1)%page)
	if said+1 == page && a.state.Get(ctx, keySeen+channel) != "" {
		a.noteHandled(ctx, channel, message)
	}
}

// noteHandled stores the newest handled message of a channel, unless earlier ones are still unread, or the end of Run
// cut its handling short.
func (a *Adapter) noteHandled(ctx context.Context, channel, message string) {
	a.handled.Add(message, true)
	if _, behind := a.behind.Load(channel); !behind && ctx.Err() == nil && newer(message, a.state.Get(ctx, keySeen+channel)) {
		a.state.PutSoon(keySeen+channel, []byte(message))
	}
}
