package discord

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/limit"
)

// sweeper takes buttons off old messages when there is nothing else to do. If there are too many, some
// keep theirs.
type sweeper struct {
	waiting atomic.Int32
	rest    map[string]time.Time // until when channels are left alone
}

// sweep takes the buttons off a message when there is time, and appends its outcome unless that is "".
func (a *Adapter) sweep(place string, m adapter.Ref, outcome string) {
	const many = 512
	if a.sweeper.waiting.Add(1) > many || !a.work.Add("buttons", func() {
		defer a.sweeper.waiting.Add(-1)
		a.takeOff(place, m, outcome)
	}) {
		a.sweeper.waiting.Add(-1) // its buttons answer politely
	}
}

// takeOff takes the buttons off a message. Discord limits edits of messages older than an hour; a channel
// in which it has refused one is left alone for an hour, and those messages keep their buttons.
func (a *Adapter) takeOff(place string, m adapter.Ref, outcome string) {
	<-a.begun
	ctx := a.running
	defer a.rescue(ctx, "buttons")
	if time.Now().Before(a.sweeper.rest[m.Channel]) {
		return
	}
	delete(a.sweeper.rest, m.Channel)
	for !a.limiter.Idle() {
		const soon = 100 * time.Millisecond
		if adapter.Pause(ctx, soon) != nil {
			return
		}
	}
	if adapter.Pause(ctx, a.post.Take(address(place))) != nil {
		return
	}
	err := a.close(ctx, m, outcome)
	if no := held(err); no != nil && !no.Everywhere {
		if len(a.sweeper.rest) >= limit.Watched {
			clear(a.sweeper.rest)
		}
		a.sweeper.rest[m.Channel] = time.Now().Add(max(no.After, time.Hour))
	}
	a.failed(ctx, slog.LevelDebug, "buttons not taken off", err)
}

// renew gives the messages of a challenge new buttons. Where the bot is not a member, there are none that
// it could change.
func (a *Adapter) renew(ctx context.Context, d bot.Delivery) error {
	const soon = time.Minute
	for _, o := range a.state.Offers(ctx, d.Place.Address.ID, d.Entry.Game) {
		rows, err := rowsOf(ctx, d.Note.Buttons, a.state.Pack)
		if err == nil {
			err = a.call(ctx, http.MethodPatch, pathOfMessage(o.Ref), map[string]any{"components": rows, "allowed_mentions": toNobody()}, nil)
		}
		if wait := held(err); wait != nil && !wait.Everywhere && wait.After > soon || status(err)/100 == 4 { // old messages can be changed only now and then
			a.log.DebugContext(ctx, "discord: challenge not changed", "err", a.clean(err))
			err = nil
		}
		if err != nil {
			return a.verdict(err)
		}
	}
	return nil
}

func pathOfMessage(m adapter.Ref) string { return "channels/" + m.Channel + "/messages/" + m.ID }

// close takes the buttons off a message, and appends its outcome unless that is "".
func (a *Adapter) close(ctx context.Context, m adapter.Ref, outcome string) error {
	change := map[string]any{"components": []discordgo.ActionsRow{}, "allowed_mentions": toNobody()}
	if outcome != "" {
		var before struct {
			Content string
			Embeds  []card
		}
		last := "\n" + outcome
		switch err := a.call(ctx, http.MethodGet, pathOfMessage(m), nil, &before); {
		case status(err)/100 == 4: //nolint:mnd // it may be edited, and not be read
			change["content"] = outcome
		case err != nil:
			return err
		case len(before.Embeds) == 0:
			change["content"] = adapter.Clip(strings.TrimSuffix(before.Content, last), maxContent-adapter.Length(last)) + last
		default:
			e := before.Embeds[0]
			e.Description, e.Color = strings.TrimSuffix(e.Description, last)+last, colorOver
			change["embeds"] = []card{e}
		}
	}
	return a.call(ctx, http.MethodPatch, pathOfMessage(m), change, nil)
}

// closes lets the messages of a challenge that comes to nothing say so, and reports whether that is enough:
// nobody else has to be told, and a message could be changed. An error may pass.
func (a *Adapter) closes(ctx context.Context, where room, d bot.Delivery) (closed bool, err error) {
	if said := d.Outcome(); said == "" || said == "accepted" || !d.KnownAt() {
		return false, nil
	}
	for _, o := range a.state.Offers(ctx, where.place, d.Entry.Game) {
		err := a.close(ctx, o.Ref, outcome(where, d))
		switch wait := held(err); {
		case err == nil:
			closed = true
		case wait != nil && wait.Everywhere, status(err) == 0 && wait == nil, status(err) >= http.StatusInternalServerError:
			return false, err
		default:
			a.log.InfoContext(ctx, "discord: challenge not edited", "err", a.clean(err))
		}
	}
	return closed, nil
}
