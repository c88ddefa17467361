package discord

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot/adapter"
	"chimera/bot/discord/gateway"
)

// The bot stores now and then, and when it ends, how far the session of each shard has come. So the process
// that is the shard next can resume it, and Discord sends what has happened since. The stored mark is never
// ahead of what was handled, and events that come twice are known by their ids.

// standing is how far the session of a shard has come, as it is stored.
type standing struct {
	gateway.Mark
	Intents discordgo.Intent
	Me      self
}

// The names of what is stored about a token begin with these.
const (
	keySession = "session/"
	keyStarts  = "starts/" // when the budget of new sessions is full again
	keyNext    = "next/"   // when the next may
	keySelf    = "self/"
)

// ofToken is the name of something that is stored about the token, without giving it away.
func (a *Adapter) ofToken(kind string) string {
	const enough = 16
	return kind + a.state.Digest([]byte(a.token))[:enough]
}

func (s *shard) key() string { return fmt.Sprintf("%s/%d/%d", s.a.ofToken(keySession), s.id, s.of) }

// keep stores soon how far a session has come, if it is still the shard's.
func (s *shard) keep(on *gateway.Session) {
	at, ok := on.Mark()
	me := s.a.me.Load()
	if !ok || me == nil || s.on.Load() != on {
		return
	}
	if text, err := json.Marshal(standing{at, on.Identify.Intents, *me}); err == nil {
		s.a.state.PutSoon(s.key(), text)
	}
}

// forget lets the shard have no session.
func (s *shard) forget() {
	s.on.Store(nil)
	s.a.state.PutSoon(s.key(), nil)
}

// taken is the session of the process that was the shard before; nil if there is none, or if a new one
// would hear more.
func (s *shard) taken(ctx, handling context.Context) *gateway.Session {
	var at standing
	if json.Unmarshal([]byte(s.a.state.Get(ctx, s.key())), &at) != nil || at.ID == "" || at.Intents&^intentContent != intents {
		return nil
	}
	readsAll := at.Intents&intentContent != 0
	if !readsAll && s.a.mayReadAll(ctx) {
		return nil
	}
	s.a.readsAll.Store(readsAll)
	s.a.me.Store(&at.Me)
	on := s.newSession(handling)
	on.Take(at.Mark)
	return on
}

// mayReadAll asks Discord whether the bot is granted to read all messages by now.
func (a *Adapter) mayReadAll(ctx context.Context) bool {
	var application struct{ Flags int }
	const granted = 1<<18 | 1<<19 // to a bot in many servers, and in few
	err := a.call(ctx, http.MethodGet, "applications/@me", nil, &application)
	return err == nil && application.Flags&granted != 0
}

// self is who the bot is, nil if that is not known yet. Other processes may have been told.
func (a *Adapter) self(ctx context.Context) *self {
	if me := a.me.Load(); me != nil {
		return me
	}
	var me self
	if json.Unmarshal([]byte(a.state.Get(ctx, a.ofToken(keySelf))), &me) != nil {
		return nil
	}
	a.me.Store(&me)
	return &me
}

// meet notes who the bot is.
func (a *Adapter) meet(ctx context.Context, me self) {
	a.me.Store(&me)
	if text, err := json.Marshal(me); err == nil {
		a.state.Set(ctx, a.ofToken(keySelf), string(text))
	}
}

// start waits until a session may begin: while no other does, here or in another process, and unless too
// many have. Other sessions wait until this one has begun, or has failed to.
func (s *shard) start(ctx context.Context) error {
	select {
	case s.a.starting <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	leave, err := s.a.bot.Roles().Hold(ctx, "discord/identify")
	if err != nil {
		<-s.a.starting
		return err
	}
	over := func() {
		_ = leave(context.WithoutCancel(ctx)) // at the latest it is left when the database is closed
		<-s.a.starting
	}
	err = s.a.spend(ctx, keyNext, gateway.Budget{Every: s.a.pace.apart, Burst: 1})
	if err == nil {
		err = s.a.spend(ctx, keyStarts, gateway.Budget{Every: day / startsADay, Burst: startsAtOnce})
	}
	if err != nil {
		over()
		return err
	}
	s.begun = sync.OnceFunc(func() {
		s.starts.Go(func() {
			defer over()
			s.a.state.Set(context.WithoutCancel(ctx), s.a.ofToken(keyNext), spelled(time.Now().Add(s.a.pace.apart))) // in case the program ends before
			_ = adapter.Pause(ctx, s.a.pace.apart)
		})
	})
	return nil
}

// spend waits for a budget of sessions that is kept under a key, and takes one from it.
func (a *Adapter) spend(ctx context.Context, key string, budget gateway.Budget) error {
	storing := adapter.Retry{First: a.pace.retry, Most: time.Minute, Pause: adapter.Pause, Log: func(err error, again time.Duration) {
		a.log.WarnContext(ctx, "discord: a session can't begin yet", "err", err, "again in", again)
	}}
	return storing.Do(ctx, func() error {
		full, _ := time.Parse(time.RFC3339, a.state.Get(ctx, a.ofToken(key))) // none at first
		wait, then := budget.Spend(full, time.Now())
		if wait > a.pace.apart {
			a.log.WarnContext(ctx, "discord: too many sessions have begun today", "again in", wait)
		}
		if err := adapter.Pause(ctx, wait); err != nil {
			return err
		}
		return a.state.Put(ctx, a.ofToken(key), []byte(spelled(then)))
	})
}

// spelled is a moment as it is stored.
func spelled(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
