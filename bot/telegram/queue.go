package telegram

import (
	"context"
	"sync"

	"github.com/go-telegram/bot/models"
)

// queues handle the updates of each chat in order, and those of different chats side by
// side.
type queues struct {
	mu    sync.Mutex
	chats map[int64][]func()
	work  sync.WaitGroup
}

// add lets an update be handled after those of its chat that came before. What was
// received is handled even while the program ends.
func (q *queues) add(ctx context.Context, u *models.Update, handle func(context.Context, *models.Update), done func()) {
	ctx = context.WithoutCancel(ctx)
	chat := chatOfUpdate(u)
	job := func() {
		defer done()
		handle(ctx, u)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.chats == nil {
		q.chats = map[int64][]func(){}
	}
	waiting, busy := q.chats[chat]
	q.chats[chat] = append(waiting, job)
	if !busy {
		q.work.Go(func() { q.run(chat) })
	}
}

func (q *queues) run(chat int64) {
	for {
		q.mu.Lock()
		waiting := q.chats[chat]
		if len(waiting) == 0 {
			delete(q.chats, chat)
			q.mu.Unlock()
			return
		}
		q.chats[chat] = waiting[1:]
		q.mu.Unlock()
		waiting[0]()
	}
}

// wait waits until all is handled that was added.
func (q *queues) wait() { q.work.Wait() }

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
