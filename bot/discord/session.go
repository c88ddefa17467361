package discord

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// errToken is the end of a bot whose token is refused.
var errToken = errors.New("discord: the token is wrong: copy the right one from the developer portal")

// How long a connection may take, and how long it may be silent.
const (
	openWithin  = 10 * time.Second
	lookEvery   = 5 * time.Second
	silentFor   = 100 * time.Second // two heartbeats, and something for the way
	lockedFor   = 20 * time.Second
	closeToken  = 4004
	closeIntent = 4014
)

// connect is on Discord until the connection ends, and says why.
func (a *Adapter) connect(ctx context.Context) error {
	s, err := discordgo.New("Bot " + a.config.Token)
	if err != nil {
		return err
	}
	var wire line
	s.Client = a.rest.Client
	s.Dialer = &websocket.Dialer{NetDialContext: wire.dial, HandshakeTimeout: openWithin}
	s.ShouldReconnectOnError, s.StateEnabled, s.SyncEvents = false, false, true
	s.Identify.Intents = discordgo.IntentGuilds | discordgo.IntentGuildMessages | discordgo.IntentDirectMessages
	if a.content {
		s.Identify.Intents |= discordgo.IntentMessageContent
	}
	work := context.WithoutCancel(ctx) // what was heard is carried out
	ended := make(chan struct{}, 1)
	s.AddHandler(func(*discordgo.Session, *discordgo.Disconnect) {
		select {
		case ended <- struct{}{}:
		default: // it is known already
		}
	})
	s.AddHandler(func(_ *discordgo.Session, r *discordgo.Ready) { a.ready(ctx, r) })
	s.AddHandler(func(_ *discordgo.Session, m *discordgo.MessageCreate) {
		if m.Message != nil {
			a.inOrder(m.ChannelID, func() { a.message(work, m.Message) })
		}
	})
	s.AddHandler(func(_ *discordgo.Session, i *discordgo.InteractionCreate) {
		if i.Interaction != nil {
			a.inOrder(i.ChannelID, func() { a.interaction(work, i.Interaction) })
		}
	})
	// A session that hangs is dropped without a word, and its line cut.
	defer wire.cut()
	opened := make(chan error, 1)
	go func() { opened <- s.Open() }()
	timer := time.NewTimer(openWithin)
	defer timer.Stop()
	select {
	case err := <-opened:
		if err != nil {
			return a.refused(err)
		}
	case <-timer.C:
		return errors.New("discord: connecting takes too long")
	case <-ctx.Done():
		return ctx.Err()
	}
	err = a.watch(ctx, s, ended)
	if s.TryLock() { // so that closing will not wait for ever
		s.Unlock()
		closed := make(chan struct{})
		go func() { _ = s.Close(); close(closed) }()
		select {
		case <-closed:
		case <-time.After(lookEvery):
		}
	}
	return err
}

// refused says what a connection that was not opened means.
func (a *Adapter) refused(err error) error {
	var closed *websocket.CloseError
	var rest *discordgo.RESTError
	switch {
	case errors.As(err, &closed) && closed.Code == closeToken,
		errors.As(err, &rest) && rest.Response != nil && rest.Response.StatusCode == http.StatusUnauthorized:
		return errToken
	case errors.As(err, &closed) && closed.Code == closeIntent && a.content:
		a.content = false
		a.log.Warn("discord: the portal does not grant the intent for message content: plain moves are read only where the bot is addressed")
	}
	return err
}

// watch waits until a connection has ended, or is as good as dead.
func (a *Adapter) watch(ctx context.Context, s *discordgo.Session, ended <-chan struct{}) error {
	timer := time.NewTicker(lookEvery)
	defer timer.Stop()
	locked := time.Time{}
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ended:
			return errors.New("discord: the connection was closed")
		case now := <-timer.C:
			if !s.TryRLock() {
				if locked.IsZero() {
					locked = now
				}
				if now.Sub(locked) > lockedFor {
					return errors.New("discord: the session hangs")
				}
				continue
			}
			locked = time.Time{}
			last := s.LastHeartbeatAck
			s.RUnlock()
			if now.Sub(last) > silentFor {
				return errors.New("discord: nothing is heard any more")
			}
		}
	}
}

// line is the connection below a session.
type line struct {
	mu    sync.Mutex
	conns []net.Conn
}

func (l *line) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.conns = append(l.conns, conn)
	}
	return conn, err
}

// cut closes whatever was opened.
func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.conns {
		_ = c.Close()
	}
}
