package telegram

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/go-telegram/bot/models"
)

// prompt is how long an update waits at most for its answer before it is confirmed: an
// answer that has to wait must not hold up everybody else.
const prompt = time.Second / 4

// stale is how long answers wait at most: longer, and nobody wants them any more.
const stale = 10 * time.Minute

// grace is how long answers may take to their end once the program ends.
const grace = 3 * time.Second

// receive lets an update be handled after those of its chat that came before. What was
// received is handled even while the program ends; done is called when it was, and when it
// was answered too if that is soon.
func (a *Adapter) receive(u *models.Update, done func()) {
	lane := strconv.FormatInt(chatOfUpdate(u), 10)
	if u.CallbackQuery != nil {
		lane += " button" // somebody looks at it until it was answered
	}
	done = sync.OnceFunc(done)
	handling := context.WithoutCancel(a.running)
	taken := a.lanes.Add(strconv.FormatInt(chatOfUpdate(u), 10), func() {
		answer := a.update(handling, u)
		if answer == nil {
			done()
			return
		}
		time.AfterFunc(prompt, done)
		handled := time.Now()
		a.later(lane, func(ctx context.Context) {
			defer done()
			if time.Since(handled) > stale {
				a.log.WarnContext(ctx, "telegram: not answered in time", "update", u.ID)
				return
			}
			answer(ctx)
		})
	})
	if !taken {
		done() // it was not confirmed, and comes again
	}
}

// later says something after what is to be said in a lane before it.
func (a *Adapter) later(lane string, say func(context.Context)) {
	a.said.Add(lane, func() {
		ctx, end := a.talking()
		defer end()
		defer a.rescue(ctx, "saying", 0)
		say(ctx)
	})
}

// talking is a context for answers, which ends a little after the adapter does.
func (a *Adapter) talking() (context.Context, func()) {
	longer, cancel := context.WithCancel(context.WithoutCancel(a.running))
	stop := context.AfterFunc(a.running, func() { time.AfterFunc(grace, cancel) })
	return longer, func() {
		stop()
		cancel()
	}
}

func chatOfUpdate(u *models.Update) int64 {
	switch {
	case u.Message != nil:
		return u.Message.Chat.ID
	case u.CallbackQuery != nil && u.CallbackQuery.Message.Message != nil:
		return u.CallbackQuery.Message.Message.Chat.ID
	case u.CallbackQuery != nil:
		return u.CallbackQuery.From.ID
	case u.MyChatMember != nil:
		return u.MyChatMember.Chat.ID
	}
	return 0
}
