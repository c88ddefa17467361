package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
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
	begun  func()                          // lets other sessions begin, once this one has
	leave  func(context.Context) error     // lets another process be this shard; nil if this process is not
}

// The events that the bot asks Discord for: servers and threads, messages in servers and in private, and
// the contents of all of them.
const (
	intents       = discordgo.IntentsGuilds | discordgo.IntentsGuildMessages | discordgo.IntentsDirectMessages
	intentContent = discordgo.IntentMessageContent
)

// errShards is returned if Discord wants more shards than there are.
var errShards = errors.New("more shards are needed")

// keyShards names the number of shards, on which all processes have to agree. Discord asks for another one when the bot
// has joined more servers.
const keyShards = "shards"

// listen runs as many shards as Discord wants, other than the refused number, until it wants more. Each shard waits
// until no other process runs it.
func (a *Adapter) listen(ctx context.Context, refused int) (all []*shard, err error) {
	shards, err := a.countShards(ctx, refused)
	if err != nil {
		return nil, err
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	var listening sync.WaitGroup
	a.down.Clear()
	for id := range shards {
		s := &shard{a: a, id: id, of: shards, starts: &listening, begun: func() {}}
		all = append(all, s)
		listening.Go(func() { end(s.run(ctx)) })
	}
	listening.Wait()
	return all, context.Cause(ctx)
}

// countShards is the number of shards, or the new one if that was refused. It asks until Discord answers.
func (a *Adapter) countShards(ctx context.Context, refused int) (shards int, err error) {
	err = a.persist(ctx, "not reached").Do(ctx, func() error {
		var found discordgo.GatewayBotResponse
		err := a.call(ctx, http.MethodGet, "gateway/bot", nil, &found)
		shards = max(found.Shards, 1)
		switch limit := found.SessionStartLimit; {
		case err == nil && limit.ResetAfter > 0 && limit.Remaining < shards:
			return &outbox.Later{After: time.Duration(limit.ResetAfter) * time.Millisecond, Err: errors.New("no session may begin before")}
		case status(err) == http.StatusUnauthorized:
			return errToken
		case status(err) == http.StatusNotFound:
			return nil // a server in Discord's place without shards
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

// persist retries until it succeeds, at growing intervals.
func (a *Adapter) persist(ctx context.Context, fault string) adapter.Retry {
	return adapter.Retry{First: a.pace.retry, Most: time.Minute, Pause: adapter.Pause, Log: func(err error, again time.Duration) {
		a.log.WarnContext(ctx, "discord: "+fault, "err", a.clean(err), "again in", again)
	}}
}

// agreed is how many shards there are, 0 if that is not known.
func (a *Adapter) agreed(ctx context.Context) int {
	n, _ := strconv.Atoi(a.state.Get(ctx, keyShards))
	return n
}

// Connected says why the bot is not connected to Discord; nil if all shards of this process are.
func (a *Adapter) Connected() error {
	var reasons []string
	for _, why := range a.down.Range {
		reasons = append(reasons, why.(string))
	}
	if len(reasons) == 0 {
		return nil
	}
	return errors.New("discord: " + slices.Min(reasons))
}

// cut notes that a shard is not connected, and why.
func (a *Adapter) cut(shard int, why string) {
	a.down.Store(shard, fmt.Sprintf("shard %d: %s", shard, why))
}

// leave lets other processes take over the shards from where they stand.
func (a *Adapter) leave(ctx context.Context, shards []*shard) {
	for _, s := range shards {
		if on := s.on.Load(); on != nil {
			s.keep(on)
		}
	}
	ctx = context.WithoutCancel(ctx)
	a.failed(ctx, slog.LevelWarn, "memory not written", a.state.Flush(ctx))
	for _, s := range shards {
		if s.leave != nil {
			_ = s.leave(ctx) // closing the database leaves it at the latest
		}
	}
}

// run keeps the shard connected once no other process is that shard, until the context is done or Discord
// refuses for good.
func (s *shard) run(ctx context.Context) (err error) {
	a := s.a
	if s.leave, err = a.bot.Roles().Hold(ctx, fmt.Sprintf("discord/shard/%d/%d", s.id, s.of)); err != nil {
		return err
	}
	if agreed := a.agreed(ctx); agreed > 0 && agreed != s.of {
		return errShards // the previous process was told so meanwhile
	}
	a.cut(s.id, "not connected yet")
	handling := adapter.Linger(ctx, a.pace.grace, a.bot.Roles())
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
		a.opened.Store(&begun)
		end, err := on.Connect(ctx)
		s.begun()
		a.cut(s.id, a.clean(err))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if refused := s.refused(ctx, on, end.Code); refused != nil {
			return refused
		}
		faults++
		switch {
		case end.Stage == gateway.Joined && time.Since(begun) > a.pace.brief:
			faults, spent = 0, 0
		case end.Stage == gateway.Joined:
			faults, spent = 1, 0
		case end.Stage == gateway.Reached:
			spent++
		}
		const few = 2 // tries to resume a session that reached Discord
		if on.Over() || spent >= few {
			s.forget()
		}
		const most = 20 * time.Second
		var wait time.Duration
		if faults > 0 {
			wait = min(a.pace.retry<<min(faults-1, 10), most)
		}
		a.log.InfoContext(ctx, "discord: connecting again", "shard", s.id, "err", a.clean(err), "code", end.Code, "in", wait)
		if err := adapter.Pause(ctx, wait); err != nil {
			return err
		}
	}
}

// newSession is a session that has not begun; what comes is handled with the context.
func (s *shard) newSession(ctx context.Context) *gateway.Session {
	a := s.a
	on := &gateway.Session{Identify: a.rest.Identify, Open: a.pace.open, Silence: a.pace.silence}
	on.Identify.Token, on.Identify.Intents, on.Identify.Compress = a.rest.Token, intents, false
	if a.readsAll.Load() {
		on.Identify.Intents |= intentContent
	}
	if s.of > 1 {
		on.Identify.Shard = &[2]int{s.id, s.of}
	}
	on.Find = func(ctx context.Context) (string, error) { return a.rest.Gateway(discordgo.WithContext(ctx)) }
	on.Beat = func() { s.keep(on) }
	on.Hear = func(e gateway.Event) {
		defer a.rescue(ctx, "event")
		if e.Kind == gateway.Ready {
			s.begun()
			handled := e.Done
			e.Done = func() {
				handled()
				s.keep(on) // so that it can be resumed from here on
			}
		}
		a.event(ctx, e)
		if e.Kind == gateway.Ready || e.Kind == gateway.Resumed {
			s.joined(ctx)
		}
	}
	return on
}

// joined notes that the shard is connected. The first one registers the commands with Discord.
func (s *shard) joined(ctx context.Context) {
	if _, was := s.a.down.LoadAndDelete(s.id); was {
		s.a.bot.Metrics.Connect(Platform)
	}
	if me := s.a.me.Load(); me != nil && s.id == 0 {
		s.a.work.Add("commands", func() { s.a.register(ctx, me.Application) })
	}
}

// refused says why no other connection can do better, nil if one may. The contents of messages are optional.
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

// The bot stores now and then, and when it ends, how far the session of each shard has got. The next process that is
// the shard can resume it, and Discord sends what has happened since. The stored mark is never ahead of the handled
// events, and events that come twice are recognized by their ids.

// standing is the progress of a shard's session, as it is stored.
type standing struct {
	gateway.Mark
	Intents discordgo.Intent
}

// Prefixes of the keys stored for a token.
const (
	keySession = "session/"
	keyStarts  = "starts/" // when the budget of new sessions is full again
	keyNext    = "next/"   // when the next session may begin
	keySelf    = "self/"
)

// ofToken is the key of something stored for the token, without revealing it.
func (a *Adapter) ofToken(kind string) string {
	const enough = 16
	return kind + a.state.Digest([]byte(a.token))[:enough]
}

func (s *shard) key() string { return fmt.Sprintf("%s/%d/%d", s.a.ofToken(keySession), s.id, s.of) }

// keep stores soon how far a session has got, if it is still the shard's.
func (s *shard) keep(on *gateway.Session) {
	at, ok := on.Mark()
	if !ok || s.on.Load() != on {
		return
	}
	text, _ := json.Marshal(standing{at, on.Identify.Intents}) // strings and numbers always marshal
	s.a.state.PutSoon(s.key(), text)
}

// forget drops the shard's session.
func (s *shard) forget() {
	s.on.Store(nil)
	s.a.state.PutSoon(s.key(), nil)
}

// taken is the session of the shard's previous process; nil if there is none, or if a new one would hear more because
// the bot may now read all messages.
func (s *shard) taken(ctx, handling context.Context) *gateway.Session {
	var at standing
	if json.Unmarshal([]byte(s.a.state.Get(ctx, s.key())), &at) != nil || at.ID == "" || at.Intents&^intentContent != intents || s.a.self(ctx) == nil {
		return nil
	}
	readsAll := at.Intents&intentContent != 0
	if !readsAll {
		var application struct{ Flags int }
		const granted = 1<<18 | 1<<19 // to a bot in many servers, and to one in few
		if err := s.a.call(ctx, http.MethodGet, "applications/@me", nil, &application); err == nil && application.Flags&granted != 0 {
			return nil
		}
	}
	s.a.readsAll.Store(readsAll)
	on := s.newSession(handling)
	on.Take(at.Mark)
	return on
}

// start waits until a session may begin: while no other does, in this process or another, long enough after the last
// one, and within the budgets. Other sessions wait until this one has begun or failed.
func (s *shard) start(ctx context.Context) error {
	a := s.a
	if err := a.starting.Acquire(ctx, 1); err != nil {
		return err
	}
	leave, err := a.bot.Roles().Hold(ctx, "discord/identify")
	if err != nil {
		a.starting.Release(1)
		return err
	}
	over := func() {
		_ = leave(context.WithoutCancel(ctx)) // closing the database leaves it at the latest
		a.starting.Release(1)
	}
	err = a.spend(ctx, keyNext, gateway.Budget{Every: a.pace.apart, Burst: 1})
	if err == nil {
		err = a.spend(ctx, keyStarts, gateway.Budget{Every: day / startsADay, Burst: startsAtOnce})
	}
	if err != nil {
		over()
		return err
	}
	s.begun = sync.OnceFunc(func() {
		s.starts.Go(func() {
			defer over()
			a.state.Set(context.WithoutCancel(ctx), a.ofToken(keyNext), stamp(time.Now().Add(a.pace.apart))) // in case the program ends first
			_ = adapter.Pause(ctx, a.pace.apart)
		})
	})
	return nil
}

// spend waits for a budget of sessions, and takes one from it. It stores when the budget is full again.
func (a *Adapter) spend(ctx context.Context, key string, budget gateway.Budget) error {
	return a.persist(ctx, "a session can't begin yet").Do(ctx, func() error {
		full, _ := time.Parse(time.RFC3339, a.state.Get(ctx, a.ofToken(key))) // none at first
		wait, then := budget.Spend(full, time.Now())
		if wait > a.pace.apart {
			a.log.WarnContext(ctx, "discord: too many sessions have begun today", "again in", wait)
		}
		if err := adapter.Pause(ctx, wait); err != nil {
			return err
		}
		return a.state.Put(ctx, a.ofToken(key), []byte(stamp(then)))
	})
}

// stamp is a time as it is stored.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
