package discord

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// call is a request that the bot has made.
type call struct {
	method, path, body string
	id                 string // of the message that it made
}

func (c call) has(parts ...string) bool {
	all := c.method + " " + c.path + " " + c.body
	return !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(all, p) })
}

// fake is Discord on loopback: its requests, and its gateway.
type fake struct {
	t     *testing.T
	url   string
	paths []*regexp.Regexp // of the API's description, nil where that is not there

	mu      sync.Mutex
	changed *sync.Cond
	calls   []call
	next    int
	conn    *websocket.Conn
	seq     int
	hellos  int
	intents []int
	refuse  func(call) (status int, body string)
	greet   func(f *fake, c *websocket.Conn) bool // instead of READY; false goes on with that
	closed  bool
	nonces  map[string]string
}

// plain undoes what JSON need not have done.
var plain = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

const (
	token = "secret.token"
	self  = "999"
	guild = "700"
	place = "800"
)

func newFake(t *testing.T) *fake {
	f := &fake{t: t, next: 1000, nonces: map[string]string{}}
	f.changed = sync.NewCond(&f.mu)
	if name := os.Getenv("CHIMERA_TEST_DISCORD_OPENAPI"); name != "" {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var all struct{ Paths map[string]map[string]any }
		if err := json.Unmarshal(text, &all); err != nil {
			t.Fatal(err)
		}
		variable := regexp.MustCompile(`\{[^}]*\}`)
		for path, methods := range all.Paths {
			for method := range methods {
				f.paths = append(f.paths, regexp.MustCompile("^"+strings.ToUpper(method)+" "+variable.ReplaceAllString(path, "[^/]+")+"$"))
			}
		}
	}
	server := httptest.NewServer(f)
	t.Cleanup(func() {
		f.mu.Lock()
		f.closed = true
		if f.conn != nil {
			_ = f.conn.Close()
		}
		f.mu.Unlock()
		server.Close()
	})
	f.url = server.URL
	return f
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/gateway/ws") {
		f.gateway(w, r)
		return
	}
	path := strings.TrimPrefix(r.URL.Path, "/api/v9")
	c := call{method: r.Method, path: path, body: plain.Replace(bodyOf(r))}
	f.check(c)
	f.mu.Lock()
	defer f.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if f.refuse != nil {
		if status, body := f.refuse(c); status != 0 {
			if strings.HasPrefix(body, "<") {
				w.Header().Set("Content-Type", "text/html")
				w.Header().Set("Retry-After", "0")
			}
			w.WriteHeader(status)
			fmt.Fprint(w, body)
			return
		}
	}
	switch {
	case path == "/gateway":
		fmt.Fprintf(w, `{"url":%q}`, "ws"+strings.TrimPrefix(f.url, "http")+"/gateway/ws")
		return
	case c.method == http.MethodPost && strings.HasSuffix(path, "/messages"):
		nonce := regexp.MustCompile(`"nonce":"([^"]*)"`).FindStringSubmatch(c.body)
		if nonce != nil && f.nonces[nonce[1]] != "" {
			fmt.Fprintf(w, `{"id":%q}`, f.nonces[nonce[1]])
			return
		}
		f.next++
		c.id = fmt.Sprint(f.next)
		if nonce != nil {
			f.nonces[nonce[1]] = c.id
		}
		fmt.Fprintf(w, `{"id":%q}`, c.id)
	case c.method == http.MethodGet && strings.HasSuffix(path, "/messages"):
		fmt.Fprint(w, `[]`)
	case c.method == http.MethodGet:
		fmt.Fprintf(w, `{"id":%q,"owner_id":"1"}`, guild)
	case strings.HasSuffix(path, "/callback"):
		f.next++
		c.id = fmt.Sprint(f.next)
		w.WriteHeader(http.StatusNoContent)
	default:
		fmt.Fprint(w, `{}`)
	}
	f.calls = append(f.calls, c)
	f.changed.Broadcast()
}

// bodyOf is the JSON of a request, also of one with files.
func bodyOf(r *http.Request) string {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || !strings.HasPrefix(kind, "multipart/") {
		data, _ := io.ReadAll(r.Body)
		return string(data)
	}
	var all []string
	parts := multipart.NewReader(r.Body, params["boundary"])
	for {
		part, err := parts.NextPart()
		if err != nil {
			return strings.Join(all, " ")
		}
		data, _ := io.ReadAll(part)
		if part.FileName() != "" {
			data = []byte("file " + part.FileName())
		}
		all = append(all, string(data))
	}
}

// check compares a request with the description of the API, and with its bounds.
func (f *fake) check(c call) {
	var b struct {
		Content    string
		Components []struct {
			Components []struct{ Custom_id, Label string }
		}
		Mentions *struct{ Parse []string } `json:"allowed_mentions"`
		Data     *json.RawMessage
	}
	text, _, _ := strings.Cut(c.body, " file ")
	_ = json.Unmarshal([]byte(text), &b)
	if b.Data != nil {
		_ = json.Unmarshal(*b.Data, &b)
	}
	if n := length(b.Content); n > maxContent {
		f.t.Errorf("%s: content of %d", c.path, n)
	}
	if len(b.Components) > 5 {
		f.t.Errorf("%s: %d rows of buttons", c.path, len(b.Components))
	}
	for _, row := range b.Components {
		for _, key := range row.Components {
			if n := len(key.Custom_id); n == 0 || n > 100 || len(row.Components) > 5 {
				f.t.Errorf("%s: a button %q of %d", c.path, key.Label, n)
			}
		}
	}
	if c.method == http.MethodPost && strings.HasSuffix(c.path, "/messages") && (b.Mentions == nil || len(b.Mentions.Parse) > 0) {
		f.t.Errorf("%s: may mention everybody: %s", c.path, text)
	}
	if f.paths == nil {
		return
	}
	if !slices.ContainsFunc(f.paths, func(p *regexp.Regexp) bool { return p.MatchString(c.method + " " + c.path) }) {
		f.t.Errorf("there is no request %s %s", c.method, c.path)
	}
}

// gateway speaks with a session.
func (f *fake) gateway(w http.ResponseWriter, r *http.Request) {
	conn, err := new(websocket.Upgrader).Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer conn.Close()
	send := func(v any) { _ = conn.WriteJSON(v) }
	f.mu.Lock()
	f.hellos++
	send(map[string]any{"op": 10, "d": map[string]any{"heartbeat_interval": 40000}})
	f.mu.Unlock()
	var identify struct {
		Op int `json:"op"`
		D  struct {
			Token   string `json:"token"`
			Intents int    `json:"intents"`
		} `json:"d"`
	}
	if conn.ReadJSON(&identify) != nil {
		return
	}
	f.mu.Lock()
	f.intents = append(f.intents, identify.D.Intents)
	if f.greet == nil || !f.greet(f, conn) {
		f.seq = 1
		f.conn = conn
		send(map[string]any{"op": 0, "s": 1, "t": "READY", "d": map[string]any{
			"v": 9, "session_id": "s", "user": map[string]any{"id": self, "username": "Chimera", "bot": true}, "application": map[string]any{"id": "555"}, "guilds": []any{},
		}})
	}
	f.changed.Broadcast()
	f.mu.Unlock()
	for {
		var p struct {
			Op int `json:"op"`
		}
		if conn.ReadJSON(&p) != nil {
			return
		}
		if p.Op == 1 {
			f.mu.Lock()
			send(map[string]any{"op": 11})
			f.mu.Unlock()
		}
	}
}

// event sends an event to the session that is connected.
func (f *fake) event(kind string, data map[string]any) {
	f.t.Helper()
	f.wait("a connection", func() bool { return f.conn != nil })
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seq++
	if err := f.conn.WriteJSON(map[string]any{"op": 0, "s": f.seq, "t": kind, "d": data}); err != nil {
		f.t.Error(err)
	}
}

type person struct{ id, name string }

var alice, bob, carol = person{"1", "alice"}, person{"2", "bob"}, person{"3", "carol"}

func (p person) user() map[string]any {
	return map[string]any{"id": p.id, "username": p.name, "discriminator": "0"}
}

// say is what somebody writes in the server's room.
func (f *fake) say(who person, text string, change ...func(map[string]any)) {
	f.t.Helper()
	f.mu.Lock()
	f.next++
	m := map[string]any{
		"id": fmt.Sprint(f.next), "channel_id": place, "guild_id": guild, "content": text, "author": who.user(), "member": map[string]any{"roles": []any{}},
		"mentions": []any{map[string]any{"id": self, "username": "Chimera", "bot": true}, bob.user()},
	}
	f.mu.Unlock()
	for _, c := range change {
		c(m)
	}
	f.event("MESSAGE_CREATE", m)
}

// answering lets a message answer one of the bot's.
func answering(message string) func(map[string]any) {
	return func(m map[string]any) {
		m["mentions"] = []any{}
		m["referenced_message"] = map[string]any{"id": message, "channel_id": place, "author": map[string]any{"id": self, "username": "Chimera", "bot": true}}
	}
}

// interact is a command or a button.
func (f *fake) interact(who person, kind int, data map[string]any, message map[string]any) {
	f.t.Helper()
	f.mu.Lock()
	f.next++
	i := map[string]any{
		"id": fmt.Sprint(f.next), "application_id": "555", "type": kind, "token": "itoken", "version": 1, "channel_id": place, "guild_id": guild,
		"member": map[string]any{"user": who.user(), "roles": []any{}, "permissions": "0"}, "data": data,
	}
	if message != nil {
		i["message"] = message
	}
	f.mu.Unlock()
	f.event("INTERACTION_CREATE", i)
}

// slash is a slash command with text options, and users.
func (f *fake) slash(who person, name string, options map[string]string) {
	f.t.Helper()
	list := []any{}
	users := map[string]any{}
	for key, value := range options {
		kind := 3
		if key == "opponent" || key == "person" {
			kind = 6
			users[value] = map[string]any{"id": value, "username": map[string]string{"1": "alice", "2": "bob"}[value]}
		}
		list = append(list, map[string]any{"name": key, "type": kind, "value": value})
	}
	f.interact(who, 2, map[string]any{"id": "1", "name": name, "type": 1, "options": list, "resolved": map[string]any{"users": users}}, nil)
}

// wait waits until something holds, which is looked at whenever something happens.
func (f *fake) wait(what string, holds func() bool) {
	f.t.Helper()
	const long = 25 * time.Second
	late := time.AfterFunc(long, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.changed.Broadcast()
	})
	defer late.Stop()
	begun := time.Now()
	f.mu.Lock()
	defer f.mu.Unlock()
	for !holds() {
		if time.Since(begun) >= long {
			var all []string
			for _, c := range f.calls {
				all = append(all, c.method+" "+c.path+" "+clip(c.body, 400))
			}
			f.t.Fatalf("%s did not happen; there were\n%s", what, strings.Join(all, "\n"))
		}
		f.changed.Wait()
	}
}

// posted is the id of the newest message of the bot's with these parts.
func (f *fake) posted(parts ...string) (id string) {
	f.t.Helper()
	f.wait(fmt.Sprint("a message with ", parts), func() bool {
		for _, c := range slices.Backward(f.calls) {
			if c.id != "" && c.has(parts...) {
				id = c.id
				return true
			}
		}
		return false
	})
	return id
}
