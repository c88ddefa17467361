package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/bot/outbox"
)

// Where the bot is not a member, as in the private chat of two people of whom one has the
// application, it can say nothing but what answers something that somebody does there: for a
// while their interaction is a door. What waits for such a room is said through the newest one,
// if it can be as its first answer: that comes once, however often it is sent. Between doors
// people are told privately, as far as Discord lets them be.
//
// So a move costs three commits there, and not two: after it is stored, and before it is said, it
// is noted through which door it goes. It cannot be noted with the move: only then is it known
// whether the asker has been promised an answer of their own meanwhile, which would be the first,
// and whether something else waits that goes first.

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

// keyAway begins the names of rooms in which the bot is not.
const keyAway = "away/"

// knock lets what waits for a room in which the bot is not be said through an interaction, unless
// another process may have answered that: it is not known then whether the first answer is still
// to come.
func (a *Adapter) knock(ctx context.Context, q *asked, again bool) {
	away := q.i.away()
	if away && again {
		return
	}
	if away {
		a.doors.Add(q.i.ChannelID, q)
		a.tokens.Add(q.i.ID, q.i.Token)
		known := map[string]string{keyAway + q.i.ChannelID: "yes"}
		if !a.speaks.Load() {
			known[keyKnock+q.i.ChannelID] = fmt.Sprint(q.i.ID, " ", q.i.Token, " ", q.at.Unix())
		}
		a.state.SetAll(ctx, known)
	} else if a.state.Get(ctx, keyAway+q.i.ChannelID) != "" {
		a.state.Set(ctx, keyAway+q.i.ChannelID, "")
	}
}

// keyKnock begins the name under which is remembered, where another process says what waits for a
// room, through which interaction it can.
const keyKnock = "knock/"

// door is the newest interaction through which something can be said in a channel, nil if there is
// none. One that another process has heard of is answered there first, and through the one that was
// open when the program ended goes on what was being said.
func (a *Adapter) door(ctx context.Context, channel, entry string) *asked {
	q, ok := a.doors.Get(channel)
	me := a.self(ctx)
	const words = 3
	if knocked := strings.Fields(a.state.Get(ctx, keyKnock+channel)); len(knocked) == words && me != nil && (!ok || newer(knocked[0], q.i.ID)) {
		q, ok = a.askedBefore(channel, me, knocked), true
		q.stage = theirs
		a.doors.Add(channel, q)
	}
	if ok {
		return q
	}
	said := strings.Fields(a.state.Get(ctx, keyDoor+channel))
	if len(said) != 1+words || me == nil || !strings.HasPrefix(said[0], entry+".") {
		return nil
	}
	q = a.askedBefore(channel, me, said[1:])
	q.stage, q.opening = opened, said[0]
	a.doors.Add(channel, q)
	return q
}

// askedBefore is an interaction of which its id, its token and its time were remembered.
func (a *Adapter) askedBefore(channel string, me *self, known []string) *asked {
	at, _ := strconv.ParseInt(known[2], 10, 64)
	i := &interaction{ID: known[0], Token: known[1], ApplicationID: me.Application, ChannelID: channel}
	return newAsked(a, i, time.Unix(at, 0))
}

// wait waits a little until an interaction that went well has been answered by what everyone
// hears of that.
func (q *asked) wait(ctx context.Context, notes []message.Message) {
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

// heard reports whether everyone has heard of it through this interaction, or will.
func (q *asked) heard() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return !q.i.away() || q.stage == opened || q.stage == promised
}

// tidy takes away the message on which was pressed, which its reader alone sees and has done
// its work.
func (q *asked) tidy(ctx context.Context) {
	if !q.i.away() || q.stage != opened || !q.alone() || q.i.Message.Made == nil {
		return
	}
	if token, ok := q.a.tokens.Get(q.i.Message.Made.ID); ok {
		q.send(ctx, http.MethodDelete, "webhooks/"+q.i.ApplicationID+"/"+token+"/messages/@original", nil, post{})
	}
}

// errShut is that nothing more can be said through a door.
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
	q := a.door(ctx, channel, entry)
	err = errShut
	for i, p := range drafts {
		if q != nil {
			err = q.tell(ctx, channel, fmt.Sprint(entry, ".", i), p)
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
	return outbox.Receipt{keyDoor + channel: nil}, nil
}

// keyDoor begins the name under which is remembered what is being said as the first answer to
// an interaction, and to which, in case that the program ends before it is written down.
const keyDoor = "door/"

// tell says a part of an entry to everyone: as the first answer to an interaction, or behind
// it. It returns errShut where that is too late.
func (q *asked) tell(ctx context.Context, channel, part string, p post) (err error) {
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
		q.a.state.Set(ctx, keyDoor+channel, fmt.Sprint(part, " ", q.i.ID, " ", q.i.Token, " ", q.at.Unix()))
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

// firstToAll is the first answer, which everyone sees. That it was given before is no fault.
func (q *asked) firstToAll(ctx context.Context, p post) (err error) {
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

// greet lets those whom something concerns be told privately what cannot be said now in a room
// in which the bot is not, if they have not been yet and Discord lets the bot write to them.
func (a *Adapter) greet(ctx context.Context, d bot.Delivery) error {
	people, err := a.bot.Places.Concerned(ctx, d.Entry.Game)
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

// keyShut begins the names of accounts to which the bot cannot write.
const keyShut = "shut/"
