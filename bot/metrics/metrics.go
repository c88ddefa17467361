// Package metrics counts what operators want to know of a bot at work, for Prometheus.
//
// # Design
//
// It is called where things happen, and is the only package that knows the library. Whoever
// counts holds a [*Metrics], which may be nil: then nothing is counted, as in the terminal and
// in most tests. Labels have few values each (platforms, games, the codes of reasons), never
// anything that people have written, or who they are.
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
	registry *prometheus.Registry
	register promauto.Factory

	messages      *prometheus.CounterVec
	failures      *prometheus.CounterVec
	refusals      *prometheus.CounterVec
	moves         *prometheus.CounterVec
	answers       *prometheus.HistogramVec
	announcements *prometheus.HistogramVec
	renders       *prometheus.HistogramVec
	requests      *prometheus.CounterVec
	connects      *prometheus.CounterVec
	commits       prometheus.Histogram
	conflicts     prometheus.Counter
	unsaved       prometheus.Counter
}

// The labels.
const (
	platform = "platform"
	kind     = "kind"
	reason   = "reason"
	game     = "game"
	by       = "by"
	code     = "code"
)

// New makes Metrics of a program in the given version, and of its process.
func New(version string) *Metrics {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	f := promauto.With(r)
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return f.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	histogram := func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
		return f.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
	}
	soon := []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}
	late := []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300, 3600}
	f.NewGaugeVec(prometheus.GaugeOpts{Name: "chimera_build_info", Help: "Always 1, with the version of the program."}, []string{"version"}).
		WithLabelValues(version).Set(1)
	return &Metrics{
		registry: r, register: f,
		messages:      counter("chimera_messages_total", "Messages and presses on buttons that were meant for the bot.", platform, kind),
		failures:      counter("chimera_failures_total", "Messages that could not be carried out by a fault of the bot's, or because nothing could be saved.", platform),
		refusals:      counter("chimera_refusals_total", "Requests that were refused, by the code of the reason.", reason),
		moves:         counter("chimera_moves_total", "Moves that were played.", game, by),
		answers:       histogram("chimera_answer_seconds", "From when something reached the bot until whoever did it was answered.", late, platform),
		announcements: histogram("chimera_announcement_seconds", "From when something that others hear of was stored, such as a move, until their message was sent.", late, platform, kind),
		renders:       histogram("chimera_render_seconds", "How long pictures took to be drawn that were not drawn of late.", soon, kind),
		requests:      counter("chimera_requests_total", "Requests to platforms that were answered, by HTTP status.", platform, code),
		connects:      counter("chimera_connects_total", "How often a platform was reached anew, the first time included.", platform),
		commits:       f.NewHistogram(prometheus.HistogramOpts{Name: "chimera_commit_seconds", Help: "How long transactions took that have stored something.", Buckets: soon}),
		conflicts:     f.NewCounter(prometheus.CounterOpts{Name: "chimera_conflicts_total", Help: "How often transactions that write had to be run once more."}),
		unsaved:       f.NewCounter(prometheus.CounterOpts{Name: "chimera_unsaved_total", Help: "Transactions that the database could not keep."}),
	}
}

// Handler shows the metrics to Prometheus.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}

// either is one of two labels.
func either(first bool, one, other string) string {
	if first {
		return one
	}
	return other
}

// Message counts something that was said to the bot, or a press on a button.
func (m *Metrics) Message(on string, press bool) {
	if m != nil {
		m.messages.WithLabelValues(on, either(press, "button", "text")).Inc()
	}
}

// Failure counts a message that could not be carried out, though it may have been right.
func (m *Metrics) Failure(on string) {
	if m != nil {
		m.failures.WithLabelValues(on).Inc()
	}
}

// Refusal counts a request that was refused for a reason, of which there are not many.
func (m *Metrics) Refusal(why string) {
	if m != nil {
		m.refusals.WithLabelValues(strings.ReplaceAll(why, " ", "_")).Inc()
	}
}

// Move counts a move in a game of some kind.
func (m *Metrics) Move(of string, computer bool) {
	if m != nil {
		m.moves.WithLabelValues(of, either(computer, "computer", "person")).Inc()
	}
}

// Answer counts an answer to what has reached the bot at a moment.
func (m *Metrics) Answer(on string, since time.Time) {
	if m != nil {
		m.answers.WithLabelValues(on).Observe(time.Since(since).Seconds())
	}
}

// Announcement counts something that was told others, with or without a board, so long after
// it was stored.
func (m *Metrics) Announcement(on string, board bool, after time.Duration) {
	if m != nil {
		m.announcements.WithLabelValues(on, either(board, "board", "line")).Observe(max(after, 0).Seconds())
	}
}

// Render counts a picture of some kind, begun to be drawn at a moment.
func (m *Metrics) Render(what string, since time.Time) {
	if m != nil {
		m.renders.WithLabelValues(what).Observe(time.Since(since).Seconds())
	}
}

// Connect counts that a platform was reached, or reached again.
func (m *Metrics) Connect(on string) {
	if m != nil {
		m.connects.WithLabelValues(on).Inc()
	}
}

// Transport makes requests to a platform as another one does, and counts their answers.
func (m *Metrics) Transport(on string, inner http.RoundTripper) http.RoundTripper {
	if m == nil {
		return inner
	}
	return transport{promhttp.InstrumentRoundTripperCounter(m.requests.MustCurryWith(prometheus.Labels{platform: on}), inner), inner}
}

// transport counts requests, and can still be asked to let connections go.
type transport struct {
	http.RoundTripper
	inner http.RoundTripper
}

// CloseIdleConnections is what [http.Client] looks for.
func (t transport) CloseIdleConnections() { (&http.Client{Transport: t.inner}).CloseIdleConnections() }

// Commit counts a transaction that has stored something, begun at a moment.
func (m *Metrics) Commit(since time.Time) {
	if m != nil {
		m.commits.Observe(time.Since(since).Seconds())
	}
}

// Conflict counts a transaction that writes and is run once more.
func (m *Metrics) Conflict() {
	if m != nil {
		m.conflicts.Inc()
	}
}

// Unsaved counts a transaction that the database could not keep.
func (m *Metrics) Unsaved() {
	if m != nil {
		m.unsaved.Inc()
	}
}

// gauge shows from now on what is so, in a metric that stands by itself.
func (m *Metrics) gauge(o prometheus.GaugeOpts, value func() float64) {
	if m != nil {
		m.register.NewGaugeFunc(o, value)
	}
}

// Members shows from now on how many processes share the database. It is called once.
func (m *Metrics) Members(count func() int) {
	m.gauge(prometheus.GaugeOpts{Name: "chimera_members", Help: "Processes that share the database, as far as this one knows."}, func() float64 {
		return float64(count())
	})
}

// Fullness shows from now on how much of its quota a cluster has used, from 0 to 1. It is called once.
func (m *Metrics) Fullness(used func() float64) {
	m.gauge(prometheus.GaugeOpts{Name: "chimera_cluster_fullness", Help: "Part of its quota that the fullest member of the cluster has used."}, used)
}

// Outbox shows from now on what waits to be said: how much, and for how long the oldest. It is
// called once.
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

// Platform shows from now on whether the bot is connected to a platform. It is called once for
// each.
func (m *Metrics) Platform(on string, connected func() bool) {
	m.gauge(prometheus.GaugeOpts{
		Name: "chimera_connected", Help: "Whether the bot is connected to the platform: 1 or 0.", ConstLabels: prometheus.Labels{platform: on},
	}, func() float64 {
		if connected() {
			return 1
		}
		return 0
	})
}
