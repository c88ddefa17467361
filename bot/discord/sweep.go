package discord

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
)

// old is a message whose buttons do nothing any more.
type old struct{ channel, message, place string }

// sweeper takes buttons off old messages, when nothing else is to be done. It forgets
// some if there are too many.
type sweeper struct {
	waiting chan old
	rest    map[string]time.Time // until when channels are left alone
	work    *sync.WaitGroup
}

func newSweeper() sweeper {
	const many = 512
	return sweeper{make(chan old, many), map[string]time.Time{}, new(sync.WaitGroup)}
}

func (s *sweeper) start(ctx context.Context, a *Adapter) {
	s.work.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case o := <-s.waiting:
				a.takeOff(ctx, o)
			}
		}
	})
}

func (s *sweeper) wait() { s.work.Wait() }

func (s *sweeper) add(o old) {
	select {
	case s.waiting <- o:
	default: // its buttons answer politely
	}
}

// takeOff takes the buttons off a message. Discord lets messages older than an hour be
// edited only now and then; a channel in which it has refused that is left alone for an hour,
// and those messages keep their buttons.
func (a *Adapter) takeOff(ctx context.Context, o old) {
	defer a.rescue(ctx, "buttons")
	if time.Now().Before(a.sweeper.rest[o.channel]) {
		return
	}
	delete(a.sweeper.rest, o.channel)
	for !a.limiter.idle() {
		const soon = 100 * time.Millisecond
		if bot.Pause(ctx, soon) != nil {
			return
		}
	}
	if bot.Pause(ctx, a.post.Take(address(o.place))) != nil {
		return
	}
	err := a.call(ctx, http.MethodPatch, "channels/"+o.channel+"/messages/"+o.message, map[string]any{"components": []discordgo.ActionsRow{}, "allowed_mentions": toNobody()}, nil)
	if no := (*held)(nil); errors.As(err, &no) && !no.everywhere {
		if len(a.sweeper.rest) >= bot.Watched {
			clear(a.sweeper.rest)
		}
		a.sweeper.rest[o.channel] = time.Now().Add(max(no.after, time.Hour))
	}
	if err != nil {
		a.log.DebugContext(ctx, "discord: buttons not taken off", "err", a.clean(err))
	}
}
