// Package discord is the bot on Discord, over github.com/bwmarrin/discordgo, which it
// alone imports.
//
// # Design
//
// The library makes the requests (call.go) and has the types of what goes over the wire. Its
// gateway is not used, since it can hang for good and loses events; package gateway takes its place.
// Each shard keeps one session (shard.go).
//
// Requests go through a limiter (package ratelimit) that learns the limits from what Discord answers,
// takes the headers about them away from the library, which would sleep on them, and
// makes an error of each refusal that asks to wait. It counts what brings a ban near, and
// stops long before. What is refused in a channel is not asked again for a while (call.go).
//
// Events are read from their JSON (hear.go): the library's types come out empty where a
// message has a component that it does not know.
//
// Messages of one channel are handled in order, different channels side by side
// (adapter.Queues). A press or a command that takes longer than a second or so is deferred
// (reply.go).
//
// Where the bot is not a member it can only answer: what waits to be said there is said through
// the newest interaction (reply.go).
//
// A game in a server has a thread where that can be (room.go). The bot itself knows
// nothing of that: to it all is said in the channel, and what is said in the thread is
// about its game.
package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	lru "github.com/hashicorp/golang-lru/v2"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/discord/ratelimit"
	"chimera/bot/outbox"
	"chimera/storage"
)

// Platform is the name of the platform in addresses.
const Platform = "discord"

// Config is what an Adapter needs to know.
type Config struct {
	Token        string
	APIURL       string // "" for Discord's own
	ClientSecret string // lets boards be opened inside Discord; "" if they are not
}

// Adapter is the bot on Discord. It is safe for concurrent use.
type Adapter struct {
	bot   *bot.Bot
	state *adapter.State
	log   *slog.Logger
	token string
	pace  pace

	secret     string      // of the client
	unlaunched sync.Once   // when Discord first refuses to launch the Activity
	flat       atomic.Bool // Discord has refused a message that is laid out
	formless   atomic.Bool // or a form with more than text

	limiter *ratelimit.Limiter
	rest    *discordgo.Session // makes requests, and is never opened
	buckets atomic.Uint64      // of requests about interactions, one after the other

	incoming adapter.Queues // what people said, by channel
	outgoing adapter.Queues // what they are answered, by channel
	work     adapter.Queues
	sweeping atomic.Int64 // how many old messages wait to lose their buttons

	connection
	catchUp
	replyChannels
	refusals

	languages *lru.Cache[string, string]        // by server, as Discord has it
	chats     *lru.Cache[string, string]        // by account, the channel of their chat with the bot
	ids       atomic.Pointer[map[string]string] // of commands, by their names

	post    *outbox.Outbox  // from when Run has begun
	running context.Context // likewise; ends when Run shall
}

// connection is what all shards have in common.
type connection struct {
	starting chan struct{} // held while a session begins
	opened   atomic.Pointer[time.Time]
	me       atomic.Pointer[self]
	readsAll atomic.Bool // the contents of all messages can be had
	down     sync.Map    // why shards of this process are not connected, by their numbers
}

// cache keeps what is only of use for a while, by some id.
func cache[V any]() *lru.Cache[string, V] {
	c, _ := lru.New[string, V](adapter.Watched) // the number is good
	return c
}

// self is who the bot is.
type self struct{ User, Application string }

// pace is how long things may take.
type pace struct {
	open    time.Duration // to connect, and until Discord greets
	silence time.Duration // beyond the time from one heartbeat to the next
	brief   time.Duration // a connection that lasts longer may be followed by another at once
	apart   time.Duration // between two new sessions
	retry   time.Duration // after the first failure to connect
	ack     time.Duration // until an interaction is deferred
	answer  time.Duration // until the first answer to it must have come
	told    time.Duration // for everyone to hear of what was done: where the bot is not, or in a new thread
	first   time.Duration // for one try of that
	refused time.Duration // before a refused request is made again
	denied  time.Duration // the same, if permissions have changed since
	grace   time.Duration // for work under way once Run has to end
}

// usual is the pace at Discord, where heartbeats are 41 s apart, sessions begin 5 s apart, and an
// interaction must be answered within 3 s.
func usual() pace {
	return pace{
		open: 12 * time.Second, silence: 15 * time.Second, brief: 5 * time.Second,
		apart: 5250 * time.Millisecond, retry: time.Second, ack: 1500 * time.Millisecond,
		answer: 2800 * time.Millisecond, told: 1200 * time.Millisecond, first: 1200 * time.Millisecond, refused: 5 * time.Minute, denied: 10 * time.Second,
		grace: 5 * time.Second,
	}
}

// Discord ends a token that has begun 1,000 sessions in a day.
const (
	startsADay   = 600
	startsAtOnce = 200
)

const day = 24 * time.Hour

// New makes an Adapter, and talks to nobody yet.
func New(config Config, b *bot.Bot, log *slog.Logger) (*Adapter, error) {
	var to *url.URL
	if config.APIURL != "" {
		var err error
		if to, err = url.Parse(strings.TrimSuffix(config.APIURL, "/")); err != nil {
			return nil, fmt.Errorf("discord: address of the API: %w", err)
		}
	}
	a := &Adapter{
		token: config.Token, bot: b, state: adapter.NewState(b.Store, Platform, log), log: log, secret: config.ClientSecret, pace: usual(),
		connection:    connection{starting: make(chan struct{}, 1)},
		catchUp:       catchUp{readers: make(chan struct{}, readersAtOnce), talk: cache[int]()},
		replyChannels: replyChannels{newest: cache[*reply](), tokens: cache[string]()},
		refusals:      refusals{known: cache[denial](), spent: cache[time.Time]()}, languages: cache[string](), chats: cache[string](),
	}
	a.handled, _ = lru.New[string, bool](maxHandled) // the number is good
	a.limiter = ratelimit.New(to)
	a.limiter.Inner = b.Metrics.Transport(Platform, adapter.LeaseCheck{Roles: b.Roles(), Inner: a.limiter.Inner, Timeout: callTimeout})
	a.readsAll.Store(true)
	a.down.Store(notReached, "not reached yet")
	var err error
	a.rest, err = a.session("Bot " + config.Token)
	return a, err
}

// session makes requests as whoever has some credentials.
func (a *Adapter) session(credentials string) (*discordgo.Session, error) {
	s, err := discordgo.New(credentials)
	if err == nil {
		s.Client = &http.Client{Transport: a.limiter}
		s.ShouldRetryOnRateLimit, s.MaxRestRetries = false, 0
	}
	return s, err
}

const callTimeout = 25 * time.Second

// Limits are Discord's 50 requests a second, some of which are left for requests other than messages.
// The limits of channels are learned from its answers.
func (a *Adapter) Limits(storage.Address) []outbox.Limit {
	if !a.limiter.Limited() {
		return nil
	}
	return []outbox.Limit{
		{Name: "all", Every: ratelimit.ASecond / ratelimit.PerSecond, Burst: ratelimit.PerSecond, Everywhere: true},
		{Name: "answers", Every: 2 * ratelimit.ASecond / ratelimit.PerSecond, Burst: ratelimit.PerSecond / 4, Everywhere: true, Answers: true},
	}
}

// Run is in the servers until the context is done, or until Discord refuses the token.
func (a *Adapter) Run(ctx context.Context, post *outbox.Outbox) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	a.post, a.running = post, ctx
	a.work.Add("speaks", func() {
		_, err := a.bot.Roles().Hold(ctx, "chat/"+Platform)
		a.speaks.Store(err == nil)
	})
	shards, err := a.listen(ctx, 0)
	for errors.Is(err, errShards) {
		a.leave(ctx, shards)
		shards, err = a.listen(ctx, len(shards))
	}
	end()
	a.incoming.Close()
	a.outgoing.Close()
	a.work.Close()
	a.leave(ctx, shards)
	return err
}

// errToken is returned where Discord does not know the token.
var errToken error = &outbox.Never{Err: errors.New("discord: the token is wrong: copy it anew from the Bot page of the developer portal")}

// self is who the bot is, nil if that is not known yet. Other processes may have been told.
func (a *Adapter) self(ctx context.Context) *self {
	var me self
	if a.me.Load() == nil && json.Unmarshal([]byte(a.state.Get(ctx, a.ofToken(keySelf))), &me) == nil {
		a.me.Store(&me)
	}
	return a.me.Load()
}

// meet notes who the bot is.
func (a *Adapter) meet(ctx context.Context, me self) {
	a.me.Store(&me)
	if text, err := json.Marshal(me); err == nil {
		a.state.Set(ctx, a.ofToken(keySelf), string(text))
	}
}

// await waits, but not beyond the end of Run.
func (a *Adapter) await(_ context.Context, wait time.Duration) error {
	return adapter.Pause(a.running, wait)
}

// rescue logs a panic, and goes on.
func (a *Adapter) rescue(ctx context.Context, doing string) {
	if p := recover(); p != nil {
		a.log.ErrorContext(ctx, "discord: panic", "doing", doing, "panic", fmt.Sprint(p))
	}
}
