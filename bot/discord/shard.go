package discord

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
)

// shard listens to a part of the servers.
type shard struct {
	a      *Adapter
	id, of int
	gate   *gate
}

// What Discord wants to be asked for: servers and threads, messages in servers and in
// private, and what all of them say.
const (
	intents       = discordgo.IntentsGuilds | discordgo.IntentsGuildMessages | discordgo.IntentsDirectMessages
	intentContent = discordgo.IntentMessageContent
)

// errShards is that Discord wants more shards than there are.
var errShards = errors.New("more shards are needed")

var errEnded = errors.New("the connection has ended")

// run keeps the shard connected until the context is done, or Discord refuses for good.
func (s *shard) run(ctx context.Context) error {
	var l *link // nil: a new session must begin
	handling := lasting(ctx, s.a.pace.grace)
	faults, spent := 0, 0
	for ctx.Err() == nil {
		if l == nil {
			if err := s.mayStart(ctx); err != nil {
				return err
			}
			l, spent = s.newLink(handling), 0
		}
		begun := time.Now()
		s.a.opened.Store(&begun)
		err := l.open(ctx, s.a.pace.open)
		alive := !errors.Is(err, errHung)
		if err == nil {
			alive = l.watch(ctx, s.a.pace)
			err = errEnded
		}
		code, goesOn := l.ended()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if refused := s.refused(ctx, l, code); refused != nil {
			return refused
		}
		switch came := l.came(); {
		case came == joined && time.Since(begun) > s.a.pace.brief:
			faults, spent = 0, 0
		case came == joined:
			faults, spent = 1, 0
		default:
			faults++
			if came == reached {
				spent++
			}
		}
		const few = 2 // tries to go on with the same session, where there was somebody to ask
		if !alive || !goesOn || spent >= few {
			l.cut()
			l = nil
		}
		const most = 20 * time.Second
		var wait time.Duration // what happens meanwhile is told late
		if faults > 0 {
			wait = min(s.a.pace.retry<<min(faults-1, 10), most)
		}
		s.a.log.InfoContext(ctx, "discord: connecting again", "shard", s.id, "err", s.a.clean(err), "code", code, "in", wait)
		if err := bot.Pause(ctx, wait); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// Codes with which Discord closes a connection.
const (
	closeNoSession = 4003
	closeToken     = 4004
	closeSequence  = 4007
	closeTimeout   = 4009
	closeShard     = 4010
	closeSharding  = 4011 // more shards are needed
	closeVersion   = 4012
	closeIntent    = 4013
	closeForbidden = 4014 // an intent that was not granted
)

// refused says why no other connection can be better, nil if one may. Without the
// contents of messages the bot can do.
func (s *shard) refused(ctx context.Context, l *link, code int) error {
	switch code {
	case closeToken:
		return errToken
	case closeIntent, closeForbidden:
		if l.session.Identify.Intents&intentContent != 0 {
			if s.a.wordy.Swap(false) {
				s.a.log.WarnContext(ctx, "discord: the message content intent is not granted, so the bot reads only what is addressed to it")
			}
			return nil
		}
	case closeSharding:
		return errShards
	case closeShard, closeVersion:
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
	return s.gate.pass(ctx)
}

// gate keeps those who pass some time apart.
type gate struct {
	apart time.Duration
	mu    sync.Mutex
	next  time.Time
}

func newGate(apart time.Duration) *gate { return &gate{apart: apart} }

func (g *gate) pass(ctx context.Context) error {
	g.mu.Lock()
	now := time.Now()
	at := latest(now, g.next)
	g.next = at.Add(g.apart)
	g.mu.Unlock()
	return bot.Pause(ctx, at.Sub(now))
}
