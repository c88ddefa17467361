package metrics

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"chimera/storage/kv/kvtest"
)

// everything lets each metric be moved once.
func everything(t *testing.T, m *Metrics) {
	t.Helper()
	m.Message("telegram", true)
	m.Failure("telegram")
	m.Refusal("not your turn")
	m.Move("stealth", true)
	m.Answer("telegram", time.Now())
	m.Announcement("telegram", true, time.Second)
	m.Render("board", time.Now())
	m.Connect("telegram")
	m.Commit(time.Now())
	m.Conflict()
	m.Unsaved()
	m.Members(func() int { return 1 })
	m.Fullness(func() float64 { return 0.5 })
	m.Seasons(func() int { return 1 })
	m.Outbox(func() (int, time.Duration) { return 2, time.Minute })
	m.Platform("telegram", func() bool { return true })
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	inner := http.DefaultTransport.(*http.Transport).Clone()
	client := http.Client{Transport: m.Transport("telegram", inner)}
	answer, err := client.Get(server.URL)
	kvtest.Must(t, err)
	kvtest.Must(t, answer.Body.Close())
	inner.CloseIdleConnections()
}

func TestPrometheusFindsNothingWrongWithTheMetrics(t *testing.T) {
	m := New("test")
	everything(t, m)
	problems, err := testutil.GatherAndLint(m.registry)
	kvtest.Must(t, err)
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

func TestEachMetricMovesByItsOwnEvent(t *testing.T) {
	m := New("test")
	everything(t, m)
	for _, c := range []struct {
		name string
		got  float64
		want float64
	}{
		{"messages", testutil.ToFloat64(m.counters["messages"].WithLabelValues("telegram", "button")), 1},
		{"failures", testutil.ToFloat64(m.counters["failures"].WithLabelValues("telegram")), 1},
		{"refusals", testutil.ToFloat64(m.counters["refusals"].WithLabelValues("not_your_turn")), 1},
		{"moves", testutil.ToFloat64(m.counters["moves"].WithLabelValues("stealth", "computer")), 1},
		{"connects", testutil.ToFloat64(m.counters["connects"].WithLabelValues("telegram")), 1},
		{"requests", testutil.ToFloat64(m.counters["requests"].WithLabelValues("telegram", "404")), 1},
		{"conflicts", testutil.ToFloat64(m.counters["conflicts"]), 1},
		{"unsaved", testutil.ToFloat64(m.counters["unsaved"]), 1},
		{"answers", float64(testutil.CollectAndCount(m.histograms["answer"])), 1},
		{"announcements", float64(testutil.CollectAndCount(m.histograms["announcement"])), 1},
		{"renders", float64(testutil.CollectAndCount(m.histograms["render"])), 1},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestNobodyHasToCount(t *testing.T) {
	everything(t, nil)
}
