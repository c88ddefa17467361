package loopback

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/gorilla/websocket"
)

// Packet is what goes over the gateway.
type Packet struct {
	Op   int             `json:"op"`
	Data json.RawMessage `json:"d"`
	Seq  int             `json:"s,omitempty"`
	Type string          `json:"t,omitempty"`
}

// gateway is the part of Discord that tells what happens.
type gateway struct {
	Shards     int                    // that are asked for
	Session    int                    // how many there have been
	Identified []int                  // intents of each IDENTIFY
	Resumed    int                    // how often a session has gone on
	Again      int                    // how often that was where READY has said
	First      func(resume bool) bool // says something before READY or RESUMED; false lets nothing follow
	Dumb       int                    // so many connections are never greeted
	Deaf       bool                   // heartbeats are not answered
	NoContent  bool                   // the content intent is refused

	conn   *websocket.Conn
	events []Packet // of the session
	packed bool     // READY is compressed, as the bot has asked
}

// intentContent is that for what all messages say.
const intentContent = 1 << 15

// With which codes connections are closed.
const (
	closeToken     = 4004
	closeForbidden = 4014 // an intent
)

// What packets are for.
const (
	opBeat     = 1
	opIdentify = 2
	opResume   = 6
	opInvalid  = 9
	opHello    = 10
	opAck      = 11
)

// pathAgain is where a session goes on.
const pathAgain = "/ws/again/"

// Listens reports whether the bot does; the owner has locked.
func (f *Discord) Listens() bool { return f.Session > 0 && f.conn != nil }

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
		f.Send(Packet{Op: opHello, Data: json.RawMessage(fmt.Sprintf(`{"heartbeat_interval":%d}`, interval))})
	}
	f.Unlock()
	for {
		var p Packet
		if conn.ReadJSON(&p) != nil {
			break
		}
		f.Lock()
		f.hear(conn, p)
		f.changed.Broadcast()
		f.Unlock()
	}
	f.Lock()
	defer f.Unlock()
	if f.conn == conn {
		f.conn = nil
	}
}

// hear takes in what the bot says.
func (f *Discord) hear(conn *websocket.Conn, p Packet) {
	switch p.Op {
	case opBeat:
		if !f.Deaf {
			f.sendTo(conn, Packet{Op: opAck})
		}
	case opIdentify:
		f.identify(p.Data)
	case opResume:
		f.Resumed++
		if f.First != nil && !f.First(true) {
			return
		}
		var d struct {
			SessionID string `json:"session_id"`
			Seq       int
		}
		_ = json.Unmarshal(p.Data, &d)
		if f.Session == 0 || d.SessionID != fmt.Sprint("session", f.Session) {
			f.Send(Packet{Op: opInvalid, Data: json.RawMessage("false")})
			return
		}
		for _, e := range f.events {
			if e.Seq > d.Seq {
				f.Send(e)
			}
		}
		f.Dispatch("RESUMED", map[string]any{})
	}
}

func (f *Discord) identify(data json.RawMessage) {
	var d struct {
		Token    string
		Intents  int
		Compress bool
		Shard    []int
	}
	_ = json.Unmarshal(data, &d)
	f.Identified = append(f.Identified, d.Intents)
	switch {
	case d.Token != "Bot "+DiscordToken:
		f.Shut(closeToken)
		return
	case f.NoContent && d.Intents&intentContent != 0:
		f.Shut(closeForbidden)
		return
	case f.First != nil && !f.First(false):
		return
	}
	f.Session++
	f.events = nil
	f.packed = d.Compress
	f.Dispatch("READY", map[string]any{
		"v": 9, "session_id": fmt.Sprint("session", f.Session), "user": map[string]any{"id": DiscordID, "username": "Chimera", "bot": true},
		"application": map[string]any{"id": DiscordID}, "guilds": []any{map[string]any{"id": Guild, "unavailable": true}},
		"resume_gateway_url": "ws" + strings.TrimPrefix(f.URL, "http") + pathAgain, "shard": d.Shard,
	})
}

// Dispatch tells of an event, now or when the session goes on; the owner has locked.
func (f *Discord) Dispatch(kind string, data any) {
	text, err := json.Marshal(data)
	if err != nil {
		f.t.Error(err)
	}
	p := Packet{Data: text, Seq: len(f.events) + 1, Type: kind}
	f.events = append(f.events, p)
	f.Send(p)
}

// Send sends a packet to the bot, if it listens; the owner has locked.
func (f *Discord) Send(p Packet) { f.sendTo(f.conn, p) }

func (f *Discord) sendTo(conn *websocket.Conn, p Packet) {
	switch {
	case conn == nil:
	case f.packed && p.Type == "READY":
		var packed bytes.Buffer
		z := zlib.NewWriter(&packed)
		_ = json.NewEncoder(z).Encode(p)                               // it is in memory
		_ = z.Close()                                                  // likewise
		_ = conn.WriteMessage(websocket.BinaryMessage, packed.Bytes()) // the bot may have gone
	default:
		_ = conn.WriteJSON(p) // likewise
	}
}

// Frame sends what may be no packet; the owner has locked.
func (f *Discord) Frame(kind int, data string) {
	if f.conn != nil {
		_ = f.conn.WriteMessage(kind, []byte(data)) // the bot may have gone
	}
}

// Shut closes the connection with a code; the owner has locked.
func (f *Discord) Shut(code int) {
	_ = f.conn.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(code, "")) // the bot may have gone
	_ = f.conn.Close()
	f.conn = nil
}

// Drop cuts the connection; the session can go on.
func (f *Discord) Drop() {
	f.Lock()
	defer f.Unlock()
	if f.conn != nil {
		_ = f.conn.Close()
		f.conn = nil
	}
}

// End ends the session, and cuts the connection.
func (f *Discord) End() {
	f.Drop()
	f.Lock()
	defer f.Unlock()
	f.Session += 1000
}
