package web

import (
	"net/http"
	"net/url"
	"testing"
)

// BenchmarkGames shows the page of somebody with a hundred games in progress.
func BenchmarkGames(b *testing.B) {
	at := open(b).URL
	for range 100 {
		visit(b, at+"/", url.Values{"game": {"stealth"}, "against": {"guest"}, "color": {"white"}})
	}
	var size int
	for b.Loop() {
		status, text := visit(b, at+"/games", nil)
		if status != http.StatusOK {
			b.Fatal(status)
		}
		size = len(text)
	}
	b.ReportMetric(float64(size), "bytes/page")
}
