package bot_test

import (
	"testing"

	"chimera/bot/message"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// TestAMoveReadsAndWritesLittle follows a move from its text to the board that others see.
func TestAMoveReadsAndWritesLittle(t *testing.T) {
	var disk kvtest.Disk
	db := &kvtest.Counted{DB: disk.Open("trip"), Prefix: []byte("person/")}
	o := newOfficeOn(t, db)
	o.says("room", "alice", "challenge @bob chess white")
	o.says("room", "bob", "accept")
	o.drain()
	db.Reset()
	m := message.Incoming{
		ID: "m1", Place: storage.Address{Platform: "test", ID: "room"},
		From: message.Account{Address: storage.Address{Platform: "test", ID: "alice"}, Name: "alice"}, Text: "Nf3",
	}
	if !o.bot.IsMeant(t.Context(), &m, message.Nobody) {
		t.Fatal("the move is not heard")
	}
	if replies, err := o.bot.Handle(t.Context(), m); err != nil || len(replies) != 1 || !replies[0].Ack {
		t.Fatalf("the move is answered with %v, %v", replies, err)
	}
	o.heard()
	o.drain()
	o.hears("room: #1 moved")
	if reads, commits := db.Views.Load(), db.Updates.Load(); reads > 4 || commits > 2 {
		t.Errorf("a move takes %d reads and %d commits", reads, commits)
	}
	if people := db.Gets.Load(); people > 6 {
		t.Errorf("people are read %d times", people)
	}
}
