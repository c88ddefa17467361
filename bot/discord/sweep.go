package discord

import (
	"context"
	"log/slog"
	"net/http"
	"strings"

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
	if a.sweeping.Add(1) > maxSweeps {
		a.sweeping.Add(-1)
		return
	}
	a.work.Add("buttons", func() {
		defer a.sweeping.Add(-1)
		a.takeOff(place, m, outcome)
	})
}

// takeOff takes the buttons off a message. Discord limits edits of messages older than an hour; a channel
// in which it has refused one is left alone for a while, and those messages keep their buttons.
func (a *Adapter) takeOff(place string, m adapter.Ref, outcome string) {
	ctx := a.running
	defer a.rescue(ctx, "buttons")
	if a.refused(m.Channel+toEdit) != nil {
		return
	}
	for wait := a.post.Spare(address(place)); wait > 0; wait = a.post.Spare(address(place)) {
		if adapter.Pause(ctx, wait) != nil {
			return
		}
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
	for _, o := range a.state.Offers(ctx, d.Place.Address.ID, d.Entry.Game) {
		rows, err := a.rows(ctx, d.Note.Buttons)
		if err == nil {
			err = a.call(ctx, http.MethodPatch, pathOfMessage(o.Ref), map[string]any{"components": rows, "allowed_mentions": toNobody()}, nil)
		}
		if passing(err) {
			return a.verdict(err)
		}
		a.failed(ctx, slog.LevelDebug, "challenge not changed", err) // old messages can be changed only now and then
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
		if passing(err) {
			return false, err
		}
		closed = closed || err == nil
		a.failed(ctx, slog.LevelInfo, "challenge not edited", err)
	}
	return closed, nil
}
