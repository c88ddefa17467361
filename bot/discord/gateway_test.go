package discord

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/gorilla/websocket"
)

// packet is what goes over the gateway.
type packet struct {
	Op   int             `json:"op"`
	Data json.RawMessage `json:"d"`
	Seq  int             `json:"s,omitempty"`
	Type string          `json:"t,omitempty"`
}

// gateway is the part of a fake that tells what happens. The fake's lock is held where
// its fields are used.
type gateway struct {
	shards     int // that are asked for
	conn       *websocket.Conn
	session    int
	events     []packet // of the session
	identified []int    // intents of each IDENTIFY
	resumed    int
	beats      int
	first      func(resume bool) bool // says something before READY or RESUMED; false lets nothing follow
	dumb       int                    // so many connections are never greeted
	deaf       bool                   // heartbeats are not answered
	noContent  bool                   // the content intent is refused
}

func (f *fake) listen(w http.ResponseWriter, r *http.Request) {
	upgrader := websocket.Upgrader{}
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	f.mu.Lock()
	f.conn = conn
	const interval = 1000
	if f.dumb > 0 {
		f.dumb--
	} else {
		f.send(packet{Op: 10, Data: json.RawMessage(fmt.Sprintf(`{"heartbeat_interval":%d}`, interval))})
	}
	f.mu.Unlock()
	for {
		var p packet
		if conn.ReadJSON(&p) != nil {
			break
		}
		f.mu.Lock()
		f.hear(conn, p)
		f.changed.Broadcast()
		f.mu.Unlock()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.conn == conn {
		f.conn = nil
	}
}

// hear takes in what the bot says.
func (f *fake) hear(conn *websocket.Conn, p packet) {
	switch p.Op {
	case 1:
		if f.beats++; !f.deaf {
			f.sendTo(conn, packet{Op: 11})
		}
	case 2:
		f.identify(p.Data)
	case 6:
		f.resumed++
		if f.first != nil && !f.first(true) {
			return
		}
		var d struct {
			SessionID string `json:"session_id"`
			Seq       int
		}
		_ = json.Unmarshal(p.Data, &d)
		if f.session == 0 || d.SessionID != fmt.Sprint("session", f.session) {
			f.send(packet{Op: 9, Data: json.RawMessage("false")})
			return
		}
		for _, e := range f.events {
			if e.Seq > d.Seq {
				f.send(e)
			}
		}
		f.dispatch("RESUMED", map[string]any{})
	}
}

func (f *fake) identify(data json.RawMessage) {
	var d struct {
		Token   string
		Intents int
	}
	_ = json.Unmarshal(data, &d)
	f.identified = append(f.identified, d.Intents)
	switch {
	case d.Token != "Bot "+token:
		f.shut(4004)
		return
	case f.noContent && d.Intents&int(intentContent) != 0:
		f.shut(4014)
		return
	case f.first != nil && !f.first(false):
		return
	}
	f.session++
	f.events = nil
	f.dispatch("READY", map[string]any{
		"v": 9, "session_id": fmt.Sprint("session", f.session), "user": map[string]any{"id": botID, "username": "Chimera", "bot": true},
		"application": map[string]any{"id": botID}, "guilds": []any{map[string]any{"id": server, "unavailable": true}},
	})
}

// dispatch tells of an event, now or when the session goes on.
func (f *fake) dispatch(kind string, data any) {
	text, err := json.Marshal(data)
	if err != nil {
		f.t.Error(err)
	}
	p := packet{Data: text, Seq: len(f.events) + 1, Type: kind}
	f.events = append(f.events, p)
	f.send(p)
}

func (f *fake) send(p packet) { f.sendTo(f.conn, p) }

func (f *fake) sendTo(conn *websocket.Conn, p packet) {
	if conn != nil {
		_ = conn.WriteJSON(p) // the bot may have gone
	}
}

// shut closes the connection with a code.
func (f *fake) shut(code int) {
	_ = f.conn.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(code, "")) // the bot may have gone
	_ = f.conn.Close()
	f.conn = nil
}

// drop cuts the connection; the session can go on.
func (f *fake) drop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.conn != nil {
		_ = f.conn.Close()
		f.conn = nil
	}
}

// end ends the session, and cuts the connection.
func (f *fake) end() {
	f.drop()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.session += 1000
}
