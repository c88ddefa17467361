package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	lru "github.com/hashicorp/golang-lru/v2"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/bot/outbox"
)

// Where the bot is not a member, as in the private chat of two people of whom one has the
// application, it can only answer interactions: each is a reply channel for a quarter of an hour.
// What waits for such a room goes through the newest interaction there, as its first answer if
// possible, since Discord accepts that only once, however often it is sent. Between interactions,
// people are told privately, if Discord allows that.
//
// So a move costs three commits there instead of two: between storing it and saying it, the bot
// notes which interaction it goes through. That cannot be noted with the move, because only later
// is it known whether the asker has been promised an answer of their own, which would be the first,
// and whether something else has to be said before.

// replyChannels are the interactions through which something can be said where the bot is not.
type replyChannels struct {
	newest *lru.Cache[string, *reply] // by channel
	tokens *lru.Cache[string, string] // of interactions there, by their ids
	speaks atomic.Bool                // this process says what waits for Discord
}

// open is how long an interaction can be answered: a little less than Discord says.
const open = 14 * time.Minute

// maxBehind is how many more messages may follow the first answer where the application was
// installed by a person alone.
const maxBehind = 5

// codeTooMany is Discord's where more were sent.
const codeTooMany = 40094

// away reports whether the bot is not where something was done.
func (i *interaction) away() bool {
	_, member := i.Owners["0"] // the server in which it was installed
	return i.private() || i.GuildID != "" && len(i.Owners) > 0 && !member
}

// private reports whether something was done in a chat of people among themselves.
func (i *interaction) private() bool {
	const amongPeople = 2
	return i.Context == amongPeople
}

// keyAway begins the names under which it is noted that the bot is not in a room.
const keyAway = "away/"

// handOver makes an interaction the reply channel of its room if the bot is not there, unless another
// process may have answered it: then nobody knows whether its first answer is still to be given.
func (a *Adapter) handOver(ctx context.Context, q *reply, again bool) {
	away := q.i.away()
	if away && again {
		return
	}
	if away {
		a.newest.Add(q.i.ChannelID, q)
		a.tokens.Add(q.i.ID, q.i.Token)
		known := map[string]string{keyAway + q.i.ChannelID: "yes"}
		if !a.speaks.Load() {
			known[keyHandOver+q.i.ChannelID] = fmt.Sprint(q.i.ID, " ", q.i.Token, " ", q.at.Unix())
		}
		a.state.SetAll(ctx, known)
	} else if a.state.Get(ctx, keyAway+q.i.ChannelID) != "" {
		a.state.Set(ctx, keyAway+q.i.ChannelID, "")
	}
}

// keyHandOver begins the names under which an interaction's token is handed to the process that says
// what waits for its room.
const keyHandOver = "knock/"

// replyIn is the newest interaction through which something can be said in a channel, nil if there is
// none. It may have been handed over by another process, which gives it a first answer; or it may have
// been in use when the program last ended, while the same entry was being said.
func (a *Adapter) replyIn(ctx context.Context, channel, entry string) *reply {
	q, ok := a.newest.Get(channel)
	me := a.self(ctx)
	const words = 3
	if handed := strings.Fields(a.state.Get(ctx, keyHandOver+channel)); len(handed) == words && me != nil && (!ok || newer(handed[0], q.i.ID)) {
		q, ok = a.earlierReply(channel, me, handed), true
		q.stage = theirs
		a.newest.Add(channel, q)
	}
	if ok {
		return q
	}
	said := strings.Fields(a.state.Get(ctx, keyReply+channel))
	if len(said) != 1+words || me == nil || !strings.HasPrefix(said[0], entry+".") {
		return nil
	}
	q = a.earlierReply(channel, me, said[1:])
	q.stage, q.opening = opened, said[0]
	a.newest.Add(channel, q)
	return q
}

// earlierReply is an interaction whose id, token and time were noted.
func (a *Adapter) earlierReply(channel string, me *self, known []string) *reply {
	at, _ := strconv.ParseInt(known[2], 10, 64)
	i := &interaction{ID: known[0], Token: known[1], ApplicationID: me.Application, ChannelID: channel}
	return newReply(a, i, time.Unix(at, 0))
}

// wait waits a little for everyone to hear of what an interaction did, which is its answer then.
func (q *reply) wait(ctx context.Context, notes []message.Message) {
	if !q.i.away() || !q.a.speaks.Load() {
		return
	}
	for _, n := range notes {
		if !n.Ack || q.elsewhere(ctx, n) != nil {
			continue
		}
		q.a.post.Back(address(q.i.ChannelID))
		select {
		case <-q.told:
		case <-ctx.Done():
		case <-time.After(q.a.pace.told):
		}
	}
}

// heard reports whether everyone has heard of the interaction by its first answer, or will.
func (q *reply) heard() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return !q.i.away() || q.stage == opened || q.stage == promised
}

// tidy deletes the message whose button was pressed, if its reader alone sees it.
func (q *reply) tidy(ctx context.Context) {
	if !q.i.away() || q.stage != opened || !q.alone() || q.i.Message.Made == nil {
		return
	}
	if token, ok := q.a.tokens.Get(q.i.Message.Made.ID); ok {
		q.send(ctx, http.MethodDelete, "webhooks/"+q.i.ApplicationID+"/"+token+"/messages/@original", nil, post{})
	}
}

// errShut is returned where no interaction can carry more.
var errShut = errors.New("discord: nobody there has asked for anything of late")

// sendAway says something in a room in which the bot is not.
func (a *Adapter) sendAway(ctx context.Context, d bot.Delivery) (outbox.Receipt, error) {
	channel, entry := d.Place.Address.ID, strconv.FormatUint(d.Entry.ID, 36)
	if d.Begins() {
		d.Note = a.calling(ctx, d)
	}
	drafts, err := a.drafts(ctx, d.Note, d.Note.Language)
	if err != nil {
		return nil, err
	}
	q := a.replyIn(ctx, channel, entry)
	err = errShut
	for i, p := range drafts {
		if q != nil {
			err = q.sendToAll(ctx, channel, fmt.Sprint(entry, ".", i), p)
		}
		if err != nil {
			break
		}
	}
	switch {
	case errors.Is(err, errShut):
		if err := a.greet(ctx, d); err != nil {
			return nil, a.verdict(err)
		}
		return nil, &outbox.Away{Err: errShut}
	case err != nil:
		return nil, a.verdict(err)
	}
	return outbox.Receipt{keyReply + channel: nil}, nil
}

// keyReply begins the names under which it is noted what is being said as the first answer to which
// interaction, in case the program ends before the entry is closed.
const keyReply = "door/"

// sendToAll says a part of an entry to everyone: as the first answer to the interaction, or after
// that. It returns errShut if it is too late.
func (q *reply) sendToAll(ctx context.Context, channel, part string, p post) (err error) {
	const soon = 250 * time.Millisecond
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.said[part]:
		return nil
	case q.stage == lost, time.Since(q.at) > open:
		return errShut
	case q.stage == promised:
		return &outbox.Later{After: soon, Err: errors.New("discord: the asker is answered first")}
	case q.stage == unanswered:
		q.a.state.Set(ctx, keyReply+channel, fmt.Sprint(part, " ", q.i.ID, " ", q.i.Token, " ", q.at.Unix()))
		q.stage, q.opening = opened, part
		fallthrough
	case q.opening == part:
		err = q.firstToAll(ctx, p)
	case q.behind >= maxBehind:
		return errShut
	default:
		q.behind++
		err = q.a.call(ctx, http.MethodPost, q.hook(), p.payload, nil, p.newFiles()...)
	}
	if q.stage == theirs && status(err) == http.StatusNotFound && time.Since(q.at) < q.a.pace.answer {
		return &outbox.Later{After: soon, Err: errors.New("discord: another process answers first")}
	}
	switch {
	case err == nil:
		q.said[part] = true
	case status(err) == http.StatusNotFound, status(err) == http.StatusUnauthorized, code(err) == codeTooMany:
		q.stage, err = lost, errShut
	}
	return err
}

// firstToAll gives the first answer, which everyone sees. It is no error if it was given before.
func (q *reply) firstToAll(ctx context.Context, p post) (err error) {
	const tries = 4
	if q.timer != nil {
		q.timer.Stop()
	}
	body := map[string]any{"type": discordgo.InteractionResponseChannelMessageWithSource, "data": p.payload}
	for try := range tries {
		err = q.try(ctx, http.MethodPost, "interactions/"+q.i.ID+"/"+q.i.Token+"/callback", body, p, true)
		if err == nil || status(err)/100 == 4 || held(err) != nil || adapter.Pause(ctx, q.a.pace.retry<<try/8) != nil {
			break
		}
	}
	if code(err) == discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged {
		err = nil
	}
	if err == nil {
		close(q.told)
	}
	return err
}

// greet writes to everyone in a game whose news have to wait, unless they have a private chat with the
// bot already or take no messages from it.
func (a *Adapter) greet(ctx context.Context, d bot.Delivery) error {
	people, err := a.bot.Users.Concerned(ctx, d.Entry.Game)
	if err != nil {
		return err
	}
	for _, who := range people {
		account, ok := who.On(Platform)
		if !ok || who.Home != 0 || a.state.Get(ctx, keyShut+account) != "" {
			continue
		}
		err := a.reach(ctx, who, account, "b"+strconv.FormatUint(d.Entry.ID, 36), say("between")) // a nonce has at most 25 characters
		if never := (*outbox.Never)(nil); errors.As(a.verdict(err), &never) {
			a.log.InfoContext(ctx, "discord: somebody can't be reached", "err", a.clean(err))
			a.state.Set(ctx, keyShut+account, "yes") // until they write
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keyShut begins the names under which accounts are noted that take no messages from the bot.
const keyShut = "shut/"
