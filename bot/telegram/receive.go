package telegram

import (
	"context"
	"time"

	"github.com/go-telegram/bot/models"
)

// stale is how long answers wait at most: longer, and nobody wants them any more.
const stale = 10 * time.Minute

// grace is how long answers may take to their end once the program ends.
const grace = 3 * time.Second

// answer says something of an update, and returns what is to be said of it after what
// waits in its chat, or nil.
type answer func(context.Context) (rest answer)

// whole is an answer that leaves nothing to be said after it.
func whole(say func(context.Context)) answer {
	return func(ctx context.Context) answer {
		say(ctx)
		return nil
	}
}

// receive lets an update be handled after those of its chat that came before; false if it
// shall come again. What was received is handled even while the program ends; done is
// called when it was, and was answered too if that is soon, or else kept. What comes again
// is not answered again.
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

// take lets an update be handled, and answered in the lane of its chat; false if nothing is
// handled any more.
func (a *Adapter) take(d *debt) bool {
	return a.lanes.Add(d.chat, func() {
		d.answered = a.post.Answering()
		say := a.update(context.WithoutCancel(a.running), d.update)
		if say == nil {
			d.answered()
			a.pay(d, false)
			return
		}
		d.handled = time.Now()
		time.AfterFunc(a.poller.prompt(), func() { a.keep(d) })
		lane := d.chat
		if d.update.CallbackQuery != nil || d.update.InlineQuery != nil {
			lane += " button" // somebody looks at it until it was answered
		}
		a.owe(d, lane, func(ctx context.Context) answer {
			defer a.bot.Metrics.Answer(Platform, d.came)
			return say(ctx)
		})
	})
}

// owe lets an answer be said in a lane, and the rest of it in that of its chat.
func (a *Adapter) owe(d *debt, lane string, say answer) {
	taken := a.later(lane, func(ctx context.Context) {
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

// later says something after what is to be said in a lane before it; false if nothing is
// said any more.
func (a *Adapter) later(lane string, say func(context.Context)) bool {
	return a.said.Add(lane, func() {
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
