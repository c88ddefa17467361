package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

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
	restored := cluster.Address("restored")
	prints(t, 0, `(?s).*: \d+ bytes\n`, anything, "restore", "--data", restored, "backup.db")
	typed(t, "bob: moves\n", 0, `(?s).*e5.*`, anything, "play", "--data", restored)
	for _, line := range [][]string{{"copy", "backup.db", data}, {"copy", data, "backup.db"}, {"restore", "--data", data, "backup.db"}} {
		prints(t, badInput, anything, `.*holds something already.*\n`, line...)
	}
	prints(t, badInput, anything, `.*no records are in it.*\n`, "copy", cluster.Address("nothing"), "nothing.db")
	prints(t, badInput, anything, `.*\n`, "status", "--data", "etcd://")
}

func TestWhoLosesItsLeaseEndsAndSaysWhy(t *testing.T) {
	data := etcdtest.Start(t, 1, nil).Address("chimera", "lease=2s")
	bot := playing(t, data, aGame)
	etcdtest.Revoke(t, etcdtest.Client(t, data), 1)
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

// TestTwoBotsBothWorkOnACluster plays on Telegram, where one of two bots listens while the other stands
// by, and looks at pages of both, while operators' commands go on beside them. Then the one that has all
// roles is killed, and the other asked to end while a third one waits.
func TestTwoBotsBothWorkOnACluster(t *testing.T) {
	t.Parallel()
	data := etcdtest.Start(t, 3, nil).Address("chimera", "lease=2s")
	telegram := fake.NewTelegram(t)
	serve := func() (bot *child, pages, operators string) {
		pages, operators = freeAddress(t), freeAddress(t)
		bot = onChats(t, data, nil, telegram, "--web-url", "http://"+pages, "--web-listen", pages, "--metrics-listen", operators)
		return bot, "http://" + pages, "http://" + operators
	}
	const all, none = "200 ok\n", "200 ok: another process has chat/telegram, chat/web, clock, think\n"
	has := func(roles string) func(string) bool {
		return func(said string) bool { return said == roles }
	}
	first, page, one := serve()
	until(t, "a bot with all roles", readiness(one), has(all))
	second, other, two := serve()
	until(t, "a bot that stands by", readiness(two), has(none))
	if n := scrape(t, two).sum("chimera_members"); n != 2 {
		t.Errorf("%v members", n)
	}
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
	if one, two := readiness(one)(), readiness(two)(); one != all || two != none {
		t.Errorf("after that the first says %q and the second %q", one, two)
	}

	first.kill()
	telegram.Say(-5, alice, "/move@ChimeraBot e4")
	telegram.Posted("chat_id:-5", "1. e4")
	until(t, "a page of the second", statusOf(other+"/game/1"), fine)
	until(t, "the second with all roles", readiness(two), has(all))

	third, _, three := serve()
	until(t, "a third that stands by", readiness(three), has(none))
	telegram.Say(-5, bob, "/move@ChimeraBot e5")
	telegram.Posted("chat_id:-5", "1… e5")
	must(t, second.cmd.Process.Signal(os.Interrupt))
	second.ends()
	until(t, "the third with all roles", readiness(three), has(all))
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
	link := etcdtest.NewLink(t, cluster.Hosts())
	handle := func(address string) kv.Roles {
		db, err := openEngine(t.Context(), address, bolt.Open)
		must(t, err)
		t.Cleanup(func() { _ = db.Close() })
		return kv.RolesOf(db)
	}
	roles := handle(link.Address("chimera", "lease=2s"))
	_, err := roles.Hold(t.Context(), "chat/test")
	must(t, err)
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
	_, err = handle(cluster.Address("chimera")).Hold(t.Context(), "chat/test")
	must(t, err)
	before := heard.Load()
	<-ended
	if after := heard.Load(); after != before {
		t.Errorf("%d messages were said by two", after-before)
	}
}
