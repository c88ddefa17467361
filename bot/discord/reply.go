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
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	lru "github.com/hashicorp/golang-lru/v2"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

// reply is an interaction on its way to an answer. Discord wants the first answer within three seconds; if it takes
// longer, that is only a promise. Where the bot is not a member, the first answer can also be the message to everyone.
//
//	unanswered ──> promised ──> replied
//	     │                         ^
//	     ├─────────────────────────┘
//	     └──> opened, by what everyone hears
//
// An interaction that another process answers first is theirs from the beginning. Any stage becomes lost as soon as
// Discord no longer knows the interaction.
type reply struct {
	a        *Adapter
	i        *interaction
	at       time.Time // when it came
	late     bool      // it was sent again after an outage
	timer    *time.Timer
	answered func()        // called once the answer is given; then others may be told
	told     chan struct{} // closed when the first answer has told everyone something

	mu      sync.Mutex
	stage   stage
	opening string          // the part of an entry that is the first answer, once it is opened
	said    map[string]bool // the parts that everyone has been told
	behind  int             // messages that followed the first answer
	last    string          // the last of those to the asker, "" for the first answer
}

// stage is how far the answering of an interaction has got.
type stage int

const (
	unanswered stage = iota
	promised         // to the asker, by the first answer
	replied          // the asker has the first answer, or what was promised
	opened           // the first answer told everyone something
	theirs           // another process gives the first answer
	lost             // nothing can be said any more
)

func newReply(a *Adapter, i *interaction, at time.Time) *reply {
	return &reply{a: a, i: i, at: at, told: make(chan struct{}), said: map[string]bool{}}
}

// hurry promises an answer after a while.
func (q *reply) hurry(ctx context.Context) {
	patience := q.a.pace.ack
	if begun := q.a.opened.Load(); begun != nil && q.at.Sub(*begun) < late {
		patience /= 4 // it may have waited for the connection
	}
	q.timer = time.AfterFunc(patience, func() { q.promiseNow(ctx) })
}

// promiseNow promises an answer, unless one was given or promised.
func (q *reply) promiseNow(ctx context.Context) {
	defer q.a.rescue(ctx, "promise")
	q.mu.Lock()
	defer q.mu.Unlock()
	q.promise(ctx)
}

// promise is promiseNow; the caller holds the lock.
func (q *reply) promise(ctx context.Context) {
	switch {
	case q.stage != unanswered:
	case q.pressed():
		q.first(ctx, promised, discordgo.InteractionResponseDeferredMessageUpdate, nil, &post{})
	default:
		alone := map[string]discordgo.MessageFlags{"flags": discordgo.MessageFlagsEphemeral}
		q.first(ctx, promised, discordgo.InteractionResponseDeferredChannelMessageWithSource, alone, &post{})
	}
}

// pressed reports whether it is a press of a button, or a form that one opened.
func (q *reply) pressed() bool { return q.i.Type != discordgo.InteractionApplicationCommand }

// alone reports whether the pressed button's message is visible to the asker alone.
func (q *reply) alone() bool {
	return q.pressed() && q.i.Message != nil && q.i.Message.Flags&discordgo.MessageFlagsEphemeral != 0
}

// answer gives all answers: to the asker alone, unless they are to be shown to everyone.
func (q *reply) answer(ctx context.Context, notes []message.Message, shown bool) {
	shown = shown && slices.ContainsFunc(notes, func(n message.Message) bool { return n.Shows() })
	if shown || slices.ContainsFunc(notes, func(n message.Message) bool { return n.Replay != nil }) { // which takes long
		q.promiseNow(ctx)
	}
	drafts, inPlace := q.drafts(ctx, notes)
	q.timer.Stop()
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.i.away() {
		defer q.a.post.Back(address(q.i.ChannelID))
	}
	if len(drafts) == 0 {
		q.tidy(ctx)
	}
	for i, p := range drafts {
		if !shown {
			p.Flags |= discordgo.MessageFlagsEphemeral
		}
		q.say(ctx, &p, i == inPlace)
	}
	q.promise(ctx)
	if q.stage != promised {
		return
	}
	q.stage = replied
	if !q.pressed() || shown || q.alone() && len(drafts) == 0 { // leave the asker nothing to dismiss
		q.answered()
		q.tell(ctx, http.MethodDelete, q.hook()+"/messages/@original", nil, &post{})
	}
}

// answerSoon replaces the answer with the promised one, if that is ready while the answer can still be edited.
func (q *reply) answerSoon(ready func(context.Context) (*message.Message, error)) {
	ctx, end := context.WithDeadline(q.a.running, q.at.Add(open))
	defer end()
	defer q.a.rescue(ctx, "answer")
	n, err := ready(ctx)
	if n == nil || err != nil {
		q.a.failed(ctx, slog.LevelInfo, "what was promised is not ready", err)
		return
	}
	drafts, _ := q.drafts(ctx, []message.Message{*n})
	q.mu.Lock()
	defer q.mu.Unlock()
	p := &drafts[len(drafts)-1]
	p.Edits = true
	q.tell(ctx, http.MethodPatch, q.hook()+"/messages/"+cmp.Or(q.last, "@original"), &p.payload, p)
}

// drafts are the messages of an answer, and which of them takes the place of the one pressed; -1 for none.
// An answer that only says that all went well is left out where everyone hears of it; so is any to a No
// that somebody presses below a question that they alone see.
func (q *reply) drafts(ctx context.Context, notes []message.Message) (drafts []post, inPlace int) {
	commands, _ := phrase.Match(q.i.Locale) // as their client lists them, even if the bot speaks another language
	verb := message.VerbOf(q.i.Data.CustomID)
	inPlace = -1
	if q.alone() && slices.Contains([]string{"resign-no", "abort-no", "draw-no"}, verb) && len(notes) == 1 && len(notes[0].Buttons) == 0 {
		return nil, inPlace
	}
	for i, n := range notes {
		if n.Ack {
			where := q.elsewhere(ctx, n)
			if where == nil && q.heard() {
				continue
			}
			if where != nil {
				n.Text = where
			}
		}
		answersQuestion := strings.HasSuffix(verb, "-yes") || strings.HasSuffix(verb, "-no")
		if i == 0 && q.alone() && (n.Step || n.Ack || answersQuestion) {
			inPlace = len(drafts)
		}
		laid := inPlace == len(drafts) && q.i.Message.Flags&discordgo.MessageFlagsIsComponentsV2 != 0 // which cannot become plain again
		made, err := q.a.drafts(ctx, n, commands, laid)
		if err != nil {
			q.a.log.ErrorContext(ctx, "discord: answer not made", "err", err)
			made = []post{plainPost(say("went-wrong"), n.Language)}
		}
		if laid && made[0].Layout == nil {
			inPlace = -1
		}
		drafts = append(drafts, made...)
	}
	return drafts, inPlace
}

// elsewhere says in which channel the outcome is seen; nothing if that is the channel of the interaction,
// or if the challenge above the button tells it.
func (q *reply) elsewhere(ctx context.Context, n message.Message) words.Text {
	where := q.a.roomOf(ctx, q.i.ChannelID)
	below := q.pressed() && !q.alone() && slices.Contains([]string{"join", "turn-down", "call-off"}, message.VerbOf(q.i.Data.CustomID))
	if n.About == 0 || n.About == where.game || below {
		return nil
	}
	home, _, err := q.a.bot.Users.Home(ctx, n.About)
	if err != nil || home.Address.Platform != Platform || !home.Gone.IsZero() {
		return nil // it is no game yet, or none of Discord's
	}
	game, at := n.About, home.Address.ID
	if home.Server == 0 { // each of the players has a private chat of their own
		if at, err = q.a.privately(ctx, q.i.User.ID); err != nil {
			return nil
		}
	}
	if c, err := q.a.bot.Match.ChallengeOf(ctx, game); err == nil && c.After != 0 {
		game = c.After // it is played in that game's thread
	} else if err != nil && at != q.i.ChannelID && home.Server != 0 {
		const soon = 50 * time.Millisecond // a new game is about to get a thread, or a note that it has none
		for wait := q.a.pace.told; wait > 0 && q.a.state.Get(ctx, threadKey(at, game)) == ""; wait -= soon {
			q.answered() // others need not wait for that
			if adapter.Pause(ctx, soon) != nil {
				break
			}
		}
	}
	at = cmp.Or(q.a.threadOf(ctx, at, game), at)
	if at == q.i.ChannelID || where.game == game {
		return nil
	}
	return say("done-in", "channel", channelNamed(at)).In(n.Language)
}

// say gives one answer: as the first, as the one that was promised, or after that.
func (q *reply) say(ctx context.Context, p *post, inPlace bool) {
	p.Edits = inPlace
	switch {
	case q.stage == unanswered:
		how := words.Either(inPlace, discordgo.InteractionResponseUpdateMessage, discordgo.InteractionResponseChannelMessageWithSource)
		q.first(ctx, replied, how, &p.payload, p)
	case q.stage == promised && (inPlace || !q.pressed()):
		q.stage = replied
		p.Flags &^= discordgo.MessageFlagsEphemeral // cannot be changed
		q.tell(ctx, http.MethodPatch, q.hook()+"/messages/@original", &p.payload, p)
	default:
		q.tell(ctx, http.MethodPost, q.hook(), &p.payload, p)
	}
}

func (q *reply) hook() string { return "webhooks/" + q.i.ApplicationID + "/" + q.i.Token }

func (q *reply) callback() string { return "interactions/" + q.i.ID + "/" + q.i.Token + "/callback" }

// first gives the first answer.
func (q *reply) first(ctx context.Context, becomes stage, kind discordgo.InteractionResponseType, data any, p *post) {
	body := map[string]any{"type": kind}
	if data != nil {
		body["data"] = data
	}
	if q.stage != lost {
		q.stage = becomes
	}
	q.tell(ctx, http.MethodPost, q.callback(), body, p)
}

// tell makes a request about an interaction, unless that is lost.
func (q *reply) tell(ctx context.Context, method, path string, body any, p *post) {
	if q.stage == lost {
		return
	}
	err := q.send(ctx, method, path, body, p)
	if q.a.flattens(ctx, p, err) {
		err = q.send(ctx, method, path, body, p)
	}
	known := q.late || code(err) == discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged // another process answered before
	if status(err) == http.StatusNotFound {
		q.stage = lost
	}
	q.a.failed(ctx, words.Either(known, slog.LevelDebug, slog.LevelWarn), "interaction not answered", err)
}

// send makes a request about an interaction, and retries soon if that may help. The first answer is tried for as long
// as Discord waits for it; each try is short, so that a hanging connection leaves time for another.
func (q *reply) send(ctx context.Context, method, path string, body any, p *post) error {
	const short = 10 * time.Second
	asking := adapter.Retry{First: q.a.pace.retry / 8, Tries: 6, Pause: adapter.Pause, Verdict: func(err error) error {
		if wait := held(err); wait != nil && wait.After >= short {
			return &outbox.Never{Err: err}
		}
		return refusedForGood(err)
	}}
	left := func() time.Duration { return q.a.pace.answer - time.Since(q.at) }
	first, tried := path == q.callback(), false
	if first {
		asking.Tries, asking.Pause = 0, func(ctx context.Context, wait time.Duration) error {
			if left() <= wait {
				return errLate
			}
			return adapter.Pause(ctx, wait)
		}
	}
	return asking.Do(ctx, func() error {
		trying := ctx
		if first {
			const least = 500 * time.Millisecond // Discord's clock may differ
			var cancel context.CancelFunc
			trying, cancel = context.WithTimeout(ctx, min(q.a.pace.first, max(left(), least)))
			defer cancel()
		}
		var made struct{ ID string }
		err := q.a.call(trying, method, path, body, &made, p.files...)
		if path == q.hook() {
			q.last = made.ID
		}
		if tried && code(err) == discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged {
			return nil // the previous try got through
		}
		tried = true
		return err
	})
}

// errLate is returned if a first answer could not be given in time.
var errLate = errors.New("discord: it was not answered in time")

// Where the bot is not a member, as in a private chat of two people if only one has the application, it can only answer
// interactions: each is a reply channel for a quarter of an hour. Entries for such a room go through the newest
// interaction there, as its first answer if possible, since Discord accepts that only once, however often it is sent.
// Between interactions, people are told privately, if Discord allows that.
//
// So a move there costs three commits instead of two: between storing and announcing it, the bot notes which
// interaction it goes through. The move's own commit is too early for that: only later is it known whether the asker
// has been promised an answer, which would be the first, and whether something else has to be said before.

// replyChannels are the interactions through which something can be said where the bot is not.
type replyChannels struct {
	newest *lru.Cache[string, *reply] // by channel
	tokens *lru.Cache[string, string] // of interactions there, by their ids
	speaks atomic.Bool                // this process sends the messages waiting for Discord
}

// open is how long an interaction can be answered: slightly less than Discord allows.
const open = 14 * time.Minute

// maxBehind is how many more messages may follow the first answer where only a person has installed the application.
const maxBehind = 5

// Prefixes of the keys stored about rooms.
const (
	keyAway     = "away/"  // the bot is not a member there
	keyHandOver = "knock/" // an interaction whose token is handed to the process that sends the room's messages
	keyReply    = "door/"  // the part of an entry that is being said, and the interaction whose first answer it is, in case the program ends
)

// noted is an interaction as it is stored.
func (q *reply) noted() string { return fmt.Sprint(q.i.ID, " ", q.i.Token, " ", q.at.Unix()) }

// handOver makes an interaction the reply channel of its room if the bot is not a member there, unless another process
// may have answered it: then nobody knows whether its first answer is still open.
func (a *Adapter) handOver(ctx context.Context, q *reply, again bool) {
	room := q.i.ChannelID
	if away := q.i.away(); away && !again {
		a.newest.Add(room, q)
		a.tokens.Add(q.i.ID, q.i.Token)
		known := map[string]string{keyAway + room: "yes"}
		if !a.speaks.Load() {
			known[keyHandOver+room] = q.noted()
		}
		a.state.SetAll(ctx, known)
	} else if !away && a.state.Get(ctx, keyAway+room) != "" {
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

// wait gives everyone a little time to be told of what an interaction did; that is then its answer.
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

// heard reports whether the first answer has told everyone, or will.
func (q *reply) heard() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return !q.i.away() || q.stage == opened || q.stage == promised
}

// tidy deletes the message whose button was pressed, if only the asker sees it.
func (q *reply) tidy(ctx context.Context) {
	if !q.i.away() || q.stage != opened || !q.alone() || q.i.Message.Made == nil {
		return
	}
	if token, ok := q.a.tokens.Get(q.i.Message.Made.ID); ok {
		q.tell(ctx, http.MethodDelete, "webhooks/"+q.i.ApplicationID+"/"+token+"/messages/@original", nil, &post{})
	}
}

// errShut is returned where no interaction can carry more.
var errShut = errors.New("discord: nobody there has asked for anything in the last quarter of an hour")

// sendAway says something in a room where the bot is not a member.
func (a *Adapter) sendAway(ctx context.Context, d bot.Delivery) (outbox.Receipt, error) {
	channel, entry := d.Place.Address.ID, strconv.FormatUint(d.Entry.ID, 36)
	drafts, err := a.drafts(ctx, d.Note, d.Note.Language, false)
	if err != nil {
		return nil, err
	}
	q := a.replyIn(ctx, channel, entry)
	if q == nil {
		err = errShut
	}
	for i := 0; err == nil && i < len(drafts); i++ {
		err = q.sendToAll(ctx, channel, fmt.Sprint(entry, ".", i), &drafts[i])
	}
	switch {
	case errors.Is(err, errShut):
		if err := a.greet(ctx, d); err != nil {
			return nil, a.verdict(err)
		}
		return nil, fmt.Errorf("%w: %w", outbox.ErrAway, errShut)
	case err != nil:
		return nil, a.verdict(err)
	}
	return outbox.Receipt{keyReply + channel: nil}, nil
}

// sendToAll says a part of an entry to everyone: as the first answer to the interaction, or after it. It returns
// errShut if it is too late. Having given the first answer before is no error.
func (q *reply) sendToAll(ctx context.Context, channel, part string, p *post) (err error) {
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

// greet writes to everyone in a game whose news has to wait, except those who already have a private chat with the bot
// or take no messages from it.
func (a *Adapter) greet(ctx context.Context, d bot.Delivery) error {
	people, err := a.bot.Users.Concerned(ctx, d.Entry.Game)
	if err != nil {
		return err
	}
	people = slices.DeleteFunc(people, func(who storage.Person) bool {
		account, _ := who.On(Platform)
		return who.Home != 0 || a.state.Get(ctx, keyShut+account) != ""
	})
	return a.tellPrivately(ctx, people, nonceOf("b", d), say("between"))
}
