package bot

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"

	"chimera/bot/limit"
	"chimera/render"
	"chimera/storage"
)

// studio is where pictures are drawn that cost more than a board: a few at once, so that
// moves never wait for them, and a replay that several people ask for only once. It is
// safe for concurrent use.
type studio struct {
	slots   chan struct{}
	films   *lru.Cache[string, []byte]
	drawing singleflight.Group // of films
	askers  *lru.Cache[storage.PersonID, *rate.Limiter]
}

func newStudio() *studio {
	return &studio{
		slots: make(chan struct{}, limit.Renders),
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

// wait is how long a person who asks for a replay has to wait before they get another;
// 0 if they get one now. The clock is the machine's own, as the work is.
func (s *studio) wait(p storage.PersonID) time.Duration {
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

// draw waits until there is a hand free, and lets it paint.
func (s *studio) draw(ctx context.Context, paint func() error) error {
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-s.slots }()
	return paint()
}

// film is a moving picture, drawn unless one of the same name was. It goes on being drawn
// for others when the context is done.
func (s *studio) film(ctx context.Context, name string, frames []render.Diagram, size int) ([]byte, error) {
	if film, ok := s.films.Get(name); ok {
		return film, nil
	}
	result := s.drawing.DoChan(name, func() (any, error) {
		var film bytes.Buffer
		err := s.draw(context.WithoutCancel(ctx), func() error { return render.GIF(&film, frames, size, ReplayStep) })
		if err == nil {
			s.films.Add(name, film.Bytes())
		}
		return film.Bytes(), err
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-result:
		film, _ := r.Val.([]byte)
		return film, r.Err
	}
}

// Moving is the note's replay as a GIF file, and tells what it shows at its end. It may
// wait for others to be drawn.
func (n *Note) Moving(ctx context.Context) (film []byte, alt string, err error) {
	size, last := cmp.Or(n.Size, render.DefaultSize), n.Replay[len(n.Replay)-1]
	if n.studio == nil { // it is of no game that is known
		n.studio = newStudio()
	}
	name := fmt.Sprint(n.film, " ", last.Bottom, last.Theme, size)
	film, err = n.studio.film(ctx, name, n.Replay, size)
	return film, "The game, move by move. At its end: " + render.Words(last), err
}

// Still is the picture that goes with a note and does not move, as a PNG file with a name
// for it, and tells what it shows. A chart may wait for others to be drawn.
func (n *Note) Still(ctx context.Context) (picture []byte, name, alt string, err error) {
	size := cmp.Or(n.Size, render.DefaultSize)
	var file bytes.Buffer
	if n.Board != nil {
		err = render.PNG(&file, *n.Board, size)
		return file.Bytes(), "board.png", render.Words(*n.Board), err
	}
	err = n.studio.draw(ctx, func() error { return n.Chart.PNG(&file, size) })
	return file.Bytes(), "picture.png", n.Chart.Words(), err
}
