package discord

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/adapter"
)

// maxSweeps is how many old messages wait to lose their buttons. If there are more, some keep theirs, which
// answer politely.
const maxSweeps = 512

// sweep takes the buttons off a message when there is nothing else to do, and appends its outcome unless
// that is "".
func (a *Adapter) sweep(place string, m adapter.Ref, outcome string) {
	select {
	case a.sweeps <- func() { a.takeOff(place, m, outcome) }:
	default:
	}
}

// takeOff takes the buttons off a message. Discord limits edits of messages older than an hour; a channel
// in which it has refused one is left alone for a while, and those messages keep their buttons.
func (a *Adapter) takeOff(place string, m adapter.Ref, outcome string) {
	ctx := a.running
	defer a.rescue(ctx, "buttons")
	if a.refused(m.Channel+toEdit) != nil {
		return
	}
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
		a.refuse(m.Channel+toEdit, err)
	}
	a.failed(ctx, slog.LevelDebug, "buttons not taken off", err)
}

// renew gives the messages of a challenge new buttons. Where the bot is not a member, there are none that
// it could change.
func (a *Adapter) renew(ctx context.Context, d bot.Delivery) error {
	const soon = time.Minute
	for _, o := range a.state.Offers(ctx, d.Place.Address.ID, d.Entry.Game) {
		rows, err := a.rows(ctx, d.Note.Buttons)
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
