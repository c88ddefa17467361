// Package studio draws the pictures that cost more than a board.
package studio

import (
	"bytes"
	"context"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"

	"chimera/bot/limit"
	"chimera/render"
	"chimera/storage"
)

// Studio draws a few at once, so that
// moves never wait for them, and a replay that several people ask for only once. It is
// safe for concurrent use.
type Studio struct {
	slots   chan struct{}
	films   *lru.Cache[string, []byte]
	drawing singleflight.Group // of films
	askers  *lru.Cache[storage.PersonID, *rate.Limiter]
}

// New makes a Studio.
func New() *Studio {
	return &Studio{
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

// Wait is how long a person who asks for a replay has to wait before they get another;
// 0 if they get one now. The clock is the machine's own, as the work is.
func (s *Studio) Wait(p storage.PersonID) time.Duration {
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

// Draw waits until there is a hand free, and lets it paint.
func (s *Studio) Draw(ctx context.Context, paint func() error) error {
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-s.slots }()
	return paint()
}

// Film is a moving picture that shows each frame for so long, drawn unless one of the same name was. It goes on being drawn
// for others when the context is done.
func (s *Studio) Film(ctx context.Context, name string, frames []render.Diagram, size int, step time.Duration) ([]byte, error) {
	if film, ok := s.films.Get(name); ok {
		return film, nil
	}
	result := s.drawing.DoChan(name, func() (any, error) {
		var film bytes.Buffer
		err := s.Draw(context.WithoutCancel(ctx), func() error { return render.GIF(&film, frames, size, step) })
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
