package fake

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gorilla/websocket"
)

// Packet is a message of the gateway, in either direction.
type Packet struct {
	Op   int             `json:"op"`
	Data json.RawMessage `json:"d"`
	Seq  int             `json:"s,omitempty"`
	Type string          `json:"t,omitempty"`
}

// gateway is the part of Discord that tells what happens.
type gateway struct {
	Shards     int                    // the number that the bot is told to use
	Session    int                    // the number of the newest session
	Identified []int                  // intents of each IDENTIFY
	Resumed    int                    // how many times the bot asked to resume
	Again      int                    // how many connections came to the address that READY gave
	First      func(resume bool) bool // called before READY or RESUMED, which is not sent if it returns false
	Dumb       int                    // how many of the next connections are never greeted
	Deaf       bool                   // heartbeats are not answered
	NoContent  bool                   // the content intent is refused

	conn     *websocket.Conn // the newest
	sessions []*session      // that can be resumed
}

// session is what Discord tells a shard, over successive connections.
type session struct {
	id     string
	shard  [2]int
	conn   *websocket.Conn // nil if there is none
	seq    int             // of the last event
	events []Packet        // the last of them
}

// maxEvents is how many events are kept to resume a session.
const maxEvents = 10_000

// intentContent is the intent for the content of all messages.
const intentContent = 1 << 15

// The codes with which connections are closed.
const (
	closeToken     = 4004
	closeSequence  = 4007
	closeForbidden = 4014 // an intent
)

// The purposes of packets.
const (
	opBeat     = 1
	opIdentify = 2
	opResume   = 6
	opInvalid  = 9
	opHello    = 10
	opAck      = 11
)

// pathAgain is the path at which sessions are resumed.
const pathAgain = "/ws/again/"

// Listens reports whether the bot listens. The lock is held.
func (f *Discord) Listens() bool {
	return slices.ContainsFunc(f.sessions, func(s *session) bool { return s.conn != nil })
}

// Ready waits until the bot listens.
func (f *Discord) Ready() {
	f.t.Helper()
	f.Wait("a bot that listens", f.Listens)
}

func (f *Discord) listen(w http.ResponseWriter, r *http.Request) {
	upgrader := websocket.Upgrader{}
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	f.Lock()
	f.conn = conn
	if r.URL.Path == pathAgain {
		f.Again++
	}
	const interval = 1000
	if f.Dumb > 0 {
		f.Dumb--
	} else {
		sendTo(conn, Packet{Op: opHello, Data: json.RawMessage(fmt.Sprintf(`{"heartbeat_interval":%d}`, interval))})
	}
	f.Unlock()
	for {
		var p Packet
		if err = conn.ReadJSON(&p); err != nil {
			break
		}
		f.Lock()
		f.hear(conn, p)
		f.changed.Broadcast()
		f.Unlock()
	}
	f.Lock()
	defer f.Unlock()
	f.part(conn, websocket.IsCloseError(err, websocket.CloseNormalClosure, websocket.CloseGoingAway))
	f.changed.Broadcast()
}

// part notes that a connection has ended, and its session too if ended.
func (f *Discord) part(conn *websocket.Conn, ended bool) {
	if f.conn == conn {
		f.conn = nil
	}
	f.sessions = slices.DeleteFunc(f.sessions, func(s *session) bool {
		if s.conn != conn {
			return false
		}
		s.conn = nil
		return ended
	})
}

// hear takes in what the bot says.
func (f *Discord) hear(conn *websocket.Conn, p Packet) {
	switch p.Op {
	case opBeat:
		if !f.Deaf {
			sendTo(conn, Packet{Op: opAck})
		}
	case opIdentify:
		f.identify(conn, p.Data)
	case opResume:
		f.Resumed++
		if f.First == nil || f.First(true) {
			f.resume(conn, p.Data)
		}
	}
}

// resume resumes a session after an event.
func (f *Discord) resume(conn *websocket.Conn, data json.RawMessage) {
	var d struct {
		Token     string
		SessionID string `json:"session_id"`
		Seq       int
	}
	_ = json.Unmarshal(data, &d)
	at := slices.IndexFunc(f.sessions, func(s *session) bool { return s.id == d.SessionID })
	switch {
	case d.Token != "Bot "+DiscordToken:
		shut(conn, closeToken)
		return
	case at < 0, d.Seq < f.sessions[at].seq-len(f.sessions[at].events):
		sendTo(conn, Packet{Op: opInvalid, Data: json.RawMessage("false")})
		return
	case d.Seq > f.sessions[at].seq:
		shut(conn, closeSequence)
		return
	}
	s := f.sessions[at]
	if s.conn != nil {
		_ = s.conn.Close() // it may have gone
	}
	s.conn = conn
	for _, e := range s.events {
		if e.Seq > d.Seq {
			s.send(e)
		}
	}
	s.dispatch("RESUMED", json.RawMessage("{}"))
}

func (f *Discord) identify(conn *websocket.Conn, data json.RawMessage) {
	var d struct {
		Token   string
		Intents int
		Shard   *[2]int
	}
	_ = json.Unmarshal(data, &d)
	f.Identified = append(f.Identified, d.Intents)
	switch {
	case d.Token != "Bot "+DiscordToken:
		shut(conn, closeToken)
		return
	case f.NoContent && d.Intents&intentContent != 0:
		shut(conn, closeForbidden)
		return
	case f.First != nil && !f.First(false):
		return
	}
	f.Session++
	begun := &session{id: fmt.Sprint("session", f.Session), shard: [2]int{0, 1}, conn: conn}
	if d.Shard != nil {
		begun.shard = *d.Shard
	}
	f.sessions = append(f.sessions, begun)
	begun.dispatch("READY", f.text(map[string]any{
		"v": 9, "session_id": begun.id, "user": map[string]any{"id": DiscordID, "username": "Chimera", "bot": true},
		"application": map[string]any{"id": DiscordID}, "guilds": []any{map[string]any{"id": Guild, "unavailable": true}},
		"resume_gateway_url": "ws" + strings.TrimPrefix(f.URL, "http") + pathAgain, "shard": d.Shard,
	}))
}

func (f *Discord) text(data any) json.RawMessage {
	text, err := json.Marshal(data)
	if err != nil {
		f.t.Error(err)
	}
	return text
}

// Dispatch tells of an event, now or when the session is resumed. The lock is held.
func (f *Discord) Dispatch(kind string, data any) {
	text := f.text(data)
	for _, s := range f.sessions {
		if s.tells(kind, text) {
			s.dispatch(kind, text)
		}
	}
}

// tells reports whether an event is for the shard; the first one gets those that belong to no server.
func (s *session) tells(kind string, event json.RawMessage) bool {
	var of struct {
		ID    string
		Guild string `json:"guild_id"`
	}
	_ = json.Unmarshal(event, &of) // some events make no sense
	if strings.HasPrefix(kind, "GUILD_") {
		of.Guild = of.ID
	}
	const low = 22 // bits of an id that do not choose the shard
	guild, _ := strconv.Atoi(of.Guild)
	return guild>>low%s.shard[1] == s.shard[0]
}

func (s *session) dispatch(kind string, data json.RawMessage) {
	s.seq++
	p := Packet{Data: data, Seq: s.seq, Type: kind}
	s.events = append(s.events, p)
	s.events = s.events[max(0, len(s.events)-maxEvents):]
	s.send(p)
}

func (s *session) send(p Packet) { sendTo(s.conn, p) }

// Send sends a packet to the bot's newest connection, if there is one. The lock is held.
func (f *Discord) Send(p Packet) { sendTo(f.conn, p) }

func sendTo(conn *websocket.Conn, p Packet) {
	if conn != nil {
		_ = conn.WriteJSON(p) // the bot may have gone
	}
}

// Frame sends data that need not be a packet. The lock is held.
func (f *Discord) Frame(kind int, data string) {
	if f.conn != nil {
		_ = f.conn.WriteMessage(kind, []byte(data)) // the bot may have gone
	}
}

// Shut closes the newest connection with a code. The lock is held.
func (f *Discord) Shut(code int) { shut(f.conn, code) }

func shut(conn *websocket.Conn, code int) {
	_ = conn.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(code, "")) // the bot may have gone
	_ = conn.Close()
}

// Drop cuts all connections; their sessions can be resumed.
func (f *Discord) Drop() {
	f.Lock()
	defer f.Unlock()
	for _, s := range f.sessions {
		if s.conn != nil {
			_ = s.conn.Close()
			s.conn = nil
		}
	}
	if f.conn != nil {
		_ = f.conn.Close()
		f.conn = nil
	}
}

// End ends all sessions, and cuts their connections.
func (f *Discord) End() {
	f.Drop()
	f.Lock()
	defer f.Unlock()
	f.sessions = nil
	f.Session += 1000
}
