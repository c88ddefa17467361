package discord

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// Between the library and Discord stands a relay, in memory. The library would hang on
// some packets and panic on others, in goroutines that nobody else can rescue; it is given
// only what it needs to keep a session. Events go to the adapter.

// dial is the library's end of a connection to a relay.
func (l *link) dial(scheme string) net.Conn {
	near, far := net.Pipe()
	l.mu.Lock()
	l.pipe = near
	l.mu.Unlock()
	server := &http.Server{
		Handler:           http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { l.relay(w, r, scheme) }),
		ReadHeaderTimeout: callTimeout,
		ErrorLog:          log.New(io.Discard, "", 0),
	}
	go func() { _ = server.Serve(&once{conn: far}) }() // ends when the one connection was accepted
	return near
}

// once listens for a connection that is there already.
type once struct{ conn net.Conn }

// Accept is the connection, the first time.
func (o *once) Accept() (net.Conn, error) {
	conn := o.conn
	if o.conn = nil; conn == nil {
		return nil, net.ErrClosed
	}
	return conn, nil
}

// Close does nothing: the connection outlives its listener.
func (o *once) Close() error { return nil }

// Addr is no address.
func (o *once) Addr() net.Addr { return &net.UnixAddr{} }

// maxPacket is how long a packet of Discord's may be.
const maxPacket = 64 << 20

// relay carries packets between the library, which asks for it, and Discord.
func (l *link) relay(w http.ResponseWriter, r *http.Request, scheme string) {
	dialer := websocket.Dialer{Proxy: http.ProxyFromEnvironment, HandshakeTimeout: callTimeout}
	far, answer, err := dialer.DialContext(r.Context(), l.target(r, scheme), nil)
	if err != nil {
		l.mu.Lock()
		l.resume = "" // the usual address may be better
		l.mu.Unlock()
		http.Error(w, "not reached", http.StatusBadGateway)
		return
	}
	if answer.Body != nil {
		_ = answer.Body.Close() // of a handshake, it is empty
	}
	far.SetReadLimit(maxPacket)
	upgrader := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	near, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		_ = far.Close() // nobody wants it
		return
	}
	l.mu.Lock()
	l.near, l.far = near, far
	l.heard, l.beat, l.stage = time.Now(), 0, reached
	l.mu.Unlock()
	go func() {
		defer func() { _ = far.Close() }() // without a word, so that the session can go on
		for {
			kind, data, err := near.ReadMessage()
			if err != nil || far.WriteMessage(kind, data) != nil {
				return
			}
		}
	}()
	defer func() { _ = near.Close() }()
	for {
		kind, data, err := far.ReadMessage()
		if closed := (*websocket.CloseError)(nil); errors.As(err, &closed) {
			l.mu.Lock()
			l.code, l.spent = closed.Code, l.spent || ends(closed.Code)
			l.mu.Unlock()
		}
		if err != nil || !l.packet(near, kind, data) {
			_ = far.Close() // likewise
			return
		}
	}
}

// ends reports whether a session cannot go on that Discord has closed with a code.
func ends(code int) bool {
	switch code {
	case websocket.CloseNormalClosure, websocket.CloseGoingAway, closeNoSession, closeSequence, closeTimeout, closeIntent, closeForbidden:
		return true
	}
	return false
}

// target is where Discord is reached: where the library thinks, or where Discord has said
// that the session goes on.
func (l *link) target(r *http.Request, scheme string) string {
	to := url.URL{Scheme: scheme, Host: r.Host, Path: r.URL.Path, RawQuery: r.URL.RawQuery}
	l.mu.Lock()
	defer l.mu.Unlock()
	if u, err := url.Parse(l.resume); err == nil && u.Host != "" && strings.HasPrefix(u.Scheme, "ws") {
		to.Scheme, to.Host, to.Path = u.Scheme, u.Host, cmp.Or(u.Path, "/")
	}
	return to.String()
}

// What packets are for.
const (
	opEvent     = 0
	opBeat      = 1
	opReconnect = 7
	opInvalid   = 9
	opHello     = 10
	opAck       = 11
)

// packet takes in a packet of Discord's, and reports whether the connection goes on.
func (l *link) packet(near *websocket.Conn, kind int, data []byte) bool {
	if kind == websocket.BinaryMessage {
		plain, err := unzip(data)
		if err != nil {
			return true // it is lost
		}
		data = plain
	}
	var p struct {
		Op   *int
		Seq  int64           `json:"s"`
		Type string          `json:"t"`
		Data json.RawMessage `json:"d"`
	}
	if json.Unmarshal(data, &p) != nil || p.Op == nil {
		return true // it says nothing
	}
	l.mu.Lock()
	l.heard = time.Now()
	l.mu.Unlock()
	say := func(v map[string]any) bool {
		v["op"] = *p.Op
		return near.WriteJSON(v) == nil
	}
	switch *p.Op {
	case opEvent:
		if known(p.Type) != other {
			l.mu.Lock()
			l.stage = joined
			l.mu.Unlock()
		}
		l.hear(p.Type, p.Data)
		return say(map[string]any{"s": p.Seq, "t": known(p.Type), "d": l.ready(p.Type, p.Data)})
	case opHello:
		var hello struct {
			Interval int64 `json:"heartbeat_interval"`
		}
		if json.Unmarshal(p.Data, &hello) != nil || hello.Interval <= 0 {
			return false
		}
		l.mu.Lock()
		l.beat = time.Duration(hello.Interval) * time.Millisecond
		l.mu.Unlock()
		return say(map[string]any{"d": map[string]any{"heartbeat_interval": hello.Interval}})
	case opInvalid: // the library would begin another session at once
		l.mu.Lock()
		l.spent = string(p.Data) != "true"
		l.mu.Unlock()
		return false
	case opReconnect: // the library would hang if it came first
		return false
	case opBeat, opAck:
		return say(map[string]any{"d": nil})
	}
	return true
}

func unzip(data []byte) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	defer func() { _ = z.Close() }()
	return io.ReadAll(io.LimitReader(z, maxPacket))
}

// known is the kind of an event as the library hears it: it counts the others, and looks
// no further.
func known(kind string) string {
	if kind == "READY" || kind == "RESUMED" {
		return kind
	}
	return other
}

const other = "OTHER"

// ready is what the library hears of an event: the name of a session that begins.
func (l *link) ready(kind string, data json.RawMessage) any {
	if kind != "READY" {
		return map[string]any{}
	}
	var r struct {
		SessionID string `json:"session_id"`
		Resume    string `json:"resume_gateway_url"`
	}
	if json.Unmarshal(data, &r) != nil {
		return map[string]any{}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.resume = r.Resume
	return map[string]any{"v": 9, "session_id": r.SessionID}
}
