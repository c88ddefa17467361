// Package metrics counts what operators want to know about a running bot, for Prometheus.
//
// # Design
//
// It is called where things happen, and is the only package that uses the library. Callers hold a
// [*Metrics], which may be nil: then nothing is counted, as in the terminal and in most tests. Labels
// have few values each (platforms, games, codes of reasons), never anything that people have written,
// or who they are.
package metrics

import (
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are the metrics of one process. They are safe for concurrent use, and a nil *Metrics
// counts nothing.
type Metrics struct {
	registry   *prometheus.Registry
	register   promauto.Factory
	counters   map[string]*prometheus.CounterVec
	histograms map[string]*prometheus.HistogramVec
}

// New makes the Metrics of a process that runs a version of the program.
func New(version string) *Metrics {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m := &Metrics{
		registry: r, register: promauto.With(r),
		counters: map[string]*prometheus.CounterVec{}, histograms: map[string]*prometheus.HistogramVec{},
	}
	m.register.NewGaugeVec(prometheus.GaugeOpts{Name: "chimera_build_info", Help: "Always 1, with the version of the program."}, []string{"version"}).
		WithLabelValues(version).Set(1)
	for _, c := range []struct {
		name, help string
		labels     []string
	}{
		{"messages", "Messages and presses on buttons that were meant for the bot.", []string{"platform", "kind"}},
		{"failures", "Messages that could not be carried out by a fault of the bot's, or because nothing could be saved.", []string{"platform"}},
		{"refusals", "Requests that were refused, by the code of the reason.", []string{"reason"}},
		{"moves", "Moves that were played.", []string{"game", "by"}},
		{"requests", "Requests to platforms that were answered, by HTTP status.", []string{"platform", "code"}},
		{"connects", "How often a platform was reached anew, the first time included.", []string{"platform"}},
		{"conflicts", "How often transactions that write had to be run once more.", nil},
		{"unsaved", "Transactions that the database could not keep.", nil},
	} {
		m.counters[c.name] = m.register.NewCounterVec(prometheus.CounterOpts{Name: "chimera_" + c.name + "_total", Help: c.help}, c.labels)
		if c.labels == nil {
			m.counters[c.name].WithLabelValues() // shows 0 until something is counted
		}
	}
	soon := []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}
	late := []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300, 3600}
	for _, h := range []struct {
		name, help string
		buckets    []float64
		labels     []string
	}{
		{"answer", "From when something reached the bot until whoever did it was answered.", late, []string{"platform"}},
		{"announcement", "From when something that others hear of was stored, such as a move, until their message was sent.", late, []string{"platform", "kind"}},
		{"render", "How long pictures took to be drawn that were not drawn of late.", soon, []string{"kind"}},
		{"commit", "How long transactions took that have stored something.", soon, nil},
	} {
		m.histograms[h.name] = m.register.NewHistogramVec(prometheus.HistogramOpts{Name: "chimera_" + h.name + "_seconds", Help: h.help, Buckets: h.buckets}, h.labels)
		if h.labels == nil {
			m.histograms[h.name].WithLabelValues()
		}
	}
	return m
}

// Handler shows the metrics to Prometheus.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}

func (m *Metrics) count(what string, labels ...string) {
	if m != nil {
		m.counters[what].WithLabelValues(labels...).Inc()
	}
}

func (m *Metrics) took(what string, long time.Duration, labels ...string) {
	if m != nil {
		m.histograms[what].WithLabelValues(labels...).Observe(max(long, 0).Seconds())
	}
}

// Message counts something that was said to the bot, or a press on a button.
func (m *Metrics) Message(on string, press bool) {
	m.count("messages", on, map[bool]string{true: "button", false: "text"}[press])
}

// Failure counts a message that failed with an error, although it may have been valid.
func (m *Metrics) Failure(on string) { m.count("failures", on) }

// Refusal counts a refused request by its reason, one of few.
func (m *Metrics) Refusal(why string) { m.count("refusals", strings.ReplaceAll(why, " ", "_")) }

// Move counts a move in a game of some kind.
func (m *Metrics) Move(of string, computer bool) {
	m.count("moves", of, map[bool]string{true: "computer", false: "person"}[computer])
}

// Connect counts that a platform was reached, or reached again.
func (m *Metrics) Connect(on string) { m.count("connects", on) }

// Conflict counts a transaction that has to be run again.
func (m *Metrics) Conflict() { m.count("conflicts") }

// Unsaved counts a transaction that the database could not store.
func (m *Metrics) Unsaved() { m.count("unsaved") }

// Answer counts an answer to a message that arrived at a moment.
func (m *Metrics) Answer(on string, since time.Time) { m.took("answer", time.Since(since), on) }

// Announcement counts something that others were told, with or without a board, and how long after it
// was stored.
func (m *Metrics) Announcement(on string, board bool, after time.Duration) {
	m.took("announcement", after, on, map[bool]string{true: "board", false: "line"}[board])
}

// Render counts a picture of a kind, whose drawing began at a moment.
func (m *Metrics) Render(what string, since time.Time) { m.took("render", time.Since(since), what) }

// Commit counts a transaction that has stored something, begun at a moment.
func (m *Metrics) Commit(since time.Time) { m.took("commit", time.Since(since)) }

// Transport wraps another transport, and counts the answers of a platform.
func (m *Metrics) Transport(on string, inner http.RoundTripper) http.RoundTripper {
	if m == nil {
		return inner
	}
	return promhttp.InstrumentRoundTripperCounter(m.counters["requests"].MustCurryWith(prometheus.Labels{"platform": on}), inner)
}

// gauge adds a metric without labels that shows a value.
func (m *Metrics) gauge(o prometheus.GaugeOpts, value func() float64) {
	if m != nil {
		m.register.NewGaugeFunc(o, value)
	}
}

// Members adds a metric of how many processes share the database. It is called once.
func (m *Metrics) Members(count func() int) {
	m.gauge(prometheus.GaugeOpts{Name: "chimera_members", Help: "Processes that share the database, as far as this one knows."}, func() float64 {
		return float64(count())
	})
}

// Fullness adds a metric of how much of its quota a cluster has used, from 0 to 1. It is called once.
func (m *Metrics) Fullness(used func() float64) {
	m.gauge(prometheus.GaugeOpts{Name: "chimera_cluster_fullness", Help: "Part of its quota that the fullest member of the cluster has used."}, used)
}

// Outbox adds metrics of how much waits to be said, and how long the oldest has waited. It is called
// once.
func (m *Metrics) Outbox(waiting func() (n int, oldest time.Duration)) {
	m.gauge(prometheus.GaugeOpts{Name: "chimera_outbox_waiting", Help: "What waits to be said on the platforms in use."}, func() float64 {
		n, _ := waiting()
		return float64(n)
	})
	m.gauge(prometheus.GaugeOpts{Name: "chimera_outbox_oldest_seconds", Help: "For how long the oldest of that has waited, 0 if nothing waits."}, func() float64 {
		_, oldest := waiting()
		return oldest.Seconds()
	})
}

// Seasons adds a metric of how many league seasons are in progress. It is called once.
func (m *Metrics) Seasons(running func() int) {
	m.gauge(prometheus.GaugeOpts{Name: "chimera_seasons", Help: "Seasons of leagues that are running."}, func() float64 { return float64(running()) })
}

// Platform adds a metric of whether the bot is connected to a platform. It is called once for each.
func (m *Metrics) Platform(on string, connected func() bool) {
	m.gauge(prometheus.GaugeOpts{
		Name: "chimera_connected", Help: "Whether the bot is connected to the platform: 1 or 0.", ConstLabels: prometheus.Labels{"platform": on},
	}, func() float64 {
		if connected() {
			return 1
		}
		return 0
	})
}
