package telegram

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/go-telegram/bot/models"

	"chimera/bot"
)

// asked is a message whose answer is still to be said. Who writes the same again meanwhile gets
// one answer to all of it, the newest.
type asked struct {
	at time.Time // when it was written first

	mu    sync.Mutex
	begun bool // being said
	said  *bot.Message
	to    *models.Message
	notes []bot.Note
}

// answering is how to answer a message with notes, nil if that is done with an answer that is
// still to be said to the same.
func (a *Adapter) answering(said *bot.Message, m *models.Message, notes []bot.Note) answer {
	same := fmt.Sprint(said.Place.ID, " ", said.From.Address.ID, " ", said.ReplyTo, " ", strings.ToLower(said.Text))
	w := &asked{at: time.Now(), said: said, to: m, notes: notes}
	if before, waits := a.asked.LoadOrStore(same, w); waits {
		if before.(*asked).takes(w) {
			return nil
		}
		a.asked.Store(same, w)
	}
	return func(ctx context.Context) answer {
		defer a.asked.CompareAndDelete(same, w)
		said, to, notes := w.begin()
		a.explain(ctx, to, said, notes)
		a.answer(ctx, said, to, notes)
		return nil
	}
}

// takes lets an answer be the newer one of two, unless it is being said; false if it is so old
// that it may never be.
func (w *asked) takes(newer *asked) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if newer.at.Sub(w.at) > stale {
		return false
	}
	if !w.begun {
		w.said, w.to, w.notes = newer.said, newer.to, newer.notes
	}
	return true
}

// begin is what is to be said now.
func (w *asked) begin() (*bot.Message, *models.Message, []bot.Note) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begun = true
	return w.said, w.to, w.notes
}
