package fake

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"chimera/storage"
)

// Token is the token by which the bot authenticates to Telegram.
const Token = "12345:secret"

// BotID and BotName are the bot's id and name on Telegram.
const (
	BotID   = 999
	BotName = "ChimeraBot"
)

// Telegram's limits.
const (
	maxText    = 4096
	maxCaption = 1024
	maxToast   = 200
	maxData    = 64
	maxUpdates = 100
	maxRich    = 32768
	maxBlocks  = 490 // rows, and some for what stands above them
	maxColumns = 20
)

// Telegram is a double of a Bot API server. Hold its lock to use its fields.
type Telegram struct {
	news
	URL       string
	ReadAll   bool                // the bot has no privacy mode
	App       bool                // links open the bot's Mini App
	Topics    bool                // private chats have topics
	Admins    []int64             // administrators of all groups
	Left      []int64             // who is in none of them
	Titles    map[int64]string    // of groups
	Now       func() time.Time    // the bot's clock
	Calls     []Call              // what was carried out, except requests for updates
	Refuse    func(Call) *Refusal // sees each request, which fails if it returns an answer
	Confirmed int64               // the number of the last update that was confirmed
	Served    map[int64]int       // how often each update was given out
	Conflicts int                 // requests for updates that ended because another one came
	Whispers  bool                // the server knows ephemeral messages, which one person sees; else all do
	Leaks     bool                // it knows them, and yet posts them to all
	Tables    bool                // the server knows rich messages, which show tables
	Probes    int                 // rich messages that it did not know

	spec     map[string]method // nil if there is no description
	updates  []map[string]any
	next     int64
	restarts int
	asked    int  // requests for updates
	again    bool // the next request for updates confirms nothing
	messages int
	topics   int
	closed   bool

	pressers map[string]int64 // who pressed a button, by the id of the press
	whispers []int64          // who sees ephemeral message i+1, 0 if it is gone
}

// Call is a request that the bot has made.
type Call struct {
	Method string
	Fields map[string]string // of a file, only its name
	Number int               // of the message that it made, 0 if none, negative for an ephemeral one

	text string
}

// Has reports whether all parts are somewhere in a request.
func (c Call) Has(parts ...string) bool {
	return !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(c.text, p) })
}

// method is the description of a method of the Bot API.
type method struct{ Fields []described }

type described struct {
	Name     string
	Required bool
}

func isWhisper(method string) bool { return strings.Contains(method, "EphemeralMessage") }

// bad refuses a request that is wrong.
func bad(why string) *Refusal {
	return &Refusal{Status: http.StatusBadRequest, Body: `{"ok":false,"error_code":400,"description":"Bad Request: ` + why + `"}`}
}

// unknown is how a server refuses a rich message if it knows none: it lacks new methods, and ignores new fields.
func (f *Telegram) unknown(c Call) *Refusal {
	if strings.HasPrefix(c.Method, "send") || isWhisper(c.Method) && !f.Whispers {
		return notFound()
	}
	return bad("message text is empty")
}

func notFound() *Refusal {
	return &Refusal{Status: http.StatusNotFound, Body: `{"ok":false,"error_code":404,"description":"Not Found: method not found"}`}
}

// whisper is the result of a request about an ephemeral message, nil if it is about none. Such a message must answer
// a press, or another such message, of its receiver; Telegram's limit of 15 seconds is left to the tests.
func (f *Telegram) whisper(c Call) (result any, no *Refusal) {
	number := func(field string) int64 {
		n, _ := strconv.ParseInt(c.Fields[field], 10, 64)
		return n
	}
	if isWhisper(c.Method) {
		n, to := number("ephemeral_message_id"), number("receiver_user_id")
		switch {
		case !f.Whispers:
			return nil, notFound()
		case number("chat_id") >= 0 || n < 1 || n > int64(len(f.whispers)) || f.whispers[n-1] != to:
			return nil, bad("message to edit not found")
		case seen(c.Fields["text"]) > maxCaption:
			return nil, bad("MEDIA_CAPTION_TOO_LONG")
		case c.Method == "deleteEphemeralMessage":
			f.whispers[n-1] = 0
		}
		return true, nil
	}
	about := c.Fields["ephemeral_message_parameters"]
	if about == "" || !f.Whispers || f.Leaks {
		return nil, nil
	}
	var parameters struct {
		To      int64  `json:"receiver_user_id"`
		Press   string `json:"callback_query_id"`
		Replace bool   `json:"replace_callback_query_message"`
	}
	var reply struct {
		Whisper int `json:"ephemeral_message_id"`
		Message int `json:"message_id"`
	}
	text := json.NewDecoder(strings.NewReader(about))
	text.DisallowUnknownFields()
	if err := text.Decode(&parameters); err != nil {
		f.t.Errorf("%s: %q: %v", c.Method, about, err)
	}
	_ = json.Unmarshal([]byte(c.Fields["reply_parameters"]), &reply)
	pressed := parameters.Press != "" && f.pressers[parameters.Press] == parameters.To
	written := reply.Whisper > 0 && reply.Whisper <= len(f.whispers) && f.whispers[reply.Whisper-1] == parameters.To
	if number("chat_id") >= 0 || reply.Message != 0 || !pressed && !written {
		f.t.Errorf("%s answers nothing that %d has done: %v", c.Method, parameters.To, c.Fields)
		return nil, bad("MESSAGE_NOT_COMMAND")
	}
	m := f.result(c).(map[string]any)
	f.whispers = append(f.whispers, parameters.To)
	m["message_id"], m["ephemeral_message_id"] = 0, len(f.whispers)
	m["from"], m["receiver_user"] = map[string]any{"id": BotID, "is_bot": true, "first_name": "Chimera"}, map[string]any{"id": parameters.To, "first_name": "x"}
	return m, nil
}

// Whisper makes a message that somebody writes ephemeral. The lock is held, as in Say.
func (f *Telegram) Whisper(m map[string]any) {
	f.whispers = append(f.whispers, m["from"].(map[string]any)["id"].(int64))
	m["message_id"], m["ephemeral_message_id"] = 0, len(f.whispers)
}

// NewTelegram serves until the test ends. If CHIMERA_TEST_TELEGRAM_API names the
// description of the Bot API, each request is checked against it.
func NewTelegram(t testing.TB) *Telegram {
	f := &Telegram{Now: time.Now, next: 100, Served: map[int64]int{}, pressers: map[string]int64{}}
	f.begin(t)
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
	} else {
		t.Log("requests are not compared with the Bot API: CHIMERA_TEST_TELEGRAM_API is not set")
	}
	server := httptest.NewServer(f)
	t.Cleanup(func() {
		f.Lock()
		f.closed = true
		f.changed.Broadcast()
		f.Unlock()
		server.Close()
	})
	f.URL = server.URL
	return f
}

// ServeHTTP answers the bot.
func (f *Telegram) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.URL.Path, "/bot"+Token+"/") {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"ok":false,"error_code":401,"description":"Unauthorized"}`)
		return
	}
	c := Call{Method: path.Base(r.URL.Path)}
	var err error
	if c.Fields, err = fieldsOf(r); err != nil {
		return // the bot was killed while it spoke
	}
	c.text = fmt.Sprint(c.Method, " ", c.Fields)
	_, _ = io.Copy(io.Discard, r.Body) // else the server does not notice that the client has gone
	f.check(c)
	f.Lock()
	defer f.Unlock()
	if c.Fields["rich_message"] != "" && !f.Tables {
		f.Probes++
		f.unknown(c).answer(w)
		return
	}
	if f.Refuse != nil {
		if no := f.Refuse(c); no != nil {
			no.answer(w)
			return
		}
	}
	if c.Method == "getUpdates" {
		f.giveUpdates(w, r, c)
		return
	}
	result, no := f.whisper(c)
	if no != nil {
		no.answer(w)
		return
	}
	if result == nil {
		result = f.result(c)
	}
	if m, ok := result.(map[string]any); ok && strings.HasPrefix(c.Method, "send") {
		if c.Number = m["message_id"].(int); c.Number == 0 {
			c.Number = -m["ephemeral_message_id"].(int)
		}
	}
	f.Calls = append(f.Calls, c)
	f.changed.Broadcast()
	answer(w, result)
}

func answer(w http.ResponseWriter, result any) {
	_ = json.NewEncoder(w).Encode(map[string]any{"ok": true, "result": result})
}

// fieldsOf reads a form; of files, only their names.
func fieldsOf(r *http.Request) (map[string]string, error) {
	fields := map[string]string{}
	parts, err := r.MultipartReader()
	if err != nil {
		err = r.ParseForm()
		for name := range r.PostForm {
			fields[name] = r.PostFormValue(name)
		}
		return fields, err
	}
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return fields, nil
		}
		if err != nil {
			return nil, err
		}
		if part.FileName() != "" {
			fields[part.FormName()] = "file " + part.FileName()
			continue
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return nil, err
		}
		fields[part.FormName()] = string(value)
	}
}

// Table is what a rich message shows.
type Table struct {
	Text     string     // above it
	Rows     [][]string // as in HTML, each cell with its tag
	Pictured bool
}

// Parts of rich messages, as the bot writes them.
var (
	richText = regexp.MustCompile(`^<p>(.*?)</p>(<img src="tg://photo\?id=chart"/>)?<table bordered striped compact>((?:<tr>.*?</tr>)+)</table>$`)
	richRow  = regexp.MustCompile(`<tr>(.*?)</tr>`)
	richCell = regexp.MustCompile(`<(t[hd]) align="(?:left|center|right)" valign="(?:top|middle|bottom)" colspan="[1-9][0-9]*">(.+?)</(t[hd])>`)
	richTag  = regexp.MustCompile(`^</?(b|code|br|a|a href="[^"]*"|tg-time unix="[0-9]+" format="[a-zA-Z]+"|tg-time)>$`)
)

// Table reads the rich message of a request, as strictly as Telegram does; ok is false if it has none.
func (c Call) Table() (t Table, ok bool, err error) {
	type media struct {
		ID    string
		Media struct{ Type, Media string }
	}
	var rich struct {
		HTML  string
		Media []media
		Skip  bool `json:"skip_entity_detection"`
	}
	if c.Fields["rich_message"] == "" {
		return t, false, nil
	}
	text := json.NewDecoder(strings.NewReader(c.Fields["rich_message"]))
	text.DisallowUnknownFields()
	if err := text.Decode(&rich); err != nil {
		return t, true, err
	}
	parts := richText.FindStringSubmatch(rich.HTML)
	if parts == nil || !rich.Skip || seen(rich.HTML) > maxRich || c.Fields["text"] != "" {
		return t, true, fmt.Errorf("odd: %s", rich.HTML)
	}
	if t.Text, t.Pictured = parts[1], parts[2] != ""; t.Pictured {
		if want := (media{ID: "chart", Media: struct{ Type, Media string }{"photo", "attach://chart"}}); len(rich.Media) != 1 || rich.Media[0] != want || c.Fields["chart"] != "file chart.png" {
			return t, true, fmt.Errorf("a picture that is none: %v, %q", rich.Media, c.Fields["chart"])
		}
	} else if rich.Media != nil {
		return t, true, errors.New("a picture that is not shown")
	}
	said := t.Text
	for _, row := range richRow.FindAllStringSubmatch(parts[3], -1) {
		t.Rows = append(t.Rows, richCell.FindAllString(row[1], -1))
		if strings.Join(t.Rows[len(t.Rows)-1], "") != row[1] || len(t.Rows) > maxBlocks || strings.Count(row[1], "<t") > maxColumns {
			return t, true, fmt.Errorf("an odd row: %s", row[1])
		}
		for _, cell := range richCell.FindAllStringSubmatch(row[1], -1) {
			said += cell[2]
		}
	}
	for _, mark := range tag.FindAllString(said, -1) {
		if !richTag.MatchString(mark) {
			return t, true, fmt.Errorf("a tag that is none: %s", mark)
		}
	}
	return t, true, nil
}

var tag = regexp.MustCompile(`<[^>]*>`)

// seen is the length of a text as Telegram counts it, without its marks.
func seen(text string) int {
	return len(utf16.Encode([]rune(html.UnescapeString(tag.ReplaceAllString(text, "")))))
}

// check checks a request against the limits of the API, and its description.
func (f *Telegram) check(c Call) {
	if n := seen(c.Fields["caption"]); n > maxCaption {
		f.t.Errorf("%s: a caption of %d", c.Method, n)
	}
	if n := seen(c.Fields["text"]); n > maxText || n > maxToast && c.Method == "answerCallbackQuery" || n == 0 && c.Method == "sendMessage" {
		f.t.Errorf("%s: a text of %d", c.Method, n)
	}
	if _, _, err := c.Table(); err != nil {
		f.t.Errorf("%s: %v", c.Method, err)
	}
	for _, b := range c.Buttons() {
		does := 0
		for _, what := range []string{b.Data, b.URL, b.App.URL} {
			if what != "" {
				does++
			}
		}
		if len(b.Data) > maxData || does != 1 || b.Text == "" {
			f.t.Errorf("%s: a button %q carries %q", c.Method, b.Text, b.Data)
		}
		if b.App.URL != "" && (!strings.HasPrefix(b.App.URL, "https://") || strings.HasPrefix(c.Fields["chat_id"], "-")) {
			f.t.Errorf("%s: a button opens the Mini App %s in the chat %s", c.Method, b.App.URL, c.Fields["chat_id"])
		}
	}
	if f.spec == nil {
		return
	}
	m, ok := f.spec[strings.Replace(c.Method, "EphemeralMessage", "Message", 1)]
	if !ok {
		f.t.Errorf("there is no method %s", c.Method)
	}
	known := map[string]bool{"ephemeral_message_parameters": strings.HasPrefix(c.Method, "send")}
	if isWhisper(c.Method) {
		m.Fields = slices.DeleteFunc(slices.Clone(m.Fields), func(field described) bool { return strings.HasSuffix(field.Name, "message_id") })
		m.Fields = append(m.Fields, described{"receiver_user_id", true}, described{"ephemeral_message_id", true})
	}
	for _, field := range m.Fields {
		known[field.Name] = true
		if _, given := c.Fields[field.Name]; field.Required && !given {
			f.t.Errorf("%s has no %s", c.Method, field.Name)
		}
	}
	for name := range c.Fields {
		if !known[name] && !c.Has("attach://"+name) {
			f.t.Errorf("%s has a field %s that is not described", c.Method, name)
		}
	}
}

// Edits reports whether a request changes a message of this number.
func (c Call) Edits(message int) bool {
	field := "message_id"
	if message < 0 {
		field, message = "ephemeral_message_id", -message
	}
	return strings.HasPrefix(c.Method, "edit") && c.Fields[field] == strconv.Itoa(message)
}

// Button is a button below a message.
type Button struct {
	Text string
	Data string `json:"callback_data"`
	URL  string `json:"url"`
	App  struct {
		URL string `json:"url"`
	} `json:"web_app"`
}

// Buttons are the buttons that a request shows.
func (c Call) Buttons() []Button {
	var markup struct {
		Rows [][]Button `json:"inline_keyboard"`
	}
	_ = json.Unmarshal([]byte(c.Fields["reply_markup"]), &markup)
	return slices.Concat(markup.Rows...)
}

func (f *Telegram) result(c Call) any {
	switch c.Method {
	case "getMe":
		return map[string]any{"id": BotID, "is_bot": true, "first_name": "Chimera", "username": BotName, "can_read_all_group_messages": f.ReadAll, "has_main_web_app": f.App, "has_topics_enabled": f.Topics}
	case "sendMessage", "sendPhoto", "sendAnimation", "sendDocument", "sendRichMessage":
		f.messages++
		chat, _ := strconv.ParseInt(c.Fields["chat_id"], 10, 64)
		m := map[string]any{"message_id": f.messages, "date": 1, "chat": map[string]any{"id": chat, "type": "group"}}
		if c.Method == "sendPhoto" {
			m["photo"] = []map[string]any{{"file_id": fmt.Sprint("file", f.messages), "width": 480, "height": 480}}
		}
		return m
	case "createForumTopic":
		f.topics++
		return map[string]any{"message_thread_id": f.topics, "name": c.Fields["name"], "icon_color": 7322096}
	case "savePreparedInlineMessage":
		return map[string]any{"id": "prepared", "expiration_date": 1}
	case "getChatMember":
		id, _ := strconv.ParseInt(c.Fields["user_id"], 10, 64)
		status := "member"
		if slices.Contains(f.Admins, id) {
			status = "administrator"
		} else if slices.Contains(f.Left, id) {
			status = "left"
		}
		return map[string]any{"status": status, "user": map[string]any{"id": id, "first_name": "x", "is_bot": id == BotID}}
	case "editMessageMedia":
		if c.Fields["inline_message_id"] != "" {
			return true
		}
		chat, _ := strconv.ParseInt(c.Fields["chat_id"], 10, 64)
		number, _ := strconv.Atoi(c.Fields["message_id"])
		photo := []map[string]any{{"file_id": fmt.Sprint("file", number, "of", len(f.Calls)), "width": 480, "height": 480}}
		return map[string]any{"message_id": number, "date": 1, "chat": map[string]any{"id": chat, "type": "group"}, "photo": photo}
	case "editMessageReplyMarkup", "editMessageText", "editMessageCaption":
		if c.Fields["inline_message_id"] != "" {
			return true
		}
		return map[string]any{"message_id": 1, "date": 1, "chat": map[string]any{"id": 1, "type": "group"}}
	}
	return true
}

// conflict is what Telegram answers to a request for updates once another one has come.
func conflict() *Refusal {
	return &Refusal{
		Status: http.StatusConflict,
		Body:   `{"ok":false,"error_code":409,"description":"Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"}`,
	}
}

// giveUpdates gives out what was not confirmed. If there is nothing, it waits for it, unless its timeout is 0 or
// another request comes.
func (f *Telegram) giveUpdates(w http.ResponseWriter, r *http.Request, c Call) {
	offset, _ := strconv.ParseInt(c.Fields["offset"], 10, 64)
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		select {
		case <-r.Context().Done():
		case <-stop:
		}
		f.Lock()
		defer f.Unlock()
		f.changed.Broadcast()
	}()
	if f.again { // this request confirms nothing
		f.again = false
	} else {
		f.Confirmed = max(f.Confirmed, offset-1)
	}
	f.asked++
	f.changed.Broadcast()
	for restarts, asked := f.restarts, f.asked; ; {
		if f.asked > asked && r.Context().Err() == nil {
			f.Conflicts++
			conflict().answer(w)
			return
		}
		due := f.waiting()
		due = due[:min(len(due), maxUpdates)]
		if len(due) > 0 || c.Fields["timeout"] == "0" || f.closed || f.restarts > restarts || r.Context().Err() != nil {
			for _, u := range due {
				f.Served[u["update_id"].(int64)]++
			}
			answer(w, due)
			return
		}
		f.changed.Wait()
	}
}

// waiting are the updates that were not confirmed.
func (f *Telegram) waiting() []map[string]any {
	if len(f.updates) == 0 {
		return nil
	}
	first := f.updates[0]["update_id"].(int64)
	return f.updates[min(max(0, f.Confirmed+1-first), int64(len(f.updates))):]
}

// Pending is how many updates were not confirmed. The lock is held.
func (f *Telegram) Pending() int { return len(f.waiting()) }

// Last is the number of the message that was written last, by people or by the bot. The
// lock is held.
func (f *Telegram) Last() int { return f.messages }

// Again makes all updates come again, as if none had been confirmed, and ends the waiting
// request for updates. The lock is held.
func (f *Telegram) Again() {
	f.Confirmed, f.again = 0, true
	f.restarts++
	f.changed.Broadcast()
}

// Restart forgets all updates, starts their numbers after number, and ends the waiting
// request for updates. The lock is held.
func (f *Telegram) Restart(number int64) {
	f.updates, f.next, f.Confirmed = nil, number, number
	f.restarts++
	f.changed.Broadcast()
}

// Person is somebody on Telegram.
type Person struct {
	ID   int64
	Name string
}

func (p Person) user() map[string]any {
	return map[string]any{"id": p.ID, "first_name": p.Name, "username": p.Name}
}

// Say lets somebody write a message; change sets the rest of it.
func (f *Telegram) Say(chat int64, who Person, text string, change ...func(map[string]any)) (update int64) {
	f.Lock()
	defer f.Unlock()
	f.messages++
	kind := "private"
	if chat < 0 {
		kind = "supergroup"
	}
	m := map[string]any{
		"message_id": f.messages, "date": 1, "text": text, "chat": map[string]any{"id": chat, "type": kind, "title": f.Titles[chat]}, "from": who.user(),
	}
	if strings.HasPrefix(text, "/") {
		word, _, _ := strings.Cut(text, " ")
		m["entities"] = []map[string]any{{"type": "bot_command", "offset": 0, "length": len(utf16.Encode([]rune(word)))}}
	}
	for _, c := range change {
		c(m)
	}
	return f.Add(map[string]any{"message": m})
}

// ReplyTo makes a message a reply to one of the bot's.
func ReplyTo(message int) func(map[string]any) {
	return func(m map[string]any) {
		m["reply_to_message"] = map[string]any{"message_id": message, "date": 1, "chat": m["chat"], "from": map[string]any{"id": BotID, "is_bot": true, "first_name": "Chimera"}}
	}
}

// Press lets somebody press a button below a message, whose number is negative if it is ephemeral.
func (f *Telegram) Press(chat int64, who Person, message int, data string) (update int64) {
	f.Lock()
	defer f.Unlock()
	kind := "private"
	if chat < 0 {
		kind = "supergroup"
	}
	m := map[string]any{"message_id": max(message, 0), "date": 1, "chat": map[string]any{"id": chat, "type": kind}}
	if message < 0 {
		m["ephemeral_message_id"] = -message
	}
	id := fmt.Sprint("q", f.next)
	f.pressers[id] = who.ID
	return f.Add(map[string]any{"callback_query": map[string]any{
		"id": id, "from": who.user(), "chat_instance": "x", "data": data, "message": f.shown(message, m),
	}})
}

// Ask lets somebody write after the bot's name in a chat that it is not in.
func (f *Telegram) Ask(who Person, text string) (update int64) {
	f.Lock()
	defer f.Unlock()
	return f.Add(map[string]any{"inline_query": map[string]any{"id": fmt.Sprint("i", f.next), "from": who.user(), "query": text, "offset": ""}})
}

// PressPosted lets somebody press a button below a message that was posted in a chat without the bot.
func (f *Telegram) PressPosted(who Person, message, data string) (update int64) {
	f.Lock()
	defer f.Unlock()
	return f.Add(map[string]any{"callback_query": map[string]any{
		"id": fmt.Sprint("q", f.next), "from": who.user(), "chat_instance": "x", "data": data, "inline_message_id": message,
	}})
}

// shown adds to a message of the bot's what the calls so far have made it show.
func (f *Telegram) shown(message int, m map[string]any) map[string]any {
	for _, c := range f.Calls {
		edited := c.Edits(message)
		if keys := c.Fields["reply_markup"]; keys != "" && (edited || c.Number == message) {
			m["reply_markup"] = json.RawMessage(keys)
		}
		switch {
		case c.Fields["rich_message"] != "" && (edited || c.Number == message):
			delete(m, "text")
			m["rich_message"] = map[string]any{"blocks": []any{}}
		case edited && m["rich_message"] != nil && c.Fields["text"] != "":
			delete(m, "rich_message")
			m["text"] = html.UnescapeString(tag.ReplaceAllString(c.Fields["text"], ""))
		case c.Number != message:
		case c.Method == "sendPhoto":
			m["photo"], m["caption"] = []map[string]any{{"file_id": "x", "width": 480, "height": 480}}, html.UnescapeString(tag.ReplaceAllString(c.Fields["caption"], ""))
		default:
			m["text"] = html.UnescapeString(tag.ReplaceAllString(c.Fields["text"], ""))
		}
	}
	return m
}

// Add queues an update, and returns its number. The lock is held.
func (f *Telegram) Add(u map[string]any) int64 {
	f.next++
	u["update_id"] = f.next
	f.updates = append(f.updates, u)
	f.changed.Broadcast()
	return f.next
}

// Wait waits until something holds, which is checked under the lock whenever something
// has happened.
func (f *Telegram) Wait(what string, holds func() bool) {
	f.t.Helper()
	f.wait(what, holds, func() string {
		var all []string
		const last, most = 40, 400
		for _, c := range f.Calls[max(0, len(f.Calls)-last):] {
			all = append(all, fmt.Sprintf("%s %s %.*s", c.Method, c.Fields["chat_id"], most, c.Fields["text"]+c.Fields["caption"]+" "+c.Fields["reply_markup"]))
		}
		return fmt.Sprintf("%s\n%d updates wait", strings.Join(all, "\n"), f.Pending())
	})
}

// Look sets Refuse: a test sees each request, under the lock, and may refuse it.
func (f *Telegram) Look(at func(Call) *Refusal) {
	f.Lock()
	defer f.Unlock()
	f.Refuse = at
}

// Posted waits for a message of the bot's with these parts, and returns the number of the
// newest one.
func (f *Telegram) Posted(parts ...string) (id int) {
	f.t.Helper()
	f.Wait(fmt.Sprint("a message with ", parts), func() bool {
		for _, c := range slices.Backward(f.Calls) {
			if c.Number != 0 && c.Has(parts...) {
				id = c.Number
				return true
			}
		}
		return false
	})
	return id
}

// chatter is the nth person who writes, and room the group in which they do.
func chatter(n int) Person { return Person{ID: int64(1 + n), Name: fmt.Sprint("p", n)} }

const room = -500

// account implements [Chat].
func (f *Telegram) account(n int) storage.Address {
	return storage.Address{Platform: "telegram", ID: strconv.FormatInt(chatter(n).ID, 10)}
}

// write implements [Chat].
func (f *Telegram) write(n int, text string) { f.Say(chatter(n).ID, chatter(n), text) }

// call implements [Chat].
func (f *Telegram) call(n int, text string) { f.Say(room, chatter(n), "/"+text) }

// tap implements [Chat].
func (f *Telegram) tap(dead func() bool, take func(Heard)) {
	f.Admins = []int64{chatter(0).ID}
	f.Refuse = func(c Call) *Refusal {
		chat, err := strconv.ParseInt(c.Fields["chat_id"], 10, 64)
		if no := ofDead(dead); no != nil || err != nil {
			return no
		}
		var media struct{ Caption string }
		_ = json.Unmarshal([]byte(c.Fields["media"]), &media)
		table, _, _ := c.Table() // check has reported an error
		said := c.Fields["text"] + c.Fields["caption"] + media.Caption + table.Text + fmt.Sprint(table.Rows)
		h := Heard{to: int(chat) - 1, text: html.UnescapeString(marks.ReplaceAllString(said, ""))}
		if chat == room {
			h.to = hall
		}
		message := f.messages + 1 // that it makes, unless it changes one
		if edited, err := strconv.Atoi(c.Fields["message_id"]); err == nil {
			message = edited
		}
		h.press = func(by int, label string) bool {
			all := c.Buttons()
			i := slices.IndexFunc(all, func(b Button) bool { return b.Text == label })
			if i >= 0 {
				f.Press(chat, chatter(by), message, all[i].Data)
			}
			return i >= 0
		}
		take(h)
		return nil
	}
}
