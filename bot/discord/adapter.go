package discord

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/match"
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
	config Config
	bot    *bot.Bot
	match  *match.Service
	memory *bot.Memory
	log    *slog.Logger
	rest   *discordgo.Session // for requests alone; it is never opened
	post   *bot.Courier       // from when Run has begun
	lanes  bot.Lanes          // what is to be done, by room

	mu      sync.Mutex
	me      string // the bot's own id, from when it is connected
	content bool   // what people write is seen where they do not address the bot
}

const requestTimeout = 20 * time.Second

// New makes an Adapter, and talks to nobody yet.
func New(config Config, b *bot.Bot, service *match.Service, memory *bot.Memory, log *slog.Logger) (*Adapter, error) {
	a := &Adapter{config: config, bot: b, match: service, memory: memory, log: log, content: true}
	transport := &transport{base: http.DefaultTransport, now: time.Now}
	if config.APIURL != "" {
		address, err := url.Parse(config.APIURL)
		if err != nil {
			return nil, err
		}
		transport.host = address
	}
	var err error
	if a.rest, err = discordgo.New("Bot " + config.Token); err != nil {
		return nil, err
	}
	a.rest.Client = &http.Client{Transport: transport, Timeout: requestTimeout}
	a.rest.ShouldRetryOnRateLimit = false
	a.rest.MaxRestRetries = 0
	return a, nil
}

// Run is on Discord until the context is done, or until Discord refuses the token.
func (a *Adapter) Run(ctx context.Context, post *bot.Courier) error {
	a.post = post
	defer a.lanes.Close()
	wait := time.Second
	for {
		begun := time.Now()
		err := a.connect(ctx)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, errToken):
			return err
		}
		const steady = time.Minute
		if time.Since(begun) > steady {
			wait = time.Second
		}
		a.log.WarnContext(ctx, "discord: disconnected", "err", err, "again in", wait)
		if err := pause(ctx, wait); err != nil {
			return err
		}
		const most = time.Minute
		wait = min(2*wait, most)
	}
}

func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Limits are 40 messages a second in all, and five in five seconds in a room.
func (a *Adapter) Limits(place storage.Address) []bot.Limit {
	return []bot.Limit{
		{Name: "all", Every: time.Second / 40, Burst: 40, Everywhere: true},
		{Name: "channel " + place.ID, Every: time.Second, Burst: 5},
	}
}

// inOrder does something after what was begun before it in the same room, and side by
// side with what is done in others. What is not done, since the bot ends, is read again
// the next time.
func (a *Adapter) inOrder(room string, do func()) {
	a.lanes.Add(room, func() { a.survive(do) })
}

func (a *Adapter) survive(do func()) {
	defer func() {
		if p := recover(); p != nil {
			a.log.Error("discord: panic", "panic", fmt.Sprint(p))
		}
	}()
	do()
}

func (a *Adapter) self() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.me
}

func room(id string) storage.Address    { return storage.Address{Platform: Platform, ID: id} }
func account(id string) storage.Address { return storage.Address{Platform: Platform, ID: id} }
func server(id string) storage.Address {
	if id == "" {
		return storage.Address{}
	}
	return storage.Address{Platform: Platform, ID: id}
}
