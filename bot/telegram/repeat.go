package telegram

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-telegram/bot/models"

	"chimera/bot/message"
	"chimera/storage"
)

// wording is a text that somebody writes at a place, perhaps in reply about a game.
type wording struct {
	place, by string
	game      storage.GameID
	text      string
}

// asked is a wording that still has to be answered. Repetitions in the meantime get one answer together, the
// newest.
type asked struct {
	at     time.Time // when it was written first
	newest atomic.Pointer[response]
}

// response is the answer to a message.
type response struct {
	said  *message.Incoming
	to    *models.Message
	notes []message.Message
}

// answering is how to answer a message with notes; nil if the answer to the same text, still to be given,
// will do that.
func (a *Adapter) answering(said *message.Incoming, m *models.Message, notes []message.Message) answer {
	same := wording{said.Place.ID, said.From.Address.ID, said.ReplyTo, strings.ToLower(said.Text)}
	w, r := &asked{at: time.Now()}, &response{said, m, notes}
	w.newest.Store(r)
	if before, waits := a.asked.LoadOrStore(same, w); waits {
		if before := before.(*asked); w.at.Sub(before.at) <= stale { // else it may never be said
			before.newest.Store(r)
			return nil
		}
		a.asked.Store(same, w)
	}
	return whole(func(ctx context.Context) {
		defer a.asked.CompareAndDelete(same, w)
		r := w.newest.Load()
		a.explain(ctx, r.to, r.said, r.notes)
		a.answer(ctx, r.said, r.to, r.notes)
	})
}
