package discord

import (
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
)

// sweeper takes buttons off old messages, when nothing else is to be done. It forgets
// some if there are too many.
type sweeper struct {
	waiting atomic.Int32
	rest    map[string]time.Time // until when channels are left alone
}

// sweep takes the buttons off a message, some time.
func (a *Adapter) sweep(place, channel, message string) {
	const many = 512
	if a.sweeper.waiting.Add(1) > many || !a.work.Add("buttons", func() {
		defer a.sweeper.waiting.Add(-1)
		a.takeOff(place, channel, message)
	}) {
		a.sweeper.waiting.Add(-1) // its buttons answer politely
	}
}

// takeOff takes the buttons off a message. Discord lets messages older than an hour be
// edited only now and then; a channel in which it has refused that is left alone for an hour,
// and those messages keep their buttons.
func (a *Adapter) takeOff(place, channel, message string) {
	<-a.begun
	ctx := a.running
	defer a.rescue(ctx, "buttons")
	if time.Now().Before(a.sweeper.rest[channel]) {
		return
	}
	delete(a.sweeper.rest, channel)
	for !a.limiter.idle() {
		const soon = 100 * time.Millisecond
		if bot.Pause(ctx, soon) != nil {
			return
		}
	}
	if bot.Pause(ctx, a.post.Take(address(place))) != nil {
		return
	}
	err := a.call(ctx, http.MethodPatch, "channels/"+channel+"/messages/"+message, map[string]any{"components": []discordgo.ActionsRow{}, "allowed_mentions": toNobody()}, nil)
	if no := (*held)(nil); errors.As(err, &no) && !no.everywhere {
		if len(a.sweeper.rest) >= bot.Watched {
			clear(a.sweeper.rest)
		}
		a.sweeper.rest[channel] = time.Now().Add(max(no.after, time.Hour))
	}
	if err != nil {
		a.log.DebugContext(ctx, "discord: buttons not taken off", "err", a.clean(err))
	}
}
