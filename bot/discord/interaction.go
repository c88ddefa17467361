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
	"chimera/bot/adapt"
	"chimera/bot/discord/draft"
	"chimera/bot/discord/gateway"
)

// interaction takes in a command, a press or a question how a command can go on.
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
	switch i.Type {
	case discordgo.InteractionApplicationCommandAutocomplete:
		q := &asked{a: a, i: i, at: time.Now()}
		a.work.Add(i.ID, func() { a.complete(ctx, q) })
		e.Done() // nobody waits for it any more when it is told of again
	case discordgo.InteractionApplicationCommand, discordgo.InteractionMessageComponent, discordgo.InteractionModalSubmit:
		if opensForm(i) {
			q := &asked{a: a, i: i, at: time.Now()}
			a.work.Add(i.ID, func() { a.open(ctx, q) })
			e.Done() // likewise
			return
		}
		q := a.ask(ctx, i)
		a.take(i.ChannelID, e, func() { a.carryOut(ctx, q, e) })
	default: // nothing of the bot's brings others about
		e.Done()
	}
}

// saidBy is an interaction as a message to the bot, without what is wanted.
func (a *Adapter) saidBy(ctx context.Context, i *interaction) bot.Message {
	where := a.roomOf(ctx, i.ChannelID)
	m := bot.Message{
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
func (a *Adapter) carryOut(ctx context.Context, q *asked, e gateway.Event) {
	ctx = bot.AsOfNow(ctx)
	q.answered = a.post.Answering()
	a.knock(ctx, q, e.Again)
	said := a.saidBy(ctx, q.i)
	switch q.i.Type {
	case discordgo.InteractionModalSubmit:
		said.Text = filledIn(q.i)
	case discordgo.InteractionMessageComponent:
		press, err := a.memory.Unpack(ctx, q.i.Data.CustomID)
		a.failed(ctx, slog.LevelError, "memory not read", err)
		if command, ok := strings.CutPrefix(press, verbEveryone); ok {
			said.Text, said.People, said.Public, said.Alone, q.shown = command, map[string]bot.Person{}, true, false, true
			a.addNamed(ctx, command, said.People)
		} else {
			said.Press = press
		}
	default:
		said.Text, said.People = compose(q.i)
		a.addNamed(ctx, said.Text, said.People)
		a.findItself(said.People)
	}
	var notes []bot.Note
	if fault := odd(q.i); fault != nil {
		notes = []bot.Note{{Text: fault.In(a.bot.Language(ctx, said))}}
	} else {
		if !q.away {
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
		q.answer(ctx, notes)
		a.services.Metrics.Answer(Platform, q.at)
	})
}

// findItself marks who is the bot itself among those whom a form names.
func (a *Adapter) findItself(named map[string]bot.Person) {
	me := a.me.Load()
	for word, p := range named {
		if me != nil && p.Address.ID == me.User {
			p.Self = true
			named[word] = p
		}
	}
}

// asked is an interaction on its way to an answer. Discord wants the first within three
// seconds; that is only a promise if the true one takes longer.
type asked struct {
	a      *Adapter
	i      *interaction
	at     time.Time // when it came
	timer  *time.Timer
	shown  bool          // everyone shall see the answer
	away   bool          // the bot is not where it was done
	others bool          // another process gives the first answer
	told   chan struct{} // closed when everyone has heard something by the first answer

	answered func() // called when the answer is there, of which others will hear

	mu      sync.Mutex
	lost    bool            // Discord knows it no more
	begun   bool            // there has been a first answer
	promise bool            // it was a promise, which is not kept yet
	opening string          // what is told everyone by the first answer, "" if nothing
	said    map[string]bool // what everyone has been told
	behind  int             // how much of that followed the first answer
}

// late is how old an interaction may be at most when it is told of after an outage, and
// still be answered.
const late = 3 * time.Second

// ask begins the time that an interaction has.
func (a *Adapter) ask(ctx context.Context, i *interaction) *asked {
	q := &asked{a: a, i: i, at: time.Now(), told: make(chan struct{}), said: map[string]bool{}}
	patience := a.pace.ack
	if opened := a.opened.Load(); opened != nil && time.Since(*opened) < late {
		patience /= 4 // it may have waited for the connection
	}
	q.timer = time.AfterFunc(patience, func() {
		defer a.rescue(ctx, "promise")
		q.promiseNow(ctx)
	})
	return q
}

// promiseNow promises an answer, unless there has been a first one.
func (q *asked) promiseNow(ctx context.Context) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.begun {
		q.firstPromise(ctx)
	}
}

// firstPromise promises an answer; the owner has locked.
func (q *asked) firstPromise(ctx context.Context) {
	var data any
	kind := discordgo.InteractionResponseDeferredMessageUpdate
	if !q.pressed() {
		kind, data = discordgo.InteractionResponseDeferredChannelMessageWithSource, map[string]discordgo.MessageFlags{"flags": discordgo.MessageFlagsEphemeral}
	}
	q.first(ctx, kind, data, draft.Message{})
	q.promise = true
}

// pressed reports whether a button was pressed, or a form filled in that one has opened.
func (q *asked) pressed() bool { return q.i.Type != discordgo.InteractionApplicationCommand }

// alone reports whether the button was pressed on a message that the asker alone sees.
func (q *asked) alone() bool {
	return q.pressed() && q.i.Message != nil && q.i.Message.Flags&discordgo.MessageFlagsEphemeral != 0
}

// answer says all notes: to the asker alone, unless everyone shall see them.
func (q *asked) answer(ctx context.Context, notes []bot.Note) {
	var drafts []draft.Message
	inPlace := -1 // the draft that takes the place of the message pressed
	q.shown = q.shown && slices.ContainsFunc(notes, func(n bot.Note) bool { return shows(&n) })
	if q.shown || slices.ContainsFunc(notes, heavy) {
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
		made, err := q.a.drafts(ctx, n)
		if err != nil {
			q.a.log.ErrorContext(ctx, "discord: answer not made", "err", err)
			made = []draft.Message{draft.Words(say("went-wrong"), n.Language)}
		}
		drafts = append(drafts, made...)
	}
	q.timer.Stop()
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.away {
		defer q.a.post.Back(address(q.i.ChannelID))
	}
	if len(drafts) == 0 {
		q.tidy(ctx)
	}
	for i, p := range drafts {
		if !q.shown {
			p.Flags |= discordgo.MessageFlagsEphemeral
		}
		q.say(ctx, p, i == inPlace)
	}
	if !q.begun {
		q.firstPromise(ctx)
	}
	if q.promise && (!q.pressed() || q.shown || q.alone() && len(drafts) == 0) { // there is nothing to be shut by hand
		q.promise = false
		q.answered()
		q.send(ctx, http.MethodDelete, q.hook()+"/messages/@original", nil, draft.Message{})
	}
}

// elsewhere says in which channel that is seen which went well, nothing where it was asked for
// there, or below a challenge that says what becomes of it.
func (q *asked) elsewhere(ctx context.Context, n bot.Note) bot.Text {
	where := q.a.roomOf(ctx, q.i.ChannelID)
	if n.About == 0 || n.About == where.game || q.pressed() && !q.alone() && answersChallenge(q.i.Data.CustomID) {
		return nil
	}
	home, _, err := q.a.services.Places.Home(ctx, n.About)
	if err != nil || home.Address.Platform != Platform || !home.Gone.IsZero() {
		return nil // it is no game yet, or none of Discord's
	}
	game := n.About
	if c, err := q.a.services.Challenges.ChallengeOf(ctx, game); err == nil && c.After != 0 {
		game = c.After // in whose thread it is
	}
	at := home.Address.ID
	at = cmp.Or(q.a.threadOf(ctx, at, game), at)
	if at == q.i.ChannelID || where.game == game {
		return nil
	}
	return say("done-in", "channel", channelNamed(at)).In(n.Language)
}

// answersChallenge reports whether a press answers the challenge that it stands below.
func answersChallenge(press string) bool {
	return slices.Contains([]string{"join", "turn-down", "call-off"}, draft.Verb(press))
}

// letsBe reports whether a press takes back what was asked, on a question that its reader alone
// sees: it goes, and nothing is said.
func (q *asked) letsBe() bool {
	return q.alone() && slices.Contains([]string{"resign-no", "abort-no", "draw-no"}, draft.Verb(q.i.Data.CustomID))
}

// heavy reports whether a note takes long to be made and sent.
func heavy(n bot.Note) bool { return n.Replay != nil }

// answersQuestion reports whether a press answers the question that it stands below.
func answersQuestion(press string) bool {
	verb := draft.Verb(press)
	return strings.HasSuffix(verb, "-yes") || strings.HasSuffix(verb, "-no")
}

// say says one thing: as the first answer, where that was promised, or after it.
func (q *asked) say(ctx context.Context, p draft.Message, inPlace bool) {
	switch {
	case !q.begun && inPlace:
		q.first(ctx, discordgo.InteractionResponseUpdateMessage, p.Post, p)
	case !q.begun:
		q.first(ctx, discordgo.InteractionResponseChannelMessageWithSource, p.Post, p)
	case q.promise && (inPlace || !q.pressed()):
		q.promise = false
		q.send(ctx, http.MethodPatch, q.hook()+"/messages/@original", p.Edit(), p)
	default:
		q.send(ctx, http.MethodPost, q.hook(), p.Post, p)
	}
}

func (q *asked) hook() string { return "webhooks/" + q.i.ApplicationID + "/" + q.i.Token }

func (q *asked) first(ctx context.Context, kind discordgo.InteractionResponseType, data any, p draft.Message) {
	body := map[string]any{"type": kind}
	if data != nil {
		body["data"] = data
	}
	q.begun = true
	q.send(ctx, http.MethodPost, "interactions/"+q.i.ID+"/"+q.i.Token+"/callback", body, p)
}

// send sends an answer, and tries again soon where that may help: the first as long as
// Discord waits for it.
func (q *asked) send(ctx context.Context, method, path string, body any, p draft.Message) {
	const tries = 6
	first := strings.HasPrefix(path, "interactions/")
	for try := 0; !q.lost; try++ {
		err := q.try(ctx, method, path, body, p, first)
		q.lost = status(err) == http.StatusNotFound
		switch {
		case err == nil:
			return
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
		if !again || adapt.Pause(ctx, pauseFor) != nil {
			q.a.log.WarnContext(ctx, "discord: interaction not answered", "err", q.a.clean(err))
			return
		}
	}
}

// left is how long Discord still waits for the first answer.
func (q *asked) left() time.Duration { return q.a.pace.answer - time.Since(q.at) }

// try makes a request about an interaction. The first answer has less time than others: a
// connection that hangs shall not take all of it.
func (q *asked) try(ctx context.Context, method, path string, body any, p draft.Message, first bool) error {
	if first {
		var cancel context.CancelFunc
		const least = 500 * time.Millisecond // the clock of Discord may be another
		ctx, cancel = context.WithTimeout(ctx, min(q.a.pace.first, max(q.left(), least)))
		defer cancel()
	}
	return q.a.call(ctx, method, path, body, nil, p.Files()...)
}
