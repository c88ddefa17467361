package message

// Pictures are drawn a few at a time and kept for a while.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"

	"chimera/bot/metrics"
	"chimera/render"
	"chimera/render/diagram"
	"chimera/storage"
)

// What may be drawn, and is kept.
const (
	// Renders is how many replays and charts are drawn at once: each takes a core for up to some
	// tenths of a second, which moves need too, and up to 64 megabytes.
	Renders = 1

	// Replays is how many replays one person may ask for in a row; after those, one more
	// each ReplayEvery.
	Replays     = 10
	ReplayEvery = 20 * time.Second

	// Of boards, some ten kilobytes each; of replays and cards, some hundred; and of people's last
	// requests for replays.
	boardsKept, filmsKept, askersKept = 128, 64, 4096
)

// Cache keeps pictures that were drawn. Those that cost more than a board it draws one after the
// other, so that moves never wait for them, and only once where several people ask. It is safe for
// concurrent use.
type Cache struct {
	Painter *render.Painter // of all of them

	slots   chan struct{}
	boards  *lru.Cache[string, []byte]
	films   *lru.Cache[string, []byte] // and what else moves, and cards
	drawing singleflight.Group
	askers  *lru.Cache[storage.PersonID, *rate.Limiter]
	metrics *metrics.Metrics
}

// NewCache makes a Cache. What it draws is counted, unless the metrics are nil.
func NewCache(m *metrics.Metrics) *Cache {
	return &Cache{
		Painter: render.NewPainter(), metrics: m, slots: make(chan struct{}, Renders),
		boards: cache[string, []byte](boardsKept), films: cache[string, []byte](filmsKept),
		askers: cache[storage.PersonID, *rate.Limiter](askersKept),
	}
}

func cache[K comparable, V any](size int) *lru.Cache[K, V] {
	c, err := lru.New[K, V](size)
	if err != nil {
		panic(err) // the size is a constant
	}
	return c
}

// Board is a diagram as a PNG file: openings are seen often.
func (s *Cache) Board(d *diagram.Diagram, size int) ([]byte, error) {
	return s.soon(s.boards, "board", nameOf(size, *d), func(w io.Writer) error { return s.Painter.PNG(w, *d, size) })
}

// Motion is a picture of a few frames in which a move is played.
func (s *Cache) Motion(frames []diagram.Diagram, size int, pace render.Pace) ([]byte, error) {
	return s.soon(s.films, "motion", fmt.Sprint(nameOf(size, frames...), pace), func(w io.Writer) error { return s.Painter.GIF(w, frames, size, pace) })
}

// soon is the picture of a name, which is drawn at once unless it is kept: it waits for nothing that
// costs more.
func (s *Cache) soon(kept *lru.Cache[string, []byte], what, name string, paint func(io.Writer) error) ([]byte, error) {
	if picture, ok := kept.Get(name); ok {
		return picture, nil
	}
	defer s.metrics.Render(what, time.Now())
	var picture bytes.Buffer
	if err := paint(&picture); err != nil {
		return nil, err
	}
	kept.Add(name, picture.Bytes())
	return picture.Bytes(), nil
}

// Film is a moving picture of frames. It goes on being drawn for others when the context is done.
func (s *Cache) Film(ctx context.Context, frames []diagram.Diagram, size int, pace render.Pace) ([]byte, error) {
	return s.Keep(ctx, "film", fmt.Sprint(nameOf(size, frames...), pace), func(w io.Writer) error { return s.Painter.GIF(w, frames, size, pace) })
}

// nameOf is the same for diagrams that look the same, but for accidents of one in 2^128: so a game's
// picture is found by how it is looked at, and that of an opening by any game.
func nameOf(size int, frames ...diagram.Diagram) string {
	sum := sha256.New()
	for _, d := range frames {
		var bars diagram.Bars
		if d.Bars != nil {
			bars = *d.Bars
		}
		fmt.Fprintf(sum, "%p %p %t %#v", d.Shape, &d.Table[0], d.Bars != nil, bars)
		d.Shape, d.Table, d.Bars = nil, nil, nil
		fmt.Fprintf(sum, "%#v\n", d)
	}
	return fmt.Sprintf("%x %d", sum.Sum(nil), size)
}

// Wait is how long a person who asks for a replay has to wait before they get another;
// 0 if they get one now. The clock is the machine's own, as the work is.
func (s *Cache) Wait(p storage.PersonID) time.Duration {
	limiter := rate.NewLimiter(rate.Every(ReplayEvery), Replays)
	if before, found, _ := s.askers.PeekOrAdd(p, limiter); found {
		limiter = before
	}
	r := limiter.Reserve()
	wait := r.Delay()
	if wait > 0 {
		r.Cancel()
	}
	return wait
}

// Chart waits until there is a hand free, and lets it paint a chart.
func (s *Cache) Chart(ctx context.Context, paint func() error) error {
	return s.draw(ctx, "chart", paint)
}

func (s *Cache) draw(ctx context.Context, what string, paint func() error) error {
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-s.slots }()
	defer s.metrics.Render(what, time.Now())
	return paint()
}

// Keep is the picture of a name, as paint paints it unless it is kept; what says what it is to
// operators. Whoever asks for it meanwhile gets the same; it goes on being painted for others when the
// context is done.
func (s *Cache) Keep(ctx context.Context, what, name string, paint func(io.Writer) error) ([]byte, error) {
	if picture, ok := s.Kept(name); ok {
		return picture, nil
	}
	result := s.drawing.DoChan(name, func() (any, error) {
		if picture, ok := s.Kept(name); ok { // by then
			return picture, nil
		}
		var picture bytes.Buffer
		err := s.draw(context.WithoutCancel(ctx), what, func() error { return paint(&picture) })
		if err == nil {
			s.films.Add(name, picture.Bytes())
		}
		return picture.Bytes(), err
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-result:
		picture, _ := r.Val.([]byte)
		return picture, r.Err
	}
}

// Kept is the picture of a name if it is kept.
func (s *Cache) Kept(name string) ([]byte, bool) { return s.films.Get(name) }
