package telegram

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// call is a request that the bot has made.
type call struct {
	method string
	fields map[string]string
	number int // of the message that it made, or 0
}

func (c call) has(parts ...string) bool {
	text := fmt.Sprint(c.method, " ", c.fields)
	return !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(text, p) })
}

// refusal is an answer that is no success.
type refusal struct {
	status int
	body   string
}

// fake is Telegram on loopback.
type fake struct {
	t       *testing.T
	url     string
	spec    map[string]method // nil where the description is not there
	readAll bool

	mu        sync.Mutex
	changed   *sync.Cond
	updates   []map[string]any
	next      int64
	confirmed int64
	served    map[int64]int // how often each update was given out
	calls     []call
	refuse    func(call) *refusal
	messages  int
	closed    bool
}

type method struct {
	Fields []struct {
		Name     string
		Required bool
	}
}

const token = "12345:secret"

func newFake(t *testing.T) *fake {
	f := &fake{t: t, next: 100, served: map[int64]int{}}
	f.changed = sync.NewCond(&f.mu)
	if name := os.Getenv("CHIMERA_TEST_TELEGRAM_API"); name != "" {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var all struct{ Methods map[string]method }
		if err := json.Unmarshal(text, &all); err != nil {
			t.Fatal(err)
		}
		f.spec = all.Methods
	}
	server := httptest.NewServer(f)
	t.Cleanup(func() {
		f.mu.Lock()
		f.closed = true
		f.changed.Broadcast()
		f.mu.Unlock()
		server.Close()
	})
	f.url = server.URL
	return f
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.URL.Path, "/bot"+token+"/") {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"ok":false,"error_code":401,"description":"Unauthorized"}`)
		return
	}
	c := call{method: path.Base(r.URL.Path), fields: fieldsOf(r)}
	_, _ = io.Copy(io.Discard, r.Body) // only then the server hears that the client has gone
	f.check(c)
	if c.method == "getUpdates" {
		f.giveUpdates(w, r, c)
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.refuse != nil {
		if no := f.refuse(c); no != nil {
			w.WriteHeader(no.status)
			fmt.Fprint(w, no.body)
			return
		}
	}
	result := f.result(c)
	if m, ok := result.(map[string]any); ok && strings.HasPrefix(c.method, "send") {
		c.number = m["message_id"].(int)
	}
	f.calls = append(f.calls, c)
	f.changed.Broadcast()
	answer(w, result)
}

func answer(w http.ResponseWriter, result any) {
	_ = json.NewEncoder(w).Encode(map[string]any{"ok": true, "result": result})
}

// fieldsOf reads a form; of files, only their names.
func fieldsOf(r *http.Request) map[string]string {
	fields := map[string]string{}
	_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		_, _ = io.Copy(io.Discard, r.Body)
		return fields
	}
	parts := multipart.NewReader(r.Body, params["boundary"])
	for {
		part, err := parts.NextPart()
		if err != nil {
			return fields
		}
		value, _ := io.ReadAll(part)
		if part.FileName() != "" {
			value = []byte("file " + part.FileName())
		}
		fields[part.FormName()] = string(value)
	}
}

// check compares a request with the description of the API, and with its bounds.
func (f *fake) check(c call) {
	if n := length(c.fields["caption"]); n > 3*maxCaption { // marks count for nothing
		f.t.Errorf("%s: a caption of %d", c.method, n)
	}
	var markup struct {
		InlineKeyboard [][]struct {
			Data string `json:"callback_data"`
		} `json:"inline_keyboard"`
	}
	_ = json.Unmarshal([]byte(c.fields["reply_markup"]), &markup)
	for _, row := range markup.InlineKeyboard {
		for _, button := range row {
			if len(button.Data) > maxData || button.Data == "" {
				f.t.Errorf("%s: a button carries %q", c.method, button.Data)
			}
		}
	}
	if f.spec == nil {
		return
	}
	m, ok := f.spec[c.method]
	if !ok {
		f.t.Errorf("there is no method %s", c.method)
	}
	known := map[string]bool{}
	for _, field := range m.Fields {
		known[field.Name] = true
		if _, given := c.fields[field.Name]; field.Required && !given {
			f.t.Errorf("%s has no %s", c.method, field.Name)
		}
	}
	for name := range c.fields {
		if !known[name] {
			f.t.Errorf("%s has a field %s that is not described", c.method, name)
		}
	}
}

func (f *fake) result(c call) any {
	switch c.method {
	case "getMe":
		return map[string]any{"id": 999, "is_bot": true, "first_name": "Chimera", "username": "ChimeraBot", "can_read_all_group_messages": f.readAll}
	case "sendMessage", "sendPhoto", "sendAnimation", "sendDocument":
		f.messages++
		chat, _ := strconv.ParseInt(c.fields["chat_id"], 10, 64)
		m := map[string]any{"message_id": f.messages, "date": 1, "chat": map[string]any{"id": chat, "type": "group"}}
		if c.method == "sendPhoto" {
			m["photo"] = []map[string]any{{"file_id": fmt.Sprint("file", f.messages), "width": 480, "height": 480}}
		}
		return m
	case "getChatMember":
		return map[string]any{"status": "creator", "user": map[string]any{"id": 1, "first_name": "x"}}
	case "editMessageReplyMarkup":
		return map[string]any{"message_id": 1, "date": 1, "chat": map[string]any{"id": 1, "type": "group"}}
	}
	return true
}

// giveUpdates gives out what was not confirmed, or waits for something.
func (f *fake) giveUpdates(w http.ResponseWriter, r *http.Request, c call) {
	offset, _ := strconv.ParseInt(c.fields["offset"], 10, 64)
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		select {
		case <-r.Context().Done():
		case <-stop:
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		f.changed.Broadcast()
	}()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.refuse != nil {
		if no := f.refuse(c); no != nil {
			w.WriteHeader(no.status)
			fmt.Fprint(w, no.body)
			return
		}
	}
	f.confirmed = max(f.confirmed, offset-1)
	f.changed.Broadcast()
	for {
		var due []map[string]any
		for _, u := range f.updates {
			if id := u["update_id"].(int64); id > f.confirmed {
				f.served[id]++
				due = append(due, u)
			}
		}
		if len(due) > 0 || f.closed || r.Context().Err() != nil {
			answer(w, due)
			return
		}
		f.changed.Wait()
	}
}

type person struct {
	id   int64
	name string
}

var alice, bob, carol = person{1, "alice"}, person{2, "bob"}, person{3, "carol"}

const group = -500

// say is what somebody writes; the rest of the message is set by change.
func (f *fake) say(chat int64, who person, text string, change ...func(map[string]any)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.messages++
	kind := "private"
	if chat < 0 {
		kind = "supergroup"
	}
	m := map[string]any{
		"message_id": f.messages, "date": 1, "text": text, "chat": map[string]any{"id": chat, "type": kind},
		"from": map[string]any{"id": who.id, "first_name": who.name, "username": who.name},
	}
	if strings.HasPrefix(text, "/") {
		word, _, _ := strings.Cut(text, " ")
		m["entities"] = []map[string]any{{"type": "bot_command", "offset": 0, "length": length(word)}}
	}
	for _, c := range change {
		c(m)
	}
	f.add(map[string]any{"message": m})
}

// replyTo lets a message answer one of the bot's.
func replyTo(message int) func(map[string]any) {
	return func(m map[string]any) {
		m["reply_to_message"] = map[string]any{"message_id": message, "date": 1, "chat": m["chat"], "from": map[string]any{"id": 999, "is_bot": true, "first_name": "Chimera"}}
	}
}

// press is a button below a message that somebody presses.
func (f *fake) press(chat int64, who person, message int, data string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.add(map[string]any{"callback_query": map[string]any{
		"id": fmt.Sprint("q", f.next), "from": map[string]any{"id": who.id, "first_name": who.name}, "chat_instance": "x", "data": data,
		"message": map[string]any{"message_id": message, "date": 1, "chat": map[string]any{"id": chat, "type": "supergroup"}},
	}})
}

func (f *fake) add(u map[string]any) {
	f.next++
	u["update_id"] = f.next
	f.updates = append(f.updates, u)
	f.changed.Broadcast()
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
			for _, c := range f.calls {
				all = append(all, fmt.Sprint(c.method, " ", c.fields["text"], c.fields["caption"], " ", c.fields["reply_markup"]))
			}
			f.t.Fatalf("%s did not happen; there were\n%s", what, strings.Join(all, "\n"))
		}
		f.changed.Wait()
	}
}
