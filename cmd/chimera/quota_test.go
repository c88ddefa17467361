package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"

	"chimera/bot/fake"
	"chimera/storage/etcd/etcdtest"
)

// TestWhatWasStoredWhileAClusterFilledUpIsToldWhenThereIsRoom plays until a cluster is over its quota.
// Whoever is told then that nothing can be saved has played nothing; all else that was played reaches
// the other once somebody has made room.
func TestWhatWasStoredWhileAClusterFilledUpIsToldWhenThereIsRoom(t *testing.T) {
	t.Parallel()
	const quota = 32 << 20
	cluster := etcdtest.Start(t, 1, func(c *embed.Config) { c.QuotaBackendBytes = quota })
	data := cluster.Address("chimera")
	program, _, g := serves(t, data)
	const games = 6
	for n := range games {
		white, black := people(n)
		g.Say(white.ID, white, "/challenge combine white unrated")
		g.Say(black.ID, black, "/start "+toldCode(g, white.ID, "accept "))
		g.Posted("sendPhoto", fmt.Sprint("chat_id:", white.ID))
	}

	client := etcdtest.Client(t, data)
	filler := bytes.Repeat([]byte{'x'}, 128<<10)
	fill := func() error {
		_, err := client.Put(t.Context(), "filler/", string(filler))
		return err
	}
	for size := used(t, client); size < quota/100*85; size += len(filler) {
		must(t, fill())
	}
	until(t, "its size", func() int { return used(t, client) }, func(size int) bool { return size >= quota/5*4 })
	if status, out, errs := call(t, "", "status", "--data", data); !strings.Contains(out, "of its quota of 33554432 bytes are used") {
		t.Errorf("status %d does not warn: %s%s", status, out, errs)
	}
	refused := func(chat int64) bool {
		return slices.ContainsFunc(g.Calls, func(c fake.Call) bool { return c.Has(fmt.Sprint("chat_id:", chat), "can't save") })
	}
	for n := range games {
		white, _ := people(n)
		g.Say(white.ID, white, "e4")
	}
	// Each is stored, or told that it is not; and once it is full, the next one is told.
	err := fill()
	for err == nil {
		err = fill()
	}
	if !errors.Is(err, rpctypes.ErrNoSpace) {
		t.Fatal(err)
	}
	late, _ := people(games)
	g.Say(late.ID, late, "/challenge chess")
	g.Wait("what cannot be saved", func() bool { return refused(late.ID) })

	_, err = client.Delete(t.Context(), "filler/", clientv3.WithPrefix())
	must(t, err)
	etcdtest.MakeRoom(t, client)
	for n := range games {
		white, black := people(n)
		reached := func() bool {
			return refused(white.ID) || slices.ContainsFunc(g.Calls, func(c fake.Call) bool {
				return c.Method == "sendPhoto" && c.Has(fmt.Sprint("chat_id:", black.ID), "1. e4")
			})
		}
		g.Wait(fmt.Sprintf("the board of game %d", n+1), reached)
	}
	program.kill()
	verifies(t, data)
}

// people are the players of a game.
func people(n int) (white, black fake.Person) {
	id := int64(100 + 2*n)
	return fake.Person{ID: id, Name: fmt.Sprint("w", n)}, fake.Person{ID: id + 1, Name: fmt.Sprint("b", n)}
}

// used is how large a server's file is.
func used(t *testing.T, client *clientv3.Client) int {
	t.Helper()
	said, err := client.Status(t.Context(), client.Endpoints()[0])
	must(t, err)
	return int(said.DbSize)
}
