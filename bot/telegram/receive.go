package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/go-telegram/bot/models"

	"chimera/bot"
)

// prompt is how long an update waits at most for its answer before it is kept and
// confirmed: an answer that has to wait must not hold up everybody else.
const prompt = time.Second / 4

// stale is how long answers wait at most: longer, and nobody wants them any more.
const stale = 10 * time.Minute

const grace = 3 * time.Second

// answer says something of an update, and returns what is to be said of it after what
// waits in its chat, or nil.
type answer func(context.Context) (rest answer)

// debt is an update that is not answered yet.
type debt struct {
	update  *models.Update
	confirm func()
	came    time.Time
	handled time.Time

	mu   sync.Mutex
	kept bool // it will be handled again by the next program if this one ends
	paid bool
}

// receive lets an update be handled after those of its chat that came before; false if it
// shall come again. What was received is handled even while the program ends; done is
// called when it was, and was answered too if that is soon, or else kept. What comes again
// is not answered again.
func (a *Adapter) receive(u *models.Update, done func()) bool {
	d := &debt{update: u, confirm: sync.OnceFunc(done), came: time.Now()}
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

// answeredKept is how many numbers of updates that were answered are kept: Telegram gives
// out a hundred that were not confirmed, and keeps them for a day.
const (
	answeredKept = 512
	answeredTime = 25 * time.Hour
)

func answeredKey(update int64) string {
	return fmt.Sprintf("answered/%03d", uint64(update)%answeredKept)
}

func answeredNow(update int64) []byte {
	return []byte(fmt.Sprint(update, " ", time.Now().Unix()))
}

// wasAnswered reports whether an update was answered of late.
func (a *Adapter) wasAnswered(update int64) bool {
	value, err := a.memory.Get(context.WithoutCancel(a.running), answeredKey(update))
	if err != nil {
		return false // what is done is not done twice, and what is said may be
	}
	var number, at int64
	_, _ = fmt.Sscan(string(value), &number, &at) // then they are 0
	return number == update && time.Since(time.Unix(at, 0)) < answeredTime
}

func (a *Adapter) take(d *debt) bool {
	chat := strconv.FormatInt(chatOfUpdate(d.update), 10)
	lane := chat
	if d.update.CallbackQuery != nil || d.update.InlineQuery != nil {
		lane += " button" // somebody looks at it until it was answered
	}
	handling := context.WithoutCancel(a.running)
	return a.lanes.Add(chat, func() {
		answered := a.post.Answering()
		say := a.update(handling, d.update)
		if say == nil {
			answered()
			a.settleDebt(handling, d, nil)
			return
		}
		d.handled = time.Now()
		time.AfterFunc(prompt, func() { a.keep(handling, d) })
		a.pay(handling, d, lane, func(ctx context.Context) answer {
			defer answered()
			defer a.services.Metrics.Answer(Platform, d.came)
			return say(ctx)
		})
	})
}

// pay says an answer in a lane, and the rest of it in that of its chat.
func (a *Adapter) pay(ctx context.Context, d *debt, lane string, say answer) {
	taken := a.later(lane, func(ctx context.Context) {
		var rest answer
		defer func() {
			if rest == nil || ctx.Err() != nil {
				a.settleDebt(ctx, d, answeredNow(d.update.ID))
			}
		}()
		if time.Since(d.handled) > stale {
			a.log.WarnContext(ctx, "telegram: not answered in time", "update", d.update.ID)
			return
		}
		if rest = say(ctx); rest != nil && ctx.Err() == nil {
			a.pay(ctx, d, strconv.FormatInt(chatOfUpdate(d.update), 10), rest)
		}
	})
	if !taken {
		a.keep(ctx, d)
	}
}

// inbox begins the names of updates that are kept.
const inbox = "inbox/"

func inboxKey(update int64) string { return fmt.Sprintf("%s%019d", inbox, update) }

// keep remembers an update for the next program, unless it was answered, and confirms it.
func (a *Adapter) keep(ctx context.Context, d *debt) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.kept && !d.paid {
		text, err := json.Marshal(d.update)
		big := len(text) > bot.MaxMemory
		if err == nil && !big {
			err = a.memory.Put(ctx, inboxKey(d.update.ID), text)
		}
		if err != nil && !errors.Is(err, bot.ErrNotSaved) { // that is logged once for all
			a.log.ErrorContext(ctx, "telegram: update not kept", "err", err)
		}
		if err != nil {
			return // and not confirmed before it is answered
		}
		d.kept = !big // such a one holds nobody up, and is answered if the program lives
	}
	d.confirm()
}

// settleDebt ends what is owed to an update, unless the program ends before, and remembers
// that it was answered, if it was.
func (a *Adapter) settleDebt(ctx context.Context, d *debt, answered []byte) {
	if ctx.Err() != nil {
		a.log.InfoContext(ctx, "telegram: will be answered after a restart", "update", d.update.ID)
		a.keep(context.WithoutCancel(ctx), d)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.paid = true
	if answered != nil {
		a.memory.PutSoon(answeredKey(d.update.ID), answered)
	}
	if d.kept {
		a.memory.PutSoon(inboxKey(d.update.ID), nil)
	}
	a.debts.Delete(d.update.ID)
	d.confirm()
}

// resume takes what the program before has kept.
func (a *Adapter) resume(ctx context.Context) error {
	names, err := a.memory.Names(ctx, inbox)
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := a.memory.Get(ctx, name)
		if err != nil {
			return err
		}
		var u models.Update
		if err := json.Unmarshal(text, &u); err != nil {
			a.log.ErrorContext(ctx, "telegram: kept update not read", "err", err)
			continue
		}
		d := &debt{update: &u, confirm: func() {}, came: time.Now(), kept: true}
		a.debts.Store(u.ID, d)
		a.take(d)
	}
	return nil
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
