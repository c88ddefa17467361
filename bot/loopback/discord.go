package loopback

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

// DiscordToken is what the bot says to be believed by Discord.
const DiscordToken = "secret-token"

// Guild and Channel are a server on Discord, and a room in it. DiscordID is the bot.
const (
	Guild     = "500"
	Channel   = "501"
	DiscordID = "999"
)

// Discord is Discord's API and gateway. Fields are used under its lock.
type Discord struct {
	news
	URL  string
	Said []Request // what the bot has asked for

	conn   *websocket.Conn
	events int
	next   int
}

// Request is something that the bot has asked of Discord.
type Request struct {
	Method, Path string
	Body         map[string]any
	ID           string // of what it made

	text string
}

// Has reports whether all parts are somewhere in a request.
func (q Request) Has(parts ...string) bool {
	return !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(q.text, p) })
}

// NewDiscord serves until the test ends.
func NewDiscord(t testing.TB) *Discord {
	f := &Discord{next: 1_000_000}
	f.begin(t)
	server := httptest.NewServer(f)
	t.Cleanup(func() {
		f.Lock()
		if f.conn != nil {
			_ = f.conn.Close() // the bot may have gone
		}
		f.Unlock()
		server.Close()
	})
	f.URL = server.URL
	return f
}

// ServeHTTP answers the bot.
func (f *Discord) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/ws/" {
		f.gateway(w, r)
		return
	}
	_, path, ok := strings.Cut(r.URL.Path, "/api/v9/")
	if !ok || r.Header.Get("Authorization") != "Bot "+DiscordToken {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	q := Request{Method: r.Method, Path: path}
	q.read(r)
	f.Lock()
	defer f.Unlock()
	result := f.result(&q)
	f.Said = append(f.Said, q)
	f.changed.Broadcast()
	if result == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(result)
}

// read takes a body in: JSON, or the JSON part of a form.
func (q *Request) read(r *http.Request) {
	data, _ := io.ReadAll(r.Body)
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind == "multipart/form-data" {
		parts := multipart.NewReader(strings.NewReader(string(data)), params["boundary"])
		for {
			part, err := parts.NextPart()
			if err != nil {
				break
			}
			if part.FormName() == "payload_json" {
				data, _ = io.ReadAll(part)
			}
		}
	}
	_ = json.Unmarshal(data, &q.Body) // some are no objects
	spelled, _ := json.Marshal(q.Body)
	q.text = q.Method + " " + q.Path + " " + strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(spelled))
}

func (f *Discord) id() string {
	f.next++
	return strconv.Itoa(f.next)
}

func (f *Discord) result(q *Request) any {
	words := strings.Split(q.Path, "/")
	last := words[len(words)-1]
	socket := "ws" + strings.TrimPrefix(f.URL, "http") + "/ws"
	switch {
	case q.Path == "gateway":
		return map[string]any{"url": socket}
	case q.Path == "gateway/bot":
		return map[string]any{
			"url": socket, "shards": 1,
			"session_start_limit": map[string]any{"total": 1000, "remaining": 900, "reset_after": 1000, "max_concurrency": 1},
		}
	case q.Path == "users/@me/channels":
		return map[string]any{"id": fmt.Sprint("7", q.Body["recipient_id"]), "type": 1}
	case q.Method == http.MethodGet && last == "messages":
		return []any{}
	case q.Method == http.MethodPost && last == "messages":
		q.ID = f.id()
		return map[string]any{"id": q.ID, "channel_id": words[1]}
	case q.Method == http.MethodPost && last == "threads":
		q.ID = f.id()
		if len(words) > 3 {
			q.ID = words[3]
		}
		return map[string]any{"id": q.ID, "type": 11, "parent_id": words[1]}
	case q.Method == http.MethodPut && last == "commands":
		return []any{}
	case q.Method == http.MethodPatch:
		return map[string]any{"id": last}
	case strings.HasPrefix(q.Path, "webhooks/"):
		q.ID = f.id()
		return map[string]any{"id": q.ID}
	}
	return nil
}

// What packets of the gateway are for.
const (
	packetEvent    = 0
	packetBeat     = 1
	packetIdentify = 2
	packetHello    = 10
	packetAck      = 11
)

// gateway is a connection on which the bot is told what happens.
func (f *Discord) gateway(w http.ResponseWriter, r *http.Request) {
	conn, err := new(websocket.Upgrader).Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	f.Lock()
	f.send(conn, packetHello, map[string]any{"heartbeat_interval": 1000})
	f.Unlock()
	for {
		var p struct{ Op int }
		if conn.ReadJSON(&p) != nil {
			return
		}
		f.Lock()
		switch p.Op {
		case packetBeat:
			f.send(conn, packetAck, nil)
		case packetIdentify:
			f.conn = conn
			f.tell("READY", map[string]any{
				"v": 9, "session_id": "session", "user": map[string]any{"id": DiscordID, "username": "Chimera", "bot": true},
				"application": map[string]any{"id": DiscordID}, "guilds": []any{},
			})
			f.changed.Broadcast()
		}
		f.Unlock()
	}
}

func (f *Discord) send(conn *websocket.Conn, op int, data any) {
	_ = conn.WriteJSON(map[string]any{"op": op, "d": data}) // the bot may have gone
}

// tell tells the bot of an event.
func (f *Discord) tell(kind string, data any) {
	f.events++
	if f.conn != nil {
		_ = f.conn.WriteJSON(map[string]any{"op": packetEvent, "d": data, "s": f.events, "t": kind}) // likewise
	}
}

// Ready waits until the bot listens.
func (f *Discord) Ready() {
	f.t.Helper()
	f.Wait("a bot that listens", func() bool { return f.conn != nil })
}

// Slash is a command that somebody gives in the room, with its options as name=value, and
// returns its number.
func (f *Discord) Slash(channel string, who Person, name string, options ...string) string {
	f.Lock()
	defer f.Unlock()
	var filled []any
	for _, o := range options {
		name, value, _ := strings.Cut(o, "=")
		filled = append(filled, map[string]any{"name": name, "type": 3, "value": value})
	}
	id := f.id()
	f.tell("INTERACTION_CREATE", map[string]any{
		"id": id, "application_id": DiscordID, "type": 2, "token": "token" + id, "channel_id": channel, "guild_id": Guild,
		"data": map[string]any{"id": "1", "name": name, "type": 1, "options": filled},
		"member": map[string]any{
			"user":        map[string]any{"id": strconv.FormatInt(who.ID, 10), "username": who.Name, "global_name": who.Name},
			"permissions": "0", "roles": []any{},
		},
	})
	return id
}

// Wait waits until something holds, which is looked at under the lock whenever something
// has happened.
func (f *Discord) Wait(what string, holds func() bool) {
	f.t.Helper()
	f.wait(what, holds, func() string {
		var all []string
		const last, most = 60, 500
		for _, q := range f.Said[max(0, len(f.Said)-last):] {
			all = append(all, q.text[:min(len(q.text), most)])
		}
		return strings.Join(all, "\n")
	})
}

// Posted waits for a request with these parts, and is the newest one.
func (f *Discord) Posted(parts ...string) (found Request) {
	f.t.Helper()
	f.Wait(fmt.Sprint("a request with ", parts), func() bool {
		for _, q := range slices.Backward(f.Said) {
			if q.Has(parts...) {
				found = q
				return true
			}
		}
		return false
	})
	return found
}
