// Package discord is the bot on Discord. It alone imports github.com/bwmarrin/discordgo.
//
// # Design
//
// The library makes the requests and defines the types that go over the wire. Its gateway is not used, since it can
// hang for good and loses events; package gateway takes its place. Each shard keeps one session (shard.go).
//
// Requests go through a limiter (package ratelimit) that learns the limits from Discord's answers. It removes the
// headers about them, on which the library would sleep, and turns each refusal that asks to wait into an error. It
// counts the refusals that lead to a ban, and stops long before one. A request refused in a channel is not repeated
// there for a while.
//
// Events are read from their JSON (hear.go): the library leaves a message empty if it has a component of an unknown
// type.
//
// Messages of one channel are handled in order, different channels side by side
// (adapter.Queues). A press or a command that takes longer than a second or so is deferred
// (reply.go).
//
// Where the bot is not a member it can only answer interactions, so messages for such a room go through the newest one
// (reply.go).
//
// A game in a server has its own thread if possible (send.go). The core does not know about threads: it addresses the
// channel, and takes what is said in a thread to be about its game.
package discord

import (
	"bytes"
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
	"golang.org/x/sync/semaphore"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/discord/gateway"
	"chimera/bot/discord/ratelimit"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/rules/phrase"
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
	sweeping atomic.Int64 // number of old messages waiting to lose their buttons

	catchUp
	replyChannels

	// Shared by all shards.
	starting *semaphore.Weighted // held while a session begins
	opened   atomic.Pointer[time.Time]
	me       atomic.Pointer[self]
	readsAll atomic.Bool // the bot may read all messages
	down     sync.Map    // why shards of this process are not connected, by number

	// Refusals, and budgets for messages that cannot be answered.
	known     *lru.Cache[string, denial]
	permitted atomic.Int64                  // when permissions were last changed somewhere, in nanoseconds
	spent     *lru.Cache[string, time.Time] // when these budgets are full again, by account and by server

	languages *lru.Cache[string, string]        // by server, as Discord has it
	chats     *lru.Cache[string, string]        // by account, the channel of their chat with the bot
	ids       atomic.Pointer[map[string]string] // of commands, by their names

	post    *outbox.Outbox  // set once Run has begun
	running context.Context // likewise; done when Run has to end
}

// cache keeps values by id, as long as they are recent.
func cache[V any]() *lru.Cache[string, V] { return message.Recent[string, V](adapter.Watched) }

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
	told    time.Duration // until everyone has been told of an action: where the bot is not, or in a new thread
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

// Discord revokes a token that has begun 1,000 sessions in a day.
const (
	startsADay   = 600
	startsAtOnce = 200
)

const day = 24 * time.Hour

// New makes an Adapter, and talks to nobody yet.
func New(config Config, b *bot.Bot, log *slog.Logger) (*Adapter, error) {
	to, err := url.Parse(strings.TrimSuffix(config.APIURL, "/"))
	if err != nil {
		return nil, fmt.Errorf("discord: address of the API: %w", err)
	}
	a := &Adapter{
		token: config.Token, bot: b, state: adapter.NewState(b.Store, Platform, log), log: log, secret: config.ClientSecret, pace: usual(),
		catchUp:       catchUp{handled: message.Recent[string, bool](maxHandled), talk: cache[int](), readers: make(chan struct{}, readersAtOnce)},
		replyChannels: replyChannels{newest: cache[*reply](), tokens: cache[string]()},
		starting:      semaphore.NewWeighted(1), known: cache[denial](), spent: cache[time.Time](), languages: cache[string](), chats: cache[string](),
	}
	a.limiter = ratelimit.New(to)
	a.limiter.Inner = b.Metrics.Transport(Platform, adapter.LeaseCheck{Roles: b.Roles(), Inner: a.limiter.Inner, Timeout: callTimeout})
	a.readsAll.Store(true)
	a.down.Store(0, "not reached yet") // for all shards, until Discord has answered how many there are
	a.rest = a.session("Bot " + config.Token)
	return a, nil
}

// session makes requests with the given credentials.
func (a *Adapter) session(credentials string) *discordgo.Session {
	s, _ := discordgo.New(credentials) // it never fails
	s.Client = &http.Client{Transport: a.limiter}
	s.ShouldRetryOnRateLimit, s.MaxRestRetries = false, 0
	return s
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

// Run connects to Discord until the context is done, or Discord refuses the token.
func (a *Adapter) Run(ctx context.Context, post *outbox.Outbox) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	a.post, a.running = post, ctx
	a.work.Add("speaks", func() {
		_, err := a.bot.Roles().Hold(ctx, "chat/"+Platform)
		if a.speaks.Store(err == nil); err == nil {
			a.state.CallRoll(ctx, func() error { return a.bot.Seasons.Absent(ctx, Platform, a.has) })
		}
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

// has reports whether somebody is a member of a server, or may be.
func (a *Adapter) has(ctx context.Context, server, account string) bool {
	err := adapter.Retry{First: a.pace.retry, Tries: 6, Pause: adapter.Pause, Verdict: refusedForGood}.Do(ctx, func() error {
		return a.call(ctx, http.MethodGet, "guilds/"+server+"/members/"+account, nil, nil)
	})
	return code(err) != discordgo.ErrCodeUnknownMember && code(err) != discordgo.ErrCodeUnknownUser
}

// errToken is returned where Discord does not know the token.
var errToken error = &outbox.Never{Err: errors.New("discord: the token is wrong: copy it anew from the Bot page of the developer portal")}

// self is who the bot is, nil if not known yet. Another process may have stored it.
func (a *Adapter) self(ctx context.Context) *self {
	var me self
	if a.me.Load() == nil && json.Unmarshal([]byte(a.state.Get(ctx, a.ofToken(keySelf))), &me) == nil {
		a.me.Store(&me)
	}
	return a.me.Load()
}

// await waits, but no longer than Run lasts.
func (a *Adapter) await(_ context.Context, wait time.Duration) error {
	return adapter.Pause(a.running, wait)
}

// rescue logs a panic, and goes on.
func (a *Adapter) rescue(ctx context.Context, doing string) {
	if p := recover(); p != nil {
		a.log.ErrorContext(ctx, "discord: panic", "doing", doing, "panic", fmt.Sprint(p))
	}
}

// Discord's codes that the library does not know.
const (
	codeNotTheseTwo = 50278 // two accounts have no server in common
	codeTooMany     = 40094 // no more messages may follow the first answer
)

// file is what goes with a message.
type file struct {
	name, kind string
	data       []byte
}

// call makes a request and reads the answer, unless into is nil.
func (a *Adapter) call(ctx context.Context, method, path string, body, into any, files ...file) (err error) {
	var contentType string
	var data []byte
	if len(files) > 0 {
		contentType, data, err = discordgo.MultipartBodyWithJSON(body, phrase.Each(files, func(f file) *discordgo.File {
			return &discordgo.File{Name: f.name, ContentType: f.kind, Reader: bytes.NewReader(f.data)}
		}))
	} else if body != nil {
		contentType = "application/json"
		data, err = json.Marshal(body)
	}
	if err != nil {
		return err
	}
	target := discordgo.EndpointAPI + path
	bucket := ratelimit.RouteOf(method, target)
	if ratelimit.IsInteraction(bucket) { // each has a bucket of its own, that the library would keep for ever
		const many = 256
		bucket = fmt.Sprint("interaction ", a.buckets.Add(1)%many)
	}
	answer, err := a.rest.RequestRaw(method, target, contentType, data, bucket, 0, discordgo.WithContext(ctx))
	if err != nil || into == nil || len(answer) == 0 {
		return err
	}
	return json.Unmarshal(answer, into)
}

// status is the HTTP status of a refusal, 0 if it is none.
func status(err error) int {
	if no := (*discordgo.RESTError)(nil); errors.As(err, &no) && no.Response != nil {
		return no.Response.StatusCode
	}
	return 0
}

// held is how long a refused request has to wait, nil if it failed for another reason.
func held(err error) *outbox.Later {
	wait, _ := errors.AsType[*outbox.Later](err)
	return wait
}

// passing reports whether a request failed for a reason that is gone within a minute.
func passing(err error) bool {
	if wait := held(err); wait != nil {
		return wait.Everywhere || wait.After < time.Minute
	}
	return err != nil && status(err)/100 != 4
}

// code is Discord's code of a refusal, 0 if it is none.
func code(err error) int {
	if no := (*discordgo.RESTError)(nil); errors.As(err, &no) && no.Message != nil {
		return no.Message.Code
	}
	return 0
}

// clean is an error without tokens and without what people wrote.
func (a *Adapter) clean(err error) string {
	said := err.Error()
	if no, is := errors.AsType[*discordgo.RESTError](err); is && no.Response != nil {
		if said = no.Response.Status; no.Message != nil {
			said += fmt.Sprintf(" (%d %s)", no.Message.Code, no.Message.Message)
		}
	} else if request, is := errors.AsType[*url.Error](err); is {
		said = fmt.Sprintf("%s: %v", request.Op, request.Err)
	}
	const most = 300 // the library puts whole pages into some
	return adapter.Clip(strings.Join(strings.Fields(strings.ReplaceAll(said, a.token, "•")), " "), most)
}

// failed logs that something has failed, unless the error is nil.
func (a *Adapter) failed(ctx context.Context, level slog.Level, what string, err error) {
	if err != nil {
		a.log.Log(ctx, level, "discord: "+what, "err", a.clean(err))
	}
}

// verdict is what a refusal means to the outbox.
func (a *Adapter) verdict(err error) error {
	if err == nil {
		return nil
	}
	said := errors.New("discord: " + a.clean(err))
	if wait := held(err); wait != nil {
		return &outbox.Later{After: wait.After, Everywhere: wait.Everywhere, Err: said}
	}
	switch at, no := status(err), code(err); {
	case at == http.StatusForbidden, no == discordgo.ErrCodeUnknownChannel, no == discordgo.ErrCodeCannotSendMessagesToThisUser, no == codeNotTheseTwo:
		return &outbox.Never{Gone: true, Err: said}
	case at == http.StatusBadRequest, at == http.StatusNotFound, at == http.StatusRequestEntityTooLarge:
		return &outbox.Never{Err: said}
	}
	return said
}

// Discord bans an address that makes too many requests it must refuse. So requests that it refused in a channel are not
// repeated for a while, and people who keep writing where the bot cannot answer are ignored for a while.

// denial is a refusal of Discord's, with its time.
type denial struct {
	err error
	at  time.Time
}

// Kinds of requests that Discord may refuse in a channel that accepts plain text.
const (
	inReply   = " in reply"
	withCard  = " with a card"
	withFiles = " with files"
	toEdit    = " to edit"
	toLaunch  = " to launch"
)

// refused is Discord's recent refusal of any of these, nil if there is none. After a change of permissions it is
// forgotten sooner, but not at once: somebody may change them all the time.
func (a *Adapter) refused(things ...string) error {
	for _, what := range things {
		no, ok := a.known.Get(what)
		changed := a.permitted.Load() >= no.at.UnixNano()
		if age := time.Since(no.at); ok && age < a.pace.refused && (!changed || age < a.pace.denied) {
			return no.err
		}
	}
	return nil
}

// refuse notes that Discord has refused something.
func (a *Adapter) refuse(what string, err error) { a.known.Add(what, denial{err, time.Now()}) }

// forgive notes that permissions have changed somewhere.
func (a *Adapter) forgive() { a.permitted.Store(time.Now().UnixNano()) }

// postTo writes a message into a channel, unless Discord has recently refused that there.
func (a *Adapter) postTo(ctx context.Context, channel string, p *post, into any) error {
	kind, reply := channel, channel
	if len(p.Attached) > 0 {
		kind += withFiles
	} else if p.Card != nil && p.Above == "" {
		kind += withCard
	}
	if p.Reference != nil {
		reply += inReply
	}
	if err := a.refused(channel, kind, reply); err != nil {
		return err
	}
	err := a.call(ctx, http.MethodPost, "channels/"+channel+"/messages", p.payload, into, p.files...)
	switch code(err) {
	case discordgo.ErrCodeCannotReplyWithoutPermissionToReadMessageHistory:
		a.refuse(reply, err)
	case discordgo.ErrCodeMissingPermissions:
		a.refuse(kind, err)
	case discordgo.ErrCodeMissingAccess, discordgo.ErrCodeCannotSendMessagesToThisUser, codeNotTheseTwo:
		a.refuse(channel, err)
	}
	return err
}

// spellOut puts what a message's card says into its text: without Embed Links, Discord silently drops cards.
func (a *Adapter) spellOut(ctx context.Context, channel, message string, p *post) {
	a.refuse(channel+withCard, errCard)
	change := map[string]any{"content": p.Content, "flags": discordgo.MessageFlagsSuppressEmbeds, "allowed_mentions": p.Mentions}
	err := a.call(ctx, http.MethodPatch, "channels/"+channel+"/messages/"+message, change, nil)
	a.failed(ctx, slog.LevelWarn, "card not spelled out", err)
}

var errCard = errors.New("discord: cards are left out")

// How many messages one person, and all people of a server, may write that cannot be answered.
//
//nolint:gochecknoglobals // never written
var (
	ofPerson = gateway.Budget{Every: time.Minute, Burst: 10}
	ofServer = gateway.Budget{Every: 6 * time.Second, Burst: 100}
)

// tired reports whether somebody has used up a budget.
func (a *Adapter) tired(who string, b gateway.Budget) bool {
	full, _ := a.spent.Get(who)
	wait, _ := b.Spend(full, time.Now())
	return wait > 0
}

// tire takes one from somebody's budget.
func (a *Adapter) tire(who string, b gateway.Budget) {
	full, _ := a.spent.Get(who)
	_, then := b.Spend(full, time.Now())
	a.spent.Add(who, then)
}
