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
	"chimera/storage"
)

// debt is an update that the bot owes an answer.
//
//	unpaid ───keep───> kept
//	   │                 │
//	  pay               pay
//	   └────> paid <─────┘
//
// While it is unpaid it is Telegram's too, which tells of its update again if this program ends.
// When the answer has to wait, or the program ends before it was said, the update is stored: it is
// kept, the next program answers it if this one does not, and it is confirmed to Telegram. It is
// paid when it was answered or needs no answer, and confirmed at the latest then. What is too big
// to be stored is confirmed when it should be kept, and stays unpaid.
type debt struct {
	update   *models.Update
	chat     string // in whose queue it is handled
	confirm  func()
	came     time.Time
	handled  time.Time
	answered func() // lets others hear of it

	mu    sync.Mutex
	state debtState
}

// debtState is what has become of a debt.
type debtState int

const (
	debtUnpaid debtState = iota
	debtKept
	debtPaid
)

// newDebt is a debt whose update is confirmed by calling done once.
func newDebt(u *models.Update, state debtState, done func()) *debt {
	return &debt{update: u, chat: strconv.FormatInt(chatOfUpdate(u), 10), confirm: sync.OnceFunc(done), came: time.Now(), state: state}
}

// inbox begins the names of updates that are kept.
const inbox = "inbox/"

func inboxKey(update int64) string { return fmt.Sprintf("%s%019d", inbox, update) }

// keep stores an unpaid debt for the next program, and confirms its update.
func (a *Adapter) keep(d *debt) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.state == debtUnpaid {
		text, err := json.Marshal(d.update)
		fits := len(text) <= storage.MaxState
		if err == nil && fits {
			err = a.state.Put(context.WithoutCancel(a.running), inboxKey(d.update.ID), text)
		}
		if err != nil && !errors.Is(err, bot.ErrNotSaved) { // that is logged once for all
			a.log.ErrorContext(a.running, "telegram: update not kept", "err", err)
		}
		if err != nil {
			return // and not confirmed before it is answered
		}
		if fits {
			d.state = debtKept
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
	if d.state == debtKept {
		a.state.PutSoon(inboxKey(d.update.ID), nil)
	}
	d.state = debtPaid
	a.debts.Delete(d.update.ID)
	d.confirm()
}

// resume takes on what the program before has kept.
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
		if err := json.Unmarshal(text, &u); err != nil {
			a.log.ErrorContext(ctx, "telegram: kept update not read", "err", err)
			continue
		}
		d := newDebt(&u, debtKept, func() {})
		a.debts.Store(u.ID, d)
		a.take(d)
	}
	return nil
}

// How many numbers of updates that were answered are remembered, and for how long: Telegram gives
// out a hundred that were not confirmed, and keeps them for a day.
const (
	answeredKept = 512
	answeredTime = 25 * time.Hour
)

func answeredKey(update int64) string {
	return fmt.Sprintf("answered/%03d", uint64(update)%answeredKept)
}

// wasAnswered reports whether an update was answered lately.
func (a *Adapter) wasAnswered(update int64) bool {
	var number, at int64
	_, _ = fmt.Sscan(a.state.Get(context.WithoutCancel(a.running), answeredKey(update)), &number, &at) // else they are 0
	return number == update && time.Since(time.Unix(at, 0)) < answeredTime
}
