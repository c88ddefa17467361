// Package gateway receives events from Discord.
package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// The gateway is Discord's stream of events. Session of discordgo v0.29.0 is not used for it, since that
//   - hangs for good in its own lock if op 7 comes before READY or RESUMED;
//   - needs five heartbeats without an answer to notice a dead connection, and then closes it
//     with 1000, which ends the session: its events are lost;
//   - begins another session on the same connection after op 9, without a pause;
//   - goes on with a session at the usual address, not where READY has said;
//   - tries for ever after 4004 and 4014;
//   - gives events to handlers in no order, rescues none that panics, and leaves a message
//     empty that has a component which it does not know.

// Session is a session of Discord's, carried by one connection after another. Only one goroutine may call Connect.
type Session struct {
	Identify discordgo.Identify                            // how it begins
	Open     time.Duration                                 // to connect, and until Discord greets
	Silence  time.Duration                                 // beyond the time from one heartbeat to the next
	Hear     func(Event)                                   // takes events; must return at once
	Beat     func()                                        // is called with each heartbeat
	Find     func(context.Context) (url string, err error) // the usual address

	mu    sync.Mutex     // guards its progress, set once it has begun:
	at    Mark           // its Seq is that of the last event
	open  map[int64]bool // the events that are not handled yet, by their numbers
	late  bool           // it is resuming, and Discord sends what was missed
	taken bool           // from another process, and not resumed here yet
	over  bool           // it cannot be resumed
}

// End is how far a connection got, and the code with which Discord closed it, or 0.
type End struct {
	Stage Stage
	Code  int
}

// connection is a connection to the gateway.
type connection struct {
	End
	on       *Session
	socket   *websocket.Conn
	patience time.Duration // how long Discord may be silent
	writing  sync.Mutex
}

// Stage is how far a connection got.
type Stage int

// The stages.
const (
	Unreached Stage = iota
	Reached         // Discord has answered
	Joined          // the session has begun, or resumed
)

// Kinds of events with which a session begins or resumes.
const (
	Ready   = "READY"
	Resumed = "RESUMED"
)

// Codes with which Discord closes a connection.
const (
	NoSession = 4003
	BadToken  = 4004
	Invalid   = 4006
	Sequence  = 4007
	Timeout   = 4009
	BadShard  = 4010
	Sharding  = 4011 // more shards are needed
	Version   = 4012
	BadIntent = 4013
	Forbidden = 4014 // an intent that was not granted
)

// maxPacket is the greatest length of a packet from Discord, in bytes.
const maxPacket = 64 << 20

// Connect resumes the session, or begins it, until the connection ends or the context is done. The error says why it
// ended, and is never nil.
func (s *Session) Connect(ctx context.Context) (End, error) {
	c := &connection{on: s, patience: s.Open}
	opening, opened := context.WithTimeout(ctx, s.Open)
	defer opened()
	address, err := s.address(opening)
	if err != nil {
		return c.End, err
	}
	socket, answer, err := websocket.DefaultDialer.DialContext(opening, address, nil)
	if err != nil {
		s.set(func() { s.at.URL = "" }) // the usual address may be better
		return c.End, err
	}
	_ = answer.Body.Close()               // of a handshake, it is empty
	defer func() { _ = socket.Close() }() // without a close frame, so that the session can resume
	socket.SetReadLimit(maxPacket)
	c.socket, c.Stage = socket, Reached
	ctx, end := context.WithCancel(ctx)
	defer end()
	defer context.AfterFunc(ctx, c.leave)()
	for {
		_ = socket.SetReadDeadline(time.Now().Add(c.patience)) // then reading fails, too
		_, data, err := socket.ReadMessage()
		if closed := (*websocket.CloseError)(nil); errors.As(err, &closed) {
			c.Code = closed.Code
			ends := slices.Contains([]int{websocket.CloseNormalClosure, websocket.CloseGoingAway, NoSession, Invalid, Sequence, Timeout, BadIntent, Forbidden}, closed.Code)
			s.set(func() { s.over = s.over || ends })
		}
		if err == nil {
			err = c.packet(ctx, data)
		}
		if err != nil {
			return c.End, err
		}
	}
}

// address is where the session resumes or, if it has not begun, the usual address.
func (s *Session) address(ctx context.Context) (string, error) {
	at, _ := s.Mark()
	to, err := url.Parse(at.URL)
	if err != nil || to.Host == "" || !strings.HasPrefix(to.Scheme, "ws") {
		usual, err := s.Find(ctx)
		if err != nil {
			return "", err
		}
		if to, err = url.Parse(usual); err != nil {
			return "", err
		}
	}
	to.Path, to.RawQuery = cmp.Or(to.Path, "/"), "v="+discordgo.APIVersion+"&encoding=json"
	return to.String(), nil
}

// Opcodes.
const (
	opEvent     = 0
	opBeat      = 1
	opIdentify  = 2
	opResume    = 6
	opReconnect = 7
	opInvalid   = 9
	opHello     = 10
)

var errEnded = errors.New("the connection has ended")

// packet handles a packet from Discord. An error ends the connection.
func (c *connection) packet(ctx context.Context, data []byte) error {
	var p struct {
		Op   *int
		Seq  int64           `json:"s"`
		Type string          `json:"t"`
		Data json.RawMessage `json:"d"`
	}
	if json.Unmarshal(data, &p) != nil || p.Op == nil {
		return nil // it says nothing
	}
	switch *p.Op {
	case opEvent:
		c.event(p.Seq, p.Type, p.Data)
	case opHello:
		return c.greet(ctx, p.Data)
	case opBeat:
		return c.beat()
	case opInvalid:
		c.on.set(func() { c.on.over = c.on.over || string(p.Data) != "true" })
		return errEnded
	case opReconnect:
		return errEnded
	}
	return nil
}

// event handles an event.
func (c *connection) event(seq int64, kind string, data json.RawMessage) {
	e := c.on.event(seq, kind, data)
	switch kind {
	case Ready:
		var r struct {
			SessionID string `json:"session_id"`
			Resume    string `json:"resume_gateway_url"`
		}
		if json.Unmarshal(data, &r) == nil {
			c.on.set(func() { c.on.at.ID, c.on.at.URL = r.SessionID, r.Resume })
			c.Stage = Joined
		}
	case Resumed:
		c.Stage = Joined
	}
	c.on.Hear(e)
}

// greet answers Discord's greeting, which states the interval of heartbeats.
func (c *connection) greet(ctx context.Context, data json.RawMessage) error {
	var hello struct {
		Interval int64 `json:"heartbeat_interval"` // milliseconds
	}
	if json.Unmarshal(data, &hello) != nil || hello.Interval <= 0 {
		return errEnded
	}
	every := time.Duration(hello.Interval) * time.Millisecond
	c.patience = every + c.on.Silence
	go c.beats(ctx, every)
	id, seq := c.on.goOn()
	if id == "" {
		return c.say(opIdentify, c.on.Identify)
	}
	return c.say(opResume, map[string]any{"token": c.on.Identify.Token, "session_id": id, "seq": seq})
}

// beats sends heartbeats until the context is done. The first is at a random time, so that connections that begin
// together do not beat together.
func (c *connection) beats(ctx context.Context, every time.Duration) {
	for wait := rand.N(every); ; wait = every { //nolint:gosec // it is no secret
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		if c.beat() != nil {
			return // reading fails, too
		}
		c.on.Beat()
	}
}

func (c *connection) beat() error {
	if _, seq := c.on.last(); seq > 0 {
		return c.say(opBeat, seq)
	}
	return c.say(opBeat, nil)
}

func (c *connection) say(op int, data any) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	return c.socket.WriteJSON(map[string]any{"op": op, "d": data})
}

// leave closes the connection, and does not wait for an answer. Discord ends a session that is closed with 1000 or
// 1001, and lets it resume after any other code.
func (c *connection) leave() {
	const patience, goesOn = time.Second, 4200
	_ = c.socket.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(goesOn, ""), time.Now().Add(patience)) // Discord may be gone
	_ = c.socket.Close()                                                                                                  // likewise
}

// Mark is how far a session has got; any process can resume it from there.
type Mark struct {
	ID  string // of the session
	URL string // where to resume; "" for the usual address
	Seq int64  // all events up to this one were handled
}

// Event is something that has happened.
type Event struct {
	Kind  string
	Data  json.RawMessage
	Late  bool   // it happened while the session had no connection
	Again bool   // it may have been handled by another process
	Done  func() // must be called once it was handled
}

// set changes the session's progress under the lock.
func (s *Session) set(note func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	note()
}

// Take makes a session that has not begun continue one of another process.
func (s *Session) Take(m Mark) {
	s.set(func() { s.at, s.taken = m, true })
}

// Mark is how far the session has got. False means that no other process can resume it.
func (s *Session) Mark() (Mark, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.at
	for seq := range s.open {
		m.Seq = min(m.Seq, seq-1)
	}
	return m, m.ID != "" && m.Seq > 0 && !s.over
}

// Over reports whether the session cannot be resumed.
func (s *Session) Over() (over bool) {
	s.set(func() { over = s.over })
	return over
}

// last is the session's id, "" if it has not begun, and the number of its last event.
func (s *Session) last() (id string, seq int64) {
	s.set(func() { id, seq = s.at.ID, s.at.Seq })
	return id, seq
}

// goOn is last, for a connection that begins.
func (s *Session) goOn() (id string, seq int64) {
	s.set(func() { s.late = s.at.ID != "" })
	return s.last()
}

// event notes an event, which counts as handled once its Done was called.
func (s *Session) event(seq int64, kind string, data json.RawMessage) Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := Event{Kind: kind, Data: data, Late: s.late, Again: s.late && s.taken, Done: func() {}}
	if kind == Ready || kind == Resumed {
		s.late, s.taken = false, false
	}
	if seq <= s.at.Seq {
		return e
	}
	if s.open == nil {
		s.open = map[int64]bool{}
	}
	s.at.Seq, s.open[seq] = seq, true
	e.Done = func() { s.set(func() { delete(s.open, seq) }) }
	return e
}

// Budget is how many sessions of a token may begin: Burst at once, and one more after each Every. Discord revokes a
// token that has begun 1,000 in a day.
type Budget struct {
	Every time.Duration
	Burst int
}

// Spend is how long a session that is to begin now has to wait. full is when Burst sessions can begin at once again;
// then is the same once this one has begun.
func (b Budget) Spend(full, now time.Time) (wait time.Duration, then time.Time) {
	if full.Before(now) {
		full = now
	}
	if latest := now.Add(time.Duration(b.Burst) * b.Every); full.After(latest) {
		full = latest // the clock was set back
	}
	then = full.Add(b.Every)
	return max(0, then.Sub(now)-time.Duration(b.Burst)*b.Every), then
}
