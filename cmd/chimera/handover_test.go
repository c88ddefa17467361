package main

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"chimera/bot/fake"
	"chimera/storage/etcd/etcdtest"
	"chimera/storage/kv/kvtest"
)

// TestNobodyNoticesARollingRestart asks one process after the other to end, each time the one that has
// all roles, in the moment in which somebody on Discord or on Telegram moves. It tells how long they wait
// for the next board then.
func TestNobodyNoticesARollingRestart(t *testing.T) {
	if testing.Short() {
		t.Skip("left out of short runs: it starts one process after the other")
	}
	t.Parallel()
	script := randomGame(t, kvtest.Random(t))
	script = script[:min(len(script), 16)]
	data := etcdtest.Start(t, 3, nil).Address("chimera")
	d, g := fake.NewDiscord(t), fake.NewTelegram(t)
	serve := func() *child {
		operators := freeAddress(t)
		bot := onChats(t, data, d, g, "--metrics-listen", operators)
		until(t, "a bot that is ready", statusOf("http://"+operators+"/readyz"), fine)
		return bot
	}
	now, next := serve(), serve()
	d.Ready()
	alice := fake.Users()[0]
	offer, _ := begun(d, g, "combine")
	room := "channels/" + offer.ID + "/messages"
	d.Posted("POST "+room, "Combine Chess #1")
	g.Posted("sendPhoto", "chat_id:2", "Combine Chess #1")

	var waits []time.Duration
	number := func(ply int) string { return fmt.Sprint(ply/2+1, []string{". ", "… "}[ply%2]) }
	for ply, move := range script {
		begun := time.Now()
		must(t, now.cmd.Process.Signal(os.Interrupt))
		if ply%2 == 0 {
			d.Slash(offer.ID, alice, "move", "move="+move)
			g.Posted("sendPhoto", "chat_id:2", "<b>"+number(ply))
		} else {
			g.Say(bob.ID, bob, move)
		}
		d.Posted("POST "+room, "**"+number(ply))
		waits = append(waits, time.Since(begun))
		now.ends()
		now, next = next, serve()
	}
	for ply := range script {
		if n := times(d, g, "**"+number(ply)); n != 1 {
			t.Errorf("ply %d was told %d times on Discord", ply+1, n)
		}
		if n := times(d, g, "<b>"+number(ply)); n != 1-ply%2 {
			t.Errorf("ply %d was told %d times on Telegram", ply+1, n)
		}
	}
	slices.Sort(waits)
	t.Logf("of %d waits for a board while the next process takes over, the one in the middle was %v long, and the longest %v",
		len(waits), waits[len(waits)/2].Round(time.Millisecond), waits[len(waits)-1].Round(time.Millisecond))
	now.kill()
	next.kill()
	verifies(t, data)
}
