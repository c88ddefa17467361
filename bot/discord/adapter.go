package discord

import (
	"context"
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
	"chimera/bot/limit"
	"chimera/bot/outbox"
	"chimera/storage"
)

// Platform is the name of the platform in addresses.
const Platform = "discord"

// Config is what an Adapter needs to know.
type Config struct {
	Token  string
	APIURL string // "" for Discord's own
}

// Adapter is the bot on Discord. It is safe for concurrent use.
type Adapter struct {
	token     string
	bot       *bot.Bot
	state     *adapter.State
	log       *slog.Logger
	limiter   *ratelimit.Limiter
	rest      *discordgo.Session // makes requests, and is never opened
	pace      pace
	starting  chan struct{}  // held while a session begins
	incoming  adapter.Queues // what people said, by channel
	outgoing  adapter.Queues // what they are answered, by channel
	work      adapter.Queues
	readers   chan struct{} // as many read at once what was missed
	turns     turns         // of what is told of late
	sweeper   sweeper
	handled   *lru.Cache[string, bool]   // messages, which Discord may tell of again
	doors     *lru.Cache[string, *asked] // by channel, what was wanted last of the bot where it is not
	tokens    *lru.Cache[string, string] // of interactions there, by their ids
	spoken    *lru.Cache[string, string] // by server, its language as Discord has it
	talk      *lru.Cache[string, int]    // by channel, how much was said there to nobody
	chats     *lru.Cache[string, string] // by account, the channel of their chat with the bot
	refusals  *lru.Cache[string, denial]
	permitted atomic.Int64                  // when permissions were last changed somewhere, in nanoseconds
	spent     *lru.Cache[string, time.Time] // by account and by server, of what cannot be answered
	behind    sync.Map                      // channels of which some messages are still to be read
	hearing   sync.RWMutex
	deaf      bool            // nothing is taken in any more
	post      *outbox.Outbox  // from when Run has begun
	running   context.Context // likewise; ends when Run shall
	begun     chan struct{}   // closed when Run has begun
	contact   contact

	speaks   atomic.Bool // this process says what waits for Discord
	me       atomic.Pointer[self]
	readsAll atomic.Bool                       // the contents of all messages can be had
	opened   atomic.Pointer[time.Time]         // when a connection was last begun
	ids      atomic.Pointer[map[string]string] // of commands, by their names
	buckets  atomic.Uint64                     // of answers to interactions, one after the other
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
	told    time.Duration // until everyone hears what went well, where the bot is not, or in a thread
	first   time.Duration // that one try to answer it may take
	refused time.Duration // for which is not asked again what was refused
	denied  time.Duration // the same where permissions have changed since
	grace   time.Duration // that what was heard may still take when Run shall end
}

// usual is the pace at Discord: heartbeats are 41 s apart there, sessions begin 5 s
// apart, and an interaction must be answered in 3 s.
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

// readersAtOnce leave most of what Discord takes to what is said now.
const readersAtOnce = 8

// maxHandled is how many messages are known that were handled.
const maxHandled = 8192

const day = 24 * time.Hour

// New makes an Adapter, and talks to nobody yet.
func New(config Config, b *bot.Bot, log *slog.Logger) (*Adapter, error) {
	rest, err := discordgo.New("Bot " + config.Token)
	if err != nil {
		return nil, err
	}
	var to *url.URL
	if config.APIURL != "" {
		if to, err = url.Parse(strings.TrimSuffix(config.APIURL, "/")); err != nil {
			return nil, fmt.Errorf("discord: address of the API: %w", err)
		}
	}
	a := &Adapter{
		token: config.Token, bot: b, state: adapter.NewState(b.Store, Platform, log), log: log, rest: rest, pace: usual(),
		starting: make(chan struct{}, 1), sweeper: sweeper{rest: map[string]time.Time{}}, begun: make(chan struct{}),
		readers: make(chan struct{}, readersAtOnce),
	}
	a.handled, _ = lru.New[string, bool](maxHandled)     // the numbers are good
	a.talk, _ = lru.New[string, int](limit.Watched)      // likewise
	a.doors, _ = lru.New[string, *asked](limit.Watched)  // likewise
	a.spoken, _ = lru.New[string, string](limit.Watched) // likewise
	a.tokens, _ = lru.New[string, string](limit.Watched) // likewise
	a.chats, _ = lru.New[string, string](limit.Watched)
	a.refusals, _ = lru.New[string, denial](limit.Watched)
	a.spent, _ = lru.New[string, time.Time](limit.Watched)
	a.limiter = ratelimit.New(to)
	a.limiter.Inner = b.Metrics.Transport(Platform, adapter.LeaseCheck(b.Roles(), a.limiter.Inner, callTimeout))
	a.limiter.Tightened = func() { a.work.Add("limits", func() { a.state.Set(context.Background(), keyLimited, "yes") }) }
	rest.Client = &http.Client{Transport: a.limiter}
	rest.ShouldRetryOnRateLimit = false
	rest.MaxRestRetries = 0
	a.readsAll.Store(true)
	return a, nil
}

// keyLimited is remembered where requests are limited.
const keyLimited = "limited"

const callTimeout = 25 * time.Second

// Limits are Discord's: 50 requests a second in all, of which some are left for others
// than messages. Those of a channel are learned from what Discord answers.
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
	a.post, a.running = post, ctx
	close(a.begun)
	if a.state.Get(ctx, keyLimited) != "" {
		a.limiter.Tighten()
	}
	listening, end := context.WithCancel(ctx)
	defer end()
	a.work.Add("speaks", func() {
		_, err := a.bot.Roles().Hold(listening, "chat/"+Platform)
		a.speaks.Store(err == nil)
	})
	shards, err := a.listen(ctx, 0)
	for errors.Is(err, errShards) {
		a.leave(ctx, shards)
		shards, err = a.listen(ctx, len(shards))
	}
	end()
	a.hearing.Lock() // connections may not have noticed yet
	a.deaf = true
	a.hearing.Unlock()
	a.incoming.Close()
	a.outgoing.Close()
	a.work.Close()
	a.leave(ctx, shards)
	return err
}

// errToken is returned where Discord does not know the token.
var errToken error = &outbox.Never{Err: errors.New("discord: the token is wrong: copy it anew from the Bot page of the developer portal")}

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
