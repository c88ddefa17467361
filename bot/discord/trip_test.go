package discord

import (
	"testing"

	"chimera/bot/fake"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// TestATypedMoveReadsAndWritesLittle follows one from Discord's event to the board that is posted. It is stored
// that it was played, and that it was said; each of the two players is read three times at most.
func TestATypedMoveReadsAndWritesLittle(t *testing.T) {
	read := &kvtest.Counted{DB: new(kvtest.Disk).Open("db"), Prefix: []byte("person/")}
	wrote := &fake.Counted{DB: read}
	l := liveOn(t, newFake(t), wrote)
	thread := l.begin(variants.All()[0])
	asked := int64(0)
	plays := func(ply int, by who, move string) {
		l.Say(thread, by, move)
		l.board(thread, ply)
		for waiting := -1; waiting != 0; asked++ {
			entries, err := storage.Read(t.Context(), l.store, storage.Reader.Outbox)
			kvtest.Must(t, err)
			waiting = len(entries)
		}
	}
	plays(1, alice, "e4")
	plays(2, bob, "e5")
	read.Reset()
	asked = 0
	commits := wrote.Commits.Load() - wrote.Memories.Load()
	plays(3, alice, "Nf3")
	commits = wrote.Commits.Load() - wrote.Memories.Load() - commits
	if reads, people := read.Views.Load()-asked, read.Gets.Load(); reads > 8 || commits > 2 || people > 6 {
		t.Errorf("a move takes %d reads and %d commits, and reads people %d times", reads, commits, people)
	}
}
