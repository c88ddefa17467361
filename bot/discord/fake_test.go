package discord

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
	"sync"
	"testing"
	"time"
)

// call is a request that the bot has made.
type call struct {
	method, path string // without the version of the API
	body         any
	text         string   // the body as JSON
	files        []string // names
	id           string   // of what it made, "" if nothing
}

func (c call) has(parts ...string) bool {
	text := c.method + " " + c.path + " " + c.text + " " + strings.Join(c.files, " ")
	return !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(text, p) })
}

// refusal is an answer that is no success.
type refusal struct {
	status int
	header map[string]string
	body   string
}

// fake is Discord on loopback.
type fake struct {
	t    testing.TB
	url  string
	spec *openAPI // nil where the description is not there

	mu      sync.Mutex
	changed *sync.Cond
	calls   []call
	tap     func(call) // takes calls in instead of calls, if it is not nil
	refuse  func(call) *refusal
	hold    chan struct{} // answers to what is not about interactions wait for it, if there is one
	next    int
	nonces  map[string]string
	history map[string][]map[string]any // what was said, by channel
	gateway
}

const (
	token   = "secret-token"
	server  = "500"
	room0   = "501"
	botID   = "999"
	private = "601" // of alice and the bot
)

type who struct{ id, name string }

var alice, bob, carol = who{"11", "alice"}, who{"12", "bob"}, who{"13", "carol"}

func (w who) user() map[string]any {
	return map[string]any{"id": w.id, "username": strings.ToLower(w.name), "global_name": w.name}
}

func newFake(t testing.TB) *fake {
	if t, ok := t.(*testing.T); ok {
		t.Parallel()
	}
	f := &fake{t: t, next: 1_000_000, nonces: map[string]string{}, history: map[string][]map[string]any{}, spec: readSpec(t)}
	f.changed = sync.NewCond(&f.mu)
	s := httptest.NewServer(f)
	t.Cleanup(func() {
		f.drop()
		s.Close()
	})
	f.url = s.URL
	return f
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/ws/" {
		f.listen(w, r)
		return
	}
	path, ok := strings.CutPrefix(r.URL.Path, "/api/v9/")
	if !ok {
		http.NotFound(w, r)
		return
	}
	if r.Header.Get("Authorization") != "Bot "+token {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"code":0,"message":"401: Unauthorized"}`)
		return
	}
	c := call{method: r.Method, path: path}
	c.read(r)
	f.spec.check(f.t, c, r)
	f.check(c)
	f.mu.Lock()
	hold := f.hold
	f.mu.Unlock()
	if hold != nil && !strings.HasPrefix(path, "interactions/") {
		<-hold
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.refuse != nil {
		if no := f.refuse(c); no != nil {
			for name, value := range no.header {
				w.Header().Set(name, value)
			}
			if w.Header().Get("Content-Type") == "" {
				w.Header().Set("Content-Type", "application/json")
			}
			w.WriteHeader(no.status)
			fmt.Fprint(w, no.body)
			return
		}
	}
	result := f.result(&c, r)
	if f.tap != nil {
		f.tap(c)
	} else {
		f.calls = append(f.calls, c)
	}
	f.changed.Broadcast()
	if result == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(result)
}

func (c *call) read(r *http.Request) {
	data, _ := io.ReadAll(r.Body)
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind == "multipart/form-data" {
		parts := multipart.NewReader(strings.NewReader(string(data)), params["boundary"])
		data = nil
		for {
			part, err := parts.NextPart()
			if err != nil {
				break
			}
			value, _ := io.ReadAll(part)
			if part.FormName() == "payload_json" {
				data = value
			} else {
				c.files = append(c.files, part.FileName())
			}
		}
	}
	if len(data) > 0 {
		_ = json.Unmarshal(data, &c.body)
		spelled, _ := json.MarshalIndent(c.body, "", "")
		c.text = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(spelled))
	}
}

// check looks whether a request keeps to Discord's bounds, as far as no description
// tells them.
func (f *fake) check(c call) {
	message := object(c.body)
	if data, ok := message["data"].(map[string]any); ok {
		message = data
	}
	if content, ok := message["content"].(string); ok {
		if len([]rune(content)) > maxContent {
			f.t.Errorf("%s %s: a content of %d", c.method, c.path, len(content))
		}
		if _, ok := message["allowed_mentions"]; !ok {
			f.t.Errorf("%s %s: no allowed_mentions", c.method, c.path)
		}
		if content == "" && len(c.files) == 0 && message["components"] == nil {
			f.t.Errorf("%s %s: an empty message", c.method, c.path)
		}
	}
	rows, _ := message["components"].([]any)
	if len(rows) > 5 {
		f.t.Errorf("%s %s: %d rows", c.method, c.path, len(rows))
	}
	seen := map[any]bool{}
	for _, r := range rows {
		buttons, _ := object(r)["components"].([]any)
		if len(buttons) == 0 || len(buttons) > 5 {
			f.t.Errorf("%s %s: a row of %d buttons", c.method, c.path, len(buttons))
		}
		for _, b := range buttons {
			id := object(b)["custom_id"]
			if text, _ := id.(string); seen[id] || text == "" || len(text) > 100 {
				f.t.Errorf("%s %s: a button carries %v", c.method, c.path, id)
			}
			seen[id] = true
		}
	}
	if c.method == http.MethodPost && strings.HasSuffix(c.path, "/messages") {
		if nonce, _ := message["nonce"].(string); nonce == "" && message["enforce_nonce"] != true || len(nonce) > 25 {
			f.t.Errorf("%s %s: nonce %q", c.method, c.path, nonce)
		}
	}
}

func object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// id is a new one; the owner has locked.
func (f *fake) id() string {
	f.next++
	return strconv.Itoa(f.next)
}

func (f *fake) result(c *call, r *http.Request) any {
	words := strings.Split(c.path, "/")
	last := words[len(words)-1]
	switch {
	case c.path == "gateway":
		return map[string]any{"url": "ws" + strings.TrimPrefix(f.url, "http") + "/ws"}
	case c.path == "gateway/bot":
		return map[string]any{
			"url": "ws" + strings.TrimPrefix(f.url, "http") + "/ws", "shards": max(f.shards, 1),
			"session_start_limit": map[string]any{"total": 1000, "remaining": 900, "reset_after": 1000, "max_concurrency": 1},
		}
	case c.path == "users/@me/channels":
		return map[string]any{"id": "7" + object(c.body)["recipient_id"].(string), "type": 1}
	case strings.HasPrefix(c.path, "guilds/"):
		return map[string]any{"id": server, "owner_id": alice.id, "roles": []any{map[string]any{"id": server, "permissions": "1024"}}}
	case c.method == http.MethodGet && last == "messages":
		return f.since(words[1], r.URL.Query().Get("after"))
	case c.method == http.MethodPost && last == "messages":
		nonce := fmt.Sprint(words[1], " ", object(c.body)["nonce"])
		if id := f.nonces[nonce]; id != "" {
			c.id = "again"
			return map[string]any{"id": id, "channel_id": words[1]}
		}
		c.id = f.id()
		f.nonces[nonce] = c.id
		m := map[string]any{"id": c.id, "channel_id": words[1], "content": object(c.body)["content"], "author": map[string]any{"id": botID, "bot": true}}
		f.history[words[1]] = append(f.history[words[1]], m)
		return m
	case c.method == http.MethodPost && last == "threads":
		c.id = f.id()
		if len(words) > 3 {
			c.id = words[3]
		}
		return map[string]any{"id": c.id, "type": 11, "parent_id": words[1]}
	case c.method == http.MethodPut && last == "commands":
		return []any{}
	case c.method == http.MethodPatch:
		return map[string]any{"id": last}
	case strings.HasPrefix(c.path, "webhooks/"):
		c.id = f.id()
		return map[string]any{"id": c.id}
	}
	return nil
}

// since are the messages of a channel after one, the newest first.
func (f *fake) since(channel, after string) []map[string]any {
	found := []map[string]any{}
	for _, m := range slices.Backward(f.history[channel]) {
		if newer(m["id"].(string), after) {
			found = append(found, m)
		}
	}
	return found
}

// say is what somebody writes; the rest of the message is set by change.
func (f *fake) say(channel string, by who, text string, change ...func(map[string]any)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	m := map[string]any{"id": f.id(), "type": 0, "channel_id": channel, "content": text, "author": by.user()}
	var mentions []any
	for _, w := range []who{alice, bob, carol, {botID, "Chimera"}} {
		if strings.Contains(text, "<@"+w.id+">") {
			u := w.user()
			u["bot"] = w.id == botID
			mentions = append(mentions, u)
		}
	}
	m["mentions"] = mentions
	for _, c := range change {
		c(m)
	}
	f.history[channel] = append(f.history[channel], m)
	told := map[string]any{}
	for k, v := range m {
		told[k] = v
	}
	if channel[0] == '5' || len(channel) > 4 {
		told["guild_id"] = server
		told["member"] = map[string]any{"roles": []any{}}
	}
	f.dispatch("MESSAGE_CREATE", told)
}

// replyTo lets a message answer one of the bot's.
func replyTo(message string) func(map[string]any) {
	return func(m map[string]any) {
		m["type"] = messageReply
		m["message_reference"] = map[string]any{"message_id": message, "channel_id": m["channel_id"]}
		m["referenced_message"] = map[string]any{"id": message, "author": map[string]any{"id": botID, "bot": true}}
	}
}

// interact is a command or a press of somebody's.
func (f *fake) interact(channel string, by who, kind int, data map[string]any, change ...func(map[string]any)) (id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	id = f.id()
	i := map[string]any{"id": id, "application_id": botID, "type": kind, "token": "token" + id, "channel_id": channel, "data": data}
	if channel[0] == '6' {
		i["user"] = by.user()
	} else {
		i["guild_id"] = server
		i["member"] = map[string]any{"user": by.user(), "permissions": "0", "roles": []any{}}
	}
	for _, c := range change {
		c(i)
	}
	f.dispatch("INTERACTION_CREATE", i)
	return id
}

// slash is a command of somebody's, with its options as name=value.
func (f *fake) slash(channel string, by who, name string, options ...string) string {
	data := map[string]any{"id": "1", "name": name, "type": 1}
	var filled []any
	users := map[string]any{}
	for _, o := range options {
		name, value, _ := strings.Cut(o, "=")
		option := map[string]any{"name": name, "type": 3, "value": value}
		switch n, err := strconv.Atoi(value); {
		case value == "true" || value == "false":
			option["type"], option["value"] = 5, value == "true"
		case strings.HasPrefix(value, "@"):
			for _, w := range []who{alice, bob, carol} {
				if w.name == value[1:] {
					option["type"], option["value"] = 6, w.id
					users[w.id] = w.user()
				}
			}
		case err == nil:
			option["type"], option["value"] = 4, n
		}
		filled = append(filled, option)
	}
	data["options"], data["resolved"] = filled, map[string]any{"users": users}
	return f.interact(channel, by, isCommand, data)
}

// press is a button below a message that somebody presses.
func (f *fake) press(channel string, by who, b pressable) string {
	return f.interact(channel, by, isComponent, map[string]any{"custom_id": b.data, "component_type": 2}, func(i map[string]any) {
		i["message"] = map[string]any{"id": b.message, "flags": b.flags, "channel_id": channel}
	})
}

// wait waits until something holds, which is looked at whenever something happens.
func (f *fake) wait(what string, holds func() bool) {
	f.t.Helper()
	late := time.AfterFunc(20*time.Second, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.changed.Broadcast()
	})
	defer late.Stop()
	begun := time.Now()
	f.mu.Lock()
	defer f.mu.Unlock()
	for !holds() {
		if time.Since(begun) > 19*time.Second {
			var all []string
			const last = 30
			for _, c := range f.calls[max(0, len(f.calls)-last):] {
				all = append(all, fmt.Sprintf("%s %s %.400s", c.method, c.path, strings.ReplaceAll(c.text, "\n", "")))
			}
			f.t.Fatalf("%s did not happen; there were\n%s", what, strings.Join(all, "\n"))
		}
		f.changed.Wait()
	}
}

// pressable is a button that the bot has shown.
type pressable struct {
	label, data, message string
	flags                int
}
