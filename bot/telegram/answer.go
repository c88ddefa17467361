package telegram

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	library "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/bot/words"
	"chimera/storage"
)

// answer gives answers to a message: in private if they concern only its author.
func (a *Adapter) answer(ctx context.Context, said *message.Incoming, to *models.Message, notes []message.Message) {
	alone := !said.Private && bot.CommandIn(said).Whose == bot.AskerAlone
	for _, n := range notes {
		switch {
		case said.Alone && (n.Ack || a.whisper(ctx, whisper{to: to.From.ID, id: -to.ID}, said.Place, n, true) == nil):
		case said.Alone:
			_ = a.reply(ctx, address(to.From.ID, 0), 0, n) // it has been logged
		case n.Ack:
			mood := bot.Mood("")
			if n.Moved {
				mood = a.bot.Mood(ctx, n.About, n.To)
			}
			a.react(ctx, to, cmp.Or(feelings[mood], "👌"))
		case alone, n.Exercise != nil && !said.Private:
			if err := a.reply(ctx, address(to.From.ID, 0), 0, n); err == nil {
				a.react(ctx, to, "👌")
			} else if errors.Is(err, library.ErrorForbidden) {
				_ = a.reply(ctx, beside(to), to.ID, message.Message{Text: a.forYouAlone(said).In(a.bot.Language(ctx, *said))}) // it has been logged
			}
		default:
			_ = a.reply(ctx, beside(to), to.ID, n) // likewise
		}
	}
}

// reply gives an answer at once, within the limits of its place. An error has been logged.
func (a *Adapter) reply(ctx context.Context, place storage.Address, to int, n message.Message) error {
	s := &saying{receipt: outbox.Receipt{}}
	asking := adapter.Retry{First: time.Second / 2, Tries: 5, Pause: a.pause, Verdict: a.verdict}
	err := asking.Do(ctx, func() error {
		if err := a.another(ctx, place); err != nil {
			return err
		}
		err := a.say(ctx, s, place, to, 0, n)
		place, _ = a.moved(ctx, place, err)
		a.heed(place, err)
		return err
	})
	if err == nil {
		a.state.PutAllSoon(s.receipt)
	} else if ctx.Err() == nil {
		a.failed(ctx, slog.LevelWarn, "not answered", err)
	}
	return err
}

// react marks a message as carried out, if everyone sees its outcome anyway.
func (a *Adapter) react(ctx context.Context, m *models.Message, emoji string) {
	_, err := a.library.SetMessageReaction(ctx, &library.SetMessageReactionParams{
		ChatID: m.Chat.ID, MessageID: m.ID,
		Reaction: []models.ReactionType{{
			Type: models.ReactionTypeTypeEmoji, ReactionTypeEmoji: &models.ReactionTypeEmoji{Type: models.ReactionTypeTypeEmoji, Emoji: emoji},
		}},
	})
	a.failed(ctx, slog.LevelDebug, "no reaction", err)
	a.heed(address(m.Chat.ID, topic(m)), err)
}

// answerPress answers a button: with a toast that only its presser sees, by a change of the message above it, or with a
// message, which waits for those before it.
func (a *Adapter) answerPress(ctx context.Context, q *models.CallbackQuery, pressed *message.Incoming, m *models.Message, notes []message.Message) (rest answer) {
	private, press := pressed.Private, pressed.Press
	if a.whispered(ctx, q, press, m, notes) {
		return nil
	}
	if pressed.Alone || !private && slices.ContainsFunc(notes, func(n message.Message) bool { return n.Alone }) {
		return a.answerAlone(ctx, q, pressed, notes)
	}
	toast, alert, said := "", false, false
	word := func(text string, loud bool) { toast, alert, said = cmp.Or(toast, text), alert || loud, true }
	var changes []func()
	change := func(what part, n message.Message) { changes = append(changes, func() { a.change(m, what, n) }) }
	var replies []message.Message
	for _, n := range notes {
		fits := !pictured(m) || adapter.Length(n.Text.Plain()) <= maxCaption
		text, page := bare(n.Text), turnsTable(press, m, n) || n.Step && n.Game() == 0 && !n.Pictured() && fits // another page of the message, which is about no game
		plain := !n.Pictured() && n.File == nil && len(n.Buttons) == 0
		enough, there := true, false
		redrawn := redraws(press, m, n)
		if !redrawn && (n.Back || page || n.Step && n.Chart == nil && n.Game() != 0) {
			enough, there = a.count(atOf(m), n.Buttons, n.Back || page)
		}
		switch {
		case !said && plain && concludes(q, press, m, n):
			word("", false)
			if n.Ack && !n.Settles { // there is nothing to say
				change(itsButtons, message.Message{})
			} else {
				change(itsText, n)
			}
		case n.Ack:
		case page:
			word("", false)
			if !there {
				change(wordsIn(m), n)
			}
		case redrawn:
			word("", false)
			change(itsPicture, n)
		case !enough:
			word(adapter.Clip(text, maxToast), false)
			if !there {
				change(itsButtons, n)
			}
		case !said && plain && n.Replay == nil && adapter.Length(text) <= maxToast:
			word(text, true)
		default:
			said = true
			replies = append(replies, n)
		}
	}
	a.toast(ctx, q.ID, toast, alert)
	for _, change := range changes {
		change()
	}
	if len(replies) == 0 {
		return nil
	}
	if !private {
		nameAsked(named(&q.From), replies)
	}
	return a.replies(beside(m), m.ID, replies)
}

// replies is an answer by messages, in reply to another unless that is 0.
func (a *Adapter) replies(place storage.Address, to int, notes []message.Message) answer {
	return whole(func(ctx context.Context) {
		for _, n := range notes {
			_ = a.reply(ctx, place, to, n) // it has been logged
		}
	})
}

// nameAsked names the only person who can answer a question that others see.
func nameAsked(name string, notes []message.Message) {
	for i, n := range notes {
		if len(n.Buttons) > 0 && strings.Contains(n.Buttons[0].Do, "-yes ") {
			notes[i].Text = slices.Concat(words.Text{{Words: name + ": "}}, n.Text)
		}
	}
}

// answerAlone answers a button of a group in private, and tells its presser so. If the bot cannot write to them, it
// leads them to their private chat, with what they want.
func (a *Adapter) answerAlone(ctx context.Context, q *models.CallbackQuery, pressed *message.Incoming, notes []message.Message) (rest answer) {
	if reached, err := a.reaches(ctx, q.From.ID); err != nil || !reached {
		a.lead(ctx, q.ID, bot.Wish(pressed))
		return nil
	}
	a.toast(ctx, q.ID, bare(say("refused.sent-alone").In(notes[0].Language)), false)
	return a.replies(address(q.From.ID, 0), 0, notes)
}

// pictured reports whether a message shows a picture or an animation.
func pictured(m *models.Message) bool { return len(m.Photo) > 0 || m.Animation != nil }

// redraws reports whether a note is a picture that replaces the one above the button: the board turned
// round, or the next step.
func redraws(press string, m *models.Message, n message.Message) bool {
	verb := message.VerbOf(press)
	flips := verb == "flip" || verb == "unflip"
	leadsOn := verb == "moment" || verb == "reviewed" || slices.ContainsFunc([]string{"lesson", "puzzle", "daily", "day-"}, func(begins string) bool { return strings.HasPrefix(verb, begins) })
	return n.Pictured() && pictured(m) && (flips || leadsOn && n.Step && m.Chat.Type == models.ChatTypePrivate)
}

// toast answers a button with a few words that disappear or, as an alert, have to be closed.
func (a *Adapter) toast(ctx context.Context, id, text string, alert bool) {
	a.answerButton(ctx, &library.AnswerCallbackQueryParams{CallbackQueryID: id, Text: text, ShowAlert: alert})
}

func (a *Adapter) answerButton(ctx context.Context, params *library.AnswerCallbackQueryParams) {
	a.failed(ctx, slog.LevelDebug, "button not answered", a.insist(ctx, asking(ctx, a.library.AnswerCallbackQuery, params)))
}

const (
	// stale is how long an answer waits at most: after that, nobody wants it any more.
	stale = 10 * time.Minute

	// grace is how long answers may go on once the program ends.
	grace = 3 * time.Second

	// inbox begins the keys of kept updates.
	inbox = "inbox/"

	// How many answered updates are remembered, and for how long: Telegram repeats up to a hundred that were not
	// confirmed, and keeps them for a day.
	answeredKept = 512
	answeredTime = 25 * time.Hour
)

// answer answers an update. It returns the rest of the answer, to be queued behind other messages to the chat, or nil.
type answer func(context.Context) (rest answer)

// whole is an answer without a rest.
func whole(say func(context.Context)) answer {
	return func(ctx context.Context) answer {
		say(ctx)
		return nil
	}
}

// debt is an update that the bot owes an answer.
//
//	unpaid ───keep───> kept
//	   │                 │
//	  pay               pay
//	   └────> paid <─────┘
//
// While it is unpaid, Telegram keeps its update too, and sends it again if this program ends. When the answer has to
// wait, or the program ends before it was given, the debt is kept: the update is stored for the next program, and
// confirmed to Telegram. The debt is paid once the update was answered or needs no answer, and confirmed at the latest
// then. An update too big to be stored is confirmed when it should be kept, and stays unpaid.
type debt struct {
	update   *models.Update
	chat     string // in whose queue it is handled
	confirm  func()
	came     time.Time
	handled  time.Time
	answered func() // lets others be told

	mu         sync.Mutex
	kept, paid bool
}

// newDebt is a debt whose update is confirmed by calling done once.
func newDebt(u *models.Update, done func()) *debt {
	return &debt{update: u, chat: strconv.FormatInt(chatOfUpdate(u), 10), confirm: sync.OnceFunc(done), came: time.Now()}
}

func chatOfUpdate(u *models.Update) int64 {
	switch {
	case u.Message != nil:
		return cmp.Or(u.Message.MigrateToChatID, u.Message.Chat.ID) // its events follow those of this chat
	case u.CallbackQuery != nil && u.CallbackQuery.Message.Message != nil:
		return u.CallbackQuery.Message.Message.Chat.ID
	case u.CallbackQuery != nil:
		return u.CallbackQuery.From.ID
	case u.InlineQuery != nil && u.InlineQuery.From != nil:
		return u.InlineQuery.From.ID
	case u.MyChatMember != nil:
		return u.MyChatMember.Chat.ID
	}
	return 0
}

// receive takes an update, to be handled after earlier ones of its chat; false if it has to come again. It is handled
// even while the program ends. done is called once it was handled, and either answered or kept. An update that comes
// again is not answered again.
func (a *Adapter) receive(u *models.Update, done func()) bool {
	d := newDebt(u, done)
	if before, owed := a.debts.LoadOrStore(u.ID, d); owed {
		before := before.(*debt)
		before.mu.Lock()
		defer before.mu.Unlock()
		if before.kept {
			done()
		}
		return before.kept
	}
	if a.wasAnswered(u.ID) {
		a.debts.Delete(u.ID)
		done()
		return true
	}
	taken := a.take(d)
	if !taken {
		a.debts.Delete(u.ID)
	}
	return taken
}

// resume takes over the updates that an earlier program has kept.
func (a *Adapter) resume(ctx context.Context) error {
	names, err := a.state.Names(ctx, inbox)
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := a.state.Load(ctx, name)
		if err != nil {
			return err
		}
		var u models.Update
		if err := json.Unmarshal([]byte(text), &u); err != nil {
			a.log.ErrorContext(ctx, "telegram: kept update not read", "err", err)
			continue
		}
		d := newDebt(&u, func() {})
		d.kept = true
		a.debts.Store(u.ID, d)
		a.take(d)
	}
	return nil
}

// take queues an update, to be handled and then answered in the queue of its chat; false if no more are taken.
func (a *Adapter) take(d *debt) bool {
	return a.handling.Add(d.chat, func() {
		d.answered = a.post.Answering()
		say := a.update(context.WithoutCancel(a.running), d.update)
		if say == nil {
			d.answered()
			a.pay(d, false)
			return
		}
		d.handled = time.Now()
		// Unconfirmed, it would hold up other people's updates.
		time.AfterFunc(words.Either(a.poller.full.Load(), time.Second/50, time.Second/4), func() { a.keep(d) })
		queue := d.chat
		if d.update.CallbackQuery != nil || d.update.InlineQuery != nil {
			queue += " button" // somebody is looking at it until it is answered
		}
		a.owe(d, queue, func(ctx context.Context) answer {
			defer a.bot.Metrics.Answer(Platform, d.came)
			return say(ctx)
		})
	})
}

// owe queues an answer, and after it its rest in the queue of its chat.
func (a *Adapter) owe(d *debt, queue string, say answer) {
	taken := a.later(queue, func(ctx context.Context) {
		var rest answer
		defer func() {
			switch {
			case ctx.Err() != nil:
				a.log.InfoContext(ctx, "telegram: will be answered after a restart", "update", d.update.ID)
				a.keep(d)
			case rest != nil:
				a.owe(d, d.chat, rest)
			default:
				a.pay(d, true)
			}
		}()
		defer d.answered()
		if time.Since(d.handled) > stale {
			a.log.WarnContext(ctx, "telegram: not answered in time", "update", d.update.ID)
			return
		}
		rest = say(ctx)
	})
	if !taken {
		a.keep(d)
	}
}

// later queues something to be said; false if the queue is closed.
func (a *Adapter) later(queue string, say func(context.Context)) bool {
	return a.answers.Add(queue, func() {
		defer a.rescue(a.talking, "saying", 0)
		say(a.talking)
	})
}

// keep stores an unpaid debt for the next program, and confirms its update.
func (a *Adapter) keep(d *debt) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.kept && !d.paid {
		text, err := json.Marshal(d.update)
		d.kept = err == nil && len(text) <= storage.MaxState
		if d.kept {
			err = a.state.Put(context.WithoutCancel(a.running), inboxKey(d.update.ID), text)
		}
		if err != nil {
			d.kept = false
			if !errors.Is(err, storage.ErrNotSaved) { // the other error is logged once for all
				a.log.ErrorContext(a.running, "telegram: update not kept", "err", err)
			}
			return // it is confirmed only once it is answered
		}
	}
	d.confirm()
}

// pay ends a debt, and remembers that its update was answered, if it was.
func (a *Adapter) pay(d *debt, answered bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if answered {
		a.state.PutSoon(answeredKey(d.update.ID), fmt.Append(nil, d.update.ID, " ", time.Now().Unix()))
	}
	if d.kept {
		a.state.PutSoon(inboxKey(d.update.ID), nil)
	}
	d.kept, d.paid = false, true
	a.debts.Delete(d.update.ID)
	d.confirm()
}

func inboxKey(update int64) string { return fmt.Sprintf("%s%019d", inbox, update) }

func answeredKey(update int64) string {
	return fmt.Sprintf("answered/%03d", uint64(update)%answeredKept)
}

// wasAnswered reports whether an update was answered recently.
func (a *Adapter) wasAnswered(update int64) bool {
	var number, at int64
	_, _ = fmt.Sscan(a.state.Get(context.WithoutCancel(a.running), answeredKey(update)), &number, &at) // else they are 0
	return number == update && time.Since(time.Unix(at, 0)) < answeredTime
}

// asked is a text that still has to be answered. Repetitions in the meantime share one answer.
type asked struct {
	at     time.Time              // when it was written first
	newest atomic.Pointer[answer] // to the last repetition
}

// together is how to answer a message; nil if the pending answer to the same text will do.
func (a *Adapter) together(said *message.Incoming, say answer) answer {
	same := [...]string{said.Place.ID, said.From.Address.ID, fmt.Sprint(uint64(said.ReplyTo)), strings.ToLower(said.Text)}
	w := &asked{at: time.Now()}
	w.newest.Store(&say)
	if before, waits := a.asked.LoadOrStore(same, w); waits {
		if before := before.(*asked); w.at.Sub(before.at) <= stale { // otherwise that answer may never come
			before.newest.Store(&say)
			return nil
		}
		a.asked.Store(same, w)
	}
	return func(ctx context.Context) answer {
		defer a.asked.CompareAndDelete(same, w)
		return (*w.newest.Load())(ctx)
	}
}
