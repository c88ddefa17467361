package discord

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// link is a session of a shard, over one connection after the other.
type link struct {
	session *discordgo.Session
	hear    func(kind string, data []byte)
	down    chan struct{} // a connection has ended

	mu     sync.Mutex
	pipe   net.Conn        // from the library to the relay
	near   *websocket.Conn // the newest connection: the library's end of the relay, and Discord's
	far    *websocket.Conn
	resume string        // where Discord wants the session to go on
	spent  bool          // it cannot go on
	stage  stage         // how far the last connection came
	code   int           // with which Discord has closed the connection, or 0
	beat   time.Duration // between two heartbeats
	heard  time.Time     // when Discord last said something
}

// stage is how far a connection has come.
type stage int

const (
	unreached stage = iota
	reached         // Discord has answered
	joined          // the session has begun, or gone on
)

// newLink makes a link for the shard; what comes is handled with the context.
func (s *shard) newLink(ctx context.Context) *link {
	l := &link{down: make(chan struct{}, 1)}
	l.hear = func(kind string, data []byte) {
		defer s.a.rescue(ctx, "event")
		s.a.event(ctx, kind, data)
	}
	session, err := discordgo.New("Bot " + s.a.token)
	if err != nil {
		panic("discord: " + err.Error()) // it has no reason to fail
	}
	l.session = session
	session.Client = s.a.rest.Client
	session.ShouldReconnectOnError = false
	session.ShouldRetryOnRateLimit = false
	session.MaxRestRetries = 0
	session.LogLevel = -1 // what goes wrong is told in other ways
	session.StateEnabled = false
	session.SyncEvents = true
	session.ShardID, session.ShardCount = s.id, s.of
	session.Identify.Intents = intents
	if s.a.wordy.Load() {
		session.Identify.Intents |= intentContent
	}
	session.Dialer = &websocket.Dialer{
		HandshakeTimeout:  s.a.pace.open,
		NetDialContext:    func(context.Context, string, string) (net.Conn, error) { return l.dial("ws"), nil },
		NetDialTLSContext: func(context.Context, string, string) (net.Conn, error) { return l.dial("wss"), nil },
	}
	session.AddHandler(func(_ *discordgo.Session, _ *discordgo.Disconnect) {
		select {
		case l.down <- struct{}{}:
		default: // it is known
		}
	})
	return l
}

// cut ends the connection, whatever the session may do.
func (l *link) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pipe != nil {
		_ = l.pipe.Close()
	}
	if l.far != nil { // they may be closed already
		_ = l.near.Close()
		_ = l.far.Close()
	}
}

// ended is how the last connection ended: with which code of Discord's, 0 if with none,
// and whether the session can go on.
func (l *link) ended() (code int, alive bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.code, !l.spent
}

// came is how far the last connection came.
func (l *link) came() stage {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stage
}

var (
	errHung = errors.New("the session hangs")
	errSlow = errors.New("connecting has taken too long")
)

// open connects, and goes on with the session if there has been a connection before.
func (l *link) open(ctx context.Context, patience time.Duration) error {
	select {
	case <-l.down:
	default:
	}
	l.mu.Lock()
	l.code, l.stage = 0, unreached
	l.mu.Unlock()
	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- fmt.Errorf("%w: panic: %v", errHung, p)
			}
		}()
		done <- l.session.Open()
	}()
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case err := <-done:
		if errors.Is(err, discordgo.ErrWSAlreadyOpen) {
			return nil
		}
		return err
	case <-ctx.Done():
		l.cut()
		return ctx.Err()
	case <-late.C:
	}
	l.cut()
	const grace = time.Second
	late.Reset(grace)
	select {
	case err := <-done:
		return errors.Join(errSlow, err)
	case <-late.C:
		return errHung
	}
}

// watch waits until the connection has ended, and reports whether the session can go on.
func (l *link) watch(ctx context.Context, p pace) bool {
	tick := time.NewTicker(p.look)
	defer tick.Stop()
	free := time.Now() // when the lock was last seen free
	for {
		select {
		case <-ctx.Done():
			l.end()
			return false
		case <-l.down:
			_, alive := l.ended()
			return alive
		case <-tick.C:
		}
		if l.silent() > p.silence {
			return l.drop(p.stuck)
		}
		if !l.session.TryRLock() {
			if time.Since(free) > p.stuck {
				l.cut()
				return false
			}
			continue
		}
		l.session.RUnlock()
		free = time.Now()
	}
}

// silent is for how long Discord has said nothing, beyond the time from one heartbeat, which
// it answers, to the next.
func (l *link) silent() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Since(l.heard) - l.beat
}

// drop cuts a silent connection, and reports whether the session has noticed.
func (l *link) drop(patience time.Duration) bool {
	l.cut()
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-l.down:
		return true
	case <-late.C:
		return false
	}
}

// end says goodbye, and does not wait for an answer.
func (l *link) end() {
	l.mu.Lock()
	far := l.far
	l.mu.Unlock()
	if far != nil {
		const patience = time.Second
		_ = far.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Now().Add(patience)) // it may be gone
	}
	l.cut()
}
