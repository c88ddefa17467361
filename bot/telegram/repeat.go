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

// wording is what somebody writes somewhere, about a game or about none.
type wording struct {
	place, by string
	game      storage.GameID
	text      string
}

// asked is a wording whose answer is still to be said. Who writes the same again meanwhile gets
// one answer to all of it, the newest.
type asked struct {
	at     time.Time // when it was written first
	newest atomic.Pointer[response]
}

// response is what a message is answered.
type response struct {
	said  *message.Incoming
	to    *models.Message
	notes []message.Message
}

// answering is how to answer a message with notes, nil if that is done with an answer that is
// still to be said to the same.
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
