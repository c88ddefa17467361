package telegram

import (
	"context"
	"time"

	"github.com/go-telegram/bot/models"
)

// stale is how long an answer waits at most; later, nobody wants it any more.
const stale = 10 * time.Minute

// grace is how long answers may take to their end once the program ends.
const grace = 3 * time.Second

// answer answers an update. It returns the rest of the answer, which waits for what else is to be said in
// the chat, or nil.
type answer func(context.Context) (rest answer)

// whole is an answer without a rest.
func whole(say func(context.Context)) answer {
	return func(ctx context.Context) answer {
		say(ctx)
		return nil
	}
}

// receive takes an update, which is handled after those of its chat that came before; false if it has to
// come again. It is handled even while the program ends. done is called once it was handled, and either
// answered or kept. An update that comes again is not answered again.
func (a *Adapter) receive(u *models.Update, done func()) bool {
	d := newDebt(u, debtUnpaid, done)
	if before, owed := a.debts.LoadOrStore(u.ID, d); owed {
		before := before.(*debt)
		before.mu.Lock()
		defer before.mu.Unlock()
		if before.state == debtKept {
			done()
		}
		return before.state == debtKept
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

// take queues an update to be handled, and answered in the queue of its chat; false if no more are taken.
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
		prompt := time.Second / 4
		if a.poller.full.Load() {
			prompt = time.Second / 50
		}
		time.AfterFunc(prompt, func() { a.keep(d) }) // it must not hold up other people's updates
		queue := d.chat
		if d.update.CallbackQuery != nil || d.update.InlineQuery != nil {
			queue += " button" // somebody looks at it until it is answered
		}
		a.owe(d, queue, func(ctx context.Context) answer {
			defer a.bot.Metrics.Answer(Platform, d.came)
			return say(ctx)
		})
	})
}

// owe queues an answer, and its rest in the queue of its chat.
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

// later queues something to be said; false if nothing more is said.
func (a *Adapter) later(queue string, say func(context.Context)) bool {
	return a.answers.Add(queue, func() {
		defer a.rescue(a.talking, "saying", 0)
		say(a.talking)
	})
}

func chatOfUpdate(u *models.Update) int64 {
	switch {
	case u.Message != nil:
		return u.Message.Chat.ID
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
