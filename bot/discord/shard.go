package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot/adapter"
	"chimera/bot/discord/gateway"
	"chimera/bot/outbox"
)

// shard listens to a part of the servers, in one process at a time.
type shard struct {
	a      *Adapter
	id, of int
	starts *sync.WaitGroup                 // new sessions of all shards
	on     atomic.Pointer[gateway.Session] // nil: a new one must begin
	begun  func()                          // lets other sessions begin, when this one has
	leave  func(context.Context) error     // lets another process be this shard; nil where this one is not
}

// The events that the bot asks Discord for: servers and threads, messages in servers and in private, and
// the contents of all of them.
const (
	intents       = discordgo.IntentsGuilds | discordgo.IntentsGuildMessages | discordgo.IntentsDirectMessages
	intentContent = discordgo.IntentMessageContent
)

// errShards is returned if Discord wants more shards than there are.
var errShards = errors.New("more shards are needed")

// listen runs the number of shards that Discord wants, unless it has refused that number, until it wants
// more. Each shard waits until no other process runs it.
func (a *Adapter) listen(ctx context.Context, refused int) (all []*shard, err error) {
	shards, err := a.begin(ctx, refused)
	if err != nil {
		return nil, err
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	var listening sync.WaitGroup
	a.contact.begin()
	for id := range shards {
		s := &shard{a: a, id: id, of: shards, starts: &listening, begun: func() {}}
		all = append(all, s)
		listening.Go(func() { end(s.run(ctx)) })
	}
	listening.Wait()
	return all, context.Cause(ctx)
}

// keyShards names the number of shards. All processes have to agree on it, and Discord names another when
// the bot has joined more servers.
const keyShards = "shards"

// begin finds out how many shards there are, or shall be if that number was refused. It asks Discord until
// that answers.
func (a *Adapter) begin(ctx context.Context, refused int) (shards int, err error) {
	asking := adapter.Retry{First: a.pace.retry, Most: time.Minute, Pause: adapter.Pause, Log: func(err error, again time.Duration) {
		a.log.WarnContext(ctx, "discord: not reached", "err", a.clean(err), "again in", again)
	}}
	err = asking.Do(ctx, func() error {
		var found discordgo.GatewayBotResponse
		err := a.call(ctx, http.MethodGet, "gateway/bot", nil, &found)
		shards = max(found.Shards, 1)
		limit := found.SessionStartLimit
		switch {
		case err == nil && limit.ResetAfter > 0 && limit.Remaining < shards:
			return &outbox.Later{After: time.Duration(limit.ResetAfter) * time.Millisecond, Err: errors.New("no session may begin before")}
		case status(err) == http.StatusUnauthorized:
			return errToken
		case status(err) == http.StatusNotFound:
			return nil // a server in Discord's place that knows nothing of shards
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	if agreed := a.agreed(ctx); agreed > 0 && agreed != refused {
		return agreed, nil
	}
	a.state.Set(ctx, keyShards, strconv.Itoa(shards))
	return shards, nil
}

// agreed is how many shards there are, 0 if that is not known.
func (a *Adapter) agreed(ctx context.Context) int {
	n, _ := strconv.Atoi(a.state.Get(ctx, keyShards))
	return n
}

// hold waits until no other process is the shard.
func (s *shard) hold(ctx context.Context) error {
	leave, err := s.a.bot.Roles().Hold(ctx, fmt.Sprintf("discord/shard/%d/%d", s.id, s.of))
	if err != nil {
		return err
	}
	s.leave = leave
	if agreed := s.a.agreed(ctx); agreed > 0 && agreed != s.of {
		return errShards // whoever was the shard was told so meanwhile
	}
	s.a.contact.cut(s.id, "not connected yet")
	return nil
}

// leave lets other processes be shards, and go on from where these stand.
func (a *Adapter) leave(ctx context.Context, shards []*shard) {
	for _, s := range shards {
		if on := s.on.Load(); on != nil {
			s.keep(on)
		}
	}
	if unsaved := a.state.Flush(context.WithoutCancel(ctx)); unsaved != nil {
		a.log.WarnContext(ctx, "discord: memory not written", "err", unsaved)
	}
	for _, s := range shards {
		if s.leave != nil {
			_ = s.leave(context.WithoutCancel(ctx)) // at the latest it is left with all others, when the database is closed
		}
	}
}

// run keeps the shard connected until the context is done, or Discord refuses for good.
func (s *shard) run(ctx context.Context) error {
	if err := s.hold(ctx); err != nil {
		return err
	}
	handling := adapter.Linger(ctx, s.a.pace.grace, s.a.bot.Roles())
	s.on.Store(s.taken(ctx, handling))
	faults, spent := 0, 0
	for {
		on := s.on.Load()
		if on == nil {
			if err := s.start(ctx); err != nil {
				return err
			}
			on, spent = s.newSession(handling), 0
			s.on.Store(on)
		}
		begun := time.Now()
		s.a.opened.Store(&begun)
		end, err := on.Connect(ctx)
		s.begun()
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
		const few = 2 // tries to resume a session that reached Discord
		if on.Over() || spent >= few {
			s.forget()
		}
		const most = 20 * time.Second
		var wait time.Duration
		if faults > 0 {
			wait = min(s.a.pace.retry<<min(faults-1, 10), most)
		}
		s.a.log.InfoContext(ctx, "discord: connecting again", "shard", s.id, "err", s.a.clean(err), "code", end.Code, "in", wait)
		if err := adapter.Pause(ctx, wait); err != nil {
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
	on.Beat = func() { s.keep(on) }
	on.Hear = func(e gateway.Event) {
		defer s.a.rescue(ctx, "event")
		if e.Kind == gateway.Ready {
			s.begun()
			handled := e.Done
			e.Done = func() {
				handled()
				s.keep(on) // so that it need not begin anew from here on
			}
		}
		s.a.event(ctx, e)
		if e.Kind == gateway.Ready || e.Kind == gateway.Resumed {
			s.joined(ctx)
		}
	}
	return on
}

// joined notes that the shard is connected. The first one sees to it that Discord knows the
// commands.
func (s *shard) joined(ctx context.Context) {
	if s.a.contact.joined(s.id) {
		s.a.bot.Metrics.Connect(Platform)
	}
	if me := s.a.me.Load(); me != nil && s.id == 0 {
		s.a.work.Add("commands", func() {
			defer s.a.rescue(ctx, "commands")
			s.a.register(ctx, me.Application)
		})
	}
}

// refused says why no other connection can do better, nil if one may. The bot can do without the contents
// of messages.
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
		s.forget()
		return errShards
	case gateway.BadShard, gateway.Version:
	default:
		return nil
	}
	return fmt.Errorf("discord: refused for good with code %d", code)
}
