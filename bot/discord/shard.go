package discord

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bwmarrin/discordgo"
	"golang.org/x/time/rate"

	"chimera/bot/adapt"
	"chimera/bot/discord/gateway"
)

// shard listens to a part of the servers.
type shard struct {
	a      *Adapter
	id, of int
	apart  *rate.Limiter // new sessions of all shards
}

// What Discord wants to be asked for: servers and threads, messages in servers and in
// private, and what all of them say.
const (
	intents       = discordgo.IntentsGuilds | discordgo.IntentsGuildMessages | discordgo.IntentsDirectMessages
	intentContent = discordgo.IntentMessageContent
)

// errShards is that Discord wants more shards than there are.
var errShards = errors.New("more shards are needed")

// run keeps the shard connected until the context is done, or Discord refuses for good.
func (s *shard) run(ctx context.Context) error {
	var on *gateway.Session // nil: a new one must begin
	handling := lasting(ctx, s.a.pace.grace)
	faults, spent := 0, 0
	for {
		if on == nil {
			if err := s.mayStart(ctx); err != nil {
				return err
			}
			on, spent = s.newSession(handling), 0
		}
		begun := time.Now()
		s.a.opened.Store(&begun)
		end, err := on.Connect(ctx)
		s.a.contact.cut(s.id, s.a.clean(err))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if refused := s.refused(ctx, on, end.Code); refused != nil {
			return refused
		}
		switch end.Stage {
		case gateway.Joined:
			faults, spent = 1, 0
			if time.Since(begun) > s.a.pace.brief {
				faults = 0
			}
		case gateway.Reached:
			faults, spent = faults+1, spent+1
		default:
			faults++
		}
		const few = 2 // tries to go on with the same session, where there was somebody to ask
		if on.Over || spent >= few {
			on = nil
		}
		const most = 20 * time.Second
		var wait time.Duration // what happens meanwhile is told late
		if faults > 0 {
			wait = min(s.a.pace.retry<<min(faults-1, 10), most)
		}
		s.a.log.InfoContext(ctx, "discord: connecting again", "shard", s.id, "err", s.a.clean(err), "code", end.Code, "in", wait)
		if err := adapt.Pause(ctx, wait); err != nil {
			return err
		}
	}
}

// newSession is a session that has not begun; what comes is handled with the context.
func (s *shard) newSession(ctx context.Context) *gateway.Session {
	on := &gateway.Session{Identify: s.a.rest.Identify, Open: s.a.pace.open, Silence: s.a.pace.silence}
	on.Identify.Token, on.Identify.Intents = s.a.rest.Token, intents
	if s.a.readsAll.Load() {
		on.Identify.Intents |= intentContent
	}
	if s.of > 1 {
		on.Identify.Shard = &[2]int{s.id, s.of}
	}
	on.Find = func(ctx context.Context) (string, error) { return s.a.rest.Gateway(discordgo.WithContext(ctx)) }
	on.Hear = func(kind string, data []byte) {
		defer s.a.rescue(ctx, "event")
		if (kind == gateway.Ready || kind == gateway.Resumed) && s.a.contact.joined(s.id) {
			s.a.services.Metrics.Connect(Platform)
		}
		s.a.event(ctx, kind, data)
	}
	return on
}

// refused says why no other connection can be better, nil if one may. Without the
// contents of messages the bot can do.
func (s *shard) refused(ctx context.Context, on *gateway.Session, code int) error {
	switch code {
	case gateway.BadToken:
		return errToken
	case gateway.BadIntent, gateway.Forbidden:
		if on.Identify.Intents&intentContent != 0 {
			if s.a.readsAll.Swap(false) {
				s.a.log.WarnContext(ctx, "discord: the message content intent is not granted, so the bot reads only what is addressed to it")
			}
			return nil
		}
	case gateway.Sharding:
		return errShards
	case gateway.BadShard, gateway.Version:
	default:
		return nil
	}
	return fmt.Errorf("discord: refused for good with code %d", code)
}

// mayStart waits until a session may begin.
func (s *shard) mayStart(ctx context.Context) error {
	if err := s.a.starts.Wait(ctx); err != nil {
		return err
	}
	return s.apart.Wait(ctx)
}
