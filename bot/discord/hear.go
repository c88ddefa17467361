package discord

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/discord/gateway"
	"chimera/bot/message"
	"chimera/rules/phrase"
)

// event takes an event, until Run has ended, and returns at once.
func (a *Adapter) event(ctx context.Context, e gateway.Event) {
	a.hearing.RLock()
	defer a.hearing.RUnlock()
	if a.deaf {
		return // whoever is the shard next is told again
	}
	data := e.Data
	switch e.Kind {
	case gateway.Ready:
		a.ready(ctx, e)
		return
	case "MESSAGE_CREATE":
		var m posted
		if a.parse(ctx, data, &m) && areIDs(m.ID, m.ChannelID, cmp.Or(m.GuildID, "0")) {
			at := time.Now()
			a.take(m.ChannelID, e, func() { a.message(ctx, &m, at, e) })
			return
		}
	case "INTERACTION_CREATE":
		var i interaction
		if a.parse(ctx, data, &i) && i.Token != "" {
			a.interaction(ctx, &i, e)
			return
		}
	case "GUILD_CREATE", "GUILD_UPDATE":
		var g struct {
			ID     string
			Locale string `json:"preferred_locale"`
		}
		if a.parse(ctx, data, &g) && areIDs(g.ID) {
			a.languages.Add(g.ID, g.Locale)
		}
	case "CHANNEL_UPDATE", "GUILD_ROLE_UPDATE", "GUILD_MEMBER_UPDATE":
		a.forgive()
	case "CHANNEL_DELETE", "THREAD_DELETE":
		var c discordgo.Channel
		if a.parse(ctx, data, &c) && areIDs(c.ID) {
			a.incoming.Add(c.ID, func() {
				defer done(ctx, e)
				a.gone(ctx, c.ID)
			})
			return
		}
	}
	e.Done()
}

// take handles events of one channel in order. Late events, which Discord sends again after an outage,
// also wait for all late ones before them, in every channel.
func (a *Adapter) take(channel string, e gateway.Event, handle func()) {
	if e.Late {
		handle = a.late.next(handle)
	}
	a.incoming.Add(channel, handle)
}

// lateEvents are handled one after the other, whichever channels they are from.
type lateEvents struct {
	mu   sync.Mutex
	last chan struct{} // closed when the last was done; nil before there is one
}

// next does something when all before it was done.
func (t *lateEvents) next(do func()) func() {
	t.mu.Lock()
	defer t.mu.Unlock()
	before, mine := t.last, make(chan struct{})
	t.last = mine
	return func() {
		if before != nil {
			<-before
		}
		defer close(mine)
		do()
	}
}

// done marks an event as handled, unless there was no time left for it.
func done(ctx context.Context, e gateway.Event) {
	if ctx.Err() == nil {
		e.Done()
	}
}

func (a *Adapter) parse(ctx context.Context, data json.RawMessage, into any) bool {
	err := json.Unmarshal(data, into)
	a.failed(ctx, slog.LevelWarn, "event not read", err)
	return err == nil
}

// ready begins a session. Discord does not repeat what happened before it.
func (a *Adapter) ready(ctx context.Context, e gateway.Event) {
	var r struct {
		User        *discordgo.User
		Application struct{ ID string }
		Shard       [2]uint64
	}
	if !a.parse(ctx, e.Data, &r) || r.User == nil {
		return
	}
	me := self{User: r.User.ID, Application: r.Application.ID}
	if me.Application == "" {
		me.Application = me.User // they are the same but for very old bots
	}
	a.meet(ctx, me)
	a.log.InfoContext(ctx, "discord: connected", "name", r.User.Username, "reads all", a.readsAll.Load())
	a.readMissed(ctx, r.Shard, e)
}

// gone notes that a channel or thread was deleted.
func (a *Adapter) gone(ctx context.Context, channel string) {
	defer a.rescue(ctx, "channel")
	if r := a.roomOf(ctx, channel); r.game != 0 {
		a.closeThread(ctx, r)
		return
	}
	people, err := a.bot.Users.PeopleAt(ctx, address(channel))
	const tries, digits = 6, 10 // of the channel, so that the nonce is short
	telling := adapter.Retry{First: a.pace.retry, Tries: tries, Pause: a.await}
	_ = telling.Do(ctx, func() error { // who cannot be told is not
		return a.tellPrivately(ctx, people, channel, "g"+channel[max(0, len(channel)-digits):], nil)
	})
	if err = errors.Join(err, a.bot.Users.Leave(ctx, address(channel), true)); err != nil {
		a.log.ErrorContext(ctx, "discord: place not written", "err", err)
	}
}

// message answers what somebody wrote, which the bot heard at a time by an event.
func (a *Adapter) message(ctx context.Context, m *posted, at time.Time, e gateway.Event) {
	answering := false
	defer func() {
		if !answering {
			done(ctx, e)
		}
	}()
	defer a.rescue(ctx, "message")
	ctx = bot.AsOfNow(ctx)
	me := a.me.Load()
	switch {
	case ctx.Err() != nil, me == nil, m.Author == nil, !areIDs(m.Author.ID), m.Author.Bot, m.WebhookID != "", a.handled.Contains(m.ID):
		return
	case e.Again && !newer(m.ID, cmp.Or(a.state.Get(ctx, "seen/"+m.ChannelID), before(m.ID))):
		return // it was handled, or was talk
	case m.Type != discordgo.MessageTypeDefault && m.Type != discordgo.MessageTypeReply, strings.TrimSpace(m.Content) == "":
		return
	}
	where := a.roomOf(ctx, m.ChannelID)
	text, to := a.address(m, me.User)
	said := message.Incoming{
		ID: "m" + m.ID, Place: address(where.place), Server: address(m.GuildID), Private: m.GuildID == "", Public: m.GuildID != "", Fills: true,
		From: person(m.Author), Text: text, ReplyTo: where.game, People: peopleOf(m.Mentions, me.User),
	}
	if m.Reference != nil {
		if game := a.state.GameOf(ctx, m.ChannelID, m.Reference.MessageID); game != 0 {
			said.ReplyTo = game
		}
	}
	if !a.bot.IsMeant(ctx, &said, to) {
		a.noteTalk(ctx, m.ChannelID, m.ID)
		return
	}
	said.Spoken = a.spokenIn(ctx, m.GuildID)
	if !said.Private && bot.CommandIn(&said).Managers {
		said.Manager = a.manages(ctx, m)
	}
	a.readFrom(ctx, m.ChannelID, before(m.ID))
	answered := a.post.Answering()
	notes := a.handle(ctx, said)
	a.noteHandled(ctx, m.ChannelID, m.ID)
	answering = a.outgoing.Add(m.ChannelID, func() {
		defer done(ctx, e)
		defer answered()
		a.answer(ctx, m, said, notes)
		a.bot.Metrics.Answer(Platform, at)
	})
}

// spokenIn is the language that a server has on Discord, "" if it is not known. Sessions tell it only when
// they begin.
func (a *Adapter) spokenIn(ctx context.Context, server string) string {
	spoken, known := a.languages.Get(server)
	if known || server == "" {
		return spoken
	}
	const short = 2 * time.Second
	ctx, cancel := context.WithTimeout(ctx, short)
	defer cancel()
	var g struct {
		Locale string `json:"preferred_locale"`
	}
	if err := a.call(ctx, http.MethodGet, "guilds/"+server, nil, &g); err != nil {
		a.log.InfoContext(ctx, "discord: server not known", "err", a.clean(err))
		return ""
	}
	a.languages.Add(server, g.Locale)
	return g.Locale
}

// handle carries a message out, and returns the answers.
func (a *Adapter) handle(ctx context.Context, said message.Incoming) (notes []message.Message) {
	defer a.recovered(ctx, &said, &notes)
	a.prepare(ctx, &said)
	notes, _ = a.bot.Handle(ctx, said) // an error has been logged, and has its note
	if bot.CommandIn(&said).Name == "games" {
		for i := range notes {
			notes[i].Text = a.withThreads(ctx, notes[i].Text)
		}
	}
	return a.explain(said, notes)
}

// recovered lets a panic be answered.
func (a *Adapter) recovered(ctx context.Context, said *message.Incoming, notes *[]message.Message) {
	if p := recover(); p != nil {
		a.log.ErrorContext(ctx, "discord: panic", "doing", "what was said", "panic", fmt.Sprint(p))
		l, _ := phrase.Match(cmp.Or(said.From.Locale, said.Spoken))
		*notes = []message.Message{{Text: say("went-wrong").In(l)}}
	}
}

// prepare finds out what a challenge needs: the channel of a thread in which it is made, or how the
// opponent of a private one can be told.
func (a *Adapter) prepare(ctx context.Context, said *message.Incoming) {
	if bot.CommandIn(said).Name != "challenge" {
		return
	}
	if said.Private {
		for _, p := range said.People {
			if !p.Bot {
				a.acquaint(ctx, p)
			}
		}
		return
	}
	if said.Within.ID != "" || said.ReplyTo != 0 || a.newest.Contains(said.Place.ID) {
		return
	}
	var c discordgo.Channel
	err := a.call(ctx, http.MethodGet, "channels/"+said.Place.ID, nil, &c)
	a.failed(ctx, slog.LevelInfo, "channel not known", err)
	if c.IsThread() {
		said.Within = address(c.ParentID)
	}
}

// address is the text of a message without the bot's name, and whom it is for.
func (a *Adapter) address(m *posted, me string) (text string, to message.Addressee) {
	text = m.Content
	switch {
	case m.GuildID == "":
		to = message.TheBot
	case m.Referenced != nil && m.Referenced.Author != nil && m.Referenced.Author.ID == me:
		to = message.WhatWasSaid
	}
	for _, name := range []string{"<@" + me + ">", "<@!" + me + ">"} {
		if !strings.Contains(text, name) {
			continue
		}
		to = message.TheBot
		if first, _, _ := strings.Cut(text, " "); strings.TrimPrefix(first, "/") != "challenge" { // that may be to the bot
			text = strings.Replace(text, name, " ", 1)
		}
	}
	return strings.TrimSpace(strings.TrimLeft(text, " ,:;")), to
}

// people are those whom a text names. The bot itself counts as a bot.
func peopleOf(mentioned []*discordgo.User, me string) map[string]message.Account {
	named := map[string]message.Account{}
	for _, u := range mentioned {
		if u == nil || !areIDs(u.ID) {
			continue
		}
		p := person(u)
		p.Self = u.ID == me
		p.Bot = p.Bot || p.Self
		named["<@"+u.ID+">"], named["<@!"+u.ID+">"] = p, p
	}
	return named
}

// manages asks Discord whether the author of a message may change the server's settings, which messages
// do not tell.
func (a *Adapter) manages(ctx context.Context, m *posted) bool {
	var server guild
	if err := a.call(ctx, http.MethodGet, "guilds/"+m.GuildID, nil, &server); err != nil {
		a.log.WarnContext(ctx, "discord: permissions not known", "err", a.clean(err))
		return false
	}
	var roles []string
	if m.Member != nil {
		roles = m.Member.Roles
	}
	return manages(server.permits(m.Author.ID, roles))
}

// explain adds to the help how the bot is addressed where it cannot read everything.
func (a *Adapter) explain(said message.Incoming, notes []message.Message) []message.Message {
	if bot.CommandIn(&said).Name != "help" || said.Private || len(notes) == 0 {
		return notes
	}
	switch {
	case a.newest.Contains(said.Place.ID):
		notes[0] = also(notes[0], below(say("only-answers")))
	case !a.readsAll.Load():
		notes[0] = also(notes[0], below(say("only-addressed")))
	}
	return notes
}
