package gateway

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

// deaf is a connection to somebody who takes everything in.
func deaf(f *testing.F) *websocket.Conn {
	f.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		upgrader := websocket.Upgrader{}
		if conn, err := upgrader.Upgrade(w, r, nil); err == nil {
			_, _ = io.Copy(io.Discard, conn.NetConn()) // until it is closed
		}
	}))
	f.Cleanup(s.Close)
	conn, answer, err := websocket.DefaultDialer.DialContext(f.Context(), "ws"+strings.TrimPrefix(s.URL, "http"), nil)
	if err != nil {
		f.Fatal(err)
	}
	_ = answer.Body.Close() // of a handshake, it is empty
	f.Cleanup(func() { _ = conn.Close() })
	return conn
}

// FuzzFrames: no frame makes the session panic.
func FuzzFrames(f *testing.F) {
	near := deaf(f)
	for _, s := range []string{
		`{"op":0,"s":1,"t":"READY","d":{"session_id":"s","resume_gateway_url":":"}}`, `{"op":0,"s":2,"t":"MESSAGE_CREATE","d":{"id":"1"}}`,
		`{"op":10,"d":{"heartbeat_interval":41250}}`, `{"op":9,"d":true}`, `{"op":7}`, `{"op":1,"d":null}`, `{"op":11}`, `null`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		c := &connection{socket: near, on: &Session{Hear: func(e Event) { e.Done() }, Beat: func() {}}}
		ctx, end := context.WithCancel(t.Context())
		_ = c.packet(ctx, frame) // that it ends the connection is no fault
		end()
	})
}
