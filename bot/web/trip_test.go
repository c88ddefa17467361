package web

import (
	"net/url"
	"strings"
	"testing"

	"chimera/storage/kv/kvtest"
)

// TestAMoveOnAPageReadsAndWritesLittle follows one from the form to the page that is answered.
func TestAMoveOnAPageReadsAndWritesLittle(t *testing.T) {
	db := &kvtest.Counted{DB: new(kvtest.Disk).Open("db")}
	at := openOn(t, db).URL
	begins(t, at+"/")
	visit(t, at+"/game/1", url.Values{"text": {"e4"}, "as": {"host"}})
	db.Reset()
	if _, text := visit(t, at+"/game/1", url.Values{"text": {"e5"}, "as": {"guest"}}); !strings.Contains(text, `data-last="2"`) {
		t.Fatal(text)
	}
	if reads, commits := db.Views.Load(), db.Updates.Load(); reads > 4 || commits > 1 {
		t.Errorf("a move takes %d reads and %d commits", reads, commits)
	}
}
