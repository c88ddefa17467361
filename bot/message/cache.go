package message

// Pictures are drawn a few at a time and kept for a while.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"

	"chimera/bot/limit"
	"chimera/bot/metrics"
	"chimera/render"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/storage"
)

// Studio draws those that cost more than a board one after the other, so that moves never wait
// for them, and a replay that several people ask for only once. It is
// safe for concurrent use.
type Cache struct {
	slots   chan struct{}
	boards  *lru.Cache[board, []byte]
	films   *lru.Cache[string, []byte] // and what else is kept
	drawing singleflight.Group         // of films, and of what else is kept
	askers  *lru.Cache[storage.PersonID, *rate.Limiter]
	metrics *metrics.Metrics
}

// New makes a Studio. What it draws is counted, unless the metrics are nil.
func NewCache(m *metrics.Metrics) *Cache {
	return &Cache{
		metrics: m,
		slots:   make(chan struct{}, limit.Renders), boards: cache[board, []byte](limit.BoardsKept),
		films: cache[string, []byte](limit.FilmsKept), askers: cache[storage.PersonID, *rate.Limiter](limit.AskersKept),
	}
}

func cache[K comparable, V any](size int) *lru.Cache[K, V] {
	c, err := lru.New[K, V](size)
	if err != nil {
		panic(err) // the size is a constant
	}
	return c
}

// board is all that a picture of a diagram depends on: the position, and how it is looked at. So
// a game's picture is found by its ply and its look, and that of an opening by any game.
type board struct {
	shape  *rules.Shape
	table  *rules.RoleInfo // its first row
	pieces rules.Board
	rest   string
	size   int
}

func boardOf(d *diagram.Diagram, size int) board {
	rest := looks(make([]byte, 0, 256))
	rest.numbers(int(d.Bottom), int(d.Turn), int(d.Status), int(d.Theme), int(d.Coords), len(d.Marks))
	rest.facts(d.Over, d.Idle, d.Bars != nil)
	for _, m := range d.Marks {
		rest.numbers(int(m.Kind), int(m.From), int(m.To))
		rest.pieces(m.Piece)
		rest.texts(string(m.Path))
	}
	if d.Bars != nil {
		rest.texts(d.Bars.Result)
		for _, side := range d.Bars.Sides {
			rest.texts(side.Name, side.Rating, side.When)
			rest.numbers(side.Ahead)
			rest.facts(side.Won)
			rest.pieces(side.Taken...)
		}
	}
	rest.texts(d.Caption)
	if len(d.Legend)+len(d.Flights) > 0 { // seldom
		rest = fmt.Appendf(rest, "%#v %#v", d.Legend, d.Flights)
	}
	return board{d.Shape, &d.Table[0], d.Board, string(rest), size}
}

// looks are numbers and texts behind each other, other ones for other ones.
type looks []byte

func (l *looks) numbers(all ...int) {
	for _, n := range all {
		*l = binary.AppendVarint(*l, int64(n))
	}
}

func (l *looks) texts(all ...string) {
	for _, text := range all {
		l.numbers(len(text))
		*l = append(*l, text...)
	}
}

func (l *looks) facts(all ...bool) {
	for _, is := range all {
		*l = strconv.AppendBool(*l, is)
	}
}

func (l *looks) pieces(all ...rules.Piece) {
	l.numbers(len(all))
	for _, p := range all {
		l.numbers(int(p.White), int(p.Black))
	}
}

// Board is a diagram as a PNG file, drawn unless it was of late: openings are seen often.
func (s *Cache) Board(d *diagram.Diagram, size int) ([]byte, error) {
	which := boardOf(d, size)
	if picture, ok := s.boards.Get(which); ok {
		return picture, nil
	}
	begun := time.Now()
	var file bytes.Buffer
	if err := render.PNG(&file, *d, size); err != nil {
		return nil, err
	}
	s.metrics.Render("board", begun)
	s.boards.Add(which, file.Bytes())
	return file.Bytes(), nil
}

// Wait is how long a person who asks for a replay has to wait before they get another;
// 0 if they get one now. The clock is the machine's own, as the work is.
func (s *Cache) Wait(p storage.PersonID) time.Duration {
	limiter := rate.NewLimiter(rate.Every(limit.ReplayEvery), limit.Replays)
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

// Film is a moving picture of frames, drawn unless it was of late. It goes on
// being drawn for others when the context is done.
func (s *Cache) Film(ctx context.Context, frames []diagram.Diagram, size int, pace render.Pace) ([]byte, error) {
	return s.Keep(ctx, "film", filmName(frames, size, pace), func(w io.Writer) error { return render.GIF(w, frames, size, pace) })
}

// Motion is a picture of a few frames in which a move is played, drawn at once unless it was of late: as a
// board, it waits for nothing that costs more.
func (s *Cache) Motion(frames []diagram.Diagram, size int, pace render.Pace) ([]byte, error) {
	name := filmName(frames, size, pace)
	if picture, ok := s.Kept(name); ok {
		return picture, nil
	}
	defer s.metrics.Render("motion", time.Now())
	var picture bytes.Buffer
	if err := render.GIF(&picture, frames, size, pace); err != nil {
		return nil, err
	}
	s.films.Add(name, picture.Bytes())
	return picture.Bytes(), nil
}

// Keep is the picture of a name, as paint paints it unless that was done of late; what says what it is to
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

// Kept is the picture of a name if it was painted of late.
func (s *Cache) Kept(name string) ([]byte, bool) { return s.films.Get(name) }

// filmName is the same for films that look the same, but for accidents of one in 2^128: what each of its
// frames depends on takes a hundred kilobytes.
func filmName(frames []diagram.Diagram, size int, pace render.Pace) string {
	sum := sha256.New()
	for i := range frames {
		fmt.Fprintf(sum, "%p %v\n", frames[i].Shape, boardOf(&frames[i], size))
	}
	fmt.Fprint(sum, pace)
	return string(sum.Sum(nil))
}
