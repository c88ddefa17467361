package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	lru "github.com/hashicorp/golang-lru/v2"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/storage"
)

// Where the bot is not a member, as in the private chat of two people of whom one has the
// application, it can only answer interactions: each is a reply channel for a quarter of an hour.
// Entries for such a room go through the newest interaction there, as its first answer if
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

// The names of what is noted about rooms begin with these.
const (
	keyAway     = "away/"  // the bot is not there
	keyHandOver = "knock/" // an interaction whose token is handed to the process that says what waits for the room
	keyReply    = "door/"  // the part of an entry that is being said, and the interaction whose first answer it is, in case the program ends
)

// noted is an interaction as it is noted.
func (q *reply) noted() string { return fmt.Sprint(q.i.ID, " ", q.i.Token, " ", q.at.Unix()) }

// handOver makes an interaction the reply channel of its room if the bot is not there, unless another
// process may have answered it: then nobody knows whether its first answer is still to be given.
func (a *Adapter) handOver(ctx context.Context, q *reply, again bool) {
	room := q.i.ChannelID
	switch away := q.i.away(); {
	case away && !again:
		a.newest.Add(room, q)
		a.tokens.Add(q.i.ID, q.i.Token)
		known := map[string]string{keyAway + room: "yes"}
		if !a.speaks.Load() {
			known[keyHandOver+room] = q.noted()
		}
		a.state.SetAll(ctx, known)
	case !away && a.state.Get(ctx, keyAway+room) != "":
		a.state.Set(ctx, keyAway+room, "")
	}
}

// replyIn is the newest interaction through which something can be said in a channel, nil if there is
// none. It may have been handed over by another process, which gives it a first answer; or it may have
// been in use when the program last ended, while the same entry was being said.
func (a *Adapter) replyIn(ctx context.Context, channel, entry string) *reply {
	q, ok := a.newest.Get(channel)
	me := a.self(ctx)
	if me == nil {
		return q
	}
	const parts = 3
	earlier := func(noted []string, becomes stage) *reply {
		at, _ := strconv.ParseInt(noted[2], 10, 64)
		q := newReply(a, &interaction{ID: noted[0], Token: noted[1], ApplicationID: me.Application, ChannelID: channel}, time.Unix(at, 0))
		q.stage = becomes
		a.newest.Add(channel, q)
		return q
	}
	if handed := strings.Fields(a.state.Get(ctx, keyHandOver+channel)); len(handed) == parts && (!ok || newer(handed[0], q.i.ID)) {
		return earlier(handed, theirs)
	}
	if ok {
		return q
	}
	said := strings.Fields(a.state.Get(ctx, keyReply+channel))
	if len(said) != 1+parts || !strings.HasPrefix(said[0], entry+".") {
		return nil
	}
	q = earlier(said[1:], opened)
	q.opening = said[0]
	return q
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
		q.tell(ctx, http.MethodDelete, "webhooks/"+q.i.ApplicationID+"/"+token+"/messages/@original", nil, post{})
	}
}

// errShut is returned where no interaction can carry more.
var errShut = errors.New("discord: nobody there has asked for anything in the last quarter of an hour")

// sendAway says something in a room in which the bot is not.
func (a *Adapter) sendAway(ctx context.Context, d bot.Delivery) (outbox.Receipt, error) {
	channel, entry := d.Place.Address.ID, strconv.FormatUint(d.Entry.ID, 36)
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

// sendToAll says a part of an entry to everyone: as the first answer to the interaction, or after
// that. It returns errShut if it is too late. It is no error if the first answer was given before.
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
		q.a.state.Set(ctx, keyReply+channel, part+" "+q.noted())
		q.stage, q.opening = opened, part
		if q.timer != nil {
			q.timer.Stop()
		}
		fallthrough
	case q.opening == part:
		body := map[string]any{"type": discordgo.InteractionResponseChannelMessageWithSource, "data": p.payload}
		err = q.send(ctx, http.MethodPost, q.callback(), body, p)
		if code(err) == discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged {
			err = nil
		}
		if err == nil {
			close(q.told)
		}
	case q.behind >= maxBehind:
		return errShut
	default:
		q.behind++
		err = q.a.call(ctx, http.MethodPost, q.hook(), p.payload, nil, p.files...)
	}
	switch at := status(err); {
	case err == nil:
		q.said[part] = true
	case q.stage == theirs && at == http.StatusNotFound && time.Since(q.at) < q.a.pace.answer:
		return &outbox.Later{After: soon, Err: errors.New("discord: another process answers first")}
	case at == http.StatusNotFound, at == http.StatusUnauthorized, code(err) == codeTooMany:
		q.stage, err = lost, errShut
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
	people = slices.DeleteFunc(people, func(who storage.Person) bool {
		account, _ := who.On(Platform)
		return who.Home != 0 || a.state.Get(ctx, keyShut+account) != ""
	})
	return a.tellPrivately(ctx, people, "b"+strconv.FormatUint(d.Entry.ID, 36), say("between")) // a nonce has at most 25 characters
}
