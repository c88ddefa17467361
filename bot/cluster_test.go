package bot_test

import (
	"fmt"
	"testing"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/storage"
	"chimera/storage/etcd"
	"chimera/storage/etcd/etcdtest"
	"chimera/storage/migrate"
)

// TestAMoveTakesFewTripsToACluster plays by words in a room, where it has to be found out first
// whether they are a move: one trip asks what is new and whether the message has come before, and
// one commits. To say it takes one that looks what waits, one that looks what that is by now, and
// one that commits.
func TestAMoveTakesFewTripsToACluster(t *testing.T) {
	db, err := etcd.Open(t.Context(), etcdtest.Start(t, 1, nil).Address("trips"))
	if err != nil {
		t.Fatal(err)
	}
	if err := migrate.Run(t.Context(), db, nil); err != nil {
		t.Fatal(err)
	}
	o := newOfficeOn(t, db)
	defer func() {
		if err := o.store.Close(); err != nil {
			t.Error(err)
		}
	}()
	trips := func(what string, most int64, do func()) {
		t.Helper()
		before := db.Figures().Trips
		do()
		if n := db.Figures().Trips - before; n > most {
			t.Errorf("%s takes %d trips; want %d", what, n, most)
		}
	}
	play := func(id, who, text string) {
		t.Helper()
		ctx := bot.AsOfNow(t.Context()) // as adapters do
		m := message.Incoming{ID: id, Place: storage.Address{Platform: "test", ID: "room"}, From: someone(who), Text: text}
		if !o.bot.IsMeant(ctx, &m, message.Nobody) {
			t.Fatalf("%s is not meant as a move", text)
		}
		if _, err := o.bot.Handle(ctx, m); err != nil {
			t.Fatal(err)
		}
	}
	o.answers("begin", "alice", "challenge @bob chess white", "")
	o.answers("accept", "bob", "accept", "")
	o.drain()
	moves := []string{"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"}
	for ply, text := range moves {
		who := [...]string{"alice", "bob"}[ply%2]
		if ply < 2 { // when all that they need is read first
			play(fmt.Sprint(ply), who, text)
			o.drain()
			continue
		}
		trips(text, 2, func() { play(fmt.Sprint(ply), who, text) })
		trips("to say "+text, 3, func() { o.drain() })
	}
	if n := len(o.chat.said); n < len(moves) {
		t.Errorf("%d things were said", n)
	}
}
