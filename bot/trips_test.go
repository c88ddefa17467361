package bot_test

import (
	"fmt"
	"testing"

	"chimera/bot/message"
	"chimera/storage"
	"chimera/storage/etcd"
	"chimera/storage/etcd/etcdtest"
	"chimera/storage/migrate"
)

// TestAMoveTakesFewTripsToACluster plays in a room, where the bot first has to find out whether a text is a move. One
// trip reads news and whether the message came before, and one commits. To tell the move, one trip reads what waits,
// one reads its current state, and one commits.
func TestAMoveTakesFewTripsToACluster(t *testing.T) {
	db, err := etcd.Open(t.Context(), etcdtest.Start(t, 1, nil).Address("trips"))
	must(t, err)
	must(t, migrate.Run(t.Context(), db, nil))
	o := newOfficeOn(t, db)
	defer func() { must(t, o.store.Close()) }()
	trips := func(what string, most int64, do func()) {
		t.Helper()
		before := db.Trips.Load()
		do()
		if n := db.Trips.Load() - before; n > most {
			t.Errorf("%s takes %d trips; want %d", what, n, most)
		}
	}
	play := func(id, who, text string) {
		t.Helper()
		ctx := storage.AsOfNow(t.Context()) // as adapters do
		m := message.Incoming{ID: id, Place: storage.Address{Platform: "test", ID: "room"}, From: someone(who), Text: text}
		if !o.bot.IsMeant(ctx, &m, message.Nobody) {
			t.Fatalf("%s is not meant as a move", text)
		}
		_, err := o.bot.Handle(ctx, m)
		must(t, err)
	}
	o.answers("begin", "alice", "challenge @bob chess white", "")
	o.answers("accept", "bob", "accept", "")
	o.drain()
	moves := []string{"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"}
	for ply, text := range moves {
		who := [...]string{"alice", "bob"}[ply%2]
		if ply < 2 { // the first two moves fill the caches
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
