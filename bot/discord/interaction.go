package discord

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/discord/gateway"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules/phrase"
)

// interaction takes a command, a press, or a request to complete a command.
func (a *Adapter) interaction(ctx context.Context, i *interaction, e gateway.Event) {
	if i.ChannelID == "" && i.Channel != nil {
		i.ChannelID = i.Channel.ID
	}
	if who := i.who(); who == nil || !areIDs(i.ID, i.ChannelID, cmp.Or(i.GuildID, "0"), who.ID) || i.Data == nil {
		e.Done() // it is from nobody, from nowhere or about nothing
		return
	}
	if len(i.Data.Values) > 0 {
		i.Data.CustomID = i.Data.Values[0] // a choice is a press
	}
	q := newReply(a, i, time.Now())
	made, _ := discordgo.SnowflakeTimestamp(i.ID) // it is a number
	// An id that seems older than any session tells no time.
	if age := q.at.Sub(made); e.Late && age > late && age < day {
		q.stage, q.late = lost, true // it was answered by another process, or nobody can answer it any more
		if !q.pressed() {
			q.stage = promised // or the other process has only promised an answer, which is given now
		}
	}
	switch i.Type {
	case discordgo.InteractionApplicationCommandAutocomplete:
		a.work.Add(i.ID, func() { a.complete(ctx, q) })
	case discordgo.InteractionApplicationCommand, discordgo.InteractionMessageComponent, discordgo.InteractionModalSubmit:
		if !opensForm(i) {
			q.hurry(ctx)
			a.take(i.ChannelID, e, func() { a.carryOut(ctx, q, e) })
			return
		}
		a.work.Add(i.ID, func() { a.open(ctx, q) })
	default: // the bot causes no others
	}
	e.Done() // nobody waits for it any more when it is told of again
}

// saidBy is an interaction as a message to the bot, without its text or press.
func (a *Adapter) saidBy(ctx context.Context, i *interaction) message.Incoming {
	where := a.roomOf(ctx, i.ChannelID)
	m := message.Incoming{
		ID: "i" + i.ID, Place: address(where.place), Server: address(i.GuildID), Private: i.GuildID == "" && !i.private(), Alone: true, Fills: true,
		From: person(i.who()), Spoken: i.GuildLocale, ReplyTo: where.game,
	}
	m.From.Locale = i.Locale
	if i.Channel != nil {
		if m.Within = address(i.Channel.ID); i.Channel.IsThread() {
			m.Within = address(i.Channel.ParentID)
		}
	}
	if i.Member != nil {
		m.Manager = manages(i.Member.Permissions)
	}
	if i.private() { // it is a group of its own, all of whom may choose for it
		m.Server, m.Group, m.Manager = m.Place, true, true
	}
	return m
}

// carryOut does what an interaction wants, and answers it.
func (a *Adapter) carryOut(ctx context.Context, q *reply, e gateway.Event) {
	ctx = bot.AsOfNow(ctx)
	q.answered = a.post.Answering()
	a.handOver(ctx, q, e.Again)
	said, shown := a.saidBy(ctx, q.i), false
	switch q.i.Type {
	case discordgo.InteractionModalSubmit:
		said.Text = filledIn(q.i)
	case discordgo.InteractionMessageComponent:
		press, err := a.state.Unpack(ctx, q.i.Data.CustomID)
		a.failed(ctx, slog.LevelError, "memory not read", err)
		if command, ok := strings.CutPrefix(press, verbEveryone); ok {
			said.Text, said.People, said.Public, said.Alone, shown = command, map[string]message.Account{}, true, false, true
			a.addNamed(ctx, command, said.People)
		} else {
			said.Press = press
		}
	default:
		said.Text, said.People = compose(q.i)
		a.addNamed(ctx, said.Text, said.People)
		a.findItself(said.People)
	}
	var notes []message.Message
	if fault := odd(q.i); fault != nil {
		notes = []message.Message{{Text: fault.In(a.bot.Language(ctx, said))}}
	} else {
		if !q.i.away() {
			a.readFrom(ctx, q.i.ChannelID, q.i.ID)
		}
		notes = warn(q.i, a.handle(ctx, said))
	}
	q.wait(ctx, notes)
	notes = withForms(notes)
	if forEveryone(q.i) {
		notes = withEveryone(said.Text, notes)
	}
	a.work.Add(q.i.ID, func() {
		defer done(ctx, e)
		defer q.answered()
		defer a.rescue(ctx, "answer")
		q.answer(ctx, notes, shown)
		a.bot.Metrics.Answer(Platform, q.at)
	})
}

// findItself marks the bot itself among those whom a command names.
func (a *Adapter) findItself(named map[string]message.Account) {
	me := a.me.Load()
	for word, p := range named {
		if me != nil && p.Address.ID == me.User {
			p.Self = true
			named[word] = p
		}
	}
}

// reply is an interaction on its way to an answer. Discord wants the first within three
// seconds; that is only a promise if the true one takes longer. Where the bot is not, the first can
// also be what everyone hears (reply.go).
//
//	unanswered ──> promised ──> replied
//	     │                         ^
//	     ├─────────────────────────┘
//	     └──> opened, by what everyone hears
//
// An interaction that another process answers first is theirs from the beginning. Any of these becomes
// lost as soon as Discord does not know the interaction any more.
type reply struct {
	a        *Adapter
	i        *interaction
	at       time.Time // when it came
	late     bool      // it is told of after an outage
	timer    *time.Timer
	answered func()        // called once the answer is given; then others may hear of it
	told     chan struct{} // closed when everyone has heard something by the first answer

	mu      sync.Mutex
	stage   stage
	opening string          // the part of an entry that is the first answer, once it is opened
	said    map[string]bool // what everyone has been told
	behind  int             // messages that followed the first answer
}

// stage is how far an interaction is answered.
type stage int

const (
	unanswered stage = iota
	promised         // to the asker, by the first answer
	replied          // the asker has the first answer, or what was promised
	opened           // everyone hears something by the first answer
	theirs           // another process gives the first answer
	lost             // nothing can be said any more
)

func newReply(a *Adapter, i *interaction, at time.Time) *reply {
	return &reply{a: a, i: i, at: at, told: make(chan struct{}), said: map[string]bool{}}
}

// late is the age up to which an interaction that comes after an outage can still be answered.
const late = 3 * time.Second

// hurry promises an answer after a while.
func (q *reply) hurry(ctx context.Context) {
	patience := q.a.pace.ack
	if begun := q.a.opened.Load(); begun != nil && q.at.Sub(*begun) < late {
		patience /= 4 // it may have waited for the connection
	}
	q.timer = time.AfterFunc(patience, func() {
		defer q.a.rescue(ctx, "promise")
		q.promiseNow(ctx)
	})
}

// promiseNow promises an answer, unless there has been a first one.
func (q *reply) promiseNow(ctx context.Context) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.promise(ctx)
}

// promise is promiseNow; the caller holds the lock.
func (q *reply) promise(ctx context.Context) {
	if q.stage != unanswered {
		return
	}
	var data any
	kind := discordgo.InteractionResponseDeferredMessageUpdate
	if !q.pressed() {
		kind, data = discordgo.InteractionResponseDeferredChannelMessageWithSource, map[string]discordgo.MessageFlags{"flags": discordgo.MessageFlagsEphemeral}
	}
	q.first(ctx, promised, kind, data, post{})
}

// pressed reports whether a button was pressed, or a form filled in that one has opened.
func (q *reply) pressed() bool { return q.i.Type != discordgo.InteractionApplicationCommand }

// alone reports whether the button was pressed on a message that the asker alone sees.
func (q *reply) alone() bool {
	return q.pressed() && q.i.Message != nil && q.i.Message.Flags&discordgo.MessageFlagsEphemeral != 0
}

// answer gives all answers: to the asker alone, unless they are to be shown to everyone.
func (q *reply) answer(ctx context.Context, notes []message.Message, shown bool) {
	commands, _ := phrase.Match(q.i.Locale) // as their client lists them, even if the bot speaks another language
	var drafts []post
	inPlace := -1 // the draft that takes the place of the message pressed
	shown = shown && slices.ContainsFunc(notes, func(n message.Message) bool { return shows(&n) })
	if shown || slices.ContainsFunc(notes, func(n message.Message) bool { return n.Replay != nil }) { // which takes long
		q.promiseNow(ctx)
	}
	if q.letsBe() && len(notes) == 1 && len(notes[0].Buttons) == 0 {
		notes = nil
	}
	for i, n := range notes {
		if n.Ack {
			where := q.elsewhere(ctx, n)
			if where == nil && q.heard() {
				continue // everyone hears of it
			}
			if where != nil {
				n.Text = where
			}
		}
		if i == 0 && q.alone() && (n.Step || n.Ack || answersQuestion(q.i.Data.CustomID)) {
			inPlace = len(drafts)
		}
		made, err := q.a.drafts(ctx, n, commands)
		if err != nil {
			q.a.log.ErrorContext(ctx, "discord: answer not made", "err", err)
			made = []post{plainPost(say("went-wrong"), n.Language)}
		}
		drafts = append(drafts, made...)
	}
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
		q.say(ctx, p, i == inPlace)
	}
	q.promise(ctx)
	if q.stage != promised {
		return
	}
	q.stage = replied
	if !q.pressed() || shown || q.alone() && len(drafts) == 0 { // so that the asker has nothing to dismiss
		q.answered()
		q.send(ctx, http.MethodDelete, q.hook()+"/messages/@original", nil, post{})
	}
}

// elsewhere says in which channel the outcome is seen; nothing if that is the channel of the interaction,
// or if the challenge above the button tells it.
func (q *reply) elsewhere(ctx context.Context, n message.Message) words.Text {
	where := q.a.roomOf(ctx, q.i.ChannelID)
	if n.About == 0 || n.About == where.game || q.pressed() && !q.alone() && answersChallenge(q.i.Data.CustomID) {
		return nil
	}
	home, _, err := q.a.bot.Users.Home(ctx, n.About)
	if err != nil || home.Address.Platform != Platform || !home.Gone.IsZero() {
		return nil // it is no game yet, or none of Discord's
	}
	game, at := n.About, home.Address.ID
	switch c, err := q.a.bot.Match.ChallengeOf(ctx, game); {
	case err == nil && c.After != 0:
		game = c.After // in whose thread it is
	case err != nil && at != q.i.ChannelID && home.Server != 0:
		q.awaitThread(ctx, threadKey(at, game))
	}
	at = cmp.Or(q.a.threadOf(ctx, at, game), at)
	if at == q.i.ChannelID || where.game == game {
		return nil
	}
	return say("done-in", "channel", channelNamed(at)).In(n.Language)
}

// awaitThread waits a little for the note under a key whether a game has a thread: a game that has just
// begun is about to get one.
func (q *reply) awaitThread(ctx context.Context, key string) {
	const soon = 50 * time.Millisecond
	for wait := q.a.pace.told; wait > 0 && q.a.state.Get(ctx, key) == ""; wait -= soon {
		q.answered() // others need not wait for that
		if adapter.Pause(ctx, soon) != nil {
			return
		}
	}
}

// answersChallenge reports whether a press answers the challenge that it stands below.
func answersChallenge(press string) bool {
	return slices.Contains([]string{"join", "turn-down", "call-off"}, verbOf(press))
}

// letsBe reports whether a press says No to a question that the asker alone sees: the question goes, and
// nothing is said.
func (q *reply) letsBe() bool {
	return q.alone() && slices.Contains([]string{"resign-no", "abort-no", "draw-no"}, verbOf(q.i.Data.CustomID))
}

// answersQuestion reports whether a press answers the question that it stands below.
func answersQuestion(press string) bool {
	verb := verbOf(press)
	return strings.HasSuffix(verb, "-yes") || strings.HasSuffix(verb, "-no")
}

// say gives one answer: as the first, as the one that was promised, or after that.
func (q *reply) say(ctx context.Context, p post, inPlace bool) {
	switch {
	case q.stage == unanswered && inPlace:
		q.first(ctx, replied, discordgo.InteractionResponseUpdateMessage, p.payload, p)
	case q.stage == unanswered:
		q.first(ctx, replied, discordgo.InteractionResponseChannelMessageWithSource, p.payload, p)
	case q.stage == promised && (inPlace || !q.pressed()):
		q.stage = replied
		q.send(ctx, http.MethodPatch, q.hook()+"/messages/@original", p.edit(), p)
	default:
		q.send(ctx, http.MethodPost, q.hook(), p.payload, p)
	}
}

func (q *reply) hook() string { return "webhooks/" + q.i.ApplicationID + "/" + q.i.Token }

// first gives the first answer.
func (q *reply) first(ctx context.Context, becomes stage, kind discordgo.InteractionResponseType, data any, p post) {
	body := map[string]any{"type": kind}
	if data != nil {
		body["data"] = data
	}
	if q.stage != lost {
		q.stage = becomes
	}
	q.send(ctx, http.MethodPost, "interactions/"+q.i.ID+"/"+q.i.Token+"/callback", body, p)
}

// send sends an answer, and tries again soon if that may help. The first answer is tried for as long as
// Discord waits for it.
func (q *reply) send(ctx context.Context, method, path string, body any, p post) {
	const tries = 6
	first := strings.HasPrefix(path, "interactions/")
	for try := 0; q.stage != lost; try++ {
		err := q.try(ctx, method, path, body, p, first)
		switch {
		case err == nil:
			return
		case status(err) == http.StatusNotFound:
			q.stage = lost
		case code(err) == discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged && try > 0:
			return // the try before has come through
		}
		pauseFor := q.a.pace.retry << min(try, tries) / 8
		again := status(err) == 0 || status(err) >= http.StatusInternalServerError
		if wait := held(err); wait != nil {
			const short = 10 * time.Second
			again, pauseFor = wait.After < short, wait.After
		}
		if first {
			again = again && q.left() > pauseFor
		} else {
			again = again && try+1 < tries
		}
		if !again || adapter.Pause(ctx, pauseFor) != nil {
			level := slog.LevelWarn
			if q.late || code(err) == discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged { // by a process that heard of it before
				level = slog.LevelDebug
			}
			q.a.failed(ctx, level, "interaction not answered", err)
			return
		}
	}
}

// left is how long Discord still waits for the first answer.
func (q *reply) left() time.Duration { return q.a.pace.answer - time.Since(q.at) }

// try makes a request about an interaction. The first answer gets little time, so that a connection that
// hangs leaves enough for another try.
func (q *reply) try(ctx context.Context, method, path string, body any, p post, first bool) error {
	if first {
		var cancel context.CancelFunc
		const least = 500 * time.Millisecond // Discord's clock may differ
		ctx, cancel = context.WithTimeout(ctx, min(q.a.pace.first, max(q.left(), least)))
		defer cancel()
	}
	return q.a.call(ctx, method, path, body, nil, p.newFiles()...)
}
