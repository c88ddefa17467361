package web

import (
	"fmt"
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

// BenchmarkTop shows a leaderboard of a hundred people, by one of its pages.
func BenchmarkTop(b *testing.B) {
	c := newClub(b)
	for i := range 100 {
		c.beats("one", fmt.Sprintf("anna%d", i/10), fmt.Sprintf("p%02d", i))
	}
	for b.Loop() {
		if status, _ := visit(b, c.at+"/top?game=chess&from=21", nil); status != http.StatusOK {
			b.Fatal(status)
		}
	}
}
