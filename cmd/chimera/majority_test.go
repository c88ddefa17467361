package main

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"go.etcd.io/etcd/api/v3/mvccpb"
	clientv3 "go.etcd.io/etcd/client/v3"

	"chimera/bot/fake"
	"chimera/storage/etcd/etcdtest"
)

// TestWithoutMostMembersNothingHangsAndNothingIsMissed kills two of three members, while people go on
// writing to the bot. Whoever asks what can answer them without a lease hears within 20 s that it does
// not go; in chats nobody can, since a bot that is cut off sees the same as one without its cluster, and
// speaks for itself alone. So it ends, and what was written is done once they are back.
func TestWithoutMostMembersNothingHangsAndNothingIsMissed(t *testing.T) {
	if testing.Short() {
		t.Skip("left out of short runs: it waits for leases to be over")
	}
	t.Parallel()
	members := etcdtest.StartProcesses(t, 3)
	data := members.Address("chimera")
	d, g := fake.NewDiscord(t), fake.NewTelegram(t)
	address := freeAddress(t)
	serve := func() *child {
		return onChats(t, data, d, g, "--web-url", "http://"+address, "--web-listen", address)
	}
	first := serve()
	d.Ready()
	users := fake.Users()
	alice, bob, carol := users[0], users[1], fake.Person{ID: 3, Name: "carol"}
	d.Slash(fake.Channel, alice, "challenge", "game=chess", "colour=white")
	room := d.Posted("POST channels/501/messages", "alice is looking for an opponent").ID
	d.Slash(fake.Channel, bob, "accept", "game=#1")
	d.Posted("channels/"+room+"/messages", "Chess #1", "Move")
	g.Say(-5, carol, "/challenge@ChimeraBot chess white")
	g.Posted("chat_id:-5", "carol", "Join")
	g.Say(-5, fake.Person{ID: 4, Name: "dave"}, "/accept@ChimeraBot #2")
	g.Posted("chat_id:-5", "Chess #2")

	stored := func() int { // sessions of Discord's that another process can go on with
		found, err := etcdtest.Client(t, data).Get(t.Context(), "chimera/", clientv3.WithPrefix())
		must(t, err)
		return len(slices.DeleteFunc(found.Kvs, func(pair *mvccpb.KeyValue) bool { return !strings.Contains(string(pair.Key), "session/") }))
	}
	until(t, "a session that is stored", stored, func(n int) bool { return n > 0 })

	leader := members.Leader()
	gone := []int{leader, (leader + 1) % 3}
	for _, n := range gone {
		members.Kill(n)
	}
	const bound = 20 * time.Second
	late := time.After(bound)
	moved := d.Slash(room, alice, "move", "move=e4")
	g.Say(-5, carol, "/move@ChimeraBot d4")
	type end struct {
		who, said string
		well      bool
	}
	ends := make(chan end)
	go func() {
		status, _ := first.end()
		ends <- end{"the bot", first.errs.String(), status == failed}
	}()
	go func() {
		status, _, errs := call(t, "dave: d5\n", "play", "--data", data)
		ends <- end{"an operator's command", errs, status == badInput && strings.Count(errs, "\n") == 1}
	}()
	go func() {
		status, text := look("http://" + address + "/game/1")
		ends <- end{"a page", text, status == http.StatusInternalServerError}
	}()
	want := map[string]string{
		"the bot": "the claim on the database is over", "an operator's command": "etcd does not answer: see that most of its members run", "a page": "Something went wrong here: try again.",
	}
	begun := time.Now()
	for range len(want) {
		select {
		case got := <-ends:
			t.Logf("%s: after %v", got.who, time.Since(begun).Round(time.Millisecond))
			if !got.well || !strings.Contains(got.said, want[got.who]) {
				t.Errorf("%s ends without most members with %q", got.who, got.said)
			}
		case <-late:
			t.Fatalf("not all have ended after %v without most members", bound)
		}
	}
	said := func() (moves, refusals int) {
		for _, words := range []string{"1. e4", "1. d4"} {
			moves += times(d, g, words)
		}
		return moves, times(d, g, "went wrong")
	}
	if moves, refusals := said(); moves+refusals != 0 {
		t.Errorf("%d moves and %d faults were told without most members", moves, refusals)
	}

	for _, n := range gone {
		members.Start(n)
	}
	begun = time.Now()
	second := serve()
	d.Posted("channels/"+room+"/messages", "1. e4")
	g.Posted("chat_id:-5", "1. d4")
	t.Logf("all is told %v after they are back", time.Since(begun).Round(time.Millisecond))
	d.Posted("DELETE", "/token"+moved) // which had been promised an answer
	d.Slash(room, bob, "move", "move=e5")
	d.Posted("channels/"+room+"/messages", "1… e5")
	g.Say(-5, fake.Person{ID: 4, Name: "dave"}, "/move@ChimeraBot d5")
	g.Posted("chat_id:-5", "1… d5")
	if moves, refusals := said(); moves != 2 || refusals != 0 {
		t.Errorf("%d moves and %d faults were told of two moves", moves, refusals)
	}
	second.kill()
	verifies(t, data)
}

// times is how many messages with some words the bot has sent.
func times(d *fake.Discord, g *fake.Telegram, words string) (n int) {
	d.Lock()
	for _, c := range d.Calls {
		if c.Has("POST channels/", words) {
			n++
		}
	}
	d.Unlock()
	g.Lock()
	defer g.Unlock()
	for _, c := range g.Calls {
		if c.Has("send", words) {
			n++
		}
	}
	return n
}
