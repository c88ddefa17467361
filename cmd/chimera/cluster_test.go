package main

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"

	"chimera/bot/loopback"
	"chimera/storage/etcd/etcdtest"
)

func TestAClusterIsPlayedInAndOperatedAsAFileIs(t *testing.T) {
	t.Chdir(t.TempDir())
	cluster := etcdtest.Start(t, 1, nil)
	data := cluster.Address("chimera")
	status, out, errs := call(t, aGame, "play", "--data", data)
	if status != 0 || !strings.Contains(out, "Combine Chess #1") {
		t.Fatalf("play: status %d, %q, errors %q", status, out, errs)
	}
	if got := asked(t, data); !shape("none").MatchString(got) {
		t.Errorf("asked: %s", got)
	}
	backedUp(t, data, "backup.db")
	if _, out, _ := call(t, "bob: moves\n", "play", "--data", "backup.db"); !strings.Contains(out, "e5") {
		t.Errorf("the backup is played on: %q", out)
	}

	// There and back.
	again := cluster.Address("again")
	for _, line := range [][]string{
		{"copy", data, "copy.db"},
		{"copy", "copy.db", again},
		{"restore", "--data", cluster.Address("restored"), "backup.db"},
	} {
		if status, out, errs := call(t, "", line...); status != 0 || !regexp.MustCompile(`: \d+ bytes\n$`).MatchString(out) {
			t.Errorf("%s: status %d, %q, errors %q", line, status, out, errs)
		}
	}
	if want, got := asked(t, "copy.db"), asked(t, again); !shape("none").MatchString(got) || withoutFile(got) != withoutFile(want) {
		t.Errorf("the copy in the cluster: %s; in the file: %s", got, want)
	}
	for _, line := range [][]string{{"copy", "copy.db", data}, {"copy", data, "copy.db"}, {"restore", "--data", data, "backup.db"}} {
		if status, _, errs := call(t, "", line...); status != badInput || !strings.Contains(errs, "holds something already") {
			t.Errorf("%s: status %d, errors %q", line, status, errs)
		}
	}
	if status, _, errs := call(t, "", "copy", cluster.Address("nothing"), "nothing.db"); status != badInput || !strings.Contains(errs, "no records are in it") {
		t.Errorf("copy of nothing: status %d, errors %q", status, errs)
	}
	if status, _, errs := call(t, "", "status", "--data", "etcd://"); status != badInput || strings.Count(errs, "\n") != 1 {
		t.Errorf("an address that is none: status %d, errors %q", status, errs)
	}
}

// withoutFile is what is said of a database, but of the file that it is in.
func withoutFile(text string) string {
	return regexp.MustCompile(`(?m)^(file|cluster|bytes per game|etcd .*): .*\n`).ReplaceAllString(text, "")
}

func TestOneProcessIsAtWorkOnACluster(t *testing.T) {
	data := etcdtest.Start(t, 1, nil).Address("chimera", "lease=2s")
	bot := start(t, "play", "--data", data)
	bot.say(aGame + "alice: help")
	bot.until("→ alice")
	for _, line := range [][]string{{"play", "--data", data}, {"forget", "--data", data, "1"}} {
		if status, _, errs := call(t, "", line...); status != badInput || !strings.Contains(errs, "in use by another process") {
			t.Errorf("%s: status %d, errors %q", line, status, errs)
		}
	}
	if got := asked(t, data); !shape("none").MatchString(got) {
		t.Errorf("asked meanwhile: %s", got)
	}

	// Whoever loses its lease ends, and says why.
	client := inCluster(t, data)
	leases, err := client.Leases(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, lease := range leases.Leases {
		if _, err := client.Revoke(context.Background(), lease.ID); err != nil {
			t.Fatal(err)
		}
	}
	bot.say("bob: e5")
	_ = bot.cmd.Wait()
	if status := bot.cmd.ProcessState.ExitCode(); status != badInput || !strings.Contains(bot.errs.String(), "the claim on the database is over") {
		t.Errorf("the process that was at work: status %d, errors %q", status, bot.errs.String())
	}
	if status, out, errs := call(t, "bob: e5\n", "play", "--data", data); status != 0 || !strings.Contains(out, "e5") {
		t.Errorf("the next: status %d, %q, errors %q", status, out, errs)
	}
}

// inCluster is a client that knows nothing of databases.
func inCluster(t *testing.T, data string) *clientv3.Client {
	t.Helper()
	hosts, _, _ := strings.Cut(strings.TrimPrefix(data, "etcd://"), "/")
	client, err := clientv3.New(clientv3.Config{Endpoints: strings.Split(hosts, ","), Logger: zap.NewNop()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func TestAProcessThatStandsByTakesOver(t *testing.T) {
	data := etcdtest.Start(t, 3, nil).Address("chimera", "lease=2s")
	telegram := loopback.NewTelegram(t)
	serve := func() *child {
		return start(t, "serve", "--data", data, "--telegram-token", loopback.Token, "--telegram-api-url", telegram.URL)
	}
	first := serve()
	telegram.Wait("commands", func() bool { return len(telegram.Calls) > 3 })
	second := serve()
	client := inCluster(t, data)
	for handles := int64(0); handles < 2; {
		got, err := client.Get(t.Context(), "chimera/m/handle/", clientv3.WithPrefix(), clientv3.WithCountOnly())
		if err != nil {
			t.Fatal(err)
		}
		handles = got.Count
	}
	alice, bob := loopback.Person{ID: 1, Name: "alice"}, loopback.Person{ID: 2, Name: "bob"}
	telegram.Say(-5, alice, "/challenge@ChimeraBot chess white")
	telegram.Posted("chat_id:-5", "alice", "Join")
	telegram.Say(-5, bob, "/accept@ChimeraBot #1")
	telegram.Posted("chat_id:-5", "Chess #1")
	first.kill()
	telegram.Say(-5, alice, "/move@ChimeraBot e4")
	telegram.Posted("chat_id:-5", "1. e4")
	if err := second.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if status, _ := second.end(); status != 0 {
		t.Errorf("the second ended with status %d: %s", status, second.errs.String())
	}
	if status, out, _ := call(t, "", "verify", "--data", data); status != 0 {
		t.Errorf("verify: %s", out)
	}
}
