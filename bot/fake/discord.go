package fake

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chimera/storage"
)

// DiscordToken is the token by which the bot authenticates to Discord.
const DiscordToken = "secret-token"

// Guild and Channel are the ids of a server on Discord and of a room in it, DiscordID that of the bot.
const (
	Guild     = "500"
	Channel   = "501"
	DiscordID = "999"
)

// Discord's limits.
const (
	maxContent = 2000
	maxCards   = 6000 // all texts in them together
	maxCustom  = 100
	maxURL     = 512
	maxNonce   = 25
	maxRow     = 5
)

// Kinds of interactions.
const (
	IsCommand   = 2
	IsComponent = 3
	IsForm      = 5
)

// role is the bot's role in the server, and allBotNeeds the permissions that it has at first.
const (
	role        = "599"
	allBotNeeds = 1<<10 | 1<<11 | 1<<14 | 1<<15 | 1<<16 | 1<<35 | 1<<38
)

// commandIDs is the id of the first command.
const commandIDs = 800_000

// kindAnswer is the type of a message that replies to another.
const kindAnswer = 19

// Pressable is a button or a menu's option that the bot has shown.
type Pressable struct {
	Label, Data, Message string
	Flags                int    // of the message
	Made                 string // the interaction that the message answers, "" if none
	Chosen               bool   // from a menu
}

// Discord is a double of Discord's API and gateway. Hold its lock to use its fields.
type Discord struct {
	news
	gateway
	URL    string
	Calls  []Request              // what the bot has asked for
	Tap    func(Request)          // gets requests instead of Calls, unless nil
	Refuse func(Request) *Refusal // sees each request, which fails if it returns an answer
	May    uint64                 // the permissions of the bot in the server
	Deny   uint64                 // those of May that each channel takes away
	Stall  func(Request) bool     // reports requests that are carried out but never answered
	Now    func() time.Time       // the bot's clock
	Hold   chan struct{}          // unless nil, answers wait for it, but those about interactions
	There  map[string][]string    // the ids of the people in each instance of the Activity
	Entry  map[string]any         // the command that opens the Activity, if that is switched on

	spec    *openAPI // nil if there is no description
	next    int
	nonces  map[string]string
	asked   map[string]string           // the channel of each interaction, by its id
	answers map[string]string           // the channel of each interaction that was answered, by its token
	behind  map[string]int              // the number of answers after that, likewise
	history map[string][]map[string]any // what was said, by channel
}

// Request is something that the bot has asked of Discord.
type Request struct {
	Method, Path string // without the version of the API
	Body         any
	Text         string   // the body as JSON
	Files        []string // names
	ID           string   // of what it made, "" if nothing, "again" if that existed before
}

// Has reports whether all parts are somewhere in a request.
func (c Request) Has(parts ...string) bool {
	text := c.Method + " " + c.Path + " " + c.Text + " " + strings.Join(c.Files, " ")
	return !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(text, p) })
}

// User is somebody on Discord.
type User struct{ ID, Name string }

// Owner is the id of the server's owner.
const Owner = "11"

// Users are the people whom commands and messages can name.
func Users() []User { return []User{{Owner, "alice"}, {"12", "bob"}, {"13", "carol"}} }

// Told is a user as Discord describes them.
func (w User) Told() map[string]any {
	return map[string]any{"id": w.ID, "username": strings.ToLower(w.Name), "global_name": w.Name}
}

// NewDiscord serves until the test ends. If CHIMERA_TEST_DISCORD_OPENAPI names the
// description of Discord's API, each request is checked against it, except in benchmarks.
func NewDiscord(t testing.TB) *Discord {
	f := &Discord{Now: time.Now, May: allBotNeeds, nonces: map[string]string{}, asked: map[string]string{}, answers: map[string]string{}, behind: map[string]int{}, history: map[string][]map[string]any{}}
	if _, measured := t.(*testing.B); measured || os.Getenv("CHIMERA_TEST_DISCORD_OPENAPI") == "" {
		t.Log("CHIMERA_TEST_DISCORD_OPENAPI names no description, or time is measured: requests are not compared with it")
	} else if spec, err := readSpec(); err != nil {
		t.Fatal(err)
	} else {
		f.spec = spec
	}
	f.begin(t)
	s := httptest.NewServer(f)
	t.Cleanup(func() {
		f.Drop()
		s.Close()
	})
	f.URL = s.URL
	return f
}

// ServeHTTP answers the bot.
func (f *Discord) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/ws/") {
		f.listen(w, r)
		return
	}
	path, ok := strings.CutPrefix(r.URL.Path, "/api/v9/")
	if !ok {
		http.NotFound(w, r)
		return
	}
	if path == "oauth2/token" || path == "users/@me" {
		f.authorize(w, r, path)
		return
	}
	if r.Header.Get("Authorization") != "Bot "+DiscordToken {
		no := Refusal{Status: http.StatusUnauthorized, Body: `{"code":0,"message":"401: Unauthorized"}`}
		no.answer(w)
		return
	}
	c := Request{Method: r.Method, Path: path}
	c.read(r)
	f.spec.check(f.t, c, r)
	f.check(c)
	f.Lock()
	hold := f.Hold
	f.Unlock()
	if hold != nil && !strings.HasPrefix(path, "interactions/") {
		<-hold
	}
	f.Lock()
	defer f.Unlock()
	defer f.changed.Broadcast()
	if f.Refuse != nil {
		if no := f.Refuse(c); no != nil {
			no.answer(w)
			return
		}
	}
	if no := f.refusal(c); no != nil {
		no.answer(w)
		return
	}
	result := f.result(&c, r)
	if f.Tap != nil {
		f.Tap(c)
	} else {
		f.Calls = append(f.Calls, c)
	}
	if f.Stall != nil && f.Stall(c) {
		f.changed.Broadcast()
		f.Unlock()
		<-r.Context().Done()
		f.Lock()
		return
	}
	if result == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(result)
}

var unescaped = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&") //nolint:gochecknoglobals // never written

func (c *Request) read(r *http.Request) {
	var data []byte
	if parts, err := r.MultipartReader(); err != nil {
		data, _ = io.ReadAll(r.Body)
	} else {
		for {
			part, err := parts.NextPart()
			if err != nil {
				break
			}
			if part.FormName() == "payload_json" {
				data, _ = io.ReadAll(part)
			} else {
				c.Files = append(c.Files, part.FileName())
			}
		}
	}
	_, _ = io.Copy(io.Discard, r.Body)
	if len(data) > 0 {
		_ = json.Unmarshal(data, &c.Body)
		var spelled bytes.Buffer
		_ = json.Indent(&spelled, data, "", "")
		c.Text = unescaped.Replace(spelled.String())
	}
}

// check checks that a request keeps to those of Discord's limits that its description
// leaves out.
func (f *Discord) check(c Request) {
	message := Object(c.Body)
	if data, ok := message["data"].(map[string]any); ok {
		message = data
	}
	if content, ok := message["content"].(string); ok {
		if len([]rune(content)) > maxContent {
			f.t.Errorf("%s %s: a content of %d", c.Method, c.Path, len(content))
		}
		if _, ok := message["allowed_mentions"]; !ok {
			f.t.Errorf("%s %s: no allowed_mentions", c.Method, c.Path)
		}
		if content == "" && len(c.Files) == 0 && message["components"] == nil {
			f.t.Errorf("%s %s: an empty message", c.Method, c.Path)
		}
	}
	cards, _ := message["embeds"].([]any)
	whole := 0
	for _, e := range cards {
		for _, part := range []string{"title", "description"} {
			text, _ := Object(e)[part].(string)
			whole += len([]rune(text))
		}
		if url, ok := Object(Object(e)["image"])["url"].(string); ok && !slices.Contains(c.Files, strings.TrimPrefix(url, "attachment://")) {
			f.t.Errorf("%s %s: a card with the picture %s, which is not there", c.Method, c.Path, url)
		}
	}
	if whole > maxCards {
		f.t.Errorf("%s %s: cards of %d", c.Method, c.Path, whole)
	}
	rows, _ := message["components"].([]any)
	if flags, _ := message["flags"].(float64); int(flags)&laidOut != 0 {
		rows = f.checkLayout(c, message)
	} else if len(rows) > maxRow {
		f.t.Errorf("%s %s: %d rows", c.Method, c.Path, len(rows))
	}
	seen := map[any]bool{}
	for _, r := range rows {
		buttons, _ := Object(r)["components"].([]any)
		const label = 18.0 // of what is to be filled in
		if Object(r)["type"] != label && len(buttons) == 0 || len(buttons) > maxRow {
			f.t.Errorf("%s %s: a row of %d buttons", c.Method, c.Path, len(buttons))
		}
		const menu = 3.0
		for _, b := range buttons {
			id := Object(b)["custom_id"]
			if Object(b)["type"] == menu {
				f.checkMenu(c, Object(b), len(buttons))
			}
			const link = 5.0
			if Object(b)["style"] == link {
				if at, _ := Object(b)["url"].(string); id != nil || !strings.HasPrefix(at, "http") || len(at) > maxURL {
					f.t.Errorf("%s %s: a button opens %v, and carries %v", c.Method, c.Path, at, id)
				}
				continue
			}
			if text, _ := id.(string); seen[id] || text == "" || len(text) > maxCustom {
				f.t.Errorf("%s %s: a button carries %v", c.Method, c.Path, id)
			}
			seen[id] = true
		}
	}
	if c.Method == http.MethodPost && strings.HasSuffix(c.Path, "/messages") {
		if nonce, _ := message["nonce"].(string); nonce == "" && message["enforce_nonce"] != true || len(nonce) > maxNonce {
			f.t.Errorf("%s %s: nonce %q", c.Method, c.Path, nonce)
		}
	}
}

// laidOut is the flag of messages that consist of components only.
const laidOut = 1 << 15

// Parts are the components of a message or another component, nested ones included.
func Parts(of any) (all []map[string]any) {
	inner, _ := Object(of)["components"].([]any)
	if beside := Object(of)["accessory"]; beside != nil {
		inner = append(inner, beside)
	}
	for _, part := range inner {
		all = append(append(all, Object(part)), Parts(part)...)
	}
	return all
}

// checkLayout checks that a message that is laid out keeps to Discord's limits, and returns its rows.
func (f *Discord) checkLayout(c Request, message map[string]any) (rows []any) {
	const most, row, section, text, gallery = 40, 1.0, 9.0, 10.0, 12.0
	all, length := Parts(message), 0
	if cards, _ := message["embeds"].([]any); message["content"] != nil || len(cards) > 0 || len(all) > most {
		f.t.Errorf("%s %s: a message that is laid out, with %v, %v, %d parts", c.Method, c.Path, message["content"], cards, len(all))
	}
	for _, part := range all {
		switch part["type"] {
		case row:
			rows = append(rows, part)
		case section:
			rows = append(rows, map[string]any{"components": []any{part["accessory"]}})
		case text:
			length += len([]rune(part["content"].(string)))
		case gallery:
			for _, item := range part["items"].([]any) {
				at, _ := Object(Object(item)["media"])["url"].(string)
				if !slices.Contains(c.Files, strings.TrimPrefix(at, "attachment://")) {
					f.t.Errorf("%s %s: the picture %s is not there", c.Method, c.Path, at)
				}
			}
		}
	}
	if length > 2*maxContent || length == 0 {
		f.t.Errorf("%s %s: a text of %d", c.Method, c.Path, length)
	}
	return rows
}

// checkMenu checks that a menu keeps to Discord's limits: it stands alone in its row, and
// no two of its options are the same.
func (f *Discord) checkMenu(c Request, menu map[string]any, inRow int) {
	seen := map[any]bool{}
	options, _ := menu["options"].([]any)
	for _, o := range options {
		value := Object(o)["value"]
		if seen[value] {
			f.t.Errorf("%s %s: two options are %v", c.Method, c.Path, value)
		}
		seen[value] = true
	}
	if inRow != 1 {
		f.t.Errorf("%s %s: a menu in a row of %d", c.Method, c.Path, inRow)
	}
}

// Private is a chat of alice and bob without the bot, which can only answer there.
const Private = "801"

// isPrivate reports whether a channel is a chat of people without the bot.
func isPrivate(channel string) bool { return channel[0] == '8' }

// maxBehind is how many messages may follow the first answer in a private chat.
const maxBehind = 5

// refusal is how Discord refuses what the bot may never do, nil if it may. The lock is held.
func (f *Discord) refusal(c Request) *Refusal {
	words := strings.Split(c.Path, "/")
	no := func(status int, body string) *Refusal { return &Refusal{Status: status, Body: body} }
	switch {
	case words[0] == "channels" && isPrivate(words[1]):
		return no(http.StatusForbidden, `{"code":50001,"message":"Missing Access"}`)
	case c.Method == http.MethodPost && words[0] == "channels" && words[len(words)-1] == "messages" && f.empty(words[1], c):
		return no(http.StatusForbidden, `{"code":50013,"message":"Missing Permissions"}`)
	case words[0] == "interactions":
		if _, answered := f.answers[words[2]]; answered {
			return no(http.StatusBadRequest, `{"code":40060,"message":"Interaction has already been acknowledged."}`)
		}
		f.answers[words[2]] = f.asked[words[1]]
	case words[0] == "webhooks" && len(words) > 2:
		channel, answered := f.answers[words[2]]
		if !answered {
			return no(http.StatusNotFound, `{"code":10015,"message":"Unknown Webhook"}`)
		}
		if c.Method != http.MethodPost || channel == "" || !isPrivate(channel) {
			return nil
		}
		if f.behind[words[2]]++; f.behind[words[2]] > maxBehind {
			return no(http.StatusBadRequest, `{"code":40094,"message":"This interaction has reached the maximum number of follow up messages"}`)
		}
	}
	return nil
}

// Object is v as a JSON object, nil if it is none.
func Object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// id makes an id, which tells when it was made. The lock is held.
func (f *Discord) id() string {
	const epoch, low = 1_420_070_400_000, 22 // milliseconds from 1970 to 2015, and bits below them
	f.next = max(f.next+1, int(time.Now().UnixMilli()-epoch)<<low)
	return strconv.Itoa(f.next)
}

func (f *Discord) result(c *Request, r *http.Request) any {
	words := strings.Split(c.Path, "/")
	last := words[len(words)-1]
	switch {
	case c.Path == "gateway":
		return map[string]any{"url": "ws" + strings.TrimPrefix(f.URL, "http") + "/ws"}
	case c.Path == "gateway/bot":
		return map[string]any{
			"url": "ws" + strings.TrimPrefix(f.URL, "http") + "/ws", "shards": max(f.Shards, 1),
			"session_start_limit": map[string]any{"total": 1000, "remaining": 900, "reset_after": 1000, "max_concurrency": 1},
		}
	case c.Path == "users/@me/channels":
		return map[string]any{"id": "7" + Object(c.Body)["recipient_id"].(string), "type": 1}
	case strings.HasPrefix(c.Path, "guilds/") && last == DiscordID:
		return map[string]any{"user": map[string]any{"id": DiscordID}, "roles": []any{role}}
	case strings.HasPrefix(c.Path, "guilds/") && len(words) > 2:
		return map[string]any{"user": map[string]any{"id": last}, "roles": []any{}}
	case strings.HasPrefix(c.Path, "guilds/"):
		return map[string]any{"id": Guild, "owner_id": Owner, "roles": []any{
			map[string]any{"id": Guild, "permissions": "1024"}, map[string]any{"id": role, "permissions": strconv.FormatUint(f.May, 10)},
		}}
	case c.Method == http.MethodGet && len(words) == 2 && words[0] == "channels":
		return map[string]any{"id": words[1], "guild_id": Guild, "type": 0, "permission_overwrites": []any{
			map[string]any{"id": role, "type": 0, "allow": "0", "deny": strconv.FormatUint(f.Deny, 10)},
		}}
	case c.Method == http.MethodGet && len(words) == 4 && words[2] == "messages":
		if m := f.said(words[1], last); m != nil {
			return m
		}
	case c.Method == http.MethodGet && last == "messages":
		return f.since(words[1], r.URL.Query())
	case c.Method == http.MethodPost && last == "messages":
		nonce := fmt.Sprint(words[1], " ", Object(c.Body)["nonce"])
		if id := f.nonces[nonce]; id != "" {
			c.ID = "again"
			return f.said(words[1], id)
		}
		c.ID = f.id()
		f.nonces[nonce] = c.ID
		m := map[string]any{"id": c.ID, "channel_id": words[1], "content": Object(c.Body)["content"], "embeds": f.shown(words[1], c.Body), "author": map[string]any{"id": DiscordID, "bot": true}}
		f.history[words[1]] = append(f.history[words[1]], m)
		return m
	case c.Method == http.MethodPost && last == "threads":
		c.ID = f.id()
		if len(words) > 3 {
			c.ID = words[3]
		}
		return map[string]any{"id": c.ID, "type": 11, "parent_id": words[1]}
	case c.Method == http.MethodGet && last == "commands" && f.Entry != nil:
		return []any{f.Entry}
	case len(words) > 2 && words[2] == "activity-instances":
		return map[string]any{"instance_id": last, "users": f.There[last]}
	case last == "callback" && Object(c.Body)["type"] == 12.0 && r.URL.Query().Get("with_response") == "true":
		return map[string]any{"resource": map[string]any{"type": 12, "activity_instance": map[string]any{"id": InstanceIn(f.asked[words[1]])}}}
	case c.Method == http.MethodPut && last == "commands":
		registered := []any{}
		if all, ok := c.Body.([]any); ok {
			for i, command := range all {
				registered = append(registered, map[string]any{"id": strconv.Itoa(commandIDs + i), "name": Object(command)["name"]})
			}
		}
		return registered
	case c.Method == http.MethodPatch:
		m := f.said(words[1], last)
		if content, ok := Object(c.Body)["content"]; ok && m != nil {
			m["content"] = content
		}
		return map[string]any{"id": last}
	case strings.HasPrefix(c.Path, "webhooks/"):
		c.ID = f.id()
		return map[string]any{"id": c.ID}
	}
	return nil
}

// InstanceIn is the instance of the Activity in a channel.
func InstanceIn(channel string) string { return "i-1-gc-" + channel }

// ClientSecret is the secret with which the bot redeems a code. Somebody's code is "code of " and their id.
const ClientSecret = "client-secret"

// authorize gives the bot a token for a code, and tells it whose a token is.
func (f *Discord) authorize(w http.ResponseWriter, r *http.Request, path string) {
	id, given := strings.CutPrefix(r.FormValue("code"), "code of ")
	who, known := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer token of ")
	switch as := r.FormValue; {
	case path == "users/@me" && known:
		_ = json.NewEncoder(w).Encode(User{who, "user" + who}.Told())
	case given && as("client_id") == DiscordID && as("client_secret") == ClientSecret && as("grant_type") == "authorization_code" && r.Header.Get("Authorization") == "":
		_ = json.NewEncoder(w).Encode(map[string]string{"access_token": "token of " + id, "token_type": "Bearer"})
	default:
		no := Refusal{Status: http.StatusBadRequest, Body: `{"error":"invalid_grant"}`}
		no.answer(w)
	}
}

// said is a message of a channel, nil if there is none.
func (f *Discord) said(channel, id string) map[string]any {
	for _, m := range f.history[channel] {
		if m["id"] == id {
			return m
		}
	}
	return nil
}

// embedLinks is the permission to show cards, which are dropped without it.
const embedLinks = 1 << 14

// shown are the cards that are left of a message when the bot posts it in a channel.
func (f *Discord) shown(channel string, message any) any {
	if cards := Object(message)["embeds"]; cards != nil && (f.May&^f.Deny&embedLinks != 0 || isDirect(channel)) {
		return cards
	}
	return []any{}
}

// empty reports whether nothing is left to show of a message that the bot posts in a channel.
func (f *Discord) empty(channel string, c Request) bool {
	cards, _ := f.shown(channel, c.Body).([]any)
	return Object(c.Body)["content"] == "" && len(c.Files)+len(cards) == 0
}

// isDirect reports whether a channel is a chat with the bot.
func isDirect(channel string) bool { return channel[0] == '6' || channel[0] == '7' }

// since are the messages of a channel after a wanted one, up to a wanted number, the newest first.
func (f *Discord) since(channel string, wanted url.Values) []map[string]any {
	found := []map[string]any{}
	after, _ := strconv.Atoi(wanted.Get("after"))
	limit, _ := strconv.Atoi(wanted.Get("limit"))
	for _, m := range f.history[channel] {
		if id, err := strconv.Atoi(m["id"].(string)); err == nil && id > after && len(found) < limit {
			found = append(found, m)
		}
	}
	slices.Reverse(found)
	return found
}

// Say lets somebody write a message; change sets the rest of it.
func (f *Discord) Say(channel string, by User, text string, change ...func(map[string]any)) {
	f.Lock()
	defer f.Unlock()
	m := map[string]any{"id": f.id(), "type": 0, "channel_id": channel, "content": text, "author": by.Told()}
	var mentions []any
	for _, w := range append(Users(), User{DiscordID, "Chimera"}) {
		if strings.Contains(text, "<@"+w.ID+">") {
			u := w.Told()
			u["bot"] = w.ID == DiscordID
			mentions = append(mentions, u)
		}
	}
	m["mentions"] = mentions
	for _, c := range change {
		c(m)
	}
	f.history[channel] = append(f.history[channel], m)
	told := maps.Clone(m)
	if channel[0] == '5' || len(channel) > 4 {
		told["guild_id"] = cmp.Or(m["guild_id"], any(Guild))
		told["member"] = map[string]any{"roles": []any{}}
	}
	f.Dispatch("MESSAGE_CREATE", told)
}

// Answering makes a message a reply to one of the bot's.
func Answering(message string) func(map[string]any) {
	return func(m map[string]any) {
		m["type"] = kindAnswer
		m["message_reference"] = map[string]any{"message_id": message, "channel_id": m["channel_id"]}
		m["referenced_message"] = map[string]any{"id": message, "author": map[string]any{"id": DiscordID, "bot": true}}
	}
}

// Interact lets somebody use a command, a button or a form, and returns the interaction's id.
func (f *Discord) Interact(channel string, by User, kind int, data map[string]any, change ...func(map[string]any)) (id string) {
	f.Lock()
	defer f.Unlock()
	id = f.id()
	i := map[string]any{"id": id, "application_id": DiscordID, "type": kind, "token": "token" + id, "channel_id": channel, "data": data}
	f.asked[id] = channel
	i["context"], i["authorizing_integration_owners"] = 0, map[string]any{"0": Guild}
	switch {
	case isPrivate(channel):
		i["user"], i["context"], i["authorizing_integration_owners"] = by.Told(), 2, map[string]any{"1": Owner}
	case isDirect(channel):
		i["user"], i["context"], i["authorizing_integration_owners"] = by.Told(), 1, map[string]any{"0": "0"}
	default:
		i["guild_id"] = Guild
		i["member"] = map[string]any{"user": by.Told(), "permissions": "0", "roles": []any{}}
	}
	for _, c := range change {
		c(i)
	}
	f.Dispatch("INTERACTION_CREATE", i)
	return id
}

// Slash lets somebody use a command, with its options as name=value.
func (f *Discord) Slash(channel string, by User, name string, options ...string) string {
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
			for _, w := range Users() {
				if w.Name == value[1:] {
					option["type"], option["value"] = 6, w.ID
					users[w.ID] = w.Told()
				}
			}
		case err == nil:
			option["type"], option["value"] = 4, n
		}
		filled = append(filled, option)
	}
	data["options"], data["resolved"] = filled, map[string]any{"users": users}
	return f.Interact(channel, by, IsCommand, data)
}

// Press lets somebody press a button below a message.
func (f *Discord) Press(channel string, by User, b Pressable) string {
	data := map[string]any{"custom_id": b.Data, "component_type": 2}
	if b.Chosen {
		data = map[string]any{"custom_id": "choose 0", "component_type": 3, "values": []any{b.Data}}
	}
	return f.Interact(channel, by, IsComponent, data, func(i map[string]any) {
		message := map[string]any{"id": b.Message, "flags": b.Flags, "channel_id": channel}
		if b.Made != "" {
			message["interaction_metadata"] = map[string]any{"id": b.Made, "type": IsComponent}
		}
		i["message"] = message
	})
}

// Submit lets somebody fill in and send the form that a button has opened.
func (f *Discord) Submit(channel string, by User, b Pressable, text string) string {
	line := map[string]any{"type": 4, "custom_id": "text", "value": text}
	data := map[string]any{"custom_id": b.Data, "components": []any{map[string]any{"type": 18, "component": line}}}
	return f.Interact(channel, by, IsForm, data, func(i map[string]any) {
		i["message"] = map[string]any{"id": b.Message, "flags": b.Flags, "channel_id": channel}
	})
}

// Wait waits until something holds, which is checked under the lock whenever something
// has happened.
func (f *Discord) Wait(what string, holds func() bool) {
	f.t.Helper()
	f.wait(what, holds, func() string {
		var all []string
		const last, most = 40, 400
		for _, c := range f.Calls[max(0, len(f.Calls)-last):] {
			text := strings.ReplaceAll(c.Text, "\n", "")
			all = append(all, c.Method+" "+c.Path+" "+text[:min(len(text), most)])
		}
		return strings.Join(all, "\n")
	})
}

// Look sets Refuse: a test sees each request, under the lock, and may refuse it.
func (f *Discord) Look(at func(Request) *Refusal) {
	f.Lock()
	defer f.Unlock()
	f.Refuse = at
}

// Posted waits for a request with these parts, and returns the newest one.
func (f *Discord) Posted(parts ...string) (found Request) {
	f.t.Helper()
	f.Wait(fmt.Sprint("a request with ", parts), func() bool {
		for _, c := range slices.Backward(f.Calls) {
			if c.Has(parts...) {
				found = c
				return true
			}
		}
		return false
	})
	return found
}

// member is the nth person in the server; the first owns it.
func member(n int) User {
	if n == 0 {
		return Users()[0]
	}
	return User{strconv.Itoa(firstMember + n), "p" + strconv.Itoa(n)}
}

const firstMember = 100

// account implements [Chat].
func (f *Discord) account(n int) storage.Address {
	return storage.Address{Platform: "discord", ID: member(n).ID}
}

// write implements [Chat].
func (f *Discord) write(n int, text string) { f.Say("7"+member(n).ID, member(n), text) }

// call implements [Chat].
func (f *Discord) call(n int, text string) { f.Say(Channel, member(n), "<@"+DiscordID+"> "+text) }

// tap implements [Chat].
func (f *Discord) tap(dead func() bool, take func(Heard)) {
	f.Refuse = func(Request) *Refusal { return ofDead(dead) }
	f.Tap = func(c Request) {
		words := strings.Split(c.Path, "/")
		if c.Method != http.MethodPost || words[0] != "channels" || words[len(words)-1] != "messages" || c.ID == "again" {
			return
		}
		h := Heard{to: hall}
		if words[1] == "7"+Owner {
			h.to = 0
		} else if id, err := strconv.Atoi(words[1][1:]); err == nil && words[1] != Channel {
			h.to = id - firstMember
		}
		said, _ := Object(c.Body)["content"].(string)
		cards, _ := Object(c.Body)["embeds"].([]any)
		parts := Parts(c.Body)
		for _, card := range cards {
			said += fmt.Sprint("\n", Object(card)["title"], "\n", Object(card)["description"])
		}
		for _, part := range parts {
			said += fmt.Sprint("\n", part["content"])
		}
		h.text = marks.ReplaceAllString(said, "")
		h.press = func(by int, label string) bool {
			i := slices.IndexFunc(parts, func(part map[string]any) bool { return part["label"] == label })
			if i >= 0 {
				f.Press(words[1], member(by), Pressable{Data: parts[i]["custom_id"].(string), Message: c.ID})
			}
			return i >= 0
		}
		take(h)
	}
}
