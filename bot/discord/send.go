package discord

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/bot/words"
	"chimera/storage"
)

// Send says something at a place, or in the thread of the game that it is about.
func (a *Adapter) Send(ctx context.Context, d bot.Delivery) (outbox.Receipt, error) {
	if d.Renews() {
		return nil, a.renew(ctx, d)
	}
	if d.Begins() && d.Place.Owner == 0 {
		d.Note = a.calling(ctx, d)
	}
	if d.Reminds() && d.Place.Owner != 0 {
		a.addTurnLink(ctx, &d.Note, d.Entry.Game)
	}
	known := a.state.GetAll(ctx, keyAway+d.Place.Address.ID, threadKey(d.Place.Address.ID, d.Entry.Game))
	if known[0] != "" {
		return a.sendAway(ctx, d)
	}
	where, err := a.threadFor(ctx, d, known[1])
	if err != nil {
		return nil, a.verdict(err)
	}
	if closed, err := a.closes(ctx, where, d); closed || err != nil {
		receipt := outbox.Receipt{}
		a.state.SetOffers(receipt, where.place, d.Entry.Game, nil)
		return receipt, a.verdict(err)
	}
	if d.Note.Board == nil && where.game == 0 {
		d.Note.Text = a.withThreads(ctx, d.Note.Text)
	}
	entry := strconv.FormatUint(d.Entry.ID, 36) // a nonce has at most 25 characters
	write := func() (string, error) {
		return a.write(ctx, where.channel, "", "e"+entry+".", also(d.Note, where.why))
	}
	sent, err := write()
	archived := code(err) == discordgo.ErrCodePerformedOperationOnArchivedThread
	unlocked := map[string]any{"archived": false, "locked": false} // a message alone does not bring each back
	if where.game != 0 && archived && a.call(ctx, http.MethodPatch, "channels/"+where.channel, unlocked, nil) == nil {
		sent, err = write()
	}
	switch no := code(err); {
	case where.game == 0 || err == nil:
	case no == discordgo.ErrCodeUnknownChannel:
		a.closeThread(ctx, where)
		where = room{channel: where.place, place: where.place}
		sent, err = write()
	case no == discordgo.ErrCodePerformedOperationOnArchivedThread, status(err) == http.StatusForbidden: // that may pass
		where = room{channel: where.place, place: where.place, why: below(without("post-in-thread", []int64{discordgo.PermissionSendMessagesInThreads}))}
		if no == discordgo.ErrCodePerformedOperationOnArchivedThread {
			where.why = below(without("locked", []int64{discordgo.PermissionManageThreads}))
		}
		sent, err = write()
	}
	if err != nil {
		verdict := a.verdict(err)
		if never, is := errors.AsType[*outbox.Never](verdict); is && never.Gone && d.Place.Gone.IsZero() {
			people, unknown := a.bot.Users.Concerned(ctx, d.Entry.Game)
			a.failed(ctx, slog.LevelError, "people not known", unknown)
			if missed := a.tellPrivately(ctx, people, "h"+entry, shutOut(d.Place.Address.ID, err)); missed != nil {
				return nil, a.verdict(missed)
			}
		}
		return nil, verdict
	}
	if d.Ends() && where.game == d.Entry.Game {
		a.work.Add(where.channel, func() { a.retire(ctx, where.channel) })
	}
	return a.receipt(ctx, where, sent, d), nil
}

// also is a note that says something more.
func also(n message.Message, more words.Text) message.Message {
	n.Text = slices.Concat(n.Text, more.In(n.Language))
	return n
}

// write writes a note into a channel, in reply to a message unless that is "", and returns the id of its
// last message. With a nonce, it is written only once.
func (a *Adapter) write(ctx context.Context, channel, to, nonce string, n message.Message) (id string, err error) {
	drafts, err := a.drafts(ctx, n, n.Language)
	if err != nil {
		return "", err
	}
	for i, p := range drafts {
		var sent struct {
			ID     string
			Embeds []struct{}
		}
		if to != "" {
			p.Reference = &discordgo.MessageReference{MessageID: to, FailIfNotExists: new(bool)}
		}
		if nonce != "" {
			p.Nonce, p.Enforce = fmt.Sprint(nonce, i), true
		}
		if a.refused(channel+withCard) != nil {
			p = p.withoutCard()
		}
		err := a.postTo(ctx, channel, &p, &sent)
		if a.flattens(ctx, &p, err) {
			err = a.postTo(ctx, channel, &p, &sent)
		}
		if code(err) == discordgo.ErrCodeCannotReplyWithoutPermissionToReadMessageHistory {
			to, p.Reference = "", nil // it may write, but not answer
			err = a.postTo(ctx, channel, &p, &sent)
		}
		if code(err) == discordgo.ErrCodeMissingPermissions && (len(p.Attached) > 0 || len(p.Embeds) > 0) { // perhaps only for these
			if p = p.withoutCard(); len(p.Attached) > 0 {
				p = p.plainly(without("picture", []int64{discordgo.PermissionAttachFiles}))
			}
			err = a.postTo(ctx, channel, &p, &sent)
		}
		if err != nil {
			return "", err
		}
		if len(sent.Embeds) < len(p.Embeds) {
			a.spellOut(ctx, channel, sent.ID, &p)
		}
		id = sent.ID
	}
	return id, nil
}

// receipt notes which game a message shows, and takes the buttons off messages that came before it.
func (a *Adapter) receipt(ctx context.Context, where room, sent string, d bot.Delivery) outbox.Receipt {
	game := d.Entry.Game
	if game == 0 || sent == "" {
		return nil
	}
	receipt, at := adapter.Shows(where.channel, sent, game), adapter.Ref{Channel: where.channel, ID: sent}
	pressable := len(d.Note.Buttons) > 0
	shown := d.Note.Board != nil && pressable
	boards, open := a.state.Shown(ctx, where.place, game)
	switch {
	case shown || !pressable && d.AnswersOffers():
		for _, o := range open {
			a.sweep(where.place, o.Ref, outcome(where, d))
		}
		a.state.SetOffers(receipt, where.place, game, nil)
	case pressable && d.Asks() != "":
		a.state.SetOffers(receipt, where.place, game, append(open, adapter.Offer{Ref: at, About: d.Asks()}))
	}
	if shown || pressable && d.Asks() == "" {
		for _, stale := range a.state.Posted(receipt, where.place, game, at, shown, boards) {
			a.sweep(where.place, stale, "")
		}
	}
	return receipt
}

// outcome is what the message of a challenge or an offer says about its end.
func outcome(where room, d bot.Delivery) string {
	key := cmp.Or(d.Outcome(), d.OfferOutcome())
	said := say("challenge." + key)
	if key == "accepted" && where.channel != where.place {
		said = say("challenge.accepted-in-thread", "thread", channelNamed(where.channel))
	}
	return markdown(said.In(d.Note.Language), nil)
}

// calling makes the first board of a game mention both players, in its title where that names them.
func (a *Adapter) calling(ctx context.Context, d bot.Delivery) message.Message {
	players, err := a.bot.Users.Concerned(ctx, d.Entry.Game)
	a.failed(ctx, slog.LevelError, "people not known", err)
	for _, p := range players {
		if _, here := p.On(Platform); !here || slices.Contains(d.Note.Text.People(), p.ID) {
			continue
		}
		named := words.Span{Words: p.Name, Person: p.ID}
		within := " " + p.Name + " ("
		i := slices.IndexFunc(d.Note.Text, func(s words.Span) bool { return strings.Contains(s.Words, within) })
		if i < 0 {
			d.Note = also(d.Note, below(words.Text{named}))
			continue
		}
		before, after, _ := strings.Cut(d.Note.Text[i].Words, within)
		d.Note.Text = slices.Concat(d.Note.Text[:i], words.Text{{Words: before + " "}, named, {Words: " (" + after}}, d.Note.Text[i+1:])
	}
	return d.Note
}

// answer gives answers to a message.
func (a *Adapter) answer(ctx context.Context, m *posted, said message.Incoming, notes []message.Message) {
	defer a.rescue(ctx, "answer")
	if a.tired(m.Author.ID, ofPerson) || a.tired(m.GuildID, ofServer) {
		return
	}
	if said.Private {
		a.known.Remove(m.ChannelID) // they may take answers by now
	}
	for i, n := range notes {
		if n.Ack {
			continue // everyone hears of it
		}
		nonce := fmt.Sprint("r", m.ID, ".", i, ".")
		if !said.Private && bot.CommandIn(&said).Whose == bot.AskerAlone {
			if private, err := a.privately(ctx, m.Author.ID); err == nil && a.reply(ctx, said.Place, private, "", nonce, n) {
				continue
			}
			n = message.Message{Text: say("for-you-alone").In(n.Language)}
		}
		known := a.refused(m.ChannelID) != nil // then Discord is not asked
		if !a.reply(ctx, said.Place, m.ChannelID, m.ID, nonce, n) {
			a.tire(m.Author.ID, ofPerson)
			if !said.Private {
				if !known {
					a.tire(m.GuildID, ofServer)
				}
				a.complain(ctx, m)
			}
			return
		}
	}
}

// reply gives an answer at once, within the limits. It reports false if the bot may not write there.
func (a *Adapter) reply(ctx context.Context, place storage.Address, channel, to, nonce string, n message.Message) bool {
	if a.refused(channel) != nil {
		return false
	}
	const tries = 4
	asking := adapter.Retry{First: a.pace.retry, Tries: tries, Pause: a.await, Verdict: a.verdict}
	err := asking.Do(ctx, func() error {
		const most = 5 * time.Minute // longer, and nobody waits for it any more
		wait := a.post.Line(place)
		if wait > most {
			return &outbox.Never{Err: fmt.Errorf("discord: too many answers wait, for %v", wait)}
		}
		if err := a.await(ctx, wait); err != nil {
			return err
		}
		if err := a.await(ctx, a.post.Take(place)); err != nil {
			return err
		}
		sent, err := a.write(ctx, channel, to, nonce, n)
		if later := held(err); later != nil {
			a.post.Hold(place, later)
		}
		if game := n.Game(); err == nil && game != 0 && sent != "" {
			a.state.PutAllSoon(adapter.Shows(channel, sent, game))
		}
		return err
	})
	a.failed(ctx, slog.LevelWarn, "not answered", err)
	never, is := errors.AsType[*outbox.Never](a.verdict(err))
	return !is || !never.Gone
}

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
