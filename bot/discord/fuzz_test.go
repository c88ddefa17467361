package discord

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"chimera/bot"
	"chimera/bot/discord/gateway"
	"chimera/bot/fake"
	"chimera/bot/outbox"
	"chimera/storage/kv/kvtest"
)

// agreeable is a Discord that does all that it is asked, and says little about it.
type agreeable struct{}

func (agreeable) RoundTrip(r *http.Request) (*http.Response, error) {
	said := `{"id":"7","type":1}`
	if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/messages") {
		said = `[]`
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(said)), Request: r}, nil
}

// listener is what hears the gateway, without one.
type listener struct {
	bot    *bot.Bot
	post   *outbox.Outbox
	log    *slog.Logger
	faults fake.Log
}

func newListener(f *testing.F) *listener {
	f.Helper()
	l := &listener{}
	l.log = slog.New(slog.NewTextHandler(&l.faults, &slog.HandlerOptions{Level: slog.LevelError}))
	_, l.bot = fake.NewBot(f, new(kvtest.Disk).Open("fuzz"), time.Now, l.log)
	l.post = bot.NewOutbox(l.bot, time.Now, l.log, nil)
	return l
}

// hear takes in an event, and waits until all is done that it asks for.
func (l *listener) hear(t testing.TB, kind string, data []byte) {
	t.Helper()
	a, err := New(Config{Token: token, APIURL: "http://127.0.0.1:1"}, l.bot, l.log)
	kvtest.Must(t, err)
	a.pace, a.post, a.running, a.limiter.Inner = quick(), l.post, t.Context(), agreeable{}
	a.pace.answer = time.Second / 4 // so long is tried to answer what has no address
	a.me.Store(&self{User: "999", Application: "999"})
	a.event(t.Context(), gateway.Event{Kind: kind, Data: data, Done: func() {}})
	a.incoming.Close()
	a.outgoing.Close()
	a.work.Close()
	if faults := l.faults.String(); faults != "" {
		t.Fatalf("%s %s\n%s", kind, data, faults)
	}
}

// FuzzEvents: nothing of which the gateway tells makes the bot panic or fail.
func FuzzEvents(f *testing.F) {
	l := newListener(f)
	type told struct{ kind, data string }
	event := func(kind, data string) told { return told{kind, data} }
	alice, bob := `{"id":"11","username":"alice"}`, `{"id":"12","username":"bob"}`
	slash := func(id, who, data string) told {
		return event("INTERACTION_CREATE", fmt.Sprintf(`{"id":%q,"application_id":"999","type":2,"token":"t","guild_id":"500","channel_id":"501","member":{"user":%s,"permissions":"32"},"app_permissions":"1024","data":%s}`, id, who, data))
	}
	press := func(id, who, data string) told {
		return event("INTERACTION_CREATE", fmt.Sprintf(`{"id":%q,"application_id":"999","type":3,"token":"t","guild_id":"500","channel_id":"501","member":{"user":%s},"message":{"id":"5","flags":64},"data":{"custom_id":%q,"component_type":2}}`, id, who, data))
	}
	seeds := []told{
		slash("100", alice, `{"name":"challenge","type":1,"options":[{"name":"opponent","type":6,"value":"12"},{"name":"game","type":3,"value":"combine"},{"name":"colour","type":3,"value":"white"}],"resolved":{"users":{"12":`+bob+`}}}`),
		press("101", bob, "join 1 -"),
		press("102", alice, "pick 1 0 - - 0"),
		press("103", alice, "sure 1 0 a1b1"),
		press("104", alice, "play 1 0 e2e4"),
		slash("105", bob, `{"name":"move","type":1,"options":[{"name":"move","type":3,"value":"e5"},{"name":"game","type":3,"value":"#1"}]}`),
		slash("106", alice, `{"name":"settings","type":1,"options":[{"name":"server","type":1,"options":[{"name":"setting","type":3,"value":"days"},{"name":"value","type":3,"value":"5"}]}]}`),
		slash("107", alice, `{"name":"vacation","options":[{"name":"days","type":4,"value":1e300}]}`),
		slash("108", alice, `{"name":"Challenge","type":2,"target_id":"12","resolved":{"users":{"12":null}}}`),
		event("INTERACTION_CREATE", `{"id":"109","type":4,"token":"t","channel":{"id":"501","type":11,"parent_id":"5"},"user":`+alice+`,"data":{"name":"move","options":[{"name":"move","value":"N","focused":true},{"name":"game","value":"1"}]}}`),
		event("INTERACTION_CREATE", `{"id":"112","type":2,"token":"t","guild_id":"500","member":{"user":`+alice+`,"permissions":"32"},"data":{"name":"settings","type":1,"options":[{"name":"server","type":1,"options":[{"name":"setting","type":3,"value":"days"},{"name":"value","type":3,"value":"5"}]}]}}`),
		event("MESSAGE_CREATE", `{"id":"`+strings.Repeat("1", 5000)+`","channel_id":"501","author":`+alice+`,"content":"<@999>"}`),
		event("MESSAGE_CREATE", `{"id":"110","channel_id":"501","guild_id":"500","author":`+alice+`,"content":"<@999> board #1 flip","mentions":[{"id":"12"}],"referenced_message":{"author":{"id":"999"}},"message_reference":{"message_id":"5"}}`),
		event("MESSAGE_CREATE", `{"id":"111","channel_id":"601","author":`+bob+`,"content":"N~f6 \u202e"}`),
		event("MESSAGE_CREATE", `{"id":"18446744073709551616","channel_id":"x/../y","author":{"id":"-"},"content":"<@999>"}`),
		event("READY", `{"user":{"id":"999"},"session_id":"s","shard":[0,0]}`),
		event("READY", `{"user":{"id":""},"shard":[3,2],"resume_gateway_url":":"}`),
		event("CHANNEL_DELETE", `{"id":"501"}`), event("THREAD_DELETE", `{"id":""}`),
	}
	for _, s := range seeds {
		l.hear(f, s.kind, []byte(s.data))
		f.Add(s.kind, []byte(s.data))
	}
	f.Fuzz(func(t *testing.T, kind string, data []byte) { l.hear(t, kind, data) })
}
