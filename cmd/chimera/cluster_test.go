package main

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"

	"chimera/bot/adapter"
	"chimera/bot/fake"
	"chimera/bot/outbox"
	"chimera/storage/bolt"
	"chimera/storage/etcd/etcdtest"
	"chimera/storage/kv"
)

func TestAClusterIsPlayedInAndOperatedAsAFileIs(t *testing.T) {
	t.Chdir(t.TempDir())
	cluster := etcdtest.Start(t, 1, nil)
	data := cluster.Address("chimera")
	typed(t, aGame, 0, `(?s).*Combine Chess #1.*`, anything, "play", "--data", data)
	if got := asked(t, data); !shape("none").MatchString(got) {
		t.Errorf("asked: %s", got)
	}
	backedUp(t, data, "backup.db")
	typed(t, "bob: moves\n", 0, `(?s).*e5.*`, anything, "play", "--data", "backup.db")

	// There and back.
	again := cluster.Address("again")
	for _, line := range [][]string{
		{"copy", data, "copy.db"},
		{"copy", "copy.db", again},
		{"restore", "--data", cluster.Address("restored"), "backup.db"},
	} {
		prints(t, 0, `(?s).*: \d+ bytes\n`, anything, line...)
	}
	if want, got := asked(t, "copy.db"), asked(t, again); !shape("none").MatchString(got) || withoutFile(got) != withoutFile(want) {
		t.Errorf("the copy in the cluster: %s; in the file: %s", got, want)
	}
	for _, line := range [][]string{{"copy", "copy.db", data}, {"copy", data, "copy.db"}, {"restore", "--data", data, "backup.db"}} {
		prints(t, badInput, anything, `.*holds something already.*\n`, line...)
	}
	prints(t, badInput, anything, `.*no records are in it.*\n`, "copy", cluster.Address("nothing"), "nothing.db")
	prints(t, badInput, anything, `.*\n`, "status", "--data", "etcd://")
}

// withoutFile is what is said of a database, but of the file that it is in.
func withoutFile(text string) string {
	return regexp.MustCompile(`(?m)^(file|cluster|bytes per game|etcd .*): .*\n`).ReplaceAllString(text, "")
}

func TestWhoLosesItsLeaseEndsAndSaysWhy(t *testing.T) {
	data := etcdtest.Start(t, 1, nil).Address("chimera", "lease=2s")
	bot := playing(t, data, aGame)
	client := inCluster(t, data)
	leases, err := client.Leases(t.Context())
	must(t, err)
	for _, lease := range leases.Leases {
		if _, err := client.Revoke(context.Background(), lease.ID); err != nil {
			t.Fatal(err)
		}
	}
	bot.say("bob: e5")
	_ = bot.cmd.Wait()
	if status := bot.cmd.ProcessState.ExitCode(); status != badInput || !strings.Contains(bot.errs.String(), "the claim on the database is over") {
		t.Errorf("the process: status %d, errors %q", status, bot.errs.String())
	}
	typed(t, "bob: e5\n", 0, `(?s).*e5.*`, anything, "play", "--data", data)
}

// statusOf gets a page, and returns the status of the answer, or 0 while nobody listens.
func statusOf(address string) func() int {
	return func() int {
		status, _ := look(address)
		return status
	}
}

func fine(status int) bool { return status == http.StatusOK }

// inCluster is a client that knows nothing of databases.
func inCluster(t *testing.T, data string) *clientv3.Client {
	t.Helper()
	hosts, _, _ := strings.Cut(strings.TrimPrefix(data, "etcd://"), "/")
	client, err := clientv3.New(clientv3.Config{Endpoints: strings.Split(hosts, ","), Logger: zap.NewNop()})
	must(t, err)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// holders are the handles of who has each role in a cluster.
func holders(t *testing.T, client *clientv3.Client) map[string]string {
	t.Helper()
	const roles = "chimera/m/role/"
	got, err := client.Get(t.Context(), roles, clientv3.WithPrefix())
	must(t, err)
	found := map[string]string{}
	for _, pair := range got.Kvs {
		found[strings.TrimPrefix(string(pair.Key), roles)] = string(pair.Value)
	}
	return found
}

// TestTwoBotsBothWorkOnACluster plays on Telegram, where one of two bots listens, and looks at pages of
// both, while operators' commands go on beside them. Then the one that has all roles is killed, and
// the other asked to end while a third one waits.
func TestTwoBotsBothWorkOnACluster(t *testing.T) {
	t.Parallel()
	data := etcdtest.Start(t, 3, nil).Address("chimera", "lease=2s")
	telegram := fake.NewTelegram(t)
	serve := func() (bot *child, pages string) {
		pages = freeAddress(t)
		return onChats(t, data, nil, telegram, "--web-url", "http://"+pages, "--web-listen", pages), pages
	}
	client := inCluster(t, data)
	all := func(found map[string]string) bool { return len(found) == 4 } // with that of pages
	has := func(who string) func(map[string]string) bool {
		return func(found map[string]string) bool {
			for _, holder := range found {
				if holder != who {
					return false
				}
			}
			return all(found)
		}
	}
	look := func() map[string]string { return holders(t, client) }
	first, page := serve()
	one := until(t, "a bot with all roles", look, all)["clock"]
	second, other := serve()
	page, other = "http://"+page, "http://"+other
	alice, bob := fake.Person{ID: 1, Name: "alice"}, fake.Person{ID: 2, Name: "bob"}
	telegram.Say(-5, alice, "/challenge@ChimeraBot chess white")
	telegram.Posted("chat_id:-5", "alice", "Join")
	telegram.Say(-5, bob, "/accept@ChimeraBot #1")
	telegram.Posted("chat_id:-5", "Chess #1")
	for _, address := range []string{page, other} {
		until(t, "a page of "+address, statusOf(address+"/game/1"), fine)
	}

	typed(t, "carol: help\n", 0, `(?s).+`, anything, "play", "--data", data)
	if got := asked(t, data); !strings.Contains(got, "games in progress") {
		t.Errorf("asked meanwhile: %s", got)
	}
	until(t, "the roles of the first", look, has(one))

	first.kill()
	telegram.Say(-5, alice, "/move@ChimeraBot e4")
	telegram.Posted("chat_id:-5", "1. e4")
	until(t, "a page of the second", statusOf(other+"/game/1"), fine)
	two := until(t, "the second with all roles", look, func(found map[string]string) bool { return found["clock"] != one && has(found["clock"])(found) })["clock"]

	third, _ := serve()
	telegram.Say(-5, bob, "/move@ChimeraBot e5")
	telegram.Posted("chat_id:-5", "1… e5")
	must(t, second.cmd.Process.Signal(os.Interrupt))
	second.ends()
	until(t, "the third with all roles", look, func(found map[string]string) bool { return found["clock"] != two && has(found["clock"])(found) })
	telegram.Say(-5, alice, "/move@ChimeraBot Nf3")
	telegram.Posted("chat_id:-5", "2. Nf3")
	third.kill()
	verifies(t, data)
}

// TestWhoIsCutOffSaysNothingOnceAnotherMay sends all the time what would reach its chat, through a
// lease check whose way to the cluster is cut.
func TestWhoIsCutOffSaysNothingOnceAnotherMay(t *testing.T) {
	t.Parallel()
	cluster := etcdtest.Start(t, 1, nil)
	hosts, _, _ := strings.Cut(strings.TrimPrefix(cluster.Address(""), "etcd://"), "/")
	link := etcdtest.NewLink(t, strings.Split(hosts, ","))
	handle := func(address string) kv.Roles {
		db, err := openEngine(t.Context(), address, bolt.Open)
		must(t, err)
		t.Cleanup(func() { _ = db.Close() })
		return kv.RolesOf(db)
	}
	roles := handle(link.Address("chimera", "lease=2s"))
	if _, err := roles.Hold(t.Context(), "chat/test"); err != nil {
		t.Fatal(err)
	}
	var heard atomic.Int64
	chat := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { heard.Add(1) }))
	t.Cleanup(chat.Close)
	client := &http.Client{Transport: adapter.LeaseCheck{Roles: roles, Inner: http.DefaultTransport, Timeout: time.Minute}}
	say := func() error {
		answer, err := client.Post(chat.URL, "text/plain", strings.NewReader("e4"))
		if err == nil {
			err = answer.Body.Close()
		}
		return err
	}
	must(t, say())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			err := say()
			var later *outbox.Later
			if err != nil && !errors.As(err, &later) {
				t.Errorf("what was not sent is %v", err)
			}
			if errors.Is(err, kv.ErrLost) {
				return
			}
		}
	}()
	link.Cut()
	if _, err := handle(cluster.Address("chimera")).Hold(t.Context(), "chat/test"); err != nil {
		t.Fatal(err)
	}
	before := heard.Load()
	<-ended
	if after := heard.Load(); after != before {
		t.Errorf("%d messages were said by two", after-before)
	}
}
