package web

import (
	"net/http"
	"net/url"
	"testing"

	"chimera/storage/kv/kvtest"
)

// TestAMoveOnAPageReadsAndWritesLittle counts reads and commits of the database from the form to the page.
func TestAMoveOnAPageReadsAndWritesLittle(t *testing.T) {
	db := &kvtest.Counted{DB: new(kvtest.Disk).Open("db")}
	c := clubOn(t, db)
	at := c.at
	begins(t, at+"/")
	visit(t, at+"/game/1", url.Values{"text": {"e4"}, "as": {"host"}})
	db.Reset()
	finds(t, http.StatusOK, at+c.site.GamePath(1), url.Values{"text": {"e5"}, "as": {"guest"}}, `data-last="2"`)
	if reads, commits := db.Views.Load(), db.Updates.Load(); reads > 4 || commits > 1 {
		t.Errorf("a move takes %d reads and %d commits", reads, commits)
	}
}
