package discord

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/adapt"
	"chimera/bot/discord/throttle"
)

// sweeper takes buttons off old messages, when nothing else is to be done. It forgets
// some if there are too many.
type sweeper struct {
	waiting atomic.Int32
	rest    map[string]time.Time // until when channels are left alone
}

// sweep takes the buttons off a message, some time, and writes below it what became of it,
// unless that is "".
func (a *Adapter) sweep(place, channel, message, outcome string) {
	const many = 512
	if a.sweeper.waiting.Add(1) > many || !a.work.Add("buttons", func() {
		defer a.sweeper.waiting.Add(-1)
		a.takeOff(place, channel, message, outcome)
	}) {
		a.sweeper.waiting.Add(-1) // its buttons answer politely
	}
}

// takeOff takes the buttons off a message. Discord lets messages older than an hour be
// edited only now and then; a channel in which it has refused that is left alone for an hour,
// and those messages keep their buttons.
func (a *Adapter) takeOff(place, channel, message, outcome string) {
	<-a.begun
	ctx := a.running
	defer a.rescue(ctx, "buttons")
	if time.Now().Before(a.sweeper.rest[channel]) {
		return
	}
	delete(a.sweeper.rest, channel)
	for !a.limiter.Idle() {
		const soon = 100 * time.Millisecond
		if adapt.Pause(ctx, soon) != nil {
			return
		}
	}
	if adapt.Pause(ctx, a.post.Take(address(place))) != nil {
		return
	}
	path := "channels/" + channel + "/messages/" + message
	change := map[string]any{"components": []discordgo.ActionsRow{}, "allowed_mentions": toNobody()}
	if outcome != "" {
		a.conclude(ctx, path, outcome, change)
	}
	err := a.call(ctx, http.MethodPatch, path, change, nil)
	if no := (*throttle.Held)(nil); errors.As(err, &no) && !no.Everywhere {
		if len(a.sweeper.rest) >= bot.Watched {
			clear(a.sweeper.rest)
		}
		a.sweeper.rest[channel] = time.Now().Add(max(no.After, time.Hour))
	}
	if err != nil {
		a.log.DebugContext(ctx, "discord: buttons not taken off", "err", a.clean(err))
	}
}

// renew gives the message of a challenge the buttons that it is to have by now. Where the bot is
// not a member there is none that it could change.
func (a *Adapter) renew(ctx context.Context, d bot.Delivery) error {
	const soon = time.Minute
	for at := range strings.FieldsSeq(a.recall(ctx, gameKey("offers", d.Place.Address.ID, d.Entry.Game))) {
		channel, id, _ := strings.Cut(at, "/")
		rows, err := a.rows(ctx, d.Note.Buttons)
		if err == nil {
			err = a.call(ctx, http.MethodPatch, "channels/"+channel+"/messages/"+id, map[string]any{"components": rows, "allowed_mentions": toNobody()}, nil)
		}
		var held *throttle.Held
		if errors.As(err, &held) && !held.Everywhere && held.After > soon || status(err)/100 == 4 { // old messages can be changed only now and then
			a.log.DebugContext(ctx, "discord: challenge not changed", "err", a.clean(err))
			err = nil
		}
		if err != nil {
			return a.verdict(err)
		}
	}
	return nil
}

// conclude adds to the change of a message that it says what became of it.
func (a *Adapter) conclude(ctx context.Context, path, outcome string, change map[string]any) {
	var before struct {
		Content string
		Embeds  []card
	}
	if err := a.call(ctx, http.MethodGet, path, nil, &before); err != nil {
		a.log.InfoContext(ctx, "discord: message not read", "err", a.clean(err))
		change["content"] = outcome
		return
	}
	if len(before.Embeds) == 0 {
		change["content"] = adapt.Clip(strings.TrimSuffix(before.Content, "\n"+outcome), maxContent-adapt.Length(outcome)-1) + "\n" + outcome
		return
	}
	e := before.Embeds[0]
	e.Description, e.Color = strings.TrimSuffix(e.Description, "\n"+outcome)+"\n"+outcome, colorOver
	change["embeds"] = []card{e}
}
