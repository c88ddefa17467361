package telegram

import (
	"context"
	"strconv"

	"github.com/go-telegram/bot/models"
)

// receive lets an update be handled after those of its chat that came before. What was
// received is handled even while the program ends; done is called then.
func (a *Adapter) receive(ctx context.Context, u *models.Update, done func()) {
	ctx = context.WithoutCancel(ctx)
	taken := a.lanes.Add(strconv.FormatInt(chatOfUpdate(u), 10), func() {
		defer done()
		a.update(ctx, u)
	})
	if !taken {
		done() // it was not confirmed, and comes again
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
